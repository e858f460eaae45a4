"""Pages that are generated are the ones that stand in the repository."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("page", ["methods", "measures"])
def test_a_generated_page_is_up_to_date(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = tmp_path / f"{page}.md"
    monkeypatch.setattr(sys, "argv", [f"generate_{page}.py", str(fresh)])
    monkeypatch.syspath_prepend(str(DOCS))
    runpy.run_path(str(DOCS / f"generate_{page}.py"), run_name="__main__")
    assert fresh.read_text(encoding="utf-8") == (DOCS / f"{page}.md").read_text(encoding="utf-8"), "run make docs"
