"""Panels from rows that each hold the answer of one model to one item: in one table, or in a file a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.coded import Coded, coded_series, kind, spelled
from holdfast.predictions.grading import BY_USUAL_WORDS, Grading
from holdfast.tally.label_pairs import label_places
from holdfast.tally.labels import check_alike, check_models
from holdfast.tally.panel.answer_sheet import NAMED, RIGHT, Places, Sheet, left_out, so_many_items
from holdfast.tally.panel.beside import (
    check_several,
    checked_weights,
    chosen_models,
    graded,
    groups_of,
    sampled,
    strata_of,
)
from holdfast.tally.panel.panel import (
    Spelled,
    about,
    check_distinct,
    passed,
    placed,
    rows_with,
    seen,
    speaking_for,
    spelled_all,
)
from holdfast.wording import brief, opening, quoted

if TYPE_CHECKING:
    import polars as pl

MOST_CELLS = 2**31  # items times models that are laid out
MOST_LABELS = 10_000  # beyond it the answers are free text, and no two ways of writing one label


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of one table, each the answer of a model to an item."""

    held: pl.DataFrame  # under id, truth, predicted, correct, score, cluster
    model: NDArray[np.int32]  # the place of each row's model
    source: str
    whose: tuple[str, ...] = ()  # the one model whose rows these all are
    grading: Grading = BY_USUAL_WORDS
    by: tuple[str, ...] = ()  # what its columns by_0, by_1 ... are called


def panel_of_rows(
    rows: Predictions,
    *,
    models: str | Sequence[str] | None = None,
    positive: object = None,
    labels: Sequence[object] | None = None,
) -> Panel:
    """The panel of a long table: one row an `id` and `model`, or several where the model was asked several times."""
    import polars as pl

    source, way = rows.source, rows.missing
    held = rows.fetch(rows.frame)
    total, lost = held.height, dict[str, int]()
    if not total:
        raise InvalidEvidence(f"There are no rows to compare in {brief(source)}.")
    for role in ("id", "model"):
        held, gone = rows_with(held, role, source, way)
        lost |= {role: gone} if gone else {}
    column = coded_series(held["model"])
    known = [spelled(value) for value in column.distinct]
    chosen = chosen_models(models, known)
    check_several(chosen, source)
    codes = column.codes
    if chosen != known:
        place = np.full(len(known), -1, np.int32)
        place[[known.index(name) for name in chosen]] = np.arange(len(chosen))
        codes = place[codes]
        held, codes = held.filter(pl.Series(codes >= 0)), codes[codes >= 0]
    sheet = Sheet(tuple(chosen), source, total, missing=lost, notes=left_out(lost), design=rows.design)
    sheet = replace(sheet, values=rows.values if "value" in rows.columns else None)
    own = _Rows(held.drop("model"), codes, source, grading=rows.grading, by=rows.group_names)
    return _panel([own], sheet, way, positive, labels)


def panel_of_joined(
    tables: Sequence[Predictions],
    models: Sequence[str],
    *,
    positive: object = None,
    labels: Sequence[object] | None = None,
) -> Panel:
    """The panel of several tables, each of one model, joined by their `id`; no id may stand twice in a table."""
    way, parts, total, lost = tables[0].missing, list[_Rows](), 0, 0
    source = (
        " and ".join(brief(table.source, 50) for table in tables) if len(tables) == 2 else f"{len(tables):,} tables"
    )
    check_several(models, source)
    for place, table in enumerate(tables):
        held = table.fetch(table.frame)
        total += held.height
        if not held.height:
            raise InvalidEvidence(f"There are no rows to compare in {brief(table.source)}.")
        held, without = rows_with(held, "id", table.source, way)
        lost += without
        check_distinct(held["id"], table.source)
        model = np.full(held.height, place, np.int32)
        parts.append(_Rows(held, model, table.source, (models[place],), table.grading, table.group_names))
    kinds = {next((role for role in ("value", "correct") if role in part.held.columns), "predicted") for part in parts}
    if len(kinds) > 1:
        origin = next(part.source for part in parts if "correct" in part.held.columns)
        raise InvalidEvidence(
            f"{opening(brief(origin, 120))} says which answers are right, the others what was predicted: "
            "give the same columns in every file."
        )
    gone = {"id": lost} if lost else {}
    sheet = Sheet(tuple(models), source, total, missing=gone, notes=left_out(gone), design=tables[0].design)
    sheet = replace(sheet, values=tables[0].values if kinds == {"value"} else None)
    return _panel(parts, sheet, way, positive, labels)


