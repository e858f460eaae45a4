"""Evidence at a stated prevalence: its estimate is the measure itself, its mirror is its mirror."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Counts, Strata
from holdfast.evidence.tables.statistic import (
    AtPrevalence,
    f1_of_rates,
    mean_of_rates,
    npv_of_rates,
    precision_of_rates,
)


def evidence(k: int = 8, m: int = 10, j: int = 27, n: int = 30, odds: float = 0.25) -> AtPrevalence:
    return AtPrevalence(Counts(k, m), Strata(Counts([j], [n])), np.asarray(odds), precision_of_rates)


def test_at_the_mix_that_was_seen_it_is_what_the_table_says() -> None:
    hits, misses, alarms, rejects = 8, 2, 3, 27
    parts = Counts(hits, 10), Strata(Counts([rejects], [30])), np.asarray(10 / 30)
    for of_rates, value in (
        (precision_of_rates, hits / (hits + alarms)),
        (npv_of_rates, rejects / (rejects + misses)),
        (f1_of_rates, 2 * hits / (2 * hits + alarms + misses)),
        (mean_of_rates(precision_of_rates, by_prevalence=False), (hits / 11 + rejects / 29) / 2),
        (mean_of_rates(precision_of_rates, by_prevalence=True), (10 * hits / 11 + 30 * rejects / 29) / 40),
    ):
        found = AtPrevalence(*parts, of_rates)
        assert float(found.mean) == pytest.approx(value, rel=1e-14)
        assert float(found.mean + found.complement) == pytest.approx(1.0)
        assert int(found.n) == 40


def test_the_mirror_is_one_minus_it() -> None:
    found = evidence()
    turned = found.mirror()
    assert float(turned.mean) == float(found.complement)
    assert float(turned.units(turned.mean)) == -float(found.units(found.mean))
    assert float(turned.mirror().mean) == float(found.mean)


def test_unknown_where_a_class_was_not_seen_or_nothing_taken_for_it() -> None:
    assert not evidence(k=0, m=0).known
    assert not evidence(j=0, n=0).known
    assert not evidence(k=0, j=30).known
    assert evidence(k=0).known


def test_several_are_joined_in_a_row() -> None:
    several = [evidence(), evidence(k=3, odds=2.0), evidence(k=0, m=0)]
    joined = AtPrevalence.joined(several)
    assert joined.mean.tolist() == [float(each.mean) for each in several]
    assert joined.known.tolist() == [True, True, False]
    assert joined.n.tolist() == [40, 40, 30]


@pytest.mark.parametrize("odds", [0.0, -1.0, np.inf, np.nan])
def test_odds_are_above_nothing(odds: float) -> None:
    with pytest.raises(InvalidEvidence, match="strictly between 0 and 1"):
        evidence(odds=odds)
