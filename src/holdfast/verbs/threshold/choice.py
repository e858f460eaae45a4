"""The threshold that is chosen, what is claimed of it, and what is lacking where none is proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.claims import Assumption, Claim
from holdfast.evidence import Counts
from holdfast.evidence.costs import Costs
from holdfast.report import Answer, Line
from holdfast.report.threshold import Threshold
from holdfast.selection.drawn_thresholds import precise_cut
from holdfast.selection.least_cost import Cheapest, least_cost
from holdfast.selection.thresholds import Cut, falling, for_precision
from holdfast.verbs.threshold.drawn_rows import SingleRows, safest
from holdfast.verbs.threshold.subject import Part, Subject
from holdfast.verbs.threshold.wish import COST, Chosen, Wish, drawn_as, two_labels
from holdfast.wording import quoted


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
        counts = _weakest([*designed.values()] or [subject.whole.designed(cut, wish.word)], delta)
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


def _weakest(designed: Sequence[Counts], delta: float) -> Counts:
    """Of what holds by design in each group, that which says least."""
    return min(designed, key=lambda counts: float(clopper_pearson(counts, delta / 3, "lower").lower))


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
    fixed = wish.word == COST or not subject.whole.capped or (wish.word == "precision" and not _ranked(subject))
    if wish.candidates is None and fixed:
        yield (
            "Only the hundredths from 0.01 to 1 were tried: thresholds had to be fixed beforehand. Name others by "
            "candidates= (--candidates) where scores are no probabilities."
        )


def _ranked(subject: Subject) -> bool:
    """Whether thresholds could be found by counting examples at the top."""
    return isinstance(subject.whole, SingleRows) and subject.whole.mixes is None


def _lacking(wish: Wish, subject: Subject, cuts: Sequence[Cut | None], delta: float) -> tuple[int | None, str]:
    """How many examples are the least that could prove it, and why these do not."""
    if not subject.groups or not cuts:
        return subject.tested[0].lacking(wish, delta) if len(subject.tested) == 1 else _in_no_group(subject)
    name, part = next(pair for pair, cut in zip(subject.groups.items(), cuts, strict=True) if cut is None)
    needed, why = part.lacking(wish, delta)
    return needed, f"In the group {quoted(name)}: {why}"


def _in_no_group(subject: Subject) -> tuple[int | None, str]:
    return None, (
        f"No threshold that was tried is proven in all of the {len(subject.groups):,} groups at once; more rows of the "
        "smallest would help most."
    )