def _panel(
    parts: Sequence[_Rows], sheet: Sheet, way: Missing, positive: object, labels: Sequence[object] | None
) -> Panel:
    models = sheet.models
    ids = coded_series(_ids(parts))
    n, size = len(ids.values), len(ids.values) * len(models)
    if size > MOST_CELLS:
        raise InvalidEvidence(
            f"{opening(brief(sheet.source, 120))} has {so_many_items(n)} and {len(models):,} models, {size:,} answers "
            "if each answered each: too many to lay out. Are these the columns of items and models?"
        )
    model = np.concatenate([part.model for part in parts])
    sheet = replace(sheet, ids=ids.values, declared=labels is not None)
    if (values := sheet.values) is not None:
        sheet = replace(sheet, **_beside(parts, ids, sheet))
        worth = np.concatenate([values.shares(_numbers(part), brief(part.source, 80)) for part in parts])
        return graded(sheet, model.astype(np.int64) * n + ids.codes, (len(models), n), worth, way).panel(way)
    if "correct" in parts[0].held.columns:
        answer = _passed(parts)
        right = answer == RIGHT
    else:
        truth, answer, known, chosen, notes = _labelled(parts, models, n, positive, labels)
        true = _of_items(ids, truth, "truth", [*known])
        sheet = replace(sheet, truth=true, labels=tuple(known), positive=chosen).noting(notes)
        right = answer == true[ids.codes]
    sheet = replace(sheet, **_beside(parts, ids, sheet))
    cell = model.astype(np.int64) * n + ids.codes
    tries = np.bincount(cell, minlength=size).reshape(len(models), n)
    scored = any("score" in part.held.columns for part in parts)
    if tries.max() > 1:
        if scored:
            raise InvalidEvidence(
                f"{opening(brief(sheet.source, 120))} has several rows for an item and model: which score is meant? "
                "Leave the scores out, or give one row each."
            )
        return sampled(sheet, cell, tries, answer >= 0, right, way).panel(way)
    answers = np.full(size, -1, answer.dtype)
    answers[cell] = answer
    sheet = replace(sheet, answers=answers.reshape(len(models), n))
    if scored:
        scores = np.full(size, np.nan)
        scores[cell] = _column(parts, "score").cast(float).to_numpy()
        speaks_for = speaking_for(sheet.positive, sheet.labels)
        sheet = replace(sheet, scores=scores.reshape(len(models), n), positive=speaks_for)
    return sheet.panel(way)


def _beside(parts: Sequence[_Rows], ids: Coded, sheet: Sheet) -> dict[str, Any]:
    """What the items have beside answers: all rows of an item that say something of it must say the same."""
    held = {role: _of_each(parts, ids, role) for role in ("cluster", "weight", "stratum")}
    fields: dict[str, Any] = {}
    if (cluster := held["cluster"]) is not None:
        fields["clusters"] = cluster.codes
    if (weight := held["weight"]) is not None:
        weights = weight.placed([*weight.distinct], np.nan, np.float64)  # type: ignore[arg-type]  # numbers, not places
        fields["weights"] = checked_weights(weights, sheet.design, sheet.source)
    if (stratum := held["stratum"]) is not None:
        fields["strata"], fields["stratum_names"] = strata_of(stratum)
    for name in dict.fromkeys(name for part in parts for name in part.by):
        own = [
            replace(part, held=part.held.rename({f"by_{part.by.index(name)}": "group"})) if name in part.by else part
            for part in parts
        ]
        column = _of_each(own, ids, "group", name)
        assert column is not None  # a part has it
        fields.setdefault("groups", {})[name] = groups_of(column)
    return fields


def _of_each(parts: Sequence[_Rows], ids: Coded, role: str, called: str | None = None) -> Coded | None:
    """What each item has in a column; None where no part has it."""
    if not any(role in part.held.columns for part in parts):
        return None
    column = coded_series(_column(parts, role))
    return Coded(column.values, _of_items(ids, column.codes, called or role, column.distinct).astype(np.int32))


def _numbers(part: _Rows) -> Array:
    values = part.held["value"]
    return values.cast(float).fill_null(np.nan).to_numpy()


def _ids(parts: Sequence[_Rows]) -> pl.Series:
    """The ids of all rows, of one kind; 1 and '1' would never meet."""
    import polars as pl

    columns, kinds = [], dict[str, tuple[object, str]]()
    for part in parts:
        column = part.held["id"]
        if column.dtype.is_float() and (column == column.floor()).all():
            column = column.cast(pl.Int64, strict=False)
        columns.append(column)
        if len(column):
            kinds.setdefault(kind(column[0]), (column.min(), part.source))  # rows come in any order
    if len(kinds) > 1:
        names = " and ".join(
            f"{what} such as {quoted(value, 20)} in {brief(source, 60)}" for what, (value, source) in kinds.items()
        )
        raise InvalidEvidence(
            f"The ids are {names}: they would never match. Write them alike; a CSV file is always read as text."
        )
    return _stacked(columns)


