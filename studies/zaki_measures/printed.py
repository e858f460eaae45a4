"""What sections 22.1 and 22.2 print: tables, scores and fold results; all numbers as strings or whole counts."""

from __future__ import annotations

import numpy as np

import holdfast as hf
from holdfast.evidence import Scores
from holdfast.evidence.folds.values import FoldValues

CLASSES = ("setosa", "versicolor", "virginica")
IRIS = hf.Contingency([[10, 0, 0], [0, 7, 5], [0, 3, 5]], CLASSES, rows="predicted")  # Table 22.1
COMPONENTS = hf.Contingency([[7, 7], [3, 13]], ["versicolor", "other"], rows="predicted")  # Table 22.3

RATES = [  # example, table, measure, class, printed
    ("Example 22.1", IRIS, "error-rate", None, "0.267"),
    ("Example 22.1", IRIS, "accuracy", None, "0.733"),
    ("Example 22.2", IRIS, "precision", "setosa", "1.0"),
    ("Example 22.2", IRIS, "precision", "versicolor", "0.583"),
    ("Example 22.2", IRIS, "precision", "virginica", "0.625"),
    ("Example 22.2", IRIS, "accuracy", None, "0.733"),
    ("Example 22.2", IRIS, "recall", "setosa", "1.0"),
    ("Example 22.2", IRIS, "recall", "versicolor", "0.7"),
    ("Example 22.2", IRIS, "recall", "virginica", "0.5"),
    ("Example 22.2", IRIS, "f1", "setosa", "1.0"),
    ("Example 22.2", IRIS, "f1", "versicolor", "0.636"),
    ("Example 22.2", IRIS, "f1", "virginica", "0.556"),
    ("Example 22.2", IRIS, "macro-f1", None, "0.731"),
    ("Example 22.3", COMPONENTS, "error-rate", None, "0.33"),
    ("Example 22.3", COMPONENTS, "accuracy", None, "0.67"),
    ("Example 22.3", COMPONENTS, "precision", "versicolor", "0.5"),
    ("Example 22.3", COMPONENTS, "precision", "other", "0.8125"),
    ("Example 22.3", COMPONENTS, "sensitivity", "versicolor", "0.7"),
    ("Example 22.3", COMPONENTS, "specificity", "versicolor", "0.65"),
    ("Example 22.3", COMPONENTS, "recall", "other", "0.65"),
    ("Example 22.3", COMPONENTS, "fnr", "versicolor", "0.3"),
    ("Example 22.3", COMPONENTS, "fpr", "versicolor", "0.35"),
]

ESTIMATES = [  # Example 22.3, of the training set: what, class, component, printed
    ("mean", "versicolor", 0, "-0.641"),
    ("mean", "versicolor", 1, "-0.204"),
    ("mean", "other", 0, "0.27"),
    ("mean", "other", 1, "0.14"),
    ("variance", "versicolor", 0, "0.29"),
    ("variance", "versicolor", 1, "0.18"),
    ("variance", "other", 0, "6.14"),
    ("variance", "other", 1, "0.206"),
]

# Scores followed by 1 for the class and 2 for the other. No labels are printed for the last five of Table 22.5; the
# class sizes it states, 10 and 20, leave only the other class.
TABLE_22_5 = """
0.93 2, 0.82 1, 0.80 2, 0.77 1, 0.74 1, 0.71 1, 0.69 2, 0.67 1, 0.66 2, 0.61 2, 0.59 2, 0.55 2, 0.55 1, 0.53 1, 0.47 1,
0.30 1, 0.26 1, 0.11 2, 0.04 2, 2.97e-03 2, 1.28e-03 2, 2.55e-07 2, 6.99e-08 2, 3.11e-08 2, 3.109e-08 2, 1.53e-08 2,
9.76e-09 2, 2.08e-09 2, 1.95e-09 2, 7.83e-10 2
"""
UNLABELLED = 5
EXAMPLE_22_5 = "0.9 1, 0.8 2, 0.8 1, 0.8 1, 0.1 2"
Q5 = "0.53 1, 0.86 2, 0.25 1, 0.95 1, 0.87 2, 0.86 1, 0.76 2, 0.94 1, 0.44 2, 0.86 2"
STEPS_22_5 = [  # threshold, then FP, TP, FPR, TPR and the area so far
    ("inf", ("0", "0", "0", "0", "0")),
    ("0.9", ("0", "1", "0", "0.333", "0")),
    ("0.8", ("1", "3", "0.5", "1", "0.333")),
    ("0.1", ("2", "3", "1", "1", "0.833")),
]

RATES_22_7 = ("0.267", "0.133", "0.233", "0.367", "0.167")
FOLDS_22_7 = FoldValues(np.divide([8, 4, 7, 11, 5], 30), n_train=120, n_test=30)
INTERVALS = [  # example, method, chance of being wrong, quantile, reach, both limits
    ("Example 22.9", "fold-z", 0.05, "1.96", "0.08", ("0.153", "0.313")),
    ("Example 22.9", "fold-z", 0.01, "2.58", "0.105", ("0.128", "0.338")),
    ("Example 22.10", "fold-t", 0.05, "2.776", "0.113", ("0.12", "0.346")),
    ("Example 22.10", "fold-t", 0.01, "4.604", "0.188", ("0.045", "0.421")),
]

RATES_22_11 = {
    "naive": ("0.233", "0.267", "0.1", "0.4", "0.3"),
    "full": ("0.2", "0.2", "0.167", "0.333", "0.233"),
}
DIFFERENCES_22_11 = ("0.033", "0.067", "-0.067", "0.067", "0.067")
COUNTS_22_11 = {"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}  # of 30 examples a fold
FOLDS_22_11 = hf.Folds.from_errors(COUNTS_22_11, n_test=30, n_train=120)

TRAINING_Q2 = [  # X, Y, Z, class: Table 22.6a
    (15, 1, "A", 1),
    (20, 3, "B", 2),
    (25, 2, "A", 1),
    (30, 4, "A", 1),
    (35, 2, "B", 2),
    (25, 4, "A", 1),
    (15, 2, "B", 2),
    (20, 3, "B", 2),
]
TESTING_Q2 = [(10, 2, "A", 2), (20, 1, "B", 1), (30, 3, "A", 2), (40, 2, "B", 2), (15, 1, "B", 1)]  # Table 22.6b
TABLE_22_7 = {1: "12.7065", 2: "4.3026", 3: "3.1824", 4: "2.7764", 5: "2.5706", 6: "2.4469"}  # freedom: t at 95 %


def scored(text: str) -> Scores:
    """Scores followed by 1 for the class and 2 for the other."""
    pairs = [pair.split() for pair in text.split(",")]
    return Scores([float(score) for score, _ in pairs], [label == "1" for _, label in pairs])


def labels(text: str) -> list[tuple[float, bool]]:
    """The same as pairs, in the order printed."""
    pairs = [pair.split() for pair in text.split(",")]
    return [(float(score), label == "1") for score, label in pairs]
