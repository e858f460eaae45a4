"""A verb that is given a ledger: its look is written down before anything of it is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from holdfast.arguments import check
from holdfast.errors import HoldfastError
from holdfast.report import Decision, Report

Given = ParamSpec("Given")
Answer = TypeVar("Answer", Report, Decision)
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
        from holdfast.verbs.ledger.ledger import Ledger
        from holdfast.verbs.ledger.sealed import sealed_gate
        from holdfast.verbs.ledger.subject import looked, rows_of_gate, with_standing

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
