"""A gate that says one bit: all that could tell a truth happens after its level is spent, and ends in that bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar
from warnings import catch_warnings, simplefilter

import numpy as np

from holdfast.catalog import find_measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Sample
from holdfast.evidence.pools.panel import Panel
from holdfast.ledger.account import Standing
from holdfast.ledger.book import Book
from holdfast.ledger.rows import Key, changed, fingerprint, overlap
from holdfast.predictions import Predictions
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import Held, spelled, texts
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Answer, Decision, Report, origin
from holdfast.verbs.gate.conditions import Condition, several
from holdfast.verbs.ledger.ledger import Ledger
from holdfast.verbs.subject import needs_scores
from holdfast.wording import counted, some

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


Looked = TypeVar("Looked", Report, Decision)
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


def with_standing(answer: Looked, stand: Standing) -> Looked:
    """The answer, which says that it was written down."""
    sentences: Sequence[str] = tuple(stand.sentences())
    if isinstance(answer, Decision):
        return replace(answer, notes=(*answer.notes, *sentences), ledger=stand)
    facts: Any = replace(answer.facts, notes=(*answer.facts.notes, *sentences))  # type: ignore[type-var]
    return replace(answer, facts=facts)


Gate = Callable[..., Decision]
PANIC = "PanicException"  # what an engine written in Rust raises; it is no Exception
REHEARSED = 0.05  # the level of a rehearsal, whose answer nobody reads
EVERY_ROW = "A sealed gate needs a prediction for every row; leave out missing= (--missing)."
UNSAID = {
    "confidence": "the ledger says with which confidence, and its rule what the gate spends",
    "delta": "the ledger says with which confidence, and its rule what the gate spends",
    "looks": "the ledger counts looks",
    "sequential": "the ledger commits to rows that do not grow",
    "accept": "a ledger promises what holds at every sample size",
}


def sealed_gate(
    gate: Gate,
    book: Book,
    key: Key,
    rows: Predictions,
    options: Mapping[str, Any],
    command: str | None = None,
    spend_now: float | None = None,
    independent: str | None = None,
) -> Decision:
    """Whether all conditions are proven together, at what the ledger spends on it; and nothing else.

    What is refused is refused before anything is spent, by looking at ids, predictions and options alone: the whole
    gate is rehearsed on made-up labels first. From then on whatever happens is "proven" or "not proven".
    """
    options = _checked(options)
    if rows.missing != "refuse":
        raise HoldfastError(EVERY_ROW)
    conditions = _conditions(options)
    subject = Subject(rows)
    _check_rows(book, key, subject)
    baseline = any(condition.margin is not None for condition in conditions)
    shown = subject.rows if baseline or "pass_at" in options else subject.without_ids()
    made_up = subject.rehearsed(_labels(conditions, options))
    gate(made_up.only(shown.columns), delta=REHEARSED, **options)

    def decide(level: float) -> bool:
        try:
            with catch_warnings():
                simplefilter("ignore")
                same = not changed(key, book.rows, subject.ids, subject.truths)
                answer = gate(shown, delta=level, **options).answer
            return same and answer is Answer.PROVEN
        except Exception:
            return False
        except BaseException as error:
            if type(error).__name__ == PANIC:
                return False
            raise

    words = tuple(map(str, conditions))
    called = command or f"holdfast.gate({'; '.join(words)})"
    answer = book.ask(called, words, subject.mark, decide, spend_now, independent)
    stand = Standing.of(answer.account, answer.look, answer.head)
    return Decision(
        Answer.PROVEN if answer.proven else Answer.NOT_PROVEN,
        words[0] if len(words) == 1 else f"all {len(words)} conditions together: {'; '.join(words)}",
        notes=tuple(stand.sentences()),
        provenance=origin(command=called),
        ledger=stand,
    )


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, without what a sealed gate does not take."""
    stated = {name: value for name, value in options.items() if value is not None}
    for name, why in UNSAID.items():
        if name in stated and stated[name] is not False and (name != "looks" or stated[name] != 1):
            raise HoldfastError(f"A sealed gate takes no {name}= (--{name}): {why}. Leave it out.")
    if stated.pop("missing", "refuse") != "refuse":
        raise HoldfastError(EVERY_ROW)
    if isinstance(stated.get("baseline"), Predictions):
        stated["baseline"] = without_truth(stated["baseline"])
    elif stated.get("baseline") is not None and stated.get("on") is not None:
        from holdfast.sources.models.model_columns import BaselineColumns
        from holdfast.sources.selection import read_predictions

        stated["baseline"] = without_truth(read_predictions(stated["baseline"], BaselineColumns(stated["on"])))
    return stated


def _conditions(options: Mapping[str, Any]) -> list[Condition]:
    """What is asked, in the words of whoever asks; a class that the rows would have to choose must be named."""
    if options.get("conditions") is not None:
        conditions = several(options["conditions"], options.get("margin"))
    else:
        names = ("measure", "label", "at_most", "at_least", "margin", "each_at_least")
        conditions = [Condition.checked(**{name: options[name] for name in names if name in options})]
    for condition in conditions:
        if condition.each_at_least is not None:
            raise HoldfastError(
                "A ledger knows every row by an id of its own, and each_at_least= (--each-at-least) is about several "
                "answers to one question; leave one of them out."
            )
        measure = find_measure(condition.measure)
        unnamed = condition.label is None and options.get("positive") is None
        if unnamed and (measure.per_class or needs_scores(measure)):
            raise HoldfastError(
                f"{measure.name} is about a class, and which one it is by default the labels would say: name it with "
                "label= (--label) or positive= (--positive)."
            )
    return conditions


def _labels(conditions: Sequence[Condition], options: Mapping[str, Any]) -> Iterator[str]:
    """Every label that was named."""
    yield from (condition.label for condition in conditions if condition.label is not None)
    if options.get("positive") is not None:
        yield spelled(options["positive"])
    yield from map(spelled, options.get("labels") or ())
    yield from map(spelled, options.get("prevalence") or ())


def _check_rows(book: Book, key: Key, subject: Subject) -> None:
    """Refuse rows that are not exactly those committed to, by their ids, each with a prediction."""
    book.check_key(key)
    if subject.named != (book.opened.known_by == "id"):
        how = (
            "their position: leave out the ids"
            if subject.named
            else "their ids: name the column, by ids= or id= (--on)"
        )
        raise HoldfastError(f"{book.database.name} knows rows by {how}.")
    rows = overlap(key, book.rows, subject.ids)
    if not rows.exact:
        raise HoldfastError(
            f"A sealed gate is about exactly the {counted(book.opened.rows, 'row')} of {book.database.name}; {rows}."
        )
    if empty := subject.unanswered:
        raise HoldfastError(
            f"A sealed gate needs a prediction for every row; {counted(len(empty), 'row')} without one, such as "
            f"{some(empty)}."
        )
