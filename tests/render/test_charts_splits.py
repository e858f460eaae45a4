"""The pictures of a cross-validation: each model, or how often each rate, the target beside them; fit for a phone."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import holdfast as hf
from holdfast.render.charts import charts_of
from holdfast.render.charts.training import MOST_SINGLE
from holdfast.render.page import page_html
from holdfast.report import Report


@cache
def crossed(**options: Any) -> Report:
    draw = np.random.default_rng(0)
    labels = draw.integers(2, size=60)
    return hf.cross_assess(GaussianNB(), draw.normal(labels[:, None], 1.0, size=(60, 2)), labels, **options).report


def drawn(report: Report) -> dict[str, Any]:
    return dict(charts_of(report)["splits"].to_dict(validate=False))


def data_of(chart: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return list(chart["datasets"].values())


def test_a_row_a_model_and_one_for_the_target() -> None:
    report = crossed(folds=5)
    (rows,) = data_of(drawn(report))
    told = report.details["splits"]
    assert [row["numbers"] for row in rows[:-1]] == [f"{each['errors']} of {each['n_test']}" for each in told]
    claim = report["error-rate"]
    assert (rows[-1]["lower"], rows[-1]["upper"], rows[-1]["estimate"]) == (claim.lower, claim.upper, claim.estimate)
    assert rows[-1]["row"] == "the average of these models"


def test_rows_have_what_a_phone_stacks() -> None:
    """The script of the page looks for an axis of names, and for a text of numbers in rows that have both."""
    layers = drawn(crossed(folds=5))["layer"]
    assert any(layer["encoding"].get("y", {}).get("axis") for layer in layers)
    assert [layer for layer in layers if layer["encoding"].get("text", {}).get("field") == "numbers"]
    (rows,) = data_of(drawn(crossed(folds=5)))
    assert all({"row", "numbers"} <= row.keys() for row in rows)


@pytest.mark.parametrize("options", [{"scheme": "bootstrap", "rounds": 40}, {"folds": 10, "repeats": 4}])
def test_of_many_models_none_is_lost_in_the_bars(options: dict[str, Any]) -> None:
    report = crossed(**options)
    told = report.details["splits"]
    assert len(told) > MOST_SINGLE
    bars = next(rows for rows in data_of(drawn(report)) if "models" in rows[0])
    assert sum(bar["models"] for bar in bars) == len(told)
    rates = sorted(each["errors"] / each["n_test"] for each in told)
    for bar in bars:
        assert sum(bar["rate"] - 1e-9 <= rate <= bar["end"] + 1e-9 for rate in rates) >= bar["models"]
    assert all(before["end"] <= after["rate"] + 1e-9 for before, after in pairwise(bars))


def test_bars_are_as_wide_as_an_error() -> None:
    bars = next(rows for rows in data_of(drawn(crossed(folds=10, repeats=4))) if "models" in rows[0])
    assert bars[-1]["end"] - bars[-1]["rate"] == pytest.approx(1 / 6)


def test_answers_alone_bear_no_picture_of_rates() -> None:
    assert "splits" not in charts_of(crossed(scheme="leave-one-out"))


@pytest.mark.parametrize(("side", "words"), [("upper", "at most"), ("lower", "at least")])
def test_one_limit_is_called_one(side: str, words: str) -> None:
    (rows,) = data_of(drawn(crossed(folds=5, side=side)))
    assert words in rows[-1]["numbers"]


def test_the_forest_has_each_measure_of_a_class_once_and_no_half_of_a_measure() -> None:
    report = crossed(folds=5)
    rows = next(iter(charts_of(report)["forest"].to_dict(validate=False)["datasets"].values()))
    of_class = [row["measure"] for row in rows if row["label"] != "all together"]
    assert of_class
    assert len(of_class) == len(set(of_class))
    assert {row["guarantee"] for row in rows if row["measure"] == "recall"} == {"holds at every sample size"}
    assert "log-loss" not in {row["measure"] for row in rows}  # one of its two intervals leaves the scale


def test_a_page_without_proof_says_so() -> None:
    assert "Nothing is proven here." in page_html(crossed(scheme="bootstrap", rounds=40))
    assert "Nothing is proven here." not in page_html(crossed(folds=5))
