"""What the models of a cross-validation did on the folds that each was trained without."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.given import Array, Integers, numbers, whole
from holdfast.evidence.need import Need
from holdfast.evidence.sample import Evidence


class FoldSample(Evidence):
    """The mean result of each fold's model on its own fold, the folds along the last axis.

    Each fold has the same weight, whatever its size: what is estimated is the average of the folds' models, which is
    the expected result of one of them drawn at random. It is not that of a model trained on all examples.

    Of a cross-validation that was repeated, the folds of all `repeats` stand in one row. `stratified` says that the
    folds were made by looking at the labels, so that a fold is no random sample of the population; what is counted
    within one class still is, and is not called stratified. `by_prediction` says that how many examples count in a
    fold depends on what the model said, as for precision.
    """

    n: Integers  # of all examples, each counted once
    sizes: Integers  # of the folds
    repeats: int
    stratified: bool
    by_prediction: bool

    @property
    @abstractmethod
    def shares(self) -> Array:
        """The mean of each fold, on the scale [0, 1]; 0 of a fold without examples."""

    @property
    @abstractmethod
    def rests(self) -> Array:
        """One minus that, and 0 of a fold without examples too."""

    @property
    @abstractmethod
    def variances(self) -> Array:
        """Within each fold, with divisor n."""

    @property
    def folds(self) -> int:
        """How many, those of all repeats together."""
        return int(self.sizes.shape[-1])

    @property
    def mean(self) -> Array:
        return np.asarray(self.shares.mean(axis=-1))

    @property
    def complement(self) -> Array:
        return np.asarray(self.rests.mean(axis=-1))

    @property
    def known(self) -> Array:
        return np.all(self.sizes > 0, axis=-1)

    @property
    def alike(self) -> tuple[object, ...]:
        """What several must share to be joined."""
        return type(self), self.folds, self.repeats, self.stratified, self.by_prediction

    @classmethod
    @abstractmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of them in one, in a row; they must be `alike`."""

    @property
    def offers(self) -> frozenset[Need]:
        folds = set() if self.stratified else {Need.RANDOM_FOLDS}
        fixed = set() if self.stratified or self.by_prediction else {Need.FIXED_FOLDS}
        return super().offers | {Need.S2} | folds | fixed

    def _describe(self, sizes: Integers, repeats: int, stratified: bool, by_prediction: bool) -> None:
        if sizes.ndim == 0 or not sizes.shape[-1]:
            raise InvalidEvidence(f"{type(self).__name__} needs at least one fold along the last axis.")
        if repeats < 1 or sizes.shape[-1] % repeats:
            raise InvalidEvidence(
                f"The {sizes.shape[-1]} folds cannot be those of {repeats} repeats; every repeat has as many."
            )
        self.sizes, self.n, self.repeats = sizes, np.asarray(sizes.sum(axis=-1) // repeats), int(repeats)
        self.stratified, self.by_prediction = bool(stratified), bool(by_prediction)

    @property
    def _described(self) -> dict[str, int | bool]:
        return {"repeats": self.repeats, "stratified": self.stratified, "by_prediction": self.by_prediction}


def by_fold(values: ArrayLike, fold: ArrayLike, folds: int) -> tuple[Array, Integers]:
    """The sum of each fold along a new last axis, and the sizes: `fold` has the number of each example's fold."""
    given, place = numbers("The results", values), whole("The numbers of the folds", fold)
    if place.ndim != 1 or given.shape[-1:] != place.shape or np.any(place >= folds):
        raise InvalidEvidence(
            f"Every example needs the number of its fold, from 0 to {folds - 1}; got {place.shape} for {given.shape}."
        )
    flat = given.reshape(-1, place.size)
    where = (np.arange(len(flat))[:, np.newaxis] * folds + place).ravel()
    sums = np.bincount(where, flat.ravel(), len(flat) * folds).reshape(*given.shape[:-1], folds)
    return sums, np.bincount(place, minlength=folds)
