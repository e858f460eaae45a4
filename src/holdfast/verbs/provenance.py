"""What goes around a verb: its call, kept with the answer, and the look that is written in a ledger first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache, wraps
from inspect import signature
from os import PathLike
from typing import Any, ParamSpec, Protocol, Self, TypeVar

import numpy as np

from holdfast.arguments import check
from holdfast.catalog import Bound, Measure
from holdfast.errors import HoldfastError
from holdfast.evidence.costs import Costs
from holdfast.predictions.design import COLUMNS, Design
from holdfast.report import Decision, Report

USUAL = {each.name: each.default for each in fields(Design)}
KEYWORDS = "drawn"  # what verbs call all that a design takes, where it is given by its names
LONGEST = 400  # characters of one option: a matrix of costs of many labels is not written out


class Called(Protocol):
    """What knows the call, or the command, that made it."""

    @property
    def command(self) -> str | None: ...

    def with_command(self, command: str) -> Self: ...


Given = ParamSpec("Given")
Answer = TypeVar("Answer", bound=Called)


def recorded(without: Collection[str]) -> Callable[[Callable[Given, Answer]], Callable[Given, Answer]]:
    """The answer of the verb knows the call that made it, `without` the rows that went into it."""

    def decorate(verb: Callable[Given, Answer]) -> Callable[Given, Answer]:
        expected = signature(verb)

        @wraps(verb)
        def call(*args: Given.args, **options: Given.kwargs) -> Answer:
            answer = verb(*args, **options)
            if answer.command is not None:  # of another verb, which it has called for this one
                return answer
            given = expected.bind(*args, **options).arguments
            return answer.with_command(called(verb, given, without))

        return call

    return decorate


def called(verb: Callable[..., Any], given: Mapping[str, Any], without: Collection[str]) -> str:
    """The call with every option that is not at its default, and without the rows.

    Examples
    --------
    >>> def judge(rows, bins=None, side="both"): ...
    >>> called(judge, {"rows": [1, 2], "bins": np.array([0, 0.5, 1]), "side": "both"}, without=["rows"])
    'holdfast.judge(bins=[0.0, 0.5, 1.0])'
    """
    usual = {**USUAL, **_defaults(verb)}
    stated = {name: value for name, value in _by_name(verb, given) if name not in without}
    written = {name: _written(value) for name, value in stated.items() if value is not usual[name]}
    options = ", ".join(f"{name}={text}" for name, text in written.items() if text != _written(usual[name]))
    return f"holdfast.{verb.__name__}({options})"


def _by_name(verb: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was given and, in place of a design, what that says of all rows together."""
    design, keywords = given.get("design"), given.get(KEYWORDS, {})
    facts = dict(vars(design)) if isinstance(design, Design) else {}
    facts |= {name: value for name, value in keywords.items() if value is not None}
    expected = _defaults(verb)
    for name in expected if "design" in expected else given:
        if name == "design":
            yield from ((fact, facts[fact]) for fact in USUAL if fact in facts and fact not in COLUMNS)
        elif name in given and name != KEYWORDS:
            yield name, given[name]


@cache
def _defaults(verb: Callable[..., Any]) -> dict[str, Any]:
    return {name: option.default for name, option in signature(verb).parameters.items()}


def _written(value: Any) -> str:
    text = repr(_plain(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _plain(value: Any) -> Any:
    """The value in words that Python itself has."""
    if isinstance(value, (Bound, Measure)):
        return value.name
    if isinstance(value, Costs):
        return {"labels": list(value.labels), "rows": "predicted", "matrix": value.matrix.tolist()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


Options = ParamSpec("Options")
Looked = TypeVar("Looked", Report, Decision)
OWN = ("ledger", "sealed", "independent", "spend_now")
ALONE = "{} says something of a gate that is kept in a ledger: give ledger= (--ledger)."


def in_ledger(verb: Callable[Options, Looked]) -> Callable[Options, Looked]:
    """The verb, whose look is written down where a ledger is given; a gate is then sealed, unless that is refused."""
    expected = signature(verb)

    @wraps(verb)
    def call(*args: Options.args, **options: Options.kwargs) -> Looked:
        own: dict[str, Any] = {name: options.pop(name, None) for name in OWN if name in expected.parameters}
        sealed = own.pop("sealed", None) is not False
        if own["ledger"] is None:
            for name in ("independent", "spend_now"):
                if own.get(name) is not None:
                    raise HoldfastError(ALONE.format(f"{name}= (--{name.replace('_', '-')})"))
            if not sealed:
                raise HoldfastError(ALONE.format("sealed=False (--open)"))
            return verb(*args, **options)
        from holdfast.verbs.ledger.ledger import Ledger
        from holdfast.verbs.ledger.sealed import looked, rows_of_gate, sealed_gate, with_standing

        check(f"hf.{verb.__name__}", "ledger", own["ledger"], Ledger | str | PathLike[str])
        ledger = own["ledger"] if isinstance(own["ledger"], Ledger) else Ledger(own["ledger"])
        given = dict(expected.bind(*args, **options).arguments)
        given |= {**given.pop("more", {}), **given.pop("drawn", {})}
        if verb.__name__ == "gate" and sealed:
            rows = rows_of_gate(given)
            decide: Any = verb  # a gate, whose answer is a decision
            return sealed_gate(  # type: ignore[return-value]
                decide, ledger.book, ledger.key, rows, given, ledger.command, own["spend_now"], own["independent"]
            )
        for name in ("independent", "spend_now"):
            if own.get(name) is not None:
                option = f"{name}= (--{name.replace('_', '-')})"
                raise HoldfastError(f"{option} is for a sealed gate; an open look spends nothing and depends on all.")
        command = ledger.command or f"holdfast.{verb.__name__}(...)"
        stand = looked(ledger, verb.__name__, given, command)
        return with_standing(verb(*args, **options), stand)

    return call
