"""What the probabilities of the rows were worth, where their scores are some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from holdfast.evidence import Forecasts, Scores
from holdfast.tally.bins import Binned
from holdfast.tally.scores import Kept

ROUNDING = 1e-6  # by which the probabilities of a row may miss adding up to one


def forecasts_of_two(read: Kept | Binned, scores: dict[str, Scores]) -> tuple[Forecasts | None, list[str]]:
    """Of the one label that scores speak for, and a note where they are no probabilities."""
    if note := no_probabilities(*read.span):
        return None, [note]
    return Forecasts.of_scores(*scores.values()), []


def forecasts_of_many(read: Kept | Binned, codes: Sequence[int]) -> tuple[Forecasts | None, list[str]]:
    """What the probabilities of several labels were worth."""
    if note := no_probabilities(*read.span):
        return None, [note]
    if isinstance(read, Binned):
        return None, ["Log loss and Brier score of several score columns are left out: there are too many rows."]
    total, given, squares = (np.zeros(read.truth.size) for _ in range(3))
    for column, code in zip(read.columns, codes, strict=True):
        true = read.truth == code
        total += column
        given[true] = column[true] + 0.0  # -0.0 is 0.0
        squares += np.where(true, 1.0 - column, column) ** 2
    worst = float(np.max(np.abs(total - 1.0)))
    if worst > ROUNDING:
        return None, [f"The scores of a row miss adding up to 1 by up to {worst:.2g}: no log loss, no Brier score."]
    two = len(codes) == 2  # then both probabilities are equally wrong, and one is enough
    return Forecasts(np.sort(given), np.sort(squares / 2 if two else squares), squares_high=1.0 if two else 2.0), []


def no_probabilities(low: float, high: float) -> str | None:
    """Why scores that run from one number to the other are no probabilities, if they are none."""
    if low >= 0 and high <= 1:
        return None
    return f"The scores run from {low:.4g} to {high:.4g} and are no probabilities: no log loss, no Brier score."
