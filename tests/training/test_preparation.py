"""Frames reach their estimator as frames; what it cannot take is prepared in each training part, and said."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.render.page import page_html
from holdfast.training.given import fingerprint
from holdfast.training.preparation import MOST_VALUES, Prepared, prepared
from tests.needs import module
from tests.snapshots import matches, messages

N = 60
FRAME = pl.DataFrame(
    {
        "plain": np.random.default_rng(0).normal(size=N),
        "gaps": [None if place % 7 == 0 else float(place % 5) for place in range(N)],
        "text": [("one", "two", "three", None)[place % 4] for place in range(N)],
    }
)
Y = np.array(["ab"[place % 4 == 1] for place in range(N)])
KINDS = FRAME.select(
    whole=pl.int_range(pl.len()),
    flag=pl.int_range(pl.len()) % 2 == 0,
    real="plain",
    kind=pl.col("text").cast(pl.Categorical),
)
FRAMES = ["polars", "pandas"]


def in_library(frame: pl.DataFrame, library: str) -> Any:
    """The frame in that library, its columns of the same kinds."""
    if library == "polars":
        return frame
    module("pandas")
    return importlib.import_module("holdfast.sources.examples").in_pandas(frame)


class Own(ClassifierMixin, BaseEstimator):
    """An estimator of one's own that says nothing of what it takes, and reads columns by their names."""

    def __init__(self, column: str = "text") -> None:
        self.column = column

    def fit(self, X: Any, y: Any) -> Own:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.where(np.asarray(X[self.column], object) == "two", "b", "a")


class Noting(Own):
    """Notes what it is given."""

    seen: list[Any] = []  # noqa: RUF012  # shared by all copies, on purpose

    def fit(self, X: Any, y: Any) -> Own:
        self.seen.append(X)
        return super().fit(X, y)

    def predict(self, X: Any) -> Any:
        return np.full(len(X), "a")


class Strict(GaussianNB):
    """Refuses in words that do not depend on anybody's version."""

    def fit(self, X: Any, y: Any) -> Any:
        raise ValueError("these are no numbers")


class Lost(Own):
    """Says nothing of what it takes, and misses a column."""

    def fit(self, X: Any, y: Any) -> Any:
        raise KeyError("colour")


