"""The spread of error rates over classifiers: formulas as derived, identities enumerated, promises simulated."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from holdfast.bounds.binomial import hypergeometric
from holdfast.bounds.spread import (
    bounded_differences,
    hoeffding_pairs,
    markov_slack,
    partition_slack,
    spread_markov,
    spread_partition,
    spread_pool,
)
from holdfast.bounds.spread_uniform import bax_spread, bax_spread_sharp, spread_boxes
from holdfast.catalog import Bound, methods
from holdfast.claims import Guarantee, Side
from holdfast.errors import InvalidEvidence, UnfitMethod
from holdfast.evidence import Array, Counts
from holdfast.evidence.evidence import Need
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread
from holdfast.invert import solve_for_delta
from tests.tries import tries

ON_POOL = (bax_spread, bax_spread_sharp, spread_boxes, spread_markov, spread_partition, spread_pool)
DELTA = np.asarray(0.05)


def pool(n: int = 1000, rest: int = 1000, q: float = 0.05, variance: float = 0.0004, most: float = 0.25) -> PoolSpread:
    return PoolSpread(Spread(n, variance, q), Inputs(q, q, most), unlabelled=rest, models=50)


def seen_in(wrong: NDArray[np.bool_], labelled: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
    """The error rates on the labelled and the unlabelled of each split, and the mean variance within the labelled."""
    within = wrong.mean(axis=0) * (1 - wrong.mean(axis=0))
    errors = wrong.T.astype(np.float64)
    here = labelled @ errors / labelled.sum(axis=1, keepdims=True)
    there = ~labelled @ errors / (~labelled).sum(axis=1, keepdims=True)
    return here, there, labelled @ within / labelled.sum(axis=1)


def correlated(seed: int, models: int, n: int, common: float) -> NDArray[np.bool_]:
    """Errors of models that share what is hard: a part of the examples is decided for all of them at once."""
    random = np.random.default_rng(seed)
    rates = random.uniform(0.1, 0.35, models)[:, None]
    together = random.random(n) < common
    return np.asarray(np.where(together, random.random(n), random.random((models, n))) < rates)


def test_hoeffding_on_pairs_is_as_derived() -> None:
    seen = Spread(1001, variance=0.16, within=0.2)
    unbiased = (1001 * 0.16 - 0.2) / 1000
    assert hoeffding_pairs(seen).estimate == pytest.approx(sqrt(unbiased))
    slack = sqrt(log(1 / 0.05) / (8 * 500))
    assert hoeffding_pairs(seen, 0.05, "upper").upper ** 2 == pytest.approx(unbiased + slack)
    assert hoeffding_pairs(seen, 0.05, "lower").lower ** 2 == pytest.approx(unbiased - slack)
    both = hoeffding_pairs(Spread(1000, 0.16, 0.2))
    assert both.upper**2 - both.lower**2 == pytest.approx(2 * 0.030367, rel=1e-4)  # +-.030, as the table says


def test_bounded_differences_are_as_derived() -> None:
    seen, slack = Spread(1000, variance=0.04, within=0.15), sqrt(log(1 / 0.05) / 2000)
    assert bounded_differences(seen, 0.05, "upper").upper == pytest.approx(0.2 + slack)
    least = ((0.2 - slack) ** 2 * 1000 - 0.25) / 999
    assert bounded_differences(seen, 0.05, "lower").lower == pytest.approx(sqrt(least))
    assert bounded_differences(Spread(1000, 0.0001, 0.09)).lower == 0.0


@tries("bounded-differences", "hoeffding-pairs", how="simulated")
@pytest.mark.parametrize("bound", [bounded_differences, hoeffding_pairs], ids=lambda bound: bound.name)
@pytest.mark.parametrize("common", [0.0, 0.9], ids=["weakly", "strongly"])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_the_true_spread_is_missed_no_more_often_than_said(bound: Bound, common: float, side: Side) -> None:
    random = np.random.default_rng(5)
    models, n, times = 12, 60, 3000
    rates = np.linspace(0.02, 0.9, models)
    together = random.random((times, n)) < common
    at = np.where(together[..., None], random.random((times, n, 1)), random.random((times, n, models)))
    wrong = at < rates
    average = wrong.mean(axis=2)
    claim = bound(Spread(n, wrong.mean(axis=1).var(axis=1), (average * (1 - average)).mean(axis=1)), 0.3, side)
    missed = claim.upper < rates.std() if side == "upper" else claim.lower > rates.std()
    assert np.count_nonzero(missed) <= 0.3 * times + 5 * sqrt(0.21 * times)


@pytest.mark.parametrize(
    ("delta", "smaller", "models", "epsilon"),
    [
        (0.05, 50, 7, 0.5031078128484667),
        (0.05, 1_000_000, 7, 0.0035575094613308324),
        (0.1, 1_000_000, 1000, 0.00460361482600273),
        (0.05, 1000, 1000, 0.15026497871198077),
        (1e-6, 1000, 1000, 0.21028342872450173),
    ],
)
@pytest.mark.parametrize("larger", [1, 3])
def test_bax_34_as_printed_and_with_its_sharp_constant(
    delta: float, smaller: int, models: int, epsilon: float, larger: int
) -> None:
    for n, rest in ((smaller, larger * smaller), (larger * smaller, smaller)):
        evidence = PoolSpread(Spread(n, 0.01, 0.09), Inputs(0.09, 0.09), rest, models)
        for side in ("both", "upper"):  # both sides hold together: one alone is no cheaper
            printed, sharp = bax_spread(evidence, delta, side), bax_spread_sharp(evidence, delta, side)
            assert printed.upper**2 == pytest.approx(min(0.01 + epsilon + epsilon**2, 0.25))
            least = epsilon - epsilon**2 if epsilon < 0.5 else 0.25
            assert sharp.upper**2 == pytest.approx(min(0.01 + least, 0.25))
        wide = PoolSpread(Spread(n, 0.24, 0.24), Inputs(0.25, 0.25), rest, models)
        assert bax_spread(wide, delta).lower ** 2 == pytest.approx(max(0.24 - epsilon - epsilon**2, 0.0))
        assert bax_spread_sharp(wide, delta).lower ** 2 == pytest.approx(max(0.24 - least, 0.0))


@pytest.mark.parametrize("epsilon", [0.05, 0.2, 0.35, 0.5])
def test_the_sharp_constant_is_reached_and_never_exceeded(epsilon: float) -> None:
    before, after = np.array([epsilon, 1 - epsilon]), np.array([0.0, 1.0])
    assert after.var() - before.var() == pytest.approx(epsilon - epsilon**2)
    random = np.random.default_rng(0)
    before = random.beta(0.1, 0.1, (20_000, 6))
    after = np.clip(before + epsilon * random.choice([-1, 1], before.shape), 0, 1)
    assert np.abs(after.var(axis=1) - before.var(axis=1)).max() <= epsilon - epsilon**2 + 1e-12


def test_a_random_split_spreads_the_differences_as_derived() -> None:
    """E Var(nu' - nu) = (1/d + 1/d') N/(N-1) (q - Var of the pool's rates), over all splits of a pool."""
    wrong = correlated(1, models=5, n=9, common=0.3)
    splits = np.zeros((84, 9), bool)
    for row, chosen in zip(splits, combinations(range(9), 3), strict=True):
        row[list(chosen)] = True
    here, there, _ = seen_in(wrong, splits)
    q = (wrong.mean(axis=0) * (1 - wrong.mean(axis=0))).mean()
    mean = (1 / 3 + 1 / 6) * 9 / 8 * (q - wrong.mean(axis=1).var())
    assert (there - here).var(axis=1).mean() == pytest.approx(mean)
    evidence = PoolSpread(Spread(3, 0.0, 0.0), Inputs(q, q), unlabelled=6, models=5)
    assert markov_slack(evidence, np.asarray(0.2)) ** 2 * 0.2 == pytest.approx((1 / 3 + 1 / 6) * 9 / 8 * q)


def test_slacks_are_as_derived() -> None:
    size, both, q = 1500, 1 / 1000 + 1 / 500, 0.05
    mean = q * both * size / (size - 1)
    c = size / ((size - 0.5) * (1 - 1 / 2000))
    assert markov_slack(pool(rest=500), DELTA) == pytest.approx(sqrt(mean / 0.05))
    assert partition_slack(pool(rest=500), DELTA) == pytest.approx(sqrt(mean) + sqrt(c * log(20) / 2 * both))
    assert spread_markov(pool(), 0.05).upper == pytest.approx(0.02 + 0.04474, rel=1e-3)
    assert spread_markov(pool(variance=0.04), 0.05, "lower").lower == pytest.approx(0.2 - 0.04474, rel=1e-3)


@pytest.mark.parametrize(("q", "chosen"), [(0.05, spread_markov), (0.1, spread_markov), (0.2, spread_partition)])
def test_the_rule_looks_at_the_inputs_only(q: float, chosen: Bound) -> None:
    for variance in (0.0, 0.01, 0.2):
        rule, other = spread_pool(pool(q=q, variance=variance)), chosen(pool(q=q, variance=variance))
        assert (rule.lower, rule.upper) == (other.lower, other.upper)


@pytest.mark.parametrize("bound", [spread_boxes, spread_markov, spread_partition, spread_pool], ids=lambda b: b.name)
def test_what_is_certain_limits_what_is_probable(bound: Bound) -> None:
    evidence = PoolSpread(
        Spread(100, 0.0004, 0.05), Inputs(0.05, 0.05, most=0.0016), 100, 2, errors=Counts([10, 14], [100, 100])
    )
    assert bound(evidence).upper == pytest.approx(0.04)


@pytest.mark.crossing(7)
@tries(
    "bax-spread",
    "bax-spread-sharp",
    "spread-boxes",
    "spread-markov",
    "spread-partition",
    "spread-pool",
    how="simulated",
)
@pytest.mark.parametrize("bound", ON_POOL, ids=lambda bound: bound.name)
@pytest.mark.parametrize("common", [0.0, 0.95], ids=["weakly", "strongly"])
@pytest.mark.parametrize(("n", "rest"), [(40, 40), (15, 60), (60, 15)])
def test_the_spread_on_the_unlabelled_is_missed_no_more_often_than_said(
    bound: Bound, common: float, n: int, rest: int
) -> None:
    wrong = correlated(2, models=8, n=n + rest, common=common)
    random, times, delta = np.random.default_rng(3), 200 if bound is spread_boxes else 2000, 0.25
    labelled = np.argsort(random.random((times, n + rest)), axis=1) < n
    here, there, within = seen_in(wrong, labelled)
    q = (wrong.mean(axis=0) * (1 - wrong.mean(axis=0))).mean()
    errors = Counts(np.rint(here * n).astype(np.int64), np.full(here.shape, n))
    evidence = PoolSpread(Spread(n, here.var(axis=1), within), Inputs(q, q), rest, 8, errors=errors)
    claim = bound(evidence, delta)
    missed = (there.std(axis=1) > claim.upper + 1e-12) | (there.std(axis=1) < claim.lower - 1e-12)
    assert np.count_nonzero(missed) <= delta * times + 5 * sqrt(delta * (1 - delta) * times)
    assert claim.guarantee is Guarantee.FINITE


@tries("spread-markov", "spread-partition", "spread-pool", how="enumerated")
@pytest.mark.parametrize("bound", [spread_markov, spread_partition, spread_pool], ids=lambda bound: bound.name)
def test_no_delta_is_exceeded_over_all_splits_of_small_pools(bound: Bound) -> None:
    """Two classifiers that err on opposite inputs differ the most; every split is counted."""
    wrong = np.array([[1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]], bool)
    splits = np.zeros((70, 8), bool)
    for row, chosen in zip(splits, combinations(range(8), 4), strict=True):
        row[list(chosen)] = True
    here, there, within = seen_in(wrong, splits)
    evidence = PoolSpread(Spread(4, here.var(axis=1), within), Inputs(0.25, 0.25), unlabelled=4, models=2)
    for delta in np.linspace(0.05, 0.95, 19):
        claim = bound(evidence, delta)
        missed = (there.std(axis=1) > claim.upper + 1e-9) | (there.std(axis=1) < claim.lower - 1e-9)
        assert missed.mean() <= delta + 1e-9


def test_boxes_are_exact_limits_that_hold_together() -> None:
    errors = Counts([50, 250], [1000, 1000])
    evidence = PoolSpread(Spread(1000, 0.01, 0.15), Inputs(0.15, 0.15), unlabelled=900, models=2, errors=errors)
    each = hypergeometric(errors, 0.05 / 2, unlabelled=900)
    (low, lower), (high, higher) = np.asarray(each.lower), np.asarray(each.upper)
    for side in ("both", "upper"):
        assert spread_boxes(evidence, 0.05, side).upper == pytest.approx((higher - low) / 2)
    assert spread_boxes(evidence, 0.05).lower == pytest.approx((lower - high) / 2)


def test_the_estimate_on_few_inputs_has_the_chance_of_their_labels_in_it() -> None:
    evidence = PoolSpread(Spread(100, 0.0025, 0.09), Inputs(0.1, within=0.11), unlabelled=50, models=20)
    unbiased = (100 * 0.0025 - 0.09) / 99
    assert evidence.estimate**2 == pytest.approx(unbiased * 49 / 50 + 0.11 / 50)
    no_spread = PoolSpread(Spread(100, 0.0001, 0.09), Inputs(0.1, within=0.11), unlabelled=50, models=20)
    assert no_spread.estimate**2 == pytest.approx(0.11 / 50)


def test_nothing_is_said_of_nothing() -> None:
    for bound in (hoeffding_pairs, bounded_differences):
        claim = bound(Spread(1, 0.0, 0.0))
        assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 0.5)


