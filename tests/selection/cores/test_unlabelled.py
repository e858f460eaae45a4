"""Who errs more on the unlabelled inputs: what the limits of both would say, found without computing these."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.bounds.binomial import hypergeometric
from holdfast.evidence import Counts
from holdfast.selection.cores.cores import more_than_half, more_than_the_other


@pytest.mark.parametrize("delta", [0.3, 0.05, 1e-4])
@pytest.mark.parametrize("unlabelled", [1, 2, 7, 30, 101])
def test_it_is_what_the_limits_say(unlabelled: int, delta: float) -> None:
    apart = 25
    alone, other = (each.ravel() for each in np.meshgrid(np.arange(apart + 1), np.arange(apart + 1)))
    possible = alone + other <= apart
    alone, other = alone[possible], other[possible]
    here, there = np.full(alone.shape, apart), np.full(alone.shape, unlabelled)
    least = hypergeometric(Counts(alone, here), delta / 2, "lower", unlabelled=there).lower
    most = hypergeometric(Counts(other, here), delta / 2, "upper", unlabelled=there).upper
    found = more_than_the_other(alone, other, here, there, np.asarray(delta))
    np.testing.assert_array_equal(found, np.asarray(least) > np.asarray(most))
    least = hypergeometric(Counts(alone, here), delta, "lower", unlabelled=there).lower
    np.testing.assert_array_equal(more_than_half(alone, here, there, np.asarray(delta)), np.asarray(least) > 0.5)


def test_of_different_sizes_each_is_what_its_limits_say() -> None:
    random = np.random.default_rng(0)
    here, there = random.integers(1, 3000, (2, 4, 500))
    alone = random.binomial(here, random.beta(1, 1, here.shape))
    other = random.binomial(here - alone, 0.5)
    found = more_than_the_other(alone, other, here, there, np.array(0.01))
    least = hypergeometric(Counts(alone, here), 0.005, "lower", unlabelled=there).lower
    most = hypergeometric(Counts(other, here), 0.005, "upper", unlabelled=there).upper
    np.testing.assert_array_equal(found, np.asarray(least) > np.asarray(most))
    assert 0.1 < found.mean() < 0.9


def test_where_they_never_differed_nothing_is_known() -> None:
    none, some = np.array([0]), np.array([9])
    assert not more_than_the_other(none, none, none, some, np.array(0.05)).any()
    assert not more_than_half(none, none, some, np.array(0.05)).any()


def test_where_they_do_not_differ_neither_errs_more() -> None:
    none = np.array([0, 0])
    for here in (none, none + 9):
        assert not more_than_the_other(here, none, here, none, np.array(0.05)).any()
        assert not more_than_half(here, here, none, np.array(0.05)).any()
