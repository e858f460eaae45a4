"""Areas by bets on all matchings: the promise by enumeration, with ties; widths; and both classes alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import factorial, prod

import numpy as np
import pytest

from holdfast.bounds.matchings import LARGEST, MOST, VARIANCES, Board, _Bets, auc_matchings, mean_products
from holdfast.bounds.ranking import delong
from holdfast.claims import Claim
from holdfast.errors import UnfitMethod
from holdfast.evidence import Gini, Scores
from holdfast.invert import solve_for_delta
from holdfast.verbs.bound import default_methods
from tests.tries import tries


def samples(n: int, chances: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """How often each of a few scores may occur among n, and the chance of just that."""
    for drawn in combinations_with_replacement(range(chances.size), n):
        times = np.bincount(drawn, minlength=chances.size)
        ways = factorial(n) / np.prod([factorial(k) for k in times.tolist()])
        yield times, float(ways * np.prod(chances**times))


LAWS = [
    ([0.2, 0.3, 0.5], [0.5, 0.3, 0.2]),
    ([0.0, 0.1, 0.9], [0.9, 0.1, 0.0]),
    ([0.1, 0.8, 0.1], [0.2, 0.7, 0.1]),
    ([0.5, 0.0, 0.5], [0.0, 1.0, 0.0]),
    ([0.6, 0.2, 0.2], [0.2, 0.3, 0.5]),
]


@cache
def claimed(positives: tuple[int, ...], negatives: tuple[int, ...], delta: float) -> Claim:
    return auc_matchings(Scores.from_counts(np.arange(3.0), np.array(positives), np.array(negatives)), 2 * delta)


@pytest.fixture
def forget() -> Iterator[Callable[[], None]]:
    """For mutants: what was claimed before is not asked for again, nor what they claimed."""
    yield claimed.cache_clear
    claimed.cache_clear()


def missed(own: np.ndarray, others: np.ndarray, m: int, n: int, delta: float) -> float:
    """How often a limit, each at delta, lies on the wrong side of the area: the larger of the two."""
    below = np.cumsum(others) - others
    area, wrong = float(own @ (below + others / 2)), np.zeros(2)
    for positives, chance in samples(m, own):
        for negatives, chance_too in samples(n, others):
            claim = claimed(tuple(positives), tuple(negatives), delta)
            wrong += chance * chance_too * np.array([claim.lower > area + 1e-12, claim.upper < area - 1e-12])
    return float(wrong.max())


@tries("auc-matchings", how="enumerated")
@pytest.mark.parametrize(("m", "n", "delta"), [(1, 1, 0.3), (2, 3, 0.2), (3, 2, 0.2)])
def test_the_promise_is_kept_in_every_sample_that_can_be_drawn(m: int, n: int, delta: float) -> None:
    for own, others in LAWS:
        assert missed(np.array(own), np.array(others), m, n, delta) <= delta + 1e-12, (own, others)


@tries("auc-matchings", how="enumerated")
@pytest.mark.long
@pytest.mark.parametrize(("m", "n", "delta"), [(4, 4, 0.05), (3, 6, 0.1), (6, 3, 0.1)])
def test_the_promise_is_kept_in_larger_samples(m: int, n: int, delta: float) -> None:
    for own, others in LAWS:
        assert missed(np.array(own), np.array(others), m, n, delta) <= delta + 1e-12, (own, others)


def test_the_promise_is_not_kept_by_silence() -> None:
    assert max(missed(np.array(own), np.array(others), 3, 3, 0.2) for own, others in LAWS) > 0.05


def normal(m: int, n: int, seed: int = 0, shift: float = 1.5, digits: int = 9) -> Scores:
    generator = np.random.default_rng(seed)
    values = np.concatenate([generator.normal(shift, 1, m), generator.normal(0, 1, n)])
    return Scores(np.round(values, digits), np.arange(m + n) < m)


@pytest.mark.parametrize(
    ("m", "n", "shift", "most"), [(500, 500, 1.5, 1.65), (50, 950, 1.5, 1.6), (500, 500, 3.0, 1.7)]
)
def test_it_is_not_much_wider_than_the_normal_interval(m: int, n: int, shift: float, most: float) -> None:
    scores = normal(m, n, shift=shift)
    assert auc_matchings(scores).width / delong(scores).width <= most  # type: ignore[operator]


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_classes_that_change_places_mirror_every_limit(digits: int) -> None:
    generator = np.random.default_rng(3)
    values = np.round(np.concatenate([generator.normal(1, 1, 12), generator.normal(0, 1, 30)]), digits)
    positive = np.arange(42) < 12
    claim, turned = auc_matchings(Scores(values, positive)), auc_matchings(Scores(values, ~positive))
    inverted = auc_matchings(Scores(-values, positive))
    assert (1 - turned.upper, 1 - turned.lower) == pytest.approx((claim.lower, claim.upper), rel=1e-9)
    assert (turned.lower, turned.upper) == pytest.approx((inverted.lower, inverted.upper), rel=1e-9)


def test_no_order_of_the_examples_and_no_growing_map_of_the_scores_changes_anything() -> None:
    generator = np.random.default_rng(4)
    values, positive, order = generator.normal(size=50), np.arange(50) % 3 == 0, generator.permutation(50)
    claim = auc_matchings(Scores(values, positive))
    again = auc_matchings(Scores(np.exp(values)[order], positive[order]))
    assert (claim.lower, claim.upper) == (again.lower, again.upper)


def test_scores_in_bins_have_limits_that_hold_wherever_they_are_in_them() -> None:
    fine = Scores.from_counts([0.0, 0.25, 0.5, 0.75], [1, 3, 4, 9], [7, 4, 2, 1])
    coarse = Scores.from_counts([0.0, 0.5], [4, 13], [11, 3], width=0.5)
    one, other = auc_matchings(fine), auc_matchings(coarse)
    assert other.lower < one.lower
    assert other.upper >= one.upper


def test_a_p_value_is_one_over_the_wealth_of_bets_sized_for_five_percent() -> None:
    scores = normal(30, 40)
    claim = auc_matchings(scores, 0.05, "lower")
    p = solve_for_delta(auc_matchings, scores, np.asarray(claim.lower), "lower")
    assert float(p) == pytest.approx(0.05, rel=1e-6)


def test_one_class_alone_says_nothing_and_too_many_are_refused() -> None:
    claim = auc_matchings(Scores([0.1, 0.2], [True, True]))
    assert (claim.lower, claim.upper) == (0.0, 1.0)
    many = Scores.from_counts([0.0, 1.0], [MOST, 1], [1, MOST])
    with pytest.raises(UnfitMethod, match="auc-bentkus"):
        auc_matchings(many)


@pytest.mark.long
def test_ties_taken_for_wrong_pairs_would_be_caught(
    monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    law = np.array([0.05, 0.9, 0.05])
    assert missed(law, law, 6, 6, 0.05) <= 0.05
    monkeypatch.setattr("holdfast.bounds.matchings.TIES", {0: 1.0})
    forget()
    assert missed(law, law, 6, 6, 0.05) > 0.05


def test_the_size_of_the_smaller_class_alone_decides_who_answers() -> None:
    for few, many, name in ((LARGEST, 10**5, "auc-matchings"), (LARGEST + 1, LARGEST + 1, "auc-bentkus")):
        for positives, negatives in (([few, 0], [0, many]), ([0, many], [few, 0])):
            scores = Scores.from_counts([0.0, 1.0], positives, negatives)
            assert [bound.name for bound in default_methods(scores)] == [name, "delong"]
            assert [bound.name for bound in default_methods(Gini.of(scores))] == [name, "delong"]


def test_the_gini_coefficient_is_bounded_as_the_area_is() -> None:
    area, gini = auc_matchings(normal(40, 60)), auc_matchings(Gini.of(normal(40, 60)))
    assert (gini.lower, gini.upper) == pytest.approx((2 * area.lower - 1, 2 * area.upper - 1), abs=1e-12)


def brute_force(rows: list[float], columns: list[float], k: int) -> float:
    """The mean product of k rows over all their choices and all matchings, written out."""
    worth = [[(row > column) + (row == column) / 2 for column in columns] for row in rows]
    products = [
        prod(worth[i][matching[i]] for i in chosen)
        for matching in permutations(range(len(columns)), len(rows))
        for chosen in combinations(range(len(rows)), k)
    ]
    return sum(products) / len(products)


@pytest.mark.parametrize("ties", [1, 2, 3])
def test_mean_products_are_those_of_all_matchings(ties: int) -> None:
    generator = np.random.default_rng(ties)
    for _ in range(8):
        r = int(generator.integers(1, 4))
        rows, columns = (
            generator.integers(0, 6 // ties, r),
            generator.integers(0, 6 // ties, int(generator.integers(r, 6))),
        )
        board = Board.of(np.bincount(rows, minlength=6), np.bincount(columns, minlength=6))
        expected = [brute_force([*rows], [*columns], k) for k in range(r + 1)]
        while expected[-1] == 0.0:
            expected.pop()  # what is 0 is not held
        assert mean_products(board) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_other_stakes_hold_as_well_but_a_wealth_that_is_not_shared_does_not(
    factor: float, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    law = np.array([0.3, 0.3, 0.4]), np.array([0.4, 0.3, 0.3])
    forget()
    monkeypatch.setattr("holdfast.bounds.matchings.VARIANCES", VARIANCES / factor)
    assert missed(*law, 3, 3, 0.2) <= 0.2
    forget()
    log_wealth = _Bets.log_wealth
    monkeypatch.setattr(_Bets, "log_wealth", lambda bets, m: log_wealth(bets, m) + np.log(8))
    assert missed(*law, 3, 3, 0.2) > 0.2
