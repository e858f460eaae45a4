"""Scores: the order of two classes against brute force, whatever the floats, however they come and are stored."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdfast.bounds.ranking import delong_variance
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Scores
from holdfast.evidence.ranking import sorted_scores as ranks
from tests.snapshots import matches, messages

Examples = tuple[NDArray[np.float64], NDArray[np.bool_]]


def examples(draw_score: st.SearchStrategy[float]) -> st.SearchStrategy[Examples]:
    pairs = st.lists(st.tuples(draw_score, st.booleans()), min_size=0, max_size=40)
    return pairs.map(lambda rows: (np.array([s for s, _ in rows], float), np.array([b for _, b in rows], bool)))


ANY = examples(st.floats(allow_nan=False, allow_infinity=False))
TIED = examples(st.sampled_from([-2.0, -1.0, -0.0, 0.0, 0.5, 1.0]))
UNIT = examples(st.floats(0, 1))


def brute(values: NDArray[np.float64], positive: NDArray[np.bool_]) -> tuple[list[Fraction], list[Fraction]]:
    """The placement of each example of either class: the share of the others that it outranks, ties counting half."""
    own, others = values[positive], values[~positive]

    def placed(x: float, among: NDArray[np.float64]) -> Fraction:
        return (int(np.sum(among < x)) + Fraction(int(np.sum(among == x)), 2)) / max(len(among), 1)

    return [placed(x, others) for x in own], [1 - placed(y, own) for y in others]


def variance(placements: list[Fraction]) -> Fraction:
    mean = sum(placements, Fraction()) / len(placements)
    return sum(((each - mean) ** 2 for each in placements), Fraction()) / (len(placements) - 1)


@given(st.one_of(ANY, TIED))
@settings(max_examples=300)
def test_the_area_and_its_variance_are_those_of_the_definition(rows: Examples) -> None:
    values, positive = rows
    scores = Scores(*rows)
    own, others = brute(*rows)
    assert (scores.n, scores.n_positive, scores.n_negative) == (values.size, positive.sum(), (~positive).sum())
    assert bool(scores.known) == bool(own and others)
    if own and others:
        area = sum(own, Fraction()) / len(own)
        assert scores.mean == float(area)
        assert scores.complement == float(1 - area)
        assert sum(others, Fraction()) / len(others) == area
    if len(own) > 1 and len(others) > 1:
        wanted = float(variance(own) / len(own) + variance(others) / len(others))
        assert delong_variance(scores) == pytest.approx(wanted, rel=1e-14, abs=0)
    elif own and others:
        assert np.isnan(delong_variance(scores))


@given(st.one_of(ANY, TIED), st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_way_of_storing_changes_a_digit(rows: Examples, random: object) -> None:
    values, positive = rows
    shuffle = np.random.default_rng(random.getrandbits(32)).permutation(values.size)  # type: ignore[attr-defined]
    first, second = Scores(*rows), Scores(values[shuffle], positive[shuffle])
    counted = Scores.from_counts(values[shuffle], positive[shuffle].astype(int), (~positive[shuffle]).astype(int))
    for other in (second, counted):
        assert other.order == first.order
        assert [part.tolist() for part in other.cells()] == [part.tolist() for part in first.cells()]


@given(st.one_of(ANY, TIED))
def test_the_scores_come_back_in_order_with_their_counts(rows: Examples) -> None:
    values, positive = rows
    distinct = np.unique(values + 0.0)
    cells = Scores(*rows).cells()
    assert cells.values.tolist() == distinct.tolist()
    assert cells.positives.tolist() == [int(np.sum(values[positive] == value)) for value in distinct]
    assert cells.negatives.tolist() == [int(np.sum(values[~positive] == value)) for value in distinct]
    assert not np.signbit(cells.values[cells.values == 0]).any()


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("levels", [1, 3, 50, 10**6])
def test_blocks_of_any_size_give_the_same(rows: int, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of equal scores that are longer than a block, that end with it, and that straddle two."""
    rng = np.random.default_rng(levels)
    values, positive = rng.integers(-levels, levels, 300) / 7, rng.random(300) < 0.4
    whole = Scores(values, positive)
    wanted, cells = whole.order, whole.cells()
    monkeypatch.setattr(ranks, "ROWS", rows)
    for again in (Scores(values, positive), Scores.from_counts(*cells)):
        sizes = [(block.values.size, int(block.positives.sum() + block.negatives.sum())) for block in again.blocks()]
        assert all(cells_ == 1 or examples_ <= rows for cells_, examples_ in sizes)
        assert again.order == wanted
        assert [part.tolist() for part in again.cells()] == [part.tolist() for part in cells]


