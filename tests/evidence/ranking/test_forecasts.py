"""Forecasts: what two classes and many give to proper scores, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence import Forecasts, Scores
from tests.snapshots import matches, messages


def test_two_classes_give_the_probability_of_the_truth() -> None:
    forecasts = Forecasts.of_scores(Scores([0.9, 0.4, 0.2, 0.2], [True, False, True, False]))
    (part,) = forecasts.blocks()
    rows = sorted(zip(part.least_probability.tolist(), part.least_square.tolist(), part.times.tolist(), strict=True))
    wanted = [(0.2, 0.64, 1), (0.6, 0.16, 1), (0.8, 0.04, 1), (0.9, 0.01, 1)]
    assert np.array(rows) == pytest.approx(np.array(wanted))
    assert part.least_probability is part.most_probability
    assert (int(forecasts.n), forecasts.squares_high, forecasts.exact) == (4, 1.0, True)


def test_bins_give_both_ends() -> None:
    forecasts = Forecasts.of_scores(Scores.from_counts([0.5, 0.75], [2, 1], [0, 3], width=0.25))
    (part,) = forecasts.blocks()
    assert part.least_probability.tolist() == [0.5, 0.75, 0.0]
    assert part.most_probability.tolist() == [0.75, 1.0, 0.25]
    assert part.least_square.tolist() == [0.0625, 0.0, 0.5625]
    assert part.most_square.tolist() == [0.25, 0.0625, 1.0]
    assert part.times.tolist() == [2, 1, 3]
    assert not forecasts.exact
    (beyond,) = Forecasts.of_scores(Scores.from_counts([1.0], [1], [1], width=0.25)).blocks()
    assert beyond.most_probability.tolist() == [1.0, 0.0]
    assert beyond.least_probability.tolist() == [1.0, 0.0]


def test_many_classes_are_given_row_by_row() -> None:
    forecasts = Forecasts([0.7, 0.2], [0.14, 0.96], times=[3, 1])
    assert int(forecasts.n) == 4
    assert forecasts.squares_high == 2.0


def test_a_sum_of_probabilities_that_misses_one_by_rounding_is_forgiven() -> None:
    (part,) = Forecasts([1.0 + 1e-12], [2.0 + 1e-12]).blocks()
    assert (part.least_probability.tolist(), part.least_square.tolist()) == ([1.0], [2.0])


def test_every_refusal_says_what_to_do() -> None:
    matches(
        "errors_of_forecasts",
        messages(
            {
                "scores beyond one": lambda: Forecasts.of_scores(Scores([1.5, 0.2], [True, False])),
                "negative scores": lambda: Forecasts.of_scores(Scores([-1.5, 0.2], [True, False])),
                "probability 1.1": lambda: Forecasts([1.1], [0.0]),
                "squared error 1.5 of two classes": lambda: Forecasts([0.1], [1.5], squares_high=1.0),
                "shapes": lambda: Forecasts([0.1, 0.2], [0.1]),
                "missing": lambda: Forecasts([float("nan")], [0.1]),
                "half a row": lambda: Forecasts([0.1], [0.1], times=[0.5]),
            }
        ),
    )
