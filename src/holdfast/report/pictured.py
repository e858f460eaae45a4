"""Answers that are one statement: their page and their pictures are those of a report that tells it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from holdfast.report.origin import Written


class Pictured(Written):
    """An answer with a page and pictures."""

    @cached_property
    def charts(self) -> dict[str, Any]:
        """By name, chart objects that a notebook shows."""
        from holdfast.render.charts import charts_of
        from holdfast.render.kinds import report_of

        return charts_of(report_of(self))

    def save(self, path: str | Path) -> None:
        """Write the answer as one self-contained page (.html), or as JSON (.json)."""
        from holdfast.render.page import save_answer

        save_answer(self, path)
