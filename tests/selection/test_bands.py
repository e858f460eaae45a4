"""ROC and PR curves: their points against scikit-learn, and bands that hold at every threshold at once."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats
from sklearn.metrics import precision_recall_curve, roc_curve

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Scores
from holdfast.selection import bands
from holdfast.selection.bands import Curve, precision_recall, roc
from tests.evidence.ranking.test_scores import TIED, UNIT, Examples
from tests.tries import tries


def both_classes(rows: Examples) -> bool:
    return bool(rows[1].any() and not rows[1].all())


# ---- Points


@pytest.mark.long
@given(TIED | UNIT)
@settings(max_examples=150)
def test_the_points_are_scikit_learns(rows: Examples) -> None:
    if not both_classes(rows):
        return
    curve = roc(Scores(*rows))
    x, y, threshold = roc_curve(rows[1], rows[0], drop_intermediate=False)
    assert curve.threshold.tolist() == threshold.tolist()
    assert curve.x == pytest.approx(x, abs=1e-15)
    assert curve.y == pytest.approx(y, abs=1e-15)
    curve = precision_recall(Scores(*rows))
    precision, recall, threshold = precision_recall_curve(rows[1], rows[0])
    assert curve.threshold.tolist() == threshold[::-1].tolist()
    assert curve.x == pytest.approx(recall[-2::-1], abs=1e-15)  # but for its last point, which no threshold has
    assert curve.y == pytest.approx(precision[-2::-1], abs=1e-15)


def test_the_area_under_the_points_is_the_area() -> None:
    rng = np.random.default_rng(0)
    scores = Scores(rng.integers(0, 20, 300) / 20, rng.random(300) < 0.4)
    curve = roc(scores)
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(float(scores.mean), abs=1e-14)


@pytest.mark.parametrize("points", [2, 10, 512])
@pytest.mark.parametrize("make", [roc, precision_recall])
def test_a_long_curve_is_thinned_but_keeps_its_ends_and_its_limits(make: object, points: int) -> None:
    rng = np.random.default_rng(1)
    positive = rng.random(80_000) < 0.01
    scores = Scores(rng.normal(positive * 2.0), positive)
    thin: Curve = make(scores, points=points)  # type: ignore[operator]
    full: Curve = make(scores, points=10**6)  # type: ignore[operator]
    assert points // 2 <= thin.threshold.size <= points + 2
    assert full.threshold.size >= 80_000
    assert (thin.threshold[-1], thin.x[-1], thin.y[-1]) == (full.threshold[-1], full.x[-1], full.y[-1])
    at = full.threshold.size - 1 - np.searchsorted(full.threshold[::-1], thin.threshold)
    for name in ("threshold", "x", "y", "x_lower", "x_upper", "y_lower", "y_upper"):
        assert np.array_equal(getattr(thin, name), getattr(full, name)[at]), name
    if make is roc:
        assert (thin.threshold[0], thin.x[0], thin.y[0]) == (np.inf, 0.0, 0.0)
        assert np.max(np.diff(thin.x) + np.diff(thin.y)) <= 2 * 2 / (points - 1) + 0.01


def test_both_classes_share_the_points_of_a_thinned_curve() -> None:
    """Neither the few positives nor the many negatives take them all."""
    rng = np.random.default_rng(2)
    positive = np.arange(50_000) < 500
    curve = roc(Scores(rng.normal(positive * 3.0), positive))
    assert np.max(np.diff(curve.x)) < 0.01
    assert np.max(np.diff(curve.y)) < 0.01


def test_bins_have_exact_points_at_their_lower_ends() -> None:
    rng = np.random.default_rng(3)
    positive = rng.random(2000) < 0.4
    values = rng.random(2000)
    places = np.floor(values * 16) / 16
    binned = roc(Scores.from_counts(places, positive.astype(int), (~positive).astype(int), width=1 / 16))
    for threshold, x, y in zip(binned.threshold[1:], binned.x[1:], binned.y[1:], strict=True):
        assert x == np.mean(values[~positive] >= threshold)
        assert y == np.mean(values[positive] >= threshold)


# ---- Bands


@pytest.mark.parametrize(("trials", "delta"), [(1, 0.3), (3, 0.05), (40, 0.5), (250, 0.05), (251, 0.05), (5000, 0.01)])
def test_the_reach_is_that_of_kolmogorov_and_smirnov(trials: int, delta: float) -> None:
    reach = bands.reach_everywhere(trials, delta)
    chance = stats.kstwo.sf(reach, trials)
    assert chance <= delta
    # Two one-sided chances count what exceeds both sides twice, which matters for a large delta only.
    assert chance >= delta * (0.75 if delta > 0.2 else 0.9 if trials > 1 else 0.5)


def uniform_sample(rng: np.random.Generator, m: int, n: int) -> tuple[Scores, float]:
    """Negatives uniform, positives the larger of two uniforms; the chance of being positive is m / (m + n)."""
    values = np.concatenate((np.sqrt(rng.random(m)), rng.random(n)))
    return Scores(values, np.arange(m + n) < m), m / (m + n)


@pytest.mark.long
@pytest.mark.parametrize(("m", "n"), [(30, 30), (5, 300), (400, 40)])
def test_the_roc_band_holds_at_all_thresholds_at_once(m: int, n: int) -> None:
    rng = np.random.default_rng(m)
    delta, repeats, missed = 0.3, 1000, 0
    for _ in range(repeats):
        curve = roc(uniform_sample(rng, m, n)[0], delta)
        t = np.minimum(curve.threshold, 1.0)
        false, true = 1 - t, 1 - t**2
        outside = (true < curve.y_lower) | (true > curve.y_upper) | (false < curve.x_lower) | (false > curve.x_upper)
        missed += bool(outside.any())
    assert stats.binom.sf(missed - 1, repeats, delta) > 1e-6
    assert missed > repeats * delta / 3, "far wider than it need be"


@pytest.mark.long
def test_the_pr_band_holds_at_all_thresholds_at_once() -> None:
    rng = np.random.default_rng(9)
    delta, repeats, missed = 0.5, 600, 0
    for _ in range(repeats):
        m = int(rng.binomial(120, 0.3))
        curve = precision_recall(uniform_sample(rng, m, 120 - m)[0], delta)
        false, true = 1 - curve.threshold, 1 - curve.threshold**2
        precision = 0.3 * true / (0.3 * true + 0.7 * false)
        inside = (curve.x_lower <= true) & (true <= curve.x_upper)
        missed += not np.all(inside & (curve.y_lower <= precision) & (precision <= curve.y_upper))
    assert stats.binom.sf(missed - 1, repeats, delta) > 1e-6
    assert missed > 0


@tries("band", how="simulated")
def test_a_band_for_one_threshold_only_would_not_hold_at_all() -> None:
    """Looking for the threshold with the best limit needs the band; limits for one threshold fail."""
    rng = np.random.default_rng(4)
    missed = {"pointwise": 0, "band": 0}
    for _ in range(300):
        curve = roc(uniform_sample(rng, 100, 100)[0], 0.05)
        t = np.minimum(curve.threshold, 1.0)
        true, k = 1 - t**2, np.rint(curve.y * 100)
        low, high = stats.beta.ppf(0.025, k, 101 - k), stats.beta.ppf(0.975, k + 1, 100 - k)
        missed["pointwise"] += bool(np.any((true < np.nan_to_num(low)) | (true > np.nan_to_num(high, nan=1.0))))
        missed["band"] += bool(np.any((true < curve.y_lower) | (true > curve.y_upper)))
    assert missed["pointwise"] > 0.3 * 300
    assert missed["band"] < 0.1 * 300


@given(TIED)
@settings(max_examples=100)
def test_limits_stay_in_range_and_include_the_points(rows: Examples) -> None:
    for make in (roc, precision_recall):
        curve = make(Scores(*rows))
        for point, lower, upper in ((curve.x, curve.x_lower, curve.x_upper), (curve.y, curve.y_lower, curve.y_upper)):
            known = ~np.isnan(point)
            assert np.all((lower >= 0) & (upper <= 1))
            assert np.all((lower[known] <= point[known]) & (point[known] <= upper[known]))


@pytest.mark.parametrize("rows", [([], []), ([0.1, 0.2], [True, True]), ([0.1, 0.2], [False, False])])
def test_a_class_without_examples_has_no_rate_and_no_limits(rows: tuple[list[float], list[bool]]) -> None:
    curve = roc(Scores(*rows))
    if True not in rows[1]:
        assert np.isnan(curve.y).all()
        assert (set(curve.y_lower), set(curve.y_upper)) == ({0.0}, {1.0})
    if False not in rows[1]:
        assert np.isnan(curve.x).all()
        assert (set(curve.x_lower), set(curve.x_upper)) == ({0.0}, {1.0})
    json.dumps(curve.to_dict(), allow_nan=False)
    json.dumps(precision_recall(Scores(*rows)).to_dict(), allow_nan=False)


def test_as_plain_values() -> None:
    plain = roc(Scores([0.9, 0.1], [True, False]), 0.1).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["threshold"] == [None, 0.9, 0.1]
    assert (plain["name"], plain["x_is"], plain["y_is"]) == ("roc", "false-positive-rate", "recall")
    assert (plain["delta"], plain["n"], plain["guarantee"]) == (0.1, 2, str(Guarantee.FINITE))
    assert plain["assumes"]
    assert plain["source"].startswith("campbell1994")


def test_what_is_refused() -> None:
    scores = Scores([0.9, 0.1], [True, False])
    for call in (lambda: roc(scores, 0), lambda: roc(scores, [0.1, 0.2]), lambda: roc(scores, points=1)):
        with pytest.raises(HoldfastError):
            call()


def test_the_pr_band_is_made_of_three_that_hold_together() -> None:
    """Each with the cube root of the confidence: the rates as in a ROC band of its square, the prevalence exactly."""
    rng = np.random.default_rng(7)
    scores = uniform_sample(rng, 40, 90)[0]
    delta = 0.05
    each = 1 - (1 - delta) ** (1 / 3)
    curve, rates = precision_recall(scores, delta), roc(scores, 1 - (1 - each) ** 2)
    assert curve.x_lower == pytest.approx(rates.y_lower[1:], abs=1e-9)
    assert curve.x_upper == pytest.approx(rates.y_upper[1:], abs=1e-9)
    low, high = stats.beta.ppf(each / 2, 40, 91), stats.beta.isf(each / 2, 41, 90)
    least = low * rates.y_lower[1:] / (low * rates.y_lower[1:] + (1 - low) * rates.x_upper[1:])
    most = high * rates.y_upper[1:] / (high * rates.y_upper[1:] + (1 - high) * rates.x_lower[1:])
    assert curve.y_lower == pytest.approx(least, abs=1e-8)
    assert curve.y_upper == pytest.approx(most, abs=1e-8)
