"""An upper limit and what it leaves above itself."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from holdfast.numerics.arrays import Array


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
