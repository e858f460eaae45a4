"""The work on its way to other processes of this machine: written once, and mapped into memory by all that read it."""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep

from holdfast.training.fit import Work, cloudpickle

WATCH = 1.0  # seconds between two looks whether the process that asks is still there
ALIGNED = 64  # bytes: where numbers should begin to be read fast


@dataclass(frozen=True)
class Parcel:
    """Where the work lies: what describes it, then its arrays, of so many bytes each."""

    path: str
    sizes: tuple[int, ...]
    asker: int = field(default_factory=os.getpid)

    @property
    def begins(self) -> list[int]:
        return list(accumulate((-(-size // ALIGNED) * ALIGNED for size in self.sizes), initial=0))


@contextmanager
def parcelled(work: Work) -> Iterator[Parcel]:
    """The work as long as it is under way, in a directory that is nobody else's."""
    arrays: list[pickle.PickleBuffer] = []
    described = cloudpickle().dumps(work, protocol=5, buffer_callback=arrays.append)
    pieces = [memoryview(described), *(array.raw() for array in arrays)]
    with TemporaryDirectory(prefix="holdfast-", ignore_cleanup_errors=True) as folder, _outlived(folder):
        parcel = Parcel(str(Path(folder) / "work"), tuple(piece.nbytes for piece in pieces))
        with open(parcel.path, "wb") as file:
            for begin, piece in zip(parcel.begins, pieces, strict=False):
                file.seek(begin)
                file.write(piece)
            file.truncate(parcel.begins[-1])
        yield parcel


@contextmanager
def _outlived(folder: str) -> Iterator[None]:
    """Let who removes what processes share remove the folder as well, should this process be killed."""
    from joblib.externals.loky.backend import resource_tracker

    resource_tracker.register(folder, "folder")
    try:
        yield
    finally:
        resource_tracker.unregister(folder, "folder")


@cache
def _leave_with_parent() -> None:
    """End this worker once whoever asked for the work is gone: nobody is left to send its results to."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            sleep(WATCH)
        os._exit(1)

    Thread(target=watch, name="parent", daemon=True).start()


@lru_cache(1)
def opened(parcel: Parcel) -> Work:
    """The work, opened once by each process that takes part, its arrays left where they are."""
    if os.getpid() != parcel.asker:
        _leave_with_parent()
    with open(parcel.path, "rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    pieces = [whole[begin : begin + size] for begin, size in zip(parcel.begins, parcel.sizes, strict=False)]
    work: Work = pickle.loads(pieces[0], buffers=pieces[1:])  # written by the process that asks, in this very run
    return work
