"""A state is replaced by whoever knows what stands in it, and by nobody else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.files import holding
from holdfast.verbs.stream.duel import Duel, sequential
from holdfast.verbs.stream.monitor import Monitor, monitor

Grown = Callable[[Any], Any]
KINDS: list[tuple[Any, Callable[[], Any], Grown]] = [
    (Monitor, monitor, lambda made: made.update(errors=1, n=10)),
    (Duel, sequential, lambda made: made.update(won=1, lost=2, n=10)),
]
kinds = pytest.mark.parametrize(("kind", "made", "grown"), KINDS, ids=["monitor", "duel"])


@kinds
def test_what_another_has_counted_is_not_undone(
    kind: Any, made: Callable[[], Any], grown: Grown, tmp_path: Path
) -> None:
    path = tmp_path / "state.json"
    made().save(path)
    first, second = kind.load(path), kind.load(path)
    grown(first).save(path)
    with pytest.raises(HoldfastError, match=rf"Another {kind.__name__.lower()} has written .* meanwhile, and what"):
        grown(second).save(path)
    assert kind.load(path).n == 10
    twin = copy(first)
    grown(first).save(path)  # and again, for it knows what it has written
    with pytest.raises(HoldfastError, match="meanwhile"):
        twin.save(path)
    assert kind.load(path).n == 20


@kinds
def test_a_file_that_was_not_loaded_is_not_overwritten(
    kind: Any, made: Callable[[], Any], grown: Grown, tmp_path: Path
) -> None:
    path, notes = tmp_path / "state.json", tmp_path / "notes"
    grown(made()).save(path)
    notes.write_bytes(b"mine")
    for there in (path, notes):
        with pytest.raises(HoldfastError, match=r"There is a file .* from which this (monitor|duel) was not loaded"):
            made().save(there)
    with pytest.raises(HoldfastError, match="was not loaded"):
        kind.load(path).save(notes)
    assert (kind.load(path).n, notes.read_bytes()) == (10, b"mine")


@kinds
def test_a_state_that_is_gone_or_as_it_was_is_written(
    kind: Any, made: Callable[[], Any], grown: Grown, tmp_path: Path
) -> None:
    path, elsewhere = tmp_path / "state.json", tmp_path / "copy.json"
    watched = grown(made())
    watched.save(path)
    path.write_bytes(path.read_bytes())  # copied away and back
    grown(watched).save(path)
    watched.save(elsewhere)
    path.unlink()
    grown(watched).save(path)
    watched.save(elsewhere)
    assert [kind.load(each).n for each in (path, elsewhere)] == [30, 30]
    path.chmod(0o600)
    (tmp_path / "link").symlink_to("state.json")
    grown(kind.load(tmp_path / "link")).save(path)
    assert (kind.load(path).n, stat.S_IMODE(path.stat().st_mode)) == (40, 0o600)
    assert sorted(os.listdir(tmp_path)) == ["copy.json", "link", "state.json"]


@kinds
def test_an_interrupt_while_it_is_saved_leaves_open_which_it_is(
    kind: Any, made: Callable[[], Any], grown: Grown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace = tmp_path / "state.json", os.replace
    watched = made()
    watched.save(path)
    for done in (False, True):

        def interrupted(*paths: str, done: bool = done) -> None:
            if done:
                replace(*paths)
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grown(watched).save(path)
        monkeypatch.undo()
        watched.save(path)
    assert kind.load(path).n == 20


@kinds
def test_a_full_disk_leaves_the_old_state(
    kind: Any, made: Callable[[], Any], grown: Grown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "state.json"
    watched = grown(made())
    watched.save(path)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(HoldfastError, match=r"^Cannot write .*state\.json: No space left on device\.$"):
        grown(watched).save(path)
    monkeypatch.undo()
    assert (kind.load(path).n, os.listdir(tmp_path)) == (10, ["state.json"])
    watched.save(path)
    assert kind.load(path).n == 20


def test_a_state_in_use_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.json"
    watched = monitor()
    watched.save(path)
    monkeypatch.setattr("holdfast.files.locks._locked", lambda _: False)
    with pytest.raises(HoldfastError, match=r"state\.json is in use by another process.*after 0.01 seconds"):
        watched.update(errors=1, n=10).save(path, wait=0.01)
    monkeypatch.undo()
    with holding(path):
        watched.save(path)
    assert Monitor.load(path).n == 10
