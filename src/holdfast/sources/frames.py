"""Data frames of any kind: those in memory become columns of ours, those elsewhere stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.arrays import column, label_column, numbers, tidy
from holdfast.predictions.rows import translated
from holdfast.predictions.wording import brief
from holdfast.sources.columns import Finds, Found, is_feature, is_number

if TYPE_CHECKING:
    import polars as pl

SOURCE = "the data frame"


def read_frame(frame: Any, asked: Finds, missing: Missing = "refuse") -> Predictions:
    """Predictions from a data frame, whatever library it comes from."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if isinstance(frame, pl.LazyFrame):
        return _lazy(frame, asked, missing)
    names, at = _by_position(frame)
    if at is None:
        with translated(SOURCE):
            known = nw.from_native(frame, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            return _elsewhere(known, asked, missing)
        if not isinstance(known, nw.DataFrame):
            raise _strange(frame)
        names, at = known.columns, lambda place: known.to_polars().to_series(place)
    columns, found = _columns(at, asked.find(names, SOURCE))
    return _made(nw.from_native(pl.DataFrame(columns).lazy()), found, missing, SOURCE)


def _columns(at: Callable[[int], Any], found: Found) -> tuple[dict[str, pl.Series], Found]:
    """The columns found; scores that nobody asked for and that are no numbers are left out."""
    columns = {}
    with translated(SOURCE):
        for role, place in found.places.items():
            values = at(place)
            try:
                columns[role] = _series(role, values)
            except InvalidEvidence as reason:
                if not (found.guessed and role.startswith("score")):
                    raise
                return _columns(at, found.without_scores(reason))
    return columns, found


def _made(rows: Any, found: Found, missing: Missing, source: str, written: pl.LazyFrame | None = None) -> Predictions:
    """Rows that have the columns found under our names."""
    return Predictions(
        rows,
        tuple(found.places),
        found.score_labels,
        missing,
        source,
        found.guessed,
        found.group_names,
        written,
        grading=found.grading,
        notes=found.notes,
    )


def _series(role: str, values: Any) -> pl.Series:
    """The column at hand, as its role asks."""
    if is_feature(role):
        return column(role, values)
    return numbers(role, values, SOURCE) if is_number(role) else label_column(role, values)


def _lazy(frame: pl.LazyFrame, asked: Finds, missing: Missing) -> Predictions:
    """A lazy frame of our own engine, of which only the schema is looked at."""
    with translated(SOURCE):
        names = frame.collect_schema().names()
    found = asked.find(names, SOURCE)
    return arranged(frame.select(names[place] for place in found.places.values()), found, missing, SOURCE)


def arranged(frame: pl.LazyFrame, found: Found, missing: Missing, source: str) -> Predictions:
    """Predictions from a lazy frame that has exactly the columns found, in their order."""
    import narwhals.stable.v2 as nw
    import polars as pl

    with translated(source):
        schema = frame.collect_schema()
    made, text = [], []
    for role, (name, kind) in zip([*found.places], schema.items(), strict=True):
        here = pl.col(name)
        if is_feature(role):
            pass
        elif not is_number(role):
            ready = tidy(name, kind, role)
            here = here if ready is None else ready
        elif kind == pl.String:
            trimmed = here.str.strip_chars()
            text.append(trimmed.alias(role))
            here = trimmed.cast(pl.Float64)
        elif kind.is_numeric() or kind in (pl.Boolean, pl.Null):
            here = here.cast(pl.Float64)
        else:
            reason = InvalidEvidence(f"{role} should hold numbers; it holds values of type {brief(kind, 60)}.")
            if not (found.guessed and role.startswith("score")):
                raise reason
            rest = [title for title, other in zip(schema, found.places, strict=True) if not other.startswith("score")]
            return arranged(frame.select(rest), found.without_scores(reason), missing, source)
        made.append(here.alias(role))
    return _made(nw.from_native(frame.select(made)), found, missing, source, frame.select(text) if text else None)


def _elsewhere(frame: Any, asked: Finds, missing: Missing) -> Predictions:
    """The rows stay with their engine; only the names change, and scores are numbers."""
    import narwhals.stable.v2 as nw

    with translated(SOURCE):
        schema = frame.collect_schema()
    names = [*schema]
    found = asked.find(names, SOURCE)
    made = []
    for role, place in found.places.items():
        here = nw.col(names[place])
        if is_number(role) and schema[names[place]] != nw.Float64:
            here = here.cast(nw.Float64)
        elif not is_feature(role) and schema[names[place]] in (nw.Categorical, nw.Enum):
            here = here.cast(nw.String)
        made.append(here.alias(role))
    return _made(frame.select(*made), found, missing, SOURCE)


def _by_position(frame: Any) -> tuple[list[str], Callable[[int], Any] | None]:
    """The names, and how to take the column at a place: in pandas and pyarrow a name may stand twice."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" and hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return [str(title) for title in frame.columns], lambda place: frame.iloc[:, place]
    if library == "pyarrow" and hasattr(frame, "column_names"):
        return frame.column_names, frame.column
    return [], None


def _strange(frame: object) -> HoldfastError:
    return HoldfastError(
        f"Cannot read rows from an object of type {type(frame).__name__}; give a path, a data frame, "
        "or, for arrays, their truth and predicted to assess()."
    )
