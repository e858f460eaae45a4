"""Naive Bayes has nothing to choose: over many splits its errors show what the lost split alone can do."""

from __future__ import annotations

from typing import Any

import numpy as np

from studies.checks import Check, drawn
from studies.runs import Run
from studies.shah.audit import Row
from studies.shah.data import DataSet
from studies.shah.experiment import model_of, seen
from studies.shah.learners import LEARNERS

NB = next(learner for learner in LEARNERS if learner.name == "NB")
SPLITS, FEW = 500, 20
WORK = 200_000  # test examples a data set, at most: the largest set needs no more splits than this to be told


def errors_over_splits(data: DataSet, run: Run) -> list[int]:
    """The errors of naive Bayes on the test part of each of many splits; of the one split where it is known."""
    splits = min(FEW if run.fast else SPLITS, max(WORK // data.about.test, FEW))
    if data.trains is not None:
        splits = 1

    def compute() -> list[int]:
        return [_errors(data, *data.split(run.seed, draw)) for draw in range(splits)]

    found: list[int] = run.kept(f"shah naive Bayes {data.about.name} {splits} {run.seed}", compute)
    return found


def _errors(data: DataSet, train: Any, test: Any) -> int:
    X_train, X_test = seen(data, NB, train, test)
    named = model_of(data, NB, {}).fit(X_train, data.y[train]).predict(X_test)
    return int(np.count_nonzero(named != data.y[test]))


def of_risk(row: Row, data: DataSet, errors: list[int]) -> Check:
    """The printed risk among those of the splits; that the marked split is the paper's is itself inferred."""
    printed = f"{float(row.cells['R_T'].printed.value):.3f}"
    how = f"{len(errors)} splits of these sizes" if data.trains is None else "the split that comes with the data"
    return drawn(f"Table 2, {row.name}", "R_T by the split", printed, np.array(errors) / row.m, how)
