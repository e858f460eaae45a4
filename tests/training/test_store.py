from __future__ import annotations

import json
import os
import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import sklearn
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from holdfast.errors import HoldfastError
from holdfast.resampling import plan
from holdfast.training import Fits, FoldFailed, fit_all
from holdfast.training import store as storing
from tests.training.odd import Majority, Picky, Scored
from tests.training.test_runs import TEN, X, Y, data, same

SKLEARN = str(sklearn.__version__)
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
    assert said["code"]["packages"] == {"sklearn": sklearn.__version__}
    part, *others = sorted(path.name for path in (tmp_path / "new" / "store").iterdir())
    assert re.fullmatch(r"parts-00000-[0-9a-f]{32}\.parquet", part)
    assert others == ["plan.json", "predictions.parquet"]


@pytest.mark.parametrize("learner", [LEARNER, GaussianNB(), Majority(), Scored("nan")], ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_finished_store_gives_everything_back(tmp_path: Path, learner: Any, classes: int) -> None:
    x, y = data(classes)
    first = fit_all(learner, x, y, TEN, store=tmp_path, engine="serial")
    again = fit_all(learner, x, y, TEN, store=tmp_path, engine="serial")
    assert same(first, again)
    assert ("10 of 10 splits were fitted earlier.", *first.notes) == again.notes
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


def truth(path: Path) -> None:
    """All that is predicted was right."""
    codes = pl.Series(np.unique(Y, return_inverse=True)[1].astype(np.int32))
    pl.read_parquet(path).with_columns(predicted=codes.gather(pl.read_parquet(path)["row"])).write_parquet(path)


def no_checksum(path: Path) -> None:
    path.rename(path.with_name("parts-00004.parquet"))


def of_other_work(path: Path) -> None:
    """The same predictions of the same rows, kept by another seed, in a file that is whole."""
    stored(path.parent / "other", GaussianNB(), seed=1)
    (other,) = (path.parent / "other").glob("parts-00004-*")
    path.unlink()
    other.rename(path.with_name(other.name))
    shutil.rmtree(path.parent / "other")


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(
    "harm", [truncate, empty, rubbish, truth, no_checksum, of_other_work], ids=lambda harm: harm.__name__
)
def test_a_part_that_is_not_as_it_was_written_is_fitted_again_and_told(tmp_path: Path, harm: Any) -> None:
    whole = stored(tmp_path, GaussianNB())
    harm(next(tmp_path.glob("parts-00004-*")))
    number, fits = fitted_now(tmp_path, learner=GaussianNB())
    assert number == 1
    assert same(whole, fits)
    told, damaged = fits.notes
    assert told == "9 of 10 splits were fitted earlier."
    assert re.fullmatch(
        r"parts-00004\S* in the store cannot be read \(its checksum does not fit\); its splits are fitted again\.",
        damaged,
    )
    assert stored(tmp_path, GaussianNB()).notes == ("10 of 10 splits were fitted earlier.",)


def test_no_flipped_bit_changes_a_result(tmp_path: Path) -> None:
    whole = stored(tmp_path)
    assert whole.work is not None
    for path in (next(tmp_path.glob("parts-*")), tmp_path / storing.PLAN):
        content = path.read_bytes()
        for place in np.linspace(0, len(content) - 1, 40, dtype=int).tolist():
            harmed = bytearray(content)
            harmed[place] ^= 1 << place % 8
            path.write_bytes(harmed)
            store = storing.Store.open(tmp_path, whole.work)
            assert len(store.notes) == 1, place
            for split, fit in store.finished.items():
                assert np.array_equal(fit.predicted, whole[split].predicted)
            assert bool(store.finished) == (path.name == storing.PLAN)
            path.write_bytes(content)


def test_a_damaged_plan_says_nothing_of_parts_of_other_work(tmp_path: Path) -> None:
    stored(tmp_path)
    (tmp_path / storing.PLAN).write_text("{}")
    with pytest.raises(HoldfastError, match=r"plan\.json' cannot be read \(its checksum does not fit\)"):
        stored(tmp_path, seed=1)
    assert (
        stored(tmp_path).notes[-1]
        == "plan.json in the store was damaged (its checksum does not fit); it is written anew."
    )
    assert len(stored(tmp_path).notes) == 1


def test_a_plan_of_which_nothing_was_fitted_binds_nobody(tmp_path: Path) -> None:
    stored(tmp_path, splits=[])
    assert stored(tmp_path, seed=1).notes == ()


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (1, r"written by Holdfast 0\.1, which kept neither checksums nor .* fit them anew"),
        (3, "format 3. Give another"),
    ],
)
def test_a_store_of_another_format_is_refused(tmp_path: Path, form: int, reason: str) -> None:
    stored(tmp_path)
    plan_file = tmp_path / storing.PLAN
    said = json.loads(plan_file.read_text()) | {"format": form}
    signed = storing._signed(said) if form > 1 else {name: said[name] for name in said if name != "checksum"}
    plan_file.write_text(json.dumps(signed))
    with pytest.raises(HoldfastError, match=reason):
        stored(tmp_path)


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


class Closed(Majority):
    """Shows no parameter further in."""

    def __init__(self, inner: Any = None) -> None:
        self.inner = inner

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"inner": self.inner}


def test_a_value_that_nobody_shows_is_bound_too(tmp_path: Path) -> None:
    stored(tmp_path, Closed(GaussianNB()))
    assert stored(tmp_path, Closed(GaussianNB())).notes == ("10 of 10 splits were fitted earlier.",)
    with pytest.raises(HoldfastError, match="other work: a value inside the learner was changed"):
        stored(tmp_path, Closed(GaussianNB(var_smoothing=0.5)))


def test_other_data_and_other_splits_are_refused(tmp_path: Path) -> None:
    stored(tmp_path)
    other = X.copy()
    other[0, 0] += 1
    with pytest.raises(HoldfastError, match=r"other work: data is "):
        fit_all(LEARNER, other, Y, TEN, store=tmp_path)
    with pytest.raises(HoldfastError, match=r"plan fingerprint is .* plan seed is 2 there and 3 here"):
        fit_all(LEARNER, X, Y, plan("kfold", Y, folds=10, seed=3), store=tmp_path)


def test_other_versions_beside_the_learner_are_told(tmp_path: Path) -> None:
    stored(tmp_path, splits=[0])
    said = json.loads((tmp_path / "plan.json").read_text())
    said["versions"]["numpy"] = "1.0"
    (tmp_path / "plan.json").write_text(json.dumps(storing._signed(said)))
    told, versions = stored(tmp_path).notes
    assert told == "1 of 10 splits was fitted earlier."
    assert "numpy 1.0" in versions


def test_another_version_of_the_package_that_the_learner_is_of_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(tmp_path, splits=[0])
    monkeypatch.setattr(sklearn, "__version__", "99.1")
    with pytest.raises(HoldfastError, match=rf"the package sklearn was {re.escape(SKLEARN)} and is 99\.1\. Give"):
        stored(tmp_path)


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
