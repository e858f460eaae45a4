"""Grouped folds: what holds whatever the learner, what holds if it is stable, and of which average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

import holdfast as hf
from holdfast.bounds.influence import influence
from holdfast.bounds.progressive import fold_bets
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence.folds.values import FoldRatio
from holdfast.verify.simulated import BY_CHANCE

DRAW = np.random.default_rng(3)
SIZES = DRAW.multinomial(300, np.ones(25) / 25) + 20  # 25 clinics, 800 rows, none with more than 40
CLINIC = np.repeat(np.arange(25), SIZES)
X = DRAW.normal(size=(800, 4))
Y = (X[:, 0] + DRAW.normal(0, 0.7, 25)[CLINIC] + DRAW.normal(0, 1.2, 800) > 0).astype(int)


def crossed(**options: Any) -> hf.Report:
    given = {"scheme": "grouped", "groups": CLINIC, "folds": 5, "only": "error-rate", "engine": "serial", **options}
    return hf.cross_assess(LogisticRegression(), X, Y, **given).report


def by_kind(report: hf.Report) -> dict[tuple[str, str], Claim]:
    return {(line.claim.per, line.claim.method): line.claim for line in report.lines}


def by_hand(rows: bool, most: float) -> FoldRatio:
    frame = hf.cross_assess(
        LogisticRegression(), X, Y, scheme="grouped", groups=CLINIC, folds=5, engine="serial"
    ).predictions
    place = frame["row"].to_numpy()
    wrong = (frame["truth"] != frame["predicted"]).to_numpy()
    errors, sizes = np.bincount(CLINIC[place], wrong), np.bincount(CLINIC[place]).astype(float)
    fold = np.zeros(25, np.int64)
    fold[CLINIC[place]] = frame["fold"].to_numpy()
    return FoldRatio(errors, sizes, fold, most) if rows else FoldRatio(errors / sizes, np.ones(25), fold, 1)


def test_limits_are_narrower_by_far_and_those_of_the_bets() -> None:
    """Of kl-divergences merged, [0.006, 0.890] in an issue, nothing was left; what is left needs no assumption."""
    found = by_kind(crossed())
    claim = found["cluster", "fold-bets"]
    assert claim.guarantee is Guarantee.FINITE
    assert (claim.lower, claim.upper) == pytest.approx((0.1255, 0.7240), abs=5e-5)
    expected = fold_bets(by_hand(False, 1), 0.05)
    assert (claim.lower, claim.estimate, claim.upper) == pytest.approx(
        (expected.lower, expected.estimate, expected.upper)
    )
    old = crossed(method="geometric-merge-kl")["error-rate"]
    assert claim.upper - claim.lower < 0.7 * (old.upper - old.lower)
    halves = by_kind(crossed(folds=2))["cluster", "fold-bets"]
    assert halves.upper - halves.lower < 0.35


def test_with_the_most_rows_of_a_group_claims_are_about_the_average_row() -> None:
    found = by_kind(crossed(max_group=40))
    claim, expected = found["row", "fold-bets"], fold_bets(by_hand(True, 40), 0.05)
    assert (claim.lower, claim.upper) == pytest.approx((expected.lower, expected.upper))
    folds = crossed(max_group=40).details["splits"]
    assert claim.estimate == pytest.approx(np.mean([fold["errors"] / fold["n_test"] for fold in folds]))
    assert Assumption.CAPPED_CLUSTERS in claim.assumes
    wider = by_kind(crossed(max_group=60))["row", "fold-bets"]
    assert wider.lower < claim.lower < claim.upper < wider.upper


def test_what_holds_for_stable_learners_stands_beside_and_says_so() -> None:
    found = by_kind(crossed())
    for per, rows in (("cluster", False), ("row", True)):
        claim, folds = found[per, "influence"], by_hand(rows, 40)
        expected = influence(folds.by_draw(np.arange(25)), 0.05)
        assert (claim.lower, claim.estimate, claim.upper) == pytest.approx(
            (expected.lower, float(folds.mean), expected.upper)
        )
        assert claim.guarantee is Guarantee.ASYMPTOTIC
        assert {Assumption.STABLE, Assumption.TRAINED_APART, Assumption.CLUSTERS} <= {*claim.assumes}
        assert Assumption.FIXED_MODEL not in claim.assumes
        assert len({*claim.assumes}) == len(claim.assumes)
        assert claim.upper - claim.lower < 0.12


def test_groups_of_one_size_are_told_of_once() -> None:
    even = np.arange(800) // 32
    found = by_kind(crossed(groups=even))
    assert {*found} == {("cluster", "fold-bets"), ("cluster", "influence")}
    capped = by_kind(crossed(groups=even, max_group=32))
    assert capped["row", "fold-bets"].upper == pytest.approx(found["cluster", "fold-bets"].upper)


def test_repeats_make_neither_narrower() -> None:
    once, thrice = by_kind(crossed()), by_kind(crossed(repeats=3))
    for kind, claim in once.items():
        assert thrice[kind].n == claim.n == 25
        assert thrice[kind].upper - thrice[kind].lower > 0.9 * (claim.upper - claim.lower)


def test_one_fold_chosen_beforehand_is_a_test_set_of_clusters() -> None:
    found = by_kind(crossed(target="fold", fold=2, max_group=40))
    assert {*found} == {("row", "squares"), ("row", "influence")}
    assert found["row", "squares"].guarantee is Guarantee.FINITE
    assert found["row", "squares"].n == 5
    refit = crossed(target="refit", max_group=40)
    assert {line.claim.guarantee for line in refit.lines} == {Guarantee.HEURISTIC}


def test_a_method_that_is_named_answers_alone() -> None:
    for name in ("fold-bets", "bayle", "geometric-merge-kl", "influence"):
        assert {line.claim.method for line in crossed(method=name).lines} == {name}


def test_folds_of_a_stranger_promise_nothing() -> None:
    report = crossed(scheme=GroupKFold(5), folds=10, max_group=40)
    assert {line.claim.guarantee for line in report.lines} == {Guarantee.HEURISTIC}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"max_group": 39}, "more than the 39"),
        ({"max_group": 0}, "whole number"),
        ({"max_group": 40, "groups": None, "scheme": "kfold"}, "give groups="),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], why: str) -> None:
    assert SIZES.max() == 40
    with pytest.raises(HoldfastError, match=why):
        crossed(**options)


def test_notes_say_what_counts_and_what_narrows() -> None:
    notes = " ".join(crossed().details["notes"])
    assert "every group counts once" in notes
    assert "fewer folds, or more groups, narrow it" in notes
    capped = crossed(max_group=40)
    assert "every row counts once" in " ".join(capped.details["notes"])
    assert "every group counted once" not in " ".join(str(capped).split())
    assert any("max_group=" in line for line in crossed().details["next"])


def test_what_holds_for_stable_learners_holds_with_fifty_groups() -> None:
    """A model that no training changes: groups of 1 to 6 rows, of which the large err more often."""
    draw, runs, missed = np.random.default_rng(6), 500, 0
    truth = np.average([0.1, 0.15, 0.2, 0.25, 0.3, 0.35], weights=[1, 2, 3, 4, 5, 6])
    for _ in range(runs):
        sizes = draw.integers(1, 7, 50)
        errors = draw.binomial(sizes, draw.beta(2, 2 / (0.05 + 0.05 * sizes) - 2))
        folds = FoldRatio(errors, sizes, np.arange(50) % 5, np.inf)
        claim = influence(folds.by_draw(np.arange(50)), 0.05)
        missed += not claim.lower <= truth <= claim.upper
    assert missed <= binom.isf(BY_CHANCE, runs, 0.06)
