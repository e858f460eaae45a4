"""Comparisons to be drawn: models that err more often the farther they are from the second, on the same examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import holdfast as hf
from holdfast.evidence.folds.folds import Folds
from holdfast.report.facts.compared import Compared
from holdfast.verbs.compare.compare import compare
from holdfast.verbs.compare.datasets import compare_datasets
from holdfast.verbs.compare.folds import compare_folds

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "{{7*7}}&amp;",
    "x" * 10_000,
    "line\nbreak\x00\u202e",
)
JAVASCRIPT = ("constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "isPrototypeOf")  # what objects have


def compared(report: hf.Report) -> Compared:
    """What the report says beside its claims, where it compares."""
    assert isinstance(report.facts, Compared)
    return report.facts


def best_first(report: hf.Report) -> list[str]:
    return compared(report).best_first(report.whole)


@cache
def rivals(number: int, rows: int = 400, names: Sequence[str] = (), spread: float = 0.22, **options: Any) -> hf.Report:
    """So many models on examples that are hard for all of them; the second is the best, or nearly."""
    draw = np.random.default_rng(number)
    truth, hard = draw.integers(0, 2, rows), draw.random(rows)
    names = [*names, *(f"model {place + 1}" for place in range(len(names), number))]
    answers = {}
    for place, name in enumerate(names):
        trouble = 0.6 * hard + 0.4 * draw.random(rows)
        wrong = trouble > 0.8 - spread * abs(place - 1) / max(number - 2, 1)
        answers[name] = np.where(wrong, 1 - truth, truth)
    return compare(truth, answers, **options)


@cache
def scored() -> hf.Report:
    """Two models with scores, in patients of several examples each: many measures, and nothing to count."""
    draw = np.random.default_rng(8)
    truth = draw.integers(0, 2, 120)
    scores = {name: np.clip(0.3 * truth + noise * draw.random(120), 0, 1) for name, noise in (("a", 0.7), ("b", 1.0))}
    answers = {name: (score >= 0.5).astype(int) for name, score in scores.items()}
    return compare(truth, answers, scores, positive=1, only=("f1", "brier"))


@cache
def over_datasets(number: int = 4, sets: int = 14, **options: Any) -> hf.Report:
    draw = np.random.default_rng(number)
    hard, better = draw.uniform(0.6, 0.9, sets), np.linspace(0.03, 0, number)
    scores = {f"model {i + 1}": hard + up + draw.normal(0, 0.012, sets) for i, up in enumerate(better.tolist())}
    return compare_datasets(scores, better="higher", measure="accuracy", **options)


@cache
def over_folds(better: str = "lower", number: int = 3) -> hf.Report:
    draw = np.random.default_rng(11)
    way = 1 if better == "lower" else -1
    results = {f"model {i + 1}": 0.3 + way * 0.05 * i + draw.normal(0, 0.01, 10) for i in range(number)}
    measure = "error-rate" if better == "lower" else "accuracy"
    return compare_folds(Folds(results, measure=measure, better=better, n_test=30, n_train=270))  # type: ignore[arg-type]
