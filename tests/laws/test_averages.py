"""Every claim says what it averages over, and says the same in whatever holds it."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast as hf
from tests.results import DECISIONS, FEATURES, LABELS, REPORTS, result_of

PER = {"compare-folds": {"fold"}, "compare-datasets": {"dataset"}, "compare-clusters": {"row", "cluster"}}
PER |= {"assess-clusters": {"row", "cluster"}, "assess-pass-at": {"cluster"}, "assess-repeats": {"cluster"}}


@pytest.mark.crossing(6)
@pytest.mark.parametrize("name", REPORTS)
def test_every_line_of_a_report_says_so(name: str) -> None:
    assert {claim["per"] for claim in result_of(name).to_dict()["claims"]} == PER.get(name, {"row"})


@pytest.mark.parametrize("name", DECISIONS)
def test_every_decision_says_so(name: str) -> None:
    decision = result_of(name).to_dict()
    parts = [inner for part in decision["parts"] for inner in part["parts"] or [part]] or [decision]
    assert {part["claim"]["per"] for part in parts} == {"cluster" if name == "gate-clusters" else "row"}


def test_differences_of_clusters_are_means_over_clusters_beside_those_over_all_rows() -> None:
    report = result_of("compare-clusters")
    assert {(line.measure, line.claim.per) for line in report.lines} == {
        ("error-rate", "cluster"),
        ("error-rate-difference", "cluster"),
        ("error-rate-difference", "row"),  # which holds as clusters grow many, for these are not all of one size
        ("f1-difference", "row"),
    }
    text = str(report)
    assert "difference, 95 % joint, per cluster" in text
    assert "error-rate, per cluster" in text
    assert "f1 ill_%       row " in text


@pytest.mark.parametrize("about", ["fold-average", "fold", "refit"])
def test_a_cross_validation_of_groups_counts_each_group_once(about: str) -> None:
    from sklearn.naive_bayes import GaussianNB

    options = {"folds": 3, "target": about, "engine": "serial", "scheme": "grouped"}
    found = hf.cross_assess(GaussianNB(), FEATURES, LABELS, groups=np.arange(90) // 3, **options)
    assert {line.claim.per for line in found.report.lines} == {"cluster"}
