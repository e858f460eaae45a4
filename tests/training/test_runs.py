from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.resampling import plan
from holdfast.training import Fits, FoldFailed, fit_all, runs
from tests.needs import module
from tests.training.odd import Chancy, Leaving, Majority, Picky, Scored, Threads, Unsendable, Wrong

ROWS = 240


def data(classes: int = 3, names: tuple[str, ...] = ("b", "a", "c")) -> tuple[Any, Any]:
    random = np.random.default_rng(5)
    codes = random.integers(0, classes, ROWS)
    return random.normal(size=(ROWS, 4)) + codes[:, None], np.array(names)[codes]


X, Y = data()
TEN = plan("kfold", Y, folds=10, seed=2)


def same(left: Fits, right: Fits) -> bool:
    return left.frame().equals(right.frame())


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    "learner",
    [
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        DecisionTreeClassifier(random_state=3),
        LinearSVC(random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_predictions_and_scores_are_those_of_cross_val_predict(learner: Any, classes: int) -> None:
    x, y = data(classes)
    splits = plan("kfold", y, folds=5, seed=1)
    fits = fit_all(learner, x, y, splits, engine="serial")
    frame = fits.frame().sort("row")
    assert frame["predicted"].to_list() == cross_val_predict(learner, x, y, cv=splits).tolist()
    assert frame["truth"].to_list() == y.tolist()
    assert fits.scored_by in ("predict_proba", "decision_function")
    theirs = cross_val_predict(learner, x, y, cv=splits, method=fits.scored_by)
    if classes == 2:
        assert frame["score"].to_list() == (theirs if theirs.ndim == 1 else theirs[:, 1]).tolist()
    else:
        assert frame.select("^score_.*$").columns == ["score_a", "score_b", "score_c"]
        assert np.array_equal(frame.select("^score_.*$").to_numpy(), theirs)


def test_the_frame_says_which_model_said_what() -> None:
    twice = plan("kfold", Y, folds=3, repeats=2, seed=0)
    fits = fit_all(GaussianNB(), X, Y, twice, engine="serial")
    frame = fits.frame()
    assert frame.columns == ["row", "repeat", "fold", "truth", "predicted", "score_a", "score_b", "score_c"]
    assert len(frame) == 2 * ROWS
    here = frame.filter(pl.col("repeat") == 1, pl.col("fold") == 2)
    assert here["row"].to_list() == twice.test(5).tolist()
    assert here["predicted"].to_list() == [fits.classes[code] for code in fits[5].predicted]
    assert list(fits) == list(range(6))
    assert fits.seconds == sum(fits[split].seconds for split in fits) > 0


STARTING = pytest.mark.long  # processes take seconds to start


@pytest.mark.parametrize(
    ("workers", "engine"),
    [(1, "threads"), (2, "threads"), (1, "processes"), pytest.param(2, "processes", marks=STARTING)],
)
def test_chance_is_the_same_whoever_fits(engine: str, workers: int) -> None:
    forest = RandomForestClassifier(5)  # random_state is None
    alone = fit_all(forest, X, Y, TEN, engine="serial")
    assert same(alone, fit_all(forest, X, Y, TEN, engine=engine, workers=workers))
    assert not same(alone, fit_all(forest, X, Y, TEN, engine="serial", seed=1))
    assert forest.random_state is None


def test_each_split_has_its_own_chance_and_a_given_one_stays() -> None:
    learner, everything = Chancy(), plan("bootstrap-all", Y, rounds=3, seed=0)
    fits = fit_all(learner, X, Y, everything, engine="serial")
    assert not np.array_equal(fits[0].predicted, fits[1].predicted)
    kept = fit_all(Chancy(random_state=7), X, Y, everything, engine="serial")
    assert np.array_equal(kept[0].predicted, kept[1].predicted)
    some = fit_all(learner, X, Y, everything, splits=[2], engine="serial")
    assert list(some) == [2]
    assert np.array_equal(some[2].predicted, fits[2].predicted)


def test_chance_further_in_is_seeded_too() -> None:
    inner = GridSearchCV(
        make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random")),
        {"decisiontreeclassifier__max_depth": [1, 2, 3, 4]},
        cv=KFold(3, shuffle=True),
    )
    first, second = (fit_all(inner, X, Y, plan("kfold", Y, folds=3), engine="serial") for _ in range(2))
    assert same(first, second)
    assert inner.cv.random_state is None


def test_work_starts_here_and_moves_on_when_it_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = DecisionTreeClassifier(splitter="random")
    alone = fit_all(learner, X, Y, TEN, engine="serial")
    small = fit_all(learner, X, Y, TEN, workers=2)
    assert (small.engine, small.tasks) == ("serial", 0)
    monkeypatch.setattr(runs, "STARTING", 0.0)
    large = fit_all(learner, X, Y, TEN, workers=2)
    assert large.engine == "processes"
    assert 0 < large.tasks < 9
    monkeypatch.setattr(runs, "GRACE", 0.0)
    late = fit_all(learner, X, Y, TEN, workers=2)
    assert same(alone, small)
    assert same(alone, large)
    assert same(alone, late)


def test_leave_one_out_goes_in_batches() -> None:
    everyone = plan("leave-one-out", Y)
    fits = fit_all(GaussianNB(), X, Y, everyone, engine="processes", workers=2)
    assert fits.tasks < ROWS / 4
    assert fits.frame()["row"].to_list() == list(range(ROWS))
    theirs = cross_val_predict(GaussianNB(), X, Y, cv=everyone)
    assert fits.frame()["predicted"].to_list() == theirs.tolist()


@pytest.mark.parametrize("engine", ["serial", "threads", "processes"])
def test_linear_algebra_has_one_thread(engine: str) -> None:
    y = ["one", "two"] * 20
    x, threadpoolctl = np.zeros((40, 1)), import_module("threadpoolctl")
    with threadpoolctl.threadpool_limits(2):
        before = threadpoolctl.threadpool_info()
        fits = fit_all(Threads(), x, y, plan("kfold", y, folds=10), engine=engine, workers=2)
        assert threadpoolctl.threadpool_info() == before
    assert set(fits.frame()["predicted"]) == {"one"}


def test_examples_come_in_many_shapes() -> None:
    from scipy import sparse

    alone = fit_all(LogisticRegression(), X, Y, TEN, engine="serial")
    frame = pl.DataFrame(X, schema=list("pqrs"))
    for x in (X.tolist(), tuple(map(tuple, X)), frame, np.asfortranarray(X)):
        assert same(alone, fit_all(LogisticRegression(), x, Y.tolist(), TEN, engine="serial"))
    for kind in (sparse.csr_matrix, sparse.coo_array, sparse.csc_matrix):
        answers = fit_all(LogisticRegression(), kind(X), pl.Series(Y), TEN, engine="serial").predicted
        assert np.mean(answers == alone.predicted) > 0.98  # other sums
    texts = [f"{label} word" for label in Y]
    assert len(fit_all(Majority(), texts, Y, TEN, engine="serial")) == 10


def test_pandas_rows_are_taken_by_place() -> None:
    pandas = module("pandas")
    frame = pandas.DataFrame(X, columns=list("pqrs"), index=np.arange(ROWS)[::-1])
    alone = fit_all(GaussianNB(), X, Y, TEN, engine="serial")
    for y in (
        pandas.Series(Y, index=frame.index),
        pandas.Series(Y, dtype="category"),
        pandas.Series(Y, dtype="string"),
    ):
        assert same(alone, fit_all(GaussianNB(), frame, y, TEN, engine="serial"))


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array([2, 0, 7] * 80), [0, 2, 7]),
        (np.array([2, 0, 7] * 80, np.int8), [0, 2, 7]),
        (np.array([2.0, 1.0] * 120), [1.0, 2.0]),
        ([True, False] * 120, [False, True]),
        (np.array(["é", "z", "a"] * 80, object), ["a", "z", "é"]),
        (np.array([["a"], ["b"]] * 120), ["a", "b"]),
    ],
)
def test_labels_keep_their_kind_and_order(y: Any, classes: list[Any]) -> None:
    fits = fit_all(GaussianNB(), X, y, TEN, engine="serial")
    assert fits.classes == classes
    assert list(map(type, fits.classes)) == list(map(type, classes))
    assert fits.frame()["truth"].to_list() == np.ravel(y)[fits.rows].tolist()


