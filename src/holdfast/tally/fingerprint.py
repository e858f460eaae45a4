"""One number for the data, whatever the order of the rows and the engine that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers

Words = NDArray[np.uint64]
BLOCK = 2**15  # rows at a time: what stays in the cache


@dataclass(frozen=True, eq=False)
class Scored:
    """Rows, or groups of equal rows: the cell of the table each falls into, its scores, and how often."""

    cells: Array
    columns: tuple[Array, ...]
    times: Integers | None = None


def fingerprint_of(
    labels: Sequence[str],
    truth: Integers,
    predicted: Integers,
    times: Integers,
    roles: Sequence[str] = (),
    scored: Sequence[Scored] = (),
) -> str:
    """The SHA-256, as 64 hex digits, of a table and of the scores that fell into its cells.

    `labels` are named by the places in `truth` and `predicted`; a cell of `scored` is coded as
    (place of truth + 1) * (number of labels + 1) + (place of predicted + 1).
    """
    digest = sha256(b"holdfast predictions 1\n")
    for role in roles:
        digest.update(_text(role))
    # By their text, and only those seen: neither the order of the labels nor listing further ones changes the data.
    seen = sorted(np.unique(np.concatenate([truth, predicted])).tolist(), key=labels.__getitem__)
    digest.update(b"".join(_text(labels[place]) for place in seen))
    rank = np.zeros(len(labels), np.int64)
    rank[seen] = np.arange(len(seen))
    table = np.stack([rank[truth], rank[predicted], times])
    digest.update(table[:, np.lexsort(table[::-1])].astype("<i8").tobytes())
    if scored:
        seeds = np.array([seed_of(label) for label in ("", *labels)], np.uint64)
        for part in scored:
            digest.update(np.array(_sums(seeds, part), "<u8").tobytes())
    return digest.hexdigest()


def _text(text: str) -> bytes:
    coded = text.encode("utf-8", "surrogatepass")
    return len(coded).to_bytes(8, "little") + coded


def seed_of(label: str) -> int:
    """A word for a text."""
    return int.from_bytes(sha256(_text(label)).digest()[:8], "little")


def _sums(seeds: Words, part: Scored) -> tuple[int, int]:
    """Two sums over all rows, modulo 2**64, of a word that mixes the row's cell and the bits of its scores."""
    first = second = 0
    for rows, words in _cells(seeds, part.cells):
        for column in part.columns:
            words ^= (column[rows] + 0.0).view(np.uint64)  # -0.0 is 0.0
            mix(words)
        turned = (words << np.uint64(32)) | (words >> np.uint64(32))
        turned *= words
        if part.times is not None:
            times = part.times[rows].astype(np.uint64)
            words *= times
            turned *= times
        first += int(np.add.reduce(words))
        second += int(np.add.reduce(turned))
    return first % 2**64, second % 2**64


def _cells(seeds: Words, cells: Array) -> Iterator[tuple[slice, Words]]:
    """Block by block, the rows and a word for the cell of each."""
    size = len(seeds)
    known = _paired(seeds, np.arange(size * size)) if size * size <= BLOCK else None
    for start in range(0, len(cells), BLOCK):
        rows = slice(start, start + BLOCK)
        yield rows, _paired(seeds, cells[rows]) if known is None else known[cells[rows]]


def _paired(seeds: Words, cells: Array) -> Words:
    truth, predicted = np.divmod(cells.astype(np.int64), len(seeds))
    words = seeds[truth]
    mix(words)  # so that truth and prediction cannot change places
    words ^= seeds[predicted]
    mix(words)
    return words


def mix(words: Words) -> None:
    """Stir each 64-bit word in place; every bit of it comes to depend on every other."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
