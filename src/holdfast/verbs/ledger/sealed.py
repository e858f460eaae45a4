"""A gate that says one bit: all that could tell a truth happens after its level is spent, and ends in that bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from warnings import catch_warnings, simplefilter

from holdfast.catalog import find_measure
from holdfast.errors import HoldfastError
from holdfast.ledger.account import Standing
from holdfast.ledger.book import Book
from holdfast.ledger.rows import Key, changed, overlap
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled
from holdfast.report import Answer, Decision, origin
from holdfast.verbs.gate.conditions import Condition, several
from holdfast.verbs.ledger.subject import Subject, without_truth
from holdfast.verbs.subject import needs_scores
from holdfast.wording import counted, some

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
    asked = _conditions(options)
    subject = Subject(rows)
    _check_rows(book, key, subject)
    baseline = any(condition.margin is not None for condition in asked)
    seen = subject.rows if baseline or "pass_at" in options else subject.without_ids()
    made_up = subject.rehearsed(_labels(asked, options))
    gate(made_up.only(seen.columns), delta=REHEARSED, **options)

    def decide(level: float) -> bool:
        try:
            with catch_warnings():
                simplefilter("ignore")
                same = not changed(key, book.rows, subject.ids, subject.truths)
                answer = gate(seen, delta=level, **options).answer
            return same and answer is Answer.PROVEN
        except Exception:
            return False
        except BaseException as error:
            if type(error).__name__ == PANIC:
                return False
            raise

    words = tuple(map(str, asked))
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
        asked = several(options["conditions"], options.get("margin"))
    else:
        names = ("measure", "label", "at_most", "at_least", "margin", "each_at_least")
        asked = [Condition.checked(**{name: options[name] for name in names if name in options})]
    for condition in asked:
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
    return asked


def _labels(asked: Sequence[Condition], options: Mapping[str, Any]) -> Iterator[str]:
    """Every label that was named."""
    yield from (condition.label for condition in asked if condition.label is not None)
    if options.get("positive") is not None:
        yield spelled(options["positive"])
    yield from map(spelled, options.get("labels") or ())
    yield from map(spelled, options.get("prevalence") or ())


def _check_rows(book: Book, key: Key, subject: Subject) -> None:
    """Refuse rows that are not exactly those committed to, by their ids, each with a prediction."""
    book.check_key(key)
    check_named(book, subject.named)
    found = overlap(key, book.rows, subject.ids)
    if not found.exact:
        raise HoldfastError(
            f"A sealed gate is about exactly the {counted(book.opened.rows, 'row')} of {book.database.name}; {found}."
        )
    if empty := subject.unanswered:
        raise HoldfastError(
            f"A sealed gate needs a prediction for every row; {counted(len(empty), 'row')} without one, such as "
            f"{some(empty)}."
        )


def check_named(book: Book, named: bool) -> None:
    """Refuse rows that are known by something else than those of the ledger."""
    if named != (book.opened.known_by == "id"):
        how = "their ids: name the column, by ids= or id= (--on)" if not named else "their position: leave out the ids"
        raise HoldfastError(f"{book.database.name} knows rows by {how}.")
