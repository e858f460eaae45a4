"""The t intervals over folds: their formulas, their mirror, and what they say where the folds do not spread.

paired_t, nadeau_bengio, bouckaert_frank and five_by_two_t promise nothing; how often they reject a true null is told
in tests/comparisons/test_folds.py. fold_t and fold_z are for one model, as the textbook has them; their examples are
in tests/published/test_zaki_intervals.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from holdfast.bounds.folds import STUDENTS
from holdfast.catalog import Bound, find, methods
from holdfast.claims import Assumption, Guarantee, Side
from holdfast.errors import UnfitMethod
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, RepeatedDifferences
from holdfast.evidence.folds.values import FoldValues
from holdfast.invert import solve_for_delta

TEN = np.random.default_rng(5).normal(0.03, 0.04, (5, 2))
ALL = [find(name) for name in STUDENTS]
every = pytest.mark.parametrize("bound", ALL, ids=[bound.name for bound in ALL])


def by_hand(bound: Bound, values: np.ndarray, ratio: float, delta: float) -> tuple[float, float]:
    """The interval in the words of the papers, with scipy's table."""
    flat = values.ravel()
    spread, number = flat.std(ddof=1), len(flat)
    if bound.name == "five-by-two-t":
        pooled = np.sqrt(np.mean([np.sum((row - row.mean()) ** 2) for row in values]))
        centre, error, freedom = values[0, 0], pooled, 5
    elif bound.name == "paired-t":
        centre, error, freedom = flat.mean(), spread / np.sqrt(number), number - 1
    else:
        centre, error, freedom = flat.mean(), spread * np.sqrt(1 / number + ratio), number - 1
    reach = stats.t.isf(delta / 2, freedom) * error
    return min(centre - reach, flat.mean()), max(centre + reach, flat.mean())


@every
def test_limits_are_those_of_the_papers(bound: Bound) -> None:
    claim = bound(FiveByTwo(TEN), 0.05)
    assert (claim.lower, claim.upper) == pytest.approx(by_hand(bound, TEN, 1.0, 0.05), abs=1e-13)
    assert claim.estimate == pytest.approx(TEN.mean(), abs=1e-15)
    assert claim.n == 10
    assert claim.measure == "error-rate-difference"


def test_sizes_enter_the_correction() -> None:
    differences = FoldDifferences(TEN.ravel(), n_train=140, n_test=60)
    claim = find("nadeau-bengio")(differences, 0.1)
    assert (claim.lower, claim.upper) == pytest.approx(by_hand(find("nadeau-bengio"), TEN, 60 / 140, 0.1), abs=1e-13)


def test_units_are_those_of_the_results() -> None:
    near, far = (find("nadeau-bengio")(FoldDifferences(k * TEN, width=k)) for k in (1.0, 100.0))
    assert 100 * near.upper == pytest.approx(far.upper, rel=1e-12)
    assert 100 * near.estimate == pytest.approx(far.estimate, rel=1e-12)


@every
def test_swapping_the_models_mirrors_every_digit(bound: Bound) -> None:
    generator = np.random.default_rng(11)
    values = generator.normal(0.05, 0.1, (200, 5, 2)).clip(-1, 1)
    for width in (1.0, 0.7, 3.0):
        here, there = bound(FiveByTwo(values * width, width=width)), bound(FiveByTwo(-values * width, width=width))
        assert np.array_equal(here.lower, -there.upper)
        assert np.array_equal(here.upper, -there.lower)
        assert np.array_equal(here.estimate, -there.estimate)
        one, other = (bound(FiveByTwo(s * values), 0.05, side) for s, side in ((1, "upper"), (-1, "lower")))
        assert np.array_equal(one.upper, -other.lower)


@every
def test_an_array_gives_what_its_elements_give(bound: Bound) -> None:
    values = np.random.default_rng(2).normal(0, 0.1, (7, 5, 2)).clip(-1, 1)
    together = bound(FiveByTwo(values))
    alone = [bound(FiveByTwo(each)) for each in values]
    assert together.lower.tolist() == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper.tolist() == pytest.approx([claim.upper for claim in alone], rel=1e-13)


@every
def test_without_spread_nothing_is_said(bound: Bound) -> None:
    for constant in (0.0, 0.02, -0.3):
        claim = bound(FiveByTwo(np.full((5, 2), constant)))
        assert (claim.lower, claim.upper) == (-1.0, 1.0)
        assert claim.estimate == pytest.approx(constant, abs=1e-15)


