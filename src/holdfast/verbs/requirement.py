"""Is what was required of the first model proven: that it is better than every other one, not worse, or equivalent?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from holdfast.claims import Claim, Guarantee
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.report import Answer, Decision
from holdfast.report.verdict import spoken
from holdfast.verbs.contest import Contest
from holdfast.verbs.decide import together

Require = Literal["better", "not-worse", "equivalent"]
Accept = Literal["large-n"]
REQUIREMENTS: tuple[Require, ...] = ("better", "not-worse", "equivalent")
ACCEPTED: tuple[Accept, ...] = ("large-n",)
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
    if accept is not None and accept not in ACCEPTED:
        raise UnknownName("thing to accept", accept, ACCEPTED)
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

    What holds only as the sample grows decides where that was accepted, and what comes without proof never does.
    """
    return _Requirement(contest, require, accept).decision()


class _Requirement:
    def __init__(self, contest: Contest, require: Require, accept: Accept | None) -> None:
        self.contest, self.deciding, self.require, self.accept = contest, contest.deciding, require, accept
        self.delta, self.margin = contest.asked.delta, contest.asked.margin
        self.others = len(contest.panel.models) - 1  # the first pairs are those of the first model with each of them
        sides = 2 if require == "equivalent" else 1
        shared = self.others * sides
        self.contrary = float(sayable(bonferroni(self.delta, shared))) if shared > 1 else self.delta

    def decision(self) -> Decision:
        parts = [*(self._better() if self.require == "better" else self._within())]
        if len(parts) == 1:
            return parts[0]
        first, *_ = spoken(self.contest.panel.models)
        condition = self._words(first, f"each of {self.others:,} others")
        notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
        return together(condition, parts, notes=notes, delta=self.delta)

    def _words(self, first: str, second: str) -> str:
        inside = self.deciding.about.inside
        return WORDS[self.require].format(first=first, second=second, inside=inside, margin=self.margin)

    def _better(self) -> Iterator[Decision]:
        """By the p-values of the verdict, on one side each."""
        rule, guarantee = self.deciding.rule, Guarantee(self.deciding.test()["guarantee"])
        better, worse = (self.deciding.p_values(side)[: self.others].tolist() for side in ("first", "second"))
        for place, (p, contrary) in enumerate(zip(better, worse, strict=True)):
            refuted = contrary <= self.contrary
            shown = contrary if refuted and p > self.delta else p
            yield self._part(place, p <= self.delta, refuted, rule, guarantee, p=shown)

    def _within(self) -> Iterator[Decision]:
        """By where the limits of the deciding method lie, one side each, as with a margin they do for the verdict."""
        deciding, margin, both = self.deciding, self.margin, self.require == "equivalent"
        rule, guarantee = deciding.bounds[0].name, deciding.firmness
        proving = [deciding.limits(self.delta, side) for side in ("upper", "lower")]
        refuting = [deciding.limits(self.contrary, side) for side in ("upper", "lower")]
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
        names = spoken(self.contest.panel.models)
        answer = Answer.PROVEN if proven else Answer.REFUTED if refuted else Answer.OPEN
        notes = [*self._caution(rule, guarantee)]
        if notes and not self._accepts(guarantee):
            answer = Answer.OPEN
        condition = self._words(names[0], names[place + 1])
        return Decision(answer, condition, rule=rule, notes=tuple(notes), delta=self.delta, **shown)

    def _accepts(self, guarantee: Guarantee) -> bool:
        return guarantee is Guarantee.FINITE or (guarantee is Guarantee.ASYMPTOTIC and self.accept == "large-n")

    def _caution(self, rule: str, guarantee: Guarantee) -> Iterator[str]:
        if guarantee is Guarantee.HEURISTIC:
            yield f"{rule} {guarantee.sentence}, so that it decides nothing that is required."
        elif guarantee is Guarantee.ASYMPTOTIC and self.accept is None:
            yield (
                f'{rule} {guarantee.sentence}, so that it decides what is required only where accept="large-n" '
                "(--accept large-n) says so, beforehand."
            )
        elif guarantee is Guarantee.ASYMPTOTIC:
            yield f"{rule} {guarantee.sentence}, which was accepted: the answer may be wrong more often than asked for."
