"""Shah and Shanian (2009), Table 2: what the audit of its 96 rows finds, and that it would find more if there were."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import trunc
from statistics import median

import numpy as np
import pytest
from studies.shah.audit import (
    COLUMNS,
    Printed,
    Row,
    audit,
    audit_row,
    clopper_pearson,
    deviation,
    lines,
    read_table,
    standard_error_interval,
    theorem_2_as_printed,
)

from holdfast.numerics.binomial import binomial_tail, binomial_tail_inverse


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return audit()


def test_a_row_agrees_on_one_count_and_explains_the_rest() -> None:
    for row in read_table():
        where, found = f"{row['dataset']}, {row['learner']}", audit_row(row)
        assert len(found.counts) == 1, f"{where}: {found.counts} agree with equally many columns"
        assert found.agreeing >= 2, where
        for column, cell in found.cells.items():
            assert cell.by or cell.reason, f"{where}: {column} is called a misprint without a reason"
            off = abs(cell.printed.units - Fraction(cell.recomputed) * cell.printed.scale)
            assert off < 1 if cell.by else off > Fraction(1, 2), f"{where}: {column} is off by {float(off):.2f}"


def test_the_table_is_whole() -> None:
    table = read_table()
    assert len(table) == 96
    assert set(Counter(row["dataset"] for row in table).values()) == {6}
    assert set(Counter(row["learner"] for row in table).values()) == {16}


def test_the_limits_are_clopper_pearson_truncated(rows: list[Row]) -> None:
    truncated = {column: sum(row.cells[column].by in ("truncation", "either") for row in rows) for column in COLUMNS}
    assert (truncated["B_l"], truncated["B_u"]) == (96, 94)
    assert sum(row.cells["B_l"].by == "either" for row in rows) < 96  # rounding would not explain them


def test_a_truncated_upper_limit_promises_too_much(rows: list[Row]) -> None:
    upper = [row.cells["B_u"] for row in rows]
    short = [cell for cell in upper if cell.by and cell.printed.value < Fraction(cell.recomputed)]
    assert len(short) == 94  # every printed upper limit that is no misprint: an upper limit should be rounded up


def test_how_many_numbers_are_misprints(rows: list[Row]) -> None:
    wrong = Counter(column for row in rows for column in row.misprints)
    assert wrong == {"R_T": 4, "B_u": 2, "CI_l": 6, "CI_u": 6}
    assert sum(bool(row.misprints) for row in rows) == 11
    moved = [row.name for row in rows if any("decimal point" in cell.reason for cell in row.cells.values())]
    last = [row.name for row in rows if any("last digit" in cell.reason for cell in row.cells.values())]
    assert (len(moved), len(last)) == (2, 2)


def test_the_risk_is_sometimes_truncated_and_sometimes_rounded(rows: list[Row]) -> None:
    assert Counter(row.cells["R_T"].by for row in rows) == {"either": 58, "truncation": 30, "rounding": 4, "": 4}
    same = {row.learner: row for row in rows if row.dataset == "BreastCancer" and row.learner in ("SVM", "SCM")}
    assert same["SVM"].k == same["SCM"].k
    assert same["SVM"].cells["R_T"].printed != same["SCM"].cells["R_T"].printed


def test_the_gaussian_limits_are_two_standard_deviations(rows: list[Row]) -> None:
    def fits(row: Row, divisor: int) -> bool:
        twice = 2 * deviation(row.k, row.m) * ((row.m - 1) / divisor) ** 0.5
        half = (row.cells["CI_u"].printed.value - row.cells["CI_l"].printed.value) / 2
        return half == Fraction(trunc(twice * 1000), 1000)

    assert sum(fits(row, row.m - 1) for row in rows) == 85
    assert sum(fits(row, row.m) for row in rows) < 40
    assert not any(fits(row, row.m * (row.m - 1)) for row in rows if row.k)  # no standard error anywhere


def test_the_headline_comparison_is_that_slip(rows: list[Row]) -> None:
    """The printed Gaussian limits leave [0, 1] for want of a division by the root of m, not for being Gaussian."""
    printed = [(row.cells["CI_l"].printed.value, row.cells["CI_u"].printed.value) for row in rows]
    proper = [standard_error_interval(row.k, row.m) for row in rows]
    assert sum(lower < 0 or upper > 1 for lower, upper in printed) == 91
    assert [row.name for row, (lower, upper) in zip(rows, proper, strict=True) if lower < 0 or upper > 1] == [
        "Letter-AB SVM"
    ]
    exact = [np.subtract(*(limit[row.k] for limit in reversed(clopper_pearson(row.m)))) for row in rows]
    ratios = [(upper - lower) / width for (lower, upper), width in zip(proper, exact, strict=True)]
    assert round(median(ratios), 2) == 0.97


def test_theorem_2_as_printed_is_not_what_was_computed(rows: list[Row]) -> None:
    def fits(row: Row) -> bool:
        return bool(row.cells["B_l"].printed.arises_by(Fraction(theorem_2_as_printed(row.k, row.m))))

    def truncates(row: Row) -> bool:
        printed = row.cells["B_l"].printed
        return trunc(Fraction(theorem_2_as_printed(row.k, row.m)) * printed.scale) == printed.units

    assert sum(map(truncates, rows)) == 15
    assert sum(map(fits, rows)) < 30  # nor does rounding rescue it


@pytest.mark.parametrize(("rate", "covered"), [(0.0, 0.0), (0.01, 0.9206), (0.5, 0.9334)])
def test_theorem_2_as_printed_does_not_hold(rate: float, covered: float) -> None:
    n, k = 100, np.arange(100)
    lower = np.append(binomial_tail_inverse(n - k - 1, n, 0.05).room, 1.0)  # min{p : P(X > k) >= delta}, k = 0..n
    largest = int(np.searchsorted(lower, rate, "right")) - 1  # the largest count whose limit does not exceed the rate
    assert round(float(binomial_tail(largest, n, rate)), 4) == covered < 0.95


@pytest.mark.parametrize("column", ["R_T", "B_l", "B_u", "CI_l", "CI_u"])
def test_the_audit_notices_two_wrong_units(column: str) -> None:
    """Two units in the last place are enough in every row; one might be the other way of cutting a number short."""
    for row in read_table():
        if audit_row(row).misprints:
            continue
        printed = Printed(row[column])
        digits = len(str(printed.scale)) - 1
        changed = audit_row({**row, column: f"{(printed.units + 2) / printed.scale:.{digits}f}"})
        assert changed.misprints, f"{row['dataset']} {row['learner']}: {changed.cells[column]}"


def test_the_printout_marks_every_misprint(rows: list[Row]) -> None:
    text = list(lines(rows))
    assert len(text) == 1 + 96 + len(COLUMNS)
    assert sum(line.count("!") for line in text) == sum(len(row.misprints) for row in rows)
