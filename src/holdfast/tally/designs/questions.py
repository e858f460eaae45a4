"""Questions that were asked several times: their samples depend on each other, and are drawn together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design
from holdfast.tally.rows import Kinds, Rows
from holdfast.wording import quoted

QUESTION = "question"  # what a group is called that is one


def drawn_by_question(rows: Predictions, sampled: bool) -> Predictions:
    """Rows whose questions are the clusters, where no others were declared: samples of one depend on each other.

    Questions of which each has one row are draws like any other, unless they are to have several (`sampled`).
    """
    if "id" not in rows.columns or "cluster" in rows.columns:
        return rows
    if not sampled and not Rows.of(rows).repeats("id"):
        kept = tuple(name for name in rows.columns if name != "id")
        return replace(rows, frame=rows.frame.select(*kept), columns=kept)
    columns = tuple("cluster" if name == "id" else name for name in rows.columns)
    return replace(rows, frame=rows.frame.rename({"id": "cluster"}), columns=columns)


def questions_as_groups(rows: Predictions) -> Predictions:
    """The rows of which each question is a group, and nothing else: what is said of it is of its own samples alone.

    Questions are what the ids name, or else the clusters. How they were drawn plays no part in what holds of each.
    """
    named = next((name for name in ("id", "cluster") if name in rows.columns), None)
    if named is None or "value" in rows.columns:
        right = "one row for each sample, and which question it is of, as ids= (--id)"
        why = "it takes" if named is None else "answers that are right or wrong, and no partial credit, make that up:"
        raise HoldfastError(f"Each question's own chance to be answered right was asked for; {why} {right}.")
    answers = tuple(name for name in ("truth", "predicted", "correct") if name in rows.columns)
    kinds = Rows.of(rows).kinds((named,))
    unnamed = int(kinds.times[kinds.missing(named)].sum())
    if unnamed and rows.missing != "drop":
        raise InvalidEvidence(
            f"Of the rows of {rows.source}, there are {unnamed:,} that name no question. Every row is a sample of some "
            'question: repair them, or leave them out with missing="drop" (--missing drop).'
        )
    frame = Rows.of(rows).named(named) if unnamed else rows.frame
    frame = frame.select(*answers, named).rename({named: "by_0"})
    return replace(rows, frame=frame, columns=(*answers, "by_0"), group_names=(QUESTION,), design=Design())


def check_questions(kinds: Kinds, source: str) -> None:
    """Refuse questions whose samples are in several clusters."""
    size = max(len(kinds["cluster"].values), 1)
    clusters = np.bincount(np.unique(kinds["id"].codes * np.int64(size) + kinds["cluster"].codes) // size)
    several = np.flatnonzero(clusters > 1)
    if several.size:
        named = [(kinds["id"].values[place], clusters[place]) for place in several.tolist()]
        example, times = min(named, key=lambda pair: str(pair[0]))
        number = "1 question is" if several.size == 1 else f"{several.size:,} questions are"
        raise InvalidEvidence(
            f"In {source}, {number} in several clusters, such as {quoted(example)} in {times:,}. All samples of a "
            "question must be of one cluster: repair them, or are the ids not those of the questions?"
        )
