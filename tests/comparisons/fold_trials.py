"""Two learners that are equally good by construction, cross-validated on many drawn data sets at once.

Each looks at one of two features that tell the classes apart equally well, and cuts halfway between the means of the
classes it was trained on: over training sets neither is better, so that every rejection is false.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, RepeatedDifferences

Numbers = NDArray[np.float64]
EXAMPLES = 200
GAP = 0.5


class Trials:
    """So many data sets, and the differences of both learners under each scheme."""

    def __init__(self, number: int, seed: int, gap: float = GAP) -> None:
        self.generator = np.random.default_rng(seed)
        self.first = self.generator.random((number, EXAMPLES)) < 0.5  # which examples are of the first class
        middle = np.where(self.first, gap, -gap)[:, np.newaxis, :]
        self.features = middle + self.generator.normal(size=(number, 2, EXAMPLES))

    def resampled(self, splits: int = 30, tested: int = 60) -> FoldDifferences:
        """Random splits, as mlxtend's paired_ttest_resampled makes them by default."""
        found = [self._difference(self._ranks() < tested) for _ in range(splits)]
        return FoldDifferences(np.stack(found, axis=-1)[:, np.newaxis], EXAMPLES - tested, tested)

    def kfold(self, folds: int = 10) -> FoldDifferences:
        return FoldDifferences(self._folds(folds)[:, np.newaxis])

    def repeated(self, repeats: int = 10, folds: int = 10) -> RepeatedDifferences:
        return RepeatedDifferences(np.stack([self._folds(folds) for _ in range(repeats)], axis=1))

    def five_by_two(self) -> FiveByTwo:
        return FiveByTwo(np.stack([self._folds(2) for _ in range(5)], axis=1))

    def _folds(self, folds: int) -> Numbers:
        ranks = self._ranks()
        return np.stack([self._difference(ranks % folds == fold) for fold in range(folds)], axis=-1)

    def _ranks(self) -> NDArray[np.int64]:
        return np.argsort(self.generator.random(self.first.shape), axis=-1)

    def _difference(self, tested: NDArray[np.bool_]) -> Numbers:
        """The error rate of the first learner minus that of the second."""
        classes = np.stack([self.first & ~tested, ~self.first & ~tested])
        means = np.einsum("crn,rjn->crj", classes, self.features) / classes.sum(axis=-1)[..., np.newaxis]
        cut, upward = means.mean(axis=0)[..., np.newaxis], (means[0] > means[1])[..., np.newaxis]
        wrong = ((self.features > cut) == upward) != self.first[:, np.newaxis, :]
        rates = np.sum(wrong & tested[:, np.newaxis, :], axis=-1) / tested.sum(axis=-1)[:, np.newaxis]
        return np.asarray(rates[:, 0] - rates[:, 1])
