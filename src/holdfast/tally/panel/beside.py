"""What the items of a panel have beside the answers: the groups and strata they are of, and what they weigh."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import has_magic
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers
from holdfast.predictions import Missing
from holdfast.predictions.coded import Coded, Held, spelled
from holdfast.predictions.design import Design
from holdfast.tally.groups import UNNAMED
from holdfast.tally.labels import ordered
from holdfast.tally.panel.answer_sheet import Flags, Sheet, so_many_items
from holdfast.tally.rows import so_many
from holdfast.wording import brief, listed, opening, quoted


def beside_answers(held: Held, by: Sequence[str], design: Design, source: str) -> dict[str, Any]:
    """Fields of a sheet, from the columns that rows have for them; groups are called by these names."""
    fields: dict[str, Any] = {"design": design}
    if "cluster" in held.columns:
        fields["clusters"] = held.labels("cluster").codes.astype(np.int64)
    if "weight" in held.columns:
        fields["weights"] = checked_weights(held.numbers("weight"), design, source)
    if "stratum" in held.columns:
        fields["strata"], fields["stratum_names"] = strata_of(held.labels("stratum"))
    fields["groups"] = {name: groups_of(held.labels(f"by_{place}")) for place, name in enumerate(by)}
    return fields


def groups_of(column: Coded) -> tuple[tuple[str, ...], Integers]:
    """What the groups are called, in an order that no engine decides, and the place of each row's.

    Examples
    --------
    >>> from holdfast.predictions.arrays import read_labels
    >>> names, places = groups_of(read_labels("country", ["FR", None, "DE"]))
    >>> names, places.tolist()
    (('(none)', 'DE', 'FR'), [2, 0, 1])
    """
    values = [spelled(value) for value in column.distinct]
    names = ordered({*values, *([UNNAMED] if column.missing else [])}, None)
    rank = {value: place for place, value in enumerate(names)}
    return tuple(names), column.placed([rank[value] for value in values], rank.get(UNNAMED, 0))


def strata_of(column: Coded) -> tuple[Integers, tuple[str, ...]]:
    """The place of each row's stratum, -1 where it names none, and what strata are called."""
    values = [spelled(value) for value in column.distinct]
    names = sorted({*values})  # several spellings may be one stratum
    return column.placed([names.index(value) for value in values], -1), tuple(names)


def checked_weights(weights: Array, design: Design, source: str) -> Array:
    """The weights, if all that are there can be some, and none is more than was stated as the most."""
    known = weights[~np.isnan(weights)]
    strange = known[(known < (1.0 if design.inclusion is not None else 0.0)) | ~np.isfinite(known)]
    if strange.size:
        raise InvalidEvidence(
            f"A row of {brief(source, 80)} weighs {strange[0]:g}; weights are finite numbers from 0 on, and chances of "
            "being drawn at most 1."
        )
    if design.max_weight is not None and known.size and known.max() > design.max_weight:
        raise InvalidEvidence(
            f"A row weighs {known.max():g}, more than the {design.max_weight:g} that were stated as the most. The "
            "number must be known before looking; state one that no row can exceed, or none: max_weight= "
            "(--max-weight)."
        )
    if known.size and not known.sum() > 0:
        raise InvalidEvidence(f"The rows of {brief(source, 80)} weigh nothing: there is no row that counts.")
    return weights


MOST_MODELS = 5_000  # beyond it, a column of models is hardly one


def chosen_models(asked: str | Sequence[str] | None, known: Sequence[str], others: Collection[str] = ()) -> list[str]:
    """The names asked for, of those that there are: names with commas between them, patterns such as 'm_*', or a list.

    `others` may be named, but no pattern means them.

    Examples
    --------
    >>> chosen_models("beta,m_*", ["alpha", "beta", "m_1", "m_2"])
    ['beta', 'm_1', 'm_2']
    """
    if asked is None:
        return [*known]
    if isinstance(asked, str):
        asked = [asked] if asked in known or asked in others else [word.strip() for word in asked.split(",")]
    places, chosen = {*known, *others}, dict[str, None]()
    for name in map(str, asked):
        if name in chosen:
            raise HoldfastError(f"The model {quoted(name)} is named twice; a model compared with itself says nothing.")
        if name in places:
            chosen[name] = None
            continue
        if not has_magic(name):
            raise UnknownName("model", name, known)
        matching = [each for each in known if fnmatchcase(each, name)]
        if not matching:
            raise HoldfastError(f"No model matches the pattern {quoted(name)}; there are {listed([*known])}.")
        chosen |= dict.fromkeys(matching)
    return [*chosen]