def test_a_class_that_a_fold_did_not_see_has_the_lowest_score() -> None:
    y = np.array(["a", "b"] * 119 + ["c", "c"])
    grouped = plan([(np.arange(238), np.arange(230, 240)), (np.arange(10, 240), np.arange(10))], y)
    shares = fit_all(GaussianNB(), X, y, grouped, engine="serial")
    assert shares[0].scores is not None
    assert (shares[0].scores[:, 2] == 0).all()
    ranks = fit_all(LinearSVC(random_state=0), X, y, grouped, engine="serial")
    assert ranks[0].scores is not None
    assert ranks[0].scores.shape == (10, 3)
    assert (ranks[0].scores.argmax(axis=1) == ranks[0].predicted).all()


def test_without_scores_none_are_asked_for() -> None:
    assert fit_all(GaussianNB(), X, Y, TEN, engine="serial", scores=False).scores is None
    plain = fit_all(Majority(), X, Y, TEN, engine="serial")
    assert (plain.scores, plain.scored, plain.notes) == (None, False, ())
    assert plain.frame().columns == ["row", "repeat", "fold", "truth", "predicted"]


@pytest.mark.parametrize(("how", "said"), [("nan", "no numbers"), ("narrow", "shape (24, 2)")])
def test_scores_that_are_none_are_dropped_with_a_note(how: str, said: str) -> None:
    fits = fit_all(Scored(how), X, Y, TEN, engine="serial")
    assert fits.scores is None
    assert len(fits.notes) == 1
    assert "Split 0" in fits.notes[0]
    assert said in fits.notes[0]
    assert fit_all(Scored(), X, Y, TEN, engine="serial").scored
    ovo = fit_all(SVC(decision_function_shape="ovo"), *data(3), TEN, engine="serial", splits=[0])
    assert not ovo.scored  # three classes have three pairs: as many columns, and none of them ranks a class


