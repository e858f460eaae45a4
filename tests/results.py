"""What every verb answers with, one small seeded result of each kind: for laws that all of them keep."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import holdfast as hf
from holdfast import displays
from tests.render.contests import over_datasets, over_folds, rivals

DRAW = np.random.default_rng(18)
ROWS = 240
SCORE = np.round(DRAW.random(ROWS), 3)
TRUTH = np.where(DRAW.random(ROWS) < SCORE, "ill_%", "well & fit")
PREDICTED = np.where(SCORE >= 0.5, "ill_%", "well & fit")
COUNTRY = np.array(["DE", "FR", "a|b"])[DRAW.integers(3, size=ROWS)]
PATIENT_OF_FOUR = np.arange(ROWS) // 12
PATIENT = np.sort(DRAW.integers(60, size=ROWS))
MANY = np.array(["cat", "dog", "emu"])[DRAW.integers(3, size=ROWS)]
GUESSED = np.where(DRAW.random(ROWS) < 0.8, MANY, "dog")
ANSWERS = {
    "alpha": PREDICTED,
    "be_ta": np.where(DRAW.random(ROWS) < 0.8, TRUTH, PREDICTED),
    "$c$": np.where(DRAW.random(ROWS) < 0.9, TRUTH, "well & fit"),
}
FEATURES = DRAW.normal(size=(90, 2))
LABELS = np.where(FEATURES.sum(axis=1) + DRAW.normal(size=90) > 0, "in", "out")


def _learner() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0)


def _duel() -> hf.Duel:
    right = DRAW_AGAIN.random((2, 300)) < np.array([[0.9], [0.8]])
    return hf.sequential(names=("new", "old")).update(first=right[0], second=right[1])


DRAW_AGAIN = np.random.default_rng(19)
PAIR = {name: ANSWERS[name] for name in ("alpha", "be_ta")}
SCORES = {"alpha": SCORE, "be_ta": np.clip(SCORE + 0.1, 0, 1)}
COSTS = hf.Costs([[0, 5], [1, 0]], ("ill_%", "well & fit"), rows="predicted")

REPORTS = {
    "assess": lambda: hf.assess(TRUTH, PREDICTED, SCORE, positive="ill_%", bins=4),
    "assess-classes": lambda: hf.assess(MANY, GUESSED),
    "assess-bootstrap": lambda: hf.assess(MANY, GUESSED, method="bca", only=("f1", "mcc"), resamples=200),
    "assess-passes": lambda: hf.assess(correct=TRUTH == PREDICTED),
    "assess-groups": lambda: hf.assess(TRUTH, PREDICTED, SCORE, positive="ill_%", groups={"country": COUNTRY}),
    "assess-together": lambda: hf.assess(MANY, GUESSED, simultaneous=True, groups={"country": COUNTRY}),
    "assess-costs": lambda: hf.assess(TRUTH, PREDICTED, SCORE, positive="ill_%", costs=COSTS),
    "assess-margin": lambda: hf.assess(margin=SCORE - 0.3),
    "assess-prevalence": lambda: hf.assess(
        TRUTH, PREDICTED, SCORE, positive="ill_%", sampling="by-class", prevalence={"ill_%": 0.1, "well & fit": 0.9}
    ),
    "assess-clusters": lambda: hf.assess(TRUTH, PREDICTED, positive="ill_%", clusters=PATIENT),
    "assess-capped": lambda: hf.assess(MANY, GUESSED, clusters=PATIENT, max_cluster=20),
    "assess-weights": lambda: hf.assess(
        TRUTH, PREDICTED, SCORE, positive="ill_%", weights=1 + np.arange(ROWS) % 3, max_weight=4
    ),
    "assess-strata": lambda: hf.assess(
        MANY,
        GUESSED,
        strata=COUNTRY,
        shares={name: 1 / len({*COUNTRY}) for name in sorted({*COUNTRY})},
        groups={"p": PATIENT},
    ),
    "assess-pass-at": lambda: hf.assess(correct=TRUTH == PREDICTED, clusters=np.arange(ROWS) // 4, pass_at=(1, 2)),
    "assess-repeats": lambda: hf.assess(correct=TRUTH == PREDICTED, ids=np.arange(ROWS) // 4, clusters=PATIENT_OF_FOUR),
    "assess-estimator": lambda: hf.assess_estimator(_learner().fit(FEATURES[:45], LABELS[:45]), FEATURES, LABELS),
    "bounds": lambda: hf.every_bound(hf.Counts(3, 50)),
    "compare": lambda: hf.compare(TRUTH, PAIR, only=("error-rate", "recall"), positive="ill_%"),
    "compare-scores": lambda: hf.compare(TRUTH, PAIR, SCORES, positive="ill_%", only=("brier", "auc", "f1")),
    "compare-clusters": lambda: hf.compare(TRUTH, ANSWERS, clusters=PATIENT, only=("error-rate", "f1")),
    "compare-many": lambda: rivals(5, 200),
    "compare-folds": over_folds,
    "compare-datasets": lambda: over_datasets(4, 12, rope=0.01),
    "cross-assess": lambda: hf.cross_assess(_learner(), FEATURES, LABELS, folds=3, engine="serial").report,
    "decompose": lambda: hf.decompose(_tree(), FEATURES, LABELS, parameter="max_depth", values=[1, 3], rounds=5),
    "learning-curve": lambda: hf.learning_curve(_learner(), FEATURES, LABELS, train_shares=[0.3, 0.7], engine="serial"),
    "panel": lambda: hf.panel(TRUTH, ANSWERS),
    "panel-unlabelled": lambda: hf.panel(
        TRUTH, ANSWERS, unlabelled={name: said[:99] for name, said in ANSWERS.items()}
    ),
    "committee": lambda: hf.committee(TRUTH, ANSWERS),
    "committee-unlabelled": lambda: hf.committee(
        TRUTH, ANSWERS, unlabelled={name: said[:99] for name, said in ANSWERS.items()}
    ),
    "duel": lambda: _duel().report(),
}
FIRST = [*{name.partition("-")[0]: name for name in reversed(REPORTS)}.values()]  # one of each verb

DECISIONS = {
    "gate": lambda: hf.gate(TRUTH, PREDICTED, at_most=0.3),
    "gate-conditions": lambda: hf.gate(
        TRUTH,
        PREDICTED,
        conditions=[
            {"measure": "recall", "label": "ill_%", "at_least": 0.5},
            {"measure": "error-rate", "at_most": 0.2},
        ],
    ),
    "gate-groups": lambda: hf.gate(TRUTH, PREDICTED, at_most=0.3, groups={"country": COUNTRY}),
    "gate-clusters": lambda: hf.gate(TRUTH, PREDICTED, at_most=0.3, clusters=PATIENT),
    "gate-questions": lambda: hf.gate(correct=TRUTH == PREDICTED, ids=np.arange(ROWS) // 24, each_at_least=0.6),
    "gate-counts": lambda: hf.gate(hf.Counts(3, 200), at_most=0.05),
}
OTHERS = {
    "bound": lambda: hf.bound(hf.Counts(3, 50)),
    "bound-array": lambda: hf.bound(hf.Counts([3, 4], [50, 60])),
    "p-value": lambda: hf.p_value(hf.Counts(3, 50), 0.2),
    "p-value-of-duel": lambda: _duel().p_value,
    "plan": lambda: hf.plan(at_most=0.05, expect=0.01),
    "threshold": lambda: hf.threshold(TRUTH, SCORE, positive="ill_%", specificity_at_least=0.6),
    "monitor": lambda: hf.monitor(at_most=0.3).update(errors=40, n=ROWS),
    "sequential": _duel,
    "cross-assessment": lambda: hf.cross_assess(_learner(), FEATURES, LABELS, folds=3, engine="serial"),
    "infer": lambda: hf.infer(
        PREDICTED[:99],
        hf.Panel(ANSWERS, TRUTH),
        {name: said[:99] for name, said in ANSWERS.items()},
    ),
    "answers": lambda: hf.Panel(ANSWERS, TRUTH),
    "coverage": lambda: hf.worst_coverage("clopper-pearson", n=20),
    "roc": lambda: hf.assess(TRUTH, PREDICTED, SCORE, positive="ill_%").curves["roc"],
    "display-roc": lambda: displays.RocDisplay.of(TRUTH, SCORE, pos_label="ill_%"),
    "display-calibration": lambda: displays.CalibrationDisplay.of(TRUTH, SCORE, pos_label="ill_%"),
    "display-confusion": lambda: displays.ConfusionDisplay.of(TRUTH, PREDICTED),
    "predictions": lambda: hf.Predictions.from_arrays(TRUTH, PREDICTED, SCORE),
    "design": lambda: hf.Design(clusters=PATIENT, max_cluster=20),
    "costs": lambda: COSTS,
    "folds": lambda: hf.Folds.from_errors({"a": [7, 8, 3], "b": [6, 6, 5]}, n_test=30, n_train=120),
    "counts": lambda: hf.Counts(3, 50),
    "losses": lambda: hf.Losses([0.1, 0.4, 0.9]),
    "contingency": lambda: hf.Contingency([[3, 1], [2, 5]], rows="predicted"),
    "scores": lambda: hf.Scores(SCORE, TRUTH == "ill_%"),
    "measure": lambda: hf.measures()[0],
    "method": lambda: hf.methods()[0],
    "procedure": lambda: hf.procedures()[0],
}
RESULTS = {**REPORTS, **DECISIONS, **OTHERS}


@cache
def result_of(name: str) -> Any:
    return RESULTS[name]()
