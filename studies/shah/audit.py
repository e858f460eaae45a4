"""Table 2 of Shah and Shanian (2009), audited: which of its printed numbers follow from the paper's own formulas?

The table prints no counts. So the count behind each row is inferred first, as the one that most of the row's columns
agree on, and every printed number is then recomputed from it. Nothing about any row is known beforehand.

Run as a program it prints the audit: python -m studies.shah.audit
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import floor, sqrt, trunc
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import holdfast as hf

TABLE = Path(__file__).with_name("table2.csv")
COLUMNS = ("R_T", "B_l", "B_u", "CI_l", "CI_u")
DELTA = 0.025  # of each limit: the paper's choice, to match two standard deviations
LEAST_DIGITS = 3  # the table drops trailing zeros: 0.05 stands for 0.050, and 0 for 0.000


@dataclass(frozen=True)
class Printed:
    """A number as the paper prints it, read as a whole number of units in its last place."""

    text: str

    @property
    def scale(self) -> int:
        exponent = Decimal(self.text).as_tuple().exponent
        assert isinstance(exponent, int)  # a number, neither infinite nor NaN
        return 10 ** max(LEAST_DIGITS, -exponent)

    @property
    def units(self) -> int:
        return int(Decimal(self.text) * self.scale)

    @property
    def value(self) -> Fraction:
        return Fraction(self.units, self.scale)

    def arises_by(self, value: Fraction) -> str:
        """How the exact value was cut to what is printed: "truncation", "rounding", "either", or "" for not at all."""
        truncated, rounded = trunc(value * self.scale) == self.units, nearest(value, self.scale) == self.units
        return {(True, True): "either", (True, False): "truncation", (False, True): "rounding"}.get(
            (truncated, rounded), ""
        )


@dataclass(frozen=True)
class Cell:
    """One printed number and what became of it."""

    printed: Printed
    recomputed: float
    by: str  # "truncation", "rounding", "either"; empty for a misprint
    reason: str = ""

    @property
    def status(self) -> str:
        return "reproduced" if self.by else "misprint"


@dataclass(frozen=True)
class Row:
    """One classifier on one data set: m test examples, and the k errors that its columns agree on."""

    dataset: str
    learner: str
    m: int
    counts: tuple[int, ...]  # all the counts that agree with equally many columns: one, if the inference is sound
    agreeing: int  # of R_T, B_l, B_u and the half-width of CI
    cells: dict[str, Cell]

    @property
    def k(self) -> int:
        return self.counts[0]

    @property
    def name(self) -> str:
        return f"{self.dataset} {self.learner}"

    @property
    def misprints(self) -> dict[str, Cell]:
        return {column: cell for column, cell in self.cells.items() if cell.status == "misprint"}


def read_table() -> list[dict[str, str]]:
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def audit(table: list[dict[str, str]] | None = None) -> list[Row]:
    """Every row of the table with the count behind it and the status of each of its numbers."""
    return [audit_row(row) for row in (read_table() if table is None else table)]


def audit_row(row: dict[str, str]) -> Row:
    m, printed = int(row["T"]), printed_of(row)
    agreeing = agreement(m, printed)
    counts = tuple(int(k) for k in np.flatnonzero(agreeing == agreeing.max()))
    k = counts[0]
    lower, upper = (Fraction(float(limit[k])) for limit in clopper_pearson(m))
    risk = risk_cell(printed["R_T"], k, m)
    cells = {
        "R_T": risk,
        "B_l": limit_cell(printed["B_l"], lower),
        "B_u": limit_cell(printed["B_u"], upper),
        "CI_l": interval_cell(printed["CI_l"], -1, risk, k, m),
        "CI_u": interval_cell(printed["CI_u"], +1, risk, k, m),
    }
    return Row(row["dataset"], row["learner"], m, counts, int(agreeing.max()), cells)


def printed_of(row: dict[str, str]) -> dict[str, Printed]:
    return {column: Printed(row[column]) for column in COLUMNS}


def agreement(m: int, printed: dict[str, Printed]) -> NDArray[np.int64]:
    """With how many columns each count 0..m agrees; the two ends of CI speak with one voice, that of its half-width."""
    k = np.arange(m + 1)
    lower, upper = clopper_pearson(m)
    risk, scale = printed["R_T"].units, printed["R_T"].scale
    half = (printed["CI_u"].value - printed["CI_l"].value) / 2
    width = float(half * 10**LEAST_DIGITS)
    return (
        np.asarray((k * scale // m == risk) | ((2 * k * scale + m) // (2 * m) == risk), np.int64)
        + (printed["B_l"].units == np.trunc(lower * printed["B_l"].scale))
        + (printed["B_u"].units == np.trunc(upper * printed["B_u"].scale))
        + np.isin(k, counts_of_half_width(width, m))
    )


def risk_cell(printed: Printed, k: int, m: int) -> Cell:
    value = Fraction(k, m)
    by = printed.arises_by(value)
    near = floor(printed.value * m)
    others = [j for j in (near, near + 1) if printed.arises_by(Fraction(j, m))]
    source = f"it is {others[0]}/{m}" if others else f"no count of {m} gives it"
    return Cell(printed, float(value), by, "" if by else f"{k}/{m} = {float(value):.4f}; {source}")


def limit_cell(printed: Printed, value: Fraction) -> Cell:
    by = printed.arises_by(value)
    return Cell(printed, float(value), by, "" if by else f"{float(value):.5f}{slip(printed, value)}")


def interval_cell(printed: Printed, sign: int, risk: Cell, k: int, m: int) -> Cell:
    """R_T as printed, or as it should have been printed, and twice the standard deviation: not the standard error."""
    twice, thousand = Fraction(2 * deviation(k, m)), 10**LEAST_DIGITS
    truncated, rounded = Fraction(trunc(twice * thousand), thousand), Fraction(nearest(twice, thousand), thousand)
    right = Fraction(k, m)
    centres = [(risk.printed.value, "")]
    if risk.status == "misprint":
        centres[0] = (risk.printed.value, "about the misprinted R_T")
        for units in (trunc(right * thousand), nearest(right, thousand)):
            centres.append((Fraction(units, thousand), "about the right R_T"))
    for centre, reason in centres:
        if printed.value == centre + sign * truncated:
            return Cell(printed, float(centre + sign * twice), "truncation", reason)
        if by := printed.arises_by(centre + sign * twice):
            whole = "the limit was cut, not the half-width" if risk.printed.scale > thousand else ""
            return Cell(printed, float(centre + sign * twice), by, reason or whole)
        if printed.value == centre + sign * rounded:
            return Cell(printed, float(centre + sign * twice), "rounding", reason)
    value = centres[0][0] + sign * twice
    others = counts_of_half_width(float(abs(printed.value - centres[0][0]) * thousand), m)
    hint = f", the half-width is that of {others[0]}/{m}" if others.size else slip(printed, value)
    return Cell(printed, float(value), "", f"{float(value):.4f}{hint}")


def slip(printed: Printed, value: Fraction) -> str:
    """A guess at how a misprint came about, if a simple one explains it."""
    if trunc(value * printed.scale * 10) == printed.units:
        return ", the decimal point has moved"
    if abs(trunc(value * printed.scale) - printed.units) == 1:
        return ", off by one in the last digit"
    return ""


@cache
def clopper_pearson(m: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The limits of every count 0..m."""
    claim = hf.bound(hf.Counts(np.arange(m + 1), m), "clopper-pearson", delta=2 * DELTA)
    return np.asarray(claim.lower), np.asarray(claim.upper)


