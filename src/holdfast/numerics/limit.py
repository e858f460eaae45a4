"""An upper limit and what it leaves above itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holdfast.evidence import Array, Sample


class Upper(NamedTuple):
    """An upper limit in [0, 1] and its room, one minus the limit, each found without cancellation.

    The room of the mirrored sample's limit is the lower limit, so one formula serves both sides to the last digit.
    """

    limit: Array
    room: Array


def raised(sample: Sample, slack: Array) -> Upper:
    """The mean plus a slack."""
    return Upper(np.asarray(sample.mean + slack), np.asarray(sample.complement - slack))
