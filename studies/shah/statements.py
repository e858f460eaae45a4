"""What the paper says in words, tried: its two theorems, its Gaussian intervals, its Table 1 and its references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import erf, sqrt, trunc
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdfast as hf
from holdfast.numerics.binomial import binomial_tail
from studies.checks import Check, number, statement, unknown
from studies.shah.audit import (
    DELTA,
    Row,
    agreement,
    clopper_pearson,
    deviation,
    printed_of,
    read_table,
    standard_error_interval,
    theorem_2_as_printed,
)
from studies.shah.data import TABLE_1, DataSet

Array = NDArray[Any]
REFERENCES = Path(__file__).parents[2] / "docs" / "references.bib"
DESCRIBED = ("SVM", "SCM", "Ada", "DT", "NB")  # in section 3, in its order
SIZES = tuple(sorted({about.test for about in TABLE_1}))
PREPARED = {
    "Haberman": "306 less the 12 rows of six contradictory pairs: our deduction, the paper does not say",
    "Credit": "the complete rows of 690",
    "HeartS": "the complete rows of Cleveland's 303",
    "BreastCancer": "the complete rows of 699",
}


def of_theorems() -> list[Check]:
    kept = [hf.worst_coverage("clopper-pearson", m, delta=DELTA, side="upper") for m in SIZES]
    least = min(each.coverage for each in kept)
    lowered = [_miss_if_lower(m) for m in SIZES]
    mirrored = [hf.worst_coverage("clopper-pearson", m, delta=DELTA, side="lower") for m in SIZES]
    m = SIZES[0]
    rates = np.array([0.0, 1e-3, 0.01])
    covered = coverage_as_printed(m, rates)
    beyond = float(coverage_as_printed(m, np.nextafter(_patched(m)[1:-1], 0.0), _patched(m)).min())
    sizes = f"the {len(SIZES)} test sizes of Table 1"
    return [
        statement(
            "Theorem 1",
            "Pr(R(f) ≤ max{p : Bin(m, λ, p) ≥ δ}) ≥ 1 − δ",
            all(bool(each.kept) for each in kept),
            f"worst coverage over all true risks by enumeration, δ = {DELTA}, {sizes}: {least:.4f}",
        ),
        statement(
            "Section 2",
            "it is the smallest upper bound that holds with this probability",
            min(lowered) > DELTA,
            f"any one of the limits, for {sizes}, lowered by a millionth of itself misses with a chance above δ",
        ),
        statement(
            "Theorem 2",
            "Pr(R(f) ≥ min{p : 1 − Bin(m, λ, p) ≥ δ}) ≥ 1 − δ",
            bool((covered >= 1 - DELTA).all()),
            f"m = {m}, δ = {DELTA}: without an error, λ = 0, the limit is {theorem_2_as_printed(0, m):.5f} and not 0, "
            f"so that a risk of 0, 0.001, 0.01 is covered with a chance of {', '.join(f'{c:.3f}' for c in covered)}. "
            f"With 0 put in for λ = 0 the worst coverage is still {beyond:.3f}",
            right="min{p : 1 − Bin(m, λ − 1, p) ≥ δ}: the chance of λ or more errors, not of more than λ; its worst "
            f"coverage at {sizes} is {min(each.coverage for each in mirrored):.4f}",
            why="1 − Bin(m, λ, p) is the chance of λ + 1 or more errors; Table 2 was computed with the right one.",
        ),
    ]


def of_intervals(rows: Sequence[Row]) -> list[Check]:
    """What is said of the Gaussian and of the exact intervals, tried on the 96 rows with the right standard error."""
    erring = [row for row in rows if row.k]
    printed = [(float(row.cells["CI_l"].printed.value), float(row.cells["CI_u"].printed.value)) for row in rows]
    proper = [standard_error_interval(row.k, row.m) for row in rows]
    exact = [tuple(float(limit[row.k]) for limit in clopper_pearson(row.m)) for row in rows]
    deviations = sum(_half_width(row) == _cut(2 * deviation(row.k, row.m)) for row in erring)
    errors = sum(_half_width(row) == _cut(2 * deviation(row.k, row.m) / sqrt(row.m)) for row in erring)
    higher = sum(gauss[1] > bound[1] for gauss, bound in zip(proper, exact, strict=True))
    lower = sum(gauss[0] < bound[0] for gauss, bound in zip(proper, exact, strict=True))
    outside, properly = _outside(printed), _outside(proper)
    above, properly_above = (sum(limit > 1 for _, limit in limits) for limits in (printed, proper))
    ratio = median((g[1] - g[0]) / (b[1] - b[0]) for g, b in zip(proper, exact, strict=True))
    none = [place for place, row in enumerate(rows) if not row.k]
    within = all(((limit >= 0) & (limit <= 1)).all() for m in SIZES for limit in clopper_pearson(m))
    rare = float(hf.coverage("normal", SIZES[0], [0.01], delta=2 * DELTA)[0])
    missing_root = "The standard deviation of one loss was taken for that of the mean of m: it lacks 1/√m."
    return [
        number("Section 1", "two standard deviations, confidence in %", "95", 100 * erf(sqrt(2)), "the normal law"),
        statement(
            "Section 3",
            "CI_l and CI_u are two standard deviations of the sampling distribution of the empirical risk",
            errors == len(erring),
            f"of {len(erring)} rows with errors the half-width is that of two standard deviations of a single loss, "
            f"2√(R(1−R)m/(m−1)), cut to three digits, in {deviations}, and that of the mean, 1/√m of it, in {errors}",
            right=f"R_T ± 2 standard deviations of one zero-one loss: wider by √m, here {sqrt(SIZES[0]):.0f} to "
            f"{sqrt(SIZES[-1]):.0f} times",
            why=missing_root,
        ),
        statement(
            "Section 4",
            "limits outside [0, 1] render the Gaussian intervals meaningless in most scenarios",
            properly > len(rows) / 2,
            f"{outside} of {len(rows)} printed ones leave [0, 1]; two standard errors about the same risks: {properly}",
            right=f"with the standard error {properly} of {len(rows)} leaves [0, 1]",
            why=missing_root,
        ),
        statement(
            "Section 4",
            "upper limits of the confidence interval exceed unity",
            properly_above > 0,
            f"{above} of the printed ones do; two standard errors about the same risks: {properly_above}",
            right="none does with the standard error",
            why=missing_root,
        ),
        statement(
            "Sections 1 and 4",
            "Gaussian upper limits are overly pessimistic",
            higher > len(rows) / 2,
            f"two standard errors reach above the exact upper limit in {higher} of {len(rows)} rows; median width "
            f"against the exact interval {ratio:.2f}",
            right=f"they are too low, so too optimistic, in {len(rows) - higher} of {len(rows)} rows",
            why=missing_root,
        ),
        statement(
            "Sections 1 and 4",
            "Gaussian lower limits are overly optimistic",
            lower > len(rows) / 2,
            f"two standard errors reach below the exact lower limit in {lower} of {len(rows)} rows",
        ),
        statement(
            "Section 1",
            "for small risks a binomial cannot be approximated by a Gaussian",
            rare < 1 - 2 * DELTA - 0.1,
            f"at a risk of 0.01 and m = {SIZES[0]} the 95 % normal interval covers with a chance of {rare:.2f}",
        ),
        statement(
            "Section 4",
            "without errors the Gaussian interval is a point, the risk bound is not",
            all(proper[i][0] == proper[i][1] and exact[i][1] > 0 for i in none),
            f"{len(none)} rows have no errors",
        ),
        statement(
            "Section 4",
            "the risk bound lies in [0, 1]",
            within,
            f"all counts of all {len(SIZES)} test sizes",
        ),
    ]


def of_table_1(sets: Mapping[str, DataSet]) -> list[Check]:
    """Numbers of examples and of attributes, beside those of the data sets as UCI has them."""
    checks = []
    for about in TABLE_1:
        data = sets.get(about.name)
        examples = "examples, |T| + |S|"
        if data is None:
            gone = "the data set is not at hand"
            checks.append(unknown("Table 1", f"{about.printed}: {examples}", str(about.examples), gone))
            checks.append(unknown("Table 1", f"{about.printed}: attributes", str(about.attributes), gone))
            continue
        how = PREPARED.get(about.name, "all rows of UCI's set")
        what = f"{about.printed}: {examples}"
        checks.append(number("Table 1", what, str(about.examples), len(data.y), how, _letters(about.name)))
        how = "columns but the class"
        checks.append(number("Table 1", f"{about.printed}: attributes", str(about.attributes), data.attributes, how))
    return checks


def of_text(rows: Sequence[Row]) -> list[Check]:
    unlike = [about for about in TABLE_1 if about.test != about.train]
    better = [about for about in unlike if _fit(about.name, about.test) > _fit(about.name, about.train)]
    learners = {row.learner: None for row in rows}
    extra = [name for name in learners if name not in DESCRIBED]
    return [
        statement(
            "Table 1",
            "T is the number of test examples, S of training examples",
            len(better) == len(unlike),
            f"in {len(better)} of the {len(unlike)} sets where they are not the same, Table 2 fits T better than S",
        ),
        number("Section 3", "data sets", "16", len({row.dataset for row in rows}), "those of Table 2"),
        number("Section 3", "learning algorithms compared", "6", len(learners), "those of Table 2"),
        statement(
            "Section 3",
            f"the learning algorithms compared are {', '.join(DESCRIBED)}",
            not extra,
            f"Table 2 has {', '.join(extra) or 'none'} beside the {len(DESCRIBED)} described",
            right=f"six are compared; {', '.join(extra)}, a decision list by its name, is not described",
            why="A few words seem to be lost.",
        ),
        number(
            "References",
            "volume of Langford (2005)",
            "3",
            _volume("langford2005"),
            "Journal of Machine Learning Research 6, 273-306",
            "The volume of the entry below it, Marchand and Shawe-Taylor (2002).",
        ),
        number("References", "volume of Marchand and Shawe-Taylor (2002)", "3", _volume("marchand2002"), "the journal"),
    ]


def coverage_as_printed(m: int, rates: Array, lower: Array | None = None) -> Array:
    """With which chance the lower limits, those of Theorem 2 as printed if no others are given, hold at these risks."""
    limits = _as_printed(m) if lower is None else lower
    largest = np.searchsorted(limits, rates, "right") - 1  # the most errors whose limit is not above the risk
    return np.where(largest < 0, 0.0, binomial_tail(np.maximum(largest, 0), m, rates))


def right_coverage(m: int, rates: Array) -> Array:
    return coverage_as_printed(m, rates, clopper_pearson(m)[0])


def _as_printed(m: int) -> Array:
    """For λ = 0..m; for λ = m there is no p at all, so that nothing is claimed by a limit of 1."""
    return np.append([theorem_2_as_printed(k, m) for k in range(m)], 1.0)


def _patched(m: int) -> Array:
    limits = _as_printed(m)
    limits[0] = 0.0
    return limits


def _miss_if_lower(m: int) -> float:
    """The least chance, over all counts, with which limits miss of which the one of that count is a little lower."""
    k = np.arange(m)
    return float(np.min(binomial_tail(k, m, clopper_pearson(m)[1][:-1] * (1 - 1e-6))))


def _half_width(row: Row) -> Fraction:
    return (row.cells["CI_u"].printed.value - row.cells["CI_l"].printed.value) / 2


def _cut(value: float) -> Fraction:
    return Fraction(trunc(Fraction(value) * 1000), 1000)


def _outside(limits: Sequence[tuple[float, float]]) -> int:
    return sum(lower < 0 or upper > 1 for lower, upper in limits)


def _fit(name: str, m: int) -> int:
    """With how many columns of the data set's six rows the best counts out of m agree."""
    return sum(int(agreement(m, printed_of(row)).max()) for row in read_table() if row["dataset"] == name)


def _letters(name: str) -> str:
    if name != "Letter-DO":
        return ""
    fits = {m: _fit(name, m) for m in (1055, 1058)}
    return (
        "1055 is the number of Letter_AB; the test set had that size all the same: Table 2 agrees with it in "
        f"{fits[1055]} of 24 columns, with 1058 in {fits[1058]}. Three letters were left out, or S is 503."
    )


def _volume(key: str) -> int:
    entry = REFERENCES.read_text(encoding="utf-8").split(f"{{{key},", 1)[1]
    found = re.search(r"volume\s*=\s*\{(\d+)\}", entry.split("\n}", 1)[0])
    assert found is not None, f"docs/references.bib has no volume of {key}"
    return int(found[1])
