"""Fold results from tables: long and wide, files and frames, and tables that cannot be what they say."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence.folds.folds import Folds
from holdfast.sources.models import folds as fold_table
from holdfast.sources.models.folds import read_folds
from tests import needs
from tests.snapshots import matches, messages

LONG = "fold,model,error,n_train,n_test\n1,a,0.2,120,30\n1,b,0.1,120,30\n2,a,0.3,120,30\n2,b,0.25,120,30\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that messages hold no path of this machine


def read(content: str, **options: Any) -> Folds:
    Path("folds.csv").write_text(content, encoding="utf-8")
    return read_folds("folds.csv", **options)


# ---- What can be read


def test_a_long_table() -> None:
    folds = read(LONG)
    assert folds.models == ("a", "b")
    assert folds.values.tolist() == [[[0.2, 0.3]], [[0.1, 0.25]]]
    assert (folds.scheme, folds.measure, folds.better, folds.examples) == ("kfold", "error-rate", "lower", 60)
    assert folds.differences().ratio == 0.25


def test_a_long_table_in_any_order_with_any_separator() -> None:
    header, *rows = LONG.strip().split("\n")
    turned = read("\n".join([header, rows[3], rows[0], rows[2], rows[1]]).replace(",", ";"))
    assert turned.models == ("b", "a")
    assert turned.values.tolist() == [[[0.25, 0.1]], [[0.3, 0.2]]]  # folds in the order in which they appear


def test_counts_of_errors_become_rates() -> None:
    folds = read("fold,model,errors,n\n1,a,7,30\n1,b,6,30\n2,a,8,32\n2,b,6,32\n")
    assert folds.values.tolist() == [[[7 / 30, 0.25]], [[0.2, 6 / 32]]]
    assert folds.n_test is not None
    assert folds.n_test.tolist() == [[30, 32]]
    assert folds.measure == "error-rate"


def test_repeats_become_rows_and_five_times_two_is_seen() -> None:
    rows = [f"{r},{f},{m},{r / 10 + f / 100 + (m == 'b') / 1000:.3f}" for r in range(5) for f in (1, 2) for m in "ab"]
    folds = read("repeat,fold,model,error\n" + "\n".join(rows))
    assert folds.scheme == "5x2"
    assert folds.values.shape == (2, 5, 2)
    assert folds.values[1, 3, 0] == 0.311
    assert read("repeat,fold,model,error\n" + "\n".join(rows[:12])).scheme == "repeated"


@pytest.mark.parametrize(
    ("column", "measure", "better", "ends"),
    [
        ("score", "score", "higher", (0, 1)),
        ("Test Score", "score", "higher", (0, 1)),
        ("accuracy", "accuracy", "higher", (0, 1)),
        ("ROC AUC", None, None, None),
        ("mcc", "mcc", "higher", (-1, 1)),
        ("error_rate", "error-rate", "lower", (0, 1)),
    ],
)
def test_the_column_says_what_the_results_are(column: str, measure: str, better: str, ends: tuple[int, int]) -> None:
    content = f"fold,model,{column}\n1,a,0.5\n2,a,0.6\n1,b,0.5\n2,b,0.7\n"
    if measure is None:
        with pytest.raises(HoldfastError, match="which way"):
            read(content)
        folds = read(content, better="higher")
        assert (folds.measure, folds.better) == (column, "higher")
        return
    folds = read(content)
    assert (folds.measure, folds.better, (folds.low, folds.high)) == (measure, better, ends)


def test_a_wide_table_needs_its_measure() -> None:
    content = "fold,nb,tree,n_test\n1,0.9,0.8,30\n2,0.95,0.85,30\n"
    folds = read(content, measure="accuracy")
    assert folds.models == ("nb", "tree")
    assert folds.values.tolist() == [[[0.9, 0.95]], [[0.8, 0.85]]]
    assert (folds.better, folds.examples) == ("higher", 60)
    assert read(content, measure="error-rate", models=["tree"]).models == ("tree",)
    assert read(content.replace("nb", "run"), measure="accuracy", models=["run", "tree"]).models == ("run", "tree")
    with pytest.raises(HoldfastError, match="give measure=, as"):
        read(content)


def test_a_wide_table_without_a_column_of_folds_has_a_row_a_fold() -> None:
    assert read("a,b\n0.1,0.2\n0.3,0.4\n", measure="error-rate").values.tolist() == [[[0.1, 0.3]], [[0.2, 0.4]]]


def test_columns_of_other_names_are_named() -> None:
    content = "part,who,loss,k,m\n1,a,3.5,80,20\n2,a,4,80,20\n1,b,2,80,20\n2,b,7,80,20\n"
    folds = read(
        content,
        fold="part",
        model="who",
        value="loss",
        n_train="k",
        n_test="m",
        measure="loss",
        better="lower",
        high=10,
        scheme="resampled",
    )
    assert (folds.scheme, folds.measure, folds.high, folds.examples) == ("resampled", "loss", 10.0, 100)
    assert folds.values[1].tolist() == [[2.0, 7.0]]


def test_frames_of_any_library() -> None:
    columns = {"fold": [1, 2, 1, 2], "model": ["a", "a", "b", "b"], "error": [0.1, 0.2, 0.3, 0.4]}
    expected = [[[0.1, 0.2]], [[0.3, 0.4]]]
    assert read_folds(pl.DataFrame(columns)).values.tolist() == expected
    assert read_folds(pl.LazyFrame(columns)).values.tolist() == expected
    assert read_folds(needs.module("pandas").DataFrame(columns)).values.tolist() == expected
    assert read_folds(needs.module("pyarrow").table(columns)).values.tolist() == expected


@pytest.mark.parametrize("kind", ["parquet", "ndjson", "ipc", "ipc_stream"])
def test_files_of_every_kind(kind: str) -> None:
    getattr(pl.read_csv(LONG.encode()), f"write_{kind}")("folds")
    assert read_folds("folds").values.tolist() == read(LONG).values.tolist()


def test_too_many_cells_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold_table, "LARGEST", 19)
    with pytest.raises(HoldfastError, match=r"^folds\.csv has 20 cells, too many for the results of folds\.$"):
        read(LONG)


def test_several_files_are_one_table() -> None:
    header, *rows = LONG.strip().split("\n")
    for place, row in enumerate(rows):
        Path(f"{place}.csv").write_text(f"{header}\n{row}\n")
    expected = read_folds(["0.csv", "1.csv", "2.csv", "3.csv"])
    assert expected.values.tolist() == read_folds("[0-3].csv").values.tolist() == read(LONG).values.tolist()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(LONG.encode())))
    assert read_folds("-").values.tolist() == read(LONG).values.tolist()


def test_every_digit_is_kept() -> None:
    values = np.random.default_rng(1).uniform(size=6)
    rows = "".join(f"{place},a,{value!r}\n" for place, value in enumerate(values.tolist()))
    assert read("fold,model,error\n" + rows).values.ravel().tolist() == values.tolist()


# ---- What cannot


def test_what_is_no_table_of_folds_is_refused() -> None:
    def long(*rows: str, header: str = "fold,model,error") -> Any:
        return lambda: read("\n".join([header, *rows]))

    strange: Any = 7
    matches(
        "errors_of_read_folds",
        messages(
            {
                "no file": lambda: read_folds("nothing.csv"),
                "an empty file": lambda: read(""),
                "a header alone": long(),
                "no frame": lambda: read_folds(strange),
                "a fold twice": long("1,a,0.1", "1,a,0.2"),
                "a fold twice in a repeat": long("1,1,a,0.1", "1,1,a,0.2", header="repeat,fold,model,error"),
                "a fold missing": long("1,a,0.1", "2,a,0.2", "1,b,0.2"),
                "repeats of other lengths": long(
                    "1,1,a,0.1", "1,2,a,0.1", "2,1,a,0.2", header="repeat,fold,model,error"
                ),
                "no number": long("1,a,0.1", '2,a,"0,2"'),
                "an empty cell": long("1,a,0.1", "2,a,"),
                "a model without a name": long("1,a,0.1", "2,,0.2"),
                "a result out of range": long("1,a,0.1", "2,a,20"),
                "more errors than examples": long("1,a,7,5", header="fold,model,errors,n_test"),
                "errors without n_test": long("1,a,7", header="fold,model,errors"),
                "sizes that differ": long("1,a,0.1,30", "1,b,0.1,31", header="fold,model,error,n_test"),
                "no fold": long("a,0.1", header="model,error"),
                "no result": long("1,a,x,y", header="fold,model,left,right"),
                "two columns of folds": long("1,1,a,0.1", header="split,cv,model,error"),
                "two columns of a name": long("1,a,0.1,0.1", header="fold,model,error,error"),
                "models of a long table": lambda: read(LONG, models=["a"]),
                "value of a wide table": lambda: read("a,b\n0.1,0.2\n", value="a", measure="error-rate"),
                "a column that is none": lambda: read(LONG, value="eror"),
                "no columns of results": lambda: read("fold\n1\n", measure="error-rate"),
                "a measure without a range": lambda: read("a\n1\n2\n", measure="squared-loss"),
                "a measure without a direction": lambda: read("a\n1\n2\n", measure="prevalence"),
            }
        ),
    )
