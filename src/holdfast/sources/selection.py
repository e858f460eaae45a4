"""The rows of a table under our names: each column as its role asks, wherever the rows live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design
from holdfast.predictions.grading import Values
from holdfast.predictions.rows import translated
from holdfast.predictions.series import column, label_column, numbers, tidy
from holdfast.sources.columns import ColumnPlaces, Declaring, Finder, is_feature, is_number
from holdfast.sources.logs.reading import LogTable
from holdfast.sources.logs.run import refuse_lost
from holdfast.sources.opening import open_table
from holdfast.sources.table import ID, MODEL, Header, Held, Part, Table, plain
from holdfast.wording import brief, listed, opening, quoted

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

ROW_BY_ROW, FROM_0_TO_1 = Design(), Values()


class Selection(NamedTuple):
    """Rows that have the columns that were found, under our names."""

    frame: nw.LazyFrame[Any]
    columns: ColumnPlaces
    source: str
    written: pl.LazyFrame | None = None  # the scores as text, where they still have to become numbers

    def collected(self) -> pl.DataFrame:
        """All of the rows, in memory."""
        with translated(self.source):
            return self.frame.collect("polars").to_native()

    def predictions(self, missing: Missing, design: Design = ROW_BY_ROW, values: Values = FROM_0_TO_1) -> Predictions:
        import narwhals.stable.v2 as nw

        frame, held = self.frame, tuple(self.columns.places)
        if "inclusion" in held:  # a row counts for one over the chance with which it was drawn
            held = tuple("weight" if name == "inclusion" else name for name in held)
            chance = nw.col("inclusion")
            frame = frame.with_columns((1.0 / chance).alias("weight")).select(*held)
        return Predictions(
            frame,
            held,
            self.columns.score_labels,
            missing,
            self.source,
            self.columns.guessed,
            self.columns.group_names,
            self.written,
            grading=self.columns.grading,
            notes=self.columns.notes,
            design=design,
            values=values,
        )


def read_predictions(
    source: Any,
    finder: Finder,
    missing: Missing = "refuse",
    separator: str | None = None,
    design: Design = ROW_BY_ROW,
    values: Values = FROM_0_TO_1,
) -> Predictions:
    """Predictions from files or a frame, of which nothing is read before they are tallied."""
    table = open_table(source, separator)
    if not isinstance(table, LogTable):
        return selected(table, finder).predictions(missing, design, values)
    if missing == "refuse":
        refuse_lost(table.runs)
    own = finder.declaring(table.declared) if isinstance(finder, Declaring) else finder
    rows = selected(table, own).predictions(missing, design, values)
    notes = [note for run in table.runs for note in run.notes]
    return replace(rows, runs=table.runs, notes=(*rows.notes, *notes))


def selected(table: Table, finder: Finder) -> Selection:
    """The columns that the finder wants; of rows in files and in other engines nothing is read yet."""
    import polars as pl

    first = table.parts[0]
    if isinstance(first.rows, pl.LazyFrame):
        return _scanned(*_joined(table, finder), table.name)
    columns = finder.find(first.header)
    return _held(first, columns) if isinstance(first.rows, Held) else _elsewhere(first, columns)


# ---- Rows that polars scans


def _joined(table: Table, finder: Finder) -> tuple[pl.LazyFrame, ColumnPlaces]:
    """The rows of all parts, each of which may have its columns in an order of its own."""
    every, names = [finder.find(part.header) for part in table.parts], [part.header.source for part in table.parts]
    if (place := _unlike(every)) is not None and all(columns.guessed for columns in every):
        reason = f"{names[place]} has others than {names[0]}."
        every = [columns.without_scores(reason) for columns in every]
        place = _unlike(every)
    if place is not None:
        raise HoldfastError(
            f"{names[place]} has other columns than {names[0]}; give truth= (--truth), predicted= (--predicted) and "
            "score= (--score)."
        )
    if table.is_text and not table.height:
        raise HoldfastError(f"{table.name} has a header but no rows below it.")
    return table.scanned([columns.places for columns in every]), every[0]


def _unlike(every: Sequence[ColumnPlaces]) -> int | None:
    """The first that has other columns than the very first."""
    kinds = [([*columns.places], columns.score_labels, columns.group_names) for columns in every]
    return next((place for place, kind in enumerate(kinds) if kind != kinds[0]), None)


def _scanned(frame: pl.LazyFrame, columns: ColumnPlaces, source: str) -> Selection:
    """A lazy frame that has exactly these columns, under our names."""
    import narwhals.stable.v2 as nw
    import polars as pl

    with translated(source):
        schema = frame.collect_schema()
    made, text = [], []
    for role, kind in schema.items():
        here = pl.col(role)
        if is_feature(role):
            pass
        elif not is_number(role):
            ready = tidy(role, kind, columns.called.get(role, role))
            here = here if ready is None else ready
        elif kind == pl.String:
            trimmed = here.str.strip_chars()
            text.append(trimmed)
            here = trimmed.cast(pl.Float64)
        elif kind.is_numeric() or kind in (pl.Boolean, pl.Null):
            here = here.cast(pl.Float64)
        else:
            reason = InvalidEvidence(f"{role} should hold numbers; it holds values of type {brief(kind, 60)}.")
            if not (columns.guessed and role.startswith("score")):
                raise reason
            fewer = columns.without_scores(reason)
            return _scanned(frame.select(*fewer.places), fewer, source)
        made.append(here)
    return Selection(nw.from_native(frame.select(made)), columns, source, frame.select(text) if text else None)


# ---- Rows in memory, and in other engines


def _held(part: Part, columns: ColumnPlaces) -> Selection:
    """Columns in memory; scores that nobody asked for and that are no numbers are left out."""
    import narwhals.stable.v2 as nw
    import polars as pl

    made = {}
    with translated(part.header.source):
        for role, place in columns.places.items():
            values = part.held.column(place)
            try:
                made[role] = _series(role, values, columns.called.get(role, role), part.header.source)
            except InvalidEvidence as reason:
                if not (columns.guessed and role.startswith("score")):
                    raise
                return _held(part, columns.without_scores(reason))
    return Selection(nw.from_native(pl.DataFrame(made).lazy()), columns, part.header.source)


def _series(role: str, values: Any, called: str, source: str) -> pl.Series:
    """The column at hand, as its role asks."""
    if is_feature(role):
        return column(called, values)
    return numbers(called, values, source) if is_number(role) else label_column(called, values)


def _elsewhere(part: Part, columns: ColumnPlaces) -> Selection:
    """The rows stay with their engine; only the names change, and scores are numbers."""
    import narwhals.stable.v2 as nw

    frame: Any = part.rows
    with translated(part.header.source):
        schema = frame.collect_schema()
    names = [*schema]
    made = []
    for role, place in columns.places.items():
        here = nw.col(names[place])
        if is_number(role) and schema[names[place]] != nw.Float64:
            here = here.cast(nw.Float64)
        elif not is_feature(role) and schema[names[place]] in (nw.Categorical, nw.Enum):
            here = here.cast(nw.String)
        made.append(here.alias(role))
    return Selection(frame.select(*made), columns, part.header.source)


# ---- Columns that are watched

WATCHED, ITEM = "watched_model", "watched_item_"
NAMED = 4  # models of a message


class Watching:
    """Finds the columns asked for, and those that would tell that the rows are of several models.

    A column is watched where nobody asked for it and it is called as that of the models, or of the items, usually is.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.names: dict[str, str] = {}  # what the user calls each column

    def declaring(self, columns: Mapping[str, str]) -> Watching:
        """Looking for columns that the rows themselves declare, where a user names none."""
        if isinstance(self.finder, Declaring):
            self.finder = self.finder.declaring(columns)
        return self

    def find(self, header: Header) -> ColumnPlaces:
        columns = self.finder.find(header)
        columns = replace(columns, places=columns.places | _watched(header, columns.places))
        self.names |= {role: header.names[place] for role, place in columns.places.items()}
        return columns

    def of_one_model(self, rows: Predictions) -> Predictions:
        """The rows without what was only watched; refused where that names several models of the same items."""
        kept = tuple(role for role in rows.columns if role != WATCHED and not role.startswith(ITEM))
        if len(kept) == len(rows.columns):
            return rows
        models = _models(rows)
        items = [role for role in rows.columns if role.startswith(ITEM) or role in ("id", "cluster")]
        for item in items if len(models) > 1 else ():
            if _shared(rows, item):
                raise HoldfastError(_refusal(rows.source, models, self.names[WATCHED], self.names[item]))
        return replace(rows, frame=rows.frame.select(*kept), columns=kept)