class Numbers(Own):
    """Declares that it takes gaps, and no text."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def by_name() -> Any:
    columns = ColumnTransformer([("text", OneHotEncoder(handle_unknown="ignore"), ["text"])])
    return make_pipeline(columns, DecisionTreeClassifier(random_state=0))


@pytest.mark.parametrize("library", FRAMES)
def test_an_estimator_is_given_the_frame_with_its_names_and_kinds(library: str) -> None:
    X = in_library(KINDS, library)
    Noting.seen.clear()
    hf.cross_assess(Noting(), X, Y, folds=2, engine="serial")
    assert [type(seen) for seen in Noting.seen] == [type(X)] * 2
    for seen in Noting.seen:
        assert list(seen.columns) == KINDS.columns
        assert list(seen.dtypes) == list(X.dtypes)


def test_an_array_stays_an_array() -> None:
    Noting.seen.clear()
    hf.cross_assess(Noting(), KINDS.select("whole", "real").to_numpy(), Y, folds=2, engine="serial")
    assert {type(seen) for seen in Noting.seen} == {np.ndarray}
    bare = FRAME["gaps"].to_numpy()[:, np.newaxis]
    model = GaussianNB()
    assert prepared(model, bare).estimator is model


def test_a_frame_has_one_fingerprint_whatever_library_holds_it() -> None:
    assert len({fingerprint(in_library(FRAME, library)) for library in FRAMES}) == 1
    assert fingerprint(FRAME) != fingerprint(FRAME.rename({"plain": "other"}))


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("engine", ["serial", pytest.param("processes", marks=pytest.mark.long)])
@pytest.mark.parametrize("make", [by_name, Own, GaussianNB])
def test_every_engine_trains_on_frames(make: Any, engine: str, library: str) -> None:
    result = hf.cross_assess(make(), in_library(FRAME, library), Y, folds=3, engine=engine, workers=2)
    assert result.folds is not None
    assert result.report.details["errors"] == 0 or make is GaussianNB


@pytest.mark.parametrize(
    ("estimator", "encoded", "imputed"),
    [
        (GaussianNB(), ["text"], ["gaps"]),
        (CategoricalNB(), ["text"], ["gaps"]),  # categories, but in numbers
        (DecisionTreeClassifier(), ["text"], []),
        (HistGradientBoostingClassifier(), ["text"], []),
        (HistGradientBoostingClassifier(categorical_features=["text"]), [], []),
        (Numbers(), ["text"], []),
        (DummyClassifier(), [], []),
        (Own(), [], []),
        (by_name(), [], []),
        (GridSearchCV(GaussianNB(), {}), [], []),
        (VotingClassifier([("one", GaussianNB())]), [], []),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("library", FRAMES)
def test_what_is_prepared_follows_from_what_the_estimator_declares(
    estimator: Any, encoded: list[str], imputed: list[str], library: str
) -> None:
    ready = prepared(estimator, in_library(FRAME, library))
    assert ([*ready.encoded], [*ready.imputed]) == (encoded, imputed)
    if not encoded and not imputed:
        assert ready.estimator is estimator
        assert ready.notes == []
    assert prepared(estimator, in_library(FRAME, library), "none").estimator is estimator


@pytest.mark.parametrize("library", FRAMES)
def test_categories_go_to_whoever_takes_them(library: str) -> None:
    X = in_library(KINDS, library)
    assert prepared(HistGradientBoostingClassifier(), X).encoded == ()
    assert prepared(GaussianNB(), X).encoded == ("kind",)
    both = in_library(KINDS.with_columns(FRAME["text"]), library)
    assert prepared(HistGradientBoostingClassifier(), both).encoded == ("kind", "text")  # an array has no categories


def test_numbers_without_gaps_need_nothing() -> None:
    model = GaussianNB()
    assert prepared(model, KINDS.drop("kind")).estimator is model


@pytest.mark.parametrize("library", [*FRAMES, "nullable"])
def test_text_becomes_a_column_a_value_and_gaps_the_median_of_the_training_part(library: str) -> None:
    X = in_library(FRAME, "pandas" if library == "nullable" else library)
    X = X.convert_dtypes() if library == "nullable" else X
    text, gaps = FRAME["text"].to_numpy(), FRAME["gaps"].to_numpy()
    train = np.flatnonzero((text == "two") | (text == "three"))[:20]
    model = prepared(LogisticRegression(), X).estimator
    model.fit(X.iloc[train] if hasattr(X, "iloc") else X[train], Y[train])
    seen = model[:-1].transform(X)
    np.testing.assert_array_equal(seen[:, 0], text == "three")  # what is unknown is none of the columns
    np.testing.assert_array_equal(seen[:, 1], text == "two")
    np.testing.assert_array_equal(seen[:, 2], np.where(np.isnan(gaps), np.nanmedian(gaps[train]), gaps))
    np.testing.assert_array_equal(seen[:, 3].astype(float), FRAME["plain"].to_numpy())
    assert model.predict(X).shape == (N,)


@pytest.mark.parametrize("library", [*FRAMES, "nullable"])
def test_gaps_are_kept_for_whoever_takes_them(library: str) -> None:
    X = in_library(FRAME, "pandas" if library == "nullable" else library)
    X = X.convert_dtypes() if library == "nullable" else X
    model = prepared(DecisionTreeClassifier(random_state=0), X).estimator
    np.testing.assert_array_equal(np.isnan(model[:-1].fit_transform(X).astype(float)[:, 4]), FRAME["gaps"].is_null())
    assert model.fit(X, Y).score(X, Y) == 1


def test_a_prepared_estimator_is_one_that_can_be_copied_and_set() -> None:
    model = clone(prepared(LogisticRegression(), FRAME).estimator).set_params(model__C=2.0)
    assert model.fit(FRAME, Y).score(FRAME, Y) == 1
    assert model.named_steps["model"].C == 2.0


def test_a_number_that_is_never_there_in_the_training_part_is_no_trouble() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0, None], "b": [None, None, 1.0, 2.0]})
    model = prepared(GaussianNB(), frame).estimator.fit(frame[:2], [0, 1])
    assert model.predict(frame).shape == (4,)


@pytest.mark.crossing(1)
@pytest.mark.parametrize("verb", [hf.cross_assess, hf.decompose, hf.learning_curve])
def test_every_verb_that_trains_says_what_it_prepared(verb: Any) -> None:
    result = verb(GaussianNB(), FRAME, Y, engine="serial", seed=1)
    report = getattr(result, "report", result)
    assert report.details["prepared"] == {"one_hot": ["text"], "median": ["gaps"]}
    said = "Text column text was one-hot encoded and missing values of gaps imputed by the median, inside each training"
    assert said in " ".join(str(report).replace("\n", " ").split())
    assert said in report._repr_html_() or said in " ".join(page_html(report).split())
    plain = verb(GaussianNB(), FRAME.select("plain"), Y, engine="serial", seed=1)
    assert getattr(plain, "report", plain).details["prepared"] is None


def test_columns_of_one_kind() -> None:
    assert Prepared(None, ("a", "b")).notes[0].startswith("Text columns a, b were one-hot encoded, inside each")
    assert Prepared(None, (), ("a", "b")).notes[0].startswith("Missing values of a, b were imputed by the median, ")


def test_text_may_have_many_values_but_not_any_number() -> None:
    names = pl.DataFrame({"name": [f"row {place}" for place in range(MOST_VALUES + 2)]})
    assert prepared(GaussianNB(), names[:MOST_VALUES]).encoded == ("name",)
    with pytest.raises(HoldfastError, match="holds 1,002 different texts"):
        prepared(GaussianNB(), names)
    assert prepared(by_name(), names).encoded == ()  # free text is what some pipelines are made for


def test_messages() -> None:
    days = pl.DataFrame({"day": pl.Series(["2020-01-01", "2020-01-02"]).str.to_date()})
    names = pl.DataFrame({"name": [f"row {place}" for place in range(MOST_VALUES + 2)]})
    gaps = FRAME.select("gaps")
    options: dict[str, Any] = {"folds": 2, "engine": "serial"}
    calls = {
        "no way": lambda: prepared(GaussianNB(), FRAME, "some"),  # type: ignore[arg-type]
        "a class": lambda: hf.cross_assess(GaussianNB, FRAME, Y),
        "dates": lambda: prepared(GaussianNB(), days),
        "lists": lambda: prepared(GaussianNB(), pl.DataFrame({"x": [[1], [2]]})),
        "names": lambda: prepared(GaussianNB(), names),
        "handed over": lambda: hf.cross_assess(Strict(), FRAME, Y, prepare="none", **options),
        "handed over, gaps only": lambda: hf.cross_assess(Strict(), gaps, Y, prepare="none", **options),
        "to a pipeline": lambda: hf.cross_assess(make_pipeline(Strict()), FRAME, Y, **options),
        "to who says nothing": lambda: hf.learning_curve(Lost(), FRAME, Y, engine="serial"),
        "in a decomposition": lambda: hf.decompose(Strict(), FRAME, Y, prepare="none", engine="serial"),
        "of another cause": lambda: hf.cross_assess(Lost(), KINDS.drop("kind"), Y, **options),
        "no parameter": lambda: hf.cross_assess(GaussianNB(), FRAME, Y, grid={"var_smoothin": [1]}),
        "no name": lambda: hf.cross_assess(GaussianNB(), FRAME, Y, name=3, **options),  # type: ignore[arg-type]
    }
    matches("errors_of_preparation", messages(calls))
