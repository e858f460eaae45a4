"""The experiment of section 3: every learner on every data set, its settings chosen on the training part alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from studies.runs import Run
from studies.shah.data import DataSet
from studies.shah.learners import LEARNERS, Learner, Setting

Array = NDArray[Any]
FOLDS = 10
PROCESSES = 2
SLOW = {"SVM": 3, "SCM": 2, "Ada": 1}  # begun first, so that no process waits for the last one


@dataclass(frozen=True)
class Outcome:
    """One classifier on one test set: a row of Table 2."""

    dataset: str
    learner: str
    errors: int
    tested: int
    setting: Setting
    cross_validated: float  # the average error of the chosen setting over the folds of the training part


def outcomes(sets: list[DataSet], run: Run, learners: tuple[Learner, ...] = LEARNERS) -> list[Outcome]:
    """Every row, in the order of the paper; several processes at once, and each row kept once it is there."""
    cells = [(data, learner) for data in sets for learner in learners]
    hardest = sorted(range(len(cells)), key=lambda i: (-len(cells[i][0].y), -SLOW.get(cells[i][1].name, 0)))
    asked = (delayed(_kept)(run.store, run.seed, *cells[i]) for i in hardest)
    found: dict[tuple[str, str], Outcome] = {}
    pool = Parallel(n_jobs=1 if run.fast else PROCESSES, return_as="generator_unordered", pre_dispatch="all")
    for answer in pool(asked):
        outcome = Outcome(**answer)
        found[outcome.dataset, outcome.learner] = outcome
        run.tell(f"{len(found)} of {len(cells)} classifiers, last {outcome.dataset} {outcome.learner}")
    return [found[data.about.name, learner.name] for data, learner in cells]


def _kept(store: Path | None, seed: int, data: DataSet, learner: Learner) -> dict[str, Any]:
    key = f"shah {data.about.name} {learner.name} {learner.settings} {seed}"
    return Run(store=store).kept(key, lambda: trained(data, learner, seed))


def trained(data: DataSet, learner: Learner, seed: int) -> dict[str, Any]:
    """The learner with the best of its settings, trained on the training part and tested on the other."""
    train, test = data.split(seed)
    averages = cross_validated(data, learner, train, seed)
    best = int(np.argmin(averages))  # of equals the first
    setting = learner.settings[best]
    X_train, X_test = seen(data, learner, train, test)
    model = model_of(data, learner, setting).fit(X_train, data.y[train])
    wrong = int(np.count_nonzero(model.predict(X_test) != data.y[test]))
    return {
        "dataset": data.about.name,
        "learner": learner.name,
        "errors": wrong,
        "tested": len(test),
        "setting": setting,
        "cross_validated": float(averages[best]),
    }


def cross_validated(data: DataSet, learner: Learner, rows: Array, seed: int) -> Array:
    """The average error over ten folds of these rows for each setting in turn, up to the first that never errs."""
    if len(learner.settings) == 1:
        return np.array([np.nan])  # nothing to choose
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(rows, data.y[rows])
    folds = [(rows[train], rows[test]) for train, test in splits]
    matrices = [seen(data, learner, *fold) for fold in folds]
    averages: list[float] = []
    for setting, stages in learner.fitted():
        errors = [
            _errors(model_of(data, learner, setting).fit(X_train, data.y[train]), X_test, data.y[test], stages)
            for (train, test), (X_train, X_test) in zip(folds, matrices, strict=True)
        ]
        averages.extend(np.mean(errors, axis=0).round(12))  # equals stay equal on any machine
        if min(averages) == 0.0:
            break  # of equals the first is taken
    return np.array(averages)


def _errors(model: Any, X: Array, y: Array, stages: tuple[int, ...]) -> list[float]:
    """How often the model errs, or each of its stages; it may have ended before the last one."""
    if not stages:
        return [float(np.mean(model.predict(X) != y))]
    errors = [float(np.mean(named != y)) for named in model.staged_predict(X)]
    return [errors[min(stage, len(errors)) - 1] for stage in stages]


def seen(data: DataSet, learner: Learner, train: Array, test: Array) -> tuple[Array, Array]:
    """What the learner sees of these rows; the scale of the numbers is learnt from those that train."""
    X = data.coded if learner.counts_words else data.unfolded
    parts = X[train], X[test]
    if not (learner.scaled and data.numbers):
        return parts
    numbers = slice(0, data.numbers)
    scale = StandardScaler().fit(parts[0][:, numbers])
    for part in parts:
        part[:, numbers] = scale.transform(part[:, numbers])  # a copy already: rows were picked by number
    return parts


def model_of(data: DataSet, learner: Learner, setting: Setting) -> Any:
    if not learner.counts_words:
        return learner.make(**setting)
    words = data.coded[:, data.numbers :].max(axis=0, initial=0).astype(int) + 1
    return learner.make(data.numbers, tuple(words.tolist()), **setting)
