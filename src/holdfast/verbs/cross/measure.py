"""What the folds of a cross-validation say of one measure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Per, Side
from holdfast.evidence import Array, Counts, Evidence, Integers, Losses
from holdfast.evidence.folds.counts import FoldCounts
from holdfast.evidence.folds.means import FoldMeans
from holdfast.evidence.folds.progressive import Progressive
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.found_labels import claimed

NUMBERS = ("estimate", "lower", "upper")


@dataclass(frozen=True, eq=False)
class OnFolds:
    """The evidence of every fold, of one class where the measure has classes: in a stack, or each by itself."""

    measure: Measure
    label: str | None
    evidence: Evidence | list[Evidence]
    assumes: tuple[Assumption, ...] = ()  # besides what the method assumes
    only: Limit | None = None  # the one limit that holds of this label, where the other does not

    @property
    def name(self) -> str:
        return self.measure.name

    @property
    def first(self) -> Evidence:
        return self.evidence[0] if isinstance(self.evidence, list) else self.evidence

    @property
    def within(self) -> tuple[float, float]:
        """The least and the most that the measure can be."""
        return float(self.first.scale.low), float(self.first.scale.high)

    @cached_property
    def values(self) -> Array:
        """The estimate of each fold, in the measure's units; NaN where a fold does not tell."""
        stack = self.evidence if isinstance(self.evidence, list) else [self.evidence]
        return np.concatenate([np.atleast_1d(np.where(each.known, each.estimate, np.nan)) for each in stack])

    def claims(self, bound: Bound, delta: Array, side: Side) -> Claim:
        """Of each fold's model, along the first axis."""
        if not isinstance(self.evidence, list):
            return claimed(bound, self.evidence, delta, side, self.only)
        found = [bound(each, delta, side) for each in self.evidence]
        numbers: dict[str, Any] = {name: np.array([getattr(c, name) for c in found], np.float64) for name in NUMBERS}
        return replace(found[0], n=np.array([claim.n for claim in found]), **numbers)

    def question(self, evidence: Evidence, per: Per) -> Question:
        """What is asked of all folds, whose evidence is now one."""
        return Question(self.measure, evidence, (self.label,), per=per, assumes=self.assumes, only=self.only)

    def merged(self, *, random: bool, overlapping: int, in_turn: bool) -> FoldCounts | FoldMeans | Progressive | None:
        """Counts, or losses, of all folds together: what the merging methods take. None of what does not merge.

        Parameters
        ----------
        random
            Whether a fold is a random sample of what the measure speaks of.
        overlapping
            How many folds may test the same example.
        in_turn
            Whether each model was trained on all that the models before it were tested on.
        """
        by_prediction = not self.measure.fixed_trials
        if type(self.evidence) is Counts:
            k, n, stratified = self.evidence.k, self.evidence.n, not random
            if in_turn and not by_prediction:
                return _in_turn(k, n, overlapping, stratified)
            return FoldCounts(k, n, repeats=overlapping, stratified=stratified, by_prediction=by_prediction)
        if not (isinstance(self.evidence, list) and all(isinstance(each, Losses) for each in self.evidence)):
            return None
        means, sizes, s2 = (np.array([getattr(e, name) for e in self.evidence]) for name in ("estimate", "n", "s2"))
        low, high = self.within
        spread = s2 * (high - low) ** 2
        return FoldMeans(
            means, sizes, low, high, s2=spread, repeats=overlapping, stratified=not random, by_prediction=by_prediction
        )


def _in_turn(k: Integers, n: Integers, repeats: int, stratified: bool) -> Progressive:
    """One sequence of models, or several on the same examples in other orders.

    An average over orders has no larger exponential moments than one of them: several say no more than the one that
    was tested least.
    """
    events, trials = (each.reshape(repeats, -1).sum(axis=-1) for each in (k, n))
    return Progressive(np.mean(events / np.maximum(trials, 1)), trials.min(), stratified=stratified)
