"""A committee on real data: eleven models vote, a twelfth was never validated, and the test labels are hidden.

The models are trained once for each of a few training parts. The rest of the data is then cut again and again into a
validation part, whose labels are shown, and a test part, whose labels are looked at only to see which promise held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import holdfast as hf
from holdfast.bounds.binomial import hypergeometric
from holdfast.evidence import Counts
from holdfast.evidence.pools.averages import average_on
from holdfast.evidence.pools.spread import spread_on
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from studies.bax.rates import epsilon
from studies.runs import Run

DELTA = 0.05
TRAININGS, CUTS = 5, 20  # of the rest, for each training part; in a fast run 1 and 2
MANY = 2000  # cuts where counting is enough
UNSEEN = "forest"


@dataclass(frozen=True)
class Data:
    """A data set, and how much of it the models are trained on."""

    name: str
    title: str
    words: str
    train: int


SETS = (
    Data("letter_do", "letters D and O", "by 16 measures of their shape", 158),
    Data("tictactoe", "noughts and crosses", "final boards: has x won?", 238),
)
Outcome = dict[str, tuple[float, float, float]]  # of each claim: lower and upper limit, and the truth


def learners(seed: int) -> dict[str, Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "logistic": LogisticRegression(max_iter=5000),
        "discriminant": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        "naive Bayes": GaussianNB(var_smoothing=0.01),
        "nearest centroid": NearestCentroid(),
        "1 neighbour": KNeighborsClassifier(1),
        "7 neighbours": KNeighborsClassifier(7),
        "SVM": SVC(),
        "linear SVM": SVC(kernel="linear"),
        "tree": DecisionTreeClassifier(random_state=seed),
        "tree of depth 3": DecisionTreeClassifier(max_depth=3, random_state=seed),
        "boosted stumps": AdaBoostClassifier(n_estimators=50, random_state=seed),
        UNSEEN: RandomForestClassifier(50, random_state=seed),
    }


def read(file: Path) -> tuple[np.ndarray, np.ndarray]:
    """What is measured, words as columns of zeros and ones, and the classes."""
    rows = pl.read_csv(file)
    measured = rows.drop("class")
    words = measured.select(pl.col(pl.String)).columns
    return measured.to_dummies(words).to_numpy().astype(float), rows["class"].to_numpy().astype(str)


def outcomes(run: Run, data: Data) -> tuple[list[Outcome], float]:
    """What was claimed, and what was true, for every cut of every training part; nothing where the data are missing.

    And how often the vote, tested directly, is missed in many more cuts.
    """
    file = run.file(f"{data.name}.csv")
    if file is None:
        return [], 0.0
    trainings, cuts = (1, 2) if run.fast else (TRAININGS, CUTS)
    found: list[Outcome] = []
    missed = []
    for training in run.steps(f"committee on {data.name}", range(trainings)):
        key = f"bax {data.name} {training} {cuts} {run.seed}"
        some, share = run.kept(key, partial(_of_training, file, data, run.seed + training, cuts))
        found += some
        missed.append(share)
    return found, float(np.mean(missed))


def _of_training(file: Path, data: Data, seed: int, cuts: int) -> tuple[list[Outcome], float]:
    X, y = read(file)
    order = np.random.default_rng([seed, 1]).permutation(len(y))
    train, rest = order[: data.train], order[data.train :]
    said = {name: _trained(model, X[train], y[train]).predict(X) for name, model in learners(seed % 1000).items()}
    found = []
    for cut in range(cuts):
        mixed = np.random.default_rng([seed, 2, cut]).permutation(rest)
        seen, hidden = np.split(mixed, [len(mixed) // 2])
        found.append(outcome({name: each[seen] for name, each in said.items()}, y[seen], said, y, hidden))
    wrong = np.mean([each[rest] != y[rest] for name, each in said.items() if name != UNSEEN], axis=0) > 0.5
    return found, missed_often(wrong, np.random.default_rng([seed, 4]))


def missed_often(wrong: np.ndarray, draw: np.random.Generator) -> float:
    """The share of many cuts in which the exact limits for one classifier's hidden errors are wrong."""
    d = len(wrong) // 2
    here = (np.argsort(draw.random((MANY, len(wrong))), axis=1) < d) @ wrong.astype(np.int64)
    there = (wrong.sum() - here) / (len(wrong) - d)
    lower, upper = limits(d, len(wrong) - d, DELTA)[:, here]
    return float(np.mean((there < lower - 1e-12) | (there > upper + 1e-12)))


