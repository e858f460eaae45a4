"""Areas under the ROC curve of all rows but those of a group, for every group at once: one walk over the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.catalog import Measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Evidence, Integers, Scores
from holdfast.evidence.draws import Draws, Influence, Ratio, combined
from holdfast.evidence.draws.draws import NOTHING
from holdfast.evidence.ranking.calibration import FixedBins, Reliability
from holdfast.evidence.value import Scale
from holdfast.tally.designs.divided import Divided, Division
from holdfast.tally.designs.drawn import EVENTS, Drawn

BLOCK = 2**16  # rows at a time: what stays in the cache, for one group after the other
MOST = 2**24  # groups times draws, of which sums are kept
LEAST = 1e-300  # in place of nothing, by which nothing is divided


class Resting(NamedTuple):
    """How much of what a ranking rests on is each draw's, and in how few draws a class is seen."""

    leverage: Array
    fewest: float

    @classmethod
    def of(cls, classes: tuple[Array, ...], squares: tuple[float, ...], draws: Draws) -> Resting:
        """From what the rows of either class weigh in each draw, and by how much they vary what is estimated.

        A row carries as much of its class as it weighs, and its class as much of the whole as its part of the variance.
        """
        sizes = [max(float(np.sum(draws.times * held)), LEAST) for held in classes]
        means = [square / size for square, size in zip(squares, sizes, strict=True)]
        parts = [mean / max(sum(means), LEAST) / size for mean, size in zip(means, sizes, strict=True)]
        leverage = sum((part * held for part, held in zip(parts, classes, strict=True)), np.zeros(1))
        return cls(leverage, min(float(np.sum(draws.times[held > 0])) for held in classes))


def areas_of_others(rows: Drawn, label: str, division: Division, scale: Scale) -> list[Influence] | None:
    r"""The area of all rows but those of each group, from rows in rising order of the scores of a label.

    None where there are too many groups and draws to keep sums of.

    Notes
    -----
    With :math:`V_r` what the rows of the other class weigh that a row is rightly ranked against, equal scores counting
    half, and :math:`T_i`, :math:`p_i` and :math:`q_i` the sums over draw i of :math:`w_r V_r` and of the weights of
    either class, m and n the totals of these,

    .. math:: A = \frac{\sum_i T_i}{2 m n}, \qquad u_i = \frac{T_i}{m n} - A \Bigl(\frac{p_i}{m} + \frac{q_i}{n}\Bigr)

    which is what `area_of` tells row by row, at a tenth of the cost.
    """
    groups, number = len(division.names), rows.draws.times.size
    if groups * number > MOST or np.any(rows.draws.times != 1.0):
        return None
    positive = np.asarray(rows.truth == rows.labels.index(label))
    place = division.codes * np.int64(number) + rows.draw
    held = [np.bincount(place, rows.weight * each, groups * number) for each in (positive, ~positive)]
    own, others = (_without(each.reshape(groups, number)) for each in held)
    walk = _Walk(own.sum(axis=1), groups, number)
    small = division.codes.astype(np.min_scalar_type(groups))
    scores = rows.scores[label]
    for start, stop in _blocks(scores):
        order = start + np.argsort(~positive[start:stop], kind="stable")
        met = _Met.of(scores[order], int(np.count_nonzero(positive[start:stop])))
        walk.over(met, rows.weight[order], rows.draw[order], small[order])
    return [
        _area(walk.sums[group], (own[group], others[group]), walk.squares[group], rows.draws, scale)
        for group in range(groups)
    ]


def _without(held: Array) -> Array:
    """From what each group holds of each draw to what all others do."""
    whole = held.sum(axis=0)
    left = whole - held
    left[left <= NOTHING * whole] = 0.0
    return left


def _blocks(scores: Array) -> Iterator[tuple[int, int]]:
    """Where blocks of sorted scores start and stop; equal ones are in one."""
    start = 0
    while start < scores.size:
        stop = min(start + BLOCK, scores.size)
        stop = int(np.searchsorted(scores, scores[stop - 1], side="right"))
        yield start, stop
        start = stop


class _Met(NamedTuple):
    """Of rows of a class and then of others, each rising: how many of the others score less than each, and no more."""

    number: int  # rows of the class
    less: Integers
    no_more: Integers | None  # None where that is as many, for no row of either scores the same

    @classmethod
    def of(cls, scores: Array, number: int) -> _Met:
        own, others = scores[:number], scores[number:]
        less, no_more = (
            np.concatenate([np.searchsorted(others, own, side), np.searchsorted(own, others, side)])
            for side in ("left", "right")
        )
        return cls(number, less, None if np.array_equal(less, no_more) else no_more)

    def halfway(self, upto: Array, which: slice) -> Array:
        """What the others weigh that score less than some of the rows, and half of what those at the same score do."""
        less = upto[self.less[which]]
        return less if self.no_more is None else (less + upto[self.no_more[which]]) / 2.0


