"""The call in a report's provenance names every option that may change what the report says."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import find, find_measure
from holdfast.verbs.assess.assess import ROWS, assess
from holdfast.verbs.provenance import LONGEST, called

OPTIONS: dict[str, Any] = {
    "bins": 3,
    "operating_point": 0.3,
    "simultaneous": True,
    "positive": 1,
    "labels": [1, 0],
    "side": "upper",
    "method": ["wilson"],
    "only": ["error-rate", "auc"],
    "confidence": 0.9,
    "clip": 1e-3,
    "classes": [0, 1],
    "resamples": 100,
    "seed": 4,
    "missing": "wrong",
}


def command(**options: Any) -> str:
    truth = [0, 1, 1, 0] * 10
    return str(hf.assess(truth, truth, np.linspace(0, 1, 40), **options).provenance["command"])


def test_without_options_there_is_nothing_to_tell() -> None:
    assert command() == command(side="both", seed=0, positive=None, only=None) == "holdfast.assess()"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_told(name: str) -> None:
    assert command(**{name: OPTIONS[name]}) == f"holdfast.assess({name}={OPTIONS[name]!r})"


def test_options_come_in_the_order_of_the_verb_and_can_be_read_back() -> None:
    told = command(seed=4, operating_point=0.3, bins=3)
    assert told == "holdfast.assess(bins=3, operating_point=0.3, seed=4)"
    assert eval(told, {"holdfast": type("", (), {"assess": dict})}) == {"bins": 3, "operating_point": 0.3, "seed": 4}


def test_whatever_is_no_column_of_rows_is_told() -> None:
    names = [name for name in signature(assess).parameters if name not in ROWS]
    told = called(assess, dict.fromkeys(names, "x"), without=ROWS)
    assert told == f"holdfast.assess({', '.join(f'{name}={chr(39)}x{chr(39)}' for name in names)})"
    columns = {"truth", "predicted", "score", "correct", "margin", "groups", "clusters", "ids"}
    assert set(ROWS) == columns | {"sample_weight", "command"}


def test_arrays_entries_of_the_catalog_and_costs_are_written_out() -> None:
    assert command(bins=np.array([0.0, 0.5, 1.0])) == "holdfast.assess(bins=[0.0, 0.5, 1.0])"
    assert command(method=find("wilson"), only=(find_measure("error-rate"),)) == (
        "holdfast.assess(method='wilson', only=['error-rate'])"
    )
    assert command(operating_point=np.float64(0.25)) == "holdfast.assess(operating_point=0.25)"
    assert command(costs=hf.Costs([[0, 1], [5, 0]], [0, 1], rows="actual")) == (
        "holdfast.assess(costs={'labels': ['0', '1'], 'rows': 'predicted', 'matrix': [[0.0, 5.0], [1.0, 0.0]]})"
    )
    assert command(prevalence={1: np.float64(0.2)}, sampling="by-class") == (
        "holdfast.assess(sampling='by-class', prevalence={1: 0.2})"
    )


def test_what_is_very_long_is_cut() -> None:
    told = called(assess, {"labels": list(range(1000))}, without=())
    assert told.endswith("...)")
    assert len(told) == LONGEST + len("holdfast.assess(labels=)")


def test_a_command_that_was_given_is_kept() -> None:
    assert command(command="mine", seed=3) == "mine"
