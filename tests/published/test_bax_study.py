"""The study of document 001 says what the package computes, and what the facts we started from say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

STUDY = Path(__file__).parents[2] / "studies" / "bax.py"


@pytest.fixture(scope="module")
def page() -> str:
    return str(runpy.run_path(str(STUDY))["page"]())


def test_the_page_is_up_to_date(page: str) -> None:
    assert page == STUDY.with_suffix(".md").read_text(encoding="utf-8"), "run python studies/bax.py --write"


@pytest.mark.parametrize(
    "row",
    [
        "| 1000, 1000, 50 | 0.0936 | 0.0607 | [0.0320, 0.0710] |",
        "| 1000, 200, 50 | 0.2093 | 0.1052 | [0.0200, 0.0850] |",
        "| 200, 1000, 10 | 0.2093 | 0.1052 | [0.0220, 0.0930] |",
        "| 500, 500, 0 | 0.1324 | 0.0859 | [0.0000, 0.0100] |",
    ],
)
def test_one_model_from_validation_to_test(page: str, row: str) -> None:
    """The table of the reference facts, section 1.3."""
    assert row in page