def test_huge_counts_are_exact() -> None:
    """Cubes of counts far beyond what a float or a machine integer holds."""
    p, q = [10**9, 3, 10**9 + 1], [10**9 + 7, 10**8, 5]
    order = Scores.from_counts([0.1, 0.2, 0.3], p, q).order
    placed = [q[0], 2 * q[0] + q[1], 2 * (q[0] + q[1]) + q[2]]
    assert order.positives.total == sum(a * b for a, b in zip(p, placed, strict=True))
    assert order.positives.squares == sum(a * b * b for a, b in zip(p, placed, strict=True))
    assert order.tied == sum(a * b for a, b in zip(p, q, strict=True))


def test_the_smallest_difference_of_two_floats_is_seen() -> None:
    for x in (0.0, 1e-300, 0.3, 1.0, 1e300, -1.0, -5e-324):
        above = np.nextafter(x, np.inf)
        assert Scores([x, above], [False, True]).mean == 1.0
        assert Scores([x, above], [True, False]).mean == 0.0
        assert Scores([x, x], [True, False]).mean == 0.5


def test_the_caller_keeps_the_scores_as_they_were() -> None:
    values = np.array([0.5, -0.0, 0.25])
    Scores(values, [True, False, True])
    assert values.tolist() == [0.5, 0.0, 0.25]
    assert np.signbit(values[1])


def test_minus_zero_is_zero_however_it_is_stored() -> None:
    for scores in (Scores([-0.0], [True]), Scores.from_counts([-0.0], [1], [0])):
        assert not np.signbit(scores.cells().values[0])


# ---- The other end, and limited precision


@given(st.one_of(ANY, TIED))
def test_the_mirror_swaps_the_classes(rows: Examples) -> None:
    scores, swapped = Scores(*rows), Scores(rows[0], ~rows[1])
    mirrored = scores.mirror()
    assert (mirrored.mean, mirrored.complement) == (scores.complement, scores.mean)
    assert (mirrored.n_positive, mirrored.n_negative) == (scores.n_negative, scores.n_positive)
    assert mirrored.twice_won == swapped.twice_won
    assert [part.tolist() for part in mirrored.cells()] == [part.tolist() for part in swapped.cells()]
    assert mirrored.mirror().mean == scores.mean
    assert scores.at_most() is scores


@given(UNIT, st.sampled_from([0.5, 0.25, 0.1, 2.0**-10]))
@settings(max_examples=100)
def test_the_bracket_of_binned_scores_holds_the_area(rows: Examples, width: float) -> None:
    exact = Scores(*rows)
    places = np.floor(rows[0] / width)
    binned = Scores.from_counts(places * width, rows[1].astype(int), (~rows[1]).astype(int), width=width)
    low, high = binned.at_least().mean, binned.at_most().mean
    assert low <= exact.mean <= high
    assert binned.mean == pytest.approx((low + high) / 2)
    assert binned.mirror().at_most().mean == pytest.approx(1 - low, abs=1e-15)
    assert binned.at_most().mirror().mean == pytest.approx(1 - high, abs=1e-15)


def test_the_bracket_is_reached() -> None:
    inside = [0.1, 0.2], [0.2, 0.1]
    ends = [float(Scores(values, [True, False]).mean) for values in inside]
    binned = Scores.from_counts([0.0], [1], [1], width=0.5)
    assert sorted(ends) == [binned.at_least().mean, binned.at_most().mean] == [0.0, 1.0]


# ---- Drawn again


