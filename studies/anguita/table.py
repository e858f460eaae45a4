"""Table 1: each printed formula beside today's method, and whether it keeps its promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from holdfast.claims import Coverage
from holdfast.verify.exact import worst_coverages
from studies.anguita.equations import DELTA, NEAR, TABLE, Row, apart, score, wil_b, z
from studies.anguita.figures import limit_of
from studies.checks import Check, statement
from studies.pages import Page
from studies.runs import Run

EVERY, SOME = range(1, 201), (1, 2, 3, 19, 50, 200)  # numbers of examples of which every count is looked at
WHOLE = np.array([(n, k) for n in (10, 40, 200) for k in range(0, n // 2 + 1, n // 10)], float)  # with whole counts


def told(page: Page, run: Run) -> None:
    sizes = SOME if run.fast else EVERY
    worst = {row.short: worst_of(row, sizes) for row in run.steps("Table 1, bound", TABLE)}
    page.section(
        "Table 1: ten bounds",
        "Each formula was typed as it is printed and compared with the method of the catalog at n = 10, 40 and 200, "
        "for empirical errors from 0 to 50 %, at delta = 0.05. The last columns come from counting out every number "
        f"of errors for every n from 1 to {EVERY[-1]}: the least coverage of any true error rate, against a nominal "
        f"95 %. {sum(each.kept for each in worst.values())} of the {len(TABLE)} keep their promise; NOR and WIL do "
        "not, as the document says. CHE and GUT come from two-sided inequalities; Cantelli's one-sided form would "
        "have been free (`chebyshev` and `guttman` in the catalog).",
    )
    page.table(
        ("bound", "printed as", "short name", "method today", "bounds", "least coverage", "at n, error rate", "holds"),
        [_row(row, worst[row.short]) for row in TABLE],
    )
    page.check(*checks(worst))


def worst_of(row: Row, sizes: Sequence[int]) -> Coverage:
    """The least coverage of the upper limit over all error rates and numbers of examples."""
    return min(worst_coverages(row.method, sizes, DELTA, "upper"), key=lambda each: each.coverage)


def _row(row: Row, worst: Coverage) -> tuple[object, ...]:
    holds = "yes" if worst.kept else "no"
    at = f"{worst.n}, {worst.at:.4f}" if worst.coverage else f"{worst.n}, just above {worst.at:.0f}"
    return row.name, row.equations, row.short, row.method.name, row.sided, f"{worst.coverage:.4f}", at, holds


def checks(worst: dict[str, Coverage]) -> Iterator[Check]:
    for row in TABLE:
        yield _formula(row)
    rigorous = {row.short: worst[row.short].kept for row in TABLE if row.short not in ("NOR", "WIL")}
    least = min((short for short in rigorous), key=lambda short: worst[short].coverage)
    yield statement(
        "5",
        "all the bounds of scenario 2 are rigorous, and Clopper-Pearson is",
        all(rigorous.values()),
        f"every count of every n to {EVERY[-1]}: the least is {worst[least].coverage:.4f}, of {least}",
    )
    yield statement(
        "2.1, 2.2",
        "the normal approximation and Wilson's score are not rigorous",
        not (worst["NOR"].kept or worst["WIL"].kept),
        f"their coverage falls to {worst['NOR'].coverage:.2f} and {worst['WIL'].coverage:.3f}",
    )


def _formula(row: Row) -> Check:
    n, mean = WHOLE[:, 0], WHOLE[:, 1] / WHOLE[:, 0]
    off = float(np.abs(row.printed(n, mean, mean * (1 - mean), DELTA) - limit_of(row.short, n, mean)).max())
    printed = f"{row.short} is {row.equations}"
    if row.short != "WIL":
        return statement("Table 1", printed, off < NEAR, f"as printed and as `{row.method.name}`: {apart(off)}")
    # The row names (22) twice and (21), which gives A, not at all; taken at its word, A is the value of (22).
    at_its_word = score(mean, wil_b(n, mean, DELTA), wil_b(n, mean, DELTA))
    wrong = float(np.abs(at_its_word - limit_of("WIL", n, mean)).max())
    right = float(
        np.abs(score(mean, z(DELTA) ** 2 / n, z(DELTA) * wil_b(n, mean, DELTA)) - limit_of("WIL", n, mean)).max()
    )
    return statement(
        "Table 1",
        printed,
        wrong < NEAR,
        f"(22) for A is off by up to {wrong:.2f}; (21) for A, and z times (22) for B: {apart(right)}",
        right="(20), (21), (22)",
        why="A slip of the pen: A stands in (21), B in (22).",
    )
