"""The example of the page on juries is what its script draws."""

from __future__ import annotations

import runpy
from pathlib import Path

from tests.docs.pages import ROOT


def test_the_judges_are_the_ones_that_are_drawn(tmp_path: Path) -> None:
    script = (ROOT / "examples" / "make_judges.py").read_text(encoding="utf-8")
    (tmp_path / "make_judges.py").write_text(script, encoding="utf-8")
    runpy.run_path(str(tmp_path / "make_judges.py"))
    for name in ("judges.csv", "judges_new.csv", "judges_key.csv"):
        assert (tmp_path / name).read_bytes() == (ROOT / "examples" / name).read_bytes()