def by_hand(values: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    scores = Scores(values, positive)
    return float(scores.mean) if scores.known else float("nan")


@pytest.mark.long
@pytest.mark.parametrize("levels", [5, 10**6], ids=["ties", "no ties"])
@pytest.mark.parametrize("few", [0, 10**6], ids=["counts drawn", "examples drawn"])
@pytest.mark.parametrize("swapped", [False, True])
def test_draws_have_the_law_of_resampled_rows(
    levels: int, few: int, swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Means, spreads and tails of as many resamples made row by row."""
    monkeypatch.setattr("holdfast.evidence.ranking.scores.FEW", few)
    rng = np.random.default_rng(5)
    positive = rng.random(60) < 0.3
    values = np.floor(rng.normal(positive * 0.8) * levels) / levels
    scores, size = Scores(values, positive), 2000
    drawn = (scores.mirror() if swapped else scores).draws(np.random.default_rng(0), size)
    assert drawn.shape == (size,)
    rows = [rng.integers(0, 60, 60) for _ in range(size)]
    wanted = np.array([by_hand(values[each], positive[each] != swapped) for each in rows])
    error = wanted.std() * np.sqrt(2 / size)
    assert drawn.mean() == pytest.approx(wanted.mean(), abs=5 * error)
    assert drawn.std() == pytest.approx(wanted.std(), abs=5 * error)
    for quantile in np.quantile(wanted, (0.05, 0.5, 0.95)):
        shares = [(np.mean(each < quantile) + np.mean(each <= quantile)) / 2 for each in (drawn, wanted)]
        assert shares[0] == pytest.approx(shares[1], abs=5 * np.sqrt(2 * 0.25 / size))


@pytest.mark.parametrize("few", [0, 10**6], ids=["counts drawn", "examples drawn"])
def test_a_tiny_sample_is_drawn_with_exact_chances(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All resamples of four rows enumerated."""
    monkeypatch.setattr("holdfast.evidence.ranking.scores.FEW", few)
    values, positive = np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, False, True, True])
    law: dict[float, float] = {}
    for index in np.ndindex(4, 4, 4, 4):
        found = by_hand(values[list(index)], positive[list(index)])
        key = -1.0 if np.isnan(found) else round(found, 12)
        law[key] = law.get(key, 0.0) + 4.0**-4
    drawn = np.nan_to_num(Scores(values, positive).draws(np.random.default_rng(1), 40_000), nan=-1.0).round(12)
    assert set(np.unique(drawn)) == set(law)
    for value, chance in law.items():
        assert np.mean(drawn == value) == pytest.approx(chance, abs=6 * np.sqrt(chance / 40_000))


def test_draws_of_one_class_are_undefined() -> None:
    for values, positive in (([0.1, 0.2], [True, True]), ([0.1, 0.2], [False, False]), ([], [])):
        assert np.isnan(Scores(values, positive).draws(np.random.default_rng(0), 5)).all()
    assert Scores([0.1, 0.2], [True, False]).draws(np.random.default_rng(0), 0).shape == (0,)


@given(st.one_of(ANY, TIED), st.booleans())
def test_leaving_out_each_example_in_turn(rows: Examples, swapped: bool) -> None:
    values, positive = rows[0], rows[1] != swapped
    kept = [np.arange(values.size) != i for i in range(values.size)]
    wanted = np.sort([by_hand(values[keep], positive[keep]) for keep in kept])
    found, times = (Scores(*rows).mirror() if swapped else Scores(*rows)).left_out()
    assert np.sort(np.repeat(found, times)).tolist() == pytest.approx(wanted.tolist(), nan_ok=True, abs=1e-15)


# ---- Small print


def test_a_table_at_a_threshold() -> None:
    scores = Scores([0.9, 0.8, 0.8, 0.1], [True, False, True, False])
    for threshold, table in ((np.inf, [[0, 0], [2, 2]]), (0.8, [[2, 1], [0, 1]]), (-np.inf, [[2, 2], [0, 0]])):
        assert scores.at(threshold).table.tolist() == table
    binned = Scores.from_counts([0.0, 0.5], [1, 9], [7, 3], width=0.5)
    assert binned.at(0.5).table.tolist() == [[9, 3], [1, 7]]


def test_which_scores_are_probabilities() -> None:
    assert Scores([0.0, 1.0, 0.5], [True, False, True]).probabilities
    assert Scores([], []).probabilities
    assert not Scores([1.0 + 1e-15, 0.5], [True, False]).probabilities
    assert not Scores([-1e-300, 0.5], [True, False]).probabilities


def test_every_refusal_says_what_to_do() -> None:
    binned = Scores.from_counts([0.0, 0.5], [1, 9], [7, 3], width=0.5)
    matches(
        "errors_of_scores",
        messages(
            {
                "a missing score": lambda: Scores([0.1, float("nan")], [True, False]),
                "an infinite score": lambda: Scores([0.1, float("inf")], [True, False]),
                "text": lambda: Scores(["high"], [True]),
                "too few labels": lambda: Scores([0.1, 0.2], [True]),
                "a table": lambda: Scores([[0.1, 0.2]], [[True, False]]),
                "labels for true/false": lambda: Scores([0.1, 0.2], ["spam", "ham"]),
                "0 and 1 for true/false": lambda: Scores([0.1, 0.2], [1, 0]),
                "counts of other shapes": lambda: Scores.from_counts([0.1, 0.2], [1, 2], [1]),
                "half a count": lambda: Scores.from_counts([0.1], [0.5], [1]),
                "a negative width": lambda: Scores.from_counts([0.1], [1], [1], width=-1),
                "a threshold inside a bin": lambda: binned.at(0.3),
            }
        ),
    )
    with pytest.raises(InvalidEvidence):
        Scores.from_counts([float("nan")], [1], [1])
