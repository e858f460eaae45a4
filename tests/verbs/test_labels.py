"""Labels that never match, in every verb that takes arrays or frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.displays import ConfusionDisplay
from holdfast.testing import assert_at_most

TRUTH, SAID = ["yes", "no"] * 10, ["1", "0"] * 10
LABELS = ["no", "yes", "0", "1"]
BOTH = {"a": SAID, "b": SAID[::-1]}
FRAME = pl.DataFrame({"truth": TRUTH, "predicted": SAID})
SCORES = [i / 20 for i in range(20)]

CALLS: dict[str, Callable[..., Any]] = {
    "assess": lambda **how: hf.assess(TRUTH, SAID, **how),
    "assess groups": lambda **how: hf.assess(TRUTH, SAID, groups={"g": [1, 2] * 10}, **how),
    "assess clusters": lambda **how: hf.assess(TRUTH, SAID, clusters=[*range(10)] * 2, **how),
    "assess a frame": lambda **how: hf.assess(hf.read(FRAME), **how),
    "assess a frame elsewhere": lambda **how: hf.assess(hf.read(FRAME.lazy(), missing="drop"), **how),
    "gate": lambda **how: hf.gate(TRUTH, SAID, at_most=0.1, **how),
    "gate groups": lambda **how: hf.gate(TRUTH, SAID, at_most=0.1, groups={"g": [1, 2] * 10}, **how),
    "a test": lambda **how: assert_at_most(TRUTH, SAID, limit=1.0, undecided="pass", **how),
    "threshold": lambda **how: hf.threshold(
        hf.read(FRAME.with_columns(score=pl.Series(SCORES))), positive="yes", specificity_at_least=0.5, **how
    ),
    "compare": lambda **how: hf.compare(TRUTH, BOTH, only="accuracy", **how),
    "panel": lambda **how: hf.panel(TRUTH, BOTH, **how),
    "committee": lambda **how: hf.committee(TRUTH, BOTH, **how),
    "a panel": lambda **how: hf.Panel(BOTH, TRUTH, **how),
    "a display": lambda **how: ConfusionDisplay.of(TRUTH, SAID, **how),
}


@pytest.mark.parametrize("verb", CALLS)
def test_they_are_refused_unless_declared(verb: str) -> None:
    with pytest.raises(hf.HoldfastError, match=r"label of the truth: truth holds 'no' and 'yes', .* '0' and '1'\."):
        CALLS[verb]()
    assert CALLS[verb](labels=LABELS) is not None


def test_probabilities_in_place_of_predictions() -> None:
    p = np.random.default_rng(1).random(500)
    with pytest.raises(hf.HoldfastError, match=r"these look like scores: give them to assess as score="):
        hf.assess([0, 1] * 250, p)


def test_a_model_that_never_matches_is_in_the_report() -> None:
    for verb in (hf.compare, hf.panel, hf.committee):
        notes = verb(TRUTH, {"a": SAID, "b": TRUTH}).details["notes"]
        assert sum("'a' never gives a label of the truth" in note for note in notes) == 1


def test_right_or_wrong_in_arrays() -> None:
    for answers in (["C", "I"] * 5, ["1.0", "0.0"] * 5, np.array([1.0, 0.0] * 5), ["correct", "incorrect"] * 5):
        assert hf.assess(correct=answers)["error-rate"].estimate == 0.5
        assert hf.compare(correct={"a": answers, "b": [True] * 10})["error-rate-difference"].estimate == 0.5
