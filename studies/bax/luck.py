"""Many cuts of the same data, where counts alone say what is claimed: a vote, and the best of 200 trees."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from studies.bax.jury import DELTA, Data, limits, read
from studies.bax.rates import epsilon
from studies.runs import Run

TREES, CUTS = 200, 4000  # 400 cuts in a fast run
SHOWN = 100  # labels of each cut


def best_of_trees(run: Run, data: Data) -> dict[str, list[float]]:
    """By claim, how wide it is at the median and how often it is missed; nothing where the data are missing."""
    file = run.file(f"{data.name}.csv")
    if file is None:
        return {}
    cuts = CUTS // 10 if run.fast else CUTS
    found: dict[str, list[float]] = run.kept(
        f"bax luck {data.name} {cuts}", partial(_missed, file, data, run.seed, cuts)
    )
    return found


def _missed(file: Path, data: Data, seed: int, cuts: int) -> dict[str, list[float]]:
    from sklearn.ensemble import RandomForestClassifier

    X, y = read(file)
    draw = np.random.default_rng([seed, 3])
    train, rest = np.split(draw.permutation(len(y)), [data.train])
    forest: Any = RandomForestClassifier(TREES, random_state=seed % 1000).fit(X[train], y[train])
    said = np.array([forest.classes_[tree.predict(X[rest]).astype(int)] for tree in forest.estimators_])
    wrong = (said != y[rest]).astype(np.float64)
    vote = (wrong.mean(axis=0) > 0.5).astype(np.float64)

    d, hidden = SHOWN, len(rest) - SHOWN
    shown = np.argsort(draw.random((cuts, len(rest))), axis=1) < d
    here, there = (np.vstack([wrong, vote]) @ part.T.astype(np.float64) for part in (shown, ~shown))
    best, cut = np.argmin(here[:-1], axis=0), np.arange(cuts)
    reach = epsilon(DELTA, min(d, hidden), TREES)
    chosen, true = here[best, cut] / d, there[best, cut] / hidden
    plain, fair = (limits(d, hidden, delta) for delta in (DELTA, DELTA / TREES))
    return {
        "the vote, tested directly": _told(plain[:, here[-1].astype(int)], there[-1] / hidden),
        "the best tree, by Eq. 12": _told(np.clip([chosen - reach, chosen + reach], 0, 1), true),
        f"the best tree, at a {TREES}th of delta": _told(fair[:, here[best, cut].astype(int)], true),
        "the best tree, as if it were the only one": _told(plain[:, here[best, cut].astype(int)], true),
    }


def _told(ends: np.ndarray, true: np.ndarray) -> list[float]:
    lower, upper = ends
    missed = (true < lower - 1e-12) | (true > upper + 1e-12)
    return [float(np.median(upper - lower)), float(missed.mean())]
