"""The study of the slides: its page is as committed, and agrees with the reference."""

from __future__ import annotations

import pytest
from studies.checks import Check, Status
from studies.pages import Page
from studies.runs import Run
from studies.slides import study, training

import holdfast as hf
from tests.studies.committed import committed, reference, told

pytestmark = pytest.mark.long  # a fast version of the whole study


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True))


def found(page: Page, place: str, what: str) -> Check:
    return next(check for check in page.checks if (check.place, check.what) == (place, what))


def said(page: Page, part: str) -> Check:
    return next(check for check in page.checks if part in check.printed)


def test_the_committed_page_says_the_same(page: Page) -> None:
    assert told(page.checks) == committed("slides")


def test_the_reference_values(page: Page) -> None:
    rows = reference("003")
    table = [(item, row) for (item, quantity), row in rows.items() if quantity == "z" and item.startswith("z table")]
    assert len(table) == 7
    for item, row in table:
        check = found(page, "z table", f"z for {item.split()[-1].removesuffix('%')} %")
        assert (check.printed, float(check.found)) == (
            row["printed"],
            pytest.approx(float(row["recomputed"]), abs=6e-5),
        )
        assert (check.status is Status.AGREES) == (row["verdict"] == "ok")
    assert said(page, "[69.1, 80.1]").status is Status.DIFFERS
    assert said(page, "more confident").status is Status.DIFFERS
    assert said(page, "(S_N - p')").status is Status.DIFFERS
    assert found(page, "Leave-one-out", "error of the majority class in percent").status is Status.AGREES


@pytest.mark.parametrize(
    ("place", "limits"),
    [
        ("750 of 1000 at 80 %", ("73.245", "76.755")),
        ("75 of 100 at 80 %", ("69.451", "80.549")),
    ],
)
def test_the_limits_that_the_slides_derive_are_not_those_they_print(
    page: Page, place: str, limits: tuple[str, str]
) -> None:
    checks = [found(page, place, f"{end} limit in percent") for end in ("lower", "upper")]
    assert tuple(check.found for check in checks) == limits
    assert Status.DIFFERS in {check.status for check in checks}


def test_what_is_wrong_is_what_was_found_wrong(page: Page) -> None:
    wrong = [(check.place, check.what) for check in page.checks if check.status is Status.DIFFERS]
    assert len(wrong) == 11
    assert ("z table", "z for 5 %") in wrong
    assert {what for place, what in wrong if place == "70 of 100 at 90 %"} == {"lower limit", "upper limit"}


def test_the_derived_interval_covers_nothing_near_the_end() -> None:
    assert hf.worst_coverage("normal", 100, confidence="0.9").coverage < 0.01
    assert hf.worst_coverage("clopper-pearson", 100, confidence="0.9").coverage >= 0.9


def test_without_the_data_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(fast=True)
    monkeypatch.setattr(run, "file", lambda name: None)
    page = Page("slides", "", "")
    training._dilemma(page, run)
    assert [check.how for check in page.checks] == ["sonar.csv is missing"]
