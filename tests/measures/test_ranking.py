"""Area and average precision against scikit-learn, ties included, and the brackets of binned scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import average_precision_score, roc_auc_score

from holdfast.catalog import find_measure
from holdfast.evidence import RankedPrecision, Scores
from holdfast.evidence.ranking import sorted_scores as ranks
from holdfast.measures.ranking import auc, average_precision
from tests.evidence.ranking.test_scores import TIED, UNIT, Examples


def both_classes(rows: Examples) -> bool:
    return bool(rows[1].any() and not rows[1].all())


@given(TIED | UNIT)
@settings(max_examples=200)
def test_agreement_with_scikit_learn(rows: Examples) -> None:
    if both_classes(rows):
        assert float(auc(Scores(*rows)).mean) == pytest.approx(roc_auc_score(rows[1], rows[0]), abs=1e-13)
    if rows[1].any():
        found = average_precision(Scores(*rows))
        assert float(found.mean) == pytest.approx(average_precision_score(rows[1], rows[0]), abs=1e-13)
        assert float(found.complement) == pytest.approx(1 - float(found.mean), abs=1e-15)


@pytest.mark.parametrize("levels", [20, 10**9])
def test_agreement_with_scikit_learn_over_many_blocks(levels: int) -> None:
    rng = np.random.default_rng(levels)
    positive = rng.random(100_000) < 0.1
    values = np.floor(rng.normal(positive * 1.0) * levels) / levels
    scores = Scores(values, positive)
    assert scores.n > 2 * ranks.ROWS
    assert float(scores.mean) == pytest.approx(roc_auc_score(positive, values), rel=1e-12)
    assert float(average_precision(scores).mean) == pytest.approx(average_precision_score(positive, values), rel=1e-11)


def test_neither_order_nor_storing_nor_blocks_change_a_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    positive = rng.random(5_000) < 0.3
    values = np.round(rng.random(5_000), 3)
    first = average_precision(Scores(values, positive))
    assert 0 < first.squares < 1
    monkeypatch.setattr(ranks, "ROWS", 100)
    order = rng.permutation(5_000)
    for again in (Scores(values[order], positive[order]), Scores.from_counts(*Scores(values, positive).cells())):
        found = average_precision(again)
        assert (found.most, found.squares) == (first.most, first.squares)


@given(UNIT)
@settings(max_examples=300)
def test_the_bracket_of_binned_scores_holds_the_average_precision(rows: Examples) -> None:
    if not rows[1].any():
        return
    exact = average_precision(Scores(*rows))
    for width in (0.5, 0.125, 2.0**-10):
        places = np.floor(rows[0] / width) * width
        binned = average_precision(Scores.from_counts(places, rows[1].astype(int), (~rows[1]).astype(int), width=width))
        low, high = float(binned.at_least().mean), float(binned.at_most().mean)
        assert low - 1e-15 <= float(exact.mean) <= high + 1e-15
        assert low <= float(binned.mean) <= high


def test_the_bracket_holds_for_every_order_within_a_bin_and_is_nearly_reached() -> None:
    """All orders, with and without ties, of three positives and two negatives below and above others."""
    rng = np.random.default_rng(0)
    binned = average_precision(Scores.from_counts([0.0, 0.5, 1.0], [1, 3, 1], [2, 2, 1], width=0.5))
    low, high = float(binned.at_least().mean), float(binned.at_most().mean)
    positive = np.array([True] * 5 + [False] * 5)
    found = []
    for _ in range(2000):
        inside = rng.integers(0, 5, 5) / 10
        values = np.concatenate(([0.0, 1.0], 0.5 + inside[:3], [0.0, 0.0, 1.0], 0.5 + inside[3:]))
        # What stands alone in its bin, or with others of both classes, may lie anywhere in it.
        values[[0, 5, 6]] += rng.integers(0, 5, 3) / 10
        values[[1, 7]] += rng.integers(0, 5, 2) / 10
        found.append(float(average_precision(Scores(values, positive)).mean))
    assert low <= min(found) < low + 0.06
    assert high >= max(found) > high - 1e-12


def test_the_mirror_of_average_precision() -> None:
    found = average_precision(Scores.from_counts([0.0, 0.5], [1, 9], [7, 3], width=0.5))
    assert found.mirror().mean == found.complement
    assert found.mirror().at_most().mean == pytest.approx(1 - float(found.at_least().mean))
    assert found.mirror().mirror().mean == found.mean


def test_a_random_scorer_has_area_one_half_and_the_prevalence_for_average_precision() -> None:
    rng = np.random.default_rng(8)
    positive = rng.random(200_000) < 0.2
    scores = Scores(rng.random(200_000), positive)
    assert float(auc(scores).mean) == pytest.approx(0.5, abs=5 * np.sqrt(1 / (12 * 40_000) + 1 / (12 * 160_000)))
    assert float(average_precision(scores).mean) == pytest.approx(0.2, abs=0.01)
    constant = Scores(np.zeros(200_000), positive)
    assert auc(constant).mean == 0.5
    assert float(average_precision(constant).mean) == pytest.approx(positive.mean(), abs=1e-15)


def test_without_examples_of_the_class_there_is_nothing_to_say() -> None:
    for rows in (([], []), ([0.1, 0.2], [False, False])):
        assert not average_precision(Scores(*rows)).known
        assert not auc(Scores(*rows)).known
    alone = average_precision(Scores([0.1, 0.2], [True, True]))
    assert (float(alone.mean), bool(alone.known)) == (1.0, True)


def test_the_catalog_has_both() -> None:
    assert isinstance(find_measure("average-precision")(Scores([0.1], [True])), RankedPrecision)
    assert (find_measure("auc").better, find_measure("AP").better) == ("higher", "higher")
    assert not find_measure("auc").per_class
