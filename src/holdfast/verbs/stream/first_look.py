"""When something happened on a stream, however many of its examples came in at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar

from holdfast.evidence import Array

Batch = tuple[Array, ...]  # one element a look


class Watched(Protocol):
    """What is known of a stream so far."""

    @property
    def n(self) -> int: ...

    def after(self, *batch: Any) -> Self: ...


Sequence = TypeVar("Sequence", bound=Watched)


def first_look(sequence: Sequence, batch: Batch, happened: Callable[[Sequence], bool]) -> Sequence:
    """The sequence at the first look at which something has happened that stays; by the end of the batch it has."""
    while (size := len(batch[0])) > 1:
        half = sequence.after(*(part[: size // 2] for part in batch))
        if happened(half):
            batch = tuple(part[: size // 2] for part in batch)
        else:
            sequence, batch = half, tuple(part[size // 2 :] for part in batch)
    return sequence.after(*batch)
