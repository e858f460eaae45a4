"""An upper limit and what it leaves above itself; the variance of an estimate from what each draw adds to it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from holdfast.numerics.arrays import Array, Integers


class Upper(NamedTuple):
    """An upper limit in [0, 1] and its room, one minus the limit, each found without cancellation.

    The room of the mirrored sample's limit is the lower limit, so one formula serves both sides to the last digit.
    """

    limit: Array
    room: Array


class HasMean(Protocol):
    """Whatever has a mean, and one minus it without a digit lost."""

    @property
    def mean(self) -> Array: ...
    @property
    def complement(self) -> Array: ...


def raised(sample: HasMean, slack: Array) -> Upper:
    """The mean plus a slack."""
    return moved_up(sample.mean, sample.complement, slack)


def moved_up(mean: Array, complement: Array, slack: Array) -> Upper:
    """The mean plus a slack; the smaller part is found directly and the larger is one minus it.

    So mean and complement may change places: what was the limit is then the room, to the last bit.
    """
    limit, room = mean + slack, complement - slack
    low = limit <= room
    return Upper(np.where(low, limit, 1.0 - room), np.where(low, 1.0 - limit, room))


def moved_up_on_log_odds(mean: Array, complement: Array, slack: Array) -> Upper:
    """The mean moved up on the scale of log-odds, which never leaves [0, 1], by as much as the slack is worth there.

    As in `moved_up`, the larger part is one minus the smaller.
    """
    scale = np.exp(-slack / (mean * complement))
    weight = mean + complement * scale
    limit, room = mean / weight, complement * scale / weight
    low = limit <= room
    return Upper(np.where(low, limit, 1.0 - room), np.where(low, 1.0 - limit, room))


class Spread(NamedTuple):
    """A variance, and the degrees of freedom with which it is known; both NaN where the draws do not tell."""

    variance: float
    df: float


def spread_of(values: Array, leverage: Array, times: Array, stratum: Integers | None = None) -> Spread:
    r"""The variance of an estimate, draws within a stratum being independent and alike.

    Parameters
    ----------
    values
        What each draw adds to the estimate: the derivative by its weight.
    leverage
        How much of what the estimate rests on is this draw's, in any unit.
    times
        How many draws are just like it.
    stratum
        The stratum of each draw, counted from 0; one for all by default.

    Notes
    -----
    With :math:`h_i` the leverage as a part of its stratum's and :math:`\bar u` the stratum's mean,

    .. math:: V = \sum_s \sum_{i \in s} \frac{(u_i - \bar u_s)^2}{1 - h_i}, \qquad
              \nu = \frac{V^2}{\sum_s V_s^2\, \bigl(\sum h_i^2 + (\sum g_i)^2 - \sum g_i^2\bigr)}, \qquad
              g_i = \frac{h_i^2}{1 - h_i},

    which is the correction CR2 of Bell and McCaffrey (2002) for a ratio, with Satterthwaite's degrees of freedom. For
    draws that all carry as much it is the usual variance, with n - 1 degrees.

    Examples
    --------
    >>> spread_of(np.array([-0.3, -0.1, 0.4]), np.ones(3), np.ones(3))
    Spread(variance=0.39..., df=2.0...)
    """
    where = 0 if stratum is None else stratum

    def per_stratum(each: Array) -> Array:
        weighed = times * each
        return np.sum(weighed, keepdims=True) if stratum is None else np.bincount(stratum, weighed)

    with np.errstate(divide="ignore", invalid="ignore"):  # a stratum of one draw, or without any: nothing is known
        h = leverage / per_stratum(leverage)[where]
        off = values - (per_stratum(values) / per_stratum(np.ones(len(values))))[where]
        g = h * h / (1.0 - h)
        variances = per_stratum(off * off / (1.0 - h))
        known = per_stratum(h * h) + per_stratum(g) ** 2 - per_stratum(g * g)
        total = variances.sum()
        return Spread(float(total), float(total**2 / (variances**2 * known).sum()))