class _Walk:
    """What is added up of all rows but those of each group, from the lowest score on."""

    def __init__(self, own: Array, groups: int, draws: int) -> None:
        self.above = own.copy()  # what the rows of the class weigh that were not met yet
        self.below = np.zeros(groups)  # and those of the others that were
        self.sums = np.zeros((groups, draws))
        self.squares = np.zeros((groups, 2))

    def over(self, met: _Met, weight: Array, draw: Integers, codes: Integers) -> None:
        draws, own, others = self.sums.shape[1], slice(met.number), slice(met.number, None)
        against = np.empty(weight.size)
        for group in range(self.below.size):
            each = weight * (codes != group)
            own_upto, others_upto = (np.cumsum(np.append(0.0, each[rows])) for rows in (own, others))
            against[own] = self.below[group] + met.halfway(others_upto, own)
            against[others] = self.above[group] - met.halfway(own_upto, others)
            each *= against
            self.sums[group] += np.bincount(draw, each, draws)
            each *= against
            self.squares[group] += each[own].sum(), each[others].sum()
            self.above[group] -= own_upto[-1]
            self.below[group] += others_upto[-1]


def _area(sums: Array, classes: tuple[Array, Array], squares: Array, draws: Draws, scale: Scale) -> Influence:
    m, n = (float(held.sum()) for held in classes)
    if not (m > 0 and n > 0):
        return Influence(np.nan, np.zeros(sums.size), np.zeros(sums.size), draws, scale, fewest=0.0)
    area = float(sums.sum()) / (2.0 * m * n)
    added = sums / (m * n) - area * (classes[0] / m + classes[1] / n)
    # The variance of what rows of either class add: the mean of squares less the square of the mean.
    varied = squares[0] / (m * n) ** 2 - area**2 / m, squares[1] / (m * n) ** 2 - area**2 / n
    resting = Resting.of(classes, (max(varied[0], 0.0), max(varied[1], 0.0)), draws)
    width = float(scale.width)
    return Influence(
        float(scale.low) + width * area, width * added, resting.leverage, draws, scale, fewest=resting.fewest
    )


Readings = dict[str | None, Evidence]  # by the label that each is about


@dataclass(frozen=True)
class Others:
    """A measure of the rows of all groups but one, whichever that is, draw by draw."""

    divided: Divided
    division: Division
    measure: Measure
    whole: Callable[[], Readings]

    def than(self, place: int, rows: Drawn, own: Readings, read: Callable[[Drawn], Callable[[], Readings]]) -> Readings:
        """What is said of all but the group of this place, from its rows and what is said of them."""
        if self._areas is not None:
            return {label: each[place] for label, each in self._areas.items()}
        whole = self.whole()
        differences = {label: _left(whole.get(label), part) for label, part in own.items()}
        if all(each is not None for each in differences.values()):
            return {label: each for label, each in differences.items() if each is not None}
        return read(self.divided.rest(self.division, place, rows))()

    @cached_property
    def _areas(self) -> dict[str | None, list[Influence]] | None:
        """Those of all groups, where the measure is one and rows stand in the order of their scores."""
        rows = self.divided.rows
        if not self.measure.of_pairs or not self.divided.ranked:
            return None
        ((label, _),) = rows.scores.items()
        areas = areas_of_others(rows, label, self.division, Scale(*self.measure.range))
        return None if areas is None else {label: areas}


def _left(whole: Evidence | None, part: Evidence) -> Ratio | Influence | None:
    """What the whole has besides its part; None where that does not follow from both."""
    if isinstance(whole, Ratio) and isinstance(part, Ratio):
        return whole.without(part)
    if not (isinstance(whole, Influence) and isinstance(part, Influence)):
        return None
    factors = [factor for factor, _ in whole.terms]
    if not factors or factors != [factor for factor, _ in part.terms]:
        return None
    pairs = zip(whole.terms, part.terms, strict=True)
    return combined(factors, [ratio.without(own) for (_, ratio), (_, own) in pairs])


def calibrated(measure: Measure, rows: Drawn, label: str, bins: FixedBins) -> Iterator[tuple[str | None, Evidence]]:
    """What is said of bins that no score has chosen, of each or of all together; of rows drawn one by one by counts."""
    scores, positive = rows.scores[label], np.asarray(rows.truth == rows.labels.index(label))
    place = bins.places(scores)
    if not np.isfinite(bins.edges[-1]) or bins.edges[0] > 0:  # the grades of a scale
        _refuse_others(scores, bins)
    if rows.draws.rows and rows.draws.stratum is None:
        evidence = measure(_reliability(scores, positive, bins))
        if measure.label_is != "bin":
            yield label, evidence
            return
        yield from ((name, evidence.of(at)) for at, name in enumerate(bins.names))
    elif measure.label_is == "bin":
        for at, name in enumerate(bins.names):
            yield name, rows.ratio(positive.astype(np.float64), (place == at).astype(np.float64), levels=EVENTS)
    else:
        assert measure.influence is not None  # it declares it
        value, added = measure.influence(scores, positive, rows.rows, edges=bins.edges)
        yield label, replace(rows.influence(value, added), smooth=measure.smooth)


def _reliability(scores: Array, positive: NDArray[np.bool_], bins: FixedBins) -> Reliability:
    """The same of rows that weigh one each."""
    place, size = bins.places(scores), len(bins.names)
    read = Reliability.of(Scores(scores, positive))
    n, own = np.bincount(place, minlength=size), np.bincount(place[positive], minlength=size)
    return replace(read, names=bins.names, positives=own, n=n, forecasts=np.bincount(place, scores, size))


def _refuse_others(scores: Array, bins: FixedBins) -> None:
    values = bins.edges[:-1]
    strange = scores[values[np.minimum(np.searchsorted(values, scores), values.size - 1)] != scores]
    if strange.size:
        raise HoldfastError(f"The score {strange[0]:.10g} is of none of the grades {', '.join(bins.names)}.")
