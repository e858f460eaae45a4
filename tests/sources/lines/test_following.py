"""A stream followed: counted and kept before more is read, each row once, and to the row at which it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.files.progress import Place
from holdfast.sources.lines.answers import Answers
from holdfast.sources.lines.following import Following, PipedStream, open_lines
from holdfast.sources.lines.growing import Block
from holdfast.sources.lines.outcomes import Cells, Lines
from holdfast.streams.machine import kept
from holdfast.verbs.stream.duel import Duel, sequential
from holdfast.verbs.stream.monitor import Monitor, monitor

ENDS = ("alarm_after", "changed_after")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def followed(
    text: str, every: int | None = None, state: str | None = None, column: str | None = None, **asked: Any
) -> tuple[Following[Monitor], list[tuple[int, int, bool]], list[str]]:
    """What follows from a file; how many examples were known before and after each look, and whether it was due."""
    Path("rows").write_text(text)
    told: list[str] = []
    machine = kept(Monitor, state, asked)
    reader = Lines(machine.settings, "rows") if column is None else Cells(machine.settings, "rows", column, "id")
    source = open_lines("rows", "rows", machine, state, told.append, ids=column is not None)
    following = Following(machine, ENDS, state, every, told.append)
    looks = [(before.n, following.watched.n, following.due) for before in following.looks(source, reader)]
    return following, looks, told


def test_a_look_is_offered_each_time_rows_were_counted() -> None:
    following, looks, told = followed("0\n1\n0\n1,5\n0\n", every=2)
    assert looks == [(0, 2, True), (2, 8, True), (8, 9, False)]
    assert (following.rows, following.over, following.due, told) == (5, False, False, [])
    assert following.watched.to_dict() == monitor().update(errors=[0, 1, 0, 1, 0], n=[1, 1, 1, 5, 1]).to_dict()


def test_it_is_over_at_the_row_that_ends_it_however_many_came_together() -> None:
    following, _, _ = followed("0\n" + "1\n" * 100, at_most=0.1)
    after = following.watched.alarm_after
    assert following.over
    assert after == following.watched.n == following.rows < 50
    batches, _, _ = followed("1,3\n" * 100, at_most=0.1)  # a row of three examples is counted whole, or not
    assert batches.watched.n % 3 == 0
    assert batches.watched.alarm_after is not None
    assert batches.watched.n - 3 < batches.watched.alarm_after <= batches.watched.n


def test_what_is_kept_goes_on_and_no_row_counts_twice() -> None:
    followed("0\n1\n", state="state.json")
    following, looks, told = followed("0\n1\n0\n", state="state.json")
    assert looks == [(2, 3, False)]
    assert following.watched.to_dict() == monitor().update(errors=[0, 1, 0], n=1).to_dict()
    assert told == ["skipped 2 rows of rows read earlier; going on after line 2."]
    assert kept(Monitor, "state.json", {"delta": 0.05}).n == 3
    with pytest.raises(HoldfastError, match="A monitor keeps its settings"):
        kept(Monitor, "state.json", {"delta": 0.1})


def test_rows_of_one_id_count_once() -> None:
    following, _, told = followed("wrong,id\n0,a\n1,b\n1,a\n1,a\n", column="wrong")
    assert following.watched.n == 2
    assert told == ["skipped 2 rows whose id was counted before."]


def test_a_line_that_is_no_row_leaves_what_came_before_it_kept() -> None:
    with pytest.raises(HoldfastError, match=r"What came before it is counted, 2 rows, and kept in state\.json\.$"):
        followed("0\n1\nperhaps\n0\n", state="state.json")
    assert kept(Monitor, "state.json", {}).n == 2


class Blocks(PipedStream):
    """Lines as they come, each of so many bytes; and then the end of them, or an interrupt."""

    def __init__(self, *blocks: list[str], interrupted: bool = False) -> None:
        self.name, self.given, self.interrupted, self.closed = "it", blocks, interrupted, False

    def blocks(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[Block]:
        bytes_ = 0
        for lines in self.given:
            ends = [*accumulate((len(line) + 1 for line in lines), initial=bytes_)]
            bytes_ = ends[-1]
            yield Block(lines, ends[1:])
        if self.interrupted:
            raise KeyboardInterrupt

    def read_to(self, end: int, rows: int) -> tuple[Place, ...]:
        return (Place(end, "0" * 64, rows, 1),)

    def close(self) -> None:
        self.closed = True


def test_an_interrupt_keeps_what_was_counted_and_closes_what_was_open() -> None:
    machine, source = monitor(), Blocks(["0", "1"], interrupted=True)
    following = Following(machine, ENDS, "state.json", None, print)
    with pytest.raises(KeyboardInterrupt):
        list(following.looks(source, Lines(machine.settings, "it")))
    assert source.closed
    assert Monitor.load("state.json").n == 2
    source = Blocks(["0"], ["1"])
    looks = Following(monitor(), ENDS, None, None, print).looks(source, Lines(machine.settings, "it"))
    next(looks)
    looks.close()  # whoever looks wants no more
    assert source.closed


def test_an_interrupt_keeps_how_far_the_input_was_read_where_nothing_was_counted() -> None:
    duel = sequential(names=("a", "b"))
    reader = Answers(duel.settings, "it", None, True, "drop", None)
    following = Following(duel, ("changed_after",), "duel.json", None, print)
    with pytest.raises(KeyboardInterrupt):
        list(following.looks(Blocks(["a,b", "1,0"], ["1,"], interrupted=True), reader))
    kept_duel = Duel.load("duel.json")
    assert (kept_duel.n, kept_duel.progress.files[-1].bytes) == (1, len("a,b\n1,0\n1,\n"))


def test_looks_are_due_by_the_rows_counted_however_they_come() -> None:
    machine = monitor()
    following = Following(machine, ENDS, None, 2, print)
    looks = following.looks(Blocks(["0"] * 3, ["1"] * 4), Lines(machine.settings, "it"))
    assert [(following.rows, following.due) for _ in looks] == [(2, True), (3, False), (4, True), (6, True), (7, False)]


def test_a_row_that_is_still_open_is_wrong_at_the_end_and_not_where_one_stopped() -> None:
    def follow(stopped: bool) -> int:
        machine = monitor()
        following = Following(machine, ENDS, None, None, print)
        source = Blocks(["wrong,id", "1,a", '0,"b'])
        for _ in following.looks(source, Cells(machine.settings, "it", "wrong", "id"), lambda: stopped):
            pass
        return following.watched.n

    assert follow(stopped=True) == 1
    with pytest.raises(HoldfastError, match="opens and never closes"):
        follow(stopped=False)


def test_a_stream_is_never_held_as_a_whole() -> None:
    class Stream:
        """Rows made as they are read; how many were asked for before those that came were counted is noted."""

        blocks, ahead = 6, 0

        def read1(self, size: int) -> bytes:
            self.blocks -= 1
            read = (5 - self.blocks) * size // 16 * 4
            self.ahead = max(self.ahead, read - following.watched.n)
            return b"1,0\n1,1\n1,1\n0,1\n" * (size // 16) if self.blocks else b""

    duel = sequential(names=("alpha", "beta"))
    reader = Answers(duel.settings, "it", None, True, "refuse", None)
    following = Following(duel, ("changed_after",), None, None, print)
    stream, source = Stream(), PipedStream(None, "it")
    source.stream = stream  # type: ignore[assignment]
    reader.rows(["alpha,beta"])
    for _ in following.looks(source, reader):
        pass
    assert following.watched.n == 5 * 2**16 // 4
    assert stream.ahead == 0