def limits(d: int, hidden: int, delta: float) -> np.ndarray:
    """The exact limits for each number of errors on d examples."""
    claim = hypergeometric(Counts(np.arange(d + 1), np.full(d + 1, d)), delta, unlabelled=hidden)
    return np.array([claim.lower, claim.upper])


def _trained(model: Any, X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model).fit(X, y)


def outcome(
    shown: dict[str, np.ndarray], labels: np.ndarray, said: dict[str, np.ndarray], y: np.ndarray, hidden: np.ndarray
) -> Outcome:
    """Every claim about the hidden part, made without its labels, and then the truth."""
    there = {name: each[hidden] for name, each in said.items() if name != UNSEEN}
    panel = hf.Panel({name: each for name, each in shown.items() if name != UNSEEN}, labels)
    unlabelled = hf.panel(panel, unlabelled=there, delta=DELTA)
    report = hf.committee(panel, unlabelled=there, delta=DELTA)
    target = said[UNSEEN][hidden]
    inferred = {how: hf.infer(target, panel, there, method=how, delta=DELTA) for how in ("programme", "nearest")}

    # Only from here on are the labels of the hidden part looked at.
    wrong = np.array([each != y[hidden] for each in there.values()])
    rates = dict(zip(there, wrong.mean(axis=1).tolist(), strict=True))
    vote = float(np.mean(wrong.sum(axis=0) > len(there) / 2))
    best = unlabelled.details["panel"]["selected"]
    claims = dict(_about_all(panel, there, unlabelled, float(np.mean(wrong)), float(wrong.mean(axis=1).std())))
    claims |= dict(_about_best(panel, unlabelled, rates, best))
    for line in report.whole:
        if line.measure == "unlabelled-vote-error-rate":
            claims[f"vote: {line.label}"] = (float(line.claim.lower), float(line.claim.upper), vote)
    for how, claim in inferred.items():
        claims[f"unseen: {how}"] = (float(claim.lower), float(claim.upper), float(np.mean(target != y[hidden])))
    return claims


Claimed = Iterator[tuple[str, tuple[float, float, float]]]


def _about_all(panel: Any, there: dict[str, np.ndarray], report: Any, average: float, spread: float) -> Claimed:
    """The average and the spread: as the document has them, as they are today, and what is certain."""
    rest = unlabelled_of_arrays(panel, there)
    d, models = panel.n, len(panel.models)
    reach = epsilon(DELTA, min(d, rest.n))
    here = float(panel.errors.mean.mean())
    yield "average: Eq. 20", (max(here - reach, 0.0), min(here + reach, 1.0), average)
    claim = report["unlabelled-average-error-rate"]
    yield "average: today", (float(claim.lower), float(claim.upper), average)
    pool = average_on(panel, rest)
    yield "average: certain, Eq. 24", (float(pool.low), float(pool.high), average)
    each = spread_on(panel, rest)
    reach = epsilon(DELTA, min(d, rest.n), models)
    limits = np.sqrt(np.clip(each.variance + np.array([-1, 1]) * (reach + reach**2), 0, 0.25))
    yield "spread: Eq. 34", (float(limits[0]), float(limits[1]), spread)
    claim = report["unlabelled-error-rate-spread"]
    yield "spread: today", (float(claim.lower), float(claim.upper), spread)
    yield "spread: certain", (0.0, float(np.sqrt(each.most)), spread)


def _about_best(panel: Any, report: Any, rates: dict[str, float], best: str) -> Claimed:
    """The model that did best on the labels shown: limits that hold although it was chosen, and those that need not."""
    claim = next(line.claim for line in report.whole if line.model == best)
    reach = epsilon(DELTA, min(panel.n, report.details["panel"]["unlabelled"]), len(panel.models))
    here = float(panel.errors.mean[panel.models.index(best)])
    yield "best: Eq. 12", (max(here - reach, 0.0), min(here + reach, 1.0), rates[best])
    yield "best: today", (float(claim.lower), float(claim.upper), rates[best])
    low, high = report.views["alone"][best]
    yield "best: as if it were the only one", (low, high, rates[best])
    kept = {*report.details["may_be_best"]}
    yield (
        "best: is among those that may be",
        (1.0, 1.0, float(any(rates[each] == min(rates.values()) for each in kept))),
    )
    ends = {line.model: line.claim for line in report.whole if line.model is not None}
    within = all(ends[each].lower - 1e-12 <= rate <= ends[each].upper + 1e-12 for each, rate in rates.items())
    yield "best: all members within their limits", (1.0, 1.0, float(within))