@pytest.mark.parametrize(("engine", "workers"), [("serial", 1), (None, 2), ("threads", 2)])
def test_a_failing_fold_is_named_with_its_parameters(engine: str | None, workers: int) -> None:
    last = X[TEN.train(3)[-1], 0]
    failing = [split for split in range(10) if X[TEN.train(split)[-1], 0] == last]
    with pytest.raises(FoldFailed, match="RuntimeError: this will not do") as caught:
        fit_all(Picky(float(last)), X, Y, TEN, engine=engine, workers=workers)
    error = caught.value
    assert error.split in failing
    assert (error.repeat, error.fold) == TEN.place(error.split)
    assert f"fold {error.fold} (split {error.split}, counted from 0)" in str(error)
    assert f"Picky(wrong={float(last)!r}"[:16] in str(error)
    assert "Traceback" in error.__notes__[0]
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("short", "given 24 rows and answered with an array of shape (23,)"),
        ("wide", "shape (24, 2)"),
        ("unknown", "'a stranger', which is no label of y ('a', 'b', 'c')"),
        ("number", "0.0, which is no label of y"),
        ("none", "shape ()"),
    ],
)
def test_wrong_answers_fail_the_fold(how: str, said: str) -> None:
    with pytest.raises(FoldFailed) as caught:
        fit_all(Wrong(how), X, Y, TEN, engine="serial")
    assert said in str(caught.value)


def test_a_fold_with_one_class_is_the_learners_to_refuse() -> None:
    y = np.array(["a"] * 120 + ["b"] * 120)
    halves = plan([(np.arange(120), np.arange(120, 240))], y)
    with pytest.raises(FoldFailed, match=r"Repeat 0, fold 0 .*LogisticRegression\(\).*class"):
        fit_all(LogisticRegression(), X, y, halves, engine="serial")
    assert fit_all(GaussianNB(), X, y, halves, engine="serial")[0].predicted.tolist() == [0] * 120


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        (GaussianNB, r"is the class GaussianNB itself; make one of it: GaussianNB\(\)"),
        (StandardScaler(), "StandardScaler has no predict"),
        (data, "data has no get_params and no fit and no predict. It is a function: call it"),
        (LinearRegression(), "LinearRegression is a regressor"),
        ("GaussianNB", "str has no get_params"),
        (None, "NoneType has no"),
    ],
)
def test_what_is_no_classifier_is_refused(learner: Any, said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        fit_all(learner, X, Y, TEN)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (X[:-1], Y, "X has 239 rows and y 240 labels"),
        (X, Y[:-1], "y has 239 labels and the plan 240 rows"),
        (X, [None, *Y[1:]], "y misses 1 of 240 labels, the first in row 0"),
        (X, np.where(np.arange(ROWS) == 7, np.nan, 1.0), "y misses 1 of 240 labels, the first in row 7"),
        (X, X[:, 0], "y should hold labels; it holds numbers such as"),
        (X, X, "y needs one value a row"),
        ("text", Y, "X needs one row an example"),
        ([[1, 2], [3]] * 120, Y, "differ in length"),
        (pl.LazyFrame({"a": range(ROWS)}), Y, r"X\.collect\(\)"),
    ],
)
def test_data_that_do_not_fit_are_refused(x: Any, y: Any, said: str) -> None:
    with pytest.raises(InvalidEvidence, match=said):
        fit_all(GaussianNB(), x, y, TEN)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "procesess"}, "did you mean 'processes'"),
        ({"workers": 0}, "workers should be a whole number from 1 up; got 0"),
        ({"seed": -1}, "seed should be a whole number from 0 up; got -1"),
        ({"seed": None}, "seed should be"),
        ({"splits": [10]}, "splits 0 to 9; splits= asks for 10"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said) as caught:
        fit_all(GaussianNB(), X, Y, TEN, **options)
    assert ("engine" in options) == isinstance(caught.value, UnknownName)


