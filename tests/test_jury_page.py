"""The page on juries says what the package answers."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_every_snippet_answers_as_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = str(ROOT / "docs" / "jury.md")
    found = doctest.testfile(page, module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 25
    assert found.failed == 0


def test_the_judges_are_the_ones_that_are_drawn(tmp_path: Path) -> None:
    script = (ROOT / "examples" / "make_judges.py").read_text(encoding="utf-8")
    (tmp_path / "make_judges.py").write_text(script, encoding="utf-8")
    runpy.run_path(str(tmp_path / "make_judges.py"))
    for name in ("judges.csv", "judges_new.csv", "judges_key.csv"):
        assert (tmp_path / name).read_bytes() == (ROOT / "examples" / name).read_bytes()
