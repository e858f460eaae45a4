"""Pages that are generated are the ones that stand in the repository."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_of_methods_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = tmp_path / "methods.md"
    monkeypatch.setattr(sys, "argv", ["generate_methods.py", str(fresh)])
    runpy.run_path(str(DOCS / "generate_methods.py"), run_name="__main__")
    assert fresh.read_text(encoding="utf-8") == (DOCS / "methods.md").read_text(encoding="utf-8"), "run make docs"
