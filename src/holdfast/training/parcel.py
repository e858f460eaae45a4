"""The work on its way to other processes of this machine: written once, and mapped into memory by all that read it."""

from __future__ import annotations

import mmap
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

from holdfast.training.fit import Work, cloudpickle

ALIGNED = 64  # bytes: where numbers should begin to be read fast


@dataclass(frozen=True)
class Parcel:
    """Where the work lies: what describes it, then its arrays, of so many bytes each."""

    path: str
    sizes: tuple[int, ...]

    @property
    def begins(self) -> list[int]:
        return list(accumulate((-(-size // ALIGNED) * ALIGNED for size in self.sizes), initial=0))


@contextmanager
def parcelled(work: Work) -> Iterator[Parcel]:
    """The work as long as it is under way, in a directory that is nobody else's."""
    arrays: list[pickle.PickleBuffer] = []
    described = cloudpickle().dumps(work, protocol=5, buffer_callback=arrays.append)
    pieces = [memoryview(described), *(array.raw() for array in arrays)]
    with TemporaryDirectory(prefix="holdfast-", ignore_cleanup_errors=True) as folder:
        parcel = Parcel(str(Path(folder) / "work"), tuple(piece.nbytes for piece in pieces))
        with open(parcel.path, "wb") as file:
            for begin, piece in zip(parcel.begins, pieces, strict=False):
                file.seek(begin)
                file.write(piece)
            file.truncate(parcel.begins[-1])
        yield parcel


@lru_cache(1)
def opened(parcel: Parcel) -> Work:
    """The work, opened once by each process that takes part, its arrays left where they are."""
    with open(parcel.path, "rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    pieces = [whole[begin : begin + size] for begin, size in zip(parcel.begins, parcel.sizes, strict=False)]
    work: Work = pickle.loads(pieces[0], buffers=pieces[1:])  # written by the process that asks, in this very run
    return work
