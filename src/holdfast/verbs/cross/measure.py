"""What the folds of a cross-validation say of one measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Per, Side
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Counts, Evidence, Integers, Losses
from holdfast.evidence.folds.progressive import Progressive
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans
from holdfast.report.facts.training import Estimator, Preparation
from holdfast.resampling.plans import count
from holdfast.training.given import Learner
from holdfast.training.preparation import Prepared
from holdfast.verbs.asking import Question
from holdfast.verbs.jointly import claimed

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


INNER = 5  # folds of the inner cross-validation, unless told


def chosen_inside(estimator: Any, grid: Mapping[str, Sequence[Any]], inner: int, seed: int) -> Any:
    """An estimator that chooses among the grid by a cross-validation of its own, and then trains on all it was given.

    That is scikit-learn's grid search: what is new is only that it stands inside each training part.
    """
    from sklearn.model_selection import GridSearchCV, KFold

    if not isinstance(grid, Mapping) or not grid:
        raise HoldfastError(f"grid= (--grid) takes the values to try by the name of each parameter; got {grid!r}.")
    tried = {}
    for name, values in grid.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not len(values):
            raise HoldfastError(f"grid= (--grid) needs a list of values for {name}; got {values!r}.")
        tried[parameter_of(estimator, name)] = list(values)
    folds = KFold(count("inner, the folds that choose,", inner, 2), shuffle=True, random_state=seed)
    return GridSearchCV(estimator, tried, cv=folds, error_score="raise")


def parameter_of(estimator: Any, name: str) -> str:
    """The parameter of that name; of a pipeline, that of its last step will do.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> parameter_of(make_pipeline(StandardScaler(), DecisionTreeClassifier()), "max_depth")
    'decisiontreeclassifier__max_depth'
    """
    known = estimator.get_params()
    step, learner = estimator.steps[-1] if hasattr(estimator, "steps") else ("", estimator)
    found = next((each for each in (name, f"{step}__{name}") if each in known), None)
    if found is None:
        inside = learner.get_params() if hasattr(learner, "get_params") else ()
        raise UnknownName(
            f"parameter of {type(learner).__name__}", name, sorted({*known, *inside}), sorted(inside or known)
        )
    return found


def trained(learner: Learner, ready: Prepared) -> dict[str, Any]:
    """What every report of training says of what was trained, and on what."""
    parts, changed = learner.to_dict(), ready.encoded or ready.imputed
    grid = None if parts["grid"] is None else {name: tuple(values) for name, values in parts["grid"].items()}
    return {
        "learner": str(learner),
        "estimator": Estimator(parts["name"], parts["parameters"], grid),
        "prepared": Preparation(ready.encoded, ready.imputed) if changed else None,
    }
