"""The lines of standard input, or of another pipe, as they come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import IO

from holdfast.errors import HoldfastError
from holdfast.files.progress import Place
from holdfast.sources.content import readable
from holdfast.sources.lines.growing import CHUNK, LONGEST, Block, check_lengths


class PipedStream:
    """What was read of it is gone: whether a row was counted before, only ids can tell."""

    following, lines = False, 0

    def __init__(self, path: Path | None, name: str) -> None:
        self.name, self.ours = name, path is not None
        if path is None and sys.stdin is None:
            raise HoldfastError(
                "Standard input is closed, and the rows come from there; feed them to it, or name a file."
            )
        with readable(name):
            self.stream: IO[bytes] = sys.stdin.buffer if path is None else path.open("rb")

    def blocks(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[Block]:
        """The lines that have come since the last time, as soon as there are any; bytes are not counted."""
        rest = b""
        while chunk := self._read():
            *lines, rest = (rest + chunk).split(b"\n")
            fitting = takewhile(lambda line: len(line) <= LONGEST, lines)
            yield Block([line.decode(errors="replace") for line in fitting], [])
            check_lengths([*lines, rest], self.name)
        yield Block([rest.decode(errors="replace")], [])

    def _read(self) -> bytes:
        with readable(self.name):
            some: bytes = self.stream.read1(CHUNK)  # type: ignore[attr-defined]  # all of them are buffered
        return some

    def head(self) -> Iterable[str]:
        return ()

    def read_to(self, end: int, rows: int) -> tuple[Place, ...]:
        raise AssertionError("a stream has no places")

    def close(self) -> None:
        if self.ours:
            self.stream.close()
