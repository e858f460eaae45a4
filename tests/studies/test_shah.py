"""Document 000: what does not hang on chance is what docs/studies/shah.json says, and what the reference says."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from studies.checks import Check, Status
from studies.pages import Page, read_checks
from studies.runs import SHIPPED, Run
from studies.shah import FAST, _table_1, study
from studies.shah.audit import Row, audit, clopper_pearson, deviation, standard_error_interval
from studies.shah.data import MARKS, OPENML, TABLE_1
from studies.shah.experiment import Outcome
from studies.shah.statements import SIZES, coverage_as_printed, right_coverage
from studies.shah.tables import beside

ROOT = Path(__file__).parents[2]
ELSEWHERE = Path(__file__).parents[3] / "shared" / "data"
REFERENCE = Path(__file__).parents[1] / "reference" / "shah_table2_checked.csv"
WRITTEN = ROOT / "docs" / "studies" / "shah.json"
BY_CHANCE = "R_T by the split"


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True, data=ELSEWHERE if ELSEWHERE.is_dir() else None))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return audit()


def told(check: Check) -> tuple[str, ...]:
    return check.place, check.what, check.printed, check.found, check.status.value


@pytest.mark.long
def test_what_does_not_hang_on_chance_is_what_was_written(page: Page) -> None:
    _, written = read_checks(WRITTEN)
    gone = {check.what for check in page.checks if "not at hand" in check.how}
    here, there = (
        [told(check) for check in checks if check.what != BY_CHANCE and check.what not in gone]
        for checks in (page.checks, written)
    )
    assert here == there
    assert len(here) > 480


def test_naive_bayes_errs_here_as_it_did_when_the_page_was_written(page: Page) -> None:
    """It has no settings, so that the fast run trains the very same models."""
    here, there = (
        {line for line in text.splitlines() if re.match(rf"\| ({'|'.join(FAST)}) \| NB ", line)}
        for text in (page.text(), WRITTEN.with_suffix(".md").read_text(encoding="utf-8"))
    )
    assert here == there
    assert len(here) == len(FAST)


def test_how_many_of_the_printed_numbers_follow(page: Page) -> None:
    numbers = [check for check in page.checks if check.place.startswith("Table 2") and check.what != BY_CHANCE]
    assert Counter(check.status for check in numbers) == {Status.AGREES: 462, Status.DIFFERS: 18}
    reasons = {told(check)[:3]: check.why for check in numbers}
    assert "SonarM DT" in reasons["Table 2, Sonar DT", "R_T", "0.365"]
    assert "10/200" in reasons["Table 2, USvotes SVM", "R_T", "0.05"]
    assert "decimal point" in reasons["Table 2, Mushroom SCM", "B_u", "0.304"]


def test_the_statements_that_fail_are_these(page: Page) -> None:
    failing = [check.place for check in page.checks if check.what == "statement" and check.status is Status.DIFFERS]
    assert Counter(failing) == {
        "Theorem 2": 1,
        "Section 3": 2,  # what CI is; six learners, of which five are described
        "Section 4": 2,
        "Sections 1 and 4": 1,
    }
    numbers = {(c.place, c.what): c.found for c in page.checks if c.status is Status.DIFFERS and c.what != "statement"}
    assert numbers["References", "volume of Langford (2005)"] == "6"
    assert numbers["Table 1", "Letter_DO: examples, |T| + |S|"] == "1558"


def test_the_audit_finds_what_the_reference_has(rows: list[Row]) -> None:
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        reference = list(csv.DictReader(file))
    assert len(reference) == len(rows)
    for row, known in zip(rows, reference, strict=True):
        assert (row.dataset, row.learner, row.m) == (known["dataset"], known["learner"], int(known["T"]))
        assert row.k == int(known["k_inferred"]), row.name
        lower, upper = (float(limit[row.k]) for limit in clopper_pearson(row.m))
        assert (lower, upper) == pytest.approx((float(known["B_l_CP"]), float(known["B_u_CP"])), abs=1e-6), row.name
        proper = [float(known[name]) for name in ("CIproper_l_2se", "CIproper_u_2se")]
        # The reference's standard error has divisor m or m - 1: they differ less than this.
        assert standard_error_interval(row.k, row.m) == pytest.approx(proper, abs=1e-3), row.name
        assert bool(row.misprints) or known["verdict"] != "ERROR", row.name


def test_theorem_2_fails_just_where_it_says_too_much() -> None:
    for m in SIZES[:3]:
        rates = np.linspace(0.0, 0.5, 501)
        assert (right_coverage(m, rates) >= 0.975 - 1e-9).all()
        assert coverage_as_printed(m, rates).min() == 0.0
        assert coverage_as_printed(m, np.array([0.003])) < 0.975


def test_the_deviation_is_that_of_the_losses() -> None:
    losses = np.repeat([1.0, 0.0], [11, 189])
    assert deviation(11, 200) == pytest.approx(losses.std(ddof=1))


@pytest.mark.parametrize(("errors", "said"), [(0, "fewer errors here"), (11, "alike"), (60, "more errors here")])
def test_two_error_rates_are_apart_where_their_intervals_are(rows: list[Row], errors: int, said: str) -> None:
    assert rows[0].k == 11
    assert beside(rows[0], Outcome(rows[0].dataset, rows[0].learner, errors, rows[0].m, {}, 0.0)) == said


def test_a_set_that_is_not_at_hand_is_named() -> None:
    page = Page("shah", "", "")
    _table_1(page, {})
    assert Counter(check.status for check in page.checks) == {Status.UNKNOWN: 2 * len(TABLE_1)}
    assert "Not at hand, and so left out below: Usvotes, bupa," in page.text().replace("\n", " ")


def test_what_is_shipped_is_what_its_list_says() -> None:
    listed = dict(re.findall(r"`(\w+\.csv)` \|.*`([0-9a-f]{64})`", (SHIPPED / "README.md").read_text(encoding="utf-8")))
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in SHIPPED.glob("*.csv")}
    assert found == listed
    assert {about.file for about in TABLE_1} - {*found} == {*OPENML, *MARKS}
