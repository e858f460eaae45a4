"""What examples that a model has already seen tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, Need, brief
from holdfast.evidence.losses import Losses
from holdfast.evidence.value import Array, Integers, Scale, matched, numbers, shown, whole


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
