"""Columns that an estimator cannot take, made so that it can: learnt in each training part, and always said.

A frame goes to its estimator as it is wherever that can be. Whether it can is asked of what the estimator declares,
never of labels or of a trial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, UnknownName
from holdfast.training.fit import FoldFailed
from holdfast.training.given import checked
from holdfast.wording import brief, listed, quoted

Kind = Literal["number", "text", "category", "other"]
TRUSTED = ("sklearn.", "holdfast.")  # whose tags are tested, so that what they do not say is not so
BARE = ("sklearn.base", "sklearn.utils")  # what anybody's estimator is derived from, and says nothing of it


@dataclass(frozen=True)
class Column:
    """One column of a frame, as far as estimators differ in what they take."""

    place: int
    name: str
    kind: Kind
    gaps: bool
    values: Any  # a series of narwhals


class Takes(NamedTuple):
    """What an estimator declares to take beside numbers."""

    text: bool
    categories: bool
    gaps: bool
    anything: bool = False  # it does not look at the columns at all


def columns_of(X: Any) -> list[Column]:
    """The columns of a pandas or a polars frame; none of anything else, nor of one that names a column twice."""
    if not hasattr(X, "columns"):
        return []
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except NarwhalsError:
        return []
    if not isinstance(frame, nw.DataFrame) or not (
        frame.implementation.is_pandas_like() or frame.implementation.is_polars()
    ):
        return []
    found = []
    for place, values in enumerate(frame.iter_columns()):
        gaps = bool(values.is_null().any()) or (values.dtype.is_float() and bool(values.is_nan().any()))
        found.append(Column(place, str(values.name), _kind(values), gaps, values))
    return found


def taken_by(estimator: Any) -> Takes | None:
    """What the estimator declares to take; None of one that declares nothing, or is made of other estimators.

    Examples
    --------
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> taken_by(HistGradientBoostingClassifier())
    Takes(text=False, categories=True, gaps=True, anything=False)
    >>> taken_by(HistGradientBoostingClassifier(categorical_features=["colour"])).text
    True
    """
    from sklearn.utils import get_tags

    parameters = estimator.get_params(deep=True)
    trusted = _trusted(type(estimator))
    if any(hasattr(value, "fit") for value in parameters.values()) or not (trusted or _declares(type(estimator))):
        return None
    try:
        tags = get_tags(estimator)
    except Exception:  # it merely acts like an estimator of scikit-learn
        return None
    inputs, marked = tags.input_tags, parameters.get("categorical_features")
    by_type = isinstance(marked, str) and marked == "from_dtype"
    text = inputs.string or (inputs.categorical and not inputs.positive_only)  # what must be positive is a number
    text = text or (marked is not None and not by_type)  # it was told which columns are no numbers
    return Takes(text, text or by_type or not trusted, inputs.allow_nan, tags.no_validation)


def _trusted(kind: type) -> bool:
    return any(base.__module__.startswith(TRUSTED) and not base.__module__.startswith(BARE) for base in kind.__mro__)


def _declares(kind: type) -> bool:
    """Whether the class says itself what it takes, beyond what everybody's does who says nothing."""
    return any("__sklearn_tags__" in vars(base) and not base.__module__.startswith(BARE) for base in kind.__mro__)


def _kind(values: Any) -> Kind:
    """What the column holds; of what nobody knows, numbers: its estimator will say."""
    import narwhals.stable.v2 as nw

    if values.dtype == nw.String:
        return "text"
    if values.dtype in (nw.Categorical, nw.Enum):
        return "category" if values.cat.get_categories().dtype == nw.String else "number"
    return "other" if values.dtype.is_temporal() or values.dtype.is_nested() else "number"


Prepare = Literal["auto", "none"]
PREPARE: tuple[str, ...] = get_args(Prepare)
MOST_VALUES = 1_000  # of a column of text; more look like names or numbers of rows


