"""Ship it or not? Whether the data prove a condition, refute it, or leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Literal

from numpy import integer, mean

from holdfast.arguments import Label
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Claim, Side
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Counts, Losses, Sample
from holdfast.evidence.costs import Costs
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Decision, origin
from holdfast.report.decision import Accept
from holdfast.report.origin import Provenance
from holdfast.verbs.bound import bound
from holdfast.verbs.gate.conditions import MEAN_LOSS, Condition, columns_named, several
from holdfast.verbs.gate.decide import (
    RULE,
    RULE_TOGETHER,
    Found,
    Statement,
    Terms,
    check_accept,
    decide_each,
    together,
    told_together,
)
from holdfast.verbs.gate.more_data import counted_as
from holdfast.verbs.gate.rows import Baseline, RowGate, decide_panel
from holdfast.verbs.gate.statements import divided
from holdfast.verbs.jointly import at_each_look, one_chance, one_positive
from holdfast.verbs.provenance import in_ledger

AGAIN = (
    "This answer is for one look at the data. Looking again as data grow takes looks=K (--looks K), each look with an "
    "equal part of what may go wrong."
)
MORE = {  # of what `assess` takes
    *DesignKeywords.__annotations__,
    *("design", "costs", "classes", "value", "value_range", "levels", "alpha", "bins", "pass_at", "ids"),
    *("clip", "resamples", "seed", "pos_label", "sample_weight"),
}
NOT_ANY_TIME = {"cluster": "clusters", "weight": "weights", "stratum": "strata", "value": "partial credit"}
ANY_TIME = "beta-binomial"  # the method whose limits hold at every moment
NO_MARGIN = "baseline= (--baseline) needs margin= (--margin), by how much the model may be worse than it; 0 will do."
LOOK_AGAIN = (
    "This answer is for one look at the data. Looking again as data grow takes looks=K (--looks K) or sequential=True "
    "(--sequential): 20 plain looks, one every 100 examples, would prove a limit of 5 % that is just missed 18 % of "
    "the time."
)


@in_ledger
def gate(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    correct: Any = None,
    measure: str = "error-rate",
    label: Label = None,
    at_most: float | None = None,
    at_least: float | None = None,
    each_at_least: float | None = None,
    looks: int = 1,
    sequential: bool = False,
    conditions: Sequence[Condition | Mapping[str, Any]] | None = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str] | None = None,
    baseline: Any = None,
    baseline_score: Any = None,
    margin: Any = None,
    on: str | None = None,
    operating_point: float | None = None,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    method: str | Bound | None = None,
    accept: Accept | None = None,
    simultaneous: bool = False,
    missing: Missing = "refuse",
    ledger: Any = None,
    sealed: bool = True,
    independent: str | None = None,
    spend_now: float | None = None,
    **more: Any,
) -> Decision:
    """Whether the data prove that a measure keeps to a limit, or refute it, or are too few to tell.

    Parameters
    ----------
    truth, predicted, score, correct, operating_point, positive, labels, missing
        As in `assess`. The first argument may also be `Predictions`, `Counts` (of errors) or `Losses`; or, against a
        baseline, a `Panel` of two models, the new one first.
    measure, label
        What is asked about: a name of `hf.measures()`, and for those that belong to a class, which one; by default
        the positive one.
    at_most, at_least
        One of the two: the limit.
    each_at_least
        Instead: the least that each question's own chance to be answered right may be, from repeats of it, by `ids`.
    looks
        At how many sizes of a growing test set this will be asked, all told. Each look gets an equal part of delta.
    sequential
        Instead: one may look as often as one likes, and stop at any time. For rates of counted events only.
    conditions
        Instead of measure, label and limit: several conditions that shall all hold, each a mapping of these, of `by`
        and `group`, such as "country=FR", for the groups that it is about, and of `baseline` and `margin`.
    groups, by
        By name, columns that divide the rows into groups; the condition shall hold in each. They are crossed, or those
        that are named by `by`. Where a condition says itself by which, those that do not are about all rows.
    baseline, baseline_score, margin
        What the model before predicted, and perhaps its scores, in the order of the rows; or, beside `Predictions` that
        have ids, its `Predictions`, a file or a data frame. Asked is then whether the new model is not worse by more
        than the margin: of all rows and, where there are groups, in each. A margin that is no number but one for each
        row is that of `assess`.
    on
        The column of the ids, where the baseline is a file or a data frame.
    confidence, delta
        One of the two: delta is the chance that what is asked for is called proven and is not met, and the chance that
        it, or any part of it, is called refuted and is met.
    method
        A name of the catalog, where the default shall not answer.
    accept
        "large-n" lets what holds only as the sample grows decide.
    simultaneous
        Make everything that is called proven of a single condition or group hold together, by Holm's procedure: less is
        proven then.
    ledger, sealed, independent, spend_now
        The `hf.Ledger` of a test set that is asked again and again. The gate is then sealed: it says proven or not
        proven, at a level that the ledger spends, and nothing else; with sealed=False it is an open look, and written
        down as such. After an open look `independent` says why model, condition and the decision to ask were settled
        without it. `spend_now` is what the gate spends, of a ledger that leaves this to each.
    more
        What else `assess` takes: clusters, max_cluster and order, weights, strata, sampling and prevalence, costs ...

    Notes
    -----
    "At most c" is proven if a one-sided upper limit is at most c, and refuted if a one-sided lower limit is above c,
    each at delta. Only one of these answers can be false, so that delta is the chance of a wrong answer.

    Against a baseline it is the difference, new minus baseline, on the same rows, that is at most the margin, or at
    least minus the margin where more is better.

    That all of m conditions hold, or one in all groups, is one statement: where it is false, one of them does not hold,
    and that one alone must not be called proven. So each is tested at delta, and all are proven if each is
    (intersection-union). What is called proven of a part then holds on its own; unless all are proven, the answer lists
    those that hold together, by Holm's procedure. One refutation is enough, so that all of them share delta, by Holm's
    procedure too.

    Proven and refuted are said of limits that hold at every sample size alone. A limit that holds only as the sample
    grows supports or contradicts a condition; that decides where `accept` says so. One that comes without proof never
    does.

    Examples
    --------
    >>> decision = gate(Counts(3, 200), at_most=0.05)
    >>> print(decision.answer, decision.claim)
    proven 0.0150, at most 0.0384, clopper-pearson, 95 %, holds at every sample size
    >>> decision = gate(Counts(4, 100), at_most=0.05)
    >>> print(decision.answer, decision.needed)
    not enough data 3601
    >>> truth, old = [1, 0] * 300, [1, 0] * 285 + [0, 0] * 15
    >>> decision = gate(truth, [1, 0] * 288 + [1, 1] * 12, baseline=old, margin=0.03)
    >>> print(decision.answer, decision.claim)
    proven -0.005, at most 0.014, paired-fisher, 95 %, holds at every sample size
    """
    level = one_chance("A gate decides", "it", confidence, delta)
    for name in more:
        if name not in MORE:
            raise TypeError(f"gate() got an unexpected keyword argument {name!r}")
    beside = {} if margin is None or isinstance(margin, Real) else {"margin": margin}  # one for each row, as in assess
    limits = {"at_most": at_most, "at_least": at_least, "margin": None if beside else margin}
    limits["each_at_least"] = each_at_least
    if baseline is not None and conditions is None and not any(limit is not None for limit in limits.values()):
        raise HoldfastError(NO_MARGIN)
    wanted = _asked(truth, conditions, measure=measure, label=label, **limits)
    if isinstance(costs := more.get("costs"), Costs):
        _check_costs(wanted, costs)
    looks = int(looks) if isinstance(looks, integer) else looks
    each = at_each_look(level, looks)
    if sequential and looks > 1:
        raise HoldfastError("Give looks=K (--looks K) or sequential=True (--sequential), not both.")
    check_accept(accept)
    _check_baseline(wanted, baseline, on, sequential)
    terms = Terms(each, _method(wanted, sequential, method), accept, simultaneous)
    given = {"predicted": predicted, "score": score, "correct": correct, "groups": groups, **beside}
    if isinstance(truth, Sample):
        _nothing_beside("The first argument is a whole sample", **given, by=by, operating_point=operating_point, **more)
        answers = _of_sample(truth, wanted, terms)
    elif isinstance(truth, Panel):
        _nothing_beside("The panel holds all columns already", **given, baseline=baseline, labels=labels)
        wanted = divided(wanted, columns_named(by), [*truth.groups])
        answers = decide_panel(truth, wanted, terms, more)
    else:
        beside |= {name: more.pop(name) for name in ("ids", "value", "value_range", "levels") if name in more}
        keywords = {name: more.pop(name) for name in DesignKeywords.__annotations__ if name in more}
        design = Design.stated("gate", more.pop("design", None), more.pop("sample_weight", None), keywords)
        positive = one_positive(positive, more.pop("pos_label", None))
        how = {"correct": correct, "labels": labels, "missing": missing, "groups": groups, "design": design}
        rows = Predictions.given(truth, predicted, score, **how, **beside)
        wanted = divided(wanted, columns_named(by), rows.group_names)
        if sequential and (held := [words for name, words in NOT_ANY_TIME.items() if name in rows.columns]):
            raise UnfitMethod(f"sequential=True (--sequential) takes no {held[0]}; use looks=K (--looks K).")
        gate_of_rows = RowGate(rows, wanted, terms, more, operating_point, positive, labels)
        answers = gate_of_rows.found(Baseline(baseline, baseline_score, on))
    _check_method(method, sequential, answers.parts)
    options: dict[str, Any] = {"looks": looks, "sequential": sequential, "simultaneous": simultaneous}
    options |= {"confidence": confidence, "delta": delta, "accept": accept}
    stated = [f"{name}={value!r}" for name, value in options.items() if value not in (None, 1, False)]
    called = f"holdfast.gate({', '.join(['; '.join(map(str, wanted)), *stated])})"
    looking = {"sequential": True} if sequential else {"looks": looks} if looks > 1 else {}
    whole = answers.parts[0] if len(wanted) == 1 else together(f"all {len(wanted)} conditions together", answers.parts)
    several = len([*whole.leaves()]) > 1
    names = tuple(answers.listed) if several and not whole else None
    rule = RULE_TOGETHER if simultaneous else RULE
    return replace(
        whole,
        delta=level,
        hold_together=names,
        simultaneous=True if simultaneous and several else None,
        notes=(*whole.notes, *answers.notes, *_notes(wanted, looks, sequential, several and rule, names or ())),
        provenance=Provenance({**answers.provenance, "command": called, **looking}),
    )


def _asked(truth: object, conditions: Sequence[object] | None, **one: Any) -> list[Condition]:
    """What is asked, in the words of the kind of data at hand."""
    if conditions is not None:
        margin = one.pop("margin")  # of those conditions that have no limit of their own
        if one != {"measure": "error-rate", **dict.fromkeys(("label", "at_most", "at_least", "each_at_least"))}:
            raise HoldfastError("Give conditions, or one measure with its label and limit, not both.")
        wanted = several(conditions, margin)
    else:
        if isinstance(truth, Losses) and one["measure"] == "error-rate":  # the default: nobody said so
            one["measure"] = MEAN_LOSS
        wanted = [Condition.checked(**one)]
    fitting = "error-rate" if isinstance(truth, Counts) else MEAN_LOSS if isinstance(truth, Losses) else None
    for condition in wanted:
        if fitting is not None and (condition.measure, condition.label) != (fitting, None):
            raise HoldfastError(f"{type(truth).__name__} tell the {fitting} alone; {condition} needs predictions.")
        single = condition.margin is None and condition.each_at_least is None
        if fitting is not None and (condition.columns or not single):
            raise HoldfastError(f"{type(truth).__name__} are of all examples of one model; {condition} needs the rows.")
        if fitting is None and condition.measure == MEAN_LOSS:
            raise HoldfastError(
                "mean-loss is asked of losses: `hf.gate(hf.Losses(values), at_most=...)` (holdfast "
                "bound --losses FILE)."
            )
        if isinstance(truth, Losses):
            condition.within(*_ends(truth))
    return wanted


def _check_baseline(wanted: Sequence[Condition], baseline: Any, on: str | None, sequential: bool) -> None:
    """Refuse a baseline without a margin, and what says nothing of one."""
    beside = [condition for condition in wanted if condition.margin is not None]
    if beside and sequential:
        raise UnfitMethod(
            "sequential=True (--sequential) is for rates of one model; use looks=K (--looks K), or follow two models "
            "by hf.Duel (holdfast compare --sequential)."
        )
    if not beside and baseline is not None:
        raise HoldfastError(NO_MARGIN)
    if not beside and on is not None:
        raise HoldfastError("on= (--on) joins the rows with those of a baseline: give baseline= (--baseline).")


def _check_costs(wanted: Iterable[Condition], costs: Costs) -> None:
    """Costs must be asked about, and a limit must be one that they can reach."""
    priced = [condition for condition in wanted if "costs" in find_measure(condition.measure).parameters]
    if not priced:
        raise HoldfastError("costs= (--costs) are for expected-cost, which is not asked about; leave them out.")
    for condition in priced:
        condition.within(costs.low, costs.high)


def _method(wanted: Iterable[Condition], sequential: bool, method: str | Bound | None) -> str | Bound | None:
    """Who shall answer."""
    if not sequential:
        return method
    if method is not None and find(method).name != ANY_TIME:
        raise HoldfastError(f"With sequential=True (--sequential) {ANY_TIME} answers; leave out the method.")
    for condition in wanted:
        if counted_as(condition.measure) is None:
            raise UnfitMethod(
                f"sequential=True (--sequential) is for rates of counted events, and {condition.measure} is none; "
                "use looks=K (--looks K)."
            )
    return ANY_TIME


def _check_method(method: str | Bound | None, sequential: bool, parts: Sequence[Decision]) -> None:
    """Refuse a method that answers beside the claims that decide, and for none of these."""
    claims = [leaf.claim for part in parts for leaf in part.leaves() if leaf.claim is not None]
    used = {claim.method: claim for claim in claims}
    if sequential and (fixed := [name for name in used if name != ANY_TIME]):
        raise UnfitMethod(
            "sequential=True (--sequential) is for rates of counted events of rows that are draws of their own; "
            f"{fixed[0]} would answer here, whose limits hold at one size. Use looks=K (--looks K)."
        )
    if method is not None and (name := find(method).name) not in used:
        other, claim = next(iter(used.items()))
        raise UnfitMethod(
            f"{name} would not decide: a gate goes by the {claim.measure} of the average {claim.per}, which has a "
            f"guarantee, and {other} answers for it; leave the method out."
        )


def _nothing_beside(why: str, **given: object) -> None:
    if idle := [name for name, value in given.items() if value is not None]:
        raise HoldfastError(f"{why}; leave out {', '.join(idle)}.")


def _of_sample(sample: Sample, wanted: Sequence[Condition], terms: Terms) -> Found:
    if sample.mean.ndim or sample.n.ndim:
        raise HoldfastError("A gate decides on one sample; call it once for each.")
    mark = sample.fingerprint if isinstance(sample, Losses) and sample.has("values") else None

    def claim(delta: float, side: Side) -> Claim:
        return bound(sample, terms.method, delta=delta, side=side)

    rows = int(sample.n)
    statements = [[Statement(each, claim, rows, _ends(sample))] for each in wanted]
    parts, names = decide_each(statements, terms)
    return Found(parts, origin(rows=rows, fingerprint=mark), names)


def _ends(sample: Sample) -> tuple[float, float]:
    """Between which the mean lies, whatever the data."""
    return float(mean(sample.scale.low)), float(mean(sample.scale.high))


def _notes(
    wanted: Sequence[Condition], looks: int, sequential: bool, rule: str | Literal[False], names: Sequence[str]
) -> Iterator[str]:
    if rule:
        yield rule
    if names and rule == RULE:
        yield told_together(names)
    if sequential:
        yield "One may look again whenever one likes, and stop at any time: the limits hold at every moment."
    elif looks > 1:
        yield (
            f"This is one of at most {looks:,} looks, each with an equal part of what may go wrong; "
            "further looks would void the answer."
        )
    else:
        yield LOOK_AGAIN if all(condition.margin is None for condition in wanted) else AGAIN
