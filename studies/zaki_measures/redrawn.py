"""Iris again: what hangs on splits that nobody knows, over many that are drawn anew."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Scores
from holdfast.resampling import Plan, plan
from studies.runs import Run
from studies.zaki_measures.bayes import moments, posteriors, weights

Array = NDArray[Any]
SETS = 10  # runs of cross-validation in Example 22.7
SAMPLES = 50  # bootstrap samples in Example 22.8


@dataclass(frozen=True)
class Iris:
    """Its two sepal attributes, its first two principal components, and its classes."""

    attributes: Array
    species: Array

    @classmethod
    def read(cls, file: Path) -> Iris:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines))[1:]
        return cls(np.array([row[:4] for row in rows], float), np.array([row[4].removeprefix("Iris-") for row in rows]))

    @property
    def sepals(self) -> Array:
        return self.attributes[:, :2]

    @cached_property
    def components(self) -> Array:
        return components(self.attributes)

    @property
    def codes(self) -> Array:
        return np.unique(self.species, return_inverse=True)[1]

    @property
    def versicolor(self) -> Array:
        """The two classes of Example 22.3."""
        return np.where(self.species == "versicolor", "versicolor", "other")


def components(attributes: Array) -> Array:
    """The first two principal components, turned as in Example 22.3: versicolor is on the left and below."""
    centred = attributes - attributes.mean(axis=0)
    scores = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    return scores * -np.sign(scores[50:100].mean(axis=0))  # the second fifty are versicolor


class Redrawn:
    """All that was computed on splits drawn anew; each piece is kept, so that an interrupted run goes on."""

    def __init__(self, run: Run, iris: Iris) -> None:
        self.run, self.iris = run, iris
        self.times = 60 if run.fast else 2000  # five splits each
        self.runs = 10 if run.fast else 400  # of fifty bootstrap samples

    @cached_property
    def parted(self) -> Plan:
        """Test sets with ten points of each class, as in Tables 22.1 and 22.3."""
        return plan("stratified", self.iris.species, folds=5, repeats=self.times, seed=self.run.seed)

    @cached_property
    def folded(self) -> Plan:
        """Five folds dealt at random, as in Algorithm 22.2."""
        return plan("kfold", self.iris.species, folds=5, repeats=self.times, seed=self.run.seed)

    @cached_property
    def sampled(self) -> Plan:
        return plan("bootstrap-all", self.iris.species, rounds=self.runs * SAMPLES, seed=self.run.seed)

    @cached_property
    def right(self) -> Array:
        """Examples 22.1 and 22.2: of each split the points of each class that full Bayes gets right."""
        return self._kept("iris classified", self._right)

    def _right(self) -> Array:
        trains, tests = weights(self.parted)
        hit = (self._said(self.iris.sepals, trains, naive=False) == self.iris.codes) & tests
        return np.stack([(hit & (self.iris.codes == code)).sum(axis=1) for code in range(3)], axis=1)

    @cached_property
    def binary(self) -> dict[str, Array]:
        """Examples 22.3 and 22.4: of each split TP and FP, and the area under the curve, of either classifier."""
        found = self._kept("versicolor against the others", lambda: np.stack([self._binary(n) for n in (True, False)]))
        return dict(zip(("naive", "full"), found, strict=True))

    def _binary(self, naive: bool) -> Array:
        trains, tests = weights(self.parted)
        truth = self.iris.versicolor == "versicolor"
        said = posteriors(self.iris.components, truth.astype(int), trains, naive)
        lead = said[..., 1] - said[..., 0]
        areas = [float(Scores(each[test], truth[test]).mean) for each, test in zip(lead, tests, strict=True)]
        called = (lead > 0) & tests
        return np.stack([(called & truth).sum(axis=1), (called & ~truth).sum(axis=1), areas], axis=1)

    @cached_property
    def estimates(self) -> dict[tuple[str, str, int], Array]:
        """Example 22.3: mean and variance of either class and component, of each training set."""
        return self.estimated(self.iris.components)

    def estimated(self, points: Array) -> dict[tuple[str, str, int], Array]:
        trains, _ = weights(self.parted)
        found = {}
        for kind in ("versicolor", "other"):
            _, mean, spread = moments(points, trains * (self.iris.versicolor == kind))
            for component in (0, 1):
                found["mean", kind, component] = mean[:, component]
                found["variance", kind, component] = spread[:, component, component]
        return found

    @cached_property
    def folds(self) -> dict[str, Array]:
        """Examples 22.7 and 22.11: error rates of both classifiers, a row a run of five folds."""
        found = self._kept("five folds", lambda: np.stack([self._folds(naive) for naive in (True, False)]))
        return dict(zip(("naive", "full"), found, strict=True))

    def _folds(self, naive: bool) -> Array:
        trains, tests = weights(self.folded)
        wrong = (self._said(self.iris.sepals, trains, naive) != self.iris.codes) & tests
        return (wrong.sum(axis=1) / tests.sum(axis=1)).reshape(-1, 5)

    def tens(self, values: Array, number: int = 2000) -> Array:
        """Means over ten runs, drawn from all runs without putting back: what Example 22.7 has one of."""
        draw = np.random.default_rng([self.run.seed, 22])
        return np.array([values[draw.permutation(len(values))[:SETS]].mean() for _ in range(number)])

    @cached_property
    def bootstrapped(self) -> dict[str, Array]:
        """Example 22.8: error rates of full Bayes, a row a run of fifty samples: on all points, on those left out, and
        on thirty of all, drawn for each sample.
        """
        found = self._kept("bootstrap samples", self._bootstrapped)
        return dict(zip(("all", "left out", "thirty"), found, strict=True))

    def _bootstrapped(self) -> Array:
        trains, _ = weights(self.sampled)
        wrong = self._said(self.iris.sepals, trains, naive=False) != self.iris.codes
        out = trains == 0
        thirty = np.random.default_rng([self.run.seed, 30]).permuted(
            np.tile(np.arange(150) < 30, (len(wrong), 1)), axis=1
        )
        rates = [(wrong & some).sum(axis=1) / some.sum(axis=1) for some in (np.ones_like(out), out, thirty)]
        return np.stack(rates).reshape(3, -1, SAMPLES)

    def _said(self, points: Array, trains: Array, naive: bool) -> Array:
        """What each sample's classifier calls every point."""
        return posteriors(points, self.iris.codes, trains, naive).argmax(axis=-1)

    def _kept(self, name: str, compute: Callable[[], Array]) -> Array:
        self.run.tell(name)
        key = f"zaki_measures {name} {self.run.fast} {self.run.seed}"
        return np.array(self.run.kept(key, lambda: compute().tolist()))
