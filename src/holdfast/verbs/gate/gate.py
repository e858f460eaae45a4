"""Ship it or not? Whether the data prove a condition, refute it, or leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from numpy import integer, mean

from holdfast.arguments import Label
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Side, chance_of_error
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Contingency, Counts, Losses, Sample, shown
from holdfast.evidence.costs import Costs
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.wording import listed
from holdfast.report import Decision, Report
from holdfast.report.decision import Accept
from holdfast.tally.operating import at_operating_point
from holdfast.verbs.acceptance import check_accept
from holdfast.verbs.assess.assess import assessed, declared_threshold
from holdfast.verbs.bound import bound
from holdfast.verbs.gate.conditions import MEAN_LOSS, Condition, several
from holdfast.verbs.gate.decide import RULE, decide_each, together, told_together
from holdfast.verbs.gate.groups import decide_groups
from holdfast.verbs.gate.more_data import counted_as
from holdfast.verbs.questions import needs_scores, scores_for

MOST_LOOKS = 1_000_000
MORE = {  # of what `assess` takes
    *(
        "clusters",
        "max_cluster",
        "order",
        "sampling",
        "prevalence",
        "costs",
        "classes",
        "margin",
        "alpha",
        "bins",
        "pass_at",
    ),
    *("ids", "clip", "resamples", "seed", "pos_label", "sample_weight"),
}
ANY_TIME = "beta-binomial"  # the method whose limits hold at every moment
LOOK_AGAIN = (
    "This answer is for one look at the data. Looking again as data grow takes looks=K (--looks K) or sequential=True "
    "(--sequential): 20 plain looks, one every 100 examples, would prove a limit of 5 % that is just missed 18 % of "
    "the time."
)


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
    looks: int = 1,
    sequential: bool = False,
    conditions: Sequence[Condition | Mapping[str, Any]] | None = None,
    groups: Mapping[str, Any] | None = None,
    operating_point: float | None = None,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    method: str | Bound | None = None,
    accept: Accept | None = None,
    missing: Missing = "refuse",
    command: str | None = None,
    **more: Any,
) -> Decision:
    """Whether the data prove that a measure keeps to a limit, or refute it, or are too few to tell.

    Parameters
    ----------
    truth, predicted, score, correct, operating_point, positive, labels, missing
        As in `assess`. The first argument may also be `Predictions`, `Counts` (of errors) or `Losses`.
    measure, label
        What is asked about: a name of `hf.measures()`, and for those that belong to a class, which one; by default
        the positive one.
    at_most, at_least
        One of the two: the limit.
    looks
        At how many sizes of a growing test set this will be asked, all told. Each look gets an equal part of delta.
    sequential
        Instead: one may look as often as one likes, and stop at any time. For rates of counted events only.
    conditions
        Instead of measure, label and limit: several conditions that shall all hold, each a mapping of these.
    groups
        By name, columns that divide the rows into groups; the condition shall hold in each.
    confidence, delta
        One of the two: delta is the chance that what is asked for is called proven and is not met, and the chance that
        it, or any part of it, is called refuted and is met.
    method
        A name of the catalog, where the default shall not answer.
    accept
        "large-n" lets what holds only as the sample grows decide.
    more
        What else `assess` takes: clusters, max_cluster and order, sampling and prevalence, costs, margin ...

    Notes
    -----
    "At most c" is proven if a one-sided upper limit is at most c, and refuted if a one-sided lower limit is above c,
    each at delta. Only one of these answers can be false, so that delta is the chance of a wrong answer.

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
    """
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A gate decides at one confidence; call it once for each.")
    for name in more:
        if name not in MORE:
            raise TypeError(f"gate() got an unexpected keyword argument {name!r}")
    asked = _asked(truth, conditions, measure=measure, label=label, at_most=at_most, at_least=at_least)
    if isinstance(costs := more.get("costs"), Costs):
        _check_costs(asked, costs)
    looks = _looks(looks, sequential)
    check_accept(accept)
    each = float(level if looks == 1 else sayable(bonferroni(level, looks)))
    chosen = _method(asked, sequential, method)
    if isinstance(truth, Sample):
        _nothing_beside(
            "The first argument is a whole sample",
            predicted=predicted,
            score=score,
            correct=correct,
            groups=groups,
            operating_point=operating_point,
            **more,
        )
        found = decide_each(
            asked, partial(_of_sample, truth, chosen), each, label=_label, ends=_ends(truth), accept=accept
        )
    else:
        beside = {name: more.pop(name) for name in ("clusters", "margin", "ids") if name in more}
        rows = Predictions.given(
            truth, predicted, score, correct=correct, labels=labels, missing=missing, groups=groups, **beside
        )
        rows, _ = scores_for(
            rows, [find_measure(condition.measure) for condition in asked], also=operating_point is not None
        )
        if operating_point is not None:
            operated = at_operating_point(rows, declared_threshold(operating_point), positive, labels)
            rows, positive, labels = operated.predictions, operated.positive, operated.labels
        rows = replace(rows, asked_about=tuple(c.label for c in asked if c.label is not None))
        options: dict[str, Any] = {"positive": _positive(rows, asked, positive), "labels": labels, "method": chosen}
        if sequential and "cluster" in rows.columns:
            raise UnfitMethod("sequential=True (--sequential) takes no clusters; use looks=K (--looks K).")
        if rows.group_names:
            _nothing_beside("Groups are decided on as random draws", **more)
            found = decide_groups(rows, asked, each, **options, accept=accept)
        else:
            only = list(dict.fromkeys(condition.measure for condition in asked))
            limits = assessed(rows, only=only, **options, **more)
            found = decide_each(asked, limits, each, label=_label, ends=None, accept=accept)
            _check_method(method, found.parts)
    called = _call(asked, looks=looks, sequential=sequential, confidence=confidence, delta=delta, accept=accept)
    looking = {"sequential": True} if sequential else {"looks": looks} if looks > 1 else {}
    whole = found.parts[0] if len(asked) == 1 else together(f"all {len(asked)} conditions together", found.parts)
    several = len([*whole.leaves()]) > 1
    names = tuple(found.listed) if several and not whole else None
    return replace(
        whole,
        delta=float(level),
        hold_together=names,
        notes=(*whole.notes, *found.notes, *_notes(looks, sequential, several, names or ())),
        provenance={**found.provenance, "command": command or called, **looking},
    )


def _asked(truth: object, conditions: Sequence[object] | None, **one: Any) -> list[Condition]:
    """What is asked, in the words of the kind of data at hand."""
    if conditions is not None:
        if one != {"measure": "error-rate", "label": None, "at_most": None, "at_least": None}:
            raise HoldfastError("Give conditions, or one measure with its label and limit, not both.")
        asked = several(conditions)
    else:
        if isinstance(truth, Losses) and one["measure"] == "error-rate":  # the default: nobody said so
            one["measure"] = MEAN_LOSS
        asked = [Condition.checked(**one)]
    fitting = "error-rate" if isinstance(truth, Counts) else MEAN_LOSS if isinstance(truth, Losses) else None
    for condition in asked:
        if fitting is not None and (condition.measure, condition.label) != (fitting, None):
            raise HoldfastError(f"{type(truth).__name__} tell the {fitting} alone; {condition} needs predictions.")
        if fitting is None and condition.measure == MEAN_LOSS:
            raise HoldfastError(
                "mean-loss is asked of losses: `hf.gate(hf.Losses(values), at_most=...)` (holdfast "
                "bound --losses FILE)."
            )
        if isinstance(truth, Losses):
            condition.within(*_ends(truth))
    return asked


def _check_costs(asked: Iterable[Condition], costs: Costs) -> None:
    """Costs must be asked about, and a limit must be one that they can reach."""
    priced = [condition for condition in asked if "costs" in find_measure(condition.measure).parameters]
    if not priced:
        raise HoldfastError("costs= (--costs) are for expected-cost, which is not asked about; leave them out.")
    for condition in priced:
        condition.within(costs.low, costs.high)


def _looks(looks: object, sequential: bool) -> int:
    if not isinstance(looks, (int, integer)) or isinstance(looks, bool) or not 1 <= looks <= MOST_LOOKS:
        raise HoldfastError(f"looks must be a whole number from 1 to {MOST_LOOKS:,}; got {shown(looks)}.")
    if sequential and looks > 1:
        raise HoldfastError("Give looks=K (--looks K) or sequential=True (--sequential), not both.")
    return int(looks)


def _method(asked: Iterable[Condition], sequential: bool, method: str | Bound | None) -> str | Bound | None:
    """Who shall answer."""
    if not sequential:
        return method
    if method is not None and find(method).name != ANY_TIME:
        raise HoldfastError(f"With sequential=True (--sequential) {ANY_TIME} answers; leave out the method.")
    for condition in asked:
        if counted_as(condition.measure) is None:
            raise UnfitMethod(
                f"sequential=True (--sequential) is for rates of counted events, and {condition.measure} is none; "
                "use looks=K (--looks K)."
            )
    return ANY_TIME


def _check_method(method: str | Bound | None, parts: Sequence[Decision]) -> None:
    """Refuse a method that answers beside the claims that decide, and for none of these."""
    used = {part.claim.method: part.claim for part in parts if part.claim is not None}
    if method is not None and (name := find(method).name) not in used:
        other, claim = next(iter(used.items()))
        raise UnfitMethod(
            f"{name} would not decide: a gate goes by the {claim.measure} of the average {claim.per}, which has a "
            f"guarantee, and {other} answers for it; leave the method out."
        )


def _nothing_beside(why: str, **given: object) -> None:
    if idle := [name for name, value in given.items() if value is not None]:
        raise HoldfastError(f"{why}; leave out {', '.join(idle)}.")


def _positive(rows: Predictions, asked: Iterable[Condition], positive: object) -> object:
    """The positive class; where there are no scores to speak for one, the class that is asked about will do.

    Of very many classes only the positive one is answered for.
    """
    labels = {c.label for c in asked if (entry := find_measure(c.measure)).per_class and entry.takes is Contingency}
    return labels.pop() if positive is None and len(labels) == 1 and not rows.scored else positive


def _of_sample(sample: Sample, method: str | Bound | None, delta: float, side: Side) -> Report:
    if sample.mean.ndim or sample.n.ndim:
        raise HoldfastError("A gate decides on one sample; call it once for each.")
    mark = sample.fingerprint if isinstance(sample, Losses) and sample.has("values") else None
    return Report.of([bound(sample, method, delta=delta, side=side)], rows=int(sample.n), fingerprint=mark)


def _ends(sample: Sample) -> tuple[float, float]:
    """Between which the mean lies, whatever the data."""
    return (float(mean(sample.low)), float(mean(sample.high))) if isinstance(sample, Losses) else (0.0, 1.0)


def _label(condition: Condition, report: Report) -> str | None:
    """The class that is asked about: the one named, else the positive one.

    Unless it is the scores that are asked about, nobody spoke of a class that they chose: it is one that was found, and
    which one that is depends on the rows.
    """
    lines = [line for line in report.whole if line.measure == condition.measure]
    known = list(dict.fromkeys(line.label for line in lines if line.label is not None))
    if condition.label is not None and lines and not known:
        raise HoldfastError(f"{condition.measure} is of all classes together; leave out the label.")
    if condition.label is not None or not known:
        return condition.label
    chosen = "positive_by" in report.details and not needs_scores(find_measure(condition.measure))
    default = None if chosen else report.details.get("positive") or (known[0] if len(known) == 1 else None)
    if default is None:
        raise HoldfastError(
            f"{condition.measure} belongs to a class: name it with label= (--label), one of {listed(known)}."
        )
    return str(default)


def _notes(looks: int, sequential: bool, several: bool, names: Sequence[str]) -> Iterator[str]:
    if several:
        yield RULE
    if names:
        yield told_together(names)
    if sequential:
        yield "One may look again whenever one likes, and stop at any time: the limits hold at every moment."
    elif looks > 1:
        yield (
            f"This is one of at most {looks:,} looks, each with an equal part of what may go wrong; "
            "further looks would void the answer."
        )
    else:
        yield LOOK_AGAIN


def _call(asked: Sequence[Condition], **given: object) -> str:
    told = ", ".join(f"{name}={value!r}" for name, value in given.items() if value not in (None, 1, False))
    return f"holdfast.gate({'; '.join(map(str, asked))}{', ' * bool(told)}{told})"
