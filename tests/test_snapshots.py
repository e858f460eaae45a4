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


def test_the_last_places_of_a_number_are_left_to_the_machine(folder: Path) -> None:
    (folder / "a.txt").write_text("0.3 of 0.022492322437, 1.5e-20\n", encoding="utf-8")
    for text in (
        "0.30000000000000004 of 0.02249232243699999, 1.5000000000000002e-20",
        "0.29999999999999993 of 0.02249232243700001, 1.5e-20",
    ):
        snapshots.matches("a", text)
    with pytest.raises(AssertionError, match=r"\+0.30000000001 of"):
        snapshots.matches("a", "0.30000000001000004 of 0.022492322437, 1.5e-20")


def test_no_snapshot_holds_a_last_place() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in snapshots.FOLDER.glob("*.txt")}
    assert [name for name, text in texts.items() if snapshots.shortened(text) != text] == []


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
