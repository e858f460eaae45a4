"""McNemar's tests: published numbers, exact false-positive rates, and models that are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from holdfast.claims import Guarantee, PValue
from holdfast.comparisons import mcnemar
from holdfast.errors import HoldfastError
from holdfast.evidence import Array
from tests.bounds.pairs import probabilities, tables
from tests.tries import tries

Test = Callable[..., PValue]
TESTS = [mcnemar.exact, mcnemar.mid_p, mcnemar.asymptotic]
SIDES: tuple[Any, ...] = ("both", "first", "second")
ROUNDING = 1e-12

each_test = pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)


def false_positives(test: Test, coins: int, side: Any, delta: float, lean: float = 0.5) -> float:
    """The chance of a p-value of at most delta, where each coin falls to the first model with chance `lean`."""
    won = np.arange(coins + 1)
    value = np.asarray(test(won, coins - won, side).value)
    return float(binom.pmf(won, coins, lean)[value <= delta * (1 + ROUNDING)].sum())


@pytest.mark.parametrize(
    ("test", "p"),
    [(mcnemar.exact, 0.052479), (mcnemar.mid_p, 0.034690), (mcnemar.asymptotic, 0.033006)],
    ids=["exact", "mid-p", "asymptotic"],
)
def test_cavo_2012(test: Test, p: float) -> None:
    # Fagerland, Lydersen and Laake 2013: 6 and 16 discordant pairs of 161.
    assert round(float(test(6, 16).value), 6) == p
    assert round(float(test(16, 6).value), 6) == p


def test_the_statistic_is_the_root_of_mcnemars_chi_squared() -> None:
    found = mcnemar.asymptotic([6, 16, 0], [16, 6, 0])
    assert np.asarray(found.statistic) ** 2 == pytest.approx([100 / 22, 100 / 22, 0.0])
    assert np.sign(np.asarray(found.statistic)).tolist() == [-1, 1, 0]


# ---- The promise


@pytest.mark.long
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("delta", [0.5, 0.05, 0.01, 1e-4])
def test_equal_models_are_told_apart_no_more_often_than_delta(side: str, delta: float) -> None:
    rates = [false_positives(mcnemar.exact, coins, side, delta) for coins in range(201)]
    assert max(rates) <= delta * (1 + ROUNDING)
    assert max(rates) > 0.8 * delta  # a test that never rejects would pass the rest


@pytest.mark.parametrize("lean", [0.5, 0.4, 0.1])
def test_a_one_sided_null_is_the_whole_side(lean: float) -> None:
    rates = [false_positives(mcnemar.exact, coins, "first", 0.05, lean) for coins in range(201)]
    assert max(rates) <= 0.05 * (1 + ROUNDING)
    rates = [false_positives(mcnemar.exact, coins, "second", 0.05, 1 - lean) for coins in range(201)]
    assert max(rates) <= 0.05 * (1 + ROUNDING)


@tries("mcnemar-exact", how="enumerated")
@pytest.mark.parametrize("n", [1, 2, 5, 12, 30])
def test_whole_tables_keep_the_promise_however_often_the_models_differ(n: int) -> None:
    won, lost = tables(n)
    p_each = np.concatenate([np.linspace(0, 0.5, 101), [1e-9, 0.5 - 1e-9]])
    chances = probabilities(n, won, lost, p_each, p_each)
    assert chances.sum(axis=-1) == pytest.approx(np.ones(p_each.size))
    for side in SIDES:
        value = np.asarray(mcnemar.exact(won, lost, side).value)
        for delta in np.unique(value[value < 1]):  # every level at which anything changes
            rejected = value <= delta * (1 + ROUNDING)
            assert (chances @ rejected).max() <= delta * (1 + 1e-10)


def test_the_side_that_looks_better_errs_twice_as_often() -> None:
    def looks_better(won: Array, lost: Array, _: str) -> PValue:
        smaller = np.minimum(mcnemar.exact(won, lost, "first").value, mcnemar.exact(won, lost, "second").value)
        return PValue("peeked", smaller, "", Guarantee.HEURISTIC, mcnemar.exact(0, 0).source)

    assert max(false_positives(looks_better, coins, "", 0.05) for coins in range(201)) > 0.08


@tries("mcnemar-mid-p", "mcnemar-asymptotic", how="enumerated")
@pytest.mark.parametrize("test", [mcnemar.mid_p, mcnemar.asymptotic], ids=["mid-p", "asymptotic"])
def test_the_softness_of_the_others_is_real(test: Test) -> None:
    assert max(false_positives(test, coins, "both", 0.05) for coins in range(201)) > 0.0505
    assert test(1, 2).guarantee is Guarantee.ASYMPTOTIC


# ---- What every test owes


@each_test
@pytest.mark.parametrize("side", SIDES)
def test_identical_models_have_p_1(test: Test, side: str) -> None:
    assert test(0, 0, side).value == 1.0


@each_test
def test_equal_counts_have_p_1(test: Test) -> None:
    same = np.array([0, 1, 2, 5, 50, 1000, 10**6])
    assert np.asarray(test(same, same).value).tolist() == [1.0] * same.size


@each_test
def test_swapping_the_models_swaps_the_sides_to_the_last_bit(test: Test) -> None:
    won, lost = tables(40)
    assert np.array_equal(test(won, lost).value, test(lost, won).value)
    assert np.array_equal(test(won, lost, "first").value, test(lost, won, "second").value)


@each_test
def test_an_array_gives_what_its_elements_give(test: Test) -> None:
    won, lost = np.array([[0, 3, 9], [16, 6, 400]]), np.array([[0, 0, 9], [6, 16, 300]])
    together = np.asarray(test(won, lost).value)
    assert together.shape == won.shape
    alone = [float(test(a, b).value) for a, b in zip(won.flat, lost.flat, strict=True)]
    assert together.ravel().tolist() == pytest.approx(alone, rel=1e-13)


@each_test
def test_no_p_value_is_0_or_above_1(test: Test) -> None:
    won = np.array([10**4, 10**6, 10**9, 0, 1, 0, 2])
    lost = np.array([0, 0, 10**8, 10**7, 0, 1, 1])
    for side in SIDES:
        value = np.asarray(test(won, lost, side).value)
        assert np.all((value > 0) & (value <= 1))


def test_the_exact_value_is_the_binomials() -> None:
    won, lost = tables(25)
    first = np.asarray(binom.cdf(lost, won + lost, 0.5))
    assert mcnemar.exact(won, lost, "first").value == pytest.approx(first, rel=1e-12)
    both = np.minimum(2 * binom.cdf(np.minimum(won, lost), won + lost, 0.5), 1.0)
    assert mcnemar.exact(won, lost).value == pytest.approx(both, rel=1e-12)
    half = np.asarray(mcnemar.mid_p(won, lost, "first").value)
    term = np.asarray(binom.pmf(lost, won + lost, 0.5))
    seen = won + lost > 0
    assert half[seen] == pytest.approx((first - term / 2)[seen], rel=1e-9)


def test_a_null_is_a_sentence_and_plain_values_come_out() -> None:
    found = mcnemar.exact(6, 16, "second").to_dict()
    assert found["null"] == "the second model errs at least as often as the first"
    assert found["test"] == "mcnemar-exact"
    assert isinstance(found["p"], float)


@pytest.mark.parametrize(
    ("won", "lost", "side"),
    [(-1, 0, "both"), (1.5, 0, "both"), (True, 0, "both"), ([1, 2], [1, 2, 3], "both"), (1, 2, "upper"), (1, 2, None)],
)
@each_test
def test_what_cannot_be_tested_is_refused(test: Test, won: Any, lost: Any, side: Any) -> None:
    with pytest.raises(HoldfastError):
        test(won, lost, side)
