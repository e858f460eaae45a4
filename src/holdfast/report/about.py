"""What a claim is about, as its measure declares it: whoever shows claims asks here, and keeps no list of measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from holdfast.catalog import measure_called, measures


def told_in_percent(measure: str) -> bool:
    """Whether it is a share of examples.

    Examples
    --------
    >>> told_in_percent("recall"), told_in_percent("f1"), told_in_percent("recall-gap")
    (True, False, False)
    """
    entry = measure_called(measure)
    return entry is not None and entry.unit == "rate"


def in_a_sentence(measure: str) -> str:
    """Its name among words.

    Examples
    --------
    >>> in_a_sentence("auc"), in_a_sentence("error-rate")
    ('AUC', 'error rate')
    """
    entry = measure_called(measure)
    return measure.replace("-", " ") if entry is None or entry.called is None else entry.called


def label_is(measure: str) -> Literal["class", "bin", "samples"]:
    """What the labels of its claims are: classes, bins of the scores, or numbers of samples."""
    entry = measure_called(measure)
    return "class" if entry is None else entry.label_is


def told_of_classes(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those of them that are told of many classes where there is room for few: read off a table, and off scores.

    Examples
    --------
    >>> told_of_classes(["npv", "recall", "auc", "precision"])
    (['precision', 'recall'], ['auc'])
    """
    asked = set(names)
    told = [measure for measure in measures() if measure.name in asked and "class" in measure.told_of]
    return [each.name for each in told if each.per_class], [each.name for each in told if not each.per_class]


def better_of(measure: str) -> str | None:
    """Whether higher or lower values are better, where either is."""
    entry = measure_called(measure)
    return None if entry is None else entry.better


def out_of_actual(measure: str) -> bool:
    """Whether it is a share of examples that the truth alone picks."""
    entry = measure_called(measure)
    return entry is not None and entry.out_of == "actual"