@dataclass(frozen=True, eq=False)
class Prepared:
    """What is trained on a frame: the estimator, perhaps behind what its columns need, and which columns those are."""

    estimator: Any
    encoded: tuple[str, ...] = ()  # one-hot
    imputed: tuple[str, ...] = ()  # by the median
    advice: str = ""  # of columns that were handed over, for whom they may be too much

    @property
    def notes(self) -> list[str]:
        """What was done, for a reader.

        Examples
        --------
        >>> print(*Prepared(None, ("colour", "shape"), ("age",)).notes)
        Text columns colour, shape were one-hot encoded and missing values of age imputed by the median, inside each \
training part; prepare='none' (--prepare none) hands the columns over as they are.
        """
        done = []
        if self.encoded:
            done.append(f"text {_columns(self.encoded)} {'were' if len(self.encoded) > 1 else 'was'} one-hot encoded")
        if self.imputed:
            done.append(f"missing values of {listed([*self.imputed])} {'' if done else 'were '}imputed by the median")
        if not done:
            return []
        sentence = " and ".join(done)
        way = "prepare='none' (--prepare none) hands the columns over as they are"
        return [f"{sentence[:1].upper()}{sentence[1:]}, inside each training part; {way}."]

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Whoever fails on columns that were handed over is told so."""
        try:
            yield
        except FoldFailed as failed:
            if self.advice:
                failed.args = (f"{str(failed).rstrip('.')}. {self.advice}",)
            raise


def prepared(estimator: Any, X: Any, prepare: Prepare = "auto") -> Prepared:  # scikit-learn's name
    """The estimator behind what it needs to take these columns; as it is where it needs nothing.

    Text becomes one column per value, and what is missing among numbers the median. Both are learnt with the
    estimator from the part it is trained on, so that the part it is tested on has no say. A value that did not
    occur there is none of the columns. The estimator's parameters are found under `model__`.

    Arrays are handed over as they are. So are frames to an estimator made of others, such as a pipeline, a search or a
    vote: whoever put it together arranged its columns. So are they to one that does not declare what it takes.

    Examples
    --------
    >>> import polars as pl
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> X = pl.DataFrame({"age": [20, None, 40], "colour": ["red", "blue", "red"]})
    >>> made = prepared(GaussianNB(), X)
    >>> made.encoded, made.imputed
    (('colour',), ('age',))
    >>> prepared(make_pipeline(GaussianNB()), X).notes
    []
    """
    if prepare not in PREPARE:
        raise UnknownName("way to prepare columns", prepare, PREPARE)
    copy, columns = checked(estimator), columns_of(X)
    if not any(column.kind != "number" or column.gaps for column in columns):
        return Prepared(estimator)
    takes = taken_by(copy)
    if prepare == "none" or takes is None:
        return Prepared(estimator, advice=_advice(columns, takes, prepare))
    encoded, imputed = _needed(columns, takes)
    if not encoded and not imputed:
        return Prepared(estimator)
    for column in encoded:
        _check_values(column)
    kept = [each for each in columns if each.kind == "number" and each.gaps and each not in imputed]
    model = _behind(estimator, *([each.place for each in some] for some in (encoded, imputed, kept)))
    return Prepared(model, tuple(each.name for each in encoded), tuple(each.name for each in imputed))


def _needed(columns: Sequence[Column], takes: Takes) -> tuple[list[Column], list[Column]]:
    """The columns to encode, and those to impute."""
    if takes.anything:
        return [], []
    for column in columns:
        if column.kind == "other" and not takes.text:
            raise HoldfastError(
                f"The column {quoted(column.name)} holds values of type {column.values.dtype}; make numbers or text of "
                f"them, or leave it out by `X.drop(columns=...)` (--drop {brief(column.name, 60)})."
            )
    imputed = [each for each in columns if each.kind == "number" and each.gaps and not takes.gaps]
    text = [each for each in columns if each.kind == "text" and not takes.text]
    categories = [each for each in columns if each.kind == "category" and not takes.text]
    # What comes out of an encoder has no types any more: beside what it encodes, categories cannot stay.
    whole = takes.categories and not text and not imputed
    return sorted(text + ([] if whole else categories), key=lambda each: each.place), imputed


def _check_values(column: Column) -> None:
    known = column.values.drop_nulls().unique()
    if len(known) > MOST_VALUES:
        some = [quoted(value) for value in sorted(map(str, known.to_list()))[:2]]
        raise HoldfastError(
            f"The column {quoted(column.name)} holds {len(known):,} different texts, as {' and '.join(some)}: it looks "
            "like a name, a number of a row or free text, from which nothing carries over to other rows. Leave it out "
            f"by `X.drop(columns=...)` (--drop {brief(column.name, 60)}), or make numbers of it."
        )


def _behind(estimator: Any, text: Sequence[int], gaps: Sequence[int], kept: Sequence[int]) -> Any:
    """The estimator behind encoders of the text and imputers of the gaps; other gaps are kept, as NaN."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

    one_hot = Pipeline(
        [
            ("values", FunctionTransformer(plain_text)),
            ("one_hot", OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
        ]
    )
    steps = [
        ("text", one_hot, text),
        ("gaps", SimpleImputer(strategy="median", keep_empty_features=True), gaps),
        ("kept", FunctionTransformer(plain_numbers), kept),
    ]
    columns = ColumnTransformer([step for step in steps if step[2]], remainder="passthrough")
    return Pipeline([("columns", columns), ("model", estimator)])


def plain_text(X: Any) -> NDArray[np.object_]:
    """The values as objects of Python, None where there is none: what every library has, and every encoder takes."""
    import narwhals.stable.v2 as nw

    columns = [values.to_list() for values in nw.from_native(X, eager_only=True).iter_columns()]
    table = np.empty((len(columns[0]), len(columns)), object)
    for place, values in enumerate(columns):
        table[:, place] = [value if isinstance(value, str) else None for value in values]
    return table


def plain_numbers(X: Any) -> NDArray[np.float64]:
    """The values as numbers, NaN where there is none, whatever a library writes for it."""
    import narwhals.stable.v2 as nw

    columns = nw.from_native(X, eager_only=True).iter_columns()
    return np.column_stack([values.cast(nw.Float64).fill_null(np.nan).to_numpy() for values in columns])


def _advice(columns: Sequence[Column], takes: Takes | None, prepare: str) -> str:
    """What whoever cannot take the columns should do about them."""
    lacks = Takes(False, False, False) if takes is None else takes
    if lacks.anything:
        return ""
    text = [each.name for each in columns if each.kind != "number" and not lacks.text]
    gaps = [each.name for each in columns if each.kind == "number" and each.gaps and not lacks.gaps]
    if not text and not gaps:
        return ""
    of_text = f"the {_columns(text)} {'hold' if len(text) > 1 else 'holds'} no numbers" if text else ""
    of_gaps = f"values of {listed(gaps)} are missing" if gaps else ""
    both = " and ".join(filter(None, (of_text, of_gaps)))
    if prepare == "none" and takes is not None:
        return f"It was given the columns as they are, and {both}: prepare='auto' (--prepare auto) encodes and imputes."
    advice = "encode and impute them in a pipeline, or leave them out by `X.drop(columns=...)` (--drop NAME)"
    return f"It was given the columns as they are, and {both}: {advice}."


def _columns(names: Sequence[str]) -> str:
    return f"column{'s' * (len(names) > 1)} {listed([*names])}"
