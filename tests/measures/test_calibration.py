"""The calibration error of clusters: each weighs the same, and one of a single example is an example."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence import Scores
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.measures.calibration import ece, ece_of_clusters


def sample(n: int = 200, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random(n), 2)  # some lie on the edges of bins, and on the last one
    return scores, rng.random(n) < scores**2, rng.permutation(n) * 3


def test_clusters_of_one_example_are_examples() -> None:
    scores, positive, clusters = sample()
    scores[:3] = (0.0, 1.0, 0.3)
    alone, known = ece_of_clusters(scores, positive, clusters), ece(Reliability.of(Scores(scores, positive)))
    assert alone.gaps == pytest.approx(known.gaps, abs=1e-14)
    assert float(alone.square) == pytest.approx(float(known.square), abs=1e-14)
    assert int(alone.n) == int(known.n) == 200


def test_every_cluster_weighs_the_same_and_keeps_its_largest_square() -> None:
    scores, positive = np.array([0.1, 0.2, 0.9, 0.9, 0.3]), np.array([True, False, True, False, True])
    found = ece_of_clusters(scores, positive, np.array([2, 2, 2, 2, 0]), bins=2)
    gaps = np.array([[0.7, 0.0], [(0.9 - 0.2) / 4, (0.1 - 0.9) / 4]])  # clusters down, bins across
    assert found.gaps == pytest.approx(gaps.mean(axis=0), abs=1e-15)
    assert float(found.square) == pytest.approx(np.mean(np.abs(gaps).sum(axis=1) ** 2), abs=1e-15)
    assert int(found.n) == 2


def test_rows_that_repeat_say_no_more() -> None:
    rows = sample(40)
    once, thrice = ece_of_clusters(*rows), ece_of_clusters(*(np.repeat(each, 3) for each in rows))
    assert thrice.gaps == pytest.approx(once.gaps, abs=1e-14)
    assert (int(thrice.n), float(thrice.square)) == (40, pytest.approx(float(once.square), abs=1e-14))


def test_no_examples_say_nothing() -> None:
    nothing = ece_of_clusters(np.zeros(0), np.zeros(0, bool), np.zeros(0, np.int64))
    assert (int(nothing.n), bool(nothing.known)) == (0, False)
