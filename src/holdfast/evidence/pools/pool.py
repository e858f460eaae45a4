"""Labelled examples beside unlabelled ones of the same kind, or beside what has seen their labels already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, Need, brief
from holdfast.evidence.losses import Losses
from holdfast.evidence.value import Array, Integers, Scale, matched, numbers, shown, whole


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Pool(Evidence):
    """Losses on the labelled examples of a pool, of which `unlabelled` more have losses that nobody has seen.

    The quantity is the mean loss on those unlabelled examples. What their inputs alone already tell may be taken out
    of every loss, labelled or not; its mean over the unlabelled ones is then the `offset`, to which the mean of what
    is left is added. `low` and `high` are limits of the mean loss that are certain. If every loss is a whole multiple
    of one over a number, as the average loss of so many models is, that number is `levels`.

    Examples
    --------
    >>> Pool(Losses([0.0, 0.5, 0.0, 1.0]), unlabelled=10, levels=2)
    Pool(n=4, unlabelled=10, mean=0.375)
    >>> print(Pool(Counts(3, 20), unlabelled=5, low=0.2).estimate)
    0.2
    """

    sample: Counts | Losses  # what is left of the labelled losses, on [0, 1]
    unlabelled: Integers
    offset: Array
    low: Array
    high: Array
    levels: int | None

    def __init__(
        self,
        sample: Counts | Losses,
        unlabelled: ArrayLike,
        *,
        offset: ArrayLike = 0.0,
        low: ArrayLike = 0.0,
        high: ArrayLike = 1.0,
        levels: int | None = None,
    ) -> None:
        if not isinstance(sample, Counts | Losses):
            raise InvalidEvidence(f"Pool needs the labelled losses as Counts or Losses; got {shown(sample)}.")
        if isinstance(sample, Losses) and not (sample.has(Need.ONE_RANGE) and (sample.low, sample.high) == (0.0, 1.0)):
            raise InvalidEvidence("Pool needs losses that lie in [0, 1]; scale them first.")
        rest = whole("unlabelled, the number of examples still to be labelled,", unlabelled)
        if np.any(rest < 1):
            raise InvalidEvidence(f"unlabelled must be at least 1 example; got {shown(unlabelled)}.")
        shift, least, most = numbers("offset", offset), numbers("low", low), numbers("high", high)
        if not (np.all(least >= 0) and np.all(least <= most) and np.all(most <= 1)):
            raise InvalidEvidence(f"Pool needs 0 <= low <= high <= 1; got {shown(low)} and {shown(high)}.")
        if levels is not None and (levels < 1 or not _multiples(sample, levels)):
            raise InvalidEvidence(f"Pool with levels={levels} needs losses that are whole multiples of 1/{levels}.")
        matched("Pool needs losses and a number of unlabelled examples", sample.mean, rest, shift, least, most)
        self._set(sample=sample, unlabelled=rest, offset=shift, low=least, high=most, levels=levels)

    @property
    def n(self) -> Integers:
        return self.sample.n

    @property
    def drawn(self) -> bool:
        return self.sample.drawn

    @property
    def values(self) -> Array:
        """What is left of each labelled loss."""
        if isinstance(self.sample, Counts):
            raise InvalidEvidence("This pool is known by its counts; this needs each loss: Pool(Losses(x), ...).")
        return self.sample.values

    @property
    def mean(self) -> Array:
        return self._beside_unlabelled(np.clip(self.sample.mean + self.offset, self.low, self.high))

    @property
    def complement(self) -> Array:
        return self._beside_unlabelled(np.clip(self.sample.complement - self.offset, 1.0 - self.high, 1.0 - self.low))

    def mirror(self) -> Self:
        low, high = 1.0 - self.high, 1.0 - self.low
        return self._with(sample=self.sample.mirror(), offset=-self.offset, low=low, high=high)

    @property
    def offers(self) -> frozenset[Need]:
        return self.sample.offers | ({Need.LEVELS} if self.levels is not None else set())

    def _beside_unlabelled(self, mean: Array) -> Array:
        return np.asarray(np.broadcast_to(mean, np.broadcast_shapes(mean.shape, self.unlabelled.shape)))

    def __repr__(self) -> str:
        return f"Pool(n={brief(self.n)}, unlabelled={brief(self.unlabelled)}, mean={brief(self.mean)})"


def _multiples(sample: Counts | Losses, levels: int) -> bool:
    if isinstance(sample, Counts):
        return True
    scaled = sample.values * levels
    return bool(np.all(np.abs(scaled - np.rint(scaled)) <= 1e-9 * levels))


@dataclass(frozen=True, eq=False, init=False, repr=False)
class GradedLosses(Evidence):
    """How many of n losses reach each of the values 1/M, 2/M ... 1 along the last axis, when there are no others but 0.

    Such is the average loss of M models, equally weighted. The mean loss is the mean of the M shares.

    Examples
    --------
    >>> GradedLosses(Counts([5, 2], 100))
    GradedLosses(n=100, levels=2, mean=0.035)
    >>> GradedLosses.of_values([0.0, 0.5, 0.5, 1.0], levels=2).reached
    Counts(k=[3 1], n=[4 4])
    """

    reached: Counts
    n: Integers

    def __init__(self, reached: Counts) -> None:
        if not isinstance(reached, Counts) or not reached.k.ndim or not reached.k.shape[-1]:
            raise InvalidEvidence(
                f"GradedLosses needs Counts with at least one level along the last axis; got {reached!r}."
            )
        if np.any(np.diff(reached.k, axis=-1) > 0) or np.any(np.diff(reached.n, axis=-1)):
            raise InvalidEvidence(f"A loss that reaches a level has reached those below it; got {reached!r}.")
        self._set(reached=reached, n=reached.n[..., 0])

    @classmethod
    def of_values(cls, values: ArrayLike, levels: int) -> Self:
        """From losses that are whole multiples of 1/levels, the examples along the last axis."""
        scaled = numbers("Losses", values) * levels
        level = np.rint(scaled).astype(np.int64)
        if not level.ndim or np.any(np.abs(scaled - level) > 1e-9 * levels) or np.any((level < 0) | (level > levels)):
            raise InvalidEvidence(f"These losses are not all whole multiples of 1/{levels}, from 0 to 1.")
        rows, size = level.reshape(prod(level.shape[:-1]), level.shape[-1]), levels + 1
        place = rows + size * np.arange(len(rows))[:, np.newaxis]
        times = np.bincount(place.reshape(-1), minlength=size * len(rows)).reshape(len(rows), size)
        reached = np.cumsum(times[:, :0:-1], axis=-1)[:, ::-1]
        return cls(Counts(reached.reshape(*level.shape[:-1], levels), level.shape[-1]))

    @property
    def mean(self) -> Array:
        return np.asarray(self.reached.mean.mean(axis=-1))

    @property
    def complement(self) -> Array:
        return np.asarray(self.reached.complement.mean(axis=-1))

    def mirror(self) -> Self:
        turned = self.reached.mirror()
        return self._with(reached=turned._checked(k=turned.k[..., ::-1], n=turned.n))

    def __repr__(self) -> str:
        return f"GradedLosses(n={brief(self.n)}, levels={self.reached.k.shape[-1]}, mean={brief(self.mean)})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Gibbs(Evidence):
    """Average losses over models, and the divergence of the weights from those that were fixed beforehand.

    They are the losses of the Gibbs classifier, which draws a model by these weights for every example. The
    divergence is Kullback-Leibler's, in nats.

    Examples
    --------
    >>> Gibbs(Losses([0.0, 0.5, 0.25, 0.25]), divergence=0.7)
    Gibbs(n=4, mean=0.25, divergence=0.7)
    """

    sample: Counts | Losses
    divergence: Array

    def __init__(self, sample: Counts | Losses, divergence: ArrayLike) -> None:
        if not isinstance(sample, Counts | Losses) or not sample.has(Need.ONE_RANGE):
            raise InvalidEvidence(f"Gibbs needs average losses with one range, as Losses; got {shown(sample)}.")
        distance = numbers("divergence", divergence)
        if np.any(distance < 0):
            raise InvalidEvidence(f"A divergence of weights is never below 0; got {shown(divergence)}.")
        matched("Gibbs needs losses and divergences", sample.mean, distance)
        self._set(sample=sample, divergence=distance)

    @property
    def n(self) -> Integers:
        return self.sample.n

    @property
    def scale(self) -> Scale:
        return self.sample.scale

    @property
    def mean(self) -> Array:
        return self._beside_divergence(self.sample.mean)

    @property
    def complement(self) -> Array:
        return self._beside_divergence(self.sample.complement)

    def mirror(self) -> Self:
        return self._with(sample=self.sample.mirror())

    @property
    def offers(self) -> frozenset[Need]:
        return self.sample.offers

    def _beside_divergence(self, mean: Array) -> Array:
        return np.asarray(np.broadcast_to(mean, np.broadcast_shapes(mean.shape, self.divergence.shape)))

    def __repr__(self) -> str:
        return f"Gibbs(n={brief(self.n)}, mean={brief(self.mean)}, divergence={brief(self.divergence)})"


FIELDS = ("k", "examples", "kept", "log_message")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Compressed(Evidence):
    """k errors of a model on the examples it was trained on, beyond those `kept`, from which it can be rebuilt.

    What the kept examples alone do not say stands in a message; `log_message` is the logarithm of the weight that
    this message was given beforehand among all those that could go with the same kept examples, none more than 1 in
    all. `examples` counts the whole training set, `n` those of it that are not kept.

    Examples
    --------
    >>> Compressed(k=3, examples=100, kept=4, log_message=-5.5)
    Compressed(k=3, examples=100, kept=4, log_message=-5.5)
    """

    k: Integers
    examples: Integers
    kept: Integers
    log_message: Array

    def __init__(self, k: ArrayLike, examples: ArrayLike, kept: ArrayLike, log_message: ArrayLike = 0.0) -> None:
        errors, size = whole("k, the number of errors,", k), whole("examples, their number,", examples)
        needed, weight = whole("kept, a number of examples,", kept), numbers("log_message", log_message)
        what = "Compressed needs k, examples, kept and log_message"
        errors, size, needed, weight = matched(what, errors, size, needed, weight, shapes=0)
        if np.any(errors > size - needed):
            worst = np.argmax(errors > size - needed)
            raise InvalidEvidence(
                f"Compressed needs k <= examples - kept; got k = {errors.flat[worst]} errors, {needed.flat[worst]} "
                f"examples kept of {size.flat[worst]}. Errors on kept examples do not count."
            )
        if np.any(weight > 0):
            raise InvalidEvidence(f"log_message is the logarithm of a weight of at most 1; got {shown(log_message)}.")
        self._set(k=errors, examples=size, kept=needed, log_message=weight)

    @cached_property
    def n(self) -> Integers:
        return np.asarray(self.examples - self.kept)

    def of(self, places: int | slice) -> Self:
        """Those at some places of the first axis."""
        return self._checked(**{name: np.asarray(getattr(self, name)[places]) for name in FIELDS})

    @property
    def mean(self) -> Array:
        return self._share(self.k)

    @property
    def complement(self) -> Array:
        return self._share(self.n - self.k)

    def mirror(self) -> Self:
        return self._with(k=np.asarray(self.n - self.k))

    def both_ends(self) -> Self:
        twice = {name: np.stack([getattr(self, name)] * 2) for name in FIELDS}
        return self._checked(**twice | {"k": np.stack([self.k, self.n - self.k])})

    def _share(self, part: Integers) -> Array:
        return np.divide(part, self.n, out=np.zeros(self.n.shape), where=self.n > 0)

    def __repr__(self) -> str:
        return f"Compressed({', '.join(f'{name}={brief(getattr(self, name))}' for name in FIELDS)})"
