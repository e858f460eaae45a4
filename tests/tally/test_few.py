"""Few rows are read as they are; the engine, asked to count them, must come to the very same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.rows import FEW
from holdfast.tally import Tally, tally


def spelled(codes: Any, kind: str) -> list[Any]:
    names = {"whole": int, "real": float, "halves": lambda code: code / 2, "text": "label {}".format, "truth": bool}
    return [names[kind](code) for code in codes]


def holed(random: np.random.Generator, values: list[Any]) -> list[Any]:
    return [None if gone else value for gone, value in zip(random.random(len(values)) < 0.1, values, strict=True)]


def seen(counted: Tally) -> list[Any]:
    assert counted.table is not None
    rankings = [(label, *(part.tolist() for part in its.cells())) for label, its in counted.scores.items()]
    table = counted.table.labels, counted.table.truths.tolist(), counted.table.table.tolist()
    return [*table, rankings, counted.fingerprint, counted.rows, counted.missing, counted.dropped, counted.notes]


@pytest.mark.parametrize("missing", ["refuse", "drop", "wrong"])
@pytest.mark.parametrize(("kind", "labels"), [("whole", 2), ("real", 3), ("halves", 40), ("text", 3), ("truth", 2)])
@pytest.mark.parametrize("scored", ["no scores", "one score", "one score, missing at times", "a score a label"])
def test_few_rows_come_to_the_same(missing: Missing, kind: str, labels: int, scored: str) -> None:
    random = np.random.default_rng(labels)
    truth, predicted = (spelled(codes, kind) for codes in random.integers(0, labels, (2, 500)))
    if missing != "refuse":
        predicted = holed(random, predicted)
    if missing == "drop":
        truth = holed(random, truth)
        truth[0], predicted[0] = spelled([labels], kind)[0], None  # a label that goes with its row
    score: Any = None if scored == "no scores" else random.random(500)
    if scored == "a score a label":
        score = random.random((500, labels))
    elif "missing" in scored and missing == "drop":
        score[random.random(500) < 0.1] = np.nan
    positive = spelled([1], kind)[0] if "one" in scored else None
    names = spelled(range(labels), kind) if scored == "a score a label" else None
    rows = Predictions.from_arrays(truth, predicted, score, labels=names, missing=missing)
    assert rows.few
    asked = {"positive": positive, "labels": names}
    assert seen(tally(rows, **asked)) == seen(tally(replace(rows, few=False), **asked))


def test_what_counts_as_few() -> None:
    assert Predictions.from_arrays(np.zeros(FEW), np.zeros(FEW)).few
    assert not Predictions.from_arrays(np.zeros(FEW + 1), np.zeros(FEW + 1)).few


@pytest.mark.parametrize("few", [True, False])
def test_scores_of_few_rows_are_checked_as_well(few: bool) -> None:
    rows = replace(Predictions.from_arrays([0, 1], [0, 1], [0.5, np.inf]), few=few)
    with pytest.raises(InvalidEvidence, match="infinite in 1 row"):
        tally(rows)
