"""Tables 1 and 2 in the paper's layout, what is printed beside what is found today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import holdfast as hf
from holdfast.render.phrases import rounded
from studies.checks import Check, Status
from studies.shah.audit import COLUMNS, DELTA, Cell, Row, deviation, standard_error_interval
from studies.shah.data import TABLE_1, DataSet
from studies.shah.experiment import Outcome
from studies.shah.learners import LEARNERS, Learner

HOW = {
    "R_T": "{k} of {m} errors",
    "B_l": "Clopper-Pearson at 0.025 from {k} of {m} errors",
    "B_u": "Clopper-Pearson at 0.025 from {k} of {m} errors",
    "CI_l": "R_T less two standard deviations of the losses, {k} of {m} errors",
    "CI_u": "R_T and two standard deviations of the losses, {k} of {m} errors",
}
HEADER_1 = ("Data-Set", "T", "S", "n", "rows here", "attributes here", "numbers", "words", "missing values", "classes")
HEADER_2 = (
    *("Data-Set", "A", "R_T", "B_l", "B_u", "CI_l", "CI_u", "errors"),
    *("here: errors", "R_T", "B_l", "B_u", "CI_l", "CI_u", "two standard errors", "beside the paper"),
)


def printed_numbers(rows: Sequence[Row]) -> list[Check]:
    """Each of the 480 numbers of Table 2, by the count that its row's columns agree on."""
    return [_number(row, column, rows) for row in rows for column in COLUMNS]


def _number(row: Row, column: str, rows: Sequence[Row]) -> Check:
    cell = row.cells[column]
    status = Status.AGREES if cell.by else Status.DIFFERS
    how = HOW[column].format(k=row.k, m=row.m)
    found = rounded(cell.recomputed, len(str(cell.printed.scale)) + 1, "nearest")
    return Check(
        f"Table 2, {row.name}", column, cell.printed.text, found, status, how, "" if cell.by else _why(cell, row, rows)
    )


def _why(cell: Cell, row: Row, rows: Sequence[Row]) -> str:
    """Where the number may come from: the next block of the table, or what the audit's reason tells."""
    place = rows.index(row)
    for other in (rows[i] for i in (place - len(LEARNERS), place + len(LEARNERS)) if 0 <= i < len(rows)):
        if cell is row.cells["R_T"] and cell.printed == other.cells["R_T"].printed:
            return f"It is what {other.name} prints."
    for sign in (", ", "; "):
        if sign in cell.reason:
            told = cell.reason.split(sign, 1)[1]
            return f"{told[0].upper()}{told[1:]}."
    return ""


def cut_by(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """For each column, how many of its numbers arise by cutting off digits, by rounding, by either, and not at all."""
    for column in COLUMNS:
        ways = Counter(row.cells[column].by for row in rows)
        yield column, *(str(ways[way]) for way in ("either", "truncation", "rounding", ""))


def table_1(sets: Mapping[str, DataSet]) -> Iterator[tuple[object, ...]]:
    for about in TABLE_1:
        printed = about.printed, about.test, about.train, about.attributes
        data = sets.get(about.name)
        if data is None:
            yield *printed, *["not at hand"] * 6
            continue
        words = data.attributes - data.numbers
        classes = ", ".join(f"{size:,}" for size in np.bincount(data.y))
        yield *printed, f"{len(data.y):,}", data.attributes, data.numbers, words, f"{data.missing:,}", classes


def table_2(rows: Sequence[Row], outcomes: Sequence[Outcome]) -> Iterator[tuple[str, ...]]:
    """All rows that the paper prints; what is found today is empty where the data set was not at hand."""
    found = {(outcome.dataset, outcome.learner): outcome for outcome in outcomes}
    for row in rows:
        printed = [
            f"**{cell.printed.text}**" if row.misprints.get(c) else cell.printed.text for c, cell in row.cells.items()
        ]
        outcome = found.get((row.dataset, row.learner))
        here = [*_found(outcome), beside(row, outcome)] if outcome else [""] * 8
        yield row.dataset, row.learner, *printed, f"{row.k}/{row.m}", *here


def _found(outcome: Outcome) -> Iterator[str]:
    """The paper's columns from our errors; the exact limits rounded outward."""
    k, m = outcome.errors, outcome.tested
    claim = hf.bound(hf.Counts(k, m), delta=2 * DELTA)
    digits = 3 if m < 2000 else 4
    yield f"{k}/{m}"
    yield rounded(k / m, digits, "nearest")
    yield rounded(float(claim.lower), digits, "down")
    yield rounded(float(claim.upper), digits, "up")
    twice = 2 * deviation(k, m)
    yield from (rounded(limit, 3, "nearest") for limit in (k / m - twice, k / m + twice))
    lower, upper = standard_error_interval(k, m)
    yield f"{rounded(lower, digits, 'nearest')} to {rounded(upper, digits, 'nearest')}"


def beside(row: Row, outcome: Outcome) -> str:
    """Whether two exact intervals, which hold together with 95 % however the two test sets overlap, are apart.

    The count that the paper's columns agree on is taken, not a misprinted risk.
    """
    ours, printed = (
        hf.bound(hf.Counts(k, m), delta=DELTA) for k, m in ((outcome.errors, outcome.tested), (row.k, row.m))
    )
    if float(ours.upper) < float(printed.lower):
        return "fewer errors here"
    if float(ours.lower) > float(printed.upper):
        return "more errors here"
    return "alike"


def grids(learners: Sequence[Learner] = LEARNERS) -> Iterator[tuple[str, ...]]:
    for learner in learners:
        grid = "; ".join(f"{name}: {_values(values)}" for name, values in learner.grid.items())
        yield learner.name, learner.told, grid or "nothing to choose"


def chosen(outcomes: Sequence[Outcome], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row for each data set: the setting that each learner was given."""
    settings = {(outcome.dataset, outcome.learner): outcome.setting for outcome in outcomes}
    for dataset in dict.fromkeys(outcome.dataset for outcome in outcomes):
        told = (settings.get((dataset, name), {}) for name in names)
        yield dataset, *(", ".join(f"{key} {_value(value)}" for key, value in each.items()) or "–" for each in told)


def _values(values: Sequence[object]) -> str:
    if len(values) > 8 and all(isinstance(value, int) for value in values):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(_value, values))


def _value(value: object) -> str:
    if isinstance(value, float):
        return "∞" if value == float("inf") else f"{value:g}"
    return str(value)
