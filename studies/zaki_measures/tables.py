"""Sections 22.1.1 and 22.1.2: what is read off a contingency table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import holdfast as hf
from holdfast.catalog import find_measure
from studies.checks import Check, number, statement
from studies.pages import Page
from studies.zaki_measures.printed import CLASSES, COMPONENTS, IRIS, RATES

WORDS = {"f1": "F", "macro-f1": "overall F", "fnr": "FNR", "fpr": "FPR"}


def add(page: Page) -> None:
    page.section(
        "Measures read off a table: 22.1.1 and 22.1.2",
        "Everything here follows from two printed tables, and all of it is right. The one slip is in a formula: the "
        "overall F-measure is summed up to r, which is nowhere defined.",
        "What the book does not say is how little 30 test points prove. With 95 % confidence:",
    )
    page.table(("from", "measure", "of", "what it proves"), _intervals())
    page.check(*_margins(), *rates(), *_formulas())


def estimate(table: hf.Contingency, name: str, label: str | None) -> float:
    """A measure of the catalog, read off the table."""
    evidence = find_measure(name)(table)
    values = evidence.units(evidence.mean)
    return float(values if label is None else values[table.place(label)])


def rates() -> Iterator[Check]:
    for place, table, name, label, printed in RATES:
        what = WORDS.get(name, name.replace("-", " ")) + (f" of {label}" if label else "")
        yield number(place, what, printed, estimate(table, name, label), "read off the printed table")


def _margins() -> Iterator[Check]:
    sums = [*zip(("m1", "m2", "m3"), ("10", "12", "8"), IRIS.predicted, strict=True)]
    sums += [*zip(("n1", "n2", "n3"), ("10", "10", "10"), IRIS.actual, strict=True), ("n", "30", IRIS.n)]
    sums += [("misclassified", "8", IRIS.errors)]
    for what, printed, found in sums:
        yield number("Table 22.1", what, printed, float(found), "its rows and columns added up")
    sums = [*zip(("m1", "m2"), ("14", "16"), COMPONENTS.predicted, strict=True)]
    sums += [*zip(("n1", "n2"), ("10", "20"), COMPONENTS.actual, strict=True), ("n", "30", COMPONENTS.n)]
    sums += [("misclassified", "10", COMPONENTS.errors)]
    for what, printed, found in sums:
        yield number("Table 22.3", what, printed, float(found), "its rows and columns added up")
    each = [round(estimate(IRIS, "f1", name), 3) for name in CLASSES]
    yield number("Example 22.2", "sum of the three F", "2.192", sum(each), "of the rounded ones")


def _formulas() -> Iterator[Check]:
    drawn = np.random.default_rng(22).integers(1, 50, (500, 4, 4))
    tables = hf.Contingency(drawn, rows="predicted")
    precision, recall, accuracy = (find_measure(name)(tables).mean for name in ("precision", "recall", "accuracy"))
    tried = "500 random tables of four classes"
    together = np.sum(tables.predicted / tables.n[:, None] * precision, axis=-1)
    yield statement(
        "22.1.1", "accuracy is the precisions weighted by m_i / n", bool(np.allclose(together, accuracy)), tried
    )
    harmonic, by_counts = 2 / (1 / precision + 1 / recall), 2 * tables.hits / (tables.actual + tables.predicted)
    f1 = find_measure("f1")(tables)
    alike = np.allclose(harmonic, by_counts) and np.allclose(harmonic, f1.units(f1.mean))
    yield statement("22.1.1", "F_i: harmonic mean = 2 n_ii / (n_i + m_i)", bool(alike), tried)
    each = [estimate(IRIS, "f1", name) for name in CLASSES]
    sums = {r: sum(each[:r]) / len(each) for r in range(1, len(each) + 1)}
    fitting = [r for r, found in sums.items() if round(found, 3) == 0.731]
    yield statement(
        "22.1.1",
        "F = (1/k) sum of F_i for i = 1 to r",
        len(fitting) == len(sums),
        f"for the printed 0.731 of Example 22.2 r must be {fitting[0]}, which is k; other r give "
        + ", ".join(f"{found:.3f}" for r, found in sums.items() if r not in fitting),
        right="the sum runs to k",
        why="r for k, in the book or in our text of it",
    )
    perfect = hf.Contingency(np.diag([10, 10, 10]), rows="predicted")
    macro = find_measure("macro-f1")(tables)
    largest = float(macro.units(macro.mean).max())
    yield statement(
        "22.1.1",
        "for a perfect classifier F takes its largest value, 1",
        estimate(perfect, "macro-f1", None) == 1.0 >= largest,
        f"a diagonal table gives 1; the largest of {tried} {largest:.2f}",
    )
    all_first = hf.Contingency([[10, 10, 10], [0, 0, 0], [0, 0, 0]], CLASSES, rows="predicted")
    found = estimate(all_first, "recall", "setosa"), estimate(all_first, "precision", "setosa")
    yield statement(
        "22.1.1",
        "predicting one class always makes its recall 1 and its precision low",
        found[0] == 1 and found[1] < 0.5,
        f"on Table 22.1: recall {found[0]:g}, precision {found[1]:.3f}; the precisions of the others are undefined",
    )
    two = hf.Contingency(drawn[:, :2, :2], ["yes", "no"], rows="predicted")
    pairs = [("fnr", "sensitivity"), ("fpr", "specificity")]
    opposite = [np.allclose(find_measure(a)(two).mean[:, 0] + find_measure(b)(two).mean[:, 0], 1) for a, b in pairs]
    yield statement("22.1.2", "FNR = 1 - sensitivity, FPR = 1 - specificity", all(opposite), "500 random tables of two")


def _intervals() -> Iterator[tuple[str, ...]]:
    wanted = [
        ("Table 22.1", IRIS, "error-rate", None),
        ("Table 22.1", IRIS, "recall", "virginica"),
        ("Table 22.1", IRIS, "precision", "versicolor"),
        ("Table 22.1", IRIS, "macro-f1", None),
        ("Table 22.3", COMPONENTS, "error-rate", None),
        ("Table 22.3", COMPONENTS, "sensitivity", "versicolor"),
        ("Table 22.3", COMPONENTS, "specificity", "versicolor"),
    ]
    for place, table, name, label in wanted:
        report = hf.assess(*_rows(table))
        claim = report[name, label] if label else report[name]
        yield place, name.replace("-", " "), label or "all", str(claim)


def _rows(table: hf.Contingency) -> tuple[list[str], list[str]]:
    """Truth and prediction of each example in the table."""
    cells = [(table.labels[a], table.labels[p]) for p, a, n in zip(*table.cells, strict=True) for _ in range(n)]
    truth, predicted = zip(*cells, strict=True)
    return [*truth], [*predicted]
