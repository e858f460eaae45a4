"""The rows that a verb was given with a ledger, and its answer with what the ledger says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from holdfast.errors import HoldfastError
from holdfast.evidence import Sample
from holdfast.evidence.pools.panel import Panel
from holdfast.ledger.rows import fingerprint
from holdfast.ledger.standing import Standing
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Decision, Report
from holdfast.verbs.ledger.ledger import Ledger
from holdfast.verbs.ledger.subject import Subject

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
