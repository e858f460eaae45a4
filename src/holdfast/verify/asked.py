"""What was asked to be verified, checked: one delta, and numbers of examples that can be enumerated."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from holdfast.claims import chance_of_error
from holdfast.errors import HoldfastError
from holdfast.evidence import whole

LARGEST_N = 1_000_000  # examples up to which every count is looked at


def one_level(confidence: float | str | None, delta: float | None) -> float:
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("Coverage is computed for one delta at a time.")
    return float(level)


def one_size(n: int) -> int:
    sizes = all_sizes(n)
    if len(sizes) != 1:
        raise HoldfastError(f"This takes one number of examples; got {len(sizes)}.")
    return sizes[0]


def all_sizes(n: int | Iterable[int]) -> list[int]:
    """Numbers of examples, each from 1 to what can be enumerated."""
    given = list(n) if isinstance(n, Iterable) and not isinstance(n, str) else n
    sizes = np.atleast_1d(whole("n, the number of examples,", given)).reshape(-1)
    if not sizes.size or sizes.min() < 1 or sizes.max() > LARGEST_N:
        raise HoldfastError(f"Coverage is computed for 1 to {LARGEST_N} examples; got {n!r}.")
    return [int(size) for size in sizes]
