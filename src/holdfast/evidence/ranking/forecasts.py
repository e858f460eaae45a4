"""Probabilities that were forecast, as far as proper scores need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.ranking.sorted_scores import Block
from holdfast.evidence.value import Array, Integers, Value, numbers, whole

ROUNDING = 1e-9  # by which probabilities may miss adding up to one


class Forecast(NamedTuple):
    """What some examples' forecasts were worth; the two ends are the same array unless they were read in bins."""

    least_probability: Array  # given to the true label, at least
    most_probability: Array  # given to the true label, at most
    least_square: Array  # the squared distance of all probabilities from the truth, at least
    most_square: Array  # the squared distance of all probabilities from the truth, at most
    times: Integers | None  # how many examples each row is; None where each is one

    def piece(self, here: slice) -> Forecast:
        low, high, least, most, times = self
        return Forecast(low[here], high[here], least[here], most[here], None if times is None else times[here])


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Forecasts(Value):
    r"""For each example the probability given to its true label, and the squared error of all probabilities.

    Equal rows may be given once, with how often they occur as `times`. The squared error of two classes is that of
    one probability and lies in [0, 1]; of many it is the sum over all, :math:`\sum_k (p_k - y_k)^2`, in [0, 2].

    Examples
    --------
    >>> Forecasts([0.7, 0.2], [0.14, 0.96])
    Forecasts(n=2)
    >>> Forecasts.of_scores(Scores([0.9, 0.4], [True, False]))
    Forecasts(n=2)
    """

    n: Integers
    squares_high: float
    exact: bool  # whether they were not read in bins
    blocks: Callable[[], Iterator[Forecast]]

    def __init__(
        self,
        truth_probability: ArrayLike,
        squared_error: ArrayLike,
        times: ArrayLike | None = None,
        *,
        squares_high: float = 2.0,
    ) -> None:
        given, squares = numbers("truth_probability", truth_probability), numbers("squared_error", squared_error)
        counts = np.ones(given.shape, np.int64) if times is None else whole("times", times)
        if given.ndim != 1 or squares.shape != given.shape or counts.shape != given.shape:
            raise InvalidEvidence("Forecasts needs one probability, one squared error and one count a row.")
        for what, values, most in (("probabilities", given, 1.0), ("squared errors", squares, squares_high)):
            if np.any((values < 0) | (values > most * (1 + ROUNDING))):
                raise InvalidEvidence(
                    f"Forecasts needs {what} in [0, {most:g}]; got {values.min():g} to {values.max():g}."
                )
            np.minimum(values, most, out=values)
        row = Forecast(given, given, squares, squares, None if times is None else counts)
        self._set(n=np.asarray(counts.sum()), squares_high=squares_high, exact=True, blocks=lambda: iter([row]))

    @classmethod
    def of_scores(cls, scores: Scores) -> Self:
        """Forecasts of two classes, from scores that are probabilities of the positive one."""
        if not scores.probabilities:
            raise InvalidEvidence("Only scores in [0, 1] are probabilities; these are not, and forecast nothing.")
        return cls._checked(
            n=scores.n,
            squares_high=1.0,
            exact=not scores.width,
            blocks=lambda: (_forecast(block, scores.width) for block in scores.blocks()),
        )

    def __repr__(self) -> str:
        return f"Forecasts(n={self.n})"


def _forecast(block: Block, width: float) -> Forecast:
    """The examples of the class, then the others; in one where no two share a score."""
    values, positives, negatives = block
    rest = 1.0 - values
    if block.single:
        square = np.where(positives, rest, values) ** 2
        truth = np.where(positives, values, rest)
        return Forecast(truth, truth, square, square, None)
    own, others = np.flatnonzero(positives), np.flatnonzero(negatives)
    times = np.concatenate((positives[own], negatives[others]))
    if not width:
        square = np.concatenate((rest[own], values[others])) ** 2
        truth = np.concatenate((values[own], rest[others]))
        return Forecast(truth, truth, square, square, times)
    upper = np.minimum(values + width, 1.0)
    low = np.concatenate((values[own], 1.0 - upper[others]))
    high = np.concatenate((upper[own], rest[others]))
    return Forecast(low, high, (1.0 - high) ** 2, (1.0 - low) ** 2, times)
