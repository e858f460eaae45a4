"""Limits on the Kolmogorov-Smirnov distance and on Gini keep what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from holdfast.bounds.calibration import _reach, _tail, ks_band
from holdfast.bounds.ranking import auc_bentkus, auc_kl, delong
from holdfast.claims import Guarantee, Side
from holdfast.evidence import Scores
from holdfast.measures.ranking import gini, ks
from holdfast.verify.simulated import BY_CHANCE
from tests.tries import tries

SIZES = [(100, 100), (10, 1000), (3, 2), (5, 10**6), (10**6, 5)]


def survival(x: float, k: float) -> float:
    return min(1.0, 2 * np.exp(-2 * k * x * x))


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-6])
def test_the_closed_form_is_the_integral(m: int, n: int, delta: float) -> None:
    reach = float(_reach(np.asarray(delta), np.float64(m), np.float64(n)))
    least, rest = np.sqrt(np.log(2) / (2 * m)), reach - np.sqrt(np.log(2) / (2 * n))
    peak = min(max(reach * n / (m + n), least), rest)
    inner, _ = integrate.quad(
        lambda x: 8 * m * x * np.exp(-2 * m * x * x) * survival(reach - x, n),
        least,
        rest,
        points=[peak],
        epsabs=0,
        epsrel=1e-10,
        limit=500,
    )
    assert inner + survival(rest, m) == pytest.approx(delta, rel=1e-6)
    assert float(_tail(np.asarray(reach), np.float64(m), np.float64(n))) <= delta


def test_the_reach_is_symmetric_and_falls_with_the_sample() -> None:
    delta = np.array([0.2, 0.05, 0.001])
    reaches = [_reach(delta, np.float64(m), np.float64(n)) for m, n in ((30, 70), (70, 30), (60, 140), (600, 1400))]
    assert reaches[0] == pytest.approx(reaches[1], rel=1e-9)
    assert reaches[0] == pytest.approx(reaches[2] * np.sqrt(2), rel=1e-9)
    assert np.all(np.diff(reaches[0]) > 0)
    assert np.all(reaches[3] < reaches[2])


def test_it_dominates_the_exact_law() -> None:
    """Two-sided distances are never larger than Massart's variables."""
    for k in (1, 2, 5, 20, 200):
        x = np.linspace(1e-3, 0.999, 200)
        assert np.all(stats.kstwo.sf(x, k) <= np.minimum(1, 2 * np.exp(-2 * k * x**2)) + 1e-12)


# Chance that a score of the class, and one of the others, is in each grade: no distance, some, nearly all.
LAWS = {
    "nothing known": (np.full(50, 0.02), np.full(50, 0.02)),
    "two grades": (np.array([0.3, 0.7]), np.array([0.7, 0.3])),
    "crossing": (np.array([0.2, 0.3, 0.3, 0.2]), np.array([0.4, 0.1, 0.1, 0.4])),
    "nearly apart": (np.array([0.02, 0.98]), np.array([0.97, 0.03])),
}


@tries("ks-band", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("side", ["lower", "upper", "both"])
@pytest.mark.parametrize(("m", "n"), [(40, 60), (5, 300)])
def test_the_promise_is_kept(law: str, side: Side, m: int, n: int) -> None:
    own, others = LAWS[law]
    truth = float(np.abs(np.cumsum(own) - np.cumsum(others)).max())
    rng, delta, repeats, missed = np.random.default_rng(11), 0.3, 100, 0
    for _ in range(repeats):
        counts = rng.multinomial(m, own), rng.multinomial(n, others)
        claim = ks_band(ks(Scores.from_counts(np.arange(own.size), *counts)), delta, side)
        missed += not claim.lower <= truth <= claim.upper
    assert stats.binom.sf(missed - 1, repeats, delta) > BY_CHANCE


def test_a_bolder_band_is_found_out() -> None:
    """Where nothing is known the observed distance is always too large: the band of one threshold does not hold."""
    rng, delta, repeats = np.random.default_rng(2), 0.2, 300
    missed = {"band": 0, "one threshold": 0}
    for _ in range(repeats):
        distance = ks(Scores(rng.random(200), np.arange(200) < 100))
        missed["band"] += float(ks_band(distance, delta, "lower").lower) > 0
        missed["one threshold"] += float(distance.mean) > np.sqrt(-np.log(delta) / 2 * (2 / 100))
    assert stats.binom.sf(missed["band"] - 1, repeats, delta) > BY_CHANCE
    assert stats.binom.sf(missed["one threshold"] - 1, repeats, delta) < BY_CHANCE


def test_the_upper_limit_is_nearly_as_sharp_as_one_threshold_allows() -> None:
    """Two grades: there is one threshold only, and the normal limit of a difference is what could be had."""
    m = n = 400
    claim = ks_band(ks(Scores.from_counts([0, 1], [120, 280], [280, 120])), 0.05, "upper")
    normal = 0.4 + stats.norm.isf(0.05) * np.sqrt(2 * 0.21 / 400)
    assert normal < claim.upper < 0.4 + 2 * (normal - 0.4)
    assert claim.upper == pytest.approx(0.4 + np.sqrt(np.log(20) / 2 * (1 / m + 1 / n)), rel=1e-12)


def test_each_side_alone_gets_the_whole_of_delta() -> None:
    distance = ks(Scores.from_counts([0, 1], [12, 28], [28, 12]))
    both = ks_band(distance, 0.1)
    assert (both.lower, both.upper) == (
        ks_band(distance, 0.05, "lower").lower,
        ks_band(distance, 0.05, "upper").upper,
    )
    assert (both.measure, both.guarantee, both.n) == ("ks", Guarantee.FINITE, 80)


def test_bins_widen_the_limits_by_what_they_hide() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(400) < 0.5
    values = rng.random(400) + 0.3 * truth
    exact = ks_band(ks(Scores(values, truth)))
    lower_ends = np.floor(values * 8) / 8
    binned = ks_band(ks(Scores.from_counts(lower_ends, truth.astype(int), (~truth).astype(int), width=1 / 8)))
    assert binned.lower < exact.lower
    assert exact.upper < binned.upper


@pytest.mark.parametrize("rows", [([], []), ([0.1, 0.2], [True, True]), ([0.1, 0.2], [False, False])])
def test_without_a_class_nothing_is_said(rows: tuple[list[float], list[bool]]) -> None:
    claim = ks_band(ks(Scores(*rows)))
    assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)
    ranked = auc_bentkus(gini(Scores(*rows)))
    assert (ranked.estimate, ranked.lower, ranked.upper) == (None, -1.0, 1.0)


@pytest.mark.parametrize("bound", [auc_bentkus, auc_kl, delong])
def test_gini_has_the_limits_of_the_area(bound: object) -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(60) < 0.5
    scores = Scores(rng.normal(size=60) + truth, truth)
    for side in ("lower", "upper", "both"):
        area, ranked = bound(scores, 0.1, side), bound(gini(scores), 0.1, side)  # type: ignore[operator]
        assert (ranked.estimate, ranked.lower, ranked.upper) == pytest.approx(
            (2 * area.estimate - 1, 2 * area.lower - 1, 2 * area.upper - 1), abs=1e-12
        )
        assert -1.0 <= ranked.lower <= ranked.estimate <= ranked.upper <= 1.0
