"""MCC and kappa: their two forms are one, they rise with the recalls, and large numbers do them no harm."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from holdfast.catalog import find_measure
from holdfast.evidence import Array, Contingency, MonotoneInRecalls

NAMES = ("mcc", "kappa")


def box(name: str, table: object) -> MonotoneInRecalls:
    evidence = find_measure(name)(Contingency(table, rows="predicted"))  # type: ignore[arg-type]
    assert isinstance(evidence, MonotoneInRecalls)
    return evidence


def of_rates(name: str, odds: Array, a: Array, b: Array) -> Array:
    return box(name, [[1, 1], [1, 1]]).of_rates(odds, a, 1 - a, b, 1 - b)


@pytest.mark.parametrize("name", NAMES)
def test_the_reading_of_a_table_is_that_of_its_rates(name: str) -> None:
    tables = np.random.default_rng(0).integers(1, 50, (200, 2, 2))
    evidence = box(name, tables)
    odds, (first, second) = evidence.prevalence.mean / evidence.prevalence.complement, evidence.recalls
    found = evidence.of_rates(odds, first.mean, first.complement, second.mean, second.complement)
    np.testing.assert_allclose(found, evidence.reading(evidence.source), atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_it_rises_with_either_recall(name: str) -> None:
    rng = np.random.default_rng(1)
    odds = np.exp(rng.normal(0, 3, 200_000))
    a, b, step = rng.beta(0.5, 0.5, (3, 200_000))
    here, more_a = of_rates(name, odds, a, b), of_rates(name, odds, a + (1 - a) * step, b)
    more_b = of_rates(name, odds, a, b + (1 - b) * step)
    assert np.all(more_a >= here - 1e-12)
    assert np.all(more_b >= here - 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_along_the_odds_it_is_farthest_from_zero_at_one_place(name: str) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.beta(0.5, 0.5, (2, 1, 2000))
    log_odds = np.linspace(-12, 12, 2401)[:, np.newaxis]
    size = np.abs(of_rates(name, np.exp(log_odds), a, b))
    peak = np.log(box(name, [[1, 1], [1, 1]]).steepest(a, 1 - a, b, 1 - b))
    rising = np.diff(size, axis=0) >= -1e-13
    before, after = log_odds[1:] <= peak, log_odds[:-1] >= peak
    assert np.all(rising[before])
    assert np.all(np.diff(size, axis=0)[after] <= 1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_the_mirror_turns_every_prediction_over(name: str) -> None:
    evidence = box(name, [[[8, 5], [3, 84]], [[0, 4], [3, 7]]])
    turned = evidence.mirror()
    np.testing.assert_allclose(turned.mean, evidence.complement, atol=1e-15)
    np.testing.assert_allclose(turned.reading(turned.source), -evidence.reading(evidence.source))
    assert turned.recalls[0].k.tolist() == [3, 3]
    odds, (first, second) = turned.prevalence.mean / turned.prevalence.complement, turned.recalls
    found = turned.of_rates(odds, first.mean, first.complement, second.mean, second.complement)
    np.testing.assert_allclose(found, -evidence.reading(evidence.source))


def test_whole_numbers_keep_their_digits() -> None:
    """One rare example in three thousand million: n squared less the squares would leave seven digits."""
    table = [[1, 2], [1, 2_999_999_990]]
    n, hits, actual, predicted = 2_999_999_994, 2_999_999_991, (2, 2_999_999_992), (3, 2_999_999_991)
    shared = n * hits - sum(i * j for i, j in zip(actual, predicted, strict=True))
    spread = (n * n - sum(i * i for i in actual)) * (n * n - sum(i * i for i in predicted))
    by_chance = n * n - sum(i * j for i, j in zip(actual, predicted, strict=True))
    for name, exact in (("mcc", shared / sqrt(spread)), ("kappa", float(Fraction(shared, by_chance)))):
        evidence = box(name, table)
        assert float(evidence.reading(evidence.source)) == pytest.approx(exact, rel=1e-14)


def test_beyond_the_integers_floats_take_over() -> None:
    for name in NAMES:
        small, large = (box(name, np.array([[8, 5], [3, 84]]) * scale) for scale in (1, 10**11))
        assert float(large.mean) == pytest.approx(float(small.mean), rel=1e-12)


def test_many_labels_cost_what_their_examples_cost() -> None:
    rng = np.random.default_rng(4)
    actual = rng.integers(0, 100_000, 300_000)
    predicted = np.where(rng.random(300_000) < 0.7, actual, rng.integers(0, 100_000, 300_000))
    labels = tuple(map(str, range(100_000)))
    table = Contingency.of_cells(labels, predicted, actual, np.ones(300_000, np.int64))
    for name in NAMES:
        assert float(find_measure(name)(table).mean) == pytest.approx((1 + 0.7) / 2, abs=0.01)


def test_perfect_and_perfectly_wrong() -> None:
    for name in NAMES:
        assert box(name, [[5, 0], [0, 7]]).mean == 1.0
        assert box(name, [[0, 6], [6, 0]]).mean == 0.0
