"""Which columns of a table hold what the model before answered, and for which items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdfast.sources.columns import ColumnPlaces, Correct, Score
from holdfast.sources.header import Header
from holdfast.sources.models.model_columns import Single
from holdfast.sources.roles import SCORE, TRUTH


@dataclass(frozen=True)
class BaselineColumns:
    """The columns of a baseline's answers; the truth may stand beside those of the new model alone."""

    id: str | None
    truth: str | None = None
    predicted: str | None = None
    score: Score | Literal[False] | None = None
    correct: Correct | None = None
    value: str | None = None

    def find(self, header: Header) -> ColumnPlaces:
        if self.value is not None:
            return Single(self.id, self.truth, self.predicted, self.correct, self.score or None, {}, self.value).find(
                header
            )
        there = header.likely(TRUTH) is not None if self.truth is None else self.truth in header.names
        score = None if self.score is False else self.score
        found = Single(self.id, self.truth if there else None, self.predicted, self.correct, score, {}).find(header)
        if self.score is not None or "correct" in found.places:
            return found
        likely = header.likely(SCORE, {*found.places.values()})
        return found if likely is None else replace(found, places={**found.places, "score": likely}, guessed=True)
