"""The reports whose pages are looked at: each seeded, each made once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdfast as hf
from tests.render.contests import JAVASCRIPT, over_datasets, over_folds, rivals

EXAMPLE = Path(__file__).parents[2] / "examples" / "predictions.csv"
POINT = 0.5
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "{{7*7}}&amp;",
)
LONG = "a label of ten thousand characters, " * 277 + "which end here, now, still, and at last: the end."[:28]


def columns() -> tuple[NDArray[np.str_], NDArray[np.str_], NDArray[np.float64]]:
    """The shipped example: truth, prediction and score."""
    truth, predicted, score = np.genfromtxt(EXAMPLE, dtype=str, delimiter=",", skip_header=1, unpack=True)
    return truth, predicted, score.astype(float)


def example(**options: Any) -> hf.Report:
    truth, predicted, score = columns()
    options = {"positive": "malignant", "operating_point": POINT, **options}
    return hf.assess(truth, predicted, score, **options)


def classes(count: int, rows: int, names: tuple[str, ...] = ()) -> hf.Report:
    """Right three times out of four, otherwise any class."""
    rng = np.random.default_rng(5)
    labels = np.array([*names, *(f"class {i}" for i in range(len(names), count))])
    truth = rng.integers(count, size=rows)
    predicted = np.where(rng.random(rows) < 0.75, truth, rng.integers(count, size=rows))
    return hf.assess(labels[truth], labels[predicted])


def stream(names: tuple[str, str]) -> hf.Report:
    """Two models followed on a stream, of which the first is better."""
    right = np.random.default_rng(3).random((2, 500)) < np.array([[0.9], [0.8]])
    return hf.sequential(names=names).update(first=right[0], second=right[1]).report()


def crossed(**options: Any) -> hf.Report:
    """A learner and no test set to spare."""
    from sklearn.naive_bayes import GaussianNB

    draw = np.random.default_rng(7)
    labels = draw.integers(2, size=120)
    return hf.cross_assess(GaussianNB(), draw.normal(labels[:, None], 1.0, size=(120, 2)), labels, **options).report


def hostile(names: tuple[str, ...]) -> hf.Report:
    """Labels and names of groups that would be markup were they not data, in a report that has every part."""
    rng = np.random.default_rng(6)
    score = rng.random(200)
    truth = rng.random(200) < score
    called = np.array(names, dtype=object)
    group = called[rng.integers(len(called), size=200)]
    truth, predicted = called[truth.astype(int)], called[(score >= 0.5).astype(int)]
    report = hf.assess(truth, predicted, score, positive=names[1], groups={names[0]: group}, bins=4)
    return report.with_command(names[1])


REPORTS = {
    "example": lambda: example(bins=5),
    "undeclared": lambda: example(operating_point=None),
    "two": lambda: classes(2, 60),
    "ten": lambda: classes(10, 800),
    "two-hundred": lambda: classes(200, 6000),
    "passes": lambda: hf.assess(correct=[True] * 90 + [False] * 10),
    "one": lambda: hf.assess(["yes"], ["no"], [0.3], positive="yes"),
    "hostile": lambda: hostile(HOSTILE),
    "hostile-classes": lambda: classes(4, 300, HOSTILE),
    "javascript": lambda: hostile(JAVASCRIPT),
    "long": lambda: hostile((LONG, "short")),
    "rivals-2": lambda: rivals(2, margin=0.05),
    "rivals-12": lambda: rivals(12, 300),
    "rivals-50": lambda: rivals(50),
    "rivals-hostile": lambda: rivals(6, names=(*HOSTILE, LONG)).with_command(HOSTILE[1]),
    "rivals-javascript": lambda: rivals(6, names=JAVASCRIPT),
    "duel": lambda: stream(("new", "old")),
    "duel-hostile": lambda: stream((HOSTILE[0], LONG)),
    "crossed": lambda: crossed(folds=10),
    "crossed-often": lambda: crossed(scheme="bootstrap", rounds=60),
    "over-folds": over_folds,
    "over-datasets": lambda: over_datasets(5, 16, rope=0.01),
}


@cache
def report_of(name: str) -> hf.Report:
    return REPORTS[name]()
