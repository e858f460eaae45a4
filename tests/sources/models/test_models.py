"""The answers of several models: wide, long and joined, from files and frames of every library."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel
from holdfast.sources.models.models import read_models
from holdfast.tally.panel import long_tables as module
from tests.needs import module as needed
from tests.snapshots import matches, messages


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that messages hold no path of this machine


def written(name: str, *lines: str) -> str:
    Path(name).parent.mkdir(exist_ok=True, parents=True)
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


WIDE = pl.DataFrame(
    {
        "item": ["q1", "q2", "q3", "q4"],
        "truth": ["a", "b", "b", "a"],
        "alpha": ["a", "b", "a", "a"],
        "beta": ["a", "a", "b", "b"],
        "words": [12, 7, 30, 5],
    }
)
WRONG = [[False, False, True, False], [False, True, False, True]]
LONG = WIDE.unpivot(["alpha", "beta"], index=["item", "truth"], variable_name="model", value_name="predicted")
LONG = LONG.sample(fraction=1, shuffle=True, seed=3)
RIGHT = LONG.select("item", "model", passed=(pl.col("truth") == pl.col("predicted")).cast(int))


def tables(frame: pl.DataFrame = LONG) -> dict[str, pl.DataFrame]:
    return {name: frame.filter(model=name).drop("model") for name in ("alpha", "beta")}


def agrees(panel: Panel) -> bool:
    return (panel.models, panel.wrong.tolist()) == (("alpha", "beta"), WRONG)


def same_everywhere(panels: list[Panel]) -> bool:
    return all(agrees(panel) for panel in panels) and len({panel.fingerprint for panel in panels}) == 1


def test_three_shapes_say_the_same() -> None:
    panels = [read_models(WIDE), read_models(LONG), read_models(tables())]
    assert same_everywhere(panels)
    assert [panel.rows for panel in panels] == [4, 8, 8]
    assert panels[0].notes == (
        "Models are the columns that hold labels of the truth and nothing else: alpha, beta. Not used: words.",
    )
    passes = [read_models(RIGHT, id="item", model="model", correct="passed"), read_models(tables(RIGHT), on="item")]
    right = WIDE.select(pl.col("alpha", "beta") == pl.col("truth"))
    assert same_everywhere([*passes, read_models(right, correct=True)])
    assert passes[0].truth is None


LIBRARIES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "pandas": lambda frame: importlib.import_module("pandas").DataFrame(frame.to_dict(as_series=False)),
    "pyarrow": lambda frame: frame.to_arrow(),
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "duckdb": lambda frame: importlib.import_module("duckdb").from_arrow(frame.to_arrow()),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_of_every_library(library: str) -> None:
    if library != "lazy":
        needed(library)
    if library == "duckdb":
        needed("pyarrow")
    made = LIBRARIES[library]
    panels = [read_models(made(WIDE)), read_models(made(LONG))]
    panels.append(read_models([*map(made, tables().values())], models="alpha,beta"))
    assert same_everywhere(panels)
    assert agrees(read_models(made(RIGHT)))
    gap = WIDE.with_columns(alpha=pl.when(pl.col("item") == "q2").then(None).otherwise("alpha"))
    panel = read_models(made(gap), models="alpha,beta", missing="wrong")
    assert panel.wrong.tolist() == [[False, True, True, False], WRONG[1]]
    assert panel.missing == {"answer": 1}


@pytest.mark.parametrize("ending", ["csv", "parquet", "ndjson", "arrow"])
def test_files_of_every_kind(ending: str) -> None:
    def kept(frame: pl.DataFrame, name: str) -> str:
        write = {"csv": frame.write_csv, "parquet": frame.write_parquet, "ndjson": frame.write_ndjson}
        write.get(ending, frame.write_ipc)(f"{name}.{ending}")  # type: ignore[operator]
        return f"{name}.{ending}"

    files = [kept(table, f"runs/{name}") for name, table in tables().items()] if Path("runs").mkdir() is None else []
    panels = [read_models(kept(WIDE, "wide")), read_models(kept(LONG, "long")), read_models(files, on="item")]
    panels += [read_models(f"runs/*.{ending}", on="item"), read_models("runs", on="item")]
    panels += [read_models(Path(f"wide.{ending}"), models=["alpha", "beta"]), read_models([f"wide.{ending}"])]
    assert same_everywhere(panels)


def test_a_long_table_in_several_files() -> None:
    for name, table in LONG.partition_by("truth", as_dict=True).items():
        table.write_csv(f"{name[0]}.csv")
    assert agrees(read_models(["a.csv", "b.csv"], model="model"))
    assert agrees(read_models("?.csv"))


def test_a_wide_table_in_several_files() -> None:
    WIDE[:2].write_csv("part1.csv")
    WIDE[2:].select(reversed(WIDE.columns)).write_csv("part2.csv")
    assert agrees(read_models("part?.csv", models="alpha,beta"))


def test_models_by_name_and_by_pattern() -> None:
    assert read_models(WIDE, models="beta,alpha").models == ("beta", "alpha")
    assert read_models(WIDE, models="*a").models == ("alpha", "beta")
    assert read_models(LONG, models="beta,al*").models == ("beta", "alpha")
    assert read_models(LONG, models=["beta", "alpha"]).wrong.tolist() == WRONG[::-1]
    comma = WIDE.rename({"alpha": "alpha, old"})
    assert read_models(comma, models=["beta", "alpha, old"]).models == ("beta", "alpha, old")
    assert read_models(WIDE.rename({"alpha": "m[1]"}), models="m[1],beta").models == ("m[1]", "beta")
    assert read_models({"b": tables()["beta"], "a": tables()["alpha"]}, models="a,b").wrong.tolist() == WRONG


def test_models_that_were_not_asked_for_do_not_matter() -> None:
    more = pl.concat([LONG, pl.DataFrame({"item": ["q9"], "truth": ["a"], "model": ["gamma"], "predicted": ["a"]})])
    assert agrees(read_models(more, models="alpha,beta"))


def test_one_table_may_know_the_truth_for_all() -> None:
    alpha, beta = tables().values()
    assert agrees(read_models({"alpha": alpha, "beta": beta.drop("truth")}))
    assert agrees(read_models({"alpha": alpha.drop("truth"), "beta": beta}, on="item"))


def test_several_samples_of_an_item() -> None:
    frame = pl.DataFrame(
        {
            "id": [1, 1, 1, 1, 2, 2, 2],
            "model": ["a", "a", "a", "b", "a", "b", "b"],
            "passed": [1, 0, 0, 1, 1, 0, 1],
        }
    )
    panel = read_models(frame)
    assert panel.tries is not None
    assert panel.right is not None
    assert panel.tries.tolist() == [[3, 1], [1, 2]]
    assert panel.right.tolist() == [[1, 1], [1, 1]]
    assert panel.wrong.tolist() == [[pytest.approx(2 / 3), 0.0], [0.0, 0.5]]
    assert panel.notes == (
        "Several samples: 7 rows for 2 items and 2 models, 1 to 3 for an item and model. Compared are the shares of "
        "wrong samples, an item counting once.",
    )
    assert panel.fingerprint == read_models(frame.reverse()).fingerprint
    assert panel.fingerprint != read_models(pl.concat([frame, frame])).fingerprint
    assert panel.fingerprint != read_models(pl.concat([frame, frame.filter(passed=0).head(1)])).fingerprint
    answers = frame.select(
        "id", "model", truth=pl.lit("x"), predicted=pl.col("passed").replace_strict([1, 0], ["x", "y"])
    )
    labelled = read_models(answers)
    assert labelled.wrong.tolist() == panel.wrong.tolist()
    assert (labelled.truth, labelled.predicted, labelled.labels) == (None, None, ())


def test_samples_without_an_answer() -> None:
    frame = pl.DataFrame(
        {
            "id": [1, 1, 1, 1, 2, 2, 3, 3],
            "model": ["a", "a", "b", "b", "a", "a", "a", "b"],
            "passed": [1, None, 0, 1, 1, 0, 1, None],
        }
    )
    dropped = read_models(frame, missing="drop")
    assert dropped.wrong.tolist() == [[0.0], [0.5]]
    assert (dropped.dropped, dropped.missing) == (2, {"answer": 4})
    assert dropped.notes[1:] == (
        "Left out: 2 rows without an answer.",
        "Left out: 2 of 3 items; 2 lack an answer ('b' 2; e.g. 2, 3).",
    )
    wrong = read_models(frame, missing="wrong")
    assert wrong.wrong.tolist() == [[0.5, 0.5, 0.0], [0.5, 1.0, 1.0]]
    assert wrong.tries is not None
    assert wrong.tries.tolist() == [[2, 2, 1], [2, 2, 1]]  # item 2 was asked twice of the other model


def test_scores_of_each_model() -> None:
    scored = WIDE.with_columns(p_alpha=pl.Series([0.1, 0.9, 0.2, 0.3]), p_beta=pl.Series([0.2, 0.3, 0.8, 0.7]))
    expected = [[0.1, 0.9, 0.2, 0.3], [0.2, 0.3, 0.8, 0.7]]
    for score in ("p_*", ["p_alpha", "p_beta"], {"beta": "p_beta", "alpha": "p_alpha"}):
        panel = read_models(scored, models="alpha,beta", score=score, positive="b")  # type: ignore[arg-type]
        assert panel.scores is not None
        assert panel.scores.tolist() == expected
        assert panel.positive == "b"
    for score in ("p_*", {"beta": "p_beta", "alpha": "p_alpha"}):
        assert read_models(scored, score=score, positive="b").models == ("alpha", "beta")  # type: ignore[arg-type]
    stacked = LONG.with_columns(p=pl.when(model="alpha").then(0.25).otherwise(0.75))
    panel = read_models(stacked, score="p", positive="b")
    assert panel.scores is not None
    assert panel.scores.tolist() == [[0.25] * 4, [0.75] * 4]
    assert read_models(stacked, positive="b").scores is None  # only where they are asked for
    joined = read_models(tables(stacked), score="p", positive="b")
    assert joined.scores is not None
    assert joined.scores.tolist() == [[0.25] * 4, [0.75] * 4]
    assert joined.fingerprint == panel.fingerprint


def test_clusters_belong_to_the_items() -> None:
    page = {"q1": 1, "q2": 1, "q3": 2, "q4": 3}
    for frame in (WIDE, LONG):
        clustered = frame.with_columns(page=pl.col("item").replace_strict(page))
        panel = read_models(clustered, cluster="page")
        assert panel.clusters is not None
        assert panel.clusters.tolist() == [0, 0, 1, 2]
    beta = tables()["beta"]
    alpha = tables()["alpha"].with_columns(page=pl.col("item").replace_strict(page))
    assert read_models({"a": alpha, "b": beta.drop("truth")}, cluster="page").clusters is not None


def test_ids_of_one_kind_meet() -> None:
    first = pl.DataFrame({"id": [1.0, 2.0, None], "correct": [1, 0, 1]})
    second = pl.DataFrame({"id": [2, 1], "correct": [1, 1]}, schema_overrides={"id": pl.UInt8})
    panel = read_models({"a": first, "b": second}, missing="drop")
    assert panel.wrong.tolist() == [[False, True], [False, False]]
    assert panel.missing == {"id": 1}
    assert panel.notes == ("Left out: 1 row without id.",)


def test_names_that_mean_harm_are_only_names() -> None:
    names = ["<script>alert(1)</script>", "[red]x[/]\nline", "-1"]
    frame = pl.DataFrame({"truth": ["a", "b"], **{name: ["a", "a"] for name in names}})
    assert read_models(frame).models == tuple(names)
    rows = frame.with_row_index("id").unpivot(names, index=["id", "truth"], variable_name="model", value_name="answer")
    assert read_models(rows).models == tuple(sorted(names))


def test_files_of_one_name_are_told_apart() -> None:
    files = [written(f"{folder}/preds.csv", "id,correct", "1,1", "2,0") for folder in ("new", "old")]
    assert read_models(files, on="id").models == ("new/preds", "old/preds")
    table = tables(RIGHT)["alpha"]
    table.write_csv("one.csv")
    table.write_parquet("one.parquet")
    assert read_models(["one.csv", "one.parquet"], on="item").models == ("one.csv", "one.parquet")


def test_against_a_loop_over_rows() -> None:
    random = np.random.default_rng(5)
    rows = [(f"i{item}", f"m{model}") for item in range(60) for model in range(4) for _ in range(random.integers(0, 3))]
    random.shuffle(rows)
    passed = random.random(len(rows)) < 0.6
    frame = pl.DataFrame({"id": [row[0] for row in rows], "model": [row[1] for row in rows], "passed": passed})
    panel = read_models(frame, missing="drop")
    tries, right = dict[tuple[str, str], int](), dict[tuple[str, str], int]()
    for row, good in zip(rows, passed, strict=True):
        tries[row] = tries.get(row, 0) + 1
        right[row] = right.get(row, 0) + int(good)
    items = sorted({row[0] for row in rows})
    full = [item for item in items if all((item, model) in tries for model in panel.models)]
    assert panel.right is not None
    assert panel.right.tolist() == [[right[item, model] for item in full] for model in panel.models]
    assert panel.dropped == len(items) - len(full)


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    a = written("a.csv", "id,truth,predicted", "1,x,x", "2,y,y")
    b = written("b.csv", "id,predicted", "2,x", "3,x")
    other = written("other.csv", "id,truth,predicted", "1,y,x", "2,x,y")
    capital = written("capital.csv", "id,truth,predicted", "Q1,x,x", "Q2,y,y")
    twice = written("twice.csv", "id,truth,predicted", "1,x,x", "1,x,y", "2,y,y")
    pl.DataFrame({"id": [1, 2], "truth": ["x", "y"], "predicted": ["x", "x"]}).write_parquet("numbers.parquet")
    wide = written("wide.csv", "truth,alpha,beta,note", "x,x,y,x", "y,y,y,z")
    passes = written("passes.csv", "alpha,beta", "1,0", "0,1")
    long = written("long.csv", "id,model,passed", "1,p,1", "1,q,0", "2,p,1")
    samples = written("samples.csv", "id,model,truth,predicted,s", "1,p,x,x,1", "1,p,x,x,2", "1,q,x,x,3")
    disagree = written("disagree.csv", "id,model,truth,predicted", "1,p,x,x", "1,q,y,x", "2,p,x,x", "2,q,x,x")
    case = written("case.csv", "id,model,truth,predicted", "1,p,no,no", "1,q,no,No", "2,p,yes,yes", "2,q,yes,yes")
    page = written("page.csv", "id,model,passed,page", "1,p,1,5", "1,q,0,6")
    written("part1.csv", "truth,m,n", "x,x,y", "y,y,y")
    written("part2.csv", "truth,n,m", "x,x,y", "y,y,y")
    headless = written("head.csv", "truth,a,b")
    calls: dict[str, Callable[[], object]] = {
        "a missing answer": lambda: read_models(long),
        "unequal items": lambda: read_models([a, b], on="id"),
        "no item in common": lambda: read_models([a, capital], on="id"),
        "no item in common, dropped": lambda: read_models([a, capital], on="id", missing="drop"),
        "truth that disagrees": lambda: read_models([a, other], on="id"),
        "truth that disagrees in a table": lambda: read_models(disagree),
        "clusters that disagree": lambda: read_models(page, cluster="page"),
        "an id twice": lambda: read_models([a, twice], on="id"),
        "an id twice in a wide table": lambda: (
            read_models(wide, models="alpha,beta", id="note", truth="truth")
            if Path(wide).write_text("truth,alpha,beta,note\nx,x,y,n\ny,y,y,n\n")
            else None
        ),
        "1 and '1'": lambda: read_models([a, "numbers.parquet"], on="id"),
        "no id": lambda: read_models([a, written("none.csv", "id,truth,predicted", "1,x,x", ",y,y")], on="id"),
        "an id that is not a number": lambda: read_models(
            [pl.DataFrame({"id": [1.0, float("nan")], "correct": [1, 0]}), pl.DataFrame({"id": [1], "correct": [1]})]
        ),
        "no ids at all": lambda: read_models([a, written("void.csv", "id,truth,predicted", ",x,x", ",y,y")], on="id"),
        "a sample without an answer": lambda: read_models(
            written("unanswered.csv", "id,model,passed", "1,p,1", "1,p,", "1,q,1", "2,p,1", "2,q,1")
        ),
        "parts of a wide table that do not fit": lambda: read_models("part?.csv"),
        "no model": lambda: read_models(written("gap.csv", "id,model,passed", "1,p,1", "1,,0", "1,q,1")),
        "unknown model": lambda: read_models(wide, models="alhpa,beta"),
        "unknown model in a long table": lambda: read_models(long, models="p,r"),
        "the same model twice": lambda: read_models(wide, models="alpha,alpha"),
        "the same file twice": lambda: read_models([a, a], on="id"),
        "one model of a long table": lambda: read_models(long, models="p"),
        "one model of a wide table": lambda: read_models(wide, models=["alpha"]),
        "one file": lambda: read_models([a], on="id"),
        "no file": lambda: read_models([], on="id"),
        "a pattern of models": lambda: read_models(wide, models="m_*"),
        "a pattern of files": lambda: read_models("nothing*.csv"),
        "a pattern of files to join": lambda: read_models("nothing*.csv", on="id"),
        "a name for each file": lambda: read_models([a, b], on="id", models="alpha"),
        "the truth as a model": lambda: read_models(wide, models="truth,alpha"),
        "unclear columns": lambda: read_models(written("u.csv", "truth,a,b,c", "x,x,y,x", "y,y,y,z")),
        "no columns": lambda: read_models(written("v.csv", "truth,a", "x,1", "y,2")),
        "no truth": lambda: read_models(passes),
        "no truth in any": lambda: read_models([b, written("b2.csv", "id,predicted", "2,x")], on="id"),
        "no truth so named": lambda: read_models([b, written("b3.csv", "id,predicted", "2,x")], on="id", truth="gold"),
        "neither right nor wrong": lambda: read_models(wide, correct=True, models="alpha,beta"),
        "no column of models": lambda: read_models(a, predicted="predicted"),
        "no id to join on": lambda: read_models([passes, a]),
        "unknown id": lambda: read_models([a, b], on="idd"),
        "two names of the id": lambda: read_models([a, b], on="id", id="key"),
        "right or wrong beside predictions": lambda: read_models(
            {
                "p": pl.DataFrame({"id": [1], "correct": [1]}),
                "q": pl.DataFrame({"id": [1], "truth": [1], "predicted": [1]}),
            }
        ),
        "right or wrong in several tables": lambda: read_models([a, b], on="id", correct=True),
        "written differently by one model": lambda: read_models(case),
        "scores of samples": lambda: read_models(samples, score="s", positive="x"),
        "one score for all": lambda: read_models(wide, models="alpha,beta", score="note"),
        "a score too few": lambda: read_models(wide, models="alpha,beta", score={"alpha": "note"}),
        "scores in another number": lambda: read_models(wide, models="alpha,beta", score=["note"]),
        "an empty file": lambda: read_models(written("empty.csv")),
        "a header alone": lambda: read_models(headless, models="a,b"),
        "no rows": lambda: read_models(pl.DataFrame(schema={"id": pl.Int64, "model": pl.String, "passed": pl.Int64})),
        "no rows to join": lambda: read_models([a, pl.DataFrame(schema={"id": pl.String, "correct": pl.Int64})]),
        "no frame": lambda: read_models(42),
    }
    told = messages(calls)
    matches("read_models_refusals", told)
    assert all(len(line) <= 600 for line in told.splitlines())


def test_what_is_no_column_of_models_is_refused_before_it_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 10)
    frame = pl.DataFrame({"id": range(6), "model": [f"m{i}" for i in range(6)], "passed": [1] * 6})
    many = pl.DataFrame({"id": range(6000), "model": [f"m{i}" for i in range(6000)], "passed": [1] * 6000})
    matches(
        "read_models_too_many", messages({"cells": lambda: read_models(frame), "models": lambda: read_models(many)})
    )


def test_a_wide_table_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a stream, hundreds of columns take sixty times as long."""
    engines: list[str] = []
    collect = pl.LazyFrame.collect

    def seen(frame: pl.LazyFrame, *given: Any, engine: str = "auto", **more: Any) -> Any:
        engines.append(engine)
        return collect(frame, *given, engine=engine, **more)

    pl.DataFrame({"truth": [0, 1, 1], "a": [0, 1, 0], "b": [1, 1, 1]}).write_csv(tmp_path / "wide.csv")
    monkeypatch.setattr(pl.LazyFrame, "collect", seen)
    assert read_models(tmp_path / "wide.csv", truth="truth").models == ("a", "b")
    assert "in-memory" in engines
    assert "streaming" not in engines


