"""Columns from whatever holds one value for each row: lists, arrays, and columns of any data frame.

A list or an array is read as it is. A column of a data frame may be one of the engine's, and only then is it needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.numerics.arrays import Array
from holdfast.predictions.coded import Coded, coded, kind, spelled
from holdfast.predictions.design import Design
from holdfast.predictions.objects import Column, from_objects, text_of
from holdfast.predictions.rows import not_a_number
from holdfast.wording import brief, listed, quoted

if TYPE_CHECKING:
    import polars as pl

NESTED = (list, tuple, np.ndarray)


def read_labels(name: str, values: object) -> Coded:
    """One label for each row, under its name."""
    found = read_column(name, values)
    if isinstance(found, Column):
        return coded(name, found)
    if isinstance(found, Coded):
        return found
    from holdfast.predictions.series import coded_labels

    return coded_labels(name, found)


def read_numbers(name: str, values: object) -> Array:
    """One number for each row, under its name, NaN where there is none; text is read as the number it writes."""
    found = read_column(name, values)
    if isinstance(found, Coded):
        found = from_objects(name, found.to_list())
    if not (isinstance(found, Column) and (found.numeric or found.text)):
        from holdfast.predictions.series import numbers

        return numbers(name, found).fill_null(np.nan).to_numpy()
    if not found.text:
        array = np.array(found.values, np.float64)  # a copy: the user's may change before it is looked at
        return array if found.missing is None else np.where(found.missing, np.nan, array)
    gone = np.zeros(len(found), np.bool_) if found.missing is None else found.missing
    written = zip(found.values, gone.tolist(), strict=True)
    return np.array([_written(name, row, None if no else text) for row, (text, no) in enumerate(written, 1)])


def read_design(design: Design) -> dict[str, Coded | Array]:
    """What a design says row by row: clusters and strata, and what each row counts for.

    A row counts for one over the chance with which it was drawn; whoever weighs rows refuses those that are none.
    """
    drawn = design.columns
    columns: dict[str, Coded | Array] = {
        name: read_labels(f"{name}s", drawn[name]) for name in ("cluster", "stratum") if name in drawn
    }
    if "weight" in drawn:
        columns["weight"] = read_numbers("weights", drawn["weight"])
    if "inclusion" in drawn:
        with np.errstate(divide="ignore"):
            columns["weight"] = np.asarray(1.0 / read_numbers("inclusion", drawn["inclusion"]))
    return columns


def read_scores(
    score: object, labelled: Sequence[Coded], labels: Iterable[object] | None
) -> tuple[dict[str, Array], tuple[str, ...]]:
    """One column `score`, or one for each label: `score_0`, `score_1`, ... and the labels they speak for."""
    if score is None:
        return {}, ()
    table, names = _table(score)
    if table is None or table.shape[1] == 1:
        return {"score": read_numbers("score", score if table is None else table[:, 0])}, ()
    width = table.shape[1]
    known = [spelled(label) for label in labels] if labels is not None else _distinct(labelled)
    if len(known) != width:
        given = "labels= lists" if labels is not None else "truth and predicted hold"
        raise InvalidEvidence(
            f"score has {width:,} columns, one a label, but {given} {len(known):,}: {brief(listed(known))}. "
            "Give labels= in the order of the columns."
        )
    if labels is None and names is not None:
        if set(names) != set(known):
            raise InvalidEvidence(
                f"score has the columns {brief(listed(names))}; the labels are {brief(listed(known))}. "
                "Give labels= in the order of the columns."
            )
        known = names
    return {f"score_{i}": read_numbers(f"score_{i}", table[:, i]) for i in range(width)}, tuple(known)


def read_column(name: str, values: Any) -> Column | Coded | pl.Series:
    """The values as one column, each of its own kind; what is no column is refused."""
    library = type(values).__module__.partition(".")[0]
    if isinstance(values, np.ndarray):
        return _from_numpy(name, values)
    if isinstance(values, (list, tuple)):
        if any(issubclass(kind, NESTED) for kind in set(map(type, values))):
            return _from_numpy(name, _array(name, values))
        return from_objects(name, values)
    if hasattr(values, "columns") or hasattr(values, "column_names"):
        table, _ = _table(values)
        return _from_numpy(name, _array(name, values) if table is None else table)
    if library == "pandas":
        return _from_pandas(name, values)
    if library == "polars" or hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return _from_engine(name, values)
    if isinstance(values, (str, bytes, dict, set, frozenset)) or not hasattr(values, "__len__"):
        if hasattr(values, "__next__"):
            return read_column(name, list(values))
        if not hasattr(values, "__array__"):
            raise InvalidEvidence(f"{name} needs one value a row, in order: a list or an array; got {quoted(values)}.")
    return _from_numpy(name, _array(name, values))


def _from_numpy(name: str, array: np.ndarray[Any, Any]) -> Column:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        advice = "Wrap it in a list."
        if array.ndim > 1:
            advice = "For one-hot rows give the label, e.g. array.argmax(axis=1)."
        raise InvalidEvidence(f"{name} needs one value a row; got an array of shape {array.shape}. {advice}")
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array)
    if array.dtype.kind == "O":
        held = array.tolist()
        if mask is not None:
            held = [None if gone else value for value, gone in zip(held, mask.tolist(), strict=True)]
        return from_objects(name, held)
    if array.dtype.kind in "cVm":
        raise InvalidEvidence(f"{name} should hold numbers, text or true/false; got an array of {array.dtype}.")
    return Column(array.astype(_plain(array.dtype), copy=False), mask)


def _plain(kind: np.dtype[Any]) -> Any:
    """The kind of number that every library holds these in."""
    if kind.kind == "M":
        return "datetime64[us]"
    return np.float64 if kind.kind == "f" and kind.itemsize not in (4, 8) else kind.newbyteorder("=")


def _from_pandas(name: str, values: Any) -> Column | Coded | pl.Series:
    """By position, whatever the index; pyarrow speeds this up where it is installed, and is not needed."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype):
        return _from_numpy(name, values.to_numpy())
    if dtype.name == "category":
        holder = getattr(values, "cat", values)
        known = read_labels(name, holder.categories)
        return Coded(known.values, np.append(known.codes, np.int32(-1))[np.asarray(holder.codes)]).compact()
    import polars as pl

    try:
        return pl.Series(name, values)
    except (ImportError, AttributeError, TypeError):  # no pyarrow, or a kind that it does not know
        return from_objects(name, values.to_numpy(dtype=object, na_value=None).tolist())