def check_several(models: Sequence[str], source: str, what: str = "models") -> None:
    """Refuse fewer than two models, or so many that they can hardly be models."""
    if len(models) < 2:
        names = f"only {quoted(models[0])}" if models else "none"
        raise InvalidEvidence(f"A comparison needs at least two {what}; in {brief(source, 120)} there is {names}.")
    if len(models) > MOST_MODELS:
        raise InvalidEvidence(
            f"{opening(brief(source, 120))} has {len(models):,} {what}, such as {quoted(models[0])}; at most "
            f"{MOST_MODELS:,} are compared. Is that the column of models?"
        )


def sampled(sheet: Sheet, cell: Integers, tries: Integers, answered: Flags, right: Flags, way: Missing) -> Sheet:
    """The sheet where a model may have been asked several times: how often, and how often it was right."""
    notes = [_several(tries, len(cell), "the shares of wrong samples")]
    unanswered, lost = ~answered, dict(sheet.missing)
    absent = tries == 0
    if unanswered.any() and way == "refuse":
        absent |= np.bincount(cell[unanswered], minlength=tries.size).reshape(tries.shape) > 0
    elif unanswered.any() and way == "drop":
        tries = np.bincount(cell[answered], minlength=tries.size).reshape(tries.shape)
        absent = tries == 0
    if unanswered.any() and way != "refuse":
        lost["answer"] = int(np.count_nonzero(unanswered))
        notes.append(
            f"{'Left out' if way == 'drop' else 'Counted as errors'}: {so_many(lost['answer'])} without an answer."
        )
    number = np.bincount(cell[right & answered], minlength=tries.size).reshape(tries.shape)
    counted = replace(sheet, tries=tries, right=number, absent=absent, missing=lost, notes=(*sheet.notes, *notes))
    return replace(counted, labels=(), positive=None)  # which answers a share is made of is not kept


def graded(sheet: Sheet, cell: Integers, shape: tuple[int, int], worth: Array, way: Missing) -> Sheet:
    """The sheet of answers that may be partly right; of several samples of an item the mean, an item counting once."""
    assert sheet.values is not None  # or nothing says what answers are worth
    tries, size = np.bincount(cell, minlength=shape[0] * shape[1]), shape[0] * shape[1]
    if tries.max() <= 1:
        grades = np.full(size, np.nan)
        grades[cell] = worth
        return replace(sheet, grades=grades.reshape(shape))
    missing, lost, notes = (
        np.isnan(worth),
        dict(sheet.missing),
        [_several(tries.reshape(shape), len(cell), "the means of what samples are worth")],
    )
    if missing.any() and way != "refuse":
        lost["value"] = int(np.count_nonzero(missing))
        verdict = "Left out" if way == "drop" else "Counted as worth nothing"
        notes.append(f"{verdict}: {so_many(lost['value'])} without a value.")
    counted = np.bincount(cell[~missing], minlength=size) if way == "drop" else tries
    total = np.bincount(cell, np.where(missing, 0.0, worth), size)
    grades = np.divide(total, counted, out=np.full(size, np.nan), where=counted > 0)
    if way == "refuse":
        grades[cell[missing]] = np.nan
    return replace(
        sheet,
        grades=np.minimum(grades, 1.0).reshape(shape),
        values=replace(sheet.values, levels=()),  # a mean of samples may lie between the levels
        tries=tries.reshape(shape),
        missing=lost,
        notes=(*sheet.notes, *notes),
    )


def _several(tries: Integers, rows: int, compared: str) -> str:
    """What to say of items that were answered several times."""
    fewest, most = int(tries[tries > 0].min()), int(tries.max())
    return (
        f"Several samples: {rows:,} rows for {so_many_items(tries.shape[1])} and {tries.shape[0]:,} models, "
        f"{'' if fewest == most else f'{fewest:,} to '}{most:,} for an item and model. Compared are "
        f"{compared}, an item counting once."
    )
