"""Comparisons of every kind answer the same questions, whatever it was that compared the models."""

from __future__ import annotations

from typing import Any

import pytest

import holdfast as hf
from tests.render.contests import best_first, compared, over_datasets, over_folds, rivals


def error_rate(report: hf.Report, model: str) -> float:
    return float(next(line.claim.estimate for line in report.whole if line.model == model and line.against is None))  # type: ignore[arg-type]


def test_the_best_come_first() -> None:
    report = rivals(6)
    rates = [error_rate(report, model) for model in best_first(report)]
    assert rates == sorted(rates)
    ranks = over_datasets().details["ranks"]
    assert best_first(over_datasets()) == sorted(ranks, key=ranks.get)
    assert best_first(over_folds()) == ["model 1", "model 2", "model 3"]
    assert best_first(over_folds("higher")) == ["model 1", "model 2", "model 3"]


def test_pairs_have_one_shape_whatever_was_compared() -> None:
    for report in (rivals(4), over_folds(), over_datasets()):
        facts = compared(report)
        models, claims = facts.models, facts.claims_of_pairs(report.whole)
        assert [pair.models for pair in facts.pairs] == [(a, b) for i, a in enumerate(models) for b in models[i + 1 :]]
        for pair in facts.pairs:
            assert claims[pair.models][0].measure == f"{facts.measure_compared}-difference"
            if pair.outcome in ("better", "worse"):
                better = best_first(report).index(pair.first) < best_first(report).index(pair.second)
                assert pair.outcome == ("better" if better else "worse")
                assert pair.adjusted_p <= 0.05
    tests = {(t["first"], t["second"]): t for t in over_datasets().details["tests"] if "won" in t}
    for pair in compared(over_datasets()).pairs:
        assert (pair.won, pair.lost) == tuple(tests[pair.models][key] for key in ("won", "lost"))


@pytest.mark.parametrize(
    ("report", "firmly"),
    [
        (lambda: rivals(2), "FINITE"),
        (lambda: rivals(2, test="asymptotic"), "ASYMPTOTIC"),
        (lambda: rivals(2, margin=0.1, method="tango"), "ASYMPTOTIC"),
        (lambda: rivals(2, margin=0.1, test="asymptotic"), "FINITE"),
        (lambda: rivals(3), "FINITE"),
        (over_folds, "HEURISTIC"),
        (over_datasets, "FINITE"),
        (lambda: over_datasets(3, 120), "ASYMPTOTIC"),
    ],
)
def test_the_verdict_holds_as_firmly_as_what_decided(report: Any, firmly: str) -> None:
    assert compared(report()).firmness(report().whole) == firmly


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_beliefs_speak_of_the_better_model_whichever_way_results_point(better: str) -> None:
    for belief in compared(over_folds(better)).beliefs:
        assert belief.shares[0] is not None
        assert belief.shares[0] > 0.9  # the models get worse from the first to the last
        assert sum(share or 0.0 for share in belief.shares) == pytest.approx(1.0)


def test_the_deciding_test_comes_first() -> None:
    for report in (rivals(2), over_folds(), over_datasets()):
        facts = compared(report)
        assert facts.deciding_test.test in facts.verdict.rule
        assert facts.deciding_test.test == facts.pairs[0].test
