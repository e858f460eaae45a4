"""Columns that say how rows were drawn: found only where named, and the same digits from whatever holds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.claims import Claim
from holdfast.errors import HoldfastError
from holdfast.sources.columns import AnswerColumns
from holdfast.sources.table import Header
from tests.needs import module


def frame(whole: bool = True) -> pl.DataFrame:
    """Rows in clusters, with weights that are whole numbers or not."""
    random = np.random.default_rng(7)
    score = np.round(random.random(200), 2)
    patient = np.sort(random.integers(0, 50, 200))
    return pl.DataFrame(
        {
            "truth": np.where(random.random(200) < score, "ill", "well"),
            "predicted": np.where(score >= 0.5, "ill", "well"),
            "score": score,
            "patient": patient,
            "region": np.where(patient % 2 == 0, "n", "s"),
            "weight": random.integers(1, 4, 200) * (1.0 if whole else 0.37),
            "chance": 1 / random.integers(1, 4, 200),
            "marks": random.choice([0.0, 0.5, 1.0], 200),
            "country": random.choice(["DE", "FR"], 200),
        }
    )


def pandas(rows: pl.DataFrame, folder: Path) -> Any:
    for name in ("pandas", "pyarrow"):
        module(name)
    return rows.to_pandas()


def lazy(rows: pl.DataFrame, folder: Path) -> Any:
    return rows.lazy()


def arrow(rows: pl.DataFrame, folder: Path) -> Any:
    module("pyarrow")
    return rows.to_arrow()


def duckdb(rows: pl.DataFrame, folder: Path) -> Any:
    module("pyarrow")
    return module("duckdb").connect().from_arrow(rows.to_arrow())


def parquet(rows: pl.DataFrame, folder: Path) -> Any:
    rows.write_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


def text(rows: pl.DataFrame, folder: Path) -> Any:
    rows.write_csv(folder / "rows.csv")
    return folder / "rows.csv"


def shuffled(rows: pl.DataFrame, folder: Path) -> Any:
    return rows.sample(fraction=1.0, shuffle=True, seed=1)


Holder = Callable[[pl.DataFrame, Path], Any]
HOLDERS: list[Holder] = [pandas, lazy, arrow, duckdb, parquet, text, shuffled]
Stated = tuple[dict[str, Any], dict[str, Any]]  # columns by their names, and what else is stated
DESIGNS: dict[str, Stated] = {
    "clusters": ({"cluster": "patient"}, {"max_cluster": 12}),
    "weights": ({"weight": "weight"}, {"max_weight": 3}),
    "chances": ({"inclusion": "chance"}, {"max_weight": 3}),
    "strata": ({"strata": "region"}, {"shares": {"n": 0.25, "s": 0.75}}),
    "all": (
        {"cluster": "patient", "weight": "weight", "strata": "region"},
        {"max_cluster": 12, "max_weight": 3, "shares": {"n": 0.25, "s": 0.75}},
    ),
}


EVERY = ("error-rate", "recall", "macro-f1", "mcc", "auc", "average-precision", "brier")  # a measure of each kind


def told(rows: Any, columns: dict[str, Any], stated: dict[str, Any]) -> hf.Report:
    return hf.assess(hf.read(rows, **columns, by=("country",)), positive="ill", only=EVERY, **stated)


def differing(one: hf.Report, other: hf.Report, within: float) -> list[str]:
    """The lines of two reports whose numbers are not the same, within so much."""

    def apart(a: Claim, b: Claim) -> bool:
        numbers = [[a.estimate, a.lower, a.upper], [b.estimate, b.lower, b.upper]]
        return bool(np.any(np.abs(np.subtract(*np.array(numbers, float))) > within)) or a.n != b.n

    lines = [*zip(one.lines, other.lines, strict=True)]
    return [f"{a.measure} {a.label} {a.group}: {a.claim} | {b.claim}" for a, b in lines if apart(a.claim, b.claim)]


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("design", "holder"),
    [
        pytest.param(design, holder, marks=[] if design == "all" or holder is lazy else [pytest.mark.long])
        for design in DESIGNS
        for holder in HOLDERS
    ],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_the_numbers_are_the_same_whoever_holds_the_rows(design: str, holder: Holder, tmp_path: Path) -> None:
    columns, stated = DESIGNS[design]
    one = told(frame(), columns, stated)
    other = told(holder(frame(), tmp_path), columns, stated)
    exact = design in ("clusters", "weights")  # whole numbers add up to the same in any order
    assert not differing(one, other, 0.0 if exact else 1e-12)
    assert one.provenance["fingerprint"] == other.provenance["fingerprint"]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("holder", HOLDERS, ids=lambda holder: holder.__name__)
def test_weights_that_are_not_whole_are_added_up_to_twelve_digits(holder: Holder, tmp_path: Path) -> None:
    columns, stated = DESIGNS["all"]
    reports = [told(rows, columns, stated) for rows in (frame(False), holder(frame(False), tmp_path))]
    assert not differing(*reports, 1e-12)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("holder", HOLDERS, ids=lambda holder: holder.__name__)
def test_values_are_the_same_whoever_holds_them(holder: Holder, tmp_path: Path) -> None:
    for columns, stated in DESIGNS.values():
        named = {**columns, "value": "marks", "levels": (0, 0.5, 1)}
        reports = [hf.assess(hf.read(rows, **named), **stated) for rows in (frame(), holder(frame(), tmp_path))]
        assert not differing(*reports, 1e-12)


# ---- Which column is which


def places(names: str, **asked: Any) -> dict[str, int]:
    return AnswerColumns(**asked).find(Header(names.split(","), "f.csv")).places


def test_columns_of_a_design_are_found_only_where_they_are_named() -> None:
    names = "truth,predicted,weight,inclusion,stratum,cluster,value"
    assert places(names) == {"truth": 0, "predicted": 1}
    found = places(names, weight="weight", stratum="stratum", cluster="cluster")
    assert found == {"truth": 0, "predicted": 1, "weight": 2, "stratum": 4, "cluster": 5}
    assert places(names, inclusion="inclusion")["inclusion"] == 3
    assert places(names, value="value") == {"value": 6}  # then nothing else says what is right


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"weight": "wieght"}, "no column named 'wieght'; did you mean 'weight'"),
        ({"weight": "truth"}, "cannot be both"),
        ({"weight": "weight", "stratum": "weight"}, "cannot be both"),
        ({"value": "weight", "truth": "truth"}, "leave out truth="),
        ({"value": "weight", "correct": "truth"}, "correct="),
    ],
)
def test_columns_that_make_no_sense_are_refused(asked: dict[str, str], sentence: str) -> None:
    with pytest.raises(HoldfastError, match=sentence):
        places("truth,predicted,weight", **asked)


def test_what_is_stated_twice_is_refused() -> None:
    rows = hf.read(frame(), weight="weight")
    with pytest.raises(HoldfastError, match="already"):
        hf.assess(rows, weights=frame()["weight"])
    with pytest.raises(HoldfastError, match="not both"):
        hf.read(frame(), weight="weight", inclusion="chance")


def test_a_design_of_rows_of_a_file_needs_no_arrays() -> None:
    rows = hf.read(frame(), weight="weight")
    capped = hf.assess(rows, max_weight=3)
    assert capped.lines[0].claim.method == "squares"
    assert hf.assess(rows, design=hf.Design(max_weight=3)).lines[0].claim.upper == capped.lines[0].claim.upper
    assert hf.assess(rows).lines[0].claim.method == "influence"
