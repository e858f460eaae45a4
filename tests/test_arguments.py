"""What is of a wrong kind is refused before any work, in words that say which kind was expected."""

from __future__ import annotations

import inspect
import pickle
from decimal import Decimal
from typing import Any, get_type_hints

import numpy as np
import pytest

import holdfast as hf
from holdfast.arguments import check

PUBLIC: Any = hf  # whose signatures a type checker would hold against these calls
TRUTH, PREDICTED = ["yes", "no"] * 12, ["yes", "no", "yes", "yes"] * 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": 3}, "by= of hf.assess takes text or a list of texts or lists; got 3."),
        ({"only": 3}, "only= of hf.assess takes text or hf.Measure or a list of texts or hf.Measure; got 3."),
        ({"labels": 3}, "labels= of hf.assess takes a list; got 3."),
        ({"labels": [["yes"], ["no"]]}, "labels= of hf.assess takes a list; got [['yes'], ['no']]."),
        ({"seed": "x"}, "seed= of hf.assess takes a whole number from 0 on; got 'x'."),
        ({"seed": -1}, "seed= of hf.assess takes a whole number from 0 on; got -1."),
        ({"resamples": -1}, "resamples= of hf.assess takes a whole number from 1 on; got -1."),
        ({"resamples": 2.5}, "resamples= of hf.assess takes a whole number from 1 on; got 2.5."),
        ({"alpha": np.arange(3)}, "alpha= of hf.assess takes one number; got array([0, 1, 2])."),
        (
            {"clip": 10**400},
            "clip= of hf.assess takes one number; got 1" + "0" * 56 + "....",
        ),
        ({"simultaneous": "no"}, "simultaneous= of hf.assess takes True or False; got 'no'."),
        ({"side": 3}, "side= of hf.assess takes 'upper' or 'lower' or 'both'; got 3."),
        ({"positive": ["yes"]}, "positive= of hf.assess takes one label; got ['yes']."),
        (
            {"method": {"bca"}},
            "method= of hf.assess takes text or hf.Bound or a list of texts or hf.Bound; got {'bca'}.",
        ),
        ({"command": "x\x1b", "clip": "\x1b"}, r"clip= of hf.assess takes one number; got '\x1b'."),
    ],
)
def test_what_was_expected_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(hf.HoldfastError) as refused:
        hf.assess(TRUTH, PREDICTED, **options)
    assert str(refused.value) == message


def test_other_verbs_say_so_too() -> None:
    models = {"a": PREDICTED, "b": TRUTH}
    for call, message in {
        lambda: PUBLIC.compare(
            TRUTH, models, share=3
        ): "share= of hf.compare takes numbers by name, as {'a': ...}; got 3.",
        lambda: PUBLIC.plan(at_most=0.1, expect=[0.1, 0.2]): "expect= of hf.plan takes one number; got [0.1, 0.2].",
        lambda: PUBLIC.roc([0.1, 0.2]): "scores= of hf.roc takes hf.Scores(values, positive); got [0.1, 0.2].",
        lambda: PUBLIC.read_costs(3): "path= of hf.read_costs takes text or a path; got 3.",
    }.items():
        with pytest.raises(hf.HoldfastError) as refused:
            call()
        assert str(refused.value) == message


def test_what_is_of_the_kind_passes_whoever_made_it() -> None:
    for kind, values in {
        int: (3, np.int64(3), np.array(3), True),
        float: (3, 0.5, np.float32(0.5), np.array(0.5), Decimal("0.5")),
        str | list[str]: ("a", ["a"]),
    }.items():
        for value in values:
            check("hf.assess", "x", value, kind)
    PUBLIC.assess(
        TRUTH, PREDICTED, labels=["yes", "no"], only=np.array(["recall"]), method=hf.methods()[0], seed=np.int8(3)
    )
    hf.assess(TRUTH, PREDICTED, groups={"site": TRUTH}, by="site", only=hf.measures()[0])


def test_every_signature_can_be_read_and_is_that_of_the_verb() -> None:
    for name in hf.__all__:
        if inspect.isfunction(public := getattr(hf, name)):
            assert get_type_hints(public, include_extras=True), name
            assert pickle.loads(pickle.dumps(public)) is public


def test_what_python_knows_better_is_left_to_it() -> None:
    with pytest.raises(TypeError, match=r"assess\(\) got an unexpected keyword argument 'nothing'"):
        PUBLIC.assess(TRUTH, PREDICTED, nothing=3)
