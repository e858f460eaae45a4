"""Pages that are generated are the ones that stand in the repository."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest
from studies.__main__ import STUDIES
from studies.checks import counted
from studies.errata import errata
from studies.pages import read_checks

from holdfast.catalog import find, methods
from holdfast.claims import Guarantee
from holdfast.verify.learners import LEARNERS, needs_folds
from tests.needs import module
from tests.tries import trials, tries

DOCS = Path(__file__).parents[1] / "docs"
MAKE = DOCS / "_make"


@tries(every="folds", how="simulated")  # the page on cross-validation is made of trials of all of them
@pytest.mark.parametrize(
    "page",
    [
        "architecture",
        "methods",
        "measures",
        "command-line",
        "logs",
        "references",
        "peers",
        "studies/index",
        pytest.param("crossings", marks=pytest.mark.long),
        pytest.param("which-method", marks=pytest.mark.long),
        pytest.param("cross-validation", marks=pytest.mark.long),
    ],
)
def test_a_generated_page_is_up_to_date(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "crossings":
        module("duckdb")
    fresh, script = tmp_path / "page.md", f"generate_{page.replace('-', '_').replace('/', '_')}.py"
    monkeypatch.setattr(sys, "argv", [script, str(fresh)])
    monkeypatch.syspath_prepend(str(MAKE))
    runpy.run_path(str(MAKE / script), run_name="__main__")
    assert fresh.read_text(encoding="utf-8") == (DOCS / f"{page}.md").read_text(encoding="utf-8"), "run make docs"


@pytest.mark.parametrize("side", ["both", "upper"])
def test_some_trials_of_the_page_on_cross_validation_are_those_it_shows(side: str) -> None:
    """A few cells; all of them are made again where the long tests run."""
    made = runpy.run_path(str(MAKE / "generate_cross_validation.py"))
    table = (DOCS / "cross-validation.md").read_text(encoding="utf-8").split("\n## ")[1 + (side == "upper")]
    bounds = [find(name) for name in ("hoeffding-cv", "bayle", "pooled", "averaged-folds")]
    for result in made["measured"](bounds, side, learners=["majority", "turncoat"]):
        column = 2 + list(LEARNERS).index(result.law.partition(", ")[2])
        row = next(line for line in table.splitlines() if line.startswith(f"| {result.method} |"))
        assert row.split("|")[1 + column].strip() == made["shown"](result), "run make docs"


def test_the_page_on_cross_validation_knows_every_method_and_shows_what_fails() -> None:
    text = (DOCS / "cross-validation.md").read_text(encoding="utf-8")
    for bound in methods():
        if needs_folds(bound):
            rows = [line for line in text.splitlines() if line.startswith(f"| {bound.name} |")]
            assert len(rows) == 2, "run make docs"
            short = any("**" in row for row in rows)
            assert short == (bound.guarantee is not Guarantee.FINITE)


def test_the_catalogs_page_says_of_every_method_how_wide_it_is_and_how_often_right() -> None:
    text = (DOCS / "methods.md").read_text(encoding="utf-8")
    entries = {entry.partition("\n")[0]: entry for entry in text.split("\n## ")[1:]}
    for bound in methods():
        for line in ("width", "coverage", "source", "tried"):
            assert f"{line}**: " in entries[bound.name], (bound.name, line)
        for trial in trials()[bound.name]:
            assert f"`{trial.test}`" in entries[bound.name], "run make docs"


def test_the_errata_and_the_counts_at_the_top_are_those_of_the_studies() -> None:
    folder = DOCS / "studies"
    assert errata(folder) == (DOCS / "errata.md").read_text(encoding="utf-8"), "run make studies"
    for name in STUDIES:
        title, checks = read_checks(folder / f"{name}.json")
        top = (folder / f"{name}.md").read_text(encoding="utf-8").split("\n\n")
        assert top[0] == f"# {title}"
        assert top[2] == f"Of {len(checks)} things checked: {counted(checks)}."
