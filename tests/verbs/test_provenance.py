"""The call in a report's provenance names every option that may change what the report says."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import find, find_measure
from holdfast.predictions.design import COLUMNS, DesignKeywords
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


@pytest.mark.crossing(3)
@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_told(name: str) -> None:
    assert command(**{name: OPTIONS[name]}) == f"holdfast.assess({name}={OPTIONS[name]!r})"


def test_options_come_in_the_order_of_the_verb_and_can_be_read_back() -> None:
    told = command(seed=4, operating_point=0.3, bins=3)
    assert told == "holdfast.assess(bins=3, operating_point=0.3, seed=4)"
    assert eval(told, {"holdfast": type("", (), {"assess": dict})}) == {"bins": 3, "operating_point": 0.3, "seed": 4}


def test_whatever_is_no_column_of_rows_is_told() -> None:
    names = [name for name in signature(assess).parameters if name not in (*ROWS, "design", "drawn")]
    facts = [name for name in DesignKeywords.__annotations__ if name not in COLUMNS]
    given = dict.fromkeys([*names, *facts], "x")
    told = called(assess, {**dict.fromkeys(names, "x"), "drawn": dict.fromkeys(facts, "x")}, without=ROWS)
    assert eval(told, {"holdfast": type("", (), {"assess": dict})}) == given
    columns = {"truth", "predicted", "score", "correct", "value", "margin", "groups", "ids"}
    assert set(ROWS) == columns | {"sample_weight"}
    assert set(COLUMNS) == {"clusters", "weights", "inclusion", "strata"}


def test_a_design_is_told_by_what_it_says_of_all_rows() -> None:
    rows, weights = np.arange(40) // 2, np.ones(40)
    designs: list[dict[str, Any]] = [
        {"design": hf.Design(clusters=rows, max_cluster=2, weights=weights, max_weight=1.5)},
        {"design": hf.Design(clusters=rows, max_cluster=2), "weights": weights, "max_weight": 1.5},
        {"clusters": rows, "max_cluster": 2, "sample_weight": weights, "max_weight": 1.5},
    ]
    for design in designs:
        told = command(**design, only="error-rate")
        assert told == "holdfast.assess(max_cluster=2, max_weight=1.5, only='error-rate')"
    strata = command(strata=np.arange(40) % 2, shares={0: 0.25, 1: 0.75}, only="error-rate")
    assert strata == "holdfast.assess(shares={0: 0.25, 1: 0.75}, only='error-rate')"


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


def test_whoever_ran_a_command_says_which() -> None:
    truth = [0, 1, 1, 0] * 10
    report = hf.assess(truth, truth, seed=3)
    named = report.with_command("mine")
    assert (named.command, report.command) == ("mine", "holdfast.assess(seed=3)")
    assert [*named.provenance] == [*report.provenance] == ["version", "fingerprint", "rows", "command", "seed"]
    assert named.lines[0].claim is report.lines[0].claim
    decision = hf.gate(truth, truth, at_most=0.5, looks=3).with_command("mine")
    assert [*decision.provenance][-2:] == ["command", "looks"]
    assert decision.command == "mine"


def test_a_decision_within_a_report_knows_the_same_command() -> None:
    answers = {"a": [1, 0] * 20, "b": [1, 1] * 20}
    report = hf.compare([1, 0] * 20, answers, require="better")
    assert report.decision.command == report.command == "holdfast.compare(require='better')"
    assert report.with_command("mine").decision.command == "mine"


def test_a_verb_that_calls_another_one_leaves_its_call() -> None:
    folds = hf.Folds.from_errors({"a": [7, 8, 3], "b": [6, 6, 5]}, n_test=30, n_train=120)
    assert hf.compare(folds, margin=0.1).command == "holdfast.compare_folds(margin=0.1)"


@pytest.mark.parametrize(
    "verb", ["assess", "compare", "compare_datasets", "panel", "committee", "threshold", "decompose"]
)
def test_a_command_is_no_option_of_a_verb(verb: str) -> None:
    public = getattr(hf, verb)
    assert "command" not in signature(public).parameters
    with pytest.raises(TypeError, match="unexpected keyword argument 'command'"):
        public(command="mine")


def test_recording_keeps_the_signature_and_the_words() -> None:
    assert [*signature(hf.assess).parameters][:3] == ["truth", "predicted", "score"]
    assert hf.assess.__name__ == "assess"
    assert str(hf.assess.__doc__).startswith("What the predictions let you claim")
