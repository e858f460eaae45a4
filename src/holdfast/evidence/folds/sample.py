"""What the models of a cross-validation did on the folds that each was trained without."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence.arrays import Array, Integers
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.need import Need


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldSample(Evidence):
    """The mean result of each fold's model on its own fold, the folds along the last axis.

    Each fold has the same weight, whatever its size: what is estimated is the average of the folds' models, which is
    the expected result of one of them drawn at random. It is not that of a model trained on all examples.

    Of a cross-validation that was repeated, the folds of all `repeats` stand in one row. `stratified` says that the
    folds were made by looking at the labels, so that a fold is no random sample of the population; what is counted
    within one class still is, and is not called stratified. `by_prediction` says that how many examples count in a
    fold depends on what the model said, as for precision.
    """

    repeats: int
    stratified: bool
    by_prediction: bool

    if TYPE_CHECKING:  # means are fields, counts compute them

        @property
        def sizes(self) -> Integers: ...  # how many examples each fold holds

        @property
        def shares(self) -> Array: ...  # the mean of each fold, on the scale [0, 1]; 0 of a fold without examples

        @property
        def rests(self) -> Array: ...  # one minus the mean of each fold; 0 of a fold without examples too

    @property
    @abstractmethod
    def variances(self) -> Array:
        """The variance within each fold, with divisor n."""

    @cached_property
    def n(self) -> Integers:
        """All examples, each counted once."""
        return np.asarray(self.sizes.sum(axis=-1) // self.repeats)

    @property
    def folds(self) -> int:
        """How many folds there are, those of all repeats together."""
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

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={brief(self.estimate)}, folds={self.folds}, n={brief(self.n)})"

    def _set_folds(self, repeats: int, stratified: bool, by_prediction: bool, **fields: Any) -> None:
        self._set(repeats=int(repeats), stratified=bool(stratified), by_prediction=bool(by_prediction), **fields)
        if self.sizes.ndim == 0 or not self.folds:
            raise InvalidEvidence(f"{type(self).__name__} needs at least one fold along the last axis.")
        if repeats < 1 or self.folds % repeats:
            raise InvalidEvidence(
                f"The {self.folds} folds cannot be those of {repeats} repeats; every repeat has as many."
            )
