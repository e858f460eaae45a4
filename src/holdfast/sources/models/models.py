"""The answers of several models: columns beside one truth, rows that name item and model, or a table a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.arguments import Label
from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import TWO_WEIGHTS, Design
from holdfast.predictions.grading import Values
from holdfast.sources.columns import ColumnPlaces, Correct, Score, check_apart
from holdfast.sources.content import told
from holdfast.sources.logs.asked import Asked
from holdfast.sources.models.model_columns import Several, Single
from holdfast.sources.models.of_logs import panel_of_logs, runs_in
from holdfast.sources.opening import matching, refuse_twice
from holdfast.sources.selection import read_predictions
from holdfast.sources.table import Header
from holdfast.tally.panel.beside import chosen_models
from holdfast.tally.panel.long_tables import panel_of_joined, panel_of_rows
from holdfast.tally.panel.panel import panel_of_columns
from holdfast.tally.panel.unlabelled import unlabelled_of_columns
from holdfast.wording import brief, listed, opening, quoted


def read_models(
    source: Any,
    *,
    models: str | Sequence[str] | None = None,
    truth: str | None = None,
    id: str | None = None,  # noqa: A002 - the word for it, on the command line too
    model: str | None = None,
    predicted: str | None = None,
    correct: Correct | bool | None = None,
    score: Score | None = None,
    value: str | bool | None = None,
    value_range: tuple[float, float] | None = None,
    levels: Sequence[float] | None = None,
    on: str | None = None,
    cluster: str | None = None,
    weight: str | None = None,
    inclusion: str | None = None,
    strata: str | None = None,
    by: str | Sequence[str] = (),
    positive: Label = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    task: str | None = None,
    scorer: str | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002 - the word for it, on the command line too
    split: str | None = None,
    partial: bool = False,
) -> Panel:
    """The answers of several models to the same items, from a file, a data frame, or one of either for each model.

    Three shapes are understood. *Wide*: one column of predictions a model beside one column of the truth. *Long*: one
    row an item and model; several rows of the same are several samples. *Joined*: a table a model, with an id.

    Parameters
    ----------
    source
        A path, a pattern, a folder, "-" or a data frame, as for `read`. Or several, one a model: a list, or a mapping
        from the names of the models; without names, those of the files are taken.
    models
        The models to compare, as a list, or as text with commas and patterns: "alpha,m_*". By default all: in a wide
        table every column that holds labels of the truth and nothing else.
    truth, predicted, correct, id, model, cluster
        The names of columns, where they are not called so. `correct` may name the values that count as right, as in
        `read`; or be True: then the columns of the models in a wide table say themselves whether each answer was right.
    score
        The column of scores; in a wide table a mapping from the models, or a pattern such as "score_*" in which the
        star stands for the model.
    value, value_range, levels
        In place of truth and predicted: the column that says how right each answer is, on a range that was fixed
        beforehand, [0, 1] by default; and all that there can be, where they are few, such as (0, 0.5, 1). In a wide
        table True where the columns of the models say so themselves, or a pattern such as "grade_*".
    on
        The column on which several tables are joined.
    weight, inclusion, strata
        Columns of how the items were drawn, as in `read`; of several tables one will do.
    by
        Columns whose values divide the items into groups.
    positive, labels
        The label that the scores speak for, and the labels in the wanted order.
    missing
        What to do where a model has no answer to an item: "refuse", "drop" the item, or count it as "wrong".
    task, scorer, metric, filter, split, partial
        Of logs of evaluations, as in `read`. Runs that did not answer the same are refused.
    """
    if on is not None and id is not None and on != id:
        raise HoldfastError(
            f"on= (--on) and id= (--id) both name the column of the items; got {quoted(on)} and {quoted(id)}."
        )
    if isinstance(source, (list, tuple)) and len(source) == 1:
        source = source[0]
    key = on if on is not None else id
    divisions = (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    beside = {"cluster": cluster, "weight": weight, "inclusion": inclusion, "stratum": strata}
    drawn = {role: name for role, name in beside.items() if name is not None}
    drawn |= {f"by_{place}": name for place, name in enumerate(divisions)}
    if weight is not None and inclusion is not None:
        raise HoldfastError(TWO_WEIGHTS)
    ranged = value_range is not None or levels is not None
    graded, values = None if value is False else value, Values.stated(value_range, levels)
    design = Design(inclusion=None if inclusion is None else True)
    asked_of_logs = Asked(task, scorer, metric, filter, split, cluster, partial, ranged)
    if (logs := runs_in(source, asked_of_logs)) is not None:
        named = {"truth": truth, "predicted": predicted, "correct": correct, "score": score, "model": model, "id": key}
        named |= {"value": None if ranged and value is True else graded}  # as a range by itself is read elsewhere
        _refuse_named(named | {"weight": weight, "inclusion": inclusion, "strata": strata})
        credit = values if ranged else None
        return panel_of_logs(*logs, models=models, by=divisions, cluster=cluster, values=credit, missing=missing)
    asked_of_logs.refuse_any("what was given")
    if value is None and ranged:
        raise HoldfastError("value_range= (--range) and levels= (--levels) speak of values: give value= (--value).")
    how: dict[str, Any] = {"positive": positive, "labels": labels}
    tables = _tables(source, on) if model is None else None
    if tables is not None:
        if correct is True:
            raise HoldfastError(
                "correct=True (--pass-fail) is for one table with a column a model; name the column here, by correct= "
                "(--correct)."
            )
        if graded is True or (graded is not None and "*" in graded):
            raise HoldfastError(
                "A table per model has one column of how right its answers are: name it, by value= (--value)."
            )
        asked = Single(key, truth, predicted, None if correct is False else correct, score, drawn, graded)
        return _joined(
            tables, models, asked, lambda each: read_predictions(each, asked, missing, separator, design, values), how
        )
    columns = Several(key, truth, predicted, correct, score, drawn, model, models, graded)
    rows = read_predictions(source, columns, missing, separator, design, values)
    if "model" in rows.columns:
        return panel_of_rows(rows, models=models, **how)
    return panel_of_columns(rows, passes=correct is True, guessed=models is None, by=divisions, **how)


def _refuse_named(columns: Mapping[str, Any]) -> None:
    """Refuse the names of columns where logs say themselves what they hold."""
    if given := [name for name, value in columns.items() if value not in (None, False)]:
        raise HoldfastError(
            f"A log says itself what was asked and how it was scored; leave out {given[0]}= (--{given[0]})."
        )


def _tables(source: Any, on: str | None) -> dict[str, Any] | list[Any] | None:
    """The tables of one model each, by name where they have names; None where there is one table of all."""
    if isinstance(source, Mapping):
        return {str(name): table for name, table in source.items()}
    if isinstance(source, (list, tuple)):
        return [*source]
    if on is None or not isinstance(source, (str, PathLike)) or source == "-":
        return None
    files = matching(Path(source), brief(source, 120))
    return [*files] if len(files) > 1 else None


def _joined(
    tables: dict[str, Any] | list[Any],
    models: str | Sequence[str] | None,
    asked: Single,
    read: Callable[[Any], Predictions],
    how: dict[str, Any],
) -> Panel:
    names = chosen_models(models, [*tables]) if isinstance(tables, dict) else names_of_tables(tables, models)
    held = [tables[name] for name in names] if isinstance(tables, dict) else tables
    if len(held) < 2:
        number = "one" if held else "none"
        raise HoldfastError(
            f"A comparison needs at least two models, a table each; got {number}. In one table of several models, name "
            "the column of the models with model= (--model), or their columns with models= (--models)."
        )
    files = [Path(table) for table in held if isinstance(table, (str, PathLike)) and table != "-"]
    refuse_twice(
        (file for path in files for file in matching(path, told(path))), "a model compared with itself says nothing"
    )
    answers = [*map(read, held)]
    for role, name in asked.beside.items():
        if not any(name in rows.group_names if role.startswith("by_") else _holds(rows, role) for rows in answers):
            raise HoldfastError(f"None of the {len(answers):,} tables has a column named {quoted(name)}.")
    answers = [
        replace(rows, source=f"the table of {quoted(name)}") if rows.source.startswith("the ") else rows
        for rows, name in zip(answers, names, strict=True)
    ]
    if not any({"truth", "correct", "value"} & {*rows.columns} for rows in answers):
        looked = "looks like the truth" if asked.truth is None else f"is named {quoted(asked.truth)}"
        raise HoldfastError(
            f"None of the {len(answers):,} tables has a column that {looked}; say which does with truth= (--truth)."
        )
    return panel_of_joined(answers, names, **how)


def _holds(rows: Predictions, role: str) -> bool:
    return ("weight" if role == "inclusion" else role) in rows.columns


def names_of_tables(tables: Sequence[Any], models: str | Sequence[str] | None) -> list[str]:
    """What the models are called: as asked, or like their files."""
    if models is not None:
        names = [word.strip() for word in models.split(",")] if isinstance(models, str) else [*map(str, models)]
        if len(names) != len(tables):
            raise HoldfastError(
                f"models= (--models) names {len(names):,} models, {brief(listed(names), 120)}, for "
                f"{len(tables):,} tables: "
                "name each, in their order."
            )
    elif tables and all(isinstance(table, (str, PathLike)) for table in tables):
        names = _stems([Path(table) for table in tables])
    else:
        names = [f"model {place + 1}" for place in range(len(tables))]
    if twice := [name for name in names if names.count(name) > 1]:
        raise HoldfastError(f"The model {quoted(twice[0])} is given twice; a model compared with itself says nothing.")
    return names


def _stems(paths: Sequence[Path]) -> list[str]:
    """The names of the files without endings; with as many of their folders as tell them apart."""
    # A folder such as . or / has no name of its own.
    plain_paths = [path.with_name(path.name.split(".")[0] or path.name) if path.name else path for path in paths]
    for depth in range(1, max(len(path.parts) for path in plain_paths) + 1):
        names = ["/".join(path.parts[-depth:]) for path in plain_paths]
        if len(set(names)) == len(names):
            return names
    return [str(path) for path in paths]  # the same folder and name, but for the ending


@dataclass(frozen=True)
class Further:
    """The columns of the models, called as in the panel, and perhaps one of a further classifier."""

    models: Sequence[str]
    target: str | None = None

    def find(self, header: Header) -> ColumnPlaces:
        names = header.names
        header.check_distinct()
        if lost := [name for name in self.models if name not in names]:
            raise HoldfastError(
                f"{opening(header.source)} has no column of the model {quoted(lost[0])}; it needs one for every model "
                f"of the labelled examples. It has {listed([*names], 120)}."
            )
        places = {f"model_{place}": header.place(name) for place, name in enumerate(self.models)}
        if self.target is not None:
            places["target"] = header.place(self.target)
        check_apart({role: place for role, place in places.items() if role != "target"}, names)
        return ColumnPlaces(places)


def read_unlabelled(
    source: Any,
    panel: Panel,
    *,
    target: str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
) -> Unlabelled:
    """What the panel's models said on further inputs, from a file or a data frame with a column for each of them.

    Parameters
    ----------
    target
        The column of a further classifier, whose error is to be inferred.
    missing
        Where a model has no answer: "refuse", "drop" the input, or count the answer as "wrong".
    """
    from holdfast.sources.selection import read_predictions

    rows = read_predictions(source, Further(panel.models, target), missing, separator)
    return unlabelled_of_columns(rows, panel)
