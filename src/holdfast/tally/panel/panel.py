"""Several models on the same items: from columns beside one truth, or from rows that name item and model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.arrays import read_design, read_labels, read_numbers
from holdfast.predictions.coded import Coded, Held, coded_columns, spelled
from holdfast.predictions.design import Design
from holdfast.predictions.grading import BY_USUAL_WORDS, Grading, Values, outcome
from holdfast.predictions.rows import check_lengths, translated
from holdfast.tally.label_pairs import label_places
from holdfast.tally.labels import check_alike, check_models, spellings, truth_as_one
from holdfast.tally.panel.answer_sheet import NAMED, Places, Sheet, left_out
from holdfast.tally.panel.beside import beside_answers, check_several
from holdfast.tally.rows import so_many
from holdfast.wording import brief, listed, opening, quoted

if TYPE_CHECKING:
    import polars as pl

Spelled = dict[Any, str]  # the label that each value stands for


def panel_of_arrays(
    truth: object = None,
    predicted: Mapping[str, object] | None = None,
    scores: Mapping[str, object] | None = None,
    *,
    correct: Mapping[str, object] | None = None,
    value: Mapping[str, object] | None = None,
    value_range: tuple[float, float] | None = None,
    levels: Sequence[float] | None = None,
    groups: Mapping[str, object] | None = None,
    design: Design | None = None,
    positive: object = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
) -> Panel:
    """The panel of predictions in lists, arrays or columns of a data frame, by the names of the models.

    Parameters
    ----------
    predicted
        By the name of each model, one prediction an item, beside the truth.
    scores
        By the names of the same models, how strongly each leans to the positive label.
    correct
        By the name of each model, whether each answer was right, in place of truth and predicted.
    value, value_range, levels
        Instead: by the name of each model, how right each answer is, on a range that was fixed beforehand, [0, 1] by
        default; and all that it can be, where that is few.
    groups
        By name, columns whose values divide the items into groups.
    design
        How the items were drawn.

    Examples
    --------
    >>> panel = panel_of_arrays(["x", "y", "y"], {"a": ["x", "x", "y"], "b": ["y", "y", "y"]})
    >>> panel, panel.wrong.tolist(), panel.labels
    (Panel(2 models, n=3), [[False, True, False], [True, False, False]], ('x', 'y'))
    """
    values = Values.stated(value_range, levels)
    if value is None and (value_range is not None or levels is not None):
        raise InvalidEvidence("value_range= (--range) and levels= (--levels) speak of values: give value= (--value).")
    if value is not None and not (truth is predicted is scores is correct is None):
        raise InvalidEvidence("Values say how right each answer is: leave out truth, predicted, scores and correct.")
    alone = correct if value is None else value
    if (alone is None) == (truth is None) or (truth is None) != (predicted is None):
        raise InvalidEvidence("Give truth and the predictions of each model, or correct alone: one answer an item.")
    given = ("predicted", predicted) if alone is None else ("correct=", correct) if value is None else ("value=", value)
    answered = _by_name(*given)
    if alone is not None and not answered:
        raise InvalidEvidence(
            f"{given[0]} names no model: give whether each answer was right, by the name of the model."
        )
    scored = _by_name("scores=", {} if scores is None else scores)
    if scored and correct is not None:
        raise InvalidEvidence("Scores need truth and predictions beside them; with correct alone, leave them out.")
    if scored and set(scored) != set(answered):
        raise InvalidEvidence(
            f"scores= needs one column for each model, {brief(listed([*answered]), 120)}; "
            f"got {brief(listed([*scored]), 120)}."
        )
    with translated("the arrays"):
        columns: dict[str, Coded | Array] = {} if truth is None else {"truth": read_labels("truth", truth)}
        for place, (name, each) in enumerate(answered.items()):
            model_name = f"the model {quoted(name)}"
            if value is None:
                columns[f"model_{place}"] = read_labels(model_name, each)
            else:
                columns[f"value_{place}"] = read_numbers(model_name, each)
        for place, name in enumerate(answered if scored else ()):
            columns[f"score_{place}"] = read_numbers(f"the score of {quoted(name)}", scored[name])
        design, divisions = design or Design(), _by_name("groups=", {} if groups is None else groups)
        columns |= {f"by_{place}": read_labels(name, each) for place, (name, each) in enumerate(divisions.items())}
        columns |= read_design(design)
    called = {f"model_{place}": f"the model {quoted(name, 20)}" for place, name in enumerate(answered)}
    called |= {f"value_{place}": f"the model {quoted(name, 20)}" for place, name in enumerate(answered)}
    called |= {f"score_{place}": f"the score of {quoted(name, 20)}" for place, name in enumerate(answered)}
    called |= {f"by_{place}": f"the group {quoted(name, 20)}" for place, name in enumerate(divisions)}
    check_lengths(columns, called)
    rows = Predictions(
        Held(columns),
        tuple(columns),
        missing=missing,
        source="the arrays",
        group_names=tuple(answered),
        design=design.facts,
        values=values,
    )
    return panel_of_columns(rows, passes=predicted is None, by=[*divisions], positive=positive, labels=labels)


def _by_name(what: str, given: object) -> dict[str, object]:
    columns = columns_by_name(given)
    if columns is None:
        raise InvalidEvidence(
            f"{what} takes columns by the names of the models, as {{'a': [...]}}; got {quoted(given)}."
        )
    return columns


def columns_by_name(given: object) -> dict[str, object] | None:
    """The columns of a mapping or of a data frame of any kind, by their names; None for anything else.

    Examples
    --------
    >>> columns_by_name({"a": [1, 0], 2: [1, 1]})
    {'a': [1, 0], '2': [1, 1]}
    >>> columns_by_name([[1, 0], [1, 1]]) is None
    True
    """
    if isinstance(given, Mapping):
        return {str(name): values for name, values in given.items()}
    if isinstance(given, (str, list, tuple, np.ndarray)):
        return None
    import narwhals.stable.v2 as nw

    with translated("the data frame"):
        frame: Any = nw.from_native(given, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
        if not isinstance(frame, nw.DataFrame):
            return None
        return {str(column.name): column.to_native() for column in frame.iter_columns()}


def panel_of_columns(
    rows: Predictions,
    *,
    passes: bool = False,
    guessed: bool = False,
    by: Sequence[str] = (),
    grading: Grading = BY_USUAL_WORDS,
    positive: object = None,
    labels: Sequence[object] | None = None,
) -> Panel:
    """The panel of a table with a column for each model: `model_0`, `model_1` ..., called by `rows.group_names`.

    Parameters
    ----------
    passes
        Whether the columns say right or wrong, and there is no truth.
    guessed
        Whether the columns are all those that may be models: kept are those that answer in the labels of the truth.
    by
        What the columns `by_0`, `by_1` ... of groups are called.
    grading
        How columns that say right or wrong do so.
    """
    models, source, way = rows.group_names, rows.source, rows.missing
    held, ids, lost = (rows.frame, None, 0) if isinstance(rows.frame, Held) else _fetched(rows)
    if not held.height:
        raise InvalidEvidence(f"There are no rows to compare in {brief(source)}.")
    graded = "value_0" in rows.columns
    columns = [] if graded else [held.labels(f"model_{place}") for place in range(len(models))]
    truth = None if passes or graded else held.labels("truth")
    notes: list[str] = []
    if guessed and not graded:
        places, notes = _likely(models, columns, truth, source, labels)
        models, columns = tuple(models[place] for place in places), [columns[place] for place in places]
    gone = {"id": lost} if lost else {}
    check_several(models, source, "columns of predictions" if guessed else "models")
    sheet = Sheet(
        models=models,
        source=source,
        rows=held.height + lost,
        **beside_answers(held, by, rows.design, source),
        ids=ids,
        missing=gone,
        notes=(*left_out(gone), *notes),
        declared=labels is not None,
    )
    if graded:
        return replace(sheet, grades=_worth(held, rows, models), values=rows.values).panel(way)
    if truth is None:
        return replace(sheet, answers=np.stack([*_graded(columns, models, grading)])).panel(way)
    (true,), said = spelled_all([truth], columns)
    for name, column in zip(models, said, strict=True):
        with about(name):
            check_alike(true, column, declared=labels is not None)
    if labels is None:
        answers = {name: {*column.values()} for name, column in zip(models, said, strict=True)}
        sheet = sheet.noting(check_models({*true.values()}, answers, held.height, positive))
    known, chosen = label_places(seen([true, *said]), False, labels, positive)
    laid_out = placed([truth, *columns], [true, *said], known)
    scores = [f"score_{place}" for place in range(len(models)) if f"score_{place}" in held.columns]
    sheet = replace(sheet, labels=tuple(known), truth=laid_out[0], answers=np.stack(laid_out[1:]))
    if scores:
        sheet = replace(sheet, scores=np.stack([held.numbers(name) for name in scores]))
        chosen = speaking_for(chosen, [*known])
    return replace(sheet, positive=chosen).panel(way)


def _graded(columns: Sequence[Coded], models: Sequence[str], grading: Grading) -> Iterator[Places]:
    """Which answers of each model were right; a value that was named as right need not occur with every model."""
    every = [value for column in columns for value in column.distinct]
    for column, name in zip(columns, models, strict=True):
        own = Grading(f"the model {quoted(name)}") if grading is BY_USUAL_WORDS else grading
        yield passed(column, own, () if grading is BY_USUAL_WORDS else every)


def _worth(held: Held, rows: Predictions, models: Sequence[str]) -> Array:
    """How right the answers of each model are, as parts of the way from the worst to the best."""
    return np.stack(
        [
            rows.values.shares(held.numbers(f"value_{place}"), f"the model {quoted(name)}")
            for place, name in enumerate(models)
        ]
    )


def _fetched(rows: Predictions) -> tuple[Held, pl.Series | None, int]:
    """The columns of rows that live elsewhere, the ids of the items, if any, and how many rows had none."""
    table, ids, lost = rows.fetch(rows.frame), None, 0
    if "id" in table.columns and table.height:
        table, lost = rows_with(table, "id", rows.source, rows.missing)
        ids = table["id"]
        check_distinct(ids, rows.source)
    return held_table(table), ids, lost


def held_table(table: pl.DataFrame) -> Held:
    """A table of the engine as rows that are held here: of scores and weights the numbers, of all else the values."""
    from holdfast.predictions.series import numbers

    scores = [name for name in table.columns if name.startswith(("score_", "value_")) or name == "weight"]
    rest = [name for name in table.columns if name not in scores and name != "id"]
    coded: dict[str, Coded | Array] = dict(zip(rest, coded_columns([table[name] for name in rest]), strict=True))
    return Held(coded | {name: numbers(name, table[name]).fill_null(np.nan).to_numpy() for name in scores})


def speaking_for(positive: str | None, labels: Sequence[str]) -> str:
    """The label that the scores speak for; it must be clear."""
    if positive is None:
        raise InvalidEvidence(
            f"Which label do the scores speak for? The labels are {listed([*labels])}; "
            "say it with positive= (--positive)."
        )
    return positive


def passed(column: Coded, grading: Grading, beside: Sequence[object] = ()) -> Places:
    """Which answers were right, of a column that says so, perhaps beside others that say it alike."""
    return column.placed([bool(answer) for answer in grading.outcomes(column.distinct, beside)], -1, np.int8)


def spelled_all(truths: Sequence[Coded], predicted: Sequence[Coded]) -> tuple[list[Spelled], list[Spelled]]:
    """The label that each value stands for, of each column of the truth and of each of predictions."""
    names = truth_as_one(
        *(spellings("truth", column.distinct) for column in truths),
        *(spellings("predicted", column.distinct) for column in predicted),
    )
    own, others = names[: len(truths)], names[len(truths) :]
    if any(NO_ANSWER in column.values() for column in own):
        raise InvalidEvidence(f"truth holds the label {NO_ANSWER!r}, which stands for missing predictions: rename it.")
    return own, others


def seen(columns: Sequence[Spelled]) -> set[str]:
    return {label for column in columns for label in column.values()}


def placed(columns: Sequence[Coded], names: Sequence[Spelled], known: Mapping[str, int]) -> list[Places]:
    """Each column as the places of its labels, in the smallest whole numbers that hold one label more."""
    kind = np.min_scalar_type(-len(known) - 2)
    return [
        column.placed([known[labels[value]] for value in column.values], -1, kind)
        for column, labels in zip(columns, names, strict=True)
    ]


@contextmanager
def about(*models: str) -> Iterator[None]:
    """Say which model it is that goes wrong."""
    try:
        yield
    except HoldfastError as error:
        if len(models) != 1:
            raise
        error.args = (f"The model {quoted(models[0])}: {error}",)  # some kinds are made from more than a sentence
        raise


def check_distinct(ids: pl.Series, source: str) -> None:
    """Refuse ids that stand more than once."""
    if ids.n_unique() == len(ids):
        return
    twice = ids.filter(ids.is_duplicated()).value_counts(name="times").sort(ids.name).sort("times", descending=True)
    names = ", ".join(f"{quoted(value, 30)} {times:,} times" for value, times in twice.head(NAMED).rows())
    more, plural = ", ..." if twice.height > NAMED else "", "" if twice.height == 1 else "s"
    raise InvalidEvidence(
        f"{opening(brief(source, 120))} has {twice.height:,} id{plural} on several rows: {names}{more}. Every item "
        "needs one row; several samples belong into a table with one row an item, model and sample, with id= "
        "(--id) and model= (--model)."
    )


def rows_with(held: pl.DataFrame, role: str, source: str, way: Missing) -> tuple[pl.DataFrame, int]:
    """The rows that have this, and how many have not."""
    gone = held[role].is_null()
    if held[role].dtype.is_float():
        gone = gone | held[role].is_nan().fill_null(True)
    lost = int(gone.sum())
    if not lost:
        return held, 0
    if way != "drop" or lost == held.height:
        places = np.flatnonzero(gone.to_numpy())[: NAMED + 1]
        numbers = ", ".join(f"{place + 1:,}" for place in places[:NAMED]) + (", ..." if lost > NAMED else "")
        remedy = 'Repair them, or leave such rows out with missing="drop" (--missing drop).'
        raise InvalidEvidence(
            f"Of the {so_many(held.height)} of {brief(source, 120)}, there are {lost:,} without {role} "
            f"(row {numbers}). " + (remedy if lost < held.height else "Is that the right column?")
        )
    return held.filter(~gone), lost


def _likely(
    models: Sequence[str],
    columns: Sequence[Coded],
    truth: Coded | None,
    source: str,
    declared: Sequence[object] | None,
) -> tuple[list[int], list[str]]:
    """Which columns look like predictions: those that hold labels of the truth, or declared ones, and nothing else."""
    likely, unclear = [], []
    stated = {spelled(label) for label in declared or ()}
    for place, column in enumerate(columns):
        own = spellings(models[place], column.distinct)
        if truth is None:
            labels = {label for label in own.values() if outcome(label) is not None}
        else:
            true, own = truth_as_one(spellings("truth", truth.distinct), own)
            labels = {*true.values(), *stated}
        held = set(own.values())
        if held and held <= labels:
            likely.append(place)
        elif held & labels:
            unclear.append(place)
    names = [models[place] for place in likely]
    wanted = "right or wrong" if truth is None else "declared labels" if declared else "labels of the truth"
    if unclear or len(likely) < 2:
        why = f"{quoted(models[unclear[0]])} holds other values too" if unclear else f"there {_are(names)}"
        raise InvalidEvidence(
            f"Which columns of {brief(source, 80)} are answers? Taken would be those that hold {wanted} and nothing "
            f"else, but {why}. Say which with models= (--models), of {listed([*models], 160)}."
        )
    rest = [name for name in models if name not in names]
    beside = f" Not used: {listed(rest, 120)}." if rest else ""
    return likely, [f"Models are the columns that hold {wanted} and nothing else: {listed(names)}.{beside}"]


def _are(names: Sequence[str]) -> str:
    return f"is only {quoted(names[0])}" if names else "is none"
