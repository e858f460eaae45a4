"""All pairs of several models: the interval, the p-value and the verdict of each, and what follows for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from holdfast.claims import Assumption, Claim
from holdfast.combine import bonferroni, holm_adjusted, sayable
from holdfast.evidence import Array
from holdfast.evidence.paired import Paired
from holdfast.evidence.panel import Panel
from holdfast.measures.clusters import pass_at_k
from holdfast.measures.rates import error_rate
from holdfast.report import Line
from holdfast.report.verdict import Verdict
from holdfast.verbs.answers import Ask, Question
from holdfast.verbs.deciding import Asked, Deciding
from holdfast.verbs.differences import RIGHT_OR_WRONG, differences
from holdfast.verbs.verdicts import by_interval, by_test, may_be_best, not_parted, of_many, unbeaten


def of_draws(panel: Panel, claim: Claim) -> Claim:
    """The claim with clusters, or questions with their samples, as what is independent."""
    if panel.counted:
        return claim
    said = (Assumption.CLUSTERS, *(each for each in claim.assumes if each is not Assumption.INDEPENDENT))
    return replace(claim, assumes=said, per="cluster")


class Contest:
    """What the examples of a panel say of each pair of its models: in one measure, which decides, and in others."""

    def __init__(self, panel: Panel, asked: Asked) -> None:
        self.panel, self.asked, self.pairs = panel, asked, panel.pairs
        self.each = float(sayable(bonferroni(asked.delta, len(self.pairs)))) if len(self.pairs) > 1 else asked.delta
        self.deciding = Deciding(panel, asked)
        if {*asked.measures} <= {error_rate} and not asked.pass_at:
            self.deciding.refuse_unfit()

    @property
    def paired(self) -> Paired | None:
        """The counts that decide, where counts do."""
        return self.deciding.paired

    def lines(self) -> Iterator[Line]:
        """The difference of each pair: in the measure that decides, and in every other one that was asked for."""
        names, label = self.panel.models, self.deciding.label
        ask = Ask(np.asarray(self.each), "both", self.asked.methods, self.deciding.options)
        for place, (i, j) in enumerate(self.pairs):
            yield from (Line(c, label=label, model=names[i], against=names[j]) for c in self.claims[place])
            if beside := self._beside(place):
                yield from (replace(line, model=names[i], against=names[j]) for line in ask.answers(beside))

    def _beside(self, place: int) -> list[Question]:
        """What is asked of a pair beside what decides: other classes or k in the same measure, and other measures."""
        asked, (i, j) = self.asked, self.pairs[place]
        others = [] if asked.decides in RIGHT_OR_WRONG else self.deciding.questions[place][1:]
        pass_at = () if asked.decides is pass_at_k else asked.pass_at
        if asked.measures or pass_at:
            others += differences(self.panel, i, j, asked.measures, given=asked.stated, pass_at=pass_at)
        return others

    @cached_property
    def claims(self) -> list[list[Claim]]:
        """Of each pair's difference in the measure that decides: by every method that answers, the deciding first."""
        return self.deciding.claims(self.each)

    @cached_property
    def p(self) -> Array:
        return self.deciding.p_values("both")

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
        deciding, margin = self.deciding, self.asked.margin
        same, about = not deciding.parted(place), deciding.about
        if margin:
            found = by_interval(first, second, claim, margin, about)
            unseen = same and found.outcome == "not settled"
            return not_parted(first, second, found.rule, margin, about) if unseen else found
        estimate = float(claim.estimate or 0.0)
        worse = estimate if about.better == "lower" else -estimate
        p, delta = float(self.adjusted[place]), self.asked.delta
        return by_test(first, second, worse, p, delta, deciding.rule, same, about)

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
        beaten[i, j], beaten[j, i] = self.deciding.p_values("first"), self.deciding.p_values("second")
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
            "test": self.deciding.test(),
            "pairs": [self._told(place) for place in range(len(self.pairs))],
            "may_be_best": self.best,
            **together,
        }

    def _told(self, place: int) -> dict[str, Any]:
        (first, second), verdict = (self.panel.models[i] for i in self.pairs[place]), self.verdicts[place]
        told: dict[str, Any] = {"first": first, "second": second}
        if self.paired is not None:
            told |= {"won": int(self.paired.won[place]), "lost": int(self.paired.lost[place])}
        told |= {"test": self.deciding.rule, "p": float(self.p[place]), "adjusted_p": float(self.adjusted[place])}
        return {**told, "rule": verdict.rule, "outcome": verdict.outcome, "verdict": str(verdict)}
