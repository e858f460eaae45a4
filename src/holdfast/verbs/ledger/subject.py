"""The rows that a look is about: their ids, what was predicted of them, and apart from these their truths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.evidence import Sample
from holdfast.evidence.pools.panel import Panel
from holdfast.ledger.account import Standing
from holdfast.ledger.rows import fingerprint
from holdfast.predictions import Predictions
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import Held, spelled, texts
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Decision, Report
from holdfast.verbs.ledger.ledger import Ledger
from holdfast.wording import counted

GRADES = {"correct": "right or wrong", "value": "how right each answer is", "margin": "how clearly it is right"}
MADE_UP = "another class"


class Subject:
    """Predictions with a label and perhaps an id for each, held in memory."""

    def __init__(self, rows: Predictions) -> None:
        if graded := [words for name, words in GRADES.items() if name in rows.columns]:
            raise HoldfastError(
                f"A ledger commits to labels; a column that says {graded[0]} is made of them and of the answers both. "
                "Give truth and predicted."
            )
        self.rows = rows
        self.table: Any = rows.frame.columns if isinstance(rows.frame, Held) else rows.fetch(rows.frame)

    def values(self, name: str) -> list[Any]:
        """A column, row by row, as text; None where there is nothing."""
        column = self.table[name]
        if isinstance(column, np.ndarray):
            return texts([None if np.isnan(value) else value for value in column.tolist()])
        return texts([None if value != value else value for value in column.to_list()])

    @property
    def height(self) -> int:
        return len(self.table[self.rows.columns[0]])

    @property
    def named(self) -> bool:
        """Whether rows have ids, and not only positions."""
        return "id" in self.rows.columns

    @cached_property
    def ids(self) -> list[str]:
        """What each row is known by."""
        if not self.named:
            return [str(place) for place in range(1, self.height + 1)]
        values = self.values("id")
        if empty := values.count(None):
            raise HoldfastError(f"{counted(empty, 'row')} without an id; a ledger knows rows by them.")
        return values

    @cached_property
    def truths(self) -> list[str | None]:
        return self.values("truth")

    @property
    def answers(self) -> dict[str, list[Any]]:
        """Every column but the truth."""
        return {name: self.values(name) for name in self.rows.columns if name != "truth"}

    @property
    def mark(self) -> str:
        """The fingerprint of what was predicted of which row."""
        return fingerprint({**self.answers, "id": self.ids})

    @property
    def unanswered(self) -> list[str]:
        """The ids of rows without a prediction, or a score where that is what predicts."""
        scores = [name for name in self.rows.columns if name.startswith("score")]
        needed = ["predicted"] if "predicted" in self.rows.columns else scores
        columns = [self.values(name) for name in needed]
        return [id_ for id_, *values in zip(self.ids, *columns, strict=True) if None in values]

    def without_ids(self) -> Predictions:
        """The rows as draws of their own."""
        return self.rows.only(name for name in self.rows.columns if name != "id")

    def rehearsed(self, labels: Iterable[str]) -> Predictions:
        """The same rows with made-up labels that no truth goes into: those predicted and those named, in turn."""
        predicted = self.table["predicted"].to_list() if "predicted" in self.rows.columns else []
        values = [value for value in predicted if value is not None and value == value]
        kind = type(values[0]) if values else str
        known: dict[str, Any] = {spelled(value): value for value in dict.fromkeys(values)}
        known |= {label: _of_kind(kind, label) for label in (*labels, *self.rows.score_labels) if label not in known}
        turn = [known[label] for label in sorted(known)]
        while len(turn) < 2:
            turn.append(_another(kind, turn))
        return self._with_truth([turn[place % len(turn)] for place in range(self.height)])

    def _with_truth(self, truths: Sequence[Any]) -> Predictions:
        """The rows with other labels, held as they are."""
        if isinstance(self.rows.frame, Held):
            columns: dict[str, Any] = {**self.table, "truth": read_labels("truth", list(truths))}
            return replace(self.rows, frame=Held(columns), columns=tuple(columns))
        import narwhals.stable.v2 as nw
        import polars as pl

        frame = self.table.with_columns(pl.Series("truth", truths))
        return replace(self.rows, frame=nw.from_native(frame.lazy()), written=None)


def _of_kind(kind: type, label: str) -> Any:
    """A label that was named, as a value of the kind that is predicted where it is one."""
    try:
        return kind(label) if kind in (int, float) else label == "True" if kind is bool else label
    except ValueError:
        return label


def _another(kind: type, labels: Sequence[Any]) -> Any:
    """A label of the kind that is predicted, and none of these."""
    if kind in (int, float):
        return kind(max(labels, default=0) + 1)
    if kind is bool:
        return not labels[0] if labels else True
    return MADE_UP if MADE_UP not in labels else "one class"


def without_truth(rows: Predictions) -> Predictions:
    """Of a baseline, what it answered."""
    return rows.only(name for name in rows.columns if name != "truth")


Answer = TypeVar("Answer", Report, Decision)
GIVES = {
    "assess": "an assessment: every measure with its interval",
    "compare": "a comparison: every difference with its interval",
    "gate": "an unsealed gate: estimate, limits and how much is missing",
}


def rows_of_gate(given: dict[str, Any]) -> Predictions:
    """The rows of a gate, taken out of what it was given."""
    truth, predicted, score = (given.pop(name, None) for name in ("truth", "predicted", "score"))
    if isinstance(truth, (Sample, Panel)):
        raise HoldfastError("A sealed gate needs the rows, with their ids or in their order: give truth and predicted.")
    beside = {name: given.pop(name) for name in ("correct", "groups", "ids", "value") if name in given}
    keywords = {name: given.pop(name) for name in DesignKeywords.__annotations__ if name in given}
    design = Design.stated("gate", given.pop("design", None), given.pop("sample_weight", None), keywords)
    return Predictions.given(truth, predicted, score, **beside, labels=given.get("labels"), design=design)


def looked(ledger: Ledger, verb: str, given: dict[str, Any], command: str) -> Standing:
    truth, mark = given.get("truth"), ""
    ids: Sequence[str] | None = None
    if isinstance(truth, Predictions) or (truth is not None and not isinstance(truth, (Sample, Panel))):
        rows = truth if isinstance(truth, Predictions) else None
        if rows is None and verb != "compare":
            rows = Predictions.from_arrays(truth, given.get("predicted"), given.get("score"), ids=given.get("ids"))
        if rows is not None:
            subject = Subject(rows)
            ids, mark = subject.ids if subject.named == ledger.by_id else None, subject.mark
    if isinstance(truth, Panel) and truth.predicted is not None:
        answers = dict(zip(truth.models, truth.predicted.tolist(), strict=True))
        ids, mark = ledger.at_hand, fingerprint(answers)
    return ledger.look(verb, ids, mark, command, GIVES[verb])


def with_standing(answer: Answer, stand: Standing) -> Answer:
    """The answer, which says that it was written down."""
    sentences: Sequence[str] = tuple(stand.sentences())
    if isinstance(answer, Decision):
        return replace(answer, notes=(*answer.notes, *sentences), ledger=stand)
    facts: Any = replace(answer.facts, notes=(*answer.facts.notes, *sentences))  # type: ignore[type-var]
    return replace(answer, facts=facts)