def test_evidence_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match=r"lies in \[0, 1/4\]"):
        Spread(10, 0.3, 0.1)
    with pytest.raises(InvalidEvidence, match="at least 1 example"):
        pool(rest=0)
    with pytest.raises(UnfitMethod, match="errors of each model"):
        spread_boxes(pool())


def test_a_spread_has_no_mirror_image_so_that_its_methods_have_lower_limits_of_their_own() -> None:
    for evidence in (Spread(10, 0.2, 0.1), pool()):
        assert not evidence.has(Need.MIRROR)
        assert evidence.at_least() is evidence
        assert all(bound.lower is not None for bound in methods() if isinstance(evidence, bound.takes))
    halved = replace(hoeffding_pairs, lower=None)
    assert hoeffding_pairs.fits(Spread(10, 0.2, 0.1))
    assert not halved.fits(Spread(10, 0.2, 0.1))
    with pytest.raises(UnfitMethod, match="hoeffding-pairs needs evidence with a mirror image"):
        halved(Spread(10, 0.2, 0.1), side="upper")


def test_the_lower_limit_is_solved_for_delta_without_a_mirror_image() -> None:
    seen, null = Spread(1000, 0.0225, 0.1), 0.2
    delta = solve_for_delta(bounded_differences, seen, null, "lower")
    assert 0.001 < float(delta) < 0.5
    assert 2 * bounded_differences(seen, delta, side="lower").lower == pytest.approx(null, abs=1e-9)
