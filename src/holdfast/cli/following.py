"""A stream followed line by line: what has come is counted and kept before more is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from holdfast.errors import HoldfastError

CHUNK = 2**16  # bytes read at once; fewer where no more have come


class Reader(Protocol):
    """Lines as rows."""

    wrong: str | None  # what is wrong with the line at which reading ended

    def rows(self, lines: list[str]) -> list[Any]: ...

    def end(self) -> None:
        """There are no more lines."""


class Kept(Protocol):
    """What counts the rows."""

    @property
    def n(self) -> int: ...

    def save(self, path: str | Path) -> None: ...


Watched = TypeVar("Watched", bound=Kept)


class Following(ABC, Generic[Watched]):
    """What is watched, where its state is kept, and when it is shown."""

    what: str  # it is called in messages

    def __init__(self, watched: Watched, state: str | None, every: int | None, as_json: bool) -> None:
        self.watched, self.state, self.every, self.as_json = watched, state, every, as_json
        self.rows, self.shown = 0, False
        self.written: tuple[int, int] | None = None  # the version of the state that this one wrote last

    @abstractmethod
    def updated(self, watched: Watched, rows: list[Any]) -> Watched:
        """With these rows counted, and what was there overwritten."""

    @abstractmethod
    def end(self, watched: Watched) -> int | None:
        """After how many examples it was over; None while it is not."""

    @abstractmethod
    def show(self, full: bool = False) -> None: ...

    def size(self, row: Any) -> int:
        """Of how many examples the row speaks."""
        return 1

    @property
    def over(self) -> bool:
        return self.end(self.watched) is not None

    def save(self) -> None:
        if self.state is None:
            return
        if self.written is not None and _version(self.state) not in (None, self.written):
            raise HoldfastError(f"Another {self.what} has written {self.state} meanwhile; give each a file of its own.")
        self.written = None  # an interrupt while it is being written leaves that open
        self.watched.save(self.state)
        self.written = _version(self.state)

    def follow(self, stream: IO[bytes], reader: Reader) -> None:
        """Every row there is, until the end of the input, the end of it all, or a line that is no row."""
        self.save()  # whether that can be done is better known before the first row than after
        coming = as_they_come(stream)
        while not (reader.wrong or self.over) and (lines := next(coming, None)) is not None:
            self._take(reader.rows(lines))
        if not (reader.wrong or self.over):
            reader.end()
        if reader.wrong and not self.over:
            kept = f", and kept in {self.state}" if self.state else ""
            rows = f"{self.rows:,} row" + "s" * (self.rows != 1)
            raise HoldfastError(f"{reader.wrong} What came before it is counted, {rows}{kept}.")
        if not (self.shown and self.as_json):
            self.show(full=True)

    def _take(self, rows: list[Any]) -> None:
        """Count the rows, keep the state, and show the claim where it is due."""
        while rows and not self.over:
            due = len(rows) if self.every is None else self.every - self.rows % self.every
            self._count(rows[:due])
            rows = rows[due:]
            self.save()
            self.shown = self.every is not None and self.rows % self.every == 0
            if self.shown:
                self.show()

    def _count(self, rows: list[Any]) -> None:
        """Count these rows, up to the one that ends it: how many came in together makes no difference."""
        before = copy(self.watched)
        updated = self.updated(copy(before), rows)
        if (end := self.end(updated)) is not None:
            reached = accumulate(map(self.size, rows), initial=before.n)
            rows = rows[: sum(n < end for n in reached)]
            updated = self.updated(before, rows)
        self.watched = updated
        self.rows += len(rows)


def as_they_come(stream: IO[bytes]) -> Iterator[list[str]]:
    """The lines that have come since the last time, as soon as there are any."""
    rest = b""
    while chunk := stream.read1(CHUNK):  # type: ignore[attr-defined]  # standard input is buffered
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > CHUNK:  # no row is so long
            lines, rest = [*lines, rest], b""
        yield [line.decode(errors="replace") for line in lines]
    yield [rest.decode(errors="replace")]


def _version(state: str) -> tuple[int, int] | None:
    """What tells the file from the one that replaces it; None where there is none."""
    try:
        known = Path(state).stat()
    except OSError:
        return None
    return known.st_ino, known.st_mtime_ns
