"""Tests over folds: ties and mirrors, Bayes' answer, and how often each rejects a null that is true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from holdfast.bounds.folds import STUDENTS
from holdfast.claims import Guarantee
from holdfast.comparisons.folds import correlated_t, five_by_two_f, t_test
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences
from tests.comparisons.fold_trials import Trials
from tests.tries import tries

TEN = np.random.default_rng(5).normal(0.03, 0.04, (5, 2))
MANY = np.random.default_rng(6).normal(0.02, 0.05, (50, 5, 2))
every = pytest.mark.parametrize("name", STUDENTS)


# ---- Each test by itself


@every
def test_models_that_no_fold_tells_apart_get_1(name: str) -> None:
    found = t_test(FiveByTwo(np.zeros((5, 2))), name)
    assert (found.value, found.statistic) == (1.0, None)
    assert five_by_two_f(FiveByTwo(np.zeros((5, 2)))).value == 1.0


@every
def test_a_difference_without_spread_gets_1_too(name: str) -> None:
    """0.02 on every fold is no certainty: baycomp calls it probability 1, a bare t would be infinite."""
    rounded = np.array([0.3, 0.4, 0.5, 0.6, 0.7]) - np.array([0.2, 0.3, 0.4, 0.5, 0.6])  # equal but for rounding
    for values in (np.full((5, 2), 0.02), np.stack([rounded, rounded[::-1]], axis=1)):
        assert t_test(FiveByTwo(values), name).value == 1.0
        assert t_test(FiveByTwo(values), name, "first").value == 1.0
        assert five_by_two_f(FiveByTwo(values)).value == 1.0
    believed = correlated_t(FiveByTwo(np.full((5, 2), 0.02)))
    assert (believed.first, believed.equal, believed.second) == (None, None, None)


def test_within_an_array_ties_are_1_and_the_rest_untouched() -> None:
    values = np.stack([TEN, np.zeros((5, 2)), np.full((5, 2), 0.1)])
    found = t_test(FiveByTwo(values))
    assert found.value.tolist() == [t_test(FiveByTwo(TEN)).value, 1.0, 1.0]
    believed = correlated_t(FiveByTwo(values)).first
    assert np.isnan(believed).tolist() == [False, True, True]


@every
def test_swapping_mirrors_every_digit(name: str) -> None:
    here, there = FiveByTwo(MANY), FiveByTwo(-MANY)
    both = t_test(here, name)
    assert np.array_equal(both.value, t_test(there, name).value)
    assert np.array_equal(both.statistic, -t_test(there, name).statistic)
    assert np.array_equal(t_test(here, name, "first").value, t_test(there, name, "second").value)
    assert np.array_equal(five_by_two_f(here).value, five_by_two_f(there).value)
    one, other = correlated_t(here), correlated_t(there)
    assert np.array_equal(one.first, other.second)
    assert np.array_equal(one.equal, other.equal)


@every
def test_sides(name: str) -> None:
    lower = FiveByTwo(TEN - 0.2)  # the first model errs less
    first, second, both = (t_test(lower, name, side).value for side in ("first", "second", "both"))
    assert first < 0.05 < second
    assert both == 2 * first
    assert first + second == pytest.approx(1)


def test_the_p_value_is_never_0() -> None:
    sure = FoldDifferences(0.5 + np.tile([1e-9, -1e-9], 500))
    assert 0 < t_test(sure).value < 1e-100
    assert t_test(sure).value == t_test(sure.mirror()).value


def test_the_paired_t_is_scipys() -> None:
    found = t_test(FoldDifferences(TEN.ravel()), "paired-t")
    expected = stats.ttest_1samp(TEN.ravel(), 0)
    assert (found.statistic, found.value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-12)


def test_f_is_alpaydins() -> None:
    found = five_by_two_f(FiveByTwo(TEN))
    s2 = np.sum((TEN - TEN.mean(axis=1, keepdims=True)) ** 2)
    assert found.statistic == pytest.approx(np.sum(TEN**2) / (2 * s2), rel=1e-12)
    assert found.value == pytest.approx(stats.f.sf(found.statistic, 10, 5), rel=1e-12)
    assert found.test == "five-by-two-f"
    assert found.guarantee is Guarantee.HEURISTIC


def test_f_does_not_depend_on_which_fold_came_first_and_t_does() -> None:
    turned = FiveByTwo(TEN[::-1, ::-1])
    assert five_by_two_f(turned).value == pytest.approx(five_by_two_f(FiveByTwo(TEN)).value, rel=1e-12)
    assert abs(t_test(turned, "five-by-two-t").value - t_test(FiveByTwo(TEN), "five-by-two-t").value) > 0.1


# ---- Bayes


def test_bayes_says_what_the_corrected_t_says() -> None:
    differences = FoldDifferences(TEN.ravel(), n_train=140, n_test=60)
    believed = correlated_t(differences, rope=0.0)
    assert believed.first == t_test(differences, "nadeau-bengio", "second").value
    assert believed.second == t_test(differences, "nadeau-bengio", "first").value
    assert believed.equal == pytest.approx(0, abs=1e-15)
    assert believed.guarantee is Guarantee.HEURISTIC


def test_a_wider_rope_holds_more() -> None:
    inside = [correlated_t(FiveByTwo(TEN), rope).equal for rope in (0, 0.01, 0.05, 0.5)]
    assert inside == sorted(inside)
    assert inside[-1] > 0.99
    assert correlated_t(FiveByTwo(10 * TEN, width=10.0), 0.1).equal == pytest.approx(inside[1], rel=1e-12)


def test_plain_values() -> None:
    told = correlated_t(FiveByTwo(np.stack([TEN, TEN]))).to_dict()
    assert len(told["first"]) == 2
    assert told["guarantee"] == "HEURISTIC"
    assert t_test(FiveByTwo(TEN)).to_dict()["test"] == "nadeau-bengio"


# ---- What does not fit


def test_what_does_not_fit_is_refused() -> None:
    junk: Any = "left"
    plain = FoldDifferences(TEN)
    with pytest.raises(UnfitMethod, match="bouckaert-frank takes RepeatedValues, not the FoldDifferences"):
        t_test(plain, "bouckaert-frank")
    with pytest.raises(UnfitMethod, match="takes FiveByTwo"):
        five_by_two_f(plain)  # type: ignore[arg-type]
    with pytest.raises(UnfitMethod):
        t_test(FiveByTwo(TEN), "wilson")
    with pytest.raises(UnknownName, match="side"):
        t_test(plain, side=junk)
    for rope in (-0.1, float("nan"), float("inf")):
        with pytest.raises(HoldfastError, match="rope"):
            correlated_t(plain, rope)


# ---- How often a true null is rejected: information, for nothing is promised


def test_random_splits_fool_the_paired_t_and_not_the_corrected_one() -> None:
    """What mlxtend's paired_ttest_resampled computes rejects a true null more often than not."""
    differences = Trials(600, seed=55).resampled()
    naive, corrected = (np.mean(t_test(differences, name).value <= 0.05) for name in ("paired-t", "nadeau-bengio"))
    print(f"random splits: paired-t rejects {naive:.3f}, nadeau-bengio {corrected:.3f}")  # noqa: T201
    assert naive > 0.45  # 0.57 in the long run
    assert corrected < 0.11  # 0.05


