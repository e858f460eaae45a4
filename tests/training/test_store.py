from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from holdfast.errors import HoldfastError
from holdfast.resampling import plan
from holdfast.training import Fits, FoldFailed, fit_all
from holdfast.training import store as storing
from tests.training.odd import Majority, Picky, Scored
from tests.training.test_runs import TEN, X, Y, data, same

LEARNER = DecisionTreeClassifier(max_depth=3, splitter="random")


def stored(path: Path, learner: Any = LEARNER, **options: Any) -> Fits:
    return fit_all(learner, X, Y, TEN, **({"engine": "serial", "store": path} | options))


def fitted_now(path: Path, **options: Any) -> tuple[int, Fits]:
    """How many splits were not in the store, and the fits."""
    told: list[int] = []
    fits = stored(path, progress=lambda done, total: told.append(done), **options)
    return 10 - told[0], fits


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "OFTEN", -1.0)  # a part for each split


def test_what_is_stored_is_what_is_returned(tmp_path: Path) -> None:
    fits = stored(tmp_path / "new" / "store")
    assert pl.read_parquet(tmp_path / "new" / "store" / "predictions.parquet").equals(fits.frame())
    said = json.loads((tmp_path / "new" / "store" / "plan.json").read_text())
    assert said["plan"] == TEN.to_dict()
    assert said["estimator"] == "sklearn.tree._classes:DecisionTreeClassifier"
    assert said["parameters"]["max_depth"] == "3"
    assert said["classes"] == ["a", "b", "c"]
    assert set(said["versions"]) == {"holdfast", "numpy", "scikit-learn"}
    assert sorted(path.name for path in (tmp_path / "new" / "store").iterdir()) == [
        "parts-00000.parquet",
        "plan.json",
        "predictions.parquet",
    ]


