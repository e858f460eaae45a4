"""What the folds of a cross-validation say of one measure, where rows are draws of their own and where they are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Per, Side
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Contingency, Counts, Evidence, Integers, Losses
from holdfast.evidence.draws import Draws, Ratio
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, Progressive
from holdfast.evidence.folds.values import FoldRatio
from holdfast.evidence.value import numbers, shown
from holdfast.predictions.coded import spelled
from holdfast.predictions.design import Design, Prevalence, Sampling, class_mix
from holdfast.report.facts.assessment import Estimator, Preparation
from holdfast.resampling.plans import count
from holdfast.training.given import Learner
from holdfast.training.preparation import Prepared
from holdfast.verbs.asking import Question
from holdfast.verbs.jointly import claimed

if TYPE_CHECKING:
    from holdfast.verbs.cross.answers import Crossed


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
        claims = [bound(each, delta, side) for each in self.evidence]
        numbers: dict[str, Any] = {name: np.array([getattr(c, name) for c in claims], np.float64) for name in NUMBERS}
        return replace(claims[0], n=np.array([claim.n for claim in claims]), **numbers)

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


DATA = ("estimator", "X", "y", "engine", "workers", "progress", "name")  # what no call of training is recorded with
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
    parameter = next((each for each in (name, f"{step}__{name}") if each in known), None)
    if parameter is None:
        inside = learner.get_params() if hasattr(learner, "get_params") else ()
        raise UnknownName(
            f"parameter of {type(learner).__name__}", name, sorted({*known, *inside}), sorted(inside or known)
        )
    return parameter


def trained(learner: Learner, ready: Prepared) -> dict[str, Any]:
    """What every report of training says of what was trained, and on what."""
    parts, changed = learner.to_dict(), ready.encoded or ready.imputed
    grid = None if parts["grid"] is None else {name: tuple(values) for name, values in parts["grid"].items()}
    return {
        "learner": str(learner),
        "estimator": Estimator(parts["name"], parts["parameters"], grid),
        "prepared": Preparation(ready.encoded, ready.imputed) if changed else None,
    }


@dataclass(frozen=True, eq=False)
class Weighing:
    """What each row counts for, and how that is known."""

    weights: Array
    design: Design  # the most that one can weigh, if that is stated; or classes that were drawn apart
    assumes: tuple[Assumption, ...] = ()  # besides what the design does

    @classmethod
    def of(
        cls, y: Any, weights: Any, max_weight: float | None, sampling: Sampling | None, prevalence: Any
    ) -> Weighing | None:
        """The weights that were given, or those that undo how many rows of each class were chosen."""
        Design(max_weight=max_weight, sampling=sampling or "random", prevalence=prevalence)  # says what is wrong
        if sampling != "by-class":
            if prevalence is not None:
                raise HoldfastError("prevalence= (--prevalence) goes with sampling='by-class' (--sampling by-class).")
            if weights is None and max_weight is not None:
                raise HoldfastError(
                    "max_weight= (--max-weight) is the most that a row can weigh: give weights= (--weight) too."
                )
            return (
                None
                if weights is None
                else cls(_checked(weights, max_weight, np.size(y)), Design(max_weight=max_weight))
            )
        if weights is not None:
            raise HoldfastError(
                "Classes that were drawn apart weigh as their prevalence says: leave out weights= (--weight)."
            )
        if prevalence is None:
            raise HoldfastError(
                "How many rows there are of each class was chosen, and rates of all rows change with how frequent the "
                "classes are: say that by prevalence= (--prevalence LABEL=SHARE), or ask for the recall of each class "
                "under scheme='stratified' (--scheme stratified)."
            )
        return cls._within(y, prevalence)

    @classmethod
    def _within(cls, y: Any, prevalence: Prevalence) -> Weighing:
        names = np.array([spelled(each) for each in np.asarray(y).tolist()], object)
        classes, place = np.unique(names, return_inverse=True)
        mix = class_mix([str(each) for each in classes], {spelled(key): share for key, share in prevalence.items()})
        share = np.array([mix[str(each)] for each in classes]) / np.bincount(place) * names.size
        return cls(share[place], Design(sampling="by-class"), (Assumption.STATED_PREVALENCE,))


def _checked(weights: Any, most: float | None, rows: int) -> Array:
    values = numbers("weights", weights)
    if values.shape != (rows,) or not np.all(np.isfinite(values) & (values >= 0)):
        raise HoldfastError(f"weights= (--weight) needs one number from 0 on for each of the {rows:,} rows.")
    if most is not None and values.max(initial=0.0) > most:
        raise HoldfastError(
            f"A row weighs {values.max():g}, more than the {most:g} that was stated as the most. That must be known "
            "beforehand; state one that no row can exceed, or none."
        )
    return values


def measured(measure: Measure) -> bool:
    """Whether it is known what a single row adds to it: a share of trials, of all classes or of one."""
    if measure.takes is not Contingency or measure.required:
        return False
    table = Contingency(np.eye(9, dtype=np.int64).reshape(-1, 3, 3), rows="predicted")
    return type(measure(table)) is Counts and measure.name != "prevalence"


@dataclass(frozen=True, eq=False)
class Added:
    """Of each answer: what it adds above and below the line, in which fold, and which draw it is of."""

    above: Array
    below: Array
    fold: Integers
    draw: Integers


def added(crossed: Crossed, measure: Measure, label: str | None, splits: Sequence[int]) -> Added:
    """What each row adds where it is tested, by the table of that row alone."""
    rows = [crossed.rows(split) for split in splits]
    tested, labels = np.concatenate(rows), crossed.labels
    codes = np.concatenate([crossed.cells(split) for split in splits])
    cells, where = np.unique(codes, return_inverse=True)
    truths = None if crossed.declared is None else np.arange(len(labels))
    table = Contingency.of_cells(
        labels, *np.divmod(cells, len(labels)), np.eye(cells.size, dtype=np.int64), truths=truths
    )
    counts = measure(table)
    assert isinstance(counts, Counts)  # see measured
    place: Any = (slice(None), table.place(label)) if label is not None else slice(None)
    weight = np.ones(tested.size) if crossed.weighing is None else crossed.weighing.weights[tested]
    above, below = (weight * np.asarray(each[place], np.float64)[where.reshape(-1)] for each in (counts.k, counts.n))
    fold = np.repeat(np.arange(len(rows)), [each.size for each in rows])
    return Added(above, below, fold, tested if crossed.groups is None else crossed.groups[tested])


def of_draws(crossed: Crossed, measure: Measure, label: str | None, splits: Sequence[int]) -> Losses | Ratio:
    """The rate of each draw that was tested on, each row once: of the average group, or of all rows."""
    each, (_, first) = added(crossed, measure, label, splits), crossed.tested(splits)
    above, below = (np.bincount(each.draw[first], part[first]) for part in (each.above, each.below))
    there = below > 0
    if crossed.per == "cluster":
        return Losses(np.sort(above[there] / below[there]))
    design, columns = crossed.design, crossed.columns
    draws = Draws(np.ones(int(there.sum())), most=_most(crossed), assumes=_assumes(crossed), caps=design.caps(columns))
    levels = () if crossed.weighing is not None else (0.0, 1.0)
    return Ratio(above[there], below[there], draws, levels=levels)


def on_folds(crossed: Crossed, measure: Measure, label: str | None, per: Per) -> tuple[FoldRatio, Integers] | None:
    """What each draw adds in each fold, and which it is; by the average group, or by rows. None if a fold has none."""
    each = added(crossed, measure, label, crossed.splits)
    number = int(each.draw.max(initial=0)) + 1
    there = each.below > 0
    entries, place = np.unique((each.fold * number + each.draw)[there], return_inverse=True)
    above: Array = np.bincount(place.reshape(-1), each.above[there])
    below: Array = np.bincount(place.reshape(-1), each.below[there])
    fold = entries // number
    if np.unique(fold).size < len(crossed.splits):
        return None
    most = np.inf if (cap := _most(crossed)) is None else cap
    if per == "cluster":
        above, below, most = above / below, np.ones(below.size), 1.0
    stratified = not crossed.random(measure.name)
    caps = () if per == "cluster" else crossed.design.caps(crossed.columns)
    ratio = FoldRatio(
        *(above, below, fold, most),
        repeats=crossed.overlapping,
        stratified=stratified,
        assumes=_assumes(crossed),
        caps=caps,
    )
    return ratio, entries % number


def _most(crossed: Crossed) -> float | None:
    return None if crossed.design.by_class else crossed.design.most(crossed.columns)


def _assumes(crossed: Crossed) -> tuple[Assumption, ...]:
    more = () if crossed.weighing is None else crossed.weighing.assumes
    return (*crossed.design.assumes(crossed.columns), *more)


def parts_of(groups: Mapping[str, Any] | None, rows: int) -> dict[str, NDArray[np.bool_]]:
    """By name, the rows of each group that is asked about: of each column by itself."""
    parts: dict[str, NDArray[np.bool_]] = {}
    if not isinstance(groups, Mapping | None):
        raise HoldfastError(f"by= takes a column of values for each name of a division; got {shown(groups)}.")
    for column, values in (groups or {}).items():
        names = np.array([spelled(each) for each in np.atleast_1d(np.asarray(values)).tolist()], object)
        if names.shape != (rows,):
            raise HoldfastError(f"by= (--by) needs one value of {column} for each of the {rows:,} rows.")
        parts |= {f"{column}={name}": names == name for name in sorted({*names.tolist()})}
    return parts
