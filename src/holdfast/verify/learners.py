"""Learners whose true risk is known, on many drawn data sets at once: stable, unstable and treacherous ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from holdfast.catalog import Bound
from holdfast.claims import Coverage, Side
from holdfast.evidence import Array, Evidence
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.sample import FoldCounts, Progressive
from holdfast.evidence.folds.values import FoldValues, RepeatedValues
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.verify.simulated import outcome

GAP = 0.5  # between a class and the middle, in standard deviations
RARE = 0.3  # share of the rarer class


class Fitted(NamedTuple):
    """What came of training, a row a data set: which examples the model gets wrong, and its true risk."""

    wrong: NDArray[np.bool_]
    risk: Array


class Learner(ABC):
    """Data sets of n examples, and what the learner makes of a part of them."""

    @abstractmethod
    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        """Train on the examples so marked, of every data set."""


class NearestMean(Learner):
    """Cuts halfway between the means of two normal classes: hardly changed by any one example."""

    def __init__(self, generator: np.random.Generator, number: int, n: int) -> None:
        self.first = generator.random((number, n)) < 0.5
        self.x = np.where(self.first, GAP, -GAP) + generator.normal(size=(number, n))

    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        sums, sizes = self.x[:, train], self.first[:, train]
        means = [
            np.sum(sums, axis=1, where=own) / np.maximum(np.count_nonzero(own, axis=1), 1) for own in (sizes, ~sizes)
        ]
        cut, upward = (means[0] + means[1]) / 2, means[0] > means[1]
        wrong = ((self.x > cut[:, np.newaxis]) == upward[:, np.newaxis]) != self.first
        risk = (ndtr(cut - GAP) + ndtr(-cut - GAP)) / 2
        return Fitted(wrong, np.where(upward, risk, 1 - risk))


class NearestNeighbour(Learner):
    """Says what its nearest neighbour on a circle is, though places tell nothing: remembers everything."""

    def __init__(self, generator: np.random.Generator, number: int, n: int) -> None:
        self.x = np.sort(generator.random((number, n)), axis=1)
        self.rare = generator.random((number, n)) < RARE
        self.place = generator.permuted(np.tile(np.arange(n), (number, 1)), axis=1)  # of each in the data set

    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        kept, (rows, n) = train[self.place], self.x.shape
        three = np.concatenate([self.x - 1, self.x, self.x + 1], axis=1)  # around the circle
        known, labels = np.tile(kept, 3), np.tile(self.rare, 3)
        places = np.arange(3 * n)
        before = np.maximum.accumulate(np.where(known, places, 0), axis=1)[:, n : 2 * n]
        after = np.minimum.accumulate(np.where(known, places, 3 * n - 1)[:, ::-1], axis=1)[:, ::-1]
        row = np.arange(rows)[:, np.newaxis]
        left, right = three[row, before], three[row, after[:, n : 2 * n]]
        near = np.where(self.x - left <= right - self.x, labels[row, before], labels[row, after[:, n : 2 * n]])
        following = after[:, n + 1 : 2 * n + 1]
        # Halfway to the next one on either side reaches what an example decides.
        reach = np.where(kept, three[row, following] - self.x, 0.0)
        decided = np.sum(reach * self.rare + reach * labels[row, following], axis=1) / 2
        wrong = np.empty_like(near)
        wrong[row, self.place] = near != self.rare
        return Fitted(wrong, RARE * (1 - decided) + (1 - RARE) * decided)


class Majority(Learner):
    """Says the more frequent of two equally frequent classes: what a fold has more of, its training part lacks."""

    def __init__(self, generator: np.random.Generator, number: int, n: int) -> None:
        self.first = generator.random((number, n)) < 0.5

    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        more = 2 * np.count_nonzero(self.first[:, train], axis=1) > np.count_nonzero(train)
        return Fitted(self.first != more[:, np.newaxis], np.full(len(more), 0.5))


class Parity(Learner):
    """Says always the same, by whether the rarer class was seen an odd number of times: every example changes all."""

    def __init__(self, generator: np.random.Generator, number: int, n: int) -> None:
        self.rare = generator.random((number, n)) < RARE

    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        odd = np.count_nonzero(self.rare[:, train], axis=1) % 2 == 1
        return Fitted(self.rare != odd[:, np.newaxis], np.where(odd, 1 - RARE, RARE))


class Turncoat(Learner):
    """Gives one model unless a fold that it is trained on has so few of its errors that this fold's limit would fail.

    Then it gives a model that is always wrong. So where one fold has few errors, that fold alone has the first model.
    With `turned` everything is the other way round, and lower limits are at stake.
    """

    def __init__(
        self, generator: np.random.Generator, number: int, n: int, folds: int, errors: int, level: float, turned: bool
    ) -> None:
        size, self.errors, self.turned = n // folds, errors, turned
        self.blocks = np.arange(n) * folds // n
        self.rate = float(binomial_tail_inverse(errors, size, level).limit) * (1 + 1e-9)
        self.wrong = generator.random((number, n)) < self.rate
        self.counts = np.stack([self.wrong[:, self.blocks == block].sum(axis=1) for block in range(folds)], axis=1)

    def fit(self, train: NDArray[np.bool_]) -> Fitted:
        seen = np.array([train[self.blocks == block].all() for block in range(self.counts.shape[1])])
        few = np.any((self.counts <= self.errors) & seen, axis=1)
        wrong, risk = self.wrong | few[:, np.newaxis], np.where(few, 1.0, self.rate)
        return Fitted(~wrong, 1 - risk) if self.turned else Fitted(wrong, risk)


Maker = Callable[[np.random.Generator, int, int, int, float, Side], Learner]


def _plain(kind: Callable[[np.random.Generator, int, int], Learner]) -> Maker:
    return lambda generator, number, n, folds, delta, side: kind(generator, number, n)


def _turncoat(share: float, turned: bool) -> Maker:
    def make(generator: np.random.Generator, number: int, n: int, folds: int, delta: float, side: Side) -> Learner:
        level = delta / 2 if side == "both" else delta
        return Turncoat(generator, number, n, folds, int(share * (n // folds)), level, turned)

    return make


LEARNERS: dict[str, Maker] = {
    "nearest mean": _plain(NearestMean),
    "nearest neighbour": _plain(NearestNeighbour),
    "majority": _plain(Majority),
    "parity": _plain(Parity),
    "turncoat": _turncoat(0.0, turned=False),
    "turncoat with many errors": _turncoat(0.4, turned=False),
    "turncoat turned over": _turncoat(0.2, turned=True),
}


FOLDS = 10
REPEATS = 3  # of a repeated cross-validation
NESTED_FOLDS, NESTED_REPEATS = 5, 4

Trial = Callable[[Learner, int, int], tuple[Evidence, Array]]  # from learner, n and folds to evidence and the truth


def crossed_coverages(
    bounds: Sequence[Bound],
    n: int,
    delta: float,
    side: Side,
    repeats: int,
    seed: int,
    learners: Sequence[str] = tuple(LEARNERS),
    folds: int = FOLDS,
) -> Iterator[Coverage]:
    """How often each method covers what it aims at, for every learner; those that aim at the same share the trials."""
    folds = max(min(folds, n // 2), 3)
    n = max(n, folds) // folds * folds
    for name in learners:
        generator = np.random.default_rng([seed, list(LEARNERS).index(name)])
        learner = LEARNERS[name](generator, repeats, n, folds, delta, side)
        tried: dict[Trial, tuple[Evidence, Array]] = {}
        for bound in bounds:
            target, trial = aim(bound)
            evidence, truth = tried[trial] = tried.get(trial) or trial(learner, n, folds)
            claim = bound(evidence, delta, side)
            missed = int(np.sum((claim.lower > truth) | (claim.upper < truth)))
            yield outcome(bound, n, delta, side, float(np.mean(truth)), f"{target}, {name}", missed, repeats)


def aim(bound: Bound) -> tuple[str, Trial]:
    """What the method speaks about, and how that is tried."""
    return next(found for kind, found in TRIALS.items() if issubclass(kind, bound.takes))


def needs_folds(bound: Bound) -> bool:
    """Whether it takes what one learner did on the folds of a cross-validation."""
    return any(issubclass(kind, bound.takes) for kind in TRIALS)


def average(learner: Learner, n: int, folds: int) -> tuple[FoldCounts, Array]:
    """Of one cross-validation, and the average risk of its models."""
    counts, risks = _cross_validated(learner, np.arange(n) * folds // n)
    return FoldCounts(counts, n // folds), risks.mean(axis=-1)


def sequence(learner: Learner, n: int, folds: int) -> tuple[Progressive, Array]:
    """Of models that were each trained on all blocks before the one they are tested on, and their average risk."""
    blocks = np.arange(n) * folds // n
    fitted = [learner.fit(blocks < block) for block in range(1, folds)]
    counts = [each.wrong[:, blocks == block + 1].sum(axis=1) for block, each in enumerate(fitted)]
    risks = np.stack([each.risk for each in fitted], axis=-1)
    return Progressive.from_counts(np.stack(counts, axis=-1), n // folds), risks.mean(axis=-1)


def algorithm(learner: Learner, n: int, folds: int, repeats: int = 1) -> tuple[FoldValues, Array]:
    """The same results as values, and the average risk over all data sets."""
    generator, values, risks = np.random.default_rng(folds), [], []
    for repeat in range(repeats):
        place = np.arange(n) * folds // n
        counts, risk = _cross_validated(learner, place if repeat == 0 else generator.permutation(place))
        values.append(counts * folds / n)
        risks.append(risk)
    kind = FoldValues if repeats == 1 else RepeatedValues
    return kind(np.stack(values, axis=-2)), np.asarray(np.mean(risks))


def repeated(learner: Learner, n: int, folds: int) -> tuple[FoldValues, Array]:
    return algorithm(learner, n, folds, REPEATS)


def refitted(learner: Learner, n: int, folds: int) -> tuple[Nested, Array]:
    """Of a nested cross-validation, and the risk of the model trained on all examples."""
    folds, generator = NESTED_FOLDS, np.random.default_rng(folds)
    outer, pairs, sizes = [], [], []
    for repeat in range(NESTED_REPEATS):
        blocks = np.arange(n) * folds // n
        place = blocks if repeat == 0 else generator.permutation(blocks)
        outer.append(_cross_validated(learner, place)[0])
        both = [
            learner.fit((place != j) & (place != k)).wrong @ np.stack([place == j, place == k], axis=1).astype(np.int64)
            for j, k in zip(*np.triu_indices(folds, 1), strict=True)
        ]
        pairs.append(np.stack(both, axis=-2))
        sizes.append(np.bincount(place))
    evidence = Nested.from_pairs(np.stack(outer, axis=-2), np.stack(pairs, axis=-3), np.stack(sizes))
    return evidence, learner.fit(np.ones(n, bool)).risk


def _cross_validated(learner: Learner, place: Array) -> tuple[Array, Array]:
    """Errors of each fold's model on its fold, and its risk: a row a data set, a column a fold."""
    counts, risks = [], []
    for fold in range(int(place.max()) + 1):
        fitted = learner.fit(place != fold)
        counts.append(fitted.wrong[:, place == fold].sum(axis=1))
        risks.append(fitted.risk)
    return np.stack(counts, axis=-1), np.stack(risks, axis=-1)


TRIALS: dict[type[Evidence], tuple[str, Trial]] = {
    FoldCounts: ("fold-average", average),
    Progressive: ("sequence", sequence),
    FoldValues: ("algorithm", algorithm),
    RepeatedValues: ("algorithm", repeated),
    Nested: ("refit", refitted),
}