def _watched(header: Header, places: Mapping[str, int]) -> dict[str, int]:
    free = {plain(name): place for place, name in enumerate(header.names) if place not in places.values()}
    models, items = ([free[word] for word in role.words if word in free] for role in (MODEL, ID))
    if len(models) != 1 or not (items or {"id", "cluster"} & {*places}):
        return {}
    return {WATCHED: models[0], **{f"{ITEM}{i}": place for i, place in enumerate(items)}}


def _models(rows: Predictions) -> list[str]:
    values = rows.fetch(rows.frame.select(WATCHED).unique())[WATCHED].drop_nulls()
    return sorted(map(str, values.to_list()))


def _shared(rows: Predictions, item: str) -> bool:
    """Whether an item stands in rows of several models."""
    import narwhals.stable.v2 as nw

    here, model = nw.col(item), nw.col(WATCHED)
    answers = rows.frame.select(item, WATCHED).filter(~here.is_null(), ~model.is_null())
    ends = answers.group_by(item).agg(model.min().alias("first"), model.max().alias("last"))
    return bool(rows.fetch(ends.filter(nw.col("first") != nw.col("last")).head(1)).height)


def _refusal(source: str, models: list[str], model: str, item: str) -> str:
    more = f" and {len(models) - NAMED:,} more" if len(models) > NAMED else ""
    return (
        f"{opening(source)} has rows of {len(models):,} models, {listed(models[:NAMED])}{more} in the column "
        f"{quoted(model)}, for the same items, named in {quoted(item)}: together they would pass for one model's. "
        "Compare them by hf.compare (holdfast compare), or keep the rows of one; if "
        f"{quoted(model)} says something else, rename it."
    )
