"""The synthetic examples of the pages are the ones that their script draws."""

from __future__ import annotations

import runpy
from pathlib import Path

from tests.docs.pages import ROOT


def test_the_answers_are_the_ones_that_are_drawn(tmp_path: Path) -> None:
    script = (ROOT / "examples" / "make_answers.py").read_text(encoding="utf-8")
    (tmp_path / "make_answers.py").write_text(script, encoding="utf-8")
    runpy.run_path(str(tmp_path / "make_answers.py"))
    for name in ("questions.csv", "passages.csv", "outcomes.csv"):
        assert (tmp_path / name).read_bytes() == (ROOT / "examples" / name).read_bytes()
