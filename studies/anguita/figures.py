"""The curves of all twenty figures, and how far they are from another computation of the same."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Array, Counts
from holdfast.numerics.binomial import beta_quantile
from holdfast.verify import coverage_curves
from studies.anguita.equations import BINARY, BOUNDED, DELTA, NEAR, SHARES, SIZES, apart, limit
from studies.anguita.gauss import with_mean_cut
from studies.checks import Check, statement, unknown

REFERENCE = Path(__file__).parents[2] / "tests" / "reference" / "figures"
RATES = np.arange(501) / 1000
DRAWN_RATES, DRAWN_SIZES = np.arange(1, 51) / 100, np.arange(10, 201, 5)
WAYS = ("beta", "floor", "ceil", "round")  # of counting errors where n times the empirical error is not whole
DRAWS = {13: 20_000, 14: 5000, 15: 5000, 16: 5000}  # of the simulated references
BY_CHANCE = 5.0  # standard errors, which no difference from a simulated reference is by chance


@dataclass(frozen=True)
class Figure:
    """What a figure draws: a curve for each bound over n, the empirical error or the true one."""

    number: int
    caption: str
    across: str  # the column of x
    x: Array
    curves: dict[str, Array]
    redrawn: bool = False  # with other losses than the document's

    @property
    def place(self) -> str:
        return f"{'As ' if self.redrawn else ''}Fig. {self.number}"


@cache
def figures() -> dict[int, Figure]:
    """All twenty, by number."""
    made = [
        *_trends((1, 2, 3, 4), "Scenario 1: trend of the limit", BINARY, (0.25, 0.0)),
        *_coverages(),
        *_trends((9, 10, 11, 12), "Scenario 2: trend of the limit", BOUNDED, (0.25, 0.0)),
        *_simulated(),
        *_trends((17, 18, 19, 20), "CP and T_HOE: trend of the limit", ("WIL", "T_HOE", "CP"), (0.0, 0.25)),
    ]
    return {figure.number: figure for figure in made}


def _trends(numbers: tuple[int, ...], caption: str, names: tuple[str, ...], shares: tuple[float, ...]) -> list[Figure]:
    """Two figures over n at an empirical error, two over the empirical error at an n."""
    over_n = [
        (f"empirical error {100 * share:g} %", "n", SIZES, SIZES, np.full(SIZES.shape, share)) for share in shares
    ]
    over_share = [(f"n = {n}", "Lhat", SHARES, np.full(SHARES.shape, n), SHARES) for n in (10, 200)]
    found = []
    for number, (at, across, x, n, mean) in zip(numbers, [*over_n, *over_share], strict=True):
        curves = {name: limit(name, n, mean) for name in names if name != "CP"}
        if "CP" in names:
            curves |= {f"CP_{way}": clopper_pearson(n, mean, way) for way in WAYS}
        found.append(Figure(number, f"{caption} ({at})", across, np.asarray(x, float), curves))
    return found


def clopper_pearson(n: Array, mean: Array, way: str) -> Array:
    """Clopper-Pearson where the number of errors need not be whole, by one of four conventions."""
    errors = np.round(n * mean, 9)
    if way == "beta":
        return np.asarray(beta_quantile(n - errors, errors + 1, DELTA).room)
    whole = {"floor": np.floor(errors), "ceil": np.ceil(errors), "round": np.floor(errors + 0.5)}[way]
    return np.asarray(find("CP").upper(Counts(whole, n), np.asarray(DELTA)).limit)


def limit_of(short: str, n: Array, mean: Array) -> Array:
    """The limit before it is cut to [0, 1]; Clopper-Pearson's is of the nearest whole count."""
    return clopper_pearson(n, mean, "round") if short == "CP" else limit(short, n, mean)


def _coverages() -> list[Figure]:
    """Figs. 5 to 8, by enumeration."""
    found = []
    for number, n in ((5, 10), (6, 200)):
        curves = coverage_curves(BINARY, [n], RATES, delta=DELTA, side="upper")
        by_name = {name: curves[find(name).name][0] for name in BINARY}
        found.append(Figure(number, f"Scenario 1: coverage (n = {n})", "L", RATES, by_name))
    curves = coverage_curves(BINARY, SIZES, [0.01, 0.25], delta=DELTA, side="upper")
    for number, column, rate in ((7, 0, 0.01), (8, 1, 0.25)):
        by_name = {name: curves[find(name).name][:, column] for name in BINARY}
        found.append(
            Figure(number, f"Scenario 1: coverage (L = {100 * rate:g} %)", "n", np.asarray(SIZES, float), by_name)
        )
    return found


def _simulated() -> list[Figure]:
    """Figs. 13 to 16 without their chance: exactly, for normal losses whose mean is cut to [0, 1]."""
    over: list[tuple[int, str, str, Array, Any, Any]] = [
        (13, "n = 10", "L", DRAWN_RATES, 10, DRAWN_RATES),
        (14, "n = 200", "L", DRAWN_RATES, 200, DRAWN_RATES),
        (15, "L = 1 %", "n", DRAWN_SIZES, DRAWN_SIZES, 0.01),
        (16, "L = 25 %", "n", DRAWN_SIZES, DRAWN_SIZES, 0.25),
    ]
    return [
        Figure(
            number,
            f"Scenario 2: coverage ({at})",
            across,
            np.asarray(x, float),
            {name: with_mean_cut(name, n, rate) for name in BOUNDED},
        )
        for number, at, across, x, n, rate in over
    ]


# ---- Against the reference


@cache
def reference(number: int) -> dict[str, Array]:
    """The columns of the other computation."""
    with (REFERENCE / f"fig{number:02d}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def off(figure: Figure) -> float:
    """The largest difference from the reference; infinite where it has other points."""
    other = reference(figure.number)
    if other[figure.across].shape != figure.x.shape or np.abs(other[figure.across] - figure.x).max() > NEAR:
        return np.inf
    return max(float(np.abs(curve - other[name]).max()) for name, curve in figure.curves.items())


def off_by_chance(figure: Figure) -> float:
    """For a simulated reference: the largest difference in its standard errors."""
    other, largest = reference(figure.number), 0.0
    for name, curve in figure.curves.items():
        error = np.sqrt(np.maximum(curve * (1 - curve), 1e-4) / DRAWS[figure.number])
        largest = max(largest, float(np.max(np.abs(curve - other[f"{name}_C"]) / error)))
    return largest


LOST = unknown(
    "Figs. 1-20",
    "the curves as they were drawn",
    "drawings",
    "the text has the captions, not the drawings: what is compared is two computations of the same formulas",
)


def check(number: int) -> Check:
    """Whether the other computation gives the same curves."""
    figure = figures()[number]
    bounds = ", ".join(dict.fromkeys(name.split("_")[0] if name[:2] == "CP" else name for name in figure.curves))
    printed, drawn = f"{figure.caption}: {bounds}", f"{figure.x.size} points; the drawing is lost"
    if number in DRAWS:
        errors = off_by_chance(figure)
        how = f"exact, against {DRAWS[number]:,} draws of another: at most {errors:.1f} standard errors apart"
        return statement(figure.place, printed, errors < BY_CHANCE, f"{how} at {drawn}")
    kind = "enumeration, twice" if number in (5, 6, 7, 8) else "the formulas, and in 50-digit arithmetic"
    return statement(figure.place, printed, off(figure) < NEAR, f"{kind}: {apart(off(figure))} at {drawn}")
