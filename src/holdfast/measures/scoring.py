"""Proper scores: what forecast probabilities cost, example by example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Forecasts, Losses, numbers, shown
from holdfast.evidence.ranking.forecasts import Forecast
from holdfast.evidence.ranking.sorted_scores import ROWS
from holdfast.numerics.arrays import UNITS, whole_sum

CLIP = 1e-6
MOST_VALUES = 10**6  # beyond them the moments say nearly as much and take no memory

Ends = Callable[[Forecast], tuple[Array, Array]]  # the least and the most that examples may have cost


def clipped(clip: float = CLIP) -> tuple[float, float, Callable[[Array], Array]]:
    """The least and the largest log loss that a clip allows, and what a probability given to the true label costs."""
    c = numbers("clip", clip)
    if c.ndim or not 0 < c < 0.5:
        raise HoldfastError(f"clip must be one number strictly between 0 and 1/2; got {shown(clip)}.")
    low, high = float(-np.log1p(-c)), float(-np.log(c))
    return low, high, lambda probability: np.clip(-np.log(np.maximum(probability, c)), low, high)


def _log_losses(probability: Array, clip: float = CLIP) -> tuple[Array, float, float]:
    """Of what came true, the probability that was given to it."""
    low, high, cost = clipped(clip)
    return cost(probability), low, high


@measure(
    better="lower",
    unit="nats",
    out_of="all",
    row_losses=_log_losses,
    source=Source("gneiting2007", "Example 3"),
    range=(0.0, float(-np.log(CLIP))),
    aliases=("cross-entropy",),
)
def log_loss(forecasts: Forecasts, clip: float = CLIP) -> Losses:
    r"""Minus the logarithm of the probability given to the true label, kept within bounds.

    Notes
    -----
    .. math:: -\ln \min(\max(p, c),\, 1 - c)

    A loss without bounds has no guaranteed limit at any sample size, so the clip c is part of what is measured: it
    must be chosen beforehand. It is 1e-6 unless said otherwise.
    """
    low, high, cost = clipped(clip)

    def ends(part: Forecast) -> tuple[Array, Array]:
        least = cost(part.most_probability)
        return least, least if forecasts.exact else cost(part.least_probability)

    return _losses(forecasts, ends, low, high)


@measure(
    better="lower",
    unit="loss",
    out_of="all",
    row_losses=lambda squares: (squares, 0.0, 1.0),  # of two classes
    of_squares=True,
    source=Source("gneiting2007", "Example 1"),
    range=(0.0, 2.0),
    aliases=("brier-score",),
)
def brier(forecasts: Forecasts) -> Losses:
    r"""The squared distance of the probabilities from what came true.

    Notes
    -----
    .. math:: (p - y)^2 \text{ for two classes}, \qquad \sum_k (p_k - y_k)^2 \text{ for many}

    In [0, 1] for two classes and [0, 2] for many.
    """
    return _losses(forecasts, lambda part: (part.least_square, part.most_square), 0.0, forecasts.squares_high)


def _losses(forecasts: Forecasts, ends: Ends, low: float, high: float) -> Losses:
    """The losses in rising order, or their moments: in either case the order of the examples leaves no trace."""
    if forecasts.n == 0 or (forecasts.exact and forecasts.n <= MOST_VALUES):
        values = [np.repeat(ends(part)[0], 1 if part.times is None else part.times) for part in forecasts.blocks()]
        return Losses(np.sort(np.concatenate([*values, np.zeros(0)])), low, high)
    n, width = int(forecasts.n), high - low
    total = squares = reach = reaches = 0
    for part in _pieces(forecasts):
        least, most = ends(part)
        middle = ((least if forecasts.exact else (least + most) / 2) - low) / width
        total += whole_sum(middle, part.times)
        squares += whole_sum(middle * middle, part.times)
        if not forecasts.exact:
            half = (most - least) / (2 * width)
            reach += whole_sum(half, part.times)
            reaches += whole_sum(half * half, part.times)
    parts = n * UNITS
    mean, off = total / parts, reach / parts
    between = max(mean - off, 0.0), min(mean + off, 1.0)
    # Moving each value by its reach moves the standard deviation by their root mean square at most, and no mean
    # between the two allows a larger variance than the one nearest to the middle.
    variance = max(parts * squares - total**2, 0) / parts**2
    deviation = sqrt(variance) + sqrt(reaches / parts)
    nearest = float(np.clip(0.5, *between))
    return Losses.from_moments(
        n,
        _in_units(mean, low, high),
        width**2 * min(deviation**2, nearest * (1.0 - nearest)),
        low=low,
        high=high,
        between=None if forecasts.exact else (_in_units(between[0], low, high), _in_units(between[1], low, high)),
    )


def _in_units(share: float, low: float, high: float) -> float:
    return min(low + (high - low) * share, high)


def _pieces(forecasts: Forecasts) -> Iterator[Forecast]:
    """The forecasts in parts that fit the cache."""
    for part in forecasts.blocks():
        for start in range(0, part.least_square.size, ROWS):
            yield part.piece(slice(start, start + ROWS))