def test_values_that_count_as_right() -> None:
    long = pl.DataFrame({"id": [1, 2, 3] * 2, "model": ["a"] * 3 + ["b"] * 3, "grade": ["C", "I", "I", "P", "C", "I"]})
    tables = {name: long.filter(model=name).drop("model") for name in "ab"}
    for source, how in ((long, {}), (tables, {"on": "id"})):
        panel = read_models(source, correct="grade=C,P", **how)  # P, which only one of the models ever got
        assert panel.wrong.tolist() == [[False, True, True], [False, False, True]]
        assert read_models(source, correct={"grade": "C"}, **how).errors.k.tolist() == [2, 2]
        with pytest.raises(HoldfastError, match="no value in the column 'grade' named 'D'; choose from C, I, P"):
            read_models(source, correct="grade=C,D", **how)
        with pytest.raises(HoldfastError, match="column 'grade' holds 'P'"):
            read_models(source, correct="grade", **how)
    wide = read_models(pl.DataFrame({"a": ["C", "I"], "b": ["incorrect", "correct"], "n": [3, 4]}), correct=True)
    assert wide.wrong.tolist() == [[False, True], [True, False]]


def test_a_list_of_what_is_no_table_is_refused() -> None:
    for options in ({}, {"model": "m"}, {"id": "x"}):
        with pytest.raises(HoldfastError, match="Cannot read rows from an object of type"):
            read_models([0.5, 0.5], **options)


def test_folders_without_a_name_are_told_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("id,truth,predicted\n1,a,a\n", encoding="utf-8")
    with pytest.raises(HoldfastError, match="'\\.' is given twice"):
        read_models([".", "."], on="id")
