"""A stream followed line by line: what has come is counted and kept before more is read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from copy import copy
from itertools import accumulate, takewhile
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from holdfast.errors import HoldfastError
from holdfast.files.progress import Place, short
from holdfast.sources.content import readable
from holdfast.sources.lines.growing import CHUNK, LONGEST, Block, GrowingFile, check_lengths, is_file
from holdfast.sources.lines.line_table import Record, TableReader
from holdfast.sources.lines.outcomes import Lines
from holdfast.streams.machine import StateMachine


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


BINARY = ("\x1f\ufffd", "PAR1", "ARROW1", "(\ufffd/\ufffd")  # how gzip, Parquet, Arrow and zstd begin, read as text


Reader = TableReader | Lines
Source = GrowingFile | PipedStream
Watched = TypeVar("Watched", bound=StateMachine)


def open_lines(
    file: str,
    name: str,
    machine: StateMachine,
    state: str | None,
    tell: Callable[[str], None],
    *,
    follow: bool = False,
    as_new: bool = False,
    ids: bool = False,
) -> Source:
    """The lines of the file, or of standard input ("-"); what cannot be known of them is told."""
    progress, counted = machine.progress, machine.n
    if follow and file == "-":
        raise HoldfastError("--follow reads a file that grows, and standard input is none; name the file.")
    if as_new and file == "-":
        raise HoldfastError("--as-new is about a FILE; leave it out, or name one.")
    if as_new and state is None and not follow:
        raise HoldfastError("--as-new says something only beside --state or --follow; leave it out.")
    if file != "-" and (follow or is_file(Path(file))):
        return GrowingFile(Path(file), name, progress, tell, follow=follow, as_new=as_new, ids=ids, counted=counted)
    if state is not None and counted:
        if not (ids and progress.ids):
            tell(
                f"{state} holds what was counted before; whether rows of {name} are among it cannot be known. Name the "
                "file that is written (FILE --follow), or the column of ids (--id COLUMN)."
            )
        elif progress.forgotten:
            tell(
                f"{state} knows the ids of the last {len(progress.ids):,} rows; of the {progress.forgotten:,} before "
                "them it cannot tell whether they are counted again."
            )
    return PipedStream(None if file == "-" else Path(file), name)


class Following(Generic[Watched]):
    """What is watched, the moments of it that end all, where its state is kept, and after how many rows a look is due.

    What a reader should know beside the answer, such as which rows were left out, is told by `tell`.
    """

    def __init__(
        self,
        watched: Watched,
        ends: Sequence[str],
        state: str | None,
        every: int | None,
        tell: Callable[[str], None],
    ) -> None:
        self.watched, self.ends, self.state, self.every, self.tell = watched, ends, state, every, tell
        self.rows, self.repeated = 0, 0
        self.due = False  # whether the last rows that were counted are those at which a look is due

    @property
    def over(self) -> bool:
        return self._end(self.watched) is not None

    def looks(self, source: Source, reader: Reader, stopped: Callable[[], bool] = lambda: False) -> Generator[Watched]:
        """Every row there is, until the end of the input, the end of it all, or a line that is no row.

        Yields what is watched each time that rows were counted and kept, as it was before them. Whoever stops or is
        interrupted finds kept what was counted by then.
        """
        try:
            self._save()  # whether that can be done is better known before the first row than after
            yield from self._blocks(source, reader, stopped)
            if not (reader.wrong or self.over or stopped()):
                reader.end()
            if self.repeated:
                rows = "1 row" if self.repeated == 1 else f"{self.repeated:,} rows"
                self.tell(f"skipped {rows} whose id was counted before.")
            if reader.wrong and not self.over:
                kept = f", and kept in {self.state}" if self.state else ""
                rows = f"{self.rows:,} row" + "s" * (self.rows != 1)
                raise HoldfastError(f"{reader.wrong} What came before it is counted, {rows}{kept}.")
            self._save()  # lines that were left out need not be read again
        except KeyboardInterrupt:
            self._save()
            raise
        finally:
            source.close()

    def _blocks(self, source: Source, reader: Reader, stopped: Callable[[], bool]) -> Iterator[Watched]:
        coming = source.blocks(stopped)
        while not (reader.wrong or self.over) and (block := next(coming, None)) is not None:
            if block.opens:
                if reader.line:  # another file was read to its end
                    reader.end()
                    if reader.wrong:
                        return
                reader.restart(source.head(), source.lines)
            yield from self._rows(block, source, reader)

    def _rows(self, block: Block, source: Source, reader: Reader) -> Iterator[Watched]:
        """Count the rows of the block, and keep the state and how far the input is read."""
        before = reader.line
        if before == 0 and block.lines and block.lines[0].startswith(BINARY):
            raise HoldfastError(
                f"{source.name} does not begin as text does: a stream is followed line by line. Decompress it on the "
                f"way (zcat FILE | ...){reader.elsewhere}."
            )

        def files(line: int, rows: int) -> tuple[Place, ...]:
            """Those read so far, this one up to the end of a line."""
            if block.ends and line > before:
                return source.read_to(block.ends[line - before - 1], rows)
            return self.watched.progress.files

        records = self._new(reader.rows(block.lines))
        while records and not self.over:
            until = len(records) if self.every is None else self.every - self.rows % self.every
            earlier = self.watched
            self._count(records[:until], reader, files)
            records = records[until:]
            self._save()
            self.due = self.every is not None and self.rows % self.every == 0
            yield earlier
        if not (reader.wrong or self.over):
            self.watched.progress = self.watched.progress.after(files(reader.complete, 0))

    def _new(self, records: list[Record]) -> list[Record]:
        """Those whose id was not counted before."""
        if not any(record.id is not None for record in records):
            return records
        known, here, fresh = self.watched.progress.ids, set(), []
        for record in records:
            if (key := short(record.id or "")) not in known and key not in here:
                here.add(key)
                fresh.append(record)
        self.repeated += len(records) - len(fresh)
        return fresh

    def _count(self, records: list[Record], reader: Reader, files: Callable[[int, int], tuple[Place, ...]]) -> None:
        """Count these rows, up to the one that ends it: how many came in together makes no difference."""
        before = copy(self.watched)
        updated = self._updated(before, records, reader)
        if (end := self._end(updated)) is not None:
            reached = accumulate((record.n for record in records), initial=before.n)
            records = records[: sum(n < end for n in reached)]
            updated = self._updated(before, records, reader)
        ids = [short(record.id) for record in records if record.id is not None]
        # All at once: whoever interrupts finds the counts and the place in the input before the update or after it.
        updated.progress = before.progress.after(files(records[-1].line, len(records)), ids)
        self.watched = updated
        self.rows += len(records)

    def _updated(self, watched: Watched, records: list[Record], reader: Reader) -> Watched:
        updated: Any = copy(watched)
        updated.update(**reader.update([record.row for record in records]))
        return updated

    def _end(self, watched: Watched) -> int | None:
        """After how many examples it was over; None while it is not."""
        moments = (getattr(watched, name) for name in self.ends)
        return min((moment for moment in moments if moment is not None), default=None)

    def _save(self) -> None:
        if self.state is not None:
            self.watched.save(self.state)
