"""Is what was required of the first model proven: that it is better than every other one, not worse, or equivalent?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from holdfast.claims import Claim, Guarantee
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.report import Answer, Decision
from holdfast.report.decision import Accept
from holdfast.report.verdict import spoken
from holdfast.verbs.compare.pairs import Contest
from holdfast.verbs.gate.decide import caution, check_accept, firmly, together

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
    check_accept(accept)
    if require in ("not-worse", "equivalent") and not margin:
        raise HoldfastError(
            f"{require} needs margin= (--margin), the difference that does not matter, stated before looking."
        )


def required(contest: Contest, require: Require, accept: Accept | None = None) -> Decision:
    r"""Whether the data prove the requirement of the first model against every other one, refute it, or neither.

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
    return _Requirement(contest, require, accept).decision()


class _Requirement:
    def __init__(self, contest: Contest, require: Require, accept: Accept | None) -> None:
        self.contest, self.deciding, self.require, self.accept = contest, contest.deciding, require, accept
        self.delta, self.margin = contest.asked.delta, contest.asked.margin
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
