"""`squares`: as the reference has it, kept by enumeration, and without any order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast as hf
from holdfast.bounds.betting import betting, star
from holdfast.bounds.clusters import cluster_betting
from holdfast.bounds.pool import betting_pool
from holdfast.bounds.squares import LARGEST, cluster_sums, squares, squares_pool
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import InvalidEvidence, UnfitMethod
from holdfast.evidence import Array, Counts, Losses
from holdfast.evidence.draws import Ratio
from holdfast.evidence.pools.pool import Pool
from holdfast.numerics.wealth import ratios
from holdfast.numerics.wealth.ratios import Pairs
from holdfast.verbs.bound import default_methods
from tests.tries import tries

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "squares.json").read_text(encoding="utf-8"))


def draws_of(case: dict[str, Any], spared: bool = False) -> Pairs:
    most = case.get("b_max", 1)
    part, whole, times = (np.asarray(case[name], float) for name in ("A", "B", "counts"))
    kept = (times > 0) & (whole > 0)
    part, whole, times = part[kept] / most, whole[kept] / most, times[kept]
    return Pairs(whole - part if spared else part, whole, times, int(times.sum()))


@pytest.mark.parametrize("case", REFERENCE["limits"], ids=lambda case: f"{case['counts']} {case.get('note', '')}")
def test_limits_are_those_of_the_reference(case: dict[str, Any]) -> None:
    delta = case["delta_each_side"]
    assert draws_of(case).lower_limit(delta) == pytest.approx(case["lower"], abs=1e-11)
    assert 1 - draws_of(case, spared=True).lower_limit(delta) == pytest.approx(case["upper"], abs=1e-11)


@pytest.mark.parametrize("case", REFERENCE["evidence"], ids=lambda case: str(case["counts"]))
def test_the_evidence_is_that_of_the_reference(case: dict[str, Any]) -> None:
    assert np.exp(draws_of(case).log_evidence(case["theta"], case["delta"])) == pytest.approx(case["e"], rel=1e-10)


def test_a_claim_is_two_limits_of_losses_or_of_clusters() -> None:
    case = next(case for case in REFERENCE["limits"] if case.get("note", "").startswith("clusters: errors"))
    events, trials = (np.repeat(case[name], case["counts"]) for name in ("A", "B"))
    claim = squares(Ratio.of_counts(Counts(events, trials), most=case["b_max"]))
    assert (claim.lower, claim.upper) == pytest.approx((case["lower"], case["upper"]), abs=1e-11)
    assert claim.guarantee is Guarantee.FINITE
    assert {Assumption.CLUSTERS, Assumption.CAPPED_CLUSTERS} <= {*claim.assumes}
    case = REFERENCE["limits"][4]
    claim = squares(Losses(np.repeat(case["A"], case["counts"])))
    assert (claim.lower, claim.upper) == pytest.approx((case["lower"], case["upper"]), abs=1e-11)
    assert Assumption.KNOWN_RANGE in claim.assumes


# ---- The promise, by enumeration


def samples(n: int, chances: Sequence[float]) -> Iterator[tuple[tuple[int, ...], float]]:
    """How often each of a few values may occur among n, and the chance of just that."""
    kinds = len(chances)
    for bars in combinations_with_replacement(range(n + 1), kinds - 1):
        times = tuple(np.diff([0, *bars, n]))
        ways = factorial(n) / prod(map(factorial, times))
        yield times, ways * prod(p**k for p, k in zip(chances, times, strict=True))


LAWS: dict[str, tuple[list[float], list[float], list[float]]] = {  # parts, wholes, chances
    "0 and 1, rare": ([0.0, 1.0], [1.0, 1.0], [0.9, 0.1]),
    "0 and 1": ([0.0, 1.0], [1.0, 1.0], [0.4, 0.6]),
    "grades": ([0.0, 0.5, 1.0], [1.0, 1.0, 1.0], [0.7, 0.2, 0.1]),
    "0, .01 and 1": ([0.0, 0.01, 1.0], [1.0, 1.0, 1.0], [0.5, 0.4, 0.1]),
    "clusters of one and four": ([0.0, 0.25, 0.0, 1.0], [0.25, 0.25, 1.0, 1.0], [0.5, 0.2, 0.2, 0.1]),
    "some without a whole": ([0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.3, 0.4]),
}


def missed_share(law: str, n: int, delta: float) -> float:
    """By how much of delta the lower limit misses."""
    parts, wholes, chances = LAWS[law]
    part, whole, chance = map(np.array, (parts, wholes, chances))
    truth, missed = float(chance @ part / (chance @ whole)), 0.0
    for times, probability in samples(n, chances):
        drawn = np.repeat(np.arange(len(times)), times)
        missed += probability * (squares(as_declared(part[drawn], whole[drawn]), delta, "lower").lower > truth)
    return missed / delta


def as_declared(part: Array, whole: Array) -> Losses | Ratio:
    """Losses, or clusters of up to four examples."""
    if np.all(whole == 1.0):
        return Losses(part)
    return Ratio.of_counts(Counts((4 * part).astype(np.int64), (4 * whole).astype(np.int64)), most=4)


@tries("squares", how="enumerated")
def test_the_promise_is_kept_in_every_sample_that_can_be_drawn() -> None:
    shares = [missed_share(law, n, 0.2) for law in LAWS for n in (1, 3, 6)]
    assert max(shares) <= 1.0
    assert max(shares) > 0.4  # a method that says nothing would keep it too


@tries("squares", how="enumerated")
@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("n", "delta"), [(2, 0.5), (3, 0.05), (8, 0.025), (12, 0.1)])
def test_the_promise_is_kept_in_larger_samples(law: str, n: int, delta: float) -> None:
    assert missed_share(law, n, delta) <= 1.0


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("n", "delta"), [(2, 0.5), (5, 0.05), (13, 0.001), (20, 0.025)])
def test_the_evidence_against_the_truth_is_at_most_one_on_average(law: str, n: int, delta: float) -> None:
    parts, wholes, chances = LAWS[law]
    part, whole, chance = map(np.array, (parts, wholes, chances))
    truth, mean = float(chance @ part / (chance @ whole)), 0.0
    for times, probability in samples(n, chances):
        drawn = np.repeat(np.arange(len(times)), times)
        mean += probability * np.exp(Pairs.of(part[drawn], whole[drawn]).log_evidence(truth, delta))
    assert mean <= 1.0


def test_a_p_value_is_small_no_more_often_than_it_says() -> None:
    parts, _, chances = LAWS["grades"]
    values, truth = np.array(parts), 0.2
    for n in (4, 12):
        outcomes = [(np.repeat(values, times), probability) for times, probability in samples(n, chances)]
        for against in ("upper", "lower"):
            ps = np.array([hf.p_value(Losses(x), truth, against, method="squares") for x, _ in outcomes])
            chance = np.array([probability for _, probability in outcomes])
            for level in (0.2, 0.05, 0.01):
                assert chance[ps <= level].sum() <= level
    assert hf.p_value(Losses([0.0] * 60 + [1.0] * 3), 0.3, "upper", method="squares") < 0.001


@tries("squares-pool", how="enumerated")
def test_a_pool_is_covered_in_every_draw_without_replacement() -> None:
    """Every way to label n of a pool of few values; the rest of it is what the claim is about."""
    values = np.array([0.0, 0.5, 1.0])
    tight = 0.0
    for held in ((14, 4, 2), (5, 10, 5), (16, 0, 4)):
        for n, delta in ((6, 0.2), (10, 0.05)):
            missed, total = np.zeros(2), comb(sum(held), n)
            for times, _ in samples(n, [1 / 3] * 3):
                ways = prod(comb(a, b) for a, b in zip(held, times, strict=True))
                if not ways:
                    continue
                rest = np.array(held) - times
                truth = float(values @ rest / rest.sum())
                claim = squares_pool(Pool(Losses(np.repeat(values, times)), int(rest.sum())), 2 * delta)
                missed += ways / total * np.array([claim.lower > truth, claim.upper < truth])
            assert np.all(missed <= delta)
            tight = max(tight, float(missed.max() / delta))
    assert tight > 0.1


def test_what_is_left_of_a_pool_is_what_squares_says_of_the_whole_less_what_is_known() -> None:
    values = np.random.default_rng(2).beta(1, 4, 50)
    whole = squares(Losses(values))
    for rest in (60, 500):
        claim = squares_pool(Pool(Losses(values), rest))
        for limit, of_all in ((claim.lower, whole.lower), (claim.upper, whole.upper)):
            assert values.sum() + rest * limit == pytest.approx((50 + rest) * of_all, rel=1e-9)


@tries("cluster-sums", how="enumerated")
@pytest.mark.parametrize("most", [4, 8])
def test_five_sums_keep_the_promise_in_every_sample(most: int) -> None:
    events, trials = np.array([0, 1, 0, 4]), np.array([1, 1, 4, 4])
    chances = [0.5, 0.2, 0.2, 0.1]
    truth = float(np.array(chances) @ events / (np.array(chances) @ trials))
    for n, delta in ((3, 0.3), (7, 0.1)):
        missed = np.zeros(2)
        for times, probability in samples(n, chances):
            drawn = np.repeat(np.arange(4), times)
            claim = cluster_sums(Ratio.of_counts(Counts(events[drawn], trials[drawn]), most=most), 2 * delta)
            missed += probability * np.array([claim.lower > truth, claim.upper < truth])
        assert np.all(missed <= delta)


def test_five_sums_lie_outside_squares_and_close_in() -> None:
    rng = np.random.default_rng(5)
    trials = rng.integers(1, 6, 4000)
    clusters = Ratio.of_counts(Counts(rng.binomial(trials, 0.2), trials), most=6)
    few, many = cluster_sums(clusters), squares(clusters)
    assert few.lower < many.lower < clusters.mean < many.upper < few.upper
    assert few.width < 2 * many.width


# ---- What it is like


def normal_width(values: Array) -> float:
    return float(2 * 1.959964 * values.std() / np.sqrt(values.size))


def test_grades_are_told_within_one_and_a_half_normal_widths() -> None:
    for n, most in ((100, 1.5), (1000, 1.4), (10_000, 1.35)):
        grades = np.repeat([0.0, 0.5, 1.0], [7 * n // 10, 2 * n // 10, n // 10])
        assert squares(Losses(grades)).width < most * normal_width(grades)


def test_one_row_more_hardly_moves_a_limit() -> None:
    grades = np.repeat([0.0, 0.5, 1.0], [700, 200, 100])
    flipped = grades.copy()
    flipped[0] = 1.0
    before, after = squares(Losses(grades)), squares(Losses(flipped))
    assert after.width == pytest.approx(before.width, rel=0.01)
    assert after.upper > before.upper


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.randoms(use_true_random=False), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_no_order_enters_and_larger_losses_never_lower_a_limit(values: list[float], random: Any, raised: float) -> None:
    claim = squares(Losses(values))
    shuffled = random.sample(values, len(values))
    again = squares(Losses(shuffled))
    assert (again.lower, again.upper) == pytest.approx((claim.lower, claim.upper), abs=1e-12)
    higher = squares(Losses([max(values[0], raised), *values[1:]]))
    assert higher.lower >= claim.lower - 1e-9
    assert higher.upper >= claim.upper - 1e-9
    mirrored = squares(Losses([1 - x for x in values]))
    assert (1 - mirrored.upper, 1 - mirrored.lower) == pytest.approx((claim.lower, claim.upper), abs=1e-9)
    assert 0 <= claim.lower <= np.mean(values) + 1e-12 <= claim.upper + 2e-12 <= 1 + 3e-12


def test_equal_draws_are_counted_once_or_one_by_one_alike() -> None:
    rng = np.random.default_rng(3)
    few = np.round(rng.random(400), 1)
    apart = few + 1e-12 * np.arange(400)  # all different: products in place of powers
    both = squares(Losses(few)), squares(Losses(np.clip(apart, 0, 1)))
    assert (both[0].lower, both[0].upper) == pytest.approx((both[1].lower, both[1].upper), abs=1e-8)


@pytest.mark.parametrize("delta", [0.5, 0.9, 1e-12, 1e-300])
def test_any_delta_is_answered(delta: float) -> None:
    claim = squares(Losses([0.0, 0.5, 1.0, 0.25] * 10), delta)
    assert 0 <= claim.lower <= 0.4375 <= claim.upper <= 1


def test_no_draw_and_draws_without_a_whole_say_nothing() -> None:
    for claim in (squares(Losses([])), squares(Ratio.of_counts(Counts([0, 0], [0, 0]), most=3))):
        assert (claim.lower, claim.upper) == (0.0, 1.0)


def test_without_a_cap_clusters_have_no_limit() -> None:
    for method in (squares, cluster_sums):
        with pytest.raises(UnfitMethod, match="the most that one can hold"):
            method(Ratio.of_counts(Counts([1, 2], [3, 4])))


# ---- Many draws


def nasty_pairs(kind: str, n: int, seed: int) -> tuple[Array, Array]:
    """Parts and wholes, all different: losses of many laws, or draws with weights."""
    rng = np.random.default_rng(seed)
    if kind == "weights":
        whole = np.minimum(rng.lognormal(0, 1, n), 10) / 10
        return whole * (rng.random(n) < rng.choice([0.02, 0.3, 0.9])), whole
    values = {"beta": rng.beta(3, 27, n), "near one": 1 - 1e-3 * rng.random(n), "narrow": rng.uniform(0.2, 0.2001, n)}
    return np.where(rng.random(n) < 0.01, rng.random(n), values[kind]), np.ones(n)


KINDS = ["beta", "near one", "narrow", "weights"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_grid_moves_the_evidence_down_and_every_limit_outward(kind: str) -> None:
    """As for 5,000 draws and more that all differ: at no ratio is the evidence raised, and hardly any is lost."""
    part, whole = nasty_pairs(kind, 3_000, seed=0)
    exact = Pairs.of(part, whole)
    coarse = exact._laid_out()
    assert coarse.estimate == pytest.approx(exact.estimate, rel=1e-12)
    for theta in exact.estimate * np.array([1e-3, 0.2, 0.5, 0.8, 0.95, 0.999]):
        assert coarse.log_evidence(theta) <= exact.log_evidence(theta) + 1e-9
    for delta in (0.2, 0.025, 1e-6):
        limit, outward = exact.lower_limit(delta), coarse.lower_limit(delta)
        assert outward <= limit + 1e-13
        assert exact.estimate - outward <= 1.03 * (exact.estimate - limit)
        assert coarse.lower_limit_by_bets(delta) <= exact.lower_limit_by_bets(delta) + 1e-13
        assert coarse.lower_limit_by_sums(delta) <= exact.lower_limit_by_sums(delta) + 1e-13


def test_rounding_to_the_next_point_of_the_grid_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    part, whole = nasty_pairs("beta", 3_000, seed=0)
    exact = Pairs.of(part, whole)

    def above(values: Array, points: Array) -> list[tuple[Array, Array]]:
        return [
            (np.searchsorted(points, values) if points.size > 1 else np.zeros(values.size, int), np.ones(values.size))
        ]

    monkeypatch.setattr(ratios, "_around", above)
    assert exact._laid_out().lower_limit(0.025) > exact.lower_limit(0.025) + 1e-6


def test_a_hundred_thousand_different_losses_are_laid_on_a_grid_and_still_answered() -> None:
    rng = np.random.default_rng(0)
    losses = Losses(rng.beta(10, 30, 10**5))
    assert Pairs.of(losses.values, np.ones(10**5)).part.size <= 2049
    normal = 2 * 1.959964 * float(np.sqrt(losses.s2 / losses.n))
    assert 1.2 < squares(losses).width / normal < 1.5


# ---- Who answers


@pytest.mark.parametrize("n", [LARGEST, LARGEST + 1])
def test_the_number_of_draws_alone_decides_who_answers(n: int) -> None:
    few = n <= LARGEST
    losses = Losses(np.zeros(n))
    assert [bound.name for bound in default_methods(losses)] == ["squares" if few else "maurer-pontil"]
    clusters = Ratio.of_counts(Counts(np.zeros(n, int), np.ones(n, int)), most=2)
    names = [bound.name for bound in default_methods(clusters)]
    assert names == ["squares" if few else "cluster-sums", "influence"]
    empty = Ratio.of_counts(Counts(np.zeros(n + 5, int), np.append(np.ones(n, int), [0] * 5)), most=2)
    assert default_methods(empty) == default_methods(clusters)  # a group as its rows by themselves


# ---- Bets need an order that was drawn


@pytest.mark.parametrize("method", [betting, star])
def test_bets_are_proven_only_in_the_order_that_was_drawn(method: Any) -> None:
    values = np.random.default_rng(8).beta(1, 4, 60)
    drawn, unknown = method(Losses(values, order="drawn")), method(Losses(values))
    assert (drawn.guarantee, unknown.guarantee) == (Guarantee.FINITE, Guarantee.HEURISTIC)
    assert Assumption.DRAWN_ORDER in drawn.assumes
    assert Assumption.SHUFFLED not in drawn.assumes
    assert Assumption.SHUFFLED in unknown.assumes
    assert Assumption.DRAWN_ORDER not in unknown.assumes
    turned = method(Losses(values[::-1], order="drawn"))
    assert (turned.lower, turned.upper) != (drawn.lower, drawn.upper)  # the order does enter
    again = method(Losses(values[::-1]))
    assert (again.lower, again.upper) == (unknown.lower, unknown.upper)  # by a hash, whatever order they came in


def test_bets_on_clusters_and_pools_are_proven_only_in_the_order_that_was_drawn() -> None:
    counts = Counts([0, 1, 2, 0] * 5, [3, 3, 4, 1] * 5)
    pool = Losses([0.0, 0.5, 0.25] * 6)
    pool_in_order = Losses([0.0, 0.5, 0.25] * 6, order="drawn")
    assert cluster_betting(Ratio.of_counts(counts, most=4, order="drawn")).guarantee is Guarantee.FINITE
    assert cluster_betting(Ratio.of_counts(counts, most=4)).guarantee is Guarantee.HEURISTIC
    assert betting_pool(Pool(pool_in_order, 20)).guarantee is Guarantee.FINITE
    assert betting_pool(Pool(pool, 20)).guarantee is Guarantee.HEURISTIC
    # Caps from about 2^20 on once let equal events pass for different ones; no such claim is FINITE any more.
    assert cluster_betting(Ratio.of_counts(counts, most=2**20)).guarantee is Guarantee.HEURISTIC


def test_an_order_is_drawn_or_not_stated() -> None:
    with pytest.raises(InvalidEvidence, match='takes "drawn"'):
        Losses([0.1, 0.2], order="sorted")  # type: ignore[arg-type]
    shares = Ratio.of_counts(Counts([2, 0], [2, 3]), order="drawn").of_average_draw
    assert shares.values.tolist() == [1.0, 0.0]
    assert shares.drawn
    assert not Ratio.of_counts(Counts([2, 0], [2, 3])).of_average_draw.drawn


def test_a_shuffle_that_the_sample_decides_can_be_fished_and_squares_cannot() -> None:
    """A loss that is moved in its sixth digit draws another shuffle: the best of 40 misses far more often than 5 %."""
    rng = np.random.default_rng(11)
    n, repeats, variants = 400, 60, 40
    missed = {"betting": 0, "squares": 0}
    for _ in range(repeats):
        fished = np.tile(rng.beta(1, 3, n), (variants, 1))
        fished[:, -1] = np.minimum(fished[:, -1] + 1e-6 * np.arange(variants), 1.0)
        missed["betting"] += np.min(betting(Losses(fished), 0.05, "upper").upper) < 0.25
        missed["squares"] += squares(Losses(fished[0]), 0.05, "upper").upper < 0.25
    assert missed["betting"] > 0.15 * repeats  # hence HEURISTIC
    assert missed["squares"] <= 0.05 * repeats
    assert np.ptp(squares(Losses(fished[:3])).upper) < 1e-6
