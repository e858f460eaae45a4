"""What the columns of a frame hold, and what an estimator declares to take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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
