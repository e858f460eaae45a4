"""How frequent strata are, from a file of two columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources.costs import read_shares


def written(folder: Path, text: str) -> Path:
    file = folder / "shares.csv"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text",
    [
        "stratum,share\nnorth,0.3\nsouth,0.7\n",
        "share,stratum\n0.3,north\n0.7,south\n",
        "Stratum;Share\nnorth;0.3\nsouth;0.7\n",
        "region,share\nnorth,0.3\nsouth,0.7\n",
        "strata,part\nnorth,0.3\nsouth,0.7\n",
    ],
)
def test_two_columns_in_either_order(text: str, tmp_path: Path) -> None:
    assert read_shares(written(tmp_path, text)) == {"north": 0.3, "south": 0.7}


def test_names_are_spelt_as_rows_spell_them(tmp_path: Path) -> None:
    """Strata that are numbers, in a file of another kind."""
    pl.DataFrame({"stratum": [1, 2], "share": [0.3, 0.7]}).write_parquet(tmp_path / "shares.parquet")
    shares = read_shares(tmp_path / "shares.parquet")
    assert shares == {"1": 0.3, "2": 0.7}
    strata = [1, 1, 2, 2, 2, 1, 2, 1]
    report = hf.assess(correct=[1, 0, 1, 1, 0, 1, 1, 1], strata=strata, shares=shares)
    assert report["error-rate"].estimate == pytest.approx(0.3 * 0.25 + 0.7 * 0.25)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\nnorth,0.3\n", "should have two columns, stratum and share; it has a, b"),
        ("stratum,share,more\nnorth,0.3,1\n", "should have two columns"),
        ("stratum\nnorth\n", "should have two columns"),
        ("stratum,share\nnorth,0.3\nnorth,0.7\n", "line 3: the stratum 'north' stands a second time"),
        ("stratum,share\n,0.3\nsouth,0.7\n", "line 2: a stratum has no name"),
        ("stratum,share\nnorth,lots\nsouth,0.7\n", "line 2: a share should be a number; found 'lots'"),
        ("stratum,share\nnorth,\nsouth,0.7\n", "line 2: a share should be a number"),
    ],
)
def test_what_is_no_table_of_shares_is_refused_with_the_place(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(HoldfastError) as error:
        read_shares(written(tmp_path, text))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ({"a": 0.5, "b": 0.4}, "those stated add up to 0.9"),
        ({"a": 0.0, "b": 1.0}, "above 0 and at most 1"),
        ({"a": -0.5, "b": 1.5}, "above 0 and at most 1"),
        ({"a": float("nan"), "b": 0.5}, "above 0 and at most 1"),
        ({"a": True}, "above 0 and at most 1"),
        ({}, "says of each stratum"),
        ([0.5, 0.5], "says of each stratum"),
        ({"a": 1.0}, "nothing of the stratum 'b'"),
        ({"a": 0.5, "b": 0.4, "c": 0.1}, "No row is of the stratum 'c'"),
    ],
)
def test_shares_that_are_none_are_refused(shares: object, sentence: str) -> None:
    with pytest.raises(HoldfastError, match=sentence):
        hf.assess(correct=[1, 0, 1, 1], strata=["a", "a", "b", "b"], shares=shares)  # type: ignore[arg-type]
