"""A whole report's estimates are scikit-learn's, for two classes and for many, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

import holdfast as hf

CLIP = 0.01


def drawn(size: int, classes: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth, predictions and probabilities in hundredths: many scores are equal."""
    generator = np.random.default_rng(seed)
    truth = generator.permutation(np.arange(size) % classes)
    chances = generator.dirichlet(np.ones(classes), size) + 0.5 * np.eye(classes)[truth]
    hundredths = np.floor(100 * chances / chances.sum(axis=1, keepdims=True))
    hundredths[:, 0] += 100 - hundredths.sum(axis=1)
    scores = hundredths / 100
    return truth, scores.argmax(axis=1), scores


def close(value: float) -> object:
    return pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_two_classes(seed: int) -> None:
    truth, predicted, scores = drawn(300, 2, seed)
    p = scores[:, 1]
    report = hf.assess(truth, predicted, p, clip=CLIP)
    clipped = np.clip(p, CLIP, 1 - CLIP)
    tn, fp, fn, tp = metrics.confusion_matrix(truth, predicted).ravel()
    wanted = {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "error-rate": metrics.zero_one_loss(truth, predicted),
        "precision": metrics.precision_score(truth, predicted),
        "recall": metrics.recall_score(truth, predicted),
        "f1": metrics.f1_score(truth, predicted),
        "specificity": tn / (tn + fp),
        "false-positive-rate": fp / (tn + fp),
        "false-negative-rate": fn / (fn + tp),
        "npv": tn / (tn + fn),
        "prevalence": truth.mean(),
        "balanced-accuracy": metrics.balanced_accuracy_score(truth, predicted),
        "macro-f1": metrics.f1_score(truth, predicted, average="macro"),
        "weighted-f1": metrics.f1_score(truth, predicted, average="weighted"),
        "mcc": metrics.matthews_corrcoef(truth, predicted),
        "kappa": metrics.cohen_kappa_score(truth, predicted),
        "auc": metrics.roc_auc_score(truth, p),
        "average-precision": metrics.average_precision_score(truth, p),
        "log-loss": metrics.log_loss(truth, clipped),
        "brier": metrics.brier_score_loss(truth, p),
    }
    for name, value in wanted.items():
        assert report[name].estimate == close(value), name


@pytest.mark.parametrize("classes", [3, 7])
def test_many_classes(classes: int) -> None:
    truth, predicted, scores = drawn(400, classes, classes)
    report = hf.assess(truth, predicted, scores, clip=CLIP)
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(truth, predicted)
    for label in range(classes):
        wanted = {
            "precision": precision[label],
            "recall": recall[label],
            "f1": f1[label],
            "auc": metrics.roc_auc_score(truth == label, scores[:, label]),
            "average-precision": metrics.average_precision_score(truth == label, scores[:, label]),
        }
        for name, value in wanted.items():
            assert report[name, label].estimate == close(value), (name, label)
    own = np.clip(scores[np.arange(len(truth)), truth], CLIP, 1 - CLIP)
    together = {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "balanced-accuracy": metrics.balanced_accuracy_score(truth, predicted),
        "macro-precision": metrics.precision_score(truth, predicted, average="macro"),
        "macro-f1": metrics.f1_score(truth, predicted, average="macro"),
        "weighted-precision": metrics.precision_score(truth, predicted, average="weighted"),
        "weighted-recall": metrics.recall_score(truth, predicted, average="weighted"),
        "weighted-f1": metrics.f1_score(truth, predicted, average="weighted"),
        "mcc": metrics.matthews_corrcoef(truth, predicted),
        "kappa": metrics.cohen_kappa_score(truth, predicted),
        "log-loss": -np.log(own).mean(),
        "brier": metrics.brier_score_loss(truth, scores),
    }
    for name, value in together.items():
        assert report[name].estimate == close(value), name
