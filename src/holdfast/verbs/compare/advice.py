"""Beside the numbers of a comparison: which rule decided, what would settle the rest, what was required of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import ceil, inf
from typing import Any, Literal

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.combine import bonferroni, sayable
from holdfast.comparisons.mcnemar import examples_for_power
from holdfast.errors import HoldfastError, UnknownName
from holdfast.report import Answer, Decision
from holdfast.report.decision import Accept
from holdfast.report.verdict import spoken
from holdfast.verbs.assess.notes import notes_of_weights
from holdfast.verbs.compare.pairs import MOST_AMONG, Contest
from holdfast.verbs.compare.unpaired import Unpaired, UnpairedDifferences
from holdfast.verbs.compare.verdicts import CODE
from holdfast.verbs.gate.decide import caution, check_accept, firmly, together
from holdfast.verbs.gate.more_data import REASONABLE, extrapolated
from holdfast.verbs.jointly import notes_of_classes
from holdfast.wording import listed, quoted

POWER = 0.8  # with which more examples are to settle it


def notes_of(contest: Contest) -> Iterator[str]:
    """What the reader should know."""
    panel, deciding, about = contest.panel, contest.deciding, contest.deciding.about
    if not about.of_errors:
        yield (
            f"The verdict, the margin, the p-values and who may be the best are about {about.name}, the first measure "
            "asked for, and not about the error rate."
        )
    if panel.grades is not None:
        yield (
            "Answers may be partly right: the error rate is what they fall short of all that they could be worth, and "
            "accuracy what they are worth, as parts of it; so is the margin."
        )
    if contest.request.margin:
        yield (
            f"With a margin, where the interval of {contest.claim_at(0).method} lies decides: within the margin on "
            "both sides is equivalent, below it not inferior."
        )
    elif deciding.tested:
        test = deciding.rule.removeprefix("mcnemar-")
        yield f"Without a margin, McNemar's test ({test}) of no difference decides, not the interval."
    elif about.of_errors and deciding.paired is None:
        takes = "takes every row for an independent draw" if panel.grades is None else "knows right and wrong alone"
        takes = "needs rows that both models answered" if isinstance(panel, Unpaired) else takes
        yield f"The test of no difference is by {deciding.rule}, and decides, not the interval: McNemar's {takes}."
    else:
        yield f"Without a margin, the p-value by {deciding.rule} decides, not the interval."
    if panel.clusters is not None:
        yield from _of_clusters(contest)
    if isinstance(panel, Unpaired):
        yield (
            "Each model was seen on rows of its own: what is uncertain of either adds up, and what is hard for both "
            "does not cancel. On the same rows the interval would be narrower."
        )
    elif panel.weights is not None:
        rows = deciding.differences.rows
        assert not isinstance(rows, UnpairedDifferences)
        yield from notes_of_weights(rows.model(0), panel.design)
    if not panel.declared:
        every = (contest.request.decides, *contest.request.measures)
        yield from notes_of_classes([each.name for each in every if each.lists_classes(len(panel.labels))])
    if contest.number > 1:
        more = contest.request.measures or contest.request.pass_at or contest.request.decides.per_class
        yield (
            f"There are {contest.number:,} pairs: p-values are Holm's, and all intervals of a measure"
            f"{', for one class or k at a time,' if more else ''} hold together. So do the error rates of the models, "
            "whichever is selected."
        )
    if deciding.many:
        leader = quoted(panel.models[contest.standing[0]])
        yield (
            f"That is too many to tell them one by one. These {len(contest.shown):,} are: {leader}, which errs least "
            f"often here, against each other one, and all among the {MOST_AMONG} that do. Every pair has its part in "
            'the verdict, the p-values, the intervals and the tiers; in Python, report.views["pairs"] holds all.'
        )
        yield "Of the models of a tier none is shown to beat another, and each is beaten by one of the tier before."


def _of_clusters(contest: Contest) -> Iterator[str]:
    """What weighs the same in which lines, unless weights say it."""
    if contest.panel.weights is not None:
        return
    about = contest.deciding.differences.about
    every = (contest.request.decides, *contest.request.measures)
    weighed = {measure.name: {question.per for question in about(0, 1, measure)} for measure in every}
    if any(pers == {"row", "cluster"} for pers in weighed.values()):
        yield (
            "Per cluster, each cluster counts once, whatever its size. Per row, every row weighs the same, which holds "
            "only as clusters grow many."
        )
    elif any("cluster" in pers for pers in weighed.values()):
        yield "Rates are means over the clusters: each counts once, whatever its size."
    if whole := [name for name, pers in weighed.items() if pers == {"row"}]:
        yield f"In {listed(whole)} every row weighs the same, however large its cluster."


def next_steps(contest: Contest) -> Iterator[str]:
    """What to do where it is not settled; of measures beside the error rate nobody knows how much would do."""
    place = _open(contest)
    if place is None or contest.verdict.outcome != "not settled" or not contest.request.decides.right_or_wrong:
        return
    first, second = spoken(contest.names_at(place))
    n, needed = int(contest.claim_at(place).n), _needed(contest, place)
    if needed is None:
        yield f"If {first} and {second} differ as little as they seem to, no test set of a sane size settles it."
    else:
        # The power of McNemar's test is counted out; how limits move is a rule of thumb.
        exact = contest.deciding.tested and not contest.request.margin
        settle = f"settle it with a chance of {round(100 * POWER)} %" if exact else "probably settle it"
        draws = "examples" if contest.panel.counted else "items" if contest.panel.clusters is None else "clusters"
        yield (
            f"If {first} and {second} differ as they seem to, about {needed:,} {draws} in all, {needed - n:,} "
            f"more, would {settle}. Adding them and looking again needs looks= (--looks), stated beforehand"
            f"{', or hf.sequential (--sequential)' if contest.panel.plain else ''}."
        )


def _open(contest: Contest) -> int | None:
    """The first pair that is not settled, of models that may be the best if there is one."""
    unsettled = contest.outcomes == CODE["not settled"]
    for places in (np.flatnonzero(unsettled & contest.among_best), np.flatnonzero(unsettled)):
        if places.size:
            return int(places[0])
    return None


def _needed(contest: Contest, place: int) -> int | None:
    """How many examples, or clusters, would probably do, were all as it was seen; more than there are."""
    claim = contest.claim_at(place)
    n, needed = int(claim.n), inf
    if contest.paired is None or not contest.deciding.tested or contest.request.margin:
        needed = needed_by_interval(claim, contest.request.margin, contest.each / 2)
    else:
        with suppress(HoldfastError):  # they differ too little, or not at all
            won, lost = int(contest.paired.won[place]), int(contest.paired.lost[place])
            needed = examples_for_power(won / n, lost / n, POWER, contest.each)[1]
    return max(ceil(needed), n + 1) if needed <= REASONABLE else None


def needed_by_interval(claim: Claim, margin: float, delta: float) -> float:
    """How many would bring a limit to where it settles something, by the law of the square root."""
    n, estimate, lower, upper = int(claim.n), float(claim.estimate or 0.0), float(claim.lower), float(claim.upper)
    ways = [(upper - estimate, margin - estimate, upper < 1.0), (estimate - lower, margin + estimate, lower > -1.0)]
    return min((extrapolated(n, slack, gap, delta, POWER) for slack, gap, inside in ways if inside), default=inf)


Require = Literal["better", "not-worse", "equivalent"]
REQUIREMENTS: tuple[Require, ...] = ("better", "not-worse", "equivalent")
WORDS: Mapping[Require, str] = {
    "better": "{first} better than {second}{inside}",
    "not-worse": "{first} not worse than {second}{inside} by {margin:g} or more",
    "equivalent": "{first} and {second} equivalent{inside} within {margin:g}",
}
FOLDS = (
    "Folds share training examples, so that nothing is proven by them, and nothing can be required: leave out require= "
    "(--fail-unless), or compare on a test set that was set apart."
)


def check_requirement(require: Any, accept: Any, margin: float) -> None:
    """Refuse what cannot be required."""
    if require is None and accept is not None:
        raise HoldfastError("accept= (--accept) says something only beside require= (--fail-unless).")
    if require is not None and require not in REQUIREMENTS:
        raise UnknownName("requirement", require, REQUIREMENTS)
    if accept is not None:
        check_accept(accept)
    if require in ("not-worse", "equivalent") and not margin:
        raise HoldfastError(
            f"{require} needs margin= (--margin), the difference that does not matter, stated before looking."
        )


class Requirement:
    r"""What is required of the first model against every other one, which the data prove, refute, or leave open.

    Notes
    -----
    All of it must hold, so that each part is tested at the full delta, on one side: where the requirement is false, a
    part of it is, and that part is called proven with a chance of at most

    .. math:: \delta

    (intersection-union). Any one contrary will do, so that the contraries share delta: of M - 1 others, and of two
    sides where both count, each is shown at

    .. math:: \delta / (M - 1), \qquad \delta / (2 (M - 1)).

    What holds only as the sample grows supports or contradicts it, which decides where that was accepted; what comes
    without proof never does.
    """

    def __init__(self, contest: Contest, require: Require, accept: Accept | None = None) -> None:
        self.contest, self.deciding, self.require, self.accept = contest, contest.deciding, require, accept
        self.delta, self.margin = contest.request.delta, contest.request.margin
        self.others = len(contest.panel.models) - 1  # the first pairs are those of the first model with each of them
        self.names = spoken(contest.panel.models)
        sides = 2 if require == "equivalent" else 1
        shared = self.others * sides
        self.contrary = float(sayable(bonferroni(self.delta, shared))) if shared > 1 else self.delta

    def decision(self) -> Decision:
        parts = [*(self._better() if self.require == "better" else self._within())]
        if len(parts) == 1:
            return parts[0]
        condition = self._words(self.names[0], f"each of {self.others:,} others")
        return together(condition, parts, delta=self.delta)

    def _words(self, first: str, second: str) -> str:
        inside = self.deciding.about.inside
        return WORDS[self.require].format(first=first, second=second, inside=inside, margin=self.margin)

    def _better(self) -> Iterator[Decision]:
        """By the p-values of the verdict, on one side each."""
        rule, guarantee = self.deciding.rule, self.deciding.test().guarantee
        better, worse = (self.deciding.p_values(side)[: self.others].tolist() for side in ("first", "second"))
        for place, (p, contrary) in enumerate(zip(better, worse, strict=True)):
            refuted = contrary <= self.contrary
            shown = contrary if refuted and p > self.delta else p
            yield self._part(place, p <= self.delta, refuted, rule, guarantee, p=shown)

    def _within(self) -> Iterator[Decision]:
        """By where the limits of the deciding method lie, one side each, as with a margin they do for the verdict."""
        deciding, margin, both = self.deciding, self.margin, self.require == "equivalent"
        rule, guarantee = deciding.bounds[0].name, deciding.firmness
        proving = [deciding.limits(self.delta, range(self.others), side) for side in ("upper", "lower")]
        refuting = [deciding.limits(self.contrary, range(self.others), side) for side in ("upper", "lower")]
        for place in range(self.others):
            (most, _), (_, least) = (self._worse(limits[place]) for limits in proving)
            (at_most, _), (_, at_least) = (self._worse(limits[place]) for limits in refuting)
            proven = most < margin and (not both or least > -margin)
            beyond = both and at_most < -margin
            refuted = at_least > margin or beyond
            shown: dict[str, Any] = {"claim": proving[0][place], "other": proving[1][place] if both else None}
            if refuted:
                shown = {"claim": refuting[0 if beyond else 1][place], "other": proving[0][place]}
            yield self._part(place, proven, refuted, rule, guarantee, **shown, **self._margins())

    def _margins(self) -> dict[str, float]:
        """Between which the difference, first minus second, is required to be."""
        margin, lower = self.margin, self.deciding.measure.better == "lower"
        if self.require == "equivalent":
            return {"at_least": -margin, "at_most": margin}
        return {"at_most": margin} if lower else {"at_least": -margin}

    def _worse(self, claim: Claim) -> tuple[float, float]:
        """The most and the least that the first model may be worse by."""
        lower, upper = float(claim.lower), float(claim.upper)
        return (upper, lower) if self.deciding.measure.better == "lower" else (-lower, -upper)

    def _part(self, place: int, proven: bool, refuted: bool, rule: str, guarantee: Guarantee, **shown: Any) -> Decision:
        answer = Answer.PROVEN if proven else Answer.REFUTED if refuted else Answer.OPEN
        return Decision(
            firmly(answer, guarantee),
            self._words(self.names[0], self.names[place + 1]),
            rule=rule,
            caution=caution(rule, guarantee, self.accept),
            accept=self.accept,
            delta=self.delta,
            **shown,
        )
