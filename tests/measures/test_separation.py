"""Gini and the Kolmogorov-Smirnov distance, against their definitions and peers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

from holdfast.catalog import find_measure
from holdfast.evidence import Scores
from holdfast.evidence.ranking import sorted_scores as ranks
from holdfast.measures.ranking import gini, ks

Examples = tuple[NDArray[np.float64], NDArray[np.bool_]]


@st.composite
def tied(draw: st.DrawFn) -> Examples:
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    truth = rng.random(n) < draw(st.floats(0.05, 0.95))
    truth[:2] = True, False
    return rng.integers(-5, draw(st.integers(-4, 40)), n) / 4.0, truth


def test_names() -> None:
    assert find_measure("Kolmogorov-Smirnov") is ks
    assert find_measure("gini").range == (-1.0, 1.0)


@pytest.mark.long
@given(tied())
@settings(max_examples=150)
def test_they_agree_with_the_peers(rows: Examples) -> None:
    values, truth = rows
    scores = Scores(*rows)
    ranked = gini(scores)
    assert float(ranked.units(ranked.mean)) == pytest.approx(2 * roc_auc_score(truth, values) - 1, abs=1e-12)
    grades = np.unique(values)
    shares = (stats.ecdf(values[which]).cdf.evaluate(grades) for which in (truth, ~truth))
    expected = np.abs(np.subtract(*shares)).max()
    assert float(ks(scores).mean) == pytest.approx(expected, abs=1e-12)
    assert float(ks(scores).mean + ks(scores).complement) == pytest.approx(1.0, abs=1e-15)


@given(tied(), st.sampled_from([0.25, 0.5, 2.0]))
@settings(max_examples=150)
def test_bins_contain_the_distance(rows: Examples, width: float) -> None:
    values, truth = rows
    exact = float(ks(Scores(*rows)).mean)
    lower_ends = np.floor(values / width) * width
    binned = ks(Scores.from_counts(lower_ends, truth.astype(int), (~truth).astype(int), width=width))
    assert float(binned.at_least().mean) <= exact <= float(binned.at_most().mean)
    assert float(binned.at_least().mean) <= float(binned.mean) <= float(binned.at_most().mean)


def test_bins_are_not_wider_than_they_must_be() -> None:
    # One bin: all others may come before the class, or after it; or all may be equal.
    binned = ks(Scores.from_counts([0.0], [3], [2], width=1.0))
    assert (float(binned.at_least().mean), float(binned.at_most().mean)) == (0.0, 1.0)
    # The upper bin holds one class only: how it is ordered changes nothing.
    apart = ks(Scores.from_counts([0.0, 1.0], [0, 5], [4, 0], width=1.0))
    assert (float(apart.at_least().mean), float(apart.at_most().mean)) == (1.0, 1.0)


def test_the_order_of_rows_and_the_size_of_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    values, truth = rng.normal(size=500).round(1), rng.random(500) < 0.3
    first = ks(Scores(values, truth))
    monkeypatch.setattr(ranks, "ROWS", 7)
    order = rng.permutation(500)
    again = ks(Scores(values[order], truth[order]))
    assert (again.least, again.most) == (first.least, first.most)


def test_turning_the_scores_over_keeps_the_distance_and_turns_gini() -> None:
    rng = np.random.default_rng(5)
    values, truth = rng.normal(size=80), rng.random(80) < 0.4
    up, down = Scores(values, truth), Scores(-values, truth)
    assert ks(up).least == ks(down).least
    assert float(gini(up).units(gini(up).mean)) == pytest.approx(-float(gini(down).units(gini(down).mean)), abs=1e-12)


@pytest.mark.parametrize("rows", [([], []), ([0.1, 0.2], [True, True]), ([0.1, 0.2], [False, False])])
def test_a_class_without_examples_is_unknown(rows: tuple[list[float], list[bool]]) -> None:
    assert not ks(Scores(*rows)).known
    assert not gini(Scores(*rows)).known


def test_how_they_show_themselves() -> None:
    scores = Scores([0.9, 0.8, 0.1], [True, False, False])
    assert repr(gini(scores)) == "Gini(n=3, n_positive=1, gini=1)"
    assert repr(ks(scores)) == "Distance(n_positive=1, n_negative=2, mean=1)"
    assert repr(gini(Scores([], []))) == "Gini(n=0, n_positive=0, gini=unknown)"