def _from_engine(name: str, values: Any) -> Column | pl.Series:
    import polars as pl

    column = pl.Series(name, values)
    return from_objects(name, column.to_list()) if column.dtype == pl.Object else column


def _table(values: Any) -> tuple[np.ndarray[Any, Any] | None, list[str] | None]:
    """The values as a table of several columns where they are one, and the names of its columns where they have any."""
    if hasattr(values, "columns") or hasattr(values, "column_names"):
        titles = list(getattr(values, "column_names", None) or values.columns)
        array = values.to_numpy() if hasattr(values, "to_numpy") else _array("score", values)
        return array, None if titles == list(range(len(titles))) else [spelled(title) for title in titles]
    nested = isinstance(values, (list, tuple)) and any(issubclass(kind, NESTED) for kind in set(map(type, values)))
    if nested or (not isinstance(values, (list, tuple)) and getattr(values, "ndim", 1) == 2):
        array = values if isinstance(values, np.ndarray) else _array("score", values)
        if array.ndim == 2:
            return array, None
    return None, None


def _array(name: str, values: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(values)
    except Exception as error:  # whatever a foreign array may raise
        raise InvalidEvidence(f"{name} cannot be read as an array: {brief(error)}") from None


def _written(name: str, row: int, value: Any) -> float:
    """The number that a text writes in plain digits."""
    text = text_of(value)
    if text is None:
        return np.nan
    text = text.strip()
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise not_a_number("the arrays", name, row, text)


def _distinct(columns: Sequence[Coded]) -> list[str]:
    """The labels seen, sorted as scikit-learn sorts its classes."""
    kinds = {kind(value) for column in columns for value in column.values[:1]}
    values = [value for column in columns for value in column.distinct]
    if len(kinds) == 1:
        return [spelled(value) for value in sorted({*values})]
    if "text" in kinds:
        return sorted({str(value).lower() if isinstance(value, bool) else str(value) for value in values})
    if kinds <= {"numbers", "true/false values"}:
        return [spelled(value) for value in sorted({value + 0 for value in values})]  # True is 1
    held = [type(column.values[0]).__name__ for column in columns]
    raise InvalidEvidence(f"truth holds values of type {held[0]}, predicted of type {held[1]}; make both the same.")