@every
def test_the_test_is_the_interval_solved_for_delta(bound: Bound) -> None:
    differences = FiveByTwo(TEN)
    for null in (0.44, 0.5, 0.51, 0.6):
        below, above, both = (solve_for_delta(bound, differences, null, side) for side in ("upper", "lower", "both"))
        assert bound.upper(differences, below).limit == pytest.approx(null, abs=1e-9)
        assert bound.upper(differences.mirror(), above).room == pytest.approx(null, abs=1e-9)
        assert below + above == pytest.approx(1, abs=1e-14)
        assert both == 2 * min(below, above)


@every
def test_more_confidence_never_narrows_and_tiny_deltas_are_no_trouble(bound: Bound) -> None:
    deltas = np.array([1e-12, 1e-6, 0.01, 0.05, 0.3, 0.8])
    claim = bound(FiveByTwo(TEN / 100), deltas)
    assert np.all(np.diff(claim.upper) <= 0)
    assert np.all(np.diff(claim.lower) >= 0)
    assert np.all((claim.lower >= -1) & (claim.upper <= 1))


@pytest.mark.parametrize("side", ["upper", "lower", "both"])
def test_the_textbooks_intervals_for_one_model(side: Side) -> None:
    values = 0.3 + TEN.ravel()
    error, level = values.std(ddof=1) / np.sqrt(10), 0.025 if side == "both" else 0.05
    for method, quantile in (("fold-t", stats.t.isf(level, 9)), ("fold-z", stats.norm.isf(level))):
        claim = find(method)(FoldValues(values), 0.05, side)
        lower, upper = values.mean() - quantile * error, values.mean() + quantile * error
        expected = (0.0 if side == "upper" else lower, 1.0 if side == "lower" else upper)
        assert (claim.lower, claim.upper) == pytest.approx(expected, abs=1e-13)
        assert claim.guarantee is Guarantee.HEURISTIC
        assert Assumption.UNRELATED_FOLDS in claim.assumes
    test = solve_for_delta(find("fold-t"), FoldValues(values), 0.25, "lower")
    assert test == pytest.approx(stats.ttest_1samp(values, 0.25, alternative="greater").pvalue, rel=1e-9)


def test_one_split_says_nothing() -> None:
    claim = find("paired-t")(FoldDifferences([0.1], n_train=10, n_test=5))
    assert (claim.estimate, claim.lower, claim.upper) == (pytest.approx(0.1), -1.0, 1.0)


def test_which_method_takes_which_folds() -> None:
    fitting = {
        FoldDifferences: {"paired-t", "nadeau-bengio"},
        RepeatedDifferences: {"paired-t", "nadeau-bengio", "bouckaert-frank"},
        FiveByTwo: {"paired-t", "nadeau-bengio", "bouckaert-frank", "five-by-two-t"},
    }
    for kind, names in fitting.items():
        assert {bound.name for bound in methods() if bound.fits(kind(TEN))} == names
    with pytest.raises(UnfitMethod, match=r"five-by-two-t takes FiveByTwo, not the FoldDifferences; .* nadeau-bengio"):
        find("five-by-two-t")(FoldDifferences(TEN))


@every
def test_all_are_labelled_for_what_they_are(bound: Bound) -> None:
    assert bound.guarantee is Guarantee.HEURISTIC
    assert Assumption.FIXED_MODEL not in bound.assumes
    guess = {Assumption.UNRELATED_FOLDS, Assumption.RELATED_FOLDS} & set(bound.assumes)
    assert guess == {
        Assumption.RELATED_FOLDS if bound.name in ("nadeau-bengio", "bouckaert-frank") else Assumption.UNRELATED_FOLDS
    }


def test_repeats_make_the_corrected_interval_no_narrower_than_the_correlation_allows() -> None:
    values = np.random.default_rng(3).normal(0, 0.05, (100, 10)).clip(-1, 1)
    ten = find("bouckaert-frank")(RepeatedDifferences(values[:10]))
    hundred = find("bouckaert-frank")(RepeatedDifferences(values))
    plain = find("paired-t")(RepeatedDifferences(values))
    assert hundred.width > 0.7 * ten.width
    assert plain.width < 0.12 * hundred.width