def test_repeats_fool_the_paired_t_and_not_the_corrected_one() -> None:
    differences = Trials(400, seed=56).repeated(5, 5)
    naive, corrected = (np.mean(t_test(differences, name).value <= 0.05) for name in ("paired-t", "bouckaert-frank"))
    print(f"5 x 5 folds: paired-t rejects {naive:.3f}, bouckaert-frank {corrected:.3f}")  # noqa: T201
    assert naive > 0.25
    assert corrected < 0.11


@tries("five-by-two-f", how="simulated")
def test_five_by_two_rejects_little() -> None:
    differences = Trials(1000, seed=57).five_by_two()
    rates = {name: np.mean(t_test(differences, name).value <= 0.05) for name in STUDENTS}
    rates["five-by-two-f"] = np.mean(five_by_two_f(differences).value <= 0.05)
    print(f"5 x 2 folds: {rates}")  # noqa: T201
    assert rates.pop("paired-t") > 0.35
    assert max(rates.values()) < 0.1


@pytest.mark.long
@pytest.mark.parametrize("gap", [0.3, 1.0])
def test_rejections_in_the_long_run(gap: float) -> None:
    trials = Trials(4000, seed=58, gap=gap)
    resampled, repeated, kfold = trials.resampled(), trials.repeated(), trials.kfold()
    assert np.mean(t_test(resampled, "paired-t").value <= 0.05) == pytest.approx(0.57, abs=0.05)
    assert np.mean(t_test(resampled, "nadeau-bengio").value <= 0.05) < 0.075
    assert np.mean(t_test(repeated, "paired-t").value <= 0.05) == pytest.approx(0.55, abs=0.05)
    assert np.mean(t_test(repeated, "bouckaert-frank").value <= 0.05) < 0.075
    assert np.mean(t_test(kfold, "paired-t").value <= 0.05) < 0.075  # stable learners; no proof that it stays so
    assert np.mean(t_test(kfold, "nadeau-bengio").value <= 0.05) < 0.03


def test_the_learners_are_equally_good() -> None:
    """The null of these trials is true: the mean difference is within its own error of nothing."""
    offsets = Trials(2000, seed=59).kfold().offset
    assert abs(offsets.mean()) < 5 * offsets.std() / np.sqrt(len(offsets))
