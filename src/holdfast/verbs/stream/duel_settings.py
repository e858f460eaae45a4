"""What a duel of two models is made for, and what it is given of the stream."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from holdfast.claims import check_delta
from holdfast.comparisons.bets import DifferenceSequence, PairSequence
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Losses, numbers, shown, whole
from holdfast.verbs.stream.first_look import Batch


@dataclass(frozen=True)
class Settings:
    """What a duel was made for; it cannot be changed on the way, or the promise would not hold."""

    names: tuple[str, str] = ("first", "second")
    delta: float = 0.05
    margin: float = 0.0
    low: float = 0.0
    high: float = 1.0
    losses: bool = False

    def __post_init__(self) -> None:
        if len(self.names) != 2 or not all(isinstance(name, str) and name for name in self.names):
            raise HoldfastError(f"A duel is between two models with a name each; got {shown(self.names)}.")
        if self.names[0] == self.names[1]:
            raise HoldfastError(f"A duel needs two names to tell the models apart; got {shown(self.names[0])} twice.")
        for name in ("delta", "margin", "low", "high"):
            if numbers(name, value := getattr(self, name)).ndim:
                raise HoldfastError(f"A duel takes one number for {name}; got {shown(value)}.")
        check_delta(self.delta)
        if not (self.low < self.high and np.isfinite(self.high - self.low)):
            raise HoldfastError(f"A duel needs low < high; got {self.low:g} and {self.high:g}.")
        if not self.losses and (self.low, self.high) != (0.0, 1.0):
            raise HoldfastError(
                "low and high are the range of a loss, and this duel counts right answers; for losses "
                "add losses=True (--losses LOW,HIGH)."
            )
        if not 0 <= self.margin < self.range:
            raise HoldfastError(
                f"The margin is a difference too small to matter, from 0 to below {self.range:g}, "
                f"the most there can be; got {self.margin:g}."
            )

    @property
    def range(self) -> float:
        """The most by which one model can be better on an example."""
        return self.high - self.low

    def start(self) -> PairSequence | DifferenceSequence:
        """The sequence before the first example."""
        if self.losses:
            return DifferenceSequence.start(self.delta, self.margin / self.range)
        return PairSequence(self.delta)

    def batch(self, pairs: dict[str, ArrayLike | None], counts: dict[str, ArrayLike | None]) -> Batch:
        """What was given, checked, one element a look."""
        given = {name for name, value in {**pairs, **counts}.items() if value is not None}
        if given == set(pairs):
            first, second = (self._checked(name, value) for name, value in pairs.items())
            if first.shape != second.shape:
                raise HoldfastError(
                    f"Both models need an answer to each example; got {first.size:,} of the first and "
                    f"{second.size:,} of the second."
                )
            if self.losses:
                return (first - second,)
            won, lost = (first > second).astype(np.int64), (first < second).astype(np.int64)
            return won, lost, np.ones_like(won)
        if given == set(counts) and not self.losses:
            return self._counted(*(whole(name, np.atleast_1d(value)) for name, value in counts.items()))  # type: ignore[arg-type]
        if self.losses:
            raise HoldfastError("This duel compares losses: update(first=..., second=...).")
        raise HoldfastError(
            "This duel compares right answers: update(first=..., second=...), true where each model was right, or "
            "update(won=..., lost=..., n=...). For losses make one with hf.sequential(losses=True)."
        )

    def _checked(self, name: str, value: ArrayLike | None) -> Array:
        """One number an example: losses as a part of their range, or 1 where the model was right and 0 else."""
        values = np.atleast_1d(np.asarray(value)).ravel()
        if self.losses:
            return Losses(values, self.low, self.high).values
        right = numbers(name, values)
        if wrong := right[(right != 0) & (right != 1)].tolist():
            raise HoldfastError(f"{name} must be 1 where the model was right and 0 where it was not; got {wrong[0]:g}.")
        return right

    def _counted(self, won: Array, lost: Array, n: Array) -> Batch:
        try:
            won, lost, n = np.broadcast_arrays(won, lost, n)
        except ValueError:
            raise HoldfastError(
                f"won, lost and n need one number a look each; got {won.size:,}, {lost.size:,} and {n.size:,}."
            ) from None
        if np.any(over := won + lost > n):
            place = int(np.argmax(over))
            raise HoldfastError(
                f"won and lost are different examples of the n; got {won.flat[place]:,} and {lost.flat[place]:,} of "
                f"{n.flat[place]:,}."
            )
        return won.ravel(), lost.ravel(), n.ravel()
