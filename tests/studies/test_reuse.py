"""The study of reuse: the page is as committed, the sample sizes are those of the formulas, and the attack is one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from studies.reuse import attack, cost, study
from studies.runs import Run

from holdfast.ledger.budget import Planned
from tests.studies.committed import committed, told


@pytest.mark.long  # a fast version of the whole study
def test_the_committed_page_says_the_same() -> None:
    assert told(study(Run(fast=True)).checks) == committed("reuse")


@pytest.mark.parametrize(
    ("epsilon", "delta", "sizes"),
    [
        (0.1, 0.01, (404, 1_340, 1_753, 5_496)),
        (0.05, 0.01, (1_615, 5_358, 7_012, 21_984)),
        (0.01, 0.001, (51_868, 145_443, 221_333, 595_633)),
        (0.01, 0.0001, (63_381, 156_956, 267_385, 641_684)),
    ],
)
def test_sample_sizes_of_ease_ml_ci(epsilon: float, delta: float, sizes: tuple[int, ...]) -> None:
    histories = (32, 2.0**32)
    one = [cost.hoeffding(epsilon, delta, number) for number in histories]
    two = [cost.hoeffding(epsilon / 2, delta / 2, number) for number in histories]
    assert (*one, *two) == sizes


def test_an_exact_test_needs_fewer_labels() -> None:
    gates = cost.gates()
    assert all(gate.exact < gate.theirs for gate in gates)
    assert max(gate.theirs / gate.exact for gate in gates) > 15


def test_the_vote_has_the_errors_of_a_vote() -> None:
    """Beside three guesses that are drawn row by row."""
    generator, sizes = np.random.default_rng(5), [990, 970, 960]
    quick = [attack._vote(sizes, generator) for _ in range(2000)]
    rows = np.zeros((2000, attack.ROWS), dtype=np.int8)
    for size in sizes:
        order = generator.random(rows.shape).argsort(axis=1)
        rows += order < size
    slow = (rows >= 2).sum(axis=1)
    assert abs(np.mean(quick) - slow.mean()) < 5 * np.sqrt(slow.var() / 1000)
    assert np.var(quick) == pytest.approx(slow.var(), rel=0.25)


def test_the_attack_beats_equal_levels_and_not_the_ledger() -> None:
    generator, runs = np.random.default_rng(7), 400
    shared = sum(attack._sealed(100, generator) for _ in range(runs))
    ledger = sum(attack._sealed(100, generator, Planned(100, 3)) for _ in range(runs))
    assert binom.sf(shared - 1, runs, attack.DELTA) < 1e-6
    assert binom.sf(ledger - 1, runs, attack.DELTA) > 1e-6
    assert sum(attack._published(100, generator) for _ in range(20)) == 20


def test_the_last_gate_is_exact() -> None:
    most = attack._most_errors(0.0005)
    assert binom.cdf(most, attack.ROWS, 0.5) <= 0.0005 < binom.cdf(most + 1, attack.ROWS, 0.5)
