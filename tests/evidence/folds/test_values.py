"""Results of folds, and the losses of a nested cross-validation."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find, methods
from holdfast.claims import Assumption
from holdfast.errors import InvalidEvidence, UnfitMethod
from holdfast.evidence.folds.folds import FoldDifferences, RepeatedDifferences
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.values import FoldValues, RepeatedValues

VALUES = np.random.default_rng(6).uniform(0.1, 0.4, (3, 5))


def test_values_and_differences_are_the_same_in_other_ranges() -> None:
    """A difference is a result that lies between minus and plus the width."""
    for method in ("nadeau-bengio", "bouckaert-frank"):
        here = find(method)(RepeatedValues(VALUES - 0.25, low=-1, high=1))
        there = find(method)(RepeatedDifferences(VALUES - 0.25))
        assert (here.lower, here.upper, here.estimate) == (there.lower, there.upper, there.estimate)
        assert (here.measure, there.measure) == ("error-rate", "error-rate-difference")
        shifted = find(method)(RepeatedValues(VALUES))
        assert (shifted.lower, shifted.upper) == pytest.approx((here.lower + 0.25, here.upper + 0.25), abs=1e-12)


def test_who_takes_the_results_of_one_model() -> None:
    once, often = (kind(VALUES) for kind in (FoldValues, RepeatedValues))
    alone = {"fold-t", "fold-z", "nadeau-bengio"}
    assert {bound.name for bound in methods() if bound.fits(once)} == alone
    assert {bound.name for bound in methods() if bound.fits(often)} == {*alone, "bouckaert-frank"}
    with pytest.raises(UnfitMethod, match="fold-t needs results of one model, not differences of two"):
        find("fold-t")(FoldDifferences(VALUES))


def test_one_model_needs_no_sentence_about_others() -> None:
    assert Assumption.SAME_FOLDS not in find("nadeau-bengio")(FoldValues(VALUES)).assumes
    assert Assumption.SAME_FOLDS in find("nadeau-bengio")(FoldDifferences(VALUES)).assumes


@pytest.mark.parametrize("method", ["fold-t", "fold-z", "nadeau-bengio"])
def test_the_mirrored_results_have_mirrored_limits(method: str) -> None:
    here, there = find(method)(FoldValues(VALUES)), find(method)(FoldValues(1 - VALUES))
    assert (here.lower, here.upper) == pytest.approx((1 - there.upper, 1 - there.lower), abs=1e-14)
    turned = FoldValues(VALUES, low=-0.3, high=0.7).mirror()
    assert turned.values == pytest.approx(0.4 - VALUES)
    assert turned.offset == -FoldValues(VALUES, low=-0.3, high=0.7).offset
    assert turned.mirror().offsets.tolist() == FoldValues(VALUES, low=-0.3, high=0.7).offsets.tolist()


def test_without_spread_nothing_is_said_and_an_array_is_its_elements() -> None:
    for method in ("fold-t", "fold-z"):
        claim = find(method)(FoldValues([0.2, 0.2, 0.2]))
        assert (claim.lower, claim.upper) == (0.0, 1.0)
        together = find(method)(FoldValues(VALUES[:, np.newaxis]))
        alone = [find(method)(FoldValues(row)).upper for row in VALUES]
        assert together.upper.tolist() == pytest.approx(alone, rel=1e-13)


def test_what_is_no_evidence_is_refused() -> None:
    for wrong, said in (
        (lambda: FoldValues([0.5, 1.5]), r"Results of folds should lie in \[0, 1\]; give their low= and high="),
        (lambda: FoldValues([]), "Results of folds need at least one fold"),
        (lambda: FoldValues([0.5], low=1, high=0), "low < high"),
        (lambda: Nested([[1, 2]], [[[0, 1], [1, 0]]], 5), "three folds or more"),
        (lambda: Nested([[1, 2, 3]], [[0, 1, 1]], 5), "inner of shape"),
        (lambda: Nested([[1, 2, 3]], np.zeros((1, 3, 3)), [5, 5]), "matching shapes"),
        (lambda: Nested([[1, 2, 3]], np.zeros((1, 3, 3)), 5, low=1, high=1), "low < high"),
        (lambda: Nested.from_pairs([[1, 2, 3]], np.zeros((1, 4, 2)), 5), "3 folds make 3 pairs"),
    ):
        with pytest.raises(InvalidEvidence, match=said):
            wrong()
