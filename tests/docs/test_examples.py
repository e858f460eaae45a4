"""The synthetic examples of the pages are the ones that their script draws."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.docs.pages import ROOT


@pytest.mark.parametrize(
    ("script", "files"),
    [
        ("make_answers.py", ("questions.csv", "passages.csv", "outcomes.csv")),
        ("make_survey.py", ("survey.csv",)),
        ("make_repeats.py", ("repeats.csv",)),
    ],
)
def test_the_answers_are_the_ones_that_are_drawn(script: str, files: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / script).write_text((ROOT / "examples" / script).read_text(encoding="utf-8"), encoding="utf-8")
    runpy.run_path(str(tmp_path / script))
    for name in files:
        assert (tmp_path / name).read_bytes() == (ROOT / "examples" / name).read_bytes()
