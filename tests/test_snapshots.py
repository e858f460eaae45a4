"""The helper itself: a snapshot that could not fail would pin nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from tests import snapshots


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    monkeypatch.delenv("HOLDFAST_UPDATE_SNAPSHOTS", raising=False)
    return tmp_path


def test_the_same_text_matches(folder: Path) -> None:
    (folder / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    snapshots.matches("a", "one\ntwo")


def test_another_text_fails_with_a_diff(folder: Path) -> None:
    (folder / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"-two\n\+three\n"):
        snapshots.matches("a", "one\nthree")


def test_a_missing_snapshot_fails_and_is_not_made_on_the_quiet(folder: Path) -> None:
    with pytest.raises(AssertionError, match="HOLDFAST_UPDATE_SNAPSHOTS"):
        snapshots.matches("a", "one")
    assert not (folder / "a.txt").exists()


def test_an_update_writes_the_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_UPDATE_SNAPSHOTS", "1")
    snapshots.matches("a", "one")
    assert (folder / "a.txt").read_text(encoding="utf-8") == "one\n"


def test_a_call_that_is_not_refused_fails() -> None:
    def refused() -> None:
        raise HoldfastError("no")

    assert snapshots.messages({"f()": refused}) == "f()\n  HoldfastError: no"
    with pytest.raises(AssertionError, match="was accepted: 3"):
        snapshots.messages({"g()": lambda: 3})
