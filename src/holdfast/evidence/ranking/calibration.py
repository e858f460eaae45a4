"""Forecasts in bins: how many there are in each, what they said on average, and how often it came true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.ranking.sorted_scores import Block
from holdfast.evidence.value import Array, Integers, numbers, shown
from holdfast.numerics.arrays import UNITS, whole_sum

BINS = 10
MOST_BINS = 1_000
MOST_GRADES = 12  # that a message names
CHOSEN = ("quantiles", "grades")

Bins = int | str | Sequence[float] | Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class Reliability:
    """What forecasts in bins said and what came of it; the bins along the last axis.

    Examples
    --------
    >>> Reliability.of(Scores([0.1, 0.2, 0.7, 0.9], [False, False, True, True]), bins=2)
    Reliability(2 bins, n=4)
    """

    names: tuple[str, ...]
    positives: Integers  # in each bin
    n: Integers  # examples in each bin
    forecasts: Array  # the sum of the scores in each bin
    squares: Array  # the sum of all forecasts' squared distances from what came true
    fixed: bool = True  # whether the bins were not chosen by these very scores
    exact: bool = True  # whether the scores were read precisely, so that none can be in a neighbouring bin
    off: Array | float = 0.0  # by how much positives - forecasts of each bin may be wrong, where scores are not exact
    squares_off: float = 0.0  # by how much the squares may be wrong, likewise

    @classmethod
    def of(cls, scores: Scores, bins: Bins = BINS) -> Reliability:
        """The scores in bins: so many equally wide ones, those between edges, or the grades of a scale by name.

        "grades" makes each distinct score a bin, "quantiles" makes ten that hold about equally many.
        """
        if not scores.probabilities:
            raise InvalidEvidence(
                "Only scores in [0, 1] are probabilities; of these one cannot say how often they lie."
            )
        if isinstance(bins, Mapping):
            return _graded(scores, *_scale(bins))
        if isinstance(bins, str):
            if bins not in CHOSEN:
                raise UnknownName("way to choose bins", bins, CHOSEN)
            cells = scores.cells()
            if bins == "grades":
                return _graded(scores, tuple(_spelled(cells.values)), cells.values)
            return _between(scores, _quantiles(cells), fixed=False)
        return _between(scores, _edges(bins))

    @property
    def counts(self) -> Counts:
        return Counts(self.positives, self.n)

    @property
    def mean_forecast(self) -> Array:
        """What the forecasts of each bin said on average; NaN where there are none."""
        return np.divide(self.forecasts, self.n, out=np.full(np.shape(self.n), np.nan), where=self.n > 0)

    def __repr__(self) -> str:
        return f"Reliability({len(self.names)} bins, n={brief(np.asarray(np.sum(self.n, axis=-1)))})"


class FixedBins(NamedTuple):
    """Bins that no score has chosen: what they are called, and the edges between which each lies.

    Examples
    --------
    >>> FixedBins.of(2).names
    ('[0, 0.5)', '[0.5, 1]')
    """

    names: tuple[str, ...]
    edges: Array  # a lower end belongs to its bin, an upper one only to the last

    @classmethod
    def of(cls, bins: Bins) -> FixedBins:
        """So many equally wide ones, those between edges, or the grades of a scale by name."""
        if isinstance(bins, str):
            if bins not in CHOSEN:
                raise UnknownName("way to choose bins", bins, CHOSEN)
            raise HoldfastError(
                f"bins={bins!r} (--bins {bins}) lets the scores choose the bins, which is answered where every row is "
                "an independent draw that weighs as much as any other; give a number of bins, or their edges."
            )
        if isinstance(bins, Mapping):
            names, values = _scale(bins)
            return cls(names, np.append(values, 1.0) if values[-1] < 1.0 else np.append(values, np.inf))
        edges = _edges(bins)
        return cls(_names(edges), edges)

    def places(self, scores: Array) -> Integers:
        """The bin of each score."""
        return np.searchsorted(self.edges[1:-1], scores, side="right")


def _edges(bins: object) -> Array:
    """The ends of so many equally wide bins, or the edges given."""
    given = numbers("bins", bins)  # type: ignore[arg-type]
    if given.ndim == 0:
        if not (given == np.floor(given) and 1 <= given <= MOST_BINS):
            raise HoldfastError(f"bins must be a number from 1 to {MOST_BINS:,}, or edges; got {shown(bins)}.")
        return np.arange(int(given) + 1) / int(given)  # 3 / 10 is 0.3, three tenths are not
    if given.ndim > 1 or not 2 <= given.size <= MOST_BINS + 1 or np.any(np.diff(given) <= 0):
        raise HoldfastError(
            f"The edges of bins must be rising numbers, 2 to {MOST_BINS + 1:,} of them; got {shown(bins)}."
        )
    if given[0] > 0 or given[-1] < 1:
        raise HoldfastError(f"The edges of bins must reach from 0 to 1; got {given[0]:g} to {given[-1]:g}.")
    return given


def _quantiles(cells: Block) -> Array:
    """Edges between which lie about equally many scores; equal scores stay together."""
    upto = np.cumsum(cells.positives + cells.negatives)
    if not upto.size:
        return np.array([0.0, 1.0])
    first = np.searchsorted(upto, upto[-1] * np.arange(1, BINS) / BINS)
    inner = np.unique(cells.values[np.minimum(first + 1, upto.size - 1)])
    return np.array([0.0, *inner[(inner > 0) & (inner < 1)], 1.0])


def _between(scores: Scores, edges: Array, fixed: bool = True) -> Reliability:
    """The scores between edges; the lower end belongs to a bin, the upper only to the last."""
    inner, names = edges[1:-1], _names(edges)
    read = replace(_read(scores, names, edges[:-1]), fixed=fixed)
    if not scores.width:
        return read
    if np.diff(edges).min() < scores.width:
        raise HoldfastError(
            f"There are so many rows that scores are read in steps of {scores.width:g}; widen the bins."
        )
    # A score may be anywhere in its step: beyond an edge, or as much as a step further from what came true.
    astray = np.zeros(len(names))
    for values, positives, negatives in scores.blocks():
        before = np.searchsorted(values, inner, side="left") - 1  # the last step that begins below each edge
        torn = np.flatnonzero((before >= 0) & (values[before] + scores.width > inner))
        times = (positives + negatives)[before[torn]]
        astray[torn] += times
        astray[torn + 1] += times
    off = scores.width * (read.n + astray) + astray
    return replace(read, exact=not astray.any(), off=off, squares_off=2.0 * scores.width * float(read.n.sum()))


def _names(edges: Array) -> tuple[str, ...]:
    """What the bins between edges are called."""
    last, ends = edges.size - 2, enumerate(pairwise(_spelled(edges)))
    return tuple(f"[{low}, {high}{']' if place == last else ')'}" for place, (low, high) in ends)


def _spelled(values: Array) -> list[str]:
    """The values in a few digits, unless that would make two of them one."""
    brief_ones = [f"{value:.6g}" for value in values]
    return brief_ones if len(set(brief_ones)) == len(brief_ones) else [repr(float(value)) for value in values]


def _scale(grades: Mapping[str, float]) -> tuple[tuple[str, ...], Array]:
    """The names of the grades and what each forecasts, from the least on."""
    values = numbers("The forecasts of the grades", list(grades.values()))
    if (
        not values.size
        or values.ndim != 1
        or np.any((values < 0) | (values > 1))
        or np.unique(values).size < values.size
    ):
        raise HoldfastError(f"Each grade needs a probability of its own, from 0 to 1; got {shown(dict(grades))}.")
    order, names = np.argsort(values), list(grades)
    return tuple(str(names[place]) for place in order), values[order]


def _graded(scores: Scores, names: tuple[str, ...], values: Array) -> Reliability:
    """The scores by their own values."""
    if scores.width:
        raise HoldfastError(
            "There are too many rows to know each score by its value; give bins= (--bins) a number or edges."
        )
    if len(names) > MOST_BINS:
        raise HoldfastError(
            f"There are {len(names):,} distinct scores, too many to be grades; give bins= (--bins) a number."
        )

    for distinct, _, _ in scores.blocks():
        here = np.minimum(np.searchsorted(values, distinct), values.size - 1)
        if np.any(strange := values[here] != distinct):
            grades = ", ".join(names[:MOST_GRADES])
            raise HoldfastError(f"The score {distinct[np.argmax(strange)]:.10g} is of none of the grades {grades}.")
    return _read(scores, names, values)


def _read(scores: Scores, names: tuple[str, ...], lowest: Array) -> Reliability:
    """What is in each bin, from its lowest score to the next one's; summed in whole numbers, whatever the blocks."""
    positives, n = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    forecasts, squares = [0] * len(names), 0
    for block in scores.blocks():
        values, own, others = block
        starts = np.searchsorted(values, lowest, side="left")
        stops = np.append(starts[1:], values.size)
        both = None if block.single else own + others
        for place in np.flatnonzero(stops > starts):
            here = slice(starts[place], stops[place])
            positives[place] += np.count_nonzero(own[here]) if both is None else own[here].sum()
            n[place] += stops[place] - starts[place] if both is None else both[here].sum()
            forecasts[place] += whole_sum(values[here], None if both is None else both[here])
        if both is None:
            squares += whole_sum(np.where(own, 1.0 - values, values) ** 2)
        else:
            squares += whole_sum((1.0 - values) ** 2, own) + whole_sum(values**2, others)
    return Reliability(
        names, positives, n, np.array([total / UNITS for total in forecasts]), np.asarray(squares / UNITS)
    )


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationError(Evidence):
    """How far forecasts are from what came true, on average over all examples, the bins along the last axis.

    `gaps` are the sums over each bin of what came true minus what was forecast, as parts of n; `square` is the mean
    squared distance of each forecast from what came true.

    Examples
    --------
    >>> CalibrationError(np.array([0.1, -0.05]), np.array(0.2), np.array(50))
    CalibrationError(mean=0.15, bins=2, n=50)
    """

    gaps: Array
    square: Array
    n: Integers
    off: Array | float = 0.0  # by how much each gap may be wrong
    turned: bool = False

    @cached_property
    def _error(self) -> Array:
        return np.asarray(np.minimum(np.sum(np.abs(self.gaps), axis=-1), 1.0))

    @property
    def mean(self) -> Array:
        return 1.0 - self._error if self.turned else self._error

    @property
    def complement(self) -> Array:
        return self._error if self.turned else 1.0 - self._error

    def mirror(self) -> CalibrationError:
        return replace(self, turned=not self.turned)

    def at_most(self) -> CalibrationError:
        return replace(self, gaps=self._moved(-1.0 if self.turned else 1.0), off=0.0)

    def at_least(self) -> CalibrationError:
        return replace(self, gaps=self._moved(1.0 if self.turned else -1.0), off=0.0)

    def _moved(self, way: float) -> Array:
        return np.asarray(np.maximum(np.abs(self.gaps) + way * self.off, 0.0))

    def __repr__(self) -> str:
        return f"CalibrationError(mean={brief(self.mean)}, bins={self.gaps.shape[-1]}, n={brief(self.n)})"


@dataclass(frozen=True, eq=False, repr=False)
class ChosenBins(Evidence):
    """Counts of bins whose edges depend on the very scores that fell into them.

    Examples
    --------
    >>> ChosenBins(Counts([3, 9], [20, 20]))
    ChosenBins(mean=[0.15 0.45], n=[20 20])
    """

    counts: Counts

    @classmethod
    def joined(cls, several: Sequence[ChosenBins]) -> ChosenBins:
        return cls(Counts.joined([each.counts for each in several]))

    @property
    def n(self) -> Integers:
        return self.counts.n

    @property
    def mean(self) -> Array:
        return self.counts.mean

    @property
    def complement(self) -> Array:
        return self.counts.complement

    def mirror(self) -> ChosenBins:
        return ChosenBins(self.counts.mirror())

    def __repr__(self) -> str:
        return f"ChosenBins(mean={brief(self.mean)}, n={brief(self.n)})"
