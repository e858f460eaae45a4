"""All pairs of several models: the evidence of each, its p-value, its interval and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from holdfast.catalog import Bound, Measure
from holdfast.claims import Assumption, Claim, Side
from holdfast.combine import bonferroni, holm_adjusted, sayable
from holdfast.comparisons import mcnemar
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Losses
from holdfast.evidence.paired import Paired
from holdfast.evidence.panel import Panel
from holdfast.invert import solve_for_delta
from holdfast.measures.rates import error_rate
from holdfast.report import Line
from holdfast.report.verdict import Verdict
from holdfast.verbs.answers import Ask
from holdfast.verbs.bound import default_method, default_methods
from holdfast.verbs.differences import differences
from holdfast.verbs.verdicts import by_interval, by_test, may_be_best, not_parted, of_many, unbeaten

Test = Literal["exact", "mid-p", "asymptotic"]
TESTS = {"exact": mcnemar.exact, "mid-p": mcnemar.mid_p, "asymptotic": mcnemar.asymptotic}
SIDES: dict[Side, mcnemar.Better] = {
    "both": "both",
    "upper": "first",
    "lower": "second",
}  # an upper limit below 0: first is better


@dataclass(frozen=True)
class Asked:
    """What is asked of a contest."""

    delta: float
    margin: float = 0.0
    test: Test = "exact"
    methods: tuple[Bound, ...] = ()
    measures: tuple[Measure, ...] = ()
    pass_at: tuple[int, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)  # parameters of measures: clip, costs, classes
    seed: int = 0


def counted(panel: Panel) -> bool:
    """Whether every example is an independent draw and every answer right or wrong: then counts are all there is."""
    return panel.clusters is None and not panel.sampled


def of_draws(panel: Panel, claim: Claim) -> Claim:
    """The claim with clusters, or questions with their samples, as what is independent."""
    if counted(panel):
        return claim
    said = (Assumption.CLUSTERS, *(each for each in claim.assumes if each is not Assumption.INDEPENDENT))
    return replace(claim, assumes=said, per="cluster")


class Contest:
    """What the examples of a panel say of each pair of its models.

    Where every example is an independent draw and every answer right or wrong, the counts of examples that tell a pair
    apart are all there is to know, and one call answers for all pairs. Elsewhere each pair has its losses.
    """

    def __init__(self, panel: Panel, asked: Asked) -> None:
        self.panel, self.asked, self.pairs = panel, asked, panel.pairs
        self.each = float(sayable(bonferroni(asked.delta, len(self.pairs)))) if len(self.pairs) > 1 else asked.delta
        self.ask = Ask(np.asarray(self.each), "both", asked.methods, {"resamples": 2000, "seed": asked.seed})
        self.paired = panel.paired() if counted(panel) else None

    def lines(self) -> Iterator[Line]:
        """The difference of each pair, in every measure that was asked for."""
        names, asked = self.panel.models, self.asked
        for (i, j), claims in zip(self.pairs, self.claims, strict=True):
            yield from (Line(claim, model=names[i], against=names[j]) for claim in claims)
            if asked.measures or asked.pass_at:
                beside = differences(self.panel, i, j, asked.measures, given=asked.stated, pass_at=asked.pass_at)
                yield from (replace(line, model=names[i], against=names[j]) for line in self.ask.answers(beside))

    @cached_property
    def claims(self) -> list[list[Claim]]:
        """Of each pair's difference of error rates: by every method that answers, the deciding one first."""
        if self.paired is None:
            self._check_fit()
            asked = (self.ask.answers(differences(self.panel, i, j, [error_rate])) for i, j in self.pairs)
            return [[line.claim for line in lines] for lines in asked]
        found = [self._by(bound, self.paired) for bound in self._bounds(self.paired)]
        return [list(claims) for claims in zip(*found, strict=True)]

    def _bounds(self, paired: Paired) -> Sequence[Bound]:
        fitting = [b for b in self.asked.methods if b.fits(paired) or (Losses in b.takes and not b.parameters)]
        if not fitting:
            self._refuse_unfit("error rates; choose paired-fisher, tango or betting")
        return fitting or default_methods(paired)

    def _check_fit(self) -> None:
        """Refuse methods that say nothing of clusters or of several samples, where nothing else is asked for."""
        if not any(bound.fits(self._losses[0]) for bound in self.asked.methods):
            self._refuse_unfit("error rates of clusters or of several samples; choose betting")

    def _refuse_unfit(self, what: str) -> None:
        if self.asked.methods and not self.asked.measures and not self.asked.pass_at:
            names = ", ".join(bound.name for bound in self.asked.methods)
            raise UnfitMethod(f"{names} cannot bound a difference of {what}.")

    def _by(self, bound: Bound, paired: Paired) -> list[Claim]:
        """One method's claim about each pair."""
        if bound.fits(paired):
            claims = bound(paired, self.each)
            return [_element(claims, place) for place in range(len(self.pairs))]
        alone = (Paired(*each).losses for each in zip(paired.won, paired.lost, paired.n, strict=True))
        return [replace(bound(losses, self.each), measure="error-rate-difference") for losses in alone]

    # ---- Tests

    def p_values(self, side: Side) -> Array:
        """Of no difference, or of "the first is no better" ("upper"), "the second is no better" ("lower")."""
        if self.paired is not None:
            return np.asarray(TESTS[self.asked.test](self.paired.won, self.paired.lost, SIDES[side]).value)
        null = np.asarray(0.5)
        return np.array([float(solve_for_delta(default_method(e), e, null, side)) for e in self._losses])

    @cached_property
    def _losses(self) -> list[Losses]:
        """The differences of each pair, where they are more than counts."""
        found = [differences(self.panel, i, j, [error_rate])[0].evidence for i, j in self.pairs]
        return [evidence for evidence in found if isinstance(evidence, Losses)]  # as all are where nothing is counted

    @property
    def rule(self) -> str:
        """The test that decides where there is no margin."""
        return f"mcnemar-{self.asked.test}" if self.paired is not None else default_method(self._losses[0]).name

    @cached_property
    def p(self) -> Array:
        return self.p_values("both")

    @cached_property
    def adjusted(self) -> Array:
        return holm_adjusted(self.p)

    # ---- Verdicts

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """Of each pair."""
        return [self._verdict(place) for place in range(len(self.pairs))]

    def _verdict(self, place: int) -> Verdict:
        (first, second), claim = (self.panel.models[i] for i in self.pairs[place]), self.claims[place][0]
        same = not self._parted(place)
        if self.asked.margin:
            found = by_interval(first, second, claim, self.asked.margin)
            unseen = same and found.outcome == "not settled"
            return not_parted(first, second, found.rule, self.asked.margin) if unseen else found
        difference = float(claim.estimate or 0.0)
        return by_test(first, second, difference, float(self.adjusted[place]), self.asked.delta, self.rule, same)

    def _parted(self, place: int) -> bool:
        """Whether any example tells the two models apart."""
        if self.paired is not None:
            return bool(self.paired.discordant[place])
        i, j = self.pairs[place]
        return bool(np.any(self.panel.wrong[i] != self.panel.wrong[j]))

    @cached_property
    def verdict(self) -> Verdict:
        """Of the pair, or of all models."""
        models, rule = self.panel.models, self.verdicts[0].rule
        return self.verdicts[0] if len(models) == 2 else of_many(models, self.best, self.verdicts, rule)

    @cached_property
    def best(self) -> list[str]:
        """The models that may be the best, by the rule that decides: the test, or with a margin the intervals."""
        if self.asked.margin:
            return unbeaten(self.panel.models, self.verdicts)
        number = len(self.panel.models)
        beaten, (i, j) = np.ones((number, number)), np.array(self.pairs).T
        beaten[i, j], beaten[j, i] = self.p_values("upper"), self.p_values("lower")
        kept = may_be_best(beaten, self.asked.delta)
        return [name for name, may in zip(self.panel.models, kept, strict=True) if may]

    # ---- What is told beside

    def details(self) -> dict[str, Any]:
        """What the report holds beside its claims."""
        together = {"simultaneous": {"delta": self.asked.delta, "each": self.each}} if len(self.pairs) > 1 else {}
        return {
            "models": list(self.panel.models),
            "verdict": self.verdict,
            "margin": self.asked.margin,
            "test": self._test(),
            "pairs": [self._told(place) for place in range(len(self.pairs))],
            "may_be_best": self.best,
            **together,
        }

    def _test(self) -> dict[str, Any]:
        """The test of no difference: its name, and how firmly it holds on whose word."""
        if self.paired is None:
            bound = default_method(self._losses[0])
            null, firmly, source = mcnemar.NULLS["both"], bound.guarantee, bound.source
        else:
            test = TESTS[self.asked.test](0, 0)
            null, firmly, source = test.null, test.guarantee, test.source
        return {"test": self.rule, "null": null, "guarantee": str(firmly), "source": str(source)}

    def _told(self, place: int) -> dict[str, Any]:
        (first, second), verdict = (self.panel.models[i] for i in self.pairs[place]), self.verdicts[place]
        told: dict[str, Any] = {"first": first, "second": second}
        if self.paired is not None:
            told |= {"won": int(self.paired.won[place]), "lost": int(self.paired.lost[place])}
        told |= {"test": self.rule, "p": float(self.p[place]), "adjusted_p": float(self.adjusted[place])}
        return {**told, "rule": verdict.rule, "outcome": verdict.outcome, "verdict": str(verdict)}


def _element(claims: Claim, place: int) -> Claim:
    """One element of a claim about many pairs."""
    return replace(
        claims,
        estimate=float(np.asarray(claims.estimate)[place]),
        lower=float(np.asarray(claims.lower)[place]),
        upper=float(np.asarray(claims.upper)[place]),
        n=int(np.asarray(claims.n)[place]),
    )
