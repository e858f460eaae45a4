"""The exercises of section 22.5 that belong to sections 22.1 and 22.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

import holdfast as hf
from holdfast.selection.bands import roc
from studies.checks import Check, number, statement, unknown
from studies.pages import Page
from studies.runs import Run
from studies.zaki_measures.bayes import posteriors
from studies.zaki_measures.printed import Q5, TABLE_22_7, TESTING_Q2, TRAINING_Q2, scored
from studies.zaki_measures.redrawn import Iris


def add(page: Page, run: Run) -> None:
    page.section(
        "Exercises Q1, Q2, Q4, Q5",
        "The answers, computed. Q4 cannot be answered, for its figure is lost; with six hyperplanes it would ask for "
        "the fifth value of Table 22.7.",
    )
    page.table(("exercise", "question", "answer"), [*_must(run.file("iris.csv")), *_answers()])
    page.check(
        *(
            number(
                "Table 22.7",
                f"t, degrees of freedom {freedom}",
                printed,
                float(stdtrit(freedom, 0.975)),
                "quantile",
                WHY,
            )
            for freedom, printed in TABLE_22_7.items()
        ),
        unknown("Q4", "error rates of six hyperplanes and their interval", "Figure 22.10", "the figure is lost"),
        _garbled(),
    )


WHY = "an old table, or one interpolated"


def _up_to(place: int, cut: float) -> Callable[[Row], bool]:
    return lambda row: row[:2][place] <= cut


def tree() -> tuple[list[str], hf.Report]:
    """Q2: the binary splits of least impurity by the Gini index, and what the tree is worth on Table 22.6b."""
    splits: dict[str, Callable[[Row], bool]] = {"Z = A": lambda row: row[2] == "A"}
    for place, name in enumerate(("X", "Y")):
        values = sorted({row[:2][place] for row in TRAINING_Q2})
        splits |= {f"{name} <= {cut:g}": _up_to(place, cut) for cut in ((a + b) / 2 for a, b in pairwise(values))}
    left = {name: _impurity(split) for name, split in splits.items()}
    best = [name for name in splits if left[name] == min(left.values())]
    assert left[best[0]] == 0, "the tree would have to grow further"
    says = {splits[best[0]](row): row[3] for row in TRAINING_Q2}
    return best, hf.assess([row[3] for row in TESTING_Q2], [says[splits[best[0]](row)] for row in TESTING_Q2])


Row = tuple[int, int, str, int]


def _impurity(split: Callable[[Row], bool]) -> float:
    """The Gini index of both parts, weighted by their sizes."""
    total = 0.0
    for side in (True, False):
        labels = [row[3] for row in TRAINING_Q2 if split(row) == side]
        total += len(labels) - sum(labels.count(label) ** 2 for label in set(labels)) / max(len(labels), 1)
    return total / len(TRAINING_Q2)


def _must(file: Path | None) -> Iterator[tuple[str, str, str]]:
    """Q1: a classifier that is neither always right nor covers everything where it was trained."""
    if file is None:
        return
    iris = Iris.read(file)
    said = posteriors(iris.sepals, iris.codes, np.ones((1, len(iris.codes))), naive=False)[0].argmax(axis=-1)
    accuracy = float(np.mean(said == iris.codes))
    yield (
        "Q1 (a), (b)",
        "must accuracy and coverage be 100 % in training?",
        f"no: full Bayes has {accuracy:.3f} on iris",
    )


def _answers() -> Iterator[tuple[str, str, str]]:
    splits, report = tree()
    yield "Q2 (a)", "the complete tree", f"{len(splits)} split: {splits[0]}; it leaves no impurity"
    yield "Q2 (b)", "accuracy", f"{report['accuracy'].estimate:g}"
    for label in (1, 2):
        pair = [f"{report[name, label].estimate:.3f}" for name in ("precision", "recall")]
        yield "Q2 (b)", f"accuracy (precision) and coverage (recall) of class {label}", " and ".join(pair)
    curve = roc(scored(Q5))
    points = " ".join(f"({x:.2g}, {y:.2g})" for x, y in zip(curve.x, curve.y, strict=True))
    yield "Q5", "ROC curve", points
    yield "Q5", "AUC", f"{float(scored(Q5).mean):.2f}, with three equal scores"


def _garbled() -> Check:
    """(22.14), whose last line is garbled: its last term is that of the text, squared, and bears another's name."""
    draw = np.random.default_rng(22)
    outcomes, chances = draw.normal(size=(500, 4)), draw.dirichlet(np.ones(4), 500)
    said = draw.normal(size=500)
    mean = (outcomes * chances).sum(axis=1)
    loss = ((outcomes - said[:, None]) ** 2 * chances).sum(axis=1)
    variance, error = ((outcomes - mean[:, None]) ** 2 * chances).sum(axis=1), (said - mean) ** 2
    return statement(
        "(22.14)",
        "squared loss = variance of y + squared error + 0 (in our text the last line is garbled)",
        bool(np.allclose(loss, variance + error)),
        "500 random distributions; the name of the second term stands under the third, which is 0",
    )