def _stacked(columns: Sequence[pl.Series]) -> pl.Series:
    import polars as pl

    return pl.concat([column.alias("").to_frame() for column in columns], how="vertical_relaxed").to_series()


def _column(parts: Sequence[_Rows], role: str) -> pl.Series:
    """A column of all parts, empty where a part has none."""
    import polars as pl

    columns = [
        part.held[role]
        if role in part.held.columns
        else pl.Series(role, [None], pl.Null).new_from_index(0, len(part.model))
        for part in parts
    ]
    try:
        return _stacked(columns)
    except pl.exceptions.PolarsError:
        kinds = sorted({str(column.dtype) for column in columns})
        raise InvalidEvidence(
            f"The columns of {role} are of several kinds, {', '.join(kinds)}; make them one."
        ) from None


def _passed(parts: Sequence[_Rows]) -> Places:
    """Which rows were right; a value that was named as right need not occur with every model."""
    columns = [coded_series(part.held["correct"]) for part in parts]
    every = [value for column in columns for value in column.distinct]
    found = []
    for part, column in zip(parts, columns, strict=True):
        with about(*part.whose):
            found.append(passed(column, part.grading, every))
    return np.concatenate(found)


def _labelled(
    parts: Sequence[_Rows], models: Sequence[str], items: int, positive: object, labels: Sequence[object] | None
) -> tuple[Places, Places, dict[str, int], str | None, tuple[str, ...]]:
    """Of each row the places of truth and prediction among the labels; the positive one; and what to know of them."""
    having = [part for part in parts if "truth" in part.held.columns]
    truths = [coded_series(part.held["truth"]) for part in having]
    predicted = [coded_series(part.held["predicted"]) for part in parts]
    own, said = spelled_all(truths, predicted)
    everyone = {value: label for column in own for value, label in column.items()}
    answers = dict[str, set[str]]()
    for part, column, names in zip(parts, predicted, said, strict=True):
        true = own[having.index(part)] if part in having else everyone
        for model, some in _said(part, column, names, models):
            with about(*model):
                check_alike(true, some, declared=labels is not None)
            answers[model[0] if model else "predicted"] = {*some.values()}
    notes = check_models({*everyone.values()}, answers, items, positive) if labels is None else ()
    known, chosen = label_places(seen([*own, *said]), False, labels, positive)
    answer = np.concatenate(placed(predicted, said, known))
    found = dict(zip(map(id, having), placed(truths, own, known), strict=True))
    truth = [found[id(part)] if id(part) in found else np.full(len(part.model), -1, answer.dtype) for part in parts]
    return np.concatenate(truth), answer, known, chosen, notes


def _said(
    part: _Rows, column: Coded, names: Spelled, models: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], Spelled]]:
    """What each model answers at all; of free text, what all of them do."""
    if part.whose or len(names) > MOST_LABELS:
        yield part.whose, names
        return
    answered = column.codes >= 0
    cell = part.model[answered].astype(np.int64) * len(names) + column.codes[answered]
    used = np.bincount(cell, minlength=len(models) * len(names)).reshape(len(models), -1) > 0
    values = column.distinct
    for model, some in zip(models, used, strict=True):
        yield (model,), {values[place]: names[values[place]] for place in np.flatnonzero(some)}


def _of_items(ids: Coded, codes: Places, role: str, called: Sequence[object]) -> Places:
    """What the rows of each item agree on; -1 where none of them says anything."""
    placed = np.full(len(ids.values), -1, codes.dtype)
    known = codes >= 0
    item, own = (ids.codes, codes) if known.all() else (ids.codes[known], codes[known])
    placed[item] = own
    other = np.flatnonzero(placed[item] != own)
    if not other.size:
        return placed
    first, row = np.unique(item[other], return_index=True)
    pairs = [(int(place), called[own[other[at]]], called[placed[place]]) for place, at in zip(first, row, strict=True)]
    examples = ", ".join(
        f"{quoted(ids.values[place], 20)} ({quoted(one, 20)} and {quoted(two, 20)})"
        for place, one, two in pairs[:NAMED]
    )
    more = ", ..." if len(first) > NAMED else ""
    has = "has" if len(first) == 1 else "have"
    raise InvalidEvidence(
        f"{so_many_items(len(first))} {has} more than one {role}: {examples}{more}. All rows of an item must agree: "
        "repair them, or are the ids not those of the items?"
    )
