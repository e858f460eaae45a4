"""Items that a model answered several times: how often it was right, or what its answers are worth on average."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.evidence import Array, Integers
from holdfast.predictions import Missing
from holdfast.tally.panel.answer_sheet import Flags, Sheet, so_many_items
from holdfast.tally.rows import so_many


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
        told = "Left out" if way == "drop" else "Counted as worth nothing"
        notes.append(f"{told}: {so_many(lost['value'])} without a value.")
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
