"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from holdfast.render.files import write_whole


def test_a_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"old and longer")
    write_whole(str(tmp_path / "a.txt"), b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_bare_name_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_whole("a.txt", b"new")
    assert os.listdir(tmp_path) == ["a.txt"]


def test_the_file_has_the_rights_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_whole(tmp_path / "ours", b"")
    usual, ours = ((tmp_path / name).stat().st_mode for name in ("usual", "ours"))
    assert stat.S_IMODE(ours) == stat.S_IMODE(usual)


@pytest.mark.parametrize("failing", ["os.replace", "os.chmod", "os.fdopen"])
def test_a_failure_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    (tmp_path / "a.txt").write_bytes(b"old")

    def broken(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(failing, broken)
        with pytest.raises(HoldfastError, match=r"Cannot write .*a\.txt: No space left on device\."):
            write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_interruption_leaves_no_litter_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a.txt", b"new")
    assert os.listdir(tmp_path) == []


def test_places_that_take_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place in ("missing/a.txt", "folder", "x" * 300, "nul\0byte"):
        with pytest.raises(HoldfastError, match="Cannot write"):
            write_whole(tmp_path / place, b"new")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_name_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    name = "x" * 250 + ".html"
    (tmp_path / name).write_bytes(b"old")  # the file system does take it
    write_whole(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"
