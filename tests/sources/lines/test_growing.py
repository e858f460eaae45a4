"""A file that grows: every line once, whatever happens to the file between two readings."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.files.progress import Progress
from holdfast.sources.lines import growing
from holdfast.sources.lines.following import PipedStream
from holdfast.sources.lines.growing import GrowingFile

Steps = list[Callable[[], object]]


class Readings:
    """One file read again and again, each time from what the last reading had got to."""

    def __init__(self, path: Path) -> None:
        self.path, self.progress, self.notices, self.counted = path, Progress(), list[str](), 0

    def __call__(
        self, stopped: Callable[[], bool] = lambda: False, upto: int | None = None, **options: Any
    ) -> list[str]:
        """The lines that are new; those after `upto` of them are read and not counted."""
        self.notices.clear()
        source = GrowingFile(self.path, "it", self.progress, self.notices.append, counted=self.counted, **options)
        lines: list[str] = []
        try:
            for block in source.blocks(stopped):
                for line, end in zip(block.lines, block.ends, strict=True):
                    if upto is None or len(lines) < upto:
                        lines.append(line)
                        self.counted += 1
                        self.progress = self.progress.after(source.read_to(end, 1))
        finally:
            source.close()
        return lines


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


@pytest.fixture
def readings(tmp_path: Path) -> Readings:
    return Readings(tmp_path / "rows")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """What happens each time that the file has no more; after the last of it, following is stopped."""
    happening: Steps = []
    monkeypatch.setattr(growing.time, "sleep", lambda _: happening.pop(0)())
    return happening


def test_lines_are_read_once(readings: Readings) -> None:
    readings.path.write_bytes(b"a\nb\n")
    assert readings() == ["a", "b"]
    assert readings.notices == []
    assert readings() == []
    assert readings.notices == ["skipped 2 rows of it read earlier; going on after line 2."]
    append(readings.path, b"c\nd")
    assert readings() == ["c", "d"]
    assert readings() == []
    assert readings.notices == ["skipped 4 rows of it read earlier; going on after line 4."]


def test_what_was_read_and_not_counted_is_read_again(readings: Readings) -> None:
    readings.path.write_bytes(b"a\r\nb\r\nc\r\n")
    assert readings(upto=1) == ["a\r"]
    assert readings(upto=1) == ["b\r"]
    assert readings() == ["c\r"]


def test_a_line_that_was_read_before_it_had_an_end(readings: Readings) -> None:
    readings.path.write_bytes(b"a\nb")
    assert readings() == ["a", "b"]
    readings.path.write_bytes(b"a\nb\r\nc\n")
    assert readings() == ["c"]
    readings.path.write_bytes(b"a\nb\r\nc\n0")
    assert readings() == ["0"]
    readings.path.write_bytes(b"a\nb\r\nc\n0.5\n")
    with pytest.raises(HoldfastError, match="Line 4 of it was counted before it was complete"):
        readings()


def test_more_than_is_read_at_once(readings: Readings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "CHUNK", 5)
    lines = [f"line {number}" for number in range(50)]
    readings.path.write_text("\n".join(lines), encoding="utf-8")
    assert readings(upto=20) == lines[:20]
    assert readings() == lines[20:]


def test_another_file_is_read_from_its_start_and_the_first_is_still_known(readings: Readings) -> None:
    readings.path.write_bytes(b"a\nb\n")
    assert readings() == ["a", "b"]
    moved = readings.path.rename(readings.path.with_name("rows.1"))
    readings.path.write_bytes(b"c\n")
    assert readings() == ["c"]
    assert readings.notices == ["it is none of the files read earlier; it is read from its start."]
    append(moved, b"late\n")
    new, readings.path = readings.path, moved
    assert readings() == ["late"]
    readings.path = new
    assert readings() == []


def test_a_copy_is_known_by_its_bytes_packed_or_not(readings: Readings) -> None:
    readings.path.write_bytes(b"a\nb\n")
    readings()
    readings.path = readings.path.with_name("copy.gz")
    readings.path.write_bytes(gzip.compress(b"a\nb\nc\n"))
    assert readings() == ["c"]


@pytest.mark.parametrize("content", [b"", b"a\n", b"a\nX\nc\nd\n"])
def test_a_file_that_was_cut_or_written_anew_is_not_counted_again_in_silence(
    readings: Readings, content: bytes
) -> None:
    readings.path.write_bytes(b"a\nb\nc\n")
    readings()
    readings.path.write_bytes(content)  # in its place: the inode is the same
    with pytest.raises(HoldfastError, match="no longer begins with the 6 bytes read of it earlier: it was cut or writ"):
        readings()
    assert readings(as_new=True) == content.decode().split()
    assert readings.notices == ["it no longer begins with the 6 bytes read of it earlier: it is read from its start."]
    assert readings(as_new=True) == []  # what is known again is not new, whatever is said


def test_a_state_that_knows_nothing_of_the_file(readings: Readings) -> None:
    readings.path.write_bytes(b"a\n")
    readings.counted = 100
    with pytest.raises(HoldfastError, match="This state knows nothing of the file it: whether its rows are among"):
        readings()
    assert readings(as_new=True) == ["a"]
    assert readings() == []


def test_ids_tell_what_was_counted_whatever_became_of_the_file(readings: Readings) -> None:
    readings.path.write_bytes(b"a\nb\n")
    readings()
    readings.progress = readings.progress.after(readings.progress.files, [b"12345678"])
    readings.path.write_bytes(b"b\nc\n")
    assert readings(ids=True) == ["b", "c"]  # which of them were counted, somebody else asks


def test_following_waits_for_whole_lines(readings: Readings, steps: Steps) -> None:
    done: list[bool] = []
    readings.path.write_bytes(b"a\nb")
    steps += [lambda: None, lambda: append(readings.path, b"b\nc"), lambda: done.append(True)]
    assert readings(lambda: bool(done), follow=True) == ["a", "bb"]
    assert readings.progress.files[-1].bytes == 5


def test_a_file_that_is_replaced_is_read_to_its_end_before_the_next(readings: Readings, steps: Steps) -> None:
    done: list[bool] = []
    old = readings.path.with_name("rows.1")
    readings.path.write_bytes(b"a\n")
    steps += [
        lambda: readings.path.rename(old),  # and for a while there is none of this name
        lambda: readings.path.write_bytes(b"c\n"),
        lambda: append(old, b"b\nbits"),  # whoever writes has not noticed yet
        lambda: None,
        lambda: done.append(True),
    ]
    assert readings(lambda: bool(done), follow=True) == ["a", "b", "c"]
    assert readings.notices == [
        "the last line of it, of 4 bytes, has no end and is not counted.",
        "it is none of the files read earlier; it is read from its start.",
    ]


def test_a_file_that_is_cut_while_it_is_followed(readings: Readings, steps: Steps) -> None:
    readings.path.write_bytes(b"a\nb\n")
    steps += [lambda: os.truncate(readings.path, 2), lambda: None]
    with pytest.raises(HoldfastError, match="it was cut or written anew"):
        readings(follow=True)
    assert readings.counted == 2


def test_what_cannot_be_followed(readings: Readings) -> None:
    with pytest.raises(HoldfastError, match="Cannot read it: No such file"):
        readings()
    readings.path.write_bytes(gzip.compress(b"a\n"))
    with pytest.raises(HoldfastError, match="it is compressed, and what is written of it so far cannot be unpacked"):
        readings(follow=True)
    assert readings() == ["a"]
    readings.path = readings.path.parent
    with pytest.raises(HoldfastError, match="no file that grows"):
        readings(follow=True)
    readings.path = Path(os.devnull)
    with pytest.raises(HoldfastError, match="no file that grows"):
        readings(follow=True)


def test_a_line_without_end_is_refused_before_it_fills_the_memory(readings: Readings) -> None:
    readings.path.write_bytes(b"0" * (growing.LONGEST + 2 * growing.CHUNK))
    with pytest.raises(HoldfastError, match="has a line of more than 1,048,576 bytes"):
        readings()


def test_a_long_file_is_never_held_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(b"0\n" * 500_000)
    source = GrowingFile(path, "it", Progress(), print)
    for block in source.blocks():
        if block.ends:
            source.read_to(block.ends[-1], len(block.ends))
        assert len(source.unread) <= 2 * growing.CHUNK
    source.close()
    assert source.files[0].rows == 500_000


@pytest.mark.parametrize("size", [2**16 + 1, growing.LONGEST, growing.LONGEST + 1, 3 * growing.LONGEST])
def test_a_long_line_of_a_pipe_is_one_line_or_refused(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"0\n" + b"1" + b" " * (size - 1) + b"\n0\n")))
    lines: list[str] = []

    def read() -> None:
        for block in PipedStream(None, "it").blocks():
            lines.extend(block.lines)

    if size > growing.LONGEST:
        with pytest.raises(HoldfastError, match="it has a line of more than 1,048,576 bytes"):
            read()
        assert lines == ["0"]  # what came before it is counted
    else:
        read()
        assert [line.strip() for line in lines] == ["0", "1", "0", ""]
