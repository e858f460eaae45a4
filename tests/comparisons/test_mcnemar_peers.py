"""Agreement with the peers where they are right, and the places where they are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from holdfast.comparisons import mcnemar
from tests.needs import module

PAIRS = [(6, 16), (16, 6), (1, 7), (0, 5), (25, 2), (300, 250), (10, 9), (1, 0)]


def table(won: int, lost: int, right: int = 59, wrong: int = 80) -> Any:
    """Rows: the first model right, wrong; columns: the second right, wrong."""
    return np.array([[right, won], [lost, wrong]])


@pytest.mark.parametrize(("won", "lost"), PAIRS)
def test_statsmodels_agrees(won: int, lost: int) -> None:
    peer = module("statsmodels.stats.contingency_tables").mcnemar
    assert mcnemar.exact(won, lost).value == pytest.approx(peer(table(won, lost), exact=True).pvalue, rel=1e-10)
    plain = peer(table(won, lost), exact=False, correction=False)
    ours = mcnemar.asymptotic(won, lost)
    assert ours.value == pytest.approx(plain.pvalue, rel=1e-10)
    assert float(np.asarray(ours.statistic)) ** 2 == pytest.approx(plain.statistic)


@pytest.mark.parametrize(("won", "lost"), PAIRS)
def test_mlxtend_agrees(won: int, lost: int) -> None:
    peer = module("mlxtend.evaluate").mcnemar
    assert mcnemar.exact(won, lost).value == pytest.approx(peer(table(won, lost), exact=True)[1], rel=1e-10)
    assert mcnemar.asymptotic(won, lost).value == pytest.approx(peer(table(won, lost), corrected=False)[1], rel=1e-10)


# ---- Where a peer is wrong


def quietly(function: Any, *given: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they divide by zero, and say so
        return function(*given, **options)


def test_mlxtend_by_default_calls_identical_models_certainly_different() -> None:
    peer = module("mlxtend.evaluate").mcnemar
    assert quietly(peer, table(0, 0)) == (np.inf, 0.0)
    assert np.isnan(quietly(peer, table(0, 0), corrected=False)).all()
    assert mcnemar.asymptotic(0, 0).value == 1.0


def test_statsmodels_without_exact_calls_identical_models_certainly_different() -> None:
    peer = module("statsmodels.stats.contingency_tables").mcnemar
    assert quietly(peer, table(0, 0), exact=False).pvalue == 0.0
    assert np.isnan(quietly(peer, table(0, 0), exact=False, correction=False).pvalue)
    assert peer(table(0, 0), exact=True).pvalue == 1.0
    assert mcnemar.asymptotic(0, 0).value == 1.0


def test_their_continuity_correction_finds_equal_counts_more_different_than_unequal_ones() -> None:
    mlxtend = module("mlxtend.evaluate").mcnemar
    assert mlxtend(table(1, 1))[1] == pytest.approx(0.4795, abs=1e-4)
    assert mlxtend(table(3, 4))[1] == 1.0
    statsmodels = module("statsmodels.stats.contingency_tables").mcnemar
    assert statsmodels(table(1, 1), exact=False).pvalue == pytest.approx(0.4795, abs=1e-4)
    assert statsmodels(table(3, 4), exact=False).pvalue == 1.0
    for ours in (mcnemar.exact, mcnemar.mid_p, mcnemar.asymptotic):
        assert ours(1, 1).value == 1.0
