"""What models expect of their answers: probabilities, as far as proper scores need them, and margins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
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


SUM_ROUNDING = 1e-6  # by which the probabilities of an example may miss adding up to one


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Margins(Value):
    """One number per example, the true sign times the decision value: positive where the answer was right.

    A decision value of 0 stands for the negative class, so a margin of 0 is an error, but for the
    `right_at_zero` examples that are truly negative. Infinite margins are margins.

    Examples
    --------
    >>> Margins([1.5, -0.2, 0.0])
    Margins(n=3, errors=2)
    >>> Margins.of_decisions([True, False, False], [1.5, 0.2, 0.0])
    Margins(n=3, errors=1)
    """

    values: Array  # rising: the order of the examples leaves no trace
    right_at_zero: int
    dropped: int  # rows that were left out for want of a margin
    n: Integers

    def __init__(self, values: ArrayLike, right_at_zero: int = 0, dropped: int = 0) -> None:
        given = np.asarray(values)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iuf"):
            raise InvalidEvidence("Margins needs one number an example, in one column.")
        ordered = np.sort(given.astype(np.float64)) + 0.0  # -0.0 is 0.0
        if missing := int(np.isnan(ordered).sum()):
            raise InvalidEvidence(f"Margins needs a number for every example; {missing:,} are NaN.")
        zeros, right = int(np.sum(ordered == 0)), int(whole("right_at_zero", right_at_zero))
        if right > zeros:
            raise InvalidEvidence(f"Of {zeros:,} margins that are 0, {right:,} cannot be right.")
        self._set(values=ordered, right_at_zero=right, dropped=dropped, n=np.asarray(ordered.size))

    @classmethod
    def of_decisions(cls, positive: ArrayLike, decision: ArrayLike, dropped: int = 0) -> Margins:
        """From whether each example is truly positive, and its decision value."""
        truly, value = np.asarray(positive, bool), np.asarray(decision, np.float64)
        if truly.shape != value.shape:
            raise InvalidEvidence(f"There are {truly.size:,} true classes and {value.size:,} decision values.")
        return cls(np.where(truly, value, -value), int(np.sum(~truly & (value == 0))), dropped)

    @property
    def errors(self) -> int:
        return int(np.searchsorted(self.values, 0.0, side="right")) - self.right_at_zero

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256, as 64 hex digits, of the margins in any order."""
        digest = sha256(b"holdfast margins 1\n")
        digest.update(self.right_at_zero.to_bytes(8, "little"))
        digest.update(self.values.astype("<f8").tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"Margins(n={self.n}, errors={self.errors})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Posteriors(Value):
    """The probability that a model gives to each label, one row per example, and the label that it predicted.

    Examples
    --------
    >>> Posteriors([[0.9, 0.1], [0.4, 0.6]], [0, 1], ["ham", "spam"])
    Posteriors(n=2, 2 labels)
    """

    probabilities: Array  # examples down, labels across; each row adds up to one
    predicted: Integers  # places of labels
    labels: tuple[str, ...]
    n: Integers

    def __init__(self, probabilities: ArrayLike, predicted: ArrayLike, labels: tuple[str, ...] | list[str]) -> None:
        given, answers, names = np.asarray(probabilities, np.float64), whole("predicted", predicted), tuple(labels)
        if given.ndim != 2 or given.shape != (answers.size, len(names)) or np.any(answers >= len(names)):
            raise InvalidEvidence("Posteriors needs a row of probabilities and a predicted label an example.")
        total = given.sum(axis=1, keepdims=True)
        if not (np.all(given >= 0) and np.all(np.abs(total - 1.0) <= SUM_ROUNDING)):
            raise InvalidEvidence(
                "Posteriors needs probabilities: from 0 on, and adding up to 1 for each example; these do not."
            )
        self._set(probabilities=given / total, predicted=answers, labels=names, n=np.asarray(answers.size))

    def __repr__(self) -> str:
        return f"Posteriors(n={self.n}, {len(self.labels)} labels)"
