"""What each measure is of rows that weigh so much: by scikit-learn's `sample_weight`, or else written out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics


class Weighed(NamedTuple):
    """Rows, and what each of them weighs."""

    weight: np.ndarray
    truth: np.ndarray = np.zeros(0)
    predicted: np.ndarray = np.zeros(0)
    score: np.ndarray = np.zeros(0)
    margin: np.ndarray = np.zeros(0)
    value: np.ndarray = np.zeros(0)

    @property
    def two(self) -> tuple[np.ndarray, np.ndarray]:
        return self.truth, self.predicted

    def share(self, events: np.ndarray, trials: np.ndarray | float = 1.0) -> float:
        """Of what the trials weigh, the part that the events do."""
        return float(np.sum(self.weight * trials * events) / np.sum(self.weight * trials))


Estimate = Callable[[Weighed, Any], float]


def _of_label(function: Callable[..., Any]) -> Estimate:
    return lambda rows, label: float(
        function(*rows.two, labels=[label], average="micro", sample_weight=rows.weight, zero_division=np.nan)
    )


def _of_all(function: Callable[..., Any], **more: Any) -> Estimate:
    return lambda rows, _: float(function(*rows.two, sample_weight=rows.weight, **more))


def _of_scores(function: Callable[..., Any]) -> Estimate:
    return lambda rows, _: float(function(rows.truth, rows.score, sample_weight=rows.weight))


def _distance(rows: Weighed, _: object) -> float:
    wrong, right, _ = metrics.roc_curve(rows.truth, rows.score, sample_weight=rows.weight, drop_intermediate=False)
    return float(np.max(np.abs(right - wrong)))


def _log_loss(rows: Weighed, _: object) -> float:
    return float(metrics.log_loss(rows.truth, np.clip(rows.score, 1e-6, 1 - 1e-6), sample_weight=rows.weight))


def _cost(rows: Weighed, _: object) -> float:
    """Five for what is missed and one for a false alarm."""
    table = metrics.confusion_matrix(*rows.two, sample_weight=rows.weight, labels=[0, 1])  # its rows are the truth
    return float(np.sum(table * np.array([[0, 1], [5, 0]])) / np.sum(table))


def _thirds(rows: Weighed) -> np.ndarray:
    """In which of three bins each score is."""
    return (rows.score >= 1 / 3) * 1 + (rows.score >= 2 / 3)


def _came_true(rows: Weighed, label: str) -> float:
    """Of a bin that is called by its ends."""
    return rows.share(rows.truth == 1, _thirds(rows) == ["[0,", "[0.333333,", "[0.666667,"].index(label.split()[0]))


def _calibration_error(rows: Weighed, _: object) -> float:
    off = np.bincount(_thirds(rows), rows.weight * (rows.truth - rows.score))
    return float(np.sum(np.abs(off)) / np.sum(rows.weight))


BY_SKLEARN: dict[str, Estimate] = {
    "error-rate": _of_all(metrics.zero_one_loss),
    "accuracy": _of_all(metrics.accuracy_score),
    "precision": _of_label(metrics.precision_score),
    "recall": _of_label(metrics.recall_score),
    "f1": _of_label(metrics.f1_score),
    "balanced-accuracy": _of_all(metrics.balanced_accuracy_score),
    "macro-precision": _of_all(metrics.precision_score, average="macro"),
    "macro-f1": _of_all(metrics.f1_score, average="macro"),
    "weighted-precision": _of_all(metrics.precision_score, average="weighted"),
    "weighted-recall": _of_all(metrics.recall_score, average="weighted"),
    "weighted-f1": _of_all(metrics.f1_score, average="weighted"),
    "mcc": _of_all(metrics.matthews_corrcoef),
    "kappa": _of_all(metrics.cohen_kappa_score),
    "auc": _of_scores(metrics.roc_auc_score),
    "gini": lambda rows, label: 2 * BY_SKLEARN["auc"](rows, label) - 1,
    "average-precision": _of_scores(metrics.average_precision_score),
    "ks": _distance,
    "brier": _of_scores(metrics.brier_score_loss),
    "log-loss": _log_loss,
    "expected-cost": _cost,
    "squared-loss": _of_all(metrics.mean_squared_error),
    "absolute-loss": _of_all(metrics.mean_absolute_error),
}
WRITTEN_OUT: dict[str, Estimate] = {
    "specificity": lambda rows, label: rows.share(rows.predicted != label, rows.truth != label),
    "npv": lambda rows, label: rows.share(rows.truth != label, rows.predicted != label),
    "false-positive-rate": lambda rows, label: rows.share(rows.predicted == label, rows.truth != label),
    "false-negative-rate": lambda rows, label: rows.share(rows.predicted != label, rows.truth == label),
    "prevalence": lambda rows, label: rows.share(rows.truth == label),
    "hard-loss": lambda rows, _: rows.share(rows.margin <= 0),
    "logistic-loss": lambda rows, _: rows.share(1 / (1 + np.exp(rows.margin))),
    "calibration": _came_true,
    "ece": _calibration_error,
    "linear-loss": lambda rows, _: rows.share((1 - rows.margin) / 2),
}
OF_VALUES: dict[str, Estimate] = {  # from 1 to 5
    "mean-value": lambda rows, _: rows.share(rows.value),
    "accuracy": lambda rows, _: rows.share((rows.value - 1) / 4),
    "error-rate": lambda rows, _: rows.share((5 - rows.value) / 4),
}


def expected(measure: str, rows: Weighed, label: Any) -> float:
    """The estimate of a measure, of one label where it is about one."""
    known = OF_VALUES if rows.value.size else {**WRITTEN_OUT, **BY_SKLEARN}
    return known[measure](rows, label)
