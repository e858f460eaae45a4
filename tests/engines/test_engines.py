"""The same rows give the very same evidence, whatever engine holds them and in whatever order."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import InvalidEvidence
from holdfast.predictions import Missing, Predictions
from holdfast.sources import read
from holdfast.tally import Tally, tally
from holdfast.tally import scores as room_of_scores
from tests.needs import require

ROWS = 600
LABELS = np.array(["ham", "spam", "a 'quoted'\nlabel, 🐟"])
Maker = Callable[[pl.DataFrame, Path], Any]


def rows(kind: str) -> pl.DataFrame:
    """Rows with ties; some kinds miss values."""
    random = np.random.default_rng(3)
    true, guess = random.integers(0, 3, ROWS), random.integers(0, 3, ROWS)
    guess = np.where(random.random(ROWS) < 0.6, true, guess)
    score = np.round(random.beta(1 + 2 * (true == 1), 2, ROWS), 2) * random.choice([1.0, 1 / 3], ROWS)
    frame = pl.DataFrame({"truth": LABELS[true], "predicted": LABELS[guess], "score": score, "n": np.arange(ROWS)})
    if kind == "whole numbers":
        return frame.with_columns(truth=pl.Series(true), predicted=pl.Series(guess.astype(np.float64)))
    if kind == "true/false":
        return frame.with_columns(truth=pl.Series(true == 1), predicted=pl.Series(guess == 1))
    if kind == "any scores":
        return frame.with_columns(score=pl.Series(np.where(score == 0.1, -0.0, 40 * score - 7)))
    if kind == "missing":
        gone = pl.col("n") % 50
        return frame.with_columns(
            truth=pl.when(gone == 7).then(None).otherwise("truth"),
            predicted=pl.when(gone == 8).then(None).otherwise("predicted"),
            score=pl.when(gone == 9).then(None).otherwise("score"),
        )
    if kind == "many scores":
        shares = random.dirichlet([1, 1, 1], ROWS).round(2)
        names = [f"score_{label}" for label in LABELS]
        return frame.drop("score").with_columns(pl.Series(name, shares[:, i]) for i, name in enumerate(names))
    if kind == "pass/fail":
        return frame.select(correct=pl.col("truth") == pl.col("predicted"))
    return frame


KINDS = ["text", "whole numbers", "true/false", "any scores", "missing", "many scores", "pass/fail"]


def pandas(frame: pl.DataFrame, folder: Path) -> Any:
    return frame.to_pandas()


def pandas_of_objects(frame: pl.DataFrame, folder: Path) -> Any:
    return frame.to_pandas().astype(
        {name: object for name in ("truth", "predicted", "correct") if name in frame.columns}
    )


def pandas_as_an_engine(frame: pl.DataFrame, folder: Path) -> Any:
    import narwhals.stable.v2 as nw

    names = tuple(name for name in frame.columns if name != "n")
    roles = tuple(f"score_{i - 2}" if name.startswith("score_") else name for i, name in enumerate(names))
    renamed = frame.rename(dict(zip(names, roles, strict=True)))
    labels = tuple(name.removeprefix("score_") for name in names if name.startswith("score_"))
    return Predictions(nw.from_native(renamed.to_pandas()).lazy(), roles, labels)


def polars_eager(frame: pl.DataFrame, folder: Path) -> Any:
    return frame


def polars_lazy(frame: pl.DataFrame, folder: Path) -> Any:
    return frame.lazy()


def pyarrow(frame: pl.DataFrame, folder: Path) -> Any:
    return frame.to_arrow()


def duckdb(frame: pl.DataFrame, folder: Path) -> Any:
    import duckdb

    return duckdb.connect().from_arrow(frame.to_arrow())


def ibis_memtable(frame: pl.DataFrame, folder: Path) -> Any:
    import ibis

    return ibis.memtable(frame.to_arrow())


def ibis_of_a_file(frame: pl.DataFrame, folder: Path) -> Any:
    import ibis

    frame.write_parquet(folder / "rows.parquet")
    return ibis.duckdb.connect().read_parquet(folder / "rows.parquet")


def dask(frame: pl.DataFrame, folder: Path) -> Any:
    import dask.dataframe

    return dask.dataframe.from_pandas(frame.to_pandas(), npartitions=3)


def pyspark(frame: pl.DataFrame, folder: Path) -> Any:
    frame.write_parquet(folder / "rows.parquet")
    return spark().read.parquet(str(folder / "rows.parquet")).repartition(3)


def parquet(frame: pl.DataFrame, folder: Path) -> Any:
    frame.write_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


@cache
def spark() -> Any:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    return session.config("spark.sql.shuffle.partitions", "2").getOrCreate()


ENGINES: dict[Maker, str] = {
    pandas: "pandas",
    pandas_of_objects: "pandas",
    pandas_as_an_engine: "pandas",
    polars_eager: "polars",
    polars_lazy: "polars",
    pyarrow: "pyarrow",
    parquet: "polars",
    duckdb: "duckdb",
    ibis_memtable: "ibis",
    ibis_of_a_file: "ibis",
    dask: "dask",
    pyspark: "pyspark",
}


ALL = pytest.mark.parametrize(
    "make",
    [pytest.param(make, id=make.__name__, marks=[pytest.mark.long] * (make is pyspark)) for make in ENGINES],
)


@contextmanager
def engine(make: Maker) -> Iterator[None]:
    """The engine is there, and its own deprecations are its own affair."""
    require(find_spec(ENGINES[make]) is not None, f"{ENGINES[make]} is not installed")
    require(make is not pyspark or which("java") is not None, "Spark needs Java, which is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def tallied(
    given: Any, missing: Missing = "refuse", positive: object = None, required: bool = False, **columns: Any
) -> Tally:
    if isinstance(given, Predictions):
        predictions = Predictions(given.frame, given.columns, given.score_labels, missing)
    else:
        predictions = read(given, missing=missing, **columns)
    return tally(predictions, positive=positive, scores_required=required)


def digits(counted: Tally) -> dict[str, Any]:
    """All that was counted, to the last digit."""
    found: dict[str, Any] = {
        "fingerprint": counted.fingerprint,
        "counts": (int(counted.counts.k), int(counted.counts.n), counted.rows),
        "missing": (counted.missing, counted.dropped, counted.notes, counted.positive),
    }
    if counted.table is not None:
        found["labels"] = counted.table.labels
        found["table"] = counted.table.table.tolist()
    for label, scores in counted.scores.items():
        found[f"scores of {label}"] = [[each.hex() for each in part.tolist()] for part in scores.cells()[:1]]
        found[f"counts of {label}"] = [part.tolist() for part in scores.cells()[1:]]
    if counted.forecasts is not None:
        found["forecasts"] = [[part.tobytes() for part in block] for block in counted.forecasts.blocks()]
    return found


def asked(kind: str) -> dict[str, Any]:
    positive = {"whole numbers": 1, "true/false": None, "pass/fail": None, "many scores": None}.get(kind, "spam")
    return {"positive": positive, "missing": "drop" if kind == "missing" else "refuse"}


@pytest.mark.crossing(15)
@ALL
@pytest.mark.parametrize("kind", KINDS)
def test_every_engine_counts_the_same(kind: str, make: Maker, tmp_path: Path) -> None:
    frame = rows(kind)
    expected = digits(tallied(frame, **asked(kind)))
    with engine(make):
        made = make(frame.sample(fraction=1.0, shuffle=True, seed=11), tmp_path)
        assert digits(tallied(made, **asked(kind))) == expected


def reported(given: Any) -> dict[str, Any]:
    """All that a report says but for the call that made it."""
    told = hf.assess(given if isinstance(given, Predictions) else read(given)).to_dict()
    del told["provenance"]["command"]
    return told


@pytest.mark.crossing(4)
@ALL
@pytest.mark.parametrize("kind", ["text", "many scores"])
def test_every_engine_gives_the_same_report(kind: str, make: Maker, tmp_path: Path) -> None:
    frame = rows(kind)
    if kind == "text":  # two of the labels, so that one column of scores will do
        frame = frame.filter(pl.all_horizontal(pl.col("truth", "predicted").is_in(["ham", "spam"])))
    expected = reported(frame)
    assert len(expected["claims"]) > 30
    with engine(make):
        assert reported(make(frame.sample(fraction=1.0, shuffle=True, seed=13), tmp_path)) == expected


@pytest.mark.long
@ALL
@pytest.mark.parametrize("kind", ["any scores", "missing", "many scores"])  # what labels are, is nothing to bins
def test_every_engine_counts_the_same_in_bins(
    kind: str, make: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", ROWS // 2)
    frame = rows(kind)
    counted = tallied(frame, **asked(kind))
    assert all(scores.width > 0 for scores in counted.scores.values())
    with engine(make):
        made = make(frame.sample(fraction=1.0, shuffle=True, seed=12), tmp_path)
        assert digits(tallied(made, **asked(kind))) == digits(counted)


@ALL
def test_every_engine_counts_non_answers_as_errors(make: Maker, tmp_path: Path) -> None:
    frame = rows("missing").filter(pl.col("truth").is_not_null()).drop("score")
    expected = digits(tallied(frame, missing="wrong"))
    assert expected["labels"][-1] == "(no answer)"
    with engine(make):
        assert digits(tallied(make(frame.reverse(), tmp_path), missing="wrong")) == expected


@pytest.mark.crossing(4)
@ALL
@pytest.mark.parametrize("exact_rows", [ROWS, 10])
def test_every_engine_refuses_what_cannot_be_scored(
    make: Maker, exact_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
    frame = rows("text")
    for wrong, message in ((None, "12 without a score"), (float("inf"), "infinite in 12 rows")):
        score = pl.when(pl.col("n") % 50 == 9).then(pl.lit(wrong, pl.Float64)).otherwise("score")
        with engine(make):
            made = make(frame.with_columns(score=score), tmp_path)
            with pytest.raises(InvalidEvidence, match=message):
                tallied(made, positive="spam", required=True)


@pytest.mark.crossing(4)
@ALL
@pytest.mark.parametrize("exact_rows", [ROWS, 10])
def test_every_engine_counts_rows_without_a_score_alike(
    make: Maker, exact_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
    frame = rows("text")
    frame = frame.with_columns(score=pl.when(pl.col("n") % 50 != 9).then("score"))
    expected = digits(tallied(frame, positive="spam"))
    assert expected["missing"][0] == {"score": 12}
    with engine(make):
        assert digits(tallied(make(frame.reverse(), tmp_path), positive="spam")) == expected


def test_a_file_of_text_counts_the_same(tmp_path: Path) -> None:
    for kind in ("text", "whole numbers", "any scores"):
        frame = rows(kind)
        if kind == "whole numbers":
            frame = frame.with_columns(predicted=pl.col("predicted").cast(pl.Int64))
        frame.write_csv(tmp_path / "rows.csv")
        assert digits(tallied(tmp_path / "rows.csv", **asked(kind))) == digits(tallied(rows(kind), **asked(kind)))


@pytest.mark.crossing(3)
@ALL
def test_every_engine_divides_the_rows_alike(make: Maker, tmp_path: Path) -> None:
    frame = (
        rows("text")
        .drop("score")
        .with_columns(
            country=pl.Series(LABELS[np.random.default_rng(4).integers(0, 3, ROWS)]), year=2020 + pl.col("n") % 3
        )
    )
    names = ("country", "year")
    expected = grouped(read(frame, by=names))
    assert len(expected) > 3 * 3
    with engine(make):
        made = make(frame.sample(fraction=1.0, shuffle=True, seed=14), tmp_path)
        if isinstance(made, Predictions):
            roles = {"country": "by_0", "year": "by_1"}
            columns = tuple(roles.get(name, name) for name in made.columns)
            made = Predictions(made.frame.rename(roles), columns, group_names=names)
        assert grouped(made if isinstance(made, Predictions) else read(made, by=names)) == expected


def grouped(given: Predictions) -> list[Any]:
    told = hf.assess(given, simultaneous=True)
    return [told.provenance["fingerprint"], *(line.to_dict() for line in told.lines)]


@pytest.mark.crossing(3)
@ALL
def test_every_engine_gathers_clusters_and_margins_alike(make: Maker, tmp_path: Path) -> None:
    frame = rows("text").select(
        "truth",
        "predicted",
        passage=pl.format("p {}", pl.col("n") % 40),
        margin=pl.when(pl.col("truth") == pl.col("predicted")).then(1).otherwise(-1) * (pl.col("score") + 0.5),
        n="n",
    )
    asked = {"cluster": "passage", "margin": "margin"}
    expected = stated(frame, asked)
    with engine(make):
        made = make(frame.sample(fraction=1.0, shuffle=True, seed=15), tmp_path)
        assert stated(made, asked) == expected


def stated(given: Any, asked: dict[str, str]) -> list[Any]:
    """What is said of the rows in clusters, and of their margins alone."""
    if isinstance(given, Predictions):
        roles = {"passage": "cluster"}
        columns = tuple(roles.get(name, name) for name in given.columns)
        given = Predictions(given.frame.rename(roles), columns)
        clusters = Predictions(given.frame.drop("margin"), tuple(name for name in columns if name != "margin"))
        margins = Predictions(given.frame.drop("cluster"), tuple(name for name in columns if name != "cluster"))
    else:
        clusters, margins = (read(given, **{role: name}) for role, name in asked.items())
    told = [hf.assess(clusters, max_cluster=20), hf.assess(margins)]
    return [[each.provenance["fingerprint"], *(line.to_dict() for line in each.lines)] for each in told]
