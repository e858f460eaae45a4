"""Promises tried on whole test sets: what is kept passes, what is claimed too boldly is found out."""

from __future__ import annotations

from dataclasses import replace

import pytest

import holdfast as hf
from holdfast.catalog import find
from holdfast.claims import Guarantee
from holdfast.verify import checks, number_of_checks, promise_kept
from holdfast.verify.simulated import RANKINGS, TABLES, pairs


@pytest.mark.parametrize("name", ["fisher", "union", "box", "auc-bentkus"])
def test_a_kept_promise(name: str) -> None:
    results = hf.verify(name, 25, repeats=200)
    assert len(results) == number_of_checks(name, 25) == len(pairs(find(name)))
    assert promise_kept(name, results)


@pytest.mark.crossing(1)
@pytest.mark.parametrize("name", ["stratified-normal", "jackknife"])
def test_a_promise_made_too_boldly_is_found_broken(name: str) -> None:
    bold = replace(find(name), guarantee=Guarantee.FINITE)
    assert not promise_kept(bold, checks(bold, 25, repeats=400))


def test_delta_forgotten_is_found_out() -> None:
    """The estimate itself, as if it were a limit."""
    fisher = find("fisher")
    wrong = replace(fisher, upper=lambda strata, delta: fisher.upper(strata, delta * 0 + 0.999))
    assert not promise_kept(wrong, checks(wrong, 40, repeats=400))


def test_every_law_is_a_law() -> None:
    for share, first, second in TABLES.values():
        assert 0 < share < 1
        assert {first, second} <= {x / 1000 for x in range(1001)}
    for share, own, others in RANKINGS.values():
        assert 0 < share < 1
        assert sum(own) == pytest.approx(1)
        assert sum(others) == pytest.approx(1)


def test_the_seed_decides() -> None:
    first, again, other = (hf.verify("fisher", 20, repeats=300, seed=seed) for seed in (1, 1, 2))
    assert [result.misses for result in first] == [result.misses for result in again]
    assert [result.misses for result in first] != [result.misses for result in other]
