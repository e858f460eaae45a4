"""The bootstrap of a table: scipy's limits without scipy's rows, honest where nothing varies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from holdfast.bounds.bootstrap import degenerate, refuse_degenerate, share_draws
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Guarantee
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Contingency, TableStatistic
from tests.tries import tries

PERCENTILE, BCA = find("percentile"), find("bca")
SMALL = Contingency([[14, 3, 1], [4, 20, 2], [0, 5, 11]], rows="predicted")
bounds = pytest.mark.parametrize("bound", [PERCENTILE, BCA], ids=["percentile", "bca"])


def of(name: str, table: Contingency = SMALL) -> TableStatistic:
    return TableStatistic.of(find_measure(name), table)


def by_rows(name: str, predicted: Array, actual: Array, axis: int = -1) -> Array:
    """The measure of each row of examples, for scipy."""
    cells = 3 * predicted + actual
    tables = (cells[..., np.newaxis] == np.arange(9)).sum(axis=-2).reshape(*cells.shape[:-1], 3, 3)
    evidence = find_measure(name)(Contingency(tables, rows="predicted"))
    return np.asarray(evidence.units(evidence.mean))


@pytest.mark.parametrize("name", ["accuracy", "macro-f1", "mcc", "kappa", "weighted-precision"])
@pytest.mark.parametrize(("bound", "theirs"), [(PERCENTILE, "percentile"), (BCA, "BCa")], ids=["percentile", "bca"])
def test_the_limits_are_scipys(name: str, bound: Bound, theirs: str) -> None:
    """Up to the chance of six thousand resamples each: a quarter of a standard error, and one step of the accuracy."""
    predicted, actual = (np.repeat(places, SMALL.cells[2]) for places in SMALL.cells[:2])
    peer = stats.bootstrap(
        (predicted, actual),
        lambda p, a, axis=-1: by_rows(name, p, a, axis),
        paired=True,
        vectorized=True,
        n_resamples=6000,
        method=theirs,
        rng=np.random.default_rng(0),
    )
    claim = bound(of(name), 0.05, resamples=6000, seed=1)
    assert claim.lower == pytest.approx(peer.confidence_interval.low, abs=peer.standard_error / 4 + 1 / 60)
    assert claim.upper == pytest.approx(peer.confidence_interval.high, abs=peer.standard_error / 4 + 1 / 60)


def test_the_draws_of_an_accuracy_are_binomial() -> None:
    draws = of("accuracy").draws(np.random.default_rng(0), 50_000)
    n, hits = 60, 45
    seen = np.bincount(np.rint(draws * n).astype(int), minlength=n + 1)
    likely = stats.binom.pmf(np.arange(n + 1), n, hits / n) * 50_000
    kept = likely > 20
    statistic = np.sum((seen[kept] - likely[kept]) ** 2 / likely[kept])
    assert stats.chi2.sf(statistic, kept.sum() - 1) > 1e-6


@bounds
def test_one_side_has_all_of_delta_and_two_sides_share_it(bound: Bound) -> None:
    evidence = of("kappa")
    both, lower, upper = bound(evidence, 0.1), bound(evidence, 0.05, "lower"), bound(evidence, 0.05, "upper")
    assert (both.lower, both.upper) == (lower.lower, upper.upper)
    assert (lower.upper, upper.lower) == (1.0, -1.0)
    draws = evidence.units(evidence.resampled(2000, 0))
    if bound is PERCENTILE:
        assert np.mean(draws > upper.upper) == pytest.approx(0.05, abs=0.003)
        assert np.mean(draws < lower.lower) == pytest.approx(0.05, abs=0.003)


def test_bca_by_hand() -> None:
    """The three corrections of the definition, from the draws and the examples left out one by one."""
    evidence = of("weighted-f1")
    draws = evidence.resampled(2000, 3)
    z0 = stats.norm.ppf((np.mean(draws < evidence.mean) + np.mean(draws <= evidence.mean)) / 2)
    left = np.repeat(*evidence.left_out())
    off = left.mean() - left
    a = np.sum(off**3) / (6 * np.sum(off**2) ** 1.5)
    z = z0 + stats.norm.ppf([0.025, 0.975])
    low, high = stats.norm.cdf(z0 + z / (1 - a * z))
    claim = BCA(evidence, 0.05, seed=3)
    assert claim.lower == pytest.approx(np.quantile(draws, low, method="lower"), abs=1e-12)
    assert claim.upper == pytest.approx(np.quantile(draws, high, method="higher"), abs=1e-12)


@bounds
def test_a_seed_repeats_itself(bound: Bound) -> None:
    first, again, other = (bound(of("mcc"), seed=seed) for seed in (7, 7, 8))
    assert (first.lower, first.upper) == (again.lower, again.upper)
    assert (first.lower, first.upper) != (other.lower, other.upper)
    assert bound.options == ("resamples", "seed")
    assert bound.guarantee is Guarantee.ASYMPTOTIC


@bounds
@pytest.mark.parametrize("name", ["accuracy", "balanced-accuracy", "macro-f1", "mcc", "kappa", "weighted-f1"])
def test_zero_errors_give_the_whole_range(bound: Bound, name: str) -> None:
    perfect = of(name, Contingency(np.diag([10, 20, 30]), rows="predicted"))
    claim = bound(perfect)
    assert claim.estimate == 1.0
    assert (claim.lower, claim.upper) == find_measure(name).range
    assert degenerate(perfect)
    with pytest.raises(UnfitMethod, match=r"needs resamples that differ.*use clopper-pearson, which holds"):
        refuse_degenerate(perfect, name, "clopper-pearson")


def test_what_varies_is_not_refused() -> None:
    assert not degenerate(of("kappa"))
    refuse_degenerate(of("kappa"), "kappa", "box")


def test_where_no_exact_method_answers_none_is_named() -> None:
    perfect = of("weighted-f1", Contingency(np.diag([10, 20, 30]), rows="predicted"))
    for instead in (None, "bca"):
        with pytest.raises(UnfitMethod, match="no method with a guarantee answers for it"):
            refuse_degenerate(perfect, "weighted-f1", instead)


@bounds
def test_no_examples_say_nothing(bound: Bound) -> None:
    claim = bound(of("kappa", Contingency(np.zeros((3, 3), int), rows="predicted")))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)


def test_an_undefined_resample_counts_as_beyond_either_limit() -> None:
    """The only example of the second class is missing from a third of the resamples."""
    evidence = of("mcc", Contingency([[40, 0], [2, 1]], rows="predicted"))
    share = np.isnan(evidence.resampled(2000, 0)).mean()
    assert 0.3 < share < 0.5
    claim = PERCENTILE(evidence, 0.05)
    assert (claim.lower, claim.upper) == (-1.0, 1.0)
    wide = PERCENTILE(evidence, 0.95, "lower")
    assert wide.lower > -1.0


def test_draws_may_be_shared() -> None:
    names = ("accuracy", "macro-f1", "mcc", "kappa")
    alone, together = [of(name) for name in names], [of(name) for name in names]
    share_draws(together, resamples=500, seed=9)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one.resampled(500, 9), other._kept[500, 9])
    share_draws([])


def test_both_ends_need_one_set_of_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    plain = Contingency.redrawn
    monkeypatch.setattr(Contingency, "redrawn", lambda self, *rest: drawn.append(1) or plain(self, *rest))  # type: ignore[func-returns-value]
    evidence = of("kappa")
    PERCENTILE(evidence)
    BCA(evidence)
    assert len(drawn) == 1


@tries("percentile", "bca", how="simulated")
@pytest.mark.long
@bounds
def test_it_covers_about_as_often_as_it_says_in_a_large_sample(bound: Bound) -> None:
    """Kappa of three classes, 400 examples, 400 times: within five standard errors of 95 %, less two points."""
    rng = np.random.default_rng(0)
    shares = np.array([[0.3, 0.05, 0.02], [0.04, 0.25, 0.03], [0.02, 0.04, 0.25]])
    true = float(np.trace(shares) - shares.sum(0) @ shares.sum(1)) / (1 - float(shares.sum(0) @ shares.sum(1)))
    held = 0
    for i in range(400):
        table = Contingency(rng.multinomial(400, shares.ravel()).reshape(3, 3), rows="predicted")
        claim = bound(find_measure("kappa")(table), resamples=400, seed=i)
        held += claim.lower <= true <= claim.upper
    assert 0.93 - 5 * 0.011 < held / 400 <= 1


def test_a_full_table_of_a_hundred_labels_is_no_burden() -> None:
    table = Contingency(np.random.default_rng(0).poisson(3, (100, 100)) + 40 * np.eye(100, dtype=int), rows="predicted")
    claim = BCA(find_measure("kappa")(table), resamples=200)
    assert claim.lower < claim.estimate < claim.upper
    assert claim.width < 0.05
