"""Questions that were asked several times: their samples depend on each other, and are drawn together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.predictions import Predictions
from holdfast.tally.rows import Kinds, Rows
from holdfast.wording import quoted


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
