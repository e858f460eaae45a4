"""Two models on the same examples, by the examples that only one of them got right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.losses import Losses
from holdfast.evidence.value import Array, Differences, Integers, Scale, whole
from holdfast.numerics.arrays import PARTS, whole_sums


def share_of(gap: Array) -> Array:
    """A difference in [-1, 1] on the scale [0, 1]; that of its opposite is one minus it, to the last bit."""
    return Differences().share(gap)


class LossDifferences(Losses):
    """The loss of the first model minus that of the second on each example; none is larger than `most` either way.

    Swapping the models turns every sign, and whatever is said of their mean is mirrored to the last bit.

    Examples
    --------
    >>> gaps = LossDifferences([0.25, -0.5, 0.0, 0.0])
    >>> print(gaps.units(gaps.mean), gaps.units(gaps.complement))
    -0.0625 0.0625
    """

    def __init__(self, values: ArrayLike, most: float = 1.0) -> None:
        super().__init__(values, -most, most)
        raw = np.asarray(values, np.float64)
        self._set(scale=Differences.of(most), _mirrored=(most - raw) / (2.0 * most))

    @cached_property
    def _gap(self) -> Array:
        """The mean, as a part of the largest difference; neither order nor sign change a digit."""
        above, below = whole_sums(self.values), whole_sums(self._from_the_other_end)
        units = (above[0] - below[0]) * PARTS + (above[1] - below[1])
        return np.asarray(units / (np.maximum(self.n, 1) * PARTS**2))

    @cached_property
    def mean(self) -> Array:
        return np.where(self.n > 0, share_of(self._gap), 0.0)

    @cached_property
    def complement(self) -> Array:
        return np.where(self.n > 0, share_of(-self._gap), 0.0)

    @cached_property
    def s2(self) -> Array:
        off = (self.values - self._from_the_other_end - self._gap[..., np.newaxis]) / 2.0
        leading, rest = whole_sums(off * off)
        return np.asarray((leading * PARTS + rest) / (np.maximum(self.n, 1) * PARTS**2))

    @property
    def estimate(self) -> Array:
        return np.asarray(self.high * self._gap)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Paired(Evidence):
    """Of n examples, those that the first of two models alone got right (won), and the second alone (lost).

    What is asked for is the error rate of the first minus that of the second, (lost - won) / n: below 0 the first is
    better. On the scale [0, 1] it is half of one plus that. All examples on which both are right, or both wrong,
    count alike.

    Examples
    --------
    >>> duel = Paired(won=6, lost=16, n=161)
    >>> print(round(float(duel.estimate), 4))
    0.0621
    >>> duel.mirror()
    Paired(won=16, lost=6, n=161)
    """

    won: Integers
    lost: Integers
    n: Integers
    scale = Scale(-1.0, 1.0)

    def __init__(self, won: ArrayLike, lost: ArrayLike, n: ArrayLike) -> None:
        given = (
            whole("won, the examples the first model alone got right,", won),
            whole("lost, the examples the second model alone got right,", lost),
            whole("n, the number of examples,", n),
        )
        try:
            first, second, size = (np.array(each) for each in np.broadcast_arrays(*given))
        except ValueError:
            shapes = ", ".join(str(each.shape) for each in given)
            raise InvalidEvidence(f"Paired needs won, lost and n of matching shapes; got {shapes}.") from None
        if np.any(first > size - second):
            worst = np.argmax(first > size - second)
            raise InvalidEvidence(
                f"Paired needs won + lost <= n; got won = {first.flat[worst]} and lost = {second.flat[worst]} "
                f"of n = {size.flat[worst]} examples. Count all examples in n, also those both models agree on."
            )
        self._set(won=first, lost=second, n=size)

    @classmethod
    def joined(cls, several: Sequence[Paired]) -> Self:
        """All of them in one, in a row."""
        names = ("won", "lost", "n")
        return cls._checked(
            **{name: np.concatenate([np.atleast_1d(getattr(each, name)) for each in several]) for name in names}
        )

    def at(self, places: Integers | Sequence[int]) -> Paired:
        """The pairs at these places of a row of them."""
        where = np.asarray(places, np.intp)
        return Paired._checked(won=self.won[where], lost=self.lost[where], n=self.n[where])

    def distinct(self) -> tuple[Paired, Integers]:
        """Each pair of counts once, and of every pair its place among these: many models share few counts."""
        counts = np.stack([self.won, self.lost, self.n])
        (won, lost, n), places = np.unique(counts, axis=1, return_inverse=True)
        return Paired._checked(won=won, lost=lost, n=n), places.reshape(-1)

    def both_ends(self) -> Paired:
        won, lost = np.stack([self.won, self.lost]), np.stack([self.lost, self.won])
        return Paired._checked(won=won, lost=lost, n=np.stack([self.n, self.n]))

    @property
    def discordant(self) -> Integers:
        """The examples that exactly one of the two got right."""
        return np.asarray(self.won + self.lost)

    @property
    def estimate(self) -> Array:
        return np.divide(self.lost - self.won, self.n, out=np.zeros(self.n.shape), where=self.n > 0)

    @property
    def mean(self) -> Array:
        # One minus the larger of mean and complement is exact: swapping the models swaps the two to the last bit.
        larger = (1.0 + np.abs(self.estimate)) / 2
        return np.where(self.lost >= self.won, larger, 1.0 - larger)

    @property
    def complement(self) -> Array:
        return np.asarray(1.0 - self.mean)

    def mirror(self) -> Paired:
        return Paired._checked(won=self.lost, lost=self.won, n=self.n)

    @property
    def losses(self) -> LossDifferences:
        """One loss an example, of the first model minus the second's: -1, 0 or 1.

        The rarer kind stands last, so that with the models swapped every sign turns where it stands.
        """
        if self.n.ndim:
            raise InvalidEvidence(f"The losses of one pair at a time can be written out; these are {self.n.shape}.")
        won, lost = int(self.won), int(self.lost)
        sign = 1.0 if lost > won else -1.0
        return LossDifferences(
            np.repeat([0.0, sign, -sign], [int(self.n) - won - lost, max(won, lost), min(won, lost)])
        )

    def __repr__(self) -> str:
        return f"Paired(won={brief(self.won)}, lost={brief(self.lost)}, n={brief(self.n)})"
