"""Whoever calls a verb from Python is told of keywords that it takes, and of no option of the command line."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from tests.names import COMMAND, KEYWORD, OPTION, keywords, keywords_of

TRUTH, PREDICTED = ["yes", "no"] * 12, ["yes", "no", "yes", "yes"] * 6
SCORES = [0.9, 0.1, 0.4, 0.6] * 6
MODELS = {"a": PREDICTED, "b": TRUTH[:12] + PREDICTED[12:]}
X, Y = np.arange(48.0).reshape(24, 2) % 7, np.array(TRUTH)
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (hf.assess, (TRUTH, PREDICTED), {}),
    (hf.assess, (TRUTH, PREDICTED, SCORES), {"positive": "yes"}),
    (hf.assess, (TRUTH, PREDICTED), {"clusters": [i // 3 for i in range(24)]}),
    (hf.assess, (TRUTH, ["a", "b", "c", None] * 6), {}),
    (hf.gate, (TRUTH, PREDICTED), {"at_most": 0.3}),
    (hf.gate, (TRUTH, PREDICTED), {}),
    (hf.compare, (TRUTH, MODELS), {}),
    (hf.compare_datasets, ({"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 5.0]},), {}),
    (hf.threshold, (TRUTH, SCORES), {"positive": "yes"}),
    (hf.panel, (TRUTH, MODELS), {}),
    (hf.committee, (TRUTH, MODELS), {}),
    (hf.bound, (), {"errors": 1, "n": 9}),
    (hf.bound, (hf.Losses([0.1, 0.2]),), {}),
    (hf.plan, (), {"at_most": 0.1}),
    (hf.plan, (), {}),
    (hf.monitor, (), {}),
    (hf.sequential, (), {}),
    (hf.verify, ("wilson",), {"n": 5}),
]
VALUES: tuple[Any, ...] = (-1, 3, "nothing", "wrong", [], {"a": 1})
MADE = [hf.Counts, hf.Losses, hf.Scores, hf.Contingency, hf.Costs, hf.Monitor, hf.Duel, hf.read, hf.read_models]


def refusals(verb: Callable[..., Any], given: tuple[Any, ...], stated: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What each wrong value of each keyword is refused with."""
    for name in ["", *inspect.signature(verb).parameters]:
        for value in VALUES if name else (None,):
            try:
                verb(*given, **{**stated, **({name: value} if name else {})})
            except hf.HoldfastError as error:
                yield f"{name}={value!r}", str(error)
            except Exception:  # what is no message of ours is for others
                continue


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("verb", "given", "stated"), CALLS, ids=[f"{verb.__name__}-{i}" for i, (verb, *_) in enumerate(CALLS)]
)
def test_every_name_is_one_of_the_verb(
    verb: Callable[..., Any], given: tuple[Any, ...], stated: dict[str, Any]
) -> None:
    taken = keywords_of(verb).union(*map(keywords_of, MADE)) | set(stated)
    wrong = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call, message in refusals(verb, given, stated):
            names = OPTION.findall(message) + [f"holdfast {name}" for name, _ in COMMAND.findall(message)]
            names += [f"{name}=" for name in KEYWORD.findall(message) if name in keywords() and name not in taken]
            wrong |= {f"{name}: {message}": call for name in names}
    assert not wrong, "\n" + "\n".join(f"hf.{verb.__name__}({call})\n    {name}" for name, call in wrong.items())
