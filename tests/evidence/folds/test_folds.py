"""The table of fold results, and the differences it narrows to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, Folds, RepeatedDifferences
from tests.snapshots import matches, messages

ROWS = np.random.default_rng(7).uniform(0.1, 0.4, (3, 4, 5))


def test_the_shape_says_the_scheme_and_the_kind_of_difference() -> None:
    draw = np.random.default_rng(1).uniform
    kinds = {
        ("kfold", FoldDifferences): Folds({"a": draw(size=5), "b": draw(size=5)}),
        ("repeated", RepeatedDifferences): Folds({"a": draw(size=(3, 5)), "b": draw(size=(3, 5))}),
        ("5x2", FiveByTwo): Folds({"a": draw(size=(5, 2)), "b": draw(size=(5, 2))}),
        ("resampled", FoldDifferences): Folds(
            {"a": draw(size=9), "b": draw(size=9)}, n_train=70, n_test=30, scheme="resampled"
        ),
    }
    for (scheme, kind), folds in kinds.items():
        assert folds.scheme == scheme
        assert type(folds.difference("a", "b")) is kind


def test_a_difference_is_first_minus_second() -> None:
    folds = Folds({"a": [0.2, 0.4], "b": [0.1, 0.1]})
    difference = folds.difference("a", "b")
    assert difference.values.tolist() == [[0.1, pytest.approx(0.3)]]
    assert difference.units(difference.mean) == pytest.approx(0.2, abs=1e-15)
    assert difference.mean == pytest.approx(0.6)
    assert difference.complement == pytest.approx(0.4)


def test_all_pairs_at_once_are_what_each_pair_is() -> None:
    folds = Folds(dict(zip("abc", ROWS, strict=True)))
    together = folds.differences()
    assert folds.pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    for place, pair in enumerate(folds.pairs):
        alone = folds.difference(*pair)
        assert np.array_equal(together.values[place], alone.values)
        assert together.mean[place] == alone.mean
        assert together.variance[place] == alone.variance


def test_swapping_mirrors_every_digit() -> None:
    folds = Folds(dict(zip("abc", ROWS, strict=True)), high=0.7)
    here, there = folds.difference("a", "b"), folds.difference("b", "a")
    assert np.array_equal(here.values, -there.values)
    assert (here.mean, here.complement) == (there.complement, there.mean)
    assert here.mean + here.complement == 1.0
    assert here.units(here.mean) == -there.units(there.mean)
    assert np.array_equal(here.mirror().values, there.values)
    both = here.both_ends()
    assert both.mean.tolist() == [here.mean, there.mean]


def test_the_variance_has_divisor_n_minus_1_and_is_undefined_without_spread() -> None:
    spread = FoldDifferences([0.1, 0.3, -0.2, 0.05])
    assert 4 * spread.variance == pytest.approx(np.var([0.1, 0.3, -0.2, 0.05], ddof=1), rel=1e-12)
    # 0.3 - 0.2 and 0.4 - 0.3 are the same difference, though not the same float.
    constant = Folds({"a": [0.3, 0.4, 0.5], "b": [0.2, 0.3, 0.4]}).difference("a", "b")
    assert len(set(constant.values.ravel().tolist())) > 1
    assert np.isnan(constant.variance)
    assert not constant.same
    assert FoldDifferences([0.0, 0.0]).same


def test_the_ratio_is_that_of_the_sizes_or_of_the_scheme() -> None:
    assert FoldDifferences([0.1, 0.2, 0.3], n_train=120, n_test=30).ratio == 0.25
    assert FoldDifferences(np.zeros(10)).ratio == pytest.approx(1 / 9)
    assert FiveByTwo(np.zeros((5, 2))).ratio == 1.0
    uneven = FoldDifferences([0.1, 0.2, 0.3], n_train=[7, 7, 6], n_test=[3, 3, 4])
    assert uneven.ratio == 0.5  # as three folds of ten examples have it, however uneven


def test_errors_become_rates() -> None:
    folds = Folds.from_errors({"a": [1, 2], "b": [0, 4]}, n_test=[10, 20], n_train=20)
    assert folds.values.tolist() == [[[0.1, 0.1]], [[0.0, 0.2]]]
    assert folds.examples == 30
    with pytest.raises(InvalidEvidence, match="errors <= n_test"):
        Folds.from_errors({"a": [1, 21]}, n_test=[10, 20])


def test_the_number_of_examples_is_known_where_sizes_are() -> None:
    assert Folds({"a": [0.1, 0.2]}).examples is None
    assert Folds({"a": [0.1, 0.2]}, n_test=15).examples == 30
    assert Folds({"a": [0.1, 0.2]}, n_train=70, n_test=30, scheme="resampled").examples == 100
    assert Folds({"a": [0.1, 0.2]}, n_train=100, n_test=37, scheme="bootstrap").examples == 100


def test_the_fingerprint_knows_models_and_values() -> None:
    one = Folds({"a": [0.1, 0.2], "b": [0.2, 0.3]})
    assert one.fingerprint == Folds({"a": [0.1, 0.2], "b": [0.2, 0.3]}).fingerprint
    assert one.fingerprint != Folds({"a": [0.1, 0.2], "c": [0.2, 0.3]}).fingerprint
    assert one.fingerprint != Folds({"a": [0.1, 0.2], "b": [0.2, 0.4]}).fingerprint


def test_what_cannot_be_folds_is_refused() -> None:
    two = {"a": [0.1, 0.2], "b": [0.2, 0.3]}
    junk: Any = "mean"
    matches(
        "errors_of_folds",
        messages(
            {
                "no models": lambda: Folds({}),
                "no mapping": lambda: Folds(junk),
                "unequal folds": lambda: Folds({"a": [0.1, 0.2], "b": [0.1]}),
                "a result out of range": lambda: Folds({"a": [0.1, 1.2]}),
                "a result that is none": lambda: Folds({"a": [0.1, float("nan")]}),
                "a range upside down": lambda: Folds(two, low=1, high=0),
                "too many axes": lambda: Folds({"a": np.zeros((2, 2, 2))}),
                "one fold": lambda: Folds({"a": [0.1], "b": [0.2]}),
                "two folds called 5x2": lambda: Folds(two, scheme="5x2"),
                "two folds called repeated": lambda: Folds(two, scheme="repeated"),
                "a scheme nobody knows": lambda: Folds(two, scheme=junk),
                "resampled without sizes": lambda: Folds(two, scheme="resampled", n_test=30),
                "sizes of another shape": lambda: Folds(two, n_test=[1, 2, 3]),
                "an empty test set": lambda: Folds(two, n_test=[0, 3]),
                "better sideways": lambda: Folds(two, better=junk),
                "an unknown model": lambda: Folds(two).difference("a", "z"),
                "differences beyond their width": lambda: FoldDifferences([0.5, 2.0]),
                "no differences": lambda: FoldDifferences([]),
                "five by three": lambda: FiveByTwo(np.zeros((5, 3))),
            }
        ),
    )


def test_every_refusal_is_of_the_house() -> None:
    with pytest.raises(HoldfastError):
        Folds({"a": ["x", "y"]})
    with pytest.raises(UnknownName, match="did you mean 'alpha'"):
        Folds({"alpha": [0.1, 0.2]}).difference("alpah", "alpha")
