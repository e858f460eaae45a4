"""What a killed process left half written is swept up, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast.files import whole, write_whole


@pytest.fixture(autouse=True)
def first_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not swept any folder yet."""
    monkeypatch.setattr(whole, "_swept", set())


def left_by(folder: Path, process: int, started: int = 0, place: str | None = None) -> Path:
    path = folder / f".holdfast-{place or whole._place()}-{process}-{started}-{'0' * 16}.partial"
    path.write_bytes(b"half")
    return path


@pytest.fixture
def dead() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_the_name_tells_the_process_and_fits_the_pattern(tmp_path: Path) -> None:
    names = [os.path.basename(whole.partial_path(str(tmp_path))) for _ in range(3)]
    assert len({*names}) == 3
    matches = [whole.NAME.fullmatch(name) for name in names]
    assert {match and int(match["process"]) for match in matches} == {os.getpid()}


def test_what_the_dead_left_goes_and_all_else_stays(tmp_path: Path, dead: int) -> None:
    mine, own = os.getpid(), whole._started(os.getpid())
    gone = [left_by(tmp_path, dead), left_by(tmp_path, dead, 7), left_by(tmp_path, 10**10 - 1)]
    stays = [left_by(tmp_path, mine, own), left_by(tmp_path, 1), left_by(tmp_path, dead, 9, "0" * 8)]
    stays += [
        tmp_path / name for name in (".holdfast-1.partial", ".a.json.part", f"x{gone[0].name}", f"{gone[0].name}x")
    ]
    for path in stays[3:]:
        path.write_bytes(b"not ours")
    (tmp_path / "target").write_bytes(b"")
    link = tmp_path / gone[0].name.replace("0" * 16, "1" * 16)
    link.symlink_to("target")
    if own:  # the system says when a process was started: another one with the number of a dead writer is told apart
        gone.append(left_by(tmp_path, mine, own + 1))
    write_whole(tmp_path / "page.html", b"new")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"page.html", "target", link.name, *(path.name for path in stays)}


def test_a_writer_elsewhere_is_given_a_day(tmp_path: Path, dead: int) -> None:
    """On another machine that shares the folder, or in another container: its number means nothing here."""
    young, old = left_by(tmp_path, dead, 1, "0" * 8), left_by(tmp_path, dead, 2, "0" * 8)
    os.utime(old, (time.time() - 90_000,) * 2)
    write_whole(tmp_path / "page.html", b"new")
    assert (young.exists(), old.exists()) == (True, False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_others_left_is_theirs(tmp_path: Path, dead: int) -> None:
    theirs = left_by(tmp_path, dead)
    os.chown(theirs, 1234, -1)
    write_whole(tmp_path / "page.html", b"new")
    assert theirs.exists()


def test_a_link_that_was_planted_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "precious").write_bytes(b"old")
    planted = tmp_path / "planted"
    planted.symlink_to("precious")
    monkeypatch.setattr("holdfast.files.whole.partial_path", lambda _: str(planted))  # had somebody guessed it
    with pytest.raises(ValueError, match=r"Cannot write .*: File exists"):
        write_whole(tmp_path / "page.html", b"new")
    assert (tmp_path / "precious").read_bytes() == b"old"
    assert planted.is_symlink()
