"""A verb that is given a ledger: its look is written down before anything of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from holdfast.errors import HoldfastError
from holdfast.evidence import Sample
from holdfast.evidence.pools.panel import Panel
from holdfast.ledger.rows import fingerprint
from holdfast.ledger.standing import Standing
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Decision, Report
from holdfast.verbs.ledger.ledger import Ledger
from holdfast.verbs.ledger.sealed import sealed_gate
from holdfast.verbs.ledger.subject import Subject

Given = ParamSpec("Given")
Answer = TypeVar("Answer", Report, Decision)
GIVES = {
    "assess": "an assessment: every measure with its interval",
    "compare": "a comparison: every difference with its interval",
    "gate": "an unsealed gate: estimate, limits and how much is missing",
}
OWN = ("ledger", "sealed", "independent", "spend_now")
ALONE = "{} says something of a gate that is kept in a ledger: give ledger= (--ledger)."


def in_ledger(verb: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """The verb, whose look is written down where a ledger is given; a gate is then sealed, unless that is refused."""
    expected = signature(verb)

    @wraps(verb)
    def call(*args: Given.args, **options: Given.kwargs) -> Answer:
        own: dict[str, Any] = {name: options.pop(name, None) for name in OWN if name in expected.parameters}
        sealed = own.pop("sealed", None) is not False
        if own["ledger"] is None:
            for name in ("independent", "spend_now"):
                if own.get(name) is not None:
                    raise HoldfastError(ALONE.format(f"{name}= (--{name.replace('_', '-')})"))
            if not sealed:
                raise HoldfastError(ALONE.format("sealed=False (--open)"))
            return verb(*args, **options)
        ledger = own["ledger"] if isinstance(own["ledger"], Ledger) else Ledger(own["ledger"])
        given = dict(expected.bind(*args, **options).arguments)
        given |= {**given.pop("more", {}), **given.pop("drawn", {})}
        if verb.__name__ == "gate" and sealed:
            rows = _rows(given)
            decide: Any = verb  # a gate, whose answer is a decision
            return sealed_gate(  # type: ignore[return-value]
                decide, ledger.book, ledger.key, rows, given, ledger.command, own["spend_now"], own["independent"]
            )
        for name in ("independent", "spend_now"):
            if own.get(name) is not None:
                option = f"{name}= (--{name.replace('_', '-')})"
                raise HoldfastError(f"{option} is for a sealed gate; an open look spends nothing and depends on all.")
        command = ledger.command or f"holdfast.{verb.__name__}(...)"
        stand = _looked(ledger, verb.__name__, given, command)
        return _with(verb(*args, **options), stand)

    return call


def _rows(given: dict[str, Any]) -> Predictions:
    """The rows of a gate, taken out of what it was given."""
    truth, predicted, score = (given.pop(name, None) for name in ("truth", "predicted", "score"))
    if isinstance(truth, (Sample, Panel)):
        raise HoldfastError("A sealed gate needs the rows, with their ids or in their order: give truth and predicted.")
    beside = {name: given.pop(name) for name in ("correct", "groups", "ids", "value") if name in given}
    keywords = {name: given.pop(name) for name in DesignKeywords.__annotations__ if name in given}
    design = Design.stated("gate", given.pop("design", None), given.pop("sample_weight", None), keywords)
    return Predictions.given(truth, predicted, score, **beside, labels=given.get("labels"), design=design)


def _looked(ledger: Ledger, verb: str, given: dict[str, Any], command: str) -> Standing:
    truth, ids, mark = given.get("truth"), None, ""
    if isinstance(truth, Predictions) or (truth is not None and not isinstance(truth, (Sample, Panel))):
        rows = truth if isinstance(truth, Predictions) else None
        if rows is None and verb != "compare":
            rows = Predictions.from_arrays(truth, given.get("predicted"), given.get("score"), ids=given.get("ids"))
        if rows is not None:
            subject = Subject(rows)
            ids, mark = subject.ids if subject.named == ledger.by_id else None, subject.mark
    if isinstance(truth, Panel) and truth.predicted is not None:
        answers = dict(zip(truth.models, truth.predicted.tolist(), strict=True))
        mark = fingerprint(answers)
    return ledger.look(verb, ids, mark, command, GIVES[verb])


def _with(answer: Answer, stand: Standing) -> Answer:
    """The answer, which says that it was written down."""
    sentences: Sequence[str] = tuple(stand.sentences())
    if isinstance(answer, Decision):
        return replace(answer, notes=(*answer.notes, *sentences), ledger=stand)
    facts: Any = replace(answer.facts, notes=(*answer.facts.notes, *sentences))  # type: ignore[type-var]
    return replace(answer, facts=facts)
