"""Iris on two principal components, one species against the two on either side, and models trained on it anew."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from holdfast.evidence.pools.decomposition import squared
from holdfast.learners.bagging import MajorityBagging
from holdfast.learners.boosting import ResamplingAdaBoost
from studies.runs import Run
from studies.zaki_ensembles.printed import BAGGED, BOOTSTRAPS, C_GRID

POSITIVE = "Iris-versicolor"  # Example 22.3: class c_1, in between the points of the other two
QUICK = {"assume_finite": True, "skip_parameter_validation": True}
FOLDS = 5
REDRAWS = {"spreads": 200, "bagged": 200, "boosted": 1000, "crossed": 16, "effects": 30}
FEW = {"spreads": 2, "bagged": 2, "boosted": 10, "crossed": 1, "effects": 2}
ROUNDS = 150  # boosting rounds of Figure 22.9b: past the K = 110 that is printed


@dataclass(frozen=True)
class Iris:
    """150 points in the plane, of which species each is, and so on which side of the question."""

    points: np.ndarray
    species: np.ndarray

    @property
    def signs(self) -> np.ndarray:
        return np.where(self.species == POSITIVE, 1, -1)

    def part(self, rows: np.ndarray) -> Iris:
        return Iris(self.points[rows], self.species[rows])

    @classmethod
    def read(cls, file: Path) -> Iris:
        with file.open(encoding="utf-8", newline="") as lines:
            _, *rows = csv.reader(lines)
        values = np.array([[float(value) for value in row[:-1]] for row in rows])
        centred = values - values.mean(axis=0)
        axes = np.linalg.eigh(centred.T @ centred)[1][:, :-3:-1]
        axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])  # an axis has no direction of its own
        return cls(centred @ axes, np.array([row[-1] for row in rows]))


def quadratic(c: float) -> Any:
    """The homogeneous quadratic kernel, (x · z)²."""
    return SVC(kernel="poly", degree=2, gamma=1.0, coef0=0.0, C=c)


def linear() -> Any:
    return SVC(kernel="linear", C=1.0)


def best_line(iris: Iris) -> int:
    """The fewest points that any straight line gets wrong, exactly.

    A best line can be moved until it touches two points. Shifted or turned a little about a place on it, it leaves
    those that it touches before that place on one side and the rest on the other, and all others where they are.
    """
    points, positive = iris.points, iris.signs > 0
    first, second = np.array([*combinations(range(len(points)), 2)]).T
    along = points[second] - points[first]
    apart = along.any(axis=1)
    first, along = first[apart], along[apart]
    away = points[None] - points[first, None]
    side = along[:, :1] * away[..., 1] - along[:, 1:] * away[..., 0]
    on = np.abs(side) < 1e-12
    wrong = ((side > 0) != positive) & ~on
    errors = np.stack([wrong.sum(axis=1), (~wrong & ~on).sum(axis=1)], axis=1).min(axis=1)
    least = len(points)
    for line in errors.argsort(kind="stable"):
        if errors[line] >= least:  # what it touches can only add to them
            break
        place = (away[line] @ along[line])[on[line]]
        least = min(least, int(errors[line]) + _least_beside(place, positive[on[line]]))
    return least


def _least_beside(place: np.ndarray, positive: np.ndarray) -> int:
    """The fewest errors among points on a line that is cut at one place, its two parts going to either class."""
    cuts = np.append(np.unique(place), np.inf)
    wrong = ((place < cuts[:, None]) != positive).sum(axis=1)
    return int(min(wrong.min(), (len(place) - wrong).min()))


def bootstrapped(iris: Iris, estimator: Any, samples: Sequence[np.ndarray]) -> list[Any]:
    with config_context(**QUICK):
        return [clone(estimator).fit(part.points, part.signs) for part in map(iris.part, samples)]


def samples(draw: np.random.Generator, number: int, n: int) -> list[np.ndarray]:
    return [draw.integers(0, n, n) for _ in range(number)]


def spreads(iris: Iris, run: Run, redraws: int) -> list[list[list[float]]]:
    """For each redraw of ten bootstrap samples and each C: squared loss, squared bias and variance over all points."""
    found = []
    for redraw in run.steps("Figure 22.7", range(redraws)):
        drawn = samples(np.random.default_rng([run.seed, 20, redraw]), BOOTSTRAPS, len(iris.signs))
        row = []
        for c in C_GRID:
            models = bootstrapped(iris, quadratic(c), drawn)
            with config_context(**QUICK):
                answers = np.stack([model.predict(iris.points) for model in models]).astype(float)
            parts = squared(answers, iris.signs.astype(float), [-1, 1])
            row.append([float(part.mean()) for part in (parts.loss, parts.bias, parts.variance)])
        found.append(row)
    return found


def bagged(iris: Iris, run: Run, redraws: int) -> dict[str, list[list[int]]]:
    """By K, for each redraw: points that the vote gets wrong, and points at which it is tied."""
    found: dict[str, list[list[int]]] = {str(models): [] for models, _, _ in BAGGED}
    for redraw in run.steps("Example 22.13", range(redraws)):
        for models, _, _ in BAGGED:
            seed = _seed(run, 30, redraw, models)
            with config_context(**QUICK):
                fitted = MajorityBagging(quadratic(1.0), models, random_state=seed).fit(iris.points, iris.signs)
                lead = fitted.decision_function(iris.points)
            wrong, ties = int((lead * iris.signs < 0).sum()), int((lead == 0).sum())
            found[str(models)].append([wrong, ties])
    return found


def boosted(iris: Iris, run: Run, redraws: int, rounds: int = 4) -> dict[str, Any]:
    """For each redraw of four rounds: the weighted errors, and those of one, two, three and four models together."""
    epsilons, combined, seeds = [], [], []
    for redraw in run.steps("Example 22.14", range(redraws)):
        seed = _seed(run, 40, redraw)
        model = boosting(iris, seed, rounds)
        if len(model) < rounds:
            continue
        with config_context(**QUICK):
            errors = [float((each != iris.signs).mean()) for each in model.staged_predict(iris.points)]
        epsilons.append(model.estimator_errors_.tolist())
        combined.append(errors)
        seeds.append(seed)
    return {"epsilons": epsilons, "combined": combined, "seeds": seeds}


def boosting(iris: Iris, seed: int, rounds: int) -> ResamplingAdaBoost:
    with config_context(**QUICK):
        return ResamplingAdaBoost(linear(), rounds, random_state=seed).fit(iris.points, iris.signs)


def crossed(iris: Iris, run: Run, redraws: int, rounds: int = ROUNDS) -> dict[str, list[list[float]]]:
    """For each redraw of five folds: mean error on the training and on the testing parts, by number of rounds."""
    found: dict[str, list[list[float]]] = {"training": [], "testing": []}
    for redraw in run.steps("Figure 22.9b", range(redraws)):
        seed = _seed(run, 50, redraw)
        both = np.zeros((2, rounds))
        for train, test in KFold(FOLDS, shuffle=True, random_state=seed).split(iris.points):
            with config_context(**QUICK):
                stages = np.stack([*boosting(iris.part(train), seed, rounds).staged_predict(iris.points)])
            wrong = stages != iris.signs
            curves = np.stack([wrong[:, train].mean(axis=1), wrong[:, test].mean(axis=1)])
            both += np.pad(curves, ((0, 0), (0, rounds - curves.shape[1])), mode="edge") / FOLDS
        for name, curve in zip(found, both, strict=True):
            found[name].append(curve.tolist())
    return found


@dataclass(frozen=True)
class Flowers:
    """A world like Iris, from which there are always more: each species a normal cloud as seen in the sample."""

    names: np.ndarray
    means: np.ndarray
    spreads: np.ndarray

    @classmethod
    def like(cls, iris: Iris) -> Flowers:
        names = np.unique(iris.species)
        clouds = [iris.points[iris.species == name] for name in names]
        return cls(names, np.array([c.mean(axis=0) for c in clouds]), np.array([np.cov(c.T) for c in clouds]))

    def draw(self, rng: np.random.Generator, n: int) -> Iris:
        codes = rng.integers(0, len(self.names), n)
        roots = np.linalg.cholesky(self.spreads)[codes]
        return Iris(self.means[codes] + np.einsum("nij,nj->ni", roots, rng.normal(size=(n, 2))), self.names[codes])

    def expected(self, points: np.ndarray) -> np.ndarray:
        """E[y | x], of the labels ±1."""
        away = points[:, None] - self.means
        squares = np.einsum("nki,kij,nkj->nk", away, np.linalg.inv(self.spreads), away)
        density = np.exp(-squares / 2) / np.sqrt(np.linalg.det(self.spreads))
        return 2 * density[:, self.names == POSITIVE][:, 0] / density.sum(axis=1) - 1


def effects(iris: Iris, run: Run, redraws: int, models: int = 15, tests: int = 1000) -> list[list[Any]]:
    """Noise, squared bias and variance of single learners and of them bagged, on fresh training sets of 150."""
    world = Flowers.like(iris)
    rng = np.random.default_rng([run.seed, 60])
    test = world.draw(rng, tests)
    expected = world.expected(test.points)
    trainings = [world.draw(rng, len(iris.signs)) for _ in range(redraws)]
    found: list[list[Any]] = []
    for name, single in LEARNERS.items():
        for number in (1, models):
            learner = single() if number == 1 else MajorityBagging(single(), number, random_state=run.seed)
            with config_context(**QUICK):
                answers = np.stack([clone(learner).fit(t.points, t.signs).predict(test.points) for t in trainings])
            parts = squared(answers.astype(float), expected, [-1, 0, 1])  # the mean label lies between the classes
            noise, bias, variance = (
                float(np.mean(1 - expected**2)),
                float(parts.bias.mean()),
                float(parts.variance.mean()),
            )
            found.append([name, number, noise, bias, variance])
    return found


LEARNERS: dict[str, Callable[[], Any]] = {
    "machine, C = 1": partial(quadratic, 1.0),
    "tree without end": partial(DecisionTreeClassifier, random_state=0),
}


def _seed(run: Run, *place: int) -> int:
    return int(np.random.default_rng([run.seed, *place]).integers(2**31))


def kept(run: Run, name: str, data: Iris, compute: Callable[..., Any], **options: Any) -> Any:
    """What a slow piece answers, for as many redraws as the run has time for."""
    redraws = (FEW if run.fast else REDRAWS)[name]
    key = f"zaki_ensembles {name} {redraws} {options} {run.seed}"
    return run.kept(key, lambda: compute(data, run, redraws, **options))
