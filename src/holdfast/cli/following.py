"""A stream followed line by line: what has come is counted and kept before more is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from holdfast.cli.inputs import Kept, Stopping, notice
from holdfast.cli.options import tell_nobody
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.files.progress import Place
    from holdfast.sources.formats.growing import Block

BINARY = ("\x1f\ufffd", "PAR1", "ARROW1", "(\ufffd/\ufffd")  # how gzip, Parquet, Arrow and zstd begin, read as text


class Record(NamedTuple):
    """What a row says, the line it ends on, and its id where it has one."""

    row: Any
    line: int
    id: str | None = None


class Reader(Protocol):
    """Lines as rows."""

    wrong: str | None  # what is wrong with the line at which reading ended

    @property
    def line(self) -> int: ...

    @property
    def complete(self) -> int:
        """The last line that leaves nothing open: what was read up to there need not be read again."""
        ...

    def rows(self, lines: list[str]) -> list[Record]: ...

    def restart(self, head: Iterable[str], line: int) -> None:
        """A file begins: its first lines, as far as they were read before, and the line after which to go on."""

    def end(self) -> None:
        """There are no more lines."""


class Source(Protocol):
    """Where the lines come from."""

    name: str
    lines: int  # that were read earlier
    following: bool

    def blocks(self, stopped: Callable[[], bool]) -> Iterator[Block]: ...

    def head(self) -> Iterable[str]: ...

    def read_to(self, end: int, rows: int) -> tuple[Place, ...]: ...

    def close(self) -> None: ...


Watched = TypeVar("Watched", bound=Kept)


class Following(ABC, Generic[Watched]):
    """What is watched, where its state is kept, and when it is shown."""

    elsewhere = ""  # what to do with a file that is no text

    def __init__(self, watched: Watched, state: str | None, every: int | None, as_json: bool) -> None:
        self.watched, self.state, self.every, self.as_json = watched, state, every, as_json
        self.rows, self.repeated, self.shown = 0, 0, False

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

    def news(self, before: Watched) -> bool:
        """Whether something was settled since then that whoever waits should know at once."""
        return False

    @property
    def over(self) -> bool:
        return self.end(self.watched) is not None

    def save(self) -> None:
        if self.state is not None:
            self.watched.save(self.state)

    def run(self, source: Source, reader: Reader) -> None:
        """Follow until there is no more, or until interrupted; what is counted by then is kept."""
        try:
            if source.following:
                with Stopping() as stopped:
                    self.follow(source, reader, stopped)
            else:
                self.follow(source, reader)
        except KeyboardInterrupt:
            self.save()
            raise
        except BrokenPipeError:  # nobody reads on, but the exit code tells what was found
            tell_nobody()
        finally:
            source.close()

    def follow(self, source: Source, reader: Reader, stopped: Callable[[], bool] = lambda: False) -> None:
        """Every row there is, until the end of the input, the end of it all, or a line that is no row."""
        self.save()  # whether that can be done is better known before the first row than after
        coming = source.blocks(stopped)
        while not (reader.wrong or self.over) and (block := next(coming, None)) is not None:
            if block.opens:
                if reader.line:  # another file was read to its end
                    reader.end()
                    if reader.wrong:
                        break
                reader.restart(source.head(), source.lines)
            self._take(block, source, reader)
        if not (reader.wrong or self.over or stopped()):
            reader.end()
        if self.repeated:
            rows = "1 row" if self.repeated == 1 else f"{self.repeated:,} rows"
            notice(f"skipped {rows} whose id was counted before.")
        if reader.wrong and not self.over:
            kept = f", and kept in {self.state}" if self.state else ""
            rows = f"{self.rows:,} row" + "s" * (self.rows != 1)
            raise HoldfastError(f"{reader.wrong} What came before it is counted, {rows}{kept}.")
        self.save()  # lines that were left out need not be read again
        if not (self.shown and self.as_json):
            self.show(full=True)

    def _take(self, block: Block, source: Source, reader: Reader) -> None:
        """Count the rows of the block, keep the state and how far the input is read, and show the claim where due."""
        before = reader.line
        if before == 0 and block.lines and block.lines[0].startswith(BINARY):
            raise HoldfastError(
                f"{source.name} does not begin as text does: a stream is followed line by line. Decompress it on the "
                f"way (zcat FILE | ...){self.elsewhere}."
            )

        def files(line: int, rows: int) -> tuple[Place, ...]:
            """Those read so far, this one up to the end of a line."""
            if block.ends and line > before:
                return source.read_to(block.ends[line - before - 1], rows)
            return self.watched.progress.files

        records = self._new(reader.rows(block.lines))
        while records and not self.over:
            due = len(records) if self.every is None else self.every - self.rows % self.every
            earlier = self.watched
            self._count(records[:due], files)
            records = records[due:]
            self.save()
            self.shown = self.every is not None and self.rows % self.every == 0
            if self.shown:
                self.show()
            if source.following and self.news(earlier):
                self.announce()
        if not (reader.wrong or self.over):
            progress = self.watched.progress
            self.watched.progress = progress.after(files(reader.complete, 0))

    def announce(self) -> None:
        """Tell the news."""

    def _new(self, records: list[Record]) -> list[Record]:
        """Those whose id was not counted before."""
        if not any(record.id is not None for record in records):
            return records
        from holdfast.files.progress import short

        known, here, fresh = self.watched.progress.ids, set(), []
        for record in records:
            if (key := short(record.id or "")) not in known and key not in here:
                here.add(key)
                fresh.append(record)
        self.repeated += len(records) - len(fresh)
        return fresh

    def _count(self, records: list[Record], files: Callable[[int, int], tuple[Place, ...]]) -> None:
        """Count these rows, up to the one that ends it: how many came in together makes no difference."""
        from holdfast.files.progress import short

        before, rows = copy(self.watched), [record.row for record in records]
        updated = self.updated(copy(before), rows)
        if (end := self.end(updated)) is not None:
            reached = accumulate(map(self.size, rows), initial=before.n)
            records = records[: sum(n < end for n in reached)]
            updated = self.updated(copy(before), [record.row for record in records])
        ids = [short(record.id) for record in records if record.id is not None]
        # All at once: whoever interrupts finds the counts and the place in the input before the update or after it.
        updated.progress = before.progress.after(files(records[-1].line, len(records)), ids)
        self.watched = updated
        self.rows += len(records)
