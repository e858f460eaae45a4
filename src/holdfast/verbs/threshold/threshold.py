"""From which score on shall I say yes, and what may I then claim?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from holdfast.arguments import Label
from holdfast.bounds.binomial import clopper_pearson
from holdfast.claims import Assumption, Claim
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.evidence import Array
from holdfast.evidence.costs import Costs
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Answer, Line
from holdfast.report.decision import Threshold
from holdfast.report.origin import origin
from holdfast.selection.drawn_thresholds import precise_cut
from holdfast.selection.least_cost import Cheapest, least_cost
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import Cut, falling, for_precision
from holdfast.verbs.jointly import at_each_look, one_chance, one_of_looks, one_positive
from holdfast.verbs.provenance import recorded
from holdfast.verbs.threshold.drawn_rows import SingleRows, safest
from holdfast.verbs.threshold.subject import Part, Subject, subject_of
from holdfast.verbs.threshold.wish import COST, Chosen, Wish, drawn_as, two_labels, wish_for
from holdfast.wording import quoted

MOST_DRAWN = 300  # thresholds of a picture
ROWS = ("truth", "score", "groups", "sample_weight")


@recorded(without=ROWS)
def threshold(
    truth: Any = None,
    score: Any = None,
    *,
    positive: Label = None,
    sensitivity_at_least: float | None = None,
    specificity_at_least: float | None = None,
    precision_at_least: float | None = None,
    recall_at_least: float | None = None,
    costs: Costs | None = None,
    candidates: Sequence[float] | Array | None = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    simultaneous: bool = False,
    looks: int = 1,
    confidence: float | str | None = None,
    delta: float | None = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    pos_label: Label = None,
    sample_weight: Any = None,
    **drawn: Unpack[DesignKeywords],
) -> Threshold:
    """A threshold of the score for which one thing is proven, though it was chosen on these very data.

    Parameters
    ----------
    truth, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`.
    positive
        The label that the score speaks for. scikit-learn's `pos_label` will do.
    sensitivity_at_least, specificity_at_least, precision_at_least
        What shall be proven: one of the three. `recall_at_least` is the sensitivity. Of all thresholds for which it
        is proven the answer is the one that gives up least: the lowest for specificity and precision, the highest
        for sensitivity.
    costs
        Instead: what each answer costs (`hf.Costs`). The answer is the threshold whose expected cost has the lowest
        limit.
    candidates
        The only thresholds that come into question, named without looking at these data. By default any number may
        come out; for costs, and for a precision where rows come in clusters, with weights or within strata, one of the
        hundredths from 0.01 to 1.
    groups, by
        By name, columns that divide the rows into groups, and other ways to divide them, as in `assess`. What is proven
        is then proven of every group.
    design
        How the rows were drawn, as in `assess`: `hf.Design(clusters=..., max_cluster=...)`, or what it takes by its
        names. What is claimed holds at every sample size where the most that a draw can weigh is stated
        (`max_cluster`, `max_weight`); else as the sample grows, of the candidates or the hundredths. A prevalence may
        be a range, as in `{"sick": (0.03, 0.07)}`: claimed is the worst over it.
    simultaneous
        Make all that is claimed of the threshold, of every group too, hold together, and not just each on its own.
    looks
        At how many sizes of a growing set of examples a threshold will be chosen, all told. Each look gets an equal
        part of delta.
    confidence, delta
        As in `bound`.
    labels
        All labels there are, in your order; by default those that occur.
    missing
        What to do with a row without truth or score: "refuse" or "drop".

    Examples
    --------
    >>> scores = [i / 400 for i in range(400)]
    >>> made = threshold([s > 0.5 for s in scores], scores, specificity_at_least=0.9)
    >>> print(made.rule)
    call it True when the score is at least 0.4701
    >>> print(made.claim)
    0.9403, at least 0.9050, fixed-sequence, 95 %, holds at every sample size
    """
    stated = Design.stated("threshold", design, sample_weight, drawn)
    positive = one_positive(positive, pos_label)
    if sensitivity_at_least is not None and recall_at_least is not None:
        raise HoldfastError("Give sensitivity_at_least= or recall_at_least=, not both: they mean the same.")
    sensitivity = recall_at_least if sensitivity_at_least is None else sensitivity_at_least
    rates = {"sensitivity": sensitivity, "specificity": specificity_at_least, "precision": precision_at_least}
    wish = wish_for(rates, costs, candidates)
    level = one_chance("A threshold is chosen", "threshold", confidence, delta)
    if isinstance(truth, Predictions) and score is not None:
        raise HoldfastError("The first argument holds all columns already; leave out score.")
    if not isinstance(truth, Predictions) and (truth is None or score is None):
        raise HoldfastError("Give truth and score: one label and one number a row.")
    rows = Predictions.given(truth, None, score, groups=groups, labels=labels, missing=missing, design=stated)
    subject = subject_of(rows, wish, positive, labels, by)
    each = at_each_look(level, looks)
    answer = chosen(wish, subject, each)
    if simultaneous and answer.claim is not None:
        # How many claims there are depends on what is asked, and on no result.
        number = 1 + len(answer.beside) + len(answer.groups or ())
        answer = replace(chosen(wish, subject, float(sayable(bonferroni(each, number)))), delta=each, simultaneous=True)
    notes = (note for note in subject.counted.notes if "Brier" not in note)  # nothing is said about probabilities here
    return replace(
        answer,
        notes=(*notes, *subject.notes, *answer.notes, *one_of_looks(looks)),
        provenance=origin(rows=subject.counted.rows, fingerprint=subject.counted.fingerprint),
        seen={"trade-off": partial(_seen, subject.whole.stairs)},
    )


def _seen(stairs: Stairs) -> dict[str, list[float]]:
    """Sensitivity and specificity of these examples at some of the scores, the lowest and the highest among them."""
    places = np.unique(np.linspace(0, stairs.values.size - 1, MOST_DRAWN).round().astype(int))
    thresholds = stairs.values[places]
    hits, alarms = stairs.at_least(thresholds)
    rates = {"thresholds": thresholds, "sensitivity": hits.mean, "specificity": alarms.complement}
    return {name: np.asarray(values, dtype=float).tolist() for name, values in rates.items()}


def chosen(wish: Wish, subject: Subject, delta: float) -> Threshold:
    """The threshold that the wish comes to, with its claims; or how much is lacking."""
    if wish.costs is not None:
        return _by_cost(wish, wish.costs, subject, delta)
    cuts = [] if wish.word == "precision" else [part.cut(wish, delta) for part in subject.tested]
    cut = safest(cuts, wish.word) if cuts else _precise(wish, subject, delta)
    if cut is None:
        needed, why = _lacking(wish, subject, cuts, delta)
        return Threshold(Answer.OPEN, _condition(wish, subject), subject.label, delta, needed=needed, notes=(why,))
    own = {name: each for name, each in zip(subject.groups, cuts, strict=False) if each is not None}
    designed = {
        name: part.designed(own[name], wish.word)
        for name, part in subject.groups.items()
        if name in own and isinstance(part, SingleRows)
    }
    counts = None
    if cuts and isinstance(subject.whole, SingleRows):
        by_design = [*designed.values()] or [subject.whole.designed(cut, wish.word)]
        # Of what holds by design in each group, that which says least.
        counts = min(by_design, key=lambda each: float(clopper_pearson(each, delta / 3, "lower").lower))
    tried = _tried(wish, subject)
    lines = [
        Line(claim, group=name)
        for name, part in subject.groups.items()
        for claim in part.claims(
            Chosen(wish.word, replace(own.get(name, cut), threshold=cut.threshold), designed.get(name), tried), delta
        )
    ]
    claims = [*subject.whole.claims(Chosen(wish.word, cut, counts, tried), delta)]
    return _answer(wish, subject, delta, cut.threshold, claims, lines)


def _answer(
    wish: Wish, subject: Subject, delta: float, threshold: float, claims: Sequence[Claim], lines: Sequence[Line]
) -> Threshold:
    return Threshold(
        Answer.PROVEN,
        _condition(wish, subject),
        subject.label,
        delta,
        threshold,
        claims[0],
        tuple(claims[1:]),
        notes=tuple(_notes(wish, subject, threshold)),
        groups=tuple(lines) or None,
    )


def _precise(wish: Wish, subject: Subject, delta: float) -> Cut | None:
    whole = subject.whole
    if isinstance(whole, SingleRows) and whole.mixes is None:
        groups = [part.scores for part in subject.groups.values() if isinstance(part, SingleRows)]
        return for_precision(whole.scores, wish.at_least, delta, wish.candidates, groups)
    parts = [each for part in subject.tested for each in part.precise()]
    return precise_cut(parts, wish.at_least, delta, wish.candidates)


def _tried(wish: Wish, subject: Subject) -> int | None:
    """How many thresholds came into question, where these were fixed."""
    if wish.candidates is None and subject.whole.capped and not wish.of_classes:
        return None
    return int(falling(wish.candidates).size)


# ---- The least cost


def _by_cost(wish: Wish, costs: Costs, subject: Subject, delta: float) -> Threshold:
    labels, thresholds = two_labels(wish, subject.label, subject.classes), falling(wish.candidates)
    parts = [each for part in subject.tested for each in part.priced(costs, labels)]
    cheapest, number = least_cost(parts, thresholds, delta), thresholds.size
    at_threshold = Chosen(COST, Cut(cheapest.threshold, 0.0), tried=number)

    def claims_of(part: Part, limit: Cheapest) -> Iterator[Claim]:
        claims = [each.claim(*limit, delta) for each in part.priced(costs, labels)]
        worst = max((float(claim.estimate) for claim in claims if claim.estimate is not None), default=None)
        claim = least_cost.claim_from(claims[0], measure="expected-cost", estimate=worst)
        stated = [Assumption.STATED_PREVALENCE] if Assumption.WITHIN_CLASSES in part.assumes else []
        yield drawn_as(claim, part.assumes, *stated)
        yield from part.claims(at_threshold, delta)

    def own_limit(part: Part) -> Cheapest:
        """That of a group at the threshold, whose part of delta it has."""
        priced = part.priced(costs, labels)
        each = [float(one.limits(np.array([cheapest.threshold]), delta / number)[0]) for one in priced]
        return Cheapest(cheapest.threshold, max(each))

    lines = [
        Line(claim, group=name) for name, part in subject.groups.items() for claim in claims_of(part, own_limit(part))
    ]
    return _answer(wish, subject, delta, cheapest.threshold, [*claims_of(subject.whole, cheapest)], lines)


# ---- Words


def _condition(wish: Wish, subject: Subject) -> str:
    everywhere = " in every group" if subject.groups else ""
    stated = wish.of_classes and Assumption.WITHIN_CLASSES in subject.whole.assumes
    return f"{wish.condition}{everywhere}{' at the prevalence stated' if stated else ''}"


def _notes(wish: Wish, subject: Subject, threshold: float) -> Iterator[str]:
    label = subject.label
    if not sum(int(called.k) for called in subject.whole.stairs.at_most(threshold)):
        yield f"No example here scores so high: by this rule nothing is called {label}."
    yield {
        "sensitivity": f"It was chosen by the scores of {label} examples; any lower threshold keeps the claim.",
        "specificity": f"It was chosen by the scores of examples that are not {label}; any higher threshold keeps "
        "the claim.",
        "precision": "The claim is about this threshold only: a higher one may have a lower precision.",
        COST: "The claim is about this threshold only, of all that were tried the one with the lowest limit.",
    }[wish.word]
    if subject.groups:
        yield (
            "What was asked for is proven of every group, and so of all rows together; what stands beside is said of "
            "each by itself."
        )
    # Whether thresholds could be found by counting examples at the top.
    ranked = isinstance(subject.whole, SingleRows) and subject.whole.mixes is None
    fixed = wish.word == COST or not subject.whole.capped or (wish.word == "precision" and not ranked)
    if wish.candidates is None and fixed:
        yield (
            "Only the hundredths from 0.01 to 1 were tried: thresholds had to be fixed beforehand. Name others by "
            "candidates= (--candidates) where scores are no probabilities."
        )


def _lacking(wish: Wish, subject: Subject, cuts: Sequence[Cut | None], delta: float) -> tuple[int | None, str]:
    """How many examples are the least that could prove it, and why these do not."""
    if (not subject.groups or not cuts) and len(subject.tested) == 1:
        return subject.tested[0].lacking(wish, delta)
    if not subject.groups or not cuts:
        return None, (
            f"No threshold that was tried is proven in all of the {len(subject.groups):,} groups at once; more rows of "
            "the smallest would help most."
        )
    name, part = next(pair for pair, cut in zip(subject.groups.items(), cuts, strict=True) if cut is None)
    needed, why = part.lacking(wish, delta)
    return needed, f"In the group {quoted(name)}: {why}"
