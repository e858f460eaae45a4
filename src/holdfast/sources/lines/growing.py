"""A file that grows, read in whole lines: from where an earlier reading had got to, and on as more is written."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import IO, NamedTuple

from holdfast.errors import HoldfastError
from holdfast.files.progress import Place, Progress
from holdfast.sources.content import GZIP, opened, readable

CHUNK = 2**16  # bytes read at once; fewer where no more have come
LONGEST = 2**20  # bytes of a line; none that is meant is longer
PAUSE = 0.2  # seconds between two looks at a file that has not grown


class Block(NamedTuple):
    """Lines that have come, and how many bytes of the file there are up to the end of each."""

    lines: list[str]
    ends: list[int]
    opens: bool = False  # whether a file begins here, and with it a header


def check_lengths(lines: list[bytes], name: str) -> None:
    """Refuse a line that nobody can have meant: cut into pieces it would count as several rows."""
    if any(len(line) > LONGEST for line in lines):
        raise HoldfastError(f"{name} has a line of more than {LONGEST:,} bytes; is it a text file?")


def is_file(path: Path) -> bool:
    """Whether it can be read again from any place, unlike a pipe."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return True  # it will be refused where it is opened, with the reason


class GrowingFile:
    """The lines of a file that were not read before, by what is remembered of the files that were.

    A file is known again by the SHA-256 of as many of its first bytes as were read: whatever its name, it is read on
    from there. One that begins otherwise is read from its start, unless it is the very file that was read (by its
    inode): then it was cut or written anew, and whether its rows were counted cannot be told. That is an error, unless
    `as_new` says that they were not, or `ids` will tell.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        progress: Progress,
        tell: Callable[[str], None],
        *,
        follow: bool = False,
        as_new: bool = False,
        ids: bool = False,
        counted: int = 0,
    ) -> None:
        self.path, self.name, self.tell = path, name, tell
        self.following, self.trusting = follow, as_new or (ids and bool(progress.ids))
        self.files = progress.files  # read so far, this one last
        self.counted = counted  # examples, from wherever they came
        self.place: Place | None = None  # in this file
        self.lines = 0  # of it, before that place
        self.unfinished = False  # whether the last of them had no end then
        self.unread = b""  # what was taken from the file and is not yet read
        self._start = 0  # bytes of the file before that
        self._hashed = 0  # bytes of it that are read by now
        self._rest = 0  # bytes of it up to a line that has no end yet

    def blocks(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[Block]:
        """What was not read before; while following also what is written from now on, until it is stopped."""
        self._open()
        yield Block([], [], opens=True)
        replaced = False  # whether another file has taken its place; what is left in this one comes first
        while not stopped():
            with readable(self.name):
                chunk = self.stream.read1(CHUNK)  # type: ignore[attr-defined]  # files are buffered
            if chunk:
                yield self._block(chunk)
            elif not self.following:
                if rest := self.unread[self._rest :]:
                    yield Block([rest.decode(errors="replace")], [self._start + len(self.unread)])
                return
            elif not self._is_other():
                replaced = False
                time.sleep(PAUSE)
            elif not replaced:
                replaced = True
                time.sleep(PAUSE)  # whoever writes may not have noticed yet
            else:
                self._reopen()
                yield Block([], [], opens=True)
                replaced = False

    def head(self) -> Iterator[str]:
        """The lines from the start, which has the header, up to the place."""
        left = self.place.bytes if self.place else 0
        with readable(self.name), opened(self.path) as stream:
            while left > 0 and (line := stream.readline(min(left, LONGEST + 1))):  # none is longer, with its end
                left -= len(line)
                yield line.decode(errors="replace").removesuffix("\n")

    def read_to(self, end: int, rows: int) -> tuple[Place, ...]:
        """The files read so far, this one up to a byte, `rows` rows more having been counted in it."""
        cut = end - self._start
        self.hash.update(memoryview(self.unread)[self._hashed : cut])
        self._hashed = cut
        earlier = tuple(place for place in self.files if place is not self.place)
        rows += self.place.rows if self.place else 0
        self.place = Place(end, self.hash.hexdigest(), rows, self.inode)
        self.files = (*earlier, self.place)
        return self.files

    def close(self) -> None:
        if stream := getattr(self, "stream", None):
            stream.close()

    # ---- Opening, and what is known of the file by then

    def _open(self) -> None:
        with readable(self.name):
            if self.following and not is_file(self.path):
                raise HoldfastError(f"{self.name} is no file that grows; leave out --follow.")
            with self.path.open("rb") as raw:
                if self.following and raw.read(len(GZIP)) == GZIP:
                    raise HoldfastError(
                        f"{self.name} is compressed, and what is written of it so far cannot be unpacked; follow the "
                        "file that is being written, or leave out --follow."
                    )
            self.stream: IO[bytes] = opened(self.path)
            self.inode = os.fstat(self.stream.fileno()).st_ino
            self._recognise()
            self.stream.seek(self.place.bytes if self.place else 0)
        self.unread, self._start = b"", self.place.bytes if self.place else 0
        self._hashed = self._rest = 0

    def _recognise(self) -> None:
        """Find the place from which to go on: the furthest one of a file that began as this one does."""
        self.place, self.hash, self.lines, self.unfinished = None, sha256(), 0, False
        running, position, lines, last = sha256(), 0, 0, b""
        for place in sorted(self.files, key=lambda place: place.bytes):
            while position < place.bytes and (some := self.stream.read(min(LONGEST, place.bytes - position))):
                running.update(some)
                position, lines, last = position + len(some), lines + some.count(b"\n"), some[-1:]
            if position == place.bytes and running.hexdigest() == place.sha256:
                self.place, self.hash, self.unfinished = place, running.copy(), last != b"\n"
                self.lines = lines + self.unfinished
        if self.place is None:
            self._begin()
        elif self.place.rows:
            rows = "1 row" if self.place.rows == 1 else f"{self.place.rows:,} rows"
            self.tell(f"skipped {rows} of {self.name} read earlier; going on after line {self.lines}.")

    def _begin(self) -> None:
        """Say why the file is read from its start, or refuse to."""
        same = next((place for place in self.files if place.inode == self.inode), None)
        if same is not None:
            doubt = f"{self.name} no longer begins with the {same.bytes:,} bytes read of it earlier"
            change = "it was cut or written anew"
        elif self.files:
            self.tell(f"{self.name} is none of the files read earlier; it is read from its start.")
            return
        elif self.counted:
            doubt = f"This state knows nothing of the file {self.name}"
            change = "whether its rows are among those counted before cannot be told"
        else:
            return
        if not self.trusting:
            raise HoldfastError(
                f"{doubt}: {change}. If all of its rows are new, say so with --as-new; if not, start with another "
                "state."
            )
        self.tell(f"{doubt}: it is read from its start.")

    def _is_other(self) -> bool:
        """Whether the name now stands for another file, or for less of this one than was read."""
        try:
            there = self.path.stat()
        except OSError:
            return False  # moved away, and its successor is still to come
        return there.st_ino != self.inode or there.st_size < self._start + len(self.unread)

    def _reopen(self) -> None:
        if rest := self.unread[self._rest :]:
            self.tell(f"the last line of {self.name}, of {len(rest):,} bytes, has no end and is not counted.")
        self.stream.close()
        self._open()

    # ---- Lines

    def _block(self, chunk: bytes) -> Block:
        """The lines that the chunk completes."""
        self.unread = self.unread[self._hashed :] + chunk
        self._start, self._rest, self._hashed = self._start + self._hashed, self._rest - self._hashed, 0
        *lines, rest = self.unread[self._rest :].split(b"\n")
        check_lengths([*lines, rest], self.name)
        ends = [*accumulate((len(line) + 1 for line in lines), initial=self._start + self._rest)][1:]
        self._rest = len(self.unread) - len(rest)
        if self.unfinished and lines:  # the line on which the earlier reading ended is complete now
            if lines[0].strip():
                raise HoldfastError(
                    f"Line {self.lines} of {self.name} was counted before it was complete. Let rows end with a "
                    "line break, or use --follow, which waits for it."
                )
            lines, ends, self.unfinished = lines[1:], ends[1:], False
        return Block([line.decode(errors="replace") for line in lines], ends)
