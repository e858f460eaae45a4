"""Lower limits for a ratio of means: of many different draws by a grid that never narrows one, and by bets alone."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast.numerics.wealth.ratios as ratios
from holdfast.numerics.wealth.ratios import MOST_PAIRS, OF_PAIRS, OF_PARTS, Pairs


def weighted(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    whole = generator.integers(1, 7, n) / 6 * np.minimum(np.exp(generator.normal(size=n)), 10) / 10
    return whole * generator.beta(1, 6, n), whole


@pytest.mark.parametrize("one_whole", [True, False])
def test_a_grid_keeps_the_mean_and_never_raises_the_evidence(one_whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    part, whole = weighted(MOST_PAIRS + 500)
    if one_whole:
        part, whole = part / whole, np.ones(part.size)
    laid_out = Pairs.of(part, whole)
    monkeypatch.setattr(ratios, "MOST_PAIRS", part.size)
    as_it_is = Pairs.of(part, whole)
    assert laid_out.part.size < as_it_is.part.size
    assert laid_out.n == as_it_is.n
    for name in ("part", "whole"):
        sums = [float(getattr(each, name) @ each.times) for each in (laid_out, as_it_is)]
        assert sums[0] == pytest.approx(sums[1], rel=1e-12)
    for theta in as_it_is.estimate * np.linspace(0.8, 0.99, 9):
        assert laid_out.log_evidence(theta) <= as_it_is.log_evidence(theta) + 1e-9
    for solve in (Pairs.lower_limit, Pairs.lower_limit_by_bets, Pairs.lower_limit_by_sums):
        narrow, wide = (as_it_is.estimate - solve(each, 0.025) for each in (as_it_is, laid_out))
        assert narrow * (1 - 1e-9) <= wide <= narrow * 1.01


def test_a_grid_point_is_kept_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratios, "MOST_PAIRS", 1)
    at = Pairs.of(np.array([OF_PAIRS[3], OF_PAIRS[5]]), np.array([OF_PAIRS[9], OF_PAIRS[-1]]))
    assert sorted(zip(at.part, at.whole, at.times, strict=True)) == [(OF_PAIRS[3], OF_PAIRS[9], 1), (OF_PAIRS[5], 1, 1)]
    assert OF_PARTS[[0, -1]].tolist() == OF_PAIRS[[0, -1]].tolist() == [0.0, 1.0]


def test_more_of_a_part_never_lowers_a_limit_on_the_grid() -> None:
    part, whole = weighted(MOST_PAIRS + 200, seed=4)
    before = Pairs.of(part, whole).lower_limit(0.05)
    for place in np.argsort(part)[[0, 99, -1]]:
        more = part.copy()
        more[place] = whole[place]
        assert Pairs.of(more, whole).lower_limit(0.05) >= before * (1 - 1e-12)


def test_draws_without_a_whole_count_only_where_told() -> None:
    part, whole = np.array([0.5, 0.0, 0.2, 0.0]), np.array([1.0, 1.0, 0.5, 0.0])
    assert Pairs.of(part, whole).n == 3
    assert Pairs.told_apart(part, whole, np.ones(4), empty=True).n == 4
    assert Pairs.told_apart(part, whole, np.array([2.0, 1.0, 1.0, 5.0]), empty=True).n == 9
    assert Pairs.of(part[3:], whole[3:]).lower_limit(0.05) == 0.0


def test_draws_given_once_with_their_number_are_all_of_them() -> None:
    part, whole, times = np.array([0.0, 0.5, 1.0]), np.array([1.0, 1.0, 1.0]), np.array([70.0, 20.0, 10.0])
    once = Pairs.of(part, whole, times)
    each = Pairs.of(np.repeat(part, times.astype(int)), np.ones(100))
    for solve in (Pairs.lower_limit, Pairs.lower_limit_by_bets, Pairs.lower_limit_by_sums):
        assert solve(once, 0.025) == pytest.approx(solve(each, 0.025), rel=1e-12)