def theorem_2_as_printed(k: int, m: int) -> float:
    """min{p : P(X > k) >= delta}, which is the right lower limit of one error more."""
    return float(clopper_pearson(m)[0][k + 1])


def deviation(k: int, m: int) -> float:
    """The standard deviation of the m losses themselves, with divisor m - 1."""
    return sqrt(k * (m - k) / (m * (m - 1)))


def counts_of_half_width(units: float, m: int) -> NDArray[np.int64]:
    """The counts whose two standard deviations, in thousandths, are cut to this."""
    twice = 2 * deviations(m) * 10**LEAST_DIGITS
    return np.flatnonzero((units == np.trunc(twice)) | (units == np.floor(twice + 0.5)))


@cache
def deviations(m: int) -> NDArray[np.float64]:
    return np.array([deviation(k, m) for k in range(m + 1)])


def standard_error_interval(k: int, m: int) -> tuple[float, float]:
    """What CI should have been: two standard errors about the risk."""
    slack = 2 * deviation(k, m) / sqrt(m)
    return k / m - slack, k / m + slack


def nearest(value: Fraction, scale: int) -> int:
    """The value in units of 1/scale, halves going away from zero as in print."""
    return trunc(value * scale + Fraction(1 if value >= 0 else -1, 2))


def lines(rows: list[Row]) -> Iterator[str]:
    yield f"{'row':18} {'k/m':>9} " + " ".join(f"{column:>8}" for column in COLUMNS) + "  remarks"
    for row in rows:
        marks = [f"{c.printed.text}{'' if c.by else '!'}" for c in row.cells.values()]
        remarks = [f"{column}: {cell.reason}" for column, cell in row.cells.items() if cell.reason]
        count = f"{row.k}/{row.m}"
        yield f"{row.name:18} {count:>9} " + " ".join(f"{mark:>8}" for mark in marks) + "  " + "; ".join(remarks)
    for column in COLUMNS:
        ways = Counter(row.cells[column].by or "misprint" for row in rows)
        yield f"{column}: " + ", ".join(f"{count} {way}" for way, count in ways.most_common())


if __name__ == "__main__":
    print("\n".join(line.rstrip() for line in lines(audit())))
