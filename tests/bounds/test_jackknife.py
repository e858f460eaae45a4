"""The jackknife: the textbook error where there is one, near the bootstrap's elsewhere, silent where nothing varies."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import find, find_measure
from holdfast.evidence import Contingency, TableStatistic
from tests.tries import tries

JACKKNIFE = find("jackknife")
TABLE = Contingency([[80, 20, 5], [30, 240, 10], [4, 6, 105]], rows="predicted")


def test_of_a_share_it_is_the_textbook_error() -> None:
    accuracy = TableStatistic.of(find_measure("accuracy"), TABLE)
    n, p = int(TABLE.n), float(accuracy.mean)
    assert accuracy.standard_error == pytest.approx(np.sqrt(p * (1 - p) / (n - 1)), rel=1e-12)


@pytest.mark.parametrize("name", ["weighted-precision", "weighted-f1", "macro-f1", "mcc", "kappa"])
def test_the_error_is_near_the_spread_of_resamples(name: str) -> None:
    evidence = TableStatistic.of(find_measure(name), TABLE)
    spread = float(np.std(evidence.draws(np.random.default_rng(1), 20_000)))
    assert evidence.standard_error == pytest.approx(spread, rel=0.04)


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_a_limit_is_z_errors_away(side: str) -> None:
    evidence = find_measure("weighted-f1")(TABLE)
    claim = JACKKNIFE(evidence, 0.05, side)
    reach = float(normal_quantile(np.asarray(0.05))) * evidence.standard_error
    limit = {"upper": claim.upper - evidence.mean, "lower": evidence.mean - claim.lower}[side]
    assert limit == pytest.approx(reach, rel=1e-9)


def test_where_nothing_varies_nothing_is_said() -> None:
    for cells in ([[9, 0], [0, 9]], [[1, 0], [0, 0]], [[0, 0], [0, 0]]):
        claim = JACKKNIFE(find_measure("weighted-f1")(Contingency(cells, rows="predicted")))
        assert (claim.lower, claim.upper) == (0.0, 1.0)


@tries("jackknife", how="simulated")
@pytest.mark.long
def test_it_covers_about_as_often_as_asked_in_a_large_sample() -> None:
    cells = np.array([0.35, 0.1, 0.05, 0.5])
    generator, measure = np.random.default_rng(2), find_measure("weighted-f1")
    truth = float(measure(Contingency(np.rint(1e9 * cells).astype(np.int64).reshape(2, 2), rows="predicted")).mean)
    claims = [
        JACKKNIFE(measure(Contingency(table.reshape(2, 2), rows="predicted")))
        for table in generator.multinomial(800, cells, size=2000)
    ]
    covered = sum(claim.lower <= truth <= claim.upper for claim in claims)
    assert 0.925 < covered / 2000 < 0.975  # five standard deviations either way