def test_what_cannot_travel_stays_here_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "checked", lambda learner: learner)  # scikit-learn would not copy it either
    monkeypatch.setattr("sklearn.base.clone", lambda learner: learner)
    held = Unsendable(Lock())
    with pytest.raises(HoldfastError, match="Unsendable cannot be sent to other processes"):
        fit_all(held, X, Y, TEN, engine="processes", workers=2)
    monkeypatch.setattr(runs, "STARTING", 0.0)
    fits = fit_all(held, X, Y, TEN, workers=2)
    assert len(fits) == 10
    assert "fitted in this process" in fits.notes[0]
    assert len(fit_all(held, X, Y, TEN, engine="threads", workers=2)) == 10


@STARTING
def test_a_learner_from_a_file_goes_to_workers_with_its_code(tmp_path: Path) -> None:
    from importlib.util import module_from_spec, spec_from_file_location

    file = tmp_path / "nowhere_else.py"
    file.write_text(Path(sys.modules[Majority.__module__].__file__ or "").read_text())
    spec = spec_from_file_location("nowhere_else", file)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    sys.modules["nowhere_else"] = made
    try:
        spec.loader.exec_module(made)
        fits = fit_all(made.Majority(), X, Y, TEN, engine="processes", workers=2)
    finally:
        del sys.modules["nowhere_else"]
    assert same(fits, fit_all(Majority(), X, Y, TEN, engine="serial"))


def test_progress_is_told_from_none_to_all() -> None:
    told: list[tuple[int, int]] = []
    fit_all(GaussianNB(), X, Y, TEN, engine="serial", progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 10)
    assert told[-1] == (10, 10)
    assert told == sorted(told)


def test_the_data_are_told_apart_by_their_fingerprint() -> None:
    def print_of(x: Any, y: Any = Y) -> str:
        return fit_all(Majority(), x, y, TEN, splits=[0], engine="serial").fingerprint

    other = X.copy()
    other[3, 2] += 1e-9
    frame = pl.DataFrame(X, schema=list("pqrs"))
    prints = [print_of(X), print_of(other), print_of(X, Y[::-1]), print_of(frame), print_of(frame.rename({"p": "o"}))]
    assert len(set(prints)) == 5
    assert print_of(np.asfortranarray(X)) == prints[0]


@pytest.mark.long
def test_an_interrupt_leaves_what_is_finished(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, time
            import numpy as np
            from sklearn.naive_bayes import GaussianNB
            from holdfast.resampling import plan
            from holdfast.training import fit_all

            class Slow(GaussianNB):
                def fit(self, X, y):
                    time.sleep(0.4)
                    return super().fit(X, y)

            if __name__ == "__main__":
                y = np.arange(60) % 2
                fit_all(
                    Slow(), np.c_[y, y], y, plan("kfold", y, folds=30),
                    engine=sys.argv[2], workers=2, store=sys.argv[1],
                    progress=lambda done, total: print(done, flush=True),
                )
            """
        )
    )
    for engine in ("serial", "processes"):
        store = tmp_path / engine
        process = subprocess.Popen(
            [sys.executable, str(script), str(store), engine],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        while int(process.stdout.readline()) < 5:
            pass
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: everybody gets it
        assert process.wait(60) != 0
        process.stdout.close()
        kept = sum(pl.read_parquet(part)["split"].n_unique() for part in store.glob("parts-*"))
        assert 5 <= kept < 30
        assert not (store / "predictions.parquet").exists()


@pytest.mark.parametrize("engine", [None, "serial", "threads"])
def test_a_learner_that_leaves_is_a_failed_fold(engine: str | None) -> None:
    with pytest.raises(FoldFailed, match="SystemExit"):
        fit_all(Leaving(), X, Y, TEN, engine=engine)
