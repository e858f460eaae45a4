"""The page of other tools' errors is true of the versions that are installed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.needs import module

PAGE = Path(__file__).parents[1] / "docs" / "errata.md"


@pytest.mark.filterwarnings("ignore")  # theirs
def test_every_snippet_answers_as_the_page_says() -> None:
    for peer in ("statsmodels", "mlxtend", "baycomp", "autorank", "pandas"):
        module(peer)
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 20
    assert found.failed == 0