@pytest.mark.parametrize("learner", [LEARNER, GaussianNB(), Majority(), Scored("nan")], ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_finished_store_gives_everything_back(tmp_path: Path, learner: Any, classes: int) -> None:
    x, y = data(classes)
    first = fit_all(learner, x, y, TEN, store=tmp_path, engine="serial")
    again = fit_all(learner, x, y, TEN, store=tmp_path, engine="serial")
    assert same(first, again)
    assert first.notes == again.notes
    assert first.scored_by == again.scored_by
    assert first.seconds == pytest.approx(again.seconds)
    assert len(list(tmp_path.glob("parts-*"))) == 1


@pytest.mark.usefixtures("often")
def test_only_what_is_missing_is_fitted(tmp_path: Path) -> None:
    whole = stored(tmp_path / "whole")
    part = tmp_path / "part"
    assert fitted_now(part, splits=[0, 4, 7])[0] == 10 - 0
    assert len(list(part.glob("parts-*"))) == 3
    missing, fits = fitted_now(part)
    assert missing == 7
    assert same(whole, fits)
    assert len(list(part.glob("parts-*"))) == 10
    assert fitted_now(part)[0] == 0


@pytest.mark.usefixtures("often")
def test_a_failing_fold_leaves_the_finished_ones(tmp_path: Path) -> None:
    last = float(X[TEN.train(3)[-1], 0])
    first = min(split for split in range(10) if X[TEN.train(split)[-1], 0] == last)
    with pytest.raises(FoldFailed, match="What was finished is kept in the store"):
        fit_all(Picky(last), X, Y, TEN, engine="serial", store=tmp_path)
    assert len(list(tmp_path.glob("parts-*"))) == first


def test_what_waits_to_be_written_is_written_when_something_stops_the_run(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored(tmp_path, progress=stop)
    assert fitted_now(tmp_path)[0] == 0


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def rubbish(path: Path) -> None:
    path.write_bytes(pickle.dumps(os.getcwd))


def other_rows(path: Path) -> None:
    pl.read_parquet(path).with_columns(pl.col("row") + 1).write_parquet(path)


def fewer_rows(path: Path) -> None:
    pl.read_parquet(path).head(-1).write_parquet(path)


def other_labels(path: Path) -> None:
    pl.read_parquet(path).with_columns(predicted=pl.lit(3, pl.Int32)).write_parquet(path)


def other_split(path: Path) -> None:
    pl.read_parquet(path).with_columns(split=pl.lit(10, pl.Int64)).write_parquet(path)


def other_columns(path: Path) -> None:
    pl.read_parquet(path).drop("seconds").write_parquet(path)


def no_scores(path: Path) -> None:
    pl.read_parquet(path).with_columns(score_1=pl.lit(float("nan"))).write_parquet(path)


def missing(path: Path) -> None:
    pl.read_parquet(path).with_columns(predicted=pl.lit(None, pl.Int32)).write_parquet(path)


def no_text(path: Path) -> None:
    pl.read_parquet(path).with_columns(seconds=pl.lit("soon")).write_parquet(path)


def no_numbers(path: Path) -> None:
    pl.read_parquet(path).with_columns(split=pl.lit("first")).write_parquet(path)


HARMS = (truncate, empty, rubbish, other_rows, fewer_rows, other_labels, other_split, other_columns, no_scores, missing)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("harm", [*HARMS, no_text, no_numbers], ids=lambda harm: harm.__name__)
def test_a_part_that_is_not_whole_is_fitted_again_and_told(tmp_path: Path, harm: Any) -> None:
    whole = stored(tmp_path)
    harm(tmp_path / "parts-00004.parquet")
    number, fits = fitted_now(tmp_path)
    assert number == 1
    assert same(whole, fits)
    assert len(fits.notes) == 1
    assert fits.notes[0].startswith("parts-00004.parquet in the store cannot be read (")


def test_what_a_killed_run_left_unfinished_does_no_harm(tmp_path: Path) -> None:
    stored(tmp_path, splits=[0])
    (tmp_path / ".parts-00001.parquet.77.partial").write_bytes(b"half")
    assert fitted_now(tmp_path)[0] == 9


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"learner": DecisionTreeClassifier(max_depth=4, splitter="random")},
            'parameters max_depth is "3" there and "4" here',
        ),
        ({"learner": GaussianNB()}, "estimator is"),
        ({"seed": 1}, "seed is 0 there and 1 here"),
        ({"scores": False}, "scores is true there and false here"),
    ],
)
def test_other_work_is_refused_with_what_differs(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    stored(tmp_path)
    with pytest.raises(HoldfastError, match="holds other work") as caught:
        stored(tmp_path, **change)
    assert said in str(caught.value)


def test_other_data_and_other_splits_are_refused(tmp_path: Path) -> None:
    stored(tmp_path)
    other = X.copy()
    other[0, 0] += 1
    with pytest.raises(HoldfastError, match=r"other work: data is "):
        fit_all(LEARNER, other, Y, TEN, store=tmp_path)
    with pytest.raises(HoldfastError, match=r"plan fingerprint is .* plan seed is 2 there and 3 here"):
        fit_all(LEARNER, X, Y, plan("kfold", Y, folds=10, seed=3), store=tmp_path)


def test_other_versions_are_told(tmp_path: Path) -> None:
    stored(tmp_path, splits=[0])
    said = json.loads((tmp_path / "plan.json").read_text())
    said["versions"]["scikit-learn"] = "1.0"
    (tmp_path / "plan.json").write_text(json.dumps(said))
    assert "scikit-learn 1.0" in stored(tmp_path).notes[0]


@pytest.mark.parametrize("content", ["", "[]", "{", "{}", '"plan"'])
def test_a_plan_that_cannot_be_read_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(HoldfastError, match=r"plan\.json' cannot be read"):
        stored(tmp_path)


def test_a_directory_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(HoldfastError, match=r"which holds 'thesis\.tex', is not one of this library"):
        stored(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    (tmp_path / "thesis.tex").rename(tmp_path / "parts-00000.parquet")
    with pytest.raises(HoldfastError, match=r"which holds parts but no plan\.json"):
        stored(tmp_path)


def test_a_place_that_cannot_be_written_to_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        with pytest.raises(HoldfastError, match=r"The store '.*' cannot be used \(.*Give a directory to write to"):
            stored(path)


def test_a_parameter_is_told_the_same_way_in_every_process() -> None:
    def function() -> None: ...

    assert "0x" not in storing._said(function)
    assert storing._said(np.arange(5000)) != storing._said(np.arange(5000) + (np.arange(5000) == 2500))
