"""One process at a time holds a file; whoever dies holds it no longer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from holdfast.errors import HoldfastError
from holdfast.files import holding, locks
from tests.needs import device

HOLD = "import sys, time; from holdfast.files import holding\nwith holding('a'): print(flush=True); time.sleep(60)"


def test_another_process_waits_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD], cwd=tmp_path, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        said = rf"a is in use by another process \({child.pid}\), still after 0.05 seconds; wait longer with wait=, or"
        with pytest.raises(HoldfastError, match=said), holding(tmp_path / "a", 0.05):
            pass
        with holding(tmp_path / "b", 0):
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert len(os.listdir(tmp_path)) == 1  # its lock, which is nobody's
    with holding(tmp_path / "a", 0):
        pass
    assert os.listdir(tmp_path) == []


def test_so_does_another_thread_but_not_whoever_holds_it(tmp_path: Path) -> None:
    refused = []

    def attempt() -> None:
        try:
            with holding(tmp_path / "link", 0):
                pass
        except HoldfastError as error:
            refused.append(str(error))

    (tmp_path / "link").symlink_to("a")
    with holding(tmp_path / "a"), holding(tmp_path / "link"):
        other = Thread(target=attempt)
        other.start()
        other.join()
    assert len(refused) == 1
    attempt()
    assert len(refused) == 1
    assert os.listdir(tmp_path) == ["link"]


def test_what_goes_wrong_inside_is_not_the_lock_s(tmp_path: Path) -> None:
    for wrong in (ValueError("x"), OSError(2, "x"), KeyboardInterrupt()):
        with pytest.raises(type(wrong)), holding(tmp_path / "a"):
            raise wrong
        with pytest.raises(type(wrong)), holding(tmp_path / "a"), holding(tmp_path / "a"):
            raise wrong
    assert os.listdir(tmp_path) == []


def test_where_nothing_can_be_kept(tmp_path: Path) -> None:
    for place, said in (("no/a", "Cannot write .*: No such file"), ("a\0b", "Cannot write"), (".", "no regular file")):
        with pytest.raises(HoldfastError, match=said), holding(f"{tmp_path}/{place}"):
            pass
    null = device(tmp_path / "null", 3)
    with pytest.raises(HoldfastError, match="null is no regular file, and no state"), holding(null):
        pass
    for wait in (-1, "x", float("nan")):
        with pytest.raises(HoldfastError, match="wait= is a number of seconds, 0 or more; got"):
            holding(tmp_path / "a", wait).__enter__()  # type: ignore[arg-type]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("holdfast.files.locks.fcntl.flock", unknown)
    with holding(tmp_path / "a", 0):
        pass
    assert os.listdir(tmp_path) == []


def test_a_link_that_was_planted_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"old")
    with holding(tmp_path / "a"):
        (lock,) = tmp_path.glob(".holdfast-*")
    lock.symlink_to("precious")
    with pytest.raises(HoldfastError, match=r"Cannot write .*/a: "), holding(tmp_path / "a"):
        pass
    assert (tmp_path / "precious").read_bytes() == b"old"


def test_a_lock_that_was_removed_while_it_was_waited_for_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever held it removes it when done: a later one would make another, and both would believe to be alone."""
    locked, handles = locks._locked, []

    def removed_first(handle: int) -> bool:
        if not handles:
            next(tmp_path.glob(".holdfast-*.lock")).unlink()
        handles.append(handle)
        return locked(handle)

    monkeypatch.setattr(locks, "_locked", removed_first)
    with holding(tmp_path / "a"):
        assert len([*tmp_path.glob(".holdfast-*.lock")]) == 1
    assert len(handles) == 2
