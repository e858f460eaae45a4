"""The command line called as the shell calls it, but within this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from holdfast import cli


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line as the shell calls it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    def call(*arguments: str) -> Answer:
        monkeypatch.setattr("sys.argv", ["holdfast", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return Answer(int(left.value.code or 0), out, err)

    return call


@pytest.fixture
def losses(tmp_path: Path) -> str:
    (tmp_path / "losses.csv").write_text("loss\n" + "0.1\n0.3\n0.2\n0.25\n0.0\n" * 10, encoding="utf-8")
    return "losses.csv"
