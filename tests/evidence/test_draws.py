"""What each draw adds: clusters, differences trial by trial, sums of quantities, and drawing again by plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from holdfast.assumptions import Assumption
from holdfast.bounds.influence import best_thresholds, influence
from holdfast.bounds.squares import squares
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Counts, Overlap
from holdfast.evidence.counts import Strata
from holdfast.evidence.draws import Draws, Influence, Ratio, combined
from holdfast.evidence.evidence import Need, Redrawn
from holdfast.evidence.value import OVERLAPS, Differences, Scale
from holdfast.predictions.design import LARGEST_CAP

DRAWS = Draws(np.ones(6), most=4.0)
WHOLE = np.array([4.0, 1.0, 2.0, 3.0, 0.0, 2.0])
BY_CHANCE = 1e-6
ONE, OTHER = np.array([1.0, 0.0, 2.0, 1.0, 0.0, 0.0]), np.array([2.0, 1.0, 0.0, 1.0, 0.0, 1.0])


def test_ratios_over_the_same_trials_are_subtracted_trial_by_trial() -> None:
    one, other = (Ratio(part, WHOLE, DRAWS, over="rows") for part in (ONE, OTHER))
    gap = one - other
    assert isinstance(gap, Ratio)
    assert float(gap.estimate) == pytest.approx((ONE - OTHER).sum() / WHOLE.sum())
    assert gap.influence.values == pytest.approx(one.influence.values - other.influence.values)
    assert (gap.units(np.asarray(0.0)), gap.units(np.asarray(1.0))) == (-1.0, 1.0)
    assert float((other - one).estimate) == -float(gap.estimate)
    itself = one - one
    assert float(itself.estimate) == 0.0
    assert influence(itself).lower == -1.0  # where no draw says anything, nothing is said


@pytest.mark.parametrize("scale", [Scale(), Scale(-2.0, 5.0), Differences(), OVERLAPS])
@pytest.mark.parametrize(("number", "stratum"), [(40, None), (40, np.arange(40) % 2), (5000, None)])
def test_the_other_end_is_what_draws_leave_were_it_made_anew(
    scale: Scale, number: int, stratum: np.ndarray | None
) -> None:
    rng = np.random.default_rng(1)
    whole = np.where(np.arange(number) % 7, rng.random(number), 0.0)  # more of the many than are kept apart
    ratio = Ratio(whole * rng.random(number) ** 2, whole, Draws(np.ones(number), stratum, most=1.5), scale=scale)
    turned, anew = ratio.mirror(), Ratio(whole - ratio.above, whole, ratio.draws, scale=scale)
    assert turned.spread == pytest.approx(anew.spread, rel=1e-12)
    assert turned.influence.values == pytest.approx(anew.influence.values, rel=1e-9, abs=1e-15)
    for one, other in ((turned, anew), (turned.mirror(), ratio), (anew.mirror(), ratio)):
        assert one.spared.n == other.spared.n
        assert one.spared.lower_limit(0.05) == pytest.approx(other.spared.lower_limit(0.05), rel=1e-12)
    assert turned.spared.estimate != pytest.approx(ratio.spared.estimate, rel=0.1)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("over", ["rows", None])
@pytest.mark.parametrize("scale", [Scale(), Scale(-2.0, 5.0), OVERLAPS])
def test_swapping_what_is_subtracted_mirrors_every_limit_to_the_last_bit(scale: Scale, over: str | None) -> None:
    rng = np.random.default_rng(0)
    for most in (None, 40.0):
        for _ in range(20):
            whole = rng.random(30) * rng.integers(0, 40, 30)
            drawn = Draws(np.ones(30), most=most)
            one, other = (Ratio(whole * rng.random(30) ** 2, whole, drawn, over, scale) for _ in range(2))
            gap, turned = one - other, other - one
            assert float(turned.estimate) == -float(gap.estimate)
            for bound in (influence, squares)[: 2 if isinstance(gap, Ratio) and most else 1]:
                claim, mirrored = bound(gap, 0.1), bound(turned, 0.1)
                assert (mirrored.lower, mirrored.upper) == (-claim.upper, -claim.lower)
            if isinstance(gap, Ratio) and isinstance(turned, Ratio):
                claim, mirrored = squares(gap.of_average_draw, 0.1), squares(turned.of_average_draw, 0.1)
                assert (mirrored.lower, mirrored.upper) == (-claim.upper, -claim.lower)
                assert np.array_equal(gap.mirror().above, turned.above)
                assert np.array_equal(gap.mirror().mirror().above, gap.above)


def test_what_no_draw_changes_leaves_the_other_its_limits() -> None:
    perfect = Influence(1.0, np.zeros(6), np.zeros(6), DRAWS)
    other = Influence(0.6, np.array([0.1, -0.05, 0.02, -0.03, 0.01, -0.05]), np.ones(6), DRAWS)
    claim = influence(perfect - other, 0.1)
    assert -1.0 < claim.lower < 0.4 < claim.upper < 1.0
    assert (perfect - other).spread.variance == pytest.approx(other.spread.variance / 4)


def test_ratios_over_other_trials_are_subtracted_as_estimates() -> None:
    one, other = Ratio(ONE, WHOLE, DRAWS, over="rows"), Ratio(OTHER, WHOLE + 1.0, DRAWS, over="others")
    gap = one - other
    assert isinstance(gap, Influence)
    assert gap.value == pytest.approx(ONE.sum() / WHOLE.sum() - OTHER.sum() / (WHOLE + 1).sum())
    assert gap.values == pytest.approx(one.influence.values - other.influence.values)
    assert (gap.scale.low, gap.scale.high) == (-1.0, 1.0)
    assert gap.terms == ()  # that both saw the same draws would go unused
    f1 = Ratio(ONE, WHOLE, DRAWS, over="rows", scale=OVERLAPS)
    assert isinstance(f1 - f1, Influence)


def test_what_a_draw_adds_is_the_derivative_by_its_weight() -> None:
    for scale in (Scale(), Scale(-2.0, 5.0), OVERLAPS):
        ratio = Ratio(ONE, WHOLE, DRAWS, scale=scale)
        for place in range(6):
            moved = [
                float(Ratio(ONE, WHOLE, Draws(np.ones(6) + step * (np.arange(6) == place)), scale=scale).estimate)
                for step in (1e-6, -1e-6)
            ]
            assert ratio.influence.values[place] == pytest.approx((moved[0] - moved[1]) / 2e-6, abs=1e-8)


def test_a_mean_of_ratios_rests_on_all_of_them() -> None:
    parts = [Ratio(ONE, WHOLE, DRAWS), Ratio(OTHER, WHOLE + 1, DRAWS, scale=OVERLAPS)]
    mean = combined((0.5, 0.5), parts)
    assert mean.value == pytest.approx(sum(float(part.estimate) for part in parts) / 2)
    assert mean.values == pytest.approx(sum(part.influence.values for part in parts) / 2)
    assert (mean.scale.low, mean.scale.high) == (0.0, 1.0)
    assert [factor for factor, _ in mean.terms] == [0.5, 0.5]
    assert int(mean.n) == 6
    assert int(parts[0].n) == 5  # one draw adds nothing below the line


def test_a_ratio_without_a_trial_is_unknown() -> None:
    nothing = Ratio(np.zeros(6), np.zeros(6), DRAWS)
    assert not nothing.known
    claim = influence(nothing)
    assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)
    assert not combined((0.5, 0.5), (nothing, Ratio(ONE, WHOLE, DRAWS))).known


@pytest.mark.parametrize("evidence", [Ratio(ONE, WHOLE, DRAWS), Ratio(ONE, WHOLE, DRAWS, scale=OVERLAPS)])
def test_the_mirror_has_mirrored_limits(evidence: Ratio) -> None:
    claim, turned = influence(evidence, 0.1), influence(evidence.influence.mirror(), 0.1)
    assert (-turned.upper, -turned.lower) == pytest.approx((claim.lower, claim.upper), rel=1e-12)


def test_draws_alike_may_be_kept_once() -> None:
    once = Draws(np.array([2.0, 3.0, 1.0]), most=4.0)
    part, whole = np.array([1.0, 0.0, 2.0]), np.array([2.0, 1.0, 3.0])
    each = Draws(np.ones(6), most=4.0)
    times = np.array([2, 3, 1])
    one, other = Ratio(part, whole, once), Ratio(np.repeat(part, times), np.repeat(whole, times), each)
    assert influence(one).upper == pytest.approx(influence(other).upper, rel=1e-13)
    assert int(one.n) == int(other.n) == 6


# ---- Events and trials of each cluster


def test_every_example_weighs_the_same_in_the_mean_and_every_cluster_in_that_of_the_average_cluster() -> None:
    clusters = Ratio.of_counts(Counts([0, 4, 1], [1, 8, 1]))
    assert clusters.mean == 0.5
    assert clusters.complement == 0.5
    assert clusters.n == 3
    assert clusters.of_average_draw.values.tolist() == [0.0, 0.5, 1.0]
    assert clusters.mirror().mean == 0.5
    assert clusters.mirror().above.tolist() == [1, 4, 0]
    assert clusters.uneven
    assert not Ratio.of_counts(Counts([0, 4, 1], 8)).uneven


def test_clusters_and_not_their_rows_are_independent_in_either_mean() -> None:
    clusters = Ratio.of_counts(Counts([0, 4, 1], [1, 8, 1]), most=9)
    for evidence in (clusters, clusters.of_average_draw):
        assert evidence.assumes == (Assumption.CLUSTERS,)
    assert clusters.ranges == (Assumption.CAPPED_CLUSTERS,)
    assert Ratio.of_counts(Counts([0, 4, 1], [1, 8, 1])).ranges == ()


def test_the_average_cluster_stands_in_rising_order_unless_in_that_of_the_draws() -> None:
    parts = Counts([3, 0, 1], [4, 2, 2])
    assert Ratio.of_counts(parts).of_average_draw.values.tolist() == [0.0, 0.5, 0.75]
    ordered = Ratio.of_counts(parts, order="drawn")
    assert ordered.of_average_draw.values.tolist() == [0.75, 0.0, 0.5]
    assert (ordered.drawn, ordered.of_average_draw.drawn, ordered.mirror().drawn) == (True, True, True)


def test_the_mirror_adds_up_to_one_and_keeps_the_cap() -> None:
    clusters = Ratio.of_counts(Counts([0, 1, 2], [3, 1, 2]), most=4)
    assert clusters.mean + clusters.mirror().mean == 1
    assert clusters.mirror().draws.most == 4
    assert {Need.DRAWS, Need.CAPPED} <= clusters.offers
    assert not {Need.DRAWS, Need.CAPPED} & Ratio.of_counts(Counts([0, 1, 2], [3, 1, 2])).offers


def test_a_cluster_without_a_trial_has_no_share_of_them() -> None:
    clusters = Ratio.of_counts(Counts([0, 1], [0, 2]), most=2)
    assert clusters.mean == 0.5
    assert clusters.of_average_draw.values.tolist() == [0.5]
    assert (int(clusters.n), clusters.draws.number) == (1, 2)
    assert not Ratio.of_counts(Counts([0], [0])).known


def test_units_are_those_of_the_counts() -> None:
    assert Ratio.of_counts(Overlap([1], [2])).units(np.asarray(0.5)) == pytest.approx(2 / 3)


def test_one_count_is_no_clusters() -> None:
    with pytest.raises(InvalidEvidence, match="one count for each"):
        Ratio.of_counts(Counts(1, 2))


@pytest.mark.parametrize("most", [0, -1, 2.5, "ten", True, LARGEST_CAP + 1])
def test_a_cap_is_a_whole_number(most: object) -> None:
    with pytest.raises(InvalidEvidence, match="whole number from 1"):
        Ratio.of_counts(Counts([0], [1]), most=most)  # type: ignore[arg-type]


def test_a_cluster_beyond_the_cap_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match="holds 12 examples, more than the 11"):
        Ratio.of_counts(Counts([0, 0], [3, 12]), most=11)
    assert Ratio.of_counts(Counts([0, 0], [3, 12]), most=12).draws.most == 12


# ---- What each draw adds to an estimate


def swaying(value: float, values: np.ndarray, **more: object) -> Influence:
    return Influence(value, values, np.ones(values.size), Draws(np.ones(values.size)), Differences(), **more)  # type: ignore[arg-type]


VALUES = np.array([0.05, 0.05, -0.1])


def test_the_standard_error_is_that_of_what_draws_add() -> None:
    found = swaying(0.2, VALUES)
    assert (int(found.n), float(found.estimate)) == (3, 0.2)
    assert found.spread.variance == pytest.approx(3 / 2 * np.sum(VALUES**2) / 4, rel=1e-12)  # of a range 2 wide
    assert found.spread.df == pytest.approx(2)


def test_swapping_models_turns_the_sign_and_nothing_else() -> None:
    here, there = (swaying(way * 0.2, way * VALUES, smooth=False) for way in (1, -1))
    assert (float(here.estimate), here.spread) == (-float(there.estimate), there.spread)
    turned = here.mirror()
    assert (turned.value, turned.values.tolist(), turned.spread) == (there.value, there.values.tolist(), there.spread)
    assert (turned.smooth, turned.scale.low, turned.scale.high) == (False, -1.0, 1.0)
    assert (float(here.mean), float(here.complement)) == (float(there.complement), float(there.mean))


@pytest.mark.parametrize("smooth", [True, False])
def test_where_there_is_no_spread_there_is_no_error(smooth: bool) -> None:
    still = swaying(0.0, np.zeros(3), smooth=smooth)
    one = swaying(0.1, np.array([0.0]), smooth=smooth)
    rare = swaying(0.1, VALUES, smooth=smooth, fewest=1)  # a class of which one draw alone holds examples
    for evidence in (still, one, rare, rare.mirror(), still - rare):
        claim = (influence if smooth else best_thresholds)(evidence, 0.1)
        assert (claim.lower, claim.upper) == (evidence.scale.low, evidence.scale.high)
    assert repr(one) == "Influence(estimate=0.1, draws=1)"


def test_a_mean_one_part_of_which_rests_on_one_draw_has_no_error() -> None:
    """As a mean of recalls, where a class is seen in a single draw: without it there is nothing to compare with."""
    alone = Ratio(np.array([1.0, 0, 0, 0, 0, 0]), np.array([2.0, 0, 0, 0, 0, 0]), DRAWS)
    mean = combined((0.5, 0.5), (alone, Ratio(ONE, WHOLE, DRAWS)))
    for evidence in (alone, mean, mean - Ratio(OTHER, WHOLE, DRAWS)):
        claim = influence(evidence)
        assert claim.estimate is not None
        assert [claim.lower, claim.upper] == evidence.units(np.array([0.0, 1.0])).tolist()
    twice = replace(alone, draws=Draws(np.full(6, 2.0)))  # two draws just alike say that they do not differ
    assert combined((0.5, 0.5), (twice, Ratio(ONE, WHOLE, twice.draws))).spread.variance > 0


def test_a_difference_that_is_undefined_is_unknown() -> None:
    found = swaying(float("nan"), np.zeros(3))
    assert not found.known
    assert not found.mirror().known
    assert (float(found.mean), float(found.complement)) == (0.5, 0.5)
    assert "nan" in repr(found)


# ---- Draws that are drawn again


def test_two_clusters_are_drawn_as_two_coins_fall() -> None:
    runs = 4000
    coins = Ratio(np.array([0.0, 3.0]), np.array([5.0, 5.0]), Draws(np.ones(2))).redrawn
    found = np.rint(10 * coins.draws(np.random.default_rng(2), runs)).astype(int)
    assert {*found.tolist()} == {0, 3, 6}
    for value, chance in ((0, 0.25), (3, 0.5), (6, 0.25)):
        seen = int(np.sum(found == value))
        assert min(bdtr(seen, runs, chance), bdtrc(seen - 1, runs, chance)) > BY_CHANCE


def test_drawing_those_alike_is_drawing_clusters() -> None:
    part, whole, times = np.array([0.0, 3.0, 2.0]), np.array([2.0, 4.0, 3.0]), np.array([4, 3, 1])
    runs = 4000
    chosen = np.random.default_rng(3).integers(0, 8, (runs, 8))
    each = [np.repeat(values, times)[chosen].sum(axis=-1) for values in (part, whole)]
    plain = each[0] / each[1]
    ours = Ratio(part, whole, Draws(times.astype(float))).redrawn.draws(np.random.default_rng(4), runs)
    error = plain.std() * np.sqrt(2 / runs)
    assert ours.mean() == pytest.approx(plain.mean(), abs=5 * error)
    assert ours.std() == pytest.approx(plain.std(), rel=0.1)


def test_draws_of_a_stratum_take_the_place_of_each_other_only() -> None:
    drawn = Draws(np.ones(4), stratum=np.array([0, 0, 1, 1]))
    again = Redrawn(drawn, lambda times: times @ np.array([1.0, 1.0, 10.0, 10.0]), 22.0, Scale(0.0, 40.0))
    assert np.unique(40 * again.draws(np.random.default_rng(0), 50)).tolist() == [22.0]


@pytest.mark.parametrize("scale", [Scale(), OVERLAPS])
def test_the_standard_error_is_that_of_leaving_out_each_draw(scale: Scale) -> None:
    one, other = Ratio(ONE, WHOLE, DRAWS, scale=scale), Ratio(OTHER, WHOLE, DRAWS)
    kept = ~np.eye(6, dtype=bool)
    left = [float(Ratio(ONE[k], WHOLE[k], Draws(np.ones(5)), scale=scale).estimate) for k in kept]
    second = [float(OTHER[k].sum() / WHOLE[k].sum()) for k in kept]
    for evidence, values in ((one, left), (one - other, np.subtract(left, second) / 2)):
        again = evidence.redrawn
        assert again.standard_error == pytest.approx(np.std(values) * np.sqrt(5), rel=1e-9)
        assert int(again.n) == 6
        assert again.mirror().standard_error == pytest.approx(again.standard_error, rel=1e-12)
        assert again.mirror().mean + again.mean == pytest.approx(1)
        assert again.assumes == DRAWS.assumes


def test_what_is_unknown_stays_unknown_when_drawn_again() -> None:
    nothing = Ratio(np.zeros(2), np.zeros(2), Draws(np.ones(2))).redrawn
    assert not nothing.known
    assert np.isnan(nothing.standard_error)
    assert np.isnan(nothing.draws(np.random.default_rng(0), 3)).all()


def test_rows_of_strata_with_known_shares_are_counted_by_stratum() -> None:
    """Ten of forty rows come of the stratum that is four fifths of the population: the shares are as stated."""
    stratum, shares = np.repeat([0, 1], [30, 10]), np.array([0.2, 0.8])
    factor = (shares / np.array([30, 10]))[stratum]
    weight, event = factor / factor.max(), np.arange(40) % 3 == 0
    drawn = Draws(np.ones(40), stratum, weight, most=1.0, rows=True)
    counted = Ratio(event * weight, weight, drawn, levels=(0.0, 1.0)).condensed
    assert isinstance(counted, Strata)
    assert counted.weights == pytest.approx(shares)
    assert (counted.parts.k.tolist(), counted.parts.n.tolist()) == ([10, 4], [30, 10])
    assert counted.mean == pytest.approx(0.2 * 10 / 30 + 0.8 * 4 / 10)
