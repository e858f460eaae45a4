"""Every number that a report's JSON says of a line is in its frame, whichever verb made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

import holdfast as hf
from tests.results import DECISIONS, REPORTS, result_of

ASIDE = ("assumes",)  # sentences, which are the same for all lines of a method
WORDS = ("null", "source", "test")  # of a test, beside its numbers


def numbers(value: Any, name: str = "") -> Iterator[float]:
    """All numbers within, whatever holds them."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from numbers(inner, key)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from numbers(inner, name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def held(rows: pl.DataFrame) -> set[float]:
    """All numbers of some rows."""
    return {float(value) for row in rows.rows() for value in row if isinstance(value, int | float)}


@pytest.mark.parametrize("name", REPORTS)
def test_every_value_of_a_claim_is_in_its_row(name: str) -> None:
    report = result_of(name)
    frame, claims = report.to_frame(), report.to_dict()["claims"]
    assert frame.height == len(claims) == report.size
    for row, claim in zip(frame.iter_rows(named=True), claims, strict=True):
        assert {key: row[key] for key in claim if key not in ASIDE} == {
            key: value for key, value in claim.items() if key not in ASIDE
        }


@pytest.mark.parametrize("name", REPORTS)
def test_every_number_about_a_pair_or_a_model_is_in_its_rows(name: str) -> None:
    report = result_of(name)
    frame, told = report.to_frame(), report.to_dict()
    of_pairs = [*told.get("pairs", ()), *told.get("practical", ())]
    of_pairs += [test for test in told.get("tests", ()) if "first" in test]
    for pair in of_pairs:
        rows = frame.filter((pl.col("model") == pair["first"]) & (pl.col("against") == pair["second"]))
        assert rows.height, pair
        assert set(numbers(pair)) <= held(rows)
        for key in ("outcome", "verdict"):
            assert key not in pair or pair[key] in rows[key].to_list()
    for values in (told.get("ranks", {}), told.get("folds", {}).get("means", {})):
        for model, value in values.items():
            assert value in held(frame.filter((pl.col("model") == model) | (pl.col("against") == model)))
    if "may_be_best" in told and "may_be_best" in frame.columns:
        assert set(frame.filter(pl.col("may_be_best"))["model"]) <= set(told["may_be_best"])


def test_every_number_about_a_bin_or_a_share_is_in_its_row() -> None:
    report = result_of("assess")
    frame = report.to_frame()
    for each in report.details["calibration"]["bins"]:
        (row,) = frame.filter(pl.col("label") == each["bin"]).iter_rows(named=True)
        assert (row["n"], row["mean_score"], row["positives"]) == (each["n"], each["mean_score"], each["positives"])
    shares = result_of("learning-curve")
    for row, point in zip(
        shares.to_frame().iter_rows(named=True), shares.details["learning_curve"]["points"], strict=True
    ):
        assert {name: row[name] for name in point} == point


def test_a_sequence_tells_its_evidence() -> None:
    report = result_of("duel")
    assert set(numbers(report.details["sequential"])) <= held(report.to_frame())


@pytest.mark.parametrize("name", DECISIONS)
def test_every_number_of_a_decision_is_in_its_frame(name: str) -> None:
    decision = result_of(name)
    frame = decision.to_frame()
    rows = iter(frame.iter_rows(named=True))
    for leaf in decision.leaves():
        for claim, decides in ((leaf.claim, True), (leaf.other, False)):
            row = next(rows)
            plain = claim.to_dict()
            assert {key: row[key] for key in plain if key not in ASIDE} == {
                key: value for key, value in plain.items() if key not in ASIDE
            }
            assert (row["decides"], row["answer"], row["condition"]) == (decides, str(leaf.answer), leaf.condition)
            told = (leaf.label, leaf.group, leaf.at_most, leaf.at_least, leaf.needed)
            assert (row["label"], row["group"], row["at_most"], row["at_least"], row["needed"]) == told
    assert next(rows, None) is None


def test_types_do_not_hang_on_the_values() -> None:
    empty = hf.Report.of([]).to_frame()
    full = result_of("assess-passes").to_frame()
    assert empty.schema == full.schema
    assert full.schema["n"] == pl.Int64
    assert result_of("gate-counts").to_frame().schema["needed"] == pl.Int64


@pytest.mark.parametrize("name", ["compare", "compare-folds", "compare-datasets", "compare-clusters", "duel"])
def test_a_comparison_keeps_the_second_model_the_p_value_and_the_verdict(name: str) -> None:
    frame = result_of(name).to_frame().filter(pl.col("against").is_not_null())
    decided = frame.filter(pl.col("outcome").is_not_null())
    assert decided.height
    assert decided.select("p", "adjusted_p").null_count().row(0) == (0, 0)
    assert set(decided["measure"]) == {frame["measure"][0]}  # p-values are of no other measure
