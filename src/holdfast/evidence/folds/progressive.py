"""A sequence of models, each tested on the examples that came after those it was trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import ROUNDING, Evidence, Need, brief
from holdfast.evidence.scale import Scale
from holdfast.evidence.value import Array, Integers, numbers, shown, whole


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Progressive(Evidence):
    """The mean loss over all examples tested on, each by the model of its moment, and how many those are.

    `low` and `high` are the range that a loss has by its nature. `stratified` and `by_prediction` are those of the
    evidence of folds: whether the order of the examples was made by looking at the labels, and whether how many are
    counted depends on what the models said.

    Examples
    --------
    >>> Progressive(0.12, 500)
    Progressive(mean=0.12, n=500)
    """

    n: Integers
    mean: Array
    complement: Array
    scale: Scale
    stratified: bool
    by_prediction: bool

    def __init__(
        self,
        mean: ArrayLike,
        n: ArrayLike,
        low: float = 0.0,
        high: float = 1.0,
        *,
        stratified: bool = False,
        by_prediction: bool = False,
    ) -> None:
        raw, size = numbers("The mean", mean), whole("n, the number of examples,", n)
        scale = Scale(float(low), float(high))
        reach = ROUNDING * scale.width
        if not low < high or np.any((raw < low - reach) | (raw > high + reach)):
            raise InvalidEvidence(f"Progressive needs low < high and a mean between them; got {shown(mean)}.")
        if np.broadcast_shapes(raw.shape, size.shape) != raw.shape:
            raise InvalidEvidence(f"Progressive needs one mean for each n; got {raw.shape} and {size.shape}.")
        self._set(
            n=np.broadcast_to(size, raw.shape),
            mean=np.clip(scale.share(raw), 0.0, 1.0),
            complement=np.clip(scale.room(raw), 0.0, 1.0),
            scale=scale,
            stratified=stratified,
            by_prediction=by_prediction,
        )

    @classmethod
    def from_counts(cls, k: ArrayLike, n: ArrayLike, *, stratified: bool = False, by_prediction: bool = False) -> Self:
        """From k events in n trials of each block, the blocks along the last axis."""
        events, trials = np.broadcast_arrays(whole("k, the number of events,", k), whole("n, that of trials,", n))
        total, size = events.sum(axis=-1), trials.sum(axis=-1)
        share = total / np.maximum(size, 1)
        return cls(share, size, stratified=stratified, by_prediction=by_prediction)

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | ({Need.FIXED_FOLDS} if not (self.stratified or self.by_prediction) else set())

    def mirror(self) -> Self:
        return self._with(mean=self.complement, complement=self.mean)

    def __repr__(self) -> str:
        return f"Progressive(mean={brief(self.estimate)}, n={brief(self.n)})"
