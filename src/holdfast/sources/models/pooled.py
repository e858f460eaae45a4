"""Refuse to take the rows of several models for those of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.predictions.wording import opening
from holdfast.sources import roles
from holdfast.sources.columns import ColumnPlaces, Declaring, Finder
from holdfast.sources.header import Header, plain
from holdfast.wording import listed, quoted

MODEL, ITEM = "watched_model", "watched_item_"
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
        kept = tuple(role for role in rows.columns if role != MODEL and not role.startswith(ITEM))
        if len(kept) == len(rows.columns):
            return rows
        models = _models(rows)
        items = [role for role in rows.columns if role.startswith(ITEM) or role in ("id", "cluster")]
        for item in items if len(models) > 1 else ():
            if _shared(rows, item):
                raise HoldfastError(_refusal(rows.source, models, self.names[MODEL], self.names[item]))
        return replace(rows, frame=rows.frame.select(*kept), columns=kept)


def _watched(header: Header, places: Mapping[str, int]) -> dict[str, int]:
    free = {plain(name): place for place, name in enumerate(header.names) if place not in places.values()}
    models, items = ([free[word] for word in role.words if word in free] for role in (roles.MODEL, roles.ID))
    if len(models) != 1 or not (items or {"id", "cluster"} & {*places}):
        return {}
    return {MODEL: models[0], **{f"{ITEM}{i}": place for i, place in enumerate(items)}}


def _models(rows: Predictions) -> list[str]:
    values = rows.fetch(rows.frame.select(MODEL).unique())[MODEL].drop_nulls()
    return sorted(map(str, values.to_list()))


def _shared(rows: Predictions, item: str) -> bool:
    """Whether an item stands in rows of several models."""
    import narwhals.stable.v2 as nw

    here, model = nw.col(item), nw.col(MODEL)
    told = rows.frame.select(item, MODEL).filter(~here.is_null(), ~model.is_null())
    ends = told.group_by(item).agg(model.min().alias("first"), model.max().alias("last"))
    return bool(rows.fetch(ends.filter(nw.col("first") != nw.col("last")).head(1)).height)


def _refusal(source: str, models: list[str], model: str, item: str) -> str:
    more = f" and {len(models) - NAMED:,} more" if len(models) > NAMED else ""
    return (
        f"{opening(source)} has rows of {len(models):,} models, {listed(models[:NAMED])}{more} in the column "
        f"{quoted(model)}, for the same items, named in {quoted(item)}: together they would pass for one model's. "
        "Compare them by hf.compare (holdfast compare), or keep the rows of one; if "
        f"{quoted(model)} says something else, rename it."
    )
