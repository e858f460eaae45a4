"""Clusters in the order in which they were drawn: bets on them one by one then have a proof."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.bounds.betting import betting
from holdfast.bounds.clusters import cluster_betting
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses
from holdfast.evidence.draws import Ratio
from tests.needs import module

NAMES = ["z", "m", "a", "q", "c", "k", "b", "y"] * 5  # as clusters are called, in the order drawn: not the alphabet's
SIZES = [1 + i * 7 % 5 for i in range(40)]
ERRORS = [i * i % (size + 1) for i, size in enumerate(SIZES)]
OPTIONS: dict[str, Any] = {"max_cluster": 6, "method": "cluster-betting", "only": "error-rate"}


def frame() -> pl.DataFrame:
    """The rows of each cluster, of which those after the first are put off to the end."""
    rows = [
        (f"{name}{i}", "a", "b" if j < k else "a", j)
        for i, (name, size, k) in enumerate(zip(NAMES, SIZES, ERRORS, strict=True))
        for j in range(size)
    ]
    rows.sort(key=lambda row: row[3] > 0)
    return pl.DataFrame(rows, ["patient", "truth", "predicted", "place"], orient="row").drop("place")


def claimed(source: Any, **options: Any) -> hf.Claim:
    rows = hf.read(source, cluster="patient")
    return hf.assess(rows, **{**OPTIONS, "labels": "ab", **options})["error-rate"]


EXPECTED = cluster_betting(Ratio.of_counts(Counts(ERRORS, SIZES), most=6, order="drawn"))


def in_pandas(rows: pl.DataFrame) -> Any:
    return module("pandas").DataFrame(rows.to_dict(as_series=False))


def in_file(rows: pl.DataFrame) -> str:
    rows.write_csv("rows.csv")
    return "rows.csv"


@pytest.mark.parametrize("kept", [pl.DataFrame, pl.DataFrame.lazy, in_pandas, in_file])
def test_clusters_stand_in_the_order_of_their_first_rows(
    kept: Callable[[pl.DataFrame], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    claim = claimed(kept(frame()), order="drawn")
    assert (claim.lower, claim.upper) == (EXPECTED.lower, EXPECTED.upper)
    assert claim.guarantee == "FINITE"
    assert Assumption.DRAWN_ORDER in claim.assumes


def test_another_order_gives_other_limits_and_none_has_no_proof() -> None:
    assert claimed(frame().reverse(), order="drawn").upper != EXPECTED.upper
    shuffled = claimed(frame())
    assert (shuffled.guarantee, shuffled.upper != EXPECTED.upper) == ("HEURISTIC", True)


def test_right_or_wrong_and_single_classes_and_average_clusters_keep_it_too() -> None:
    data = frame()
    correct = hf.assess(correct=data["truth"] == data["predicted"], clusters=data["patient"], order="drawn", **OPTIONS)
    assert correct["error-rate"].upper == EXPECTED.upper
    found = hf.assess(hf.read(data, cluster="patient"), labels="ab", order="drawn", **{**OPTIONS, "only": "recall"})
    assert found["recall", "a"].lower == pytest.approx(1 - EXPECTED.upper)  # all rows are of this class
    average = claimed(data, order="drawn", max_cluster=None, method="betting")
    shares = Losses(np.array(ERRORS) / np.array(SIZES), order="drawn")
    assert (average.upper, average.guarantee) == (betting(shares).upper, "FINITE")


def test_what_needs_no_order_says_the_same_in_any() -> None:
    for options in ({"method": None}, {"method": None, "max_cluster": None}):
        drawn, plain = (claimed(frame(), order=order, **options) for order in ("drawn", None))
        assert (drawn.lower, drawn.upper, drawn.assumes) == (plain.lower, plain.upper, plain.assumes)


def test_a_gate_is_decided_by_bets_in_the_order_drawn_alone() -> None:
    rows, options = hf.read(frame(), cluster="patient"), {**OPTIONS, "labels": "ab"}
    del options["only"]
    plain, drawn = (hf.gate(rows, at_most=0.9, order=order, **options) for order in (None, "drawn"))
    assert (plain.exit_code, drawn.exit_code) == (3, 0)


def test_an_order_is_refused_of_rows_that_have_none() -> None:
    duckdb = module("duckdb")
    held = frame()
    with pytest.raises(HoldfastError, match='held by an engine that keeps no order, so that order="drawn" says'):
        claimed(duckdb.sql("select * from held"), order="drawn")
    with pytest.raises(HoldfastError, match="order= speaks of clusters: give clusters= too"):
        hf.assess(held["truth"], held["predicted"], order="drawn")
    with pytest.raises(HoldfastError, match="order"):
        claimed(held, order="random")
