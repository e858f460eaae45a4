"""A status is computed: from the digits that are printed, from what holds, or from where a value falls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from studies.checks import Check, Status, counted, drawn, number, statement, unknown
from studies.errata import errata
from studies.pages import Page, read_checks
from studies.runs import Run, opened


@pytest.mark.parametrize(
    ("printed", "found", "cut", "status"),
    [
        ("0.267", 8 / 30, False, "agrees"),
        ("0.266", 8 / 30, False, "differs"),
        ("0.266", 8 / 30, True, "agrees"),
        ("0.268", 8 / 30, True, "differs"),
        ("0.5", 0.45, False, "agrees"),
        ("0.5", 0.55, False, "differs"),
        ("-0.402", -0.4021, False, "agrees"),
        ("1", 0.999, False, "agrees"),
        ("4.815e-4", 4.8149e-4, False, "agrees"),
        ("0.1", float("nan"), False, "differs"),
    ],
)
def test_a_number_agrees_to_the_digits_that_are_printed(printed: str, found: float, cut: bool, status: str) -> None:
    check = number("here", "a rate", printed, found, "as counted", "a slip", cut=cut)
    assert check.status.value == status
    assert check.why == ("a slip" if status == "differs" else "")


def test_a_statement_holds_or_does_not() -> None:
    assert statement("here", "it is so", True, "tried").status is Status.AGREES
    wrong = statement("here", "it is so", False, "tried", right="it is otherwise")
    assert (wrong.status, wrong.found) == (Status.DIFFERS, "it is otherwise")


def test_what_hangs_on_unknown_splits_is_never_called_wrong() -> None:
    values = np.linspace(0.1, 0.2, 1000)
    assert drawn("here", "a rate", "0.150", values, "1,000 splits").status is Status.AGREES
    for printed in ("0.090", "0.210"):
        assert drawn("here", "a rate", printed, values, "1,000 splits").status is Status.UNKNOWN


def test_the_counts_stand_at_the_top_and_the_errata_hold_what_differs(tmp_path: Path) -> None:
    page = Page("sample", "A sample", "What it is about.")
    page.section("First", "Some words.")
    page.check(
        number("1", "a rate", "0.5", 0.5, "counted"),
        number("2", "a | rate", "0.5", 0.7, "counted", "a slip"),
        unknown("3", "a split", "0.2", "lost"),
    )
    page.write(tmp_path)
    text = (tmp_path / "sample.md").read_text(encoding="utf-8")
    assert "Of 3 things checked: **1** agrees, **1** differs, **1** cannot be checked." in text
    assert r"a \| rate" in text
    assert read_checks(tmp_path / "sample.json") == ("A sample", page.checks)
    wrong = errata(tmp_path)
    assert "| 2 |" in wrong
    assert "| 1 |" not in wrong
    assert counted(page.checks) in wrong


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    store = opened(tmp_path / "store")
    asked: list[int] = []

    def compute() -> list[int]:
        asked.append(1)
        return [1, 2]

    for _ in range(2):
        assert Run(store=store).kept("a piece", compute) == [1, 2]
    assert len(asked) == 1
    assert opened(store) == store
    assert Run(store=store).kept("a piece", compute) == [1, 2]
    assert len(asked) == 1
    (store / "fingerprint").write_text("of other code", encoding="utf-8")
    Run(store=opened(store)).kept("a piece", compute)
    assert len(asked) == 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    run = Run(data=tmp_path)
    assert run.file("nowhere.csv") is None
    assert run.missing == {"nowhere.csv"}
    (tmp_path / "nowhere.csv").write_text("x\n", encoding="utf-8")
    assert run.file("nowhere.csv") == tmp_path / "nowhere.csv"


def test_a_check_says_what_it_is() -> None:
    assert Check("1", "a rate", "0.5", "0.5", Status.AGREES, "counted").why == ""
