"""Whether scores mean what they say, of rows that were not drawn one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption, Guarantee
from holdfast.measures.calibration import ece_of_clusters

RANDOM = np.random.default_rng(8)
ROWS = 400
SCORE = np.round(RANDOM.random(ROWS), 3)
TRUTH = (RANDOM.random(ROWS) < SCORE) * 1
CLUSTER = np.sort(RANDOM.integers(0, 80, ROWS))
WEIGHT = RANDOM.choice([0.5, 1.0, 2.0], ROWS)


def report(**more: Any) -> hf.Report:
    return hf.assess(truth=TRUTH, score=SCORE, positive=1, **{"only": ["ece", "calibration"], "bins": 4, **more})


def test_a_bin_is_told_at_every_sample_size_only_with_the_caps_that_it_needs() -> None:
    capped = report(clusters=CLUSTER, max_cluster=15, weights=WEIGHT, max_weight=2.0)
    of_bin = [line.claim for line in capped.lines if line.label == "[0.25, 0.5)"]
    assert [claim.method for claim in of_bin] == ["squares", "influence"]
    where = (SCORE >= 0.25) & (SCORE < 0.5)
    for claim in of_bin:
        assert claim.estimate == pytest.approx(np.average(TRUTH[where], weights=WEIGHT[where]))
        assert claim.delta == pytest.approx(0.05 / 4)
        assert Assumption.FIXED_BINS in claim.assumes
    free = report(clusters=CLUSTER, weights=WEIGHT)
    assert {line.claim.guarantee for line in free.lines} == {Guarantee.ASYMPTOTIC, Guarantee.HEURISTIC}


def test_the_error_of_the_average_cluster_is_proven_without_a_cap() -> None:
    first = next(line.claim for line in report(clusters=CLUSTER).lines if line.measure == "ece")
    known = ece_of_clusters(SCORE, TRUTH == 1, CLUSTER, bins=4)
    assert (first.method, first.per, first.guarantee) == ("signs", "cluster", Guarantee.FINITE)
    assert first.estimate == pytest.approx(float(known.mean), abs=1e-12)


def test_bins_of_groups_share_delta_within_their_group() -> None:
    groups = {"region": np.where(CLUSTER % 2 == 0, "north", "south")}
    for design in ({}, {"clusters": CLUSTER, "max_cluster": 15}):
        told = report(groups=groups, **design)
        alone = hf.assess(
            truth=TRUTH[CLUSTER % 2 == 0],
            score=SCORE[CLUSTER % 2 == 0],
            positive=1,
            only=["ece", "calibration"],
            bins=4,
            **{name: each[CLUSTER % 2 == 0] if name == "clusters" else each for name, each in design.items()},
        )
        of_group = [line.claim for line in told.lines if line.group == "region=north" and line.measure == "calibration"]
        filtered = [line.claim for line in alone.lines if line.measure == "calibration"]
        limits = [sorted((c.lower, c.upper, c.delta) for c in each) for each in (of_group, filtered)]
        np.testing.assert_allclose(*limits, atol=1e-9)


def test_grades_of_a_scale_are_bins_and_other_scores_are_refused() -> None:
    graded = np.round(SCORE * 2) / 2
    grades = {"low": 0.0, "middle": 0.5, "high": 1.0}
    told = hf.assess(truth=TRUTH, score=graded, positive=1, only="calibration", bins=grades, clusters=CLUSTER)
    assert [line.label for line in told.lines if line.measure == "calibration"] == ["low", "middle", "high"]
    shares = {line.label: line.claim.estimate for line in told.lines}
    assert shares["high"] == pytest.approx(np.mean(TRUTH[graded == 1.0]))
    with pytest.raises(hf.HoldfastError, match="is of none of the grades low, middle, high"):
        report(bins=grades, clusters=CLUSTER)


def test_bins_that_scores_choose_are_refused_with_what_to_do() -> None:
    with pytest.raises(hf.HoldfastError, match=r"lets the scores choose the bins.*give a number of bins"):
        report(bins="quantiles", clusters=CLUSTER)


def test_the_page_knows_the_bins_by_their_weights() -> None:
    told = report(weights=WEIGHT)
    bins = told.details["calibration"]["bins"]
    assert sum(each["n"] for each in bins) == ROWS
    where = SCORE < 0.25
    assert bins[0]["mean_score"] == pytest.approx(np.average(SCORE[where], weights=WEIGHT[where]))
    assert bins[0]["positives"] == int(TRUTH[where].sum())
