"""Rows dealt out to parts by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

STREAM = int.from_bytes(b"rows", "big")  # keeps these draws apart from all others that begin with the same seed


def chance(seed: int, repeat: int = 0) -> np.random.Generator:
    """The draws of one repeat: those of the first do not depend on how many follow."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(STREAM, repeat))))


def dealt(rows: int, parts: int, repeats: int, seed: int, codes: NDArray[Any] | None = None) -> NDArray[Any]:
    """Rows in parts of sizes that differ by one at most; with codes, so do the rows of each code.

    Rows are shuffled, laid out code by code and dealt like cards; which part comes first is drawn as well.
    """
    made = np.empty((repeats, rows), kind(parts))
    for repeat, line in enumerate(made):
        draw = chance(seed, repeat)
        order = draw.permutation(rows)
        if codes is not None:
            order = order[np.argsort(codes[order], kind="stable")]
        line[order] = draw.permutation(parts)[np.arange(rows) % parts]
    return made


def dealt_whole(codes: NDArray[Any], parts: int, repeats: int, seed: int) -> NDArray[Any]:
    """Groups in parts, none of them divided: numbers of groups differ by one at most.

    They are dealt like rows, without a look at their sizes: parts made equal by sizes would be no random samples of
    groups, and what is seen on them would promise nothing.
    """
    return dealt(int(codes.max()) + 1, parts, repeats, seed)[:, codes]


def drawn(rows: int, rounds: int, seed: int, left_out: bool = True, first: int = 0) -> NDArray[Any]:
    """How often each row was drawn when as many rows as there are were drawn with replacement, round by round.

    With `left_out` a round that happens to draw every row is drawn again: there would be nothing to test on.
    """
    made = np.empty((rounds, rows), np.uint32)
    for number, line in enumerate(made):
        draw = chance(seed, first + number)
        line[:] = np.bincount(draw.integers(0, rows, rows), minlength=rows)
        while left_out and line.all():
            line[:] = np.bincount(draw.integers(0, rows, rows), minlength=rows)
    return made.astype(np.min_scalar_type(int(made.max())))


def kind(parts: int) -> np.dtype[Any]:
    """The smallest whole numbers that tell so many parts apart."""
    return np.min_scalar_type(max(parts - 1, 0))
