"""Labels that stand in a file of their own, joined to predictions by the item that both are about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import texts
from holdfast.predictions.rows import translated
from holdfast.predictions.series import column, label_column
from holdfast.sources.opening import open_table
from holdfast.sources.table import TRUTH, Header, Table
from holdfast.wording import counted, listed, opening, some

if TYPE_CHECKING:
    import polars as pl

KEY = "\x00item"  # a name that no file has


class Labelled(NamedTuple):
    """Predictions with their labels beside them, and what the column of the labels is called."""

    table: Table
    truth: str


def read_labels_of(
    labels: Any, id_: str | None, truth: str | None, separator: str | None = None
) -> tuple[list[str], list[str | None]]:
    """The ids and the labels of a file, as text; without a column of ids, each row is known by its position."""
    table = open_table(labels, separator)
    name = truth_column(table.header, truth)
    if id_ is not None:
        table.header.place(id_)
    frame = _collected(table)
    ids = [str(place) for place in range(1, frame.height + 1)] if id_ is None else _ids(frame, id_, table.name)
    return ids, texts(label_column(name, frame[name]).to_list())


def ids_in(source: Any, on: str, separator: str | None = None) -> list[str]:
    """What the items of a table are called."""
    table = open_table(source, separator)
    table.header.place(on)
    return _ids(_collected(table), on, table.name)


def with_labels(
    source: Any,
    labels: Any,
    on: str | None = None,
    truth: str | None = None,
    separator: str | None = None,
    sealed: bool = False,
) -> Labelled:
    """The rows of the predictions and those of the labels, each with what the other knows of the same item.

    Neither drops a row in silence: an item that only one of both has is there without a prediction, or a label. Without
    a column to join on, rows stand in the same order. Where it is `sealed`, nothing that is wrong with the labels is
    told: they are then no labels.
    """
    table = open_table(source, separator)
    if on is not None:
        table.header.place(on)
    frame = _collected(table)
    known = _opened(labels, separator, sealed)
    name = (truth or "truth") if known is None else truth_column(known.header, truth)
    if on is not None and known is not None:
        known.header.place(on)
    beside = _readable(known, name, on, sealed)
    called = "the labels" if known is None else known.name
    frame = frame.drop(name, strict=False) if name != on else frame
    beside = beside.select([each for each in beside.columns if each in (on, name) or each not in frame.columns])
    if on is None:
        if frame.height != beside.height:
            raise HoldfastError(
                f"{opening(table.name)} has {counted(frame.height, 'row')} and {called} {beside.height:,}: without "
                "on= (--on), the column that names the item, rows stand in the same order."
            )
        joined = frame.hstack(beside.drop(KEY, strict=False))
    else:
        joined = _joined(frame, beside, on, table.name, called)
    return Labelled(Table.of_frame(f"{table.name} with {called}", joined), name)


def truth_column(header: Header, truth: str | None) -> str:
    """What the column of the labels is called."""
    places = header.places((TRUTH,), {"truth": truth})
    if not places:
        raise HoldfastError(
            f"{opening(header.source)} has no column that looks like the truth; say which with truth= (--truth). "
            f"Its columns: {listed([*header.names]) or 'none'}."
        )
    return header.names[places["truth"]]


def _collected(table: Table) -> pl.DataFrame:
    """All of the table in memory, each column under its own name."""
    import polars as pl

    with translated(table.name):
        frames = []
        for part in table.parts:
            part.header.check_distinct()
            names = [name for name in part.header.names if name.strip()]
            held = {name: column(name, part.held.column(part.header.names.index(name))) for name in names}
            frames.append(pl.DataFrame(held))
        return pl.concat(frames, how="diagonal_relaxed") if len(frames) > 1 else frames[0]


def _opened(labels: Any, separator: str | None, sealed: bool) -> Table | None:
    """The table of the labels; None where it is there, cannot be read, and nothing may be told of it."""
    try:
        return open_table(labels, separator)
    except HoldfastError:
        if not sealed or not (isinstance(labels, (str, os.PathLike)) and os.access(labels, os.R_OK)):
            raise
    return None


def _readable(table: Table | None, name: str, on: str | None, sealed: bool) -> pl.DataFrame:
    """The labels; where nothing may be told of them, what cannot be read is no label."""
    import polars as pl

    try:
        if table is not None:
            frame = _collected(table)
            return frame.with_columns(label_column(name, frame[name]).alias(name))
    except HoldfastError:
        if not sealed:
            raise
    return pl.DataFrame({each: pl.Series(each, [], pl.String) for each in dict.fromkeys((on or KEY, name))})


def _joined(frame: pl.DataFrame, beside: pl.DataFrame, on: str, first: str, second: str) -> pl.DataFrame:
    import polars as pl

    frame = frame.with_columns(pl.Series(KEY, _ids(frame, on, first), pl.String))
    beside = beside.with_columns(pl.Series(KEY, _ids(beside, on, second), pl.String)).drop(on)
    if again := beside[KEY].to_frame().filter(pl.col(KEY).is_duplicated())[KEY].unique().to_list():
        raise HoldfastError(
            f"{opening(second)} has several labels for {counted(len(again), 'item')}, such as {some(sorted(again))}; "
            "one each is needed."
        )
    joined = frame.join(beside, on=KEY, how="full", coalesce=True, maintain_order="left_right")
    return joined.with_columns(pl.col(KEY).alias(on)).drop(KEY)


def _ids(frame: pl.DataFrame, on: str, source: str) -> list[str]:
    values = texts(label_column(on, frame[on]).to_list())
    if empty := values.count(None):
        raise HoldfastError(f"{opening(source)} has {counted(empty, 'row')} without a value in {on!r}, the item.")
    return [value for value in values if value is not None]
