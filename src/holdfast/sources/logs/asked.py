"""What a user asks of logs that hold more than one thing: of which task, scorer, filter, split and models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.wording import listed, quoted

NAMED = ("task", "scorer", "metric", "filter", "split")  # of which a log may hold several


class SeveralThings(HoldfastError):
    """A log holds several of a kind, such as scorers, and nobody has said which is meant."""

    def __init__(self, message: str, kind: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.kind, self.names = kind, names


@dataclass(frozen=True)
class Asked:
    """Which part of a log is meant; None where the log itself says so, or has only one.

    Examples
    --------
    >>> Asked(filter="strict").one("filter", ["strict", "maj3"], "out/alpha")
    'strict'
    >>> Asked().one("filter", ["strict", "maj3"], "out")
    Traceback (most recent call last):
    holdfast.sources.logs.asked.SeveralThings: out has several filters: strict, maj3. Say which with filter=.
    """

    task: str | None = None
    scorer: str | None = None
    metric: str | None = None
    filter: str | None = None
    split: str | None = None
    cluster: str | None = None  # the column of clusters, where a user names it
    partial: bool = False  # whether runs that did not finish are read as far as they came
    graded: bool = False  # whether the range or the levels of scores are stated
    models: tuple[str, ...] = ()  # which of the models of a log are meant; all where none is named

    def one(self, kind: str, names: Sequence[str], source: str, headline: str | None = None) -> str:
        """The one that was named, or the log's own, or the only one; otherwise it is asked which."""
        given = getattr(self, kind)
        if given is not None:
            if given not in names:
                raise UnknownName(f"{kind} in {source}", given, names)
            return str(given)
        if headline in names:
            return str(headline)
        if len(names) == 1:
            return names[0]
        if not names:
            raise HoldfastError(f"{source} has no {kind}: nothing in it was scored.")
        message = f"{source} has several {kind}s: {listed([*names])}. Say which with {kind}= (--{kind})."
        raise SeveralThings(message, kind, names)

    def refuse_idle(self, tool: str, takes: Iterable[str], instead: Mapping[str, str] | None = None) -> None:
        """Refuse what says nothing of the logs of a tool, and say what does."""
        for each in fields(self):
            if each.name not in NAMED or each.name in {"task", *takes} or getattr(self, each.name) is None:
                continue
            other = (instead or {}).get(each.name)
            advice = f"use {other}= (--{other})" if other else "leave it out"
            raise HoldfastError(
                f"{each.name}= (--{each.name}) says nothing of a log of {tool}, which has none; {advice}."
            )

    def refuse_any(self, source: str) -> None:
        """Refuse all that is asked of logs where there is none."""
        given = [name for name in NAMED if getattr(self, name) is not None]
        given += ["partial"] if self.partial else []
        given += ["models"] if self.models else []
        if given:
            raise HoldfastError(
                f"{given[0]}= (--{given[0]}) is asked of the log of an evaluation, and {source} is none that is known; "
                "leave it out."
            )

    def naming(self, kind: str, name: str) -> Asked:
        """The same, and this one of several."""
        named: dict[str, Any] = {kind: name}
        return replace(self, **named)

    def has_model(self, name: str) -> bool:
        return not self.models or name in self.models


ANYTHING = Asked()


def only_task(asked: Asked, tasks: Sequence[str], source: str) -> str:
    """The task that is meant, of those that the logs are about; questions of two are never pooled."""
    known = [*dict.fromkeys(tasks)]
    if asked.task is not None and asked.task not in known:
        raise UnknownName(f"task in {source}", asked.task, known)
    if asked.task is None and len(known) > 1:
        raise SeveralThings(
            f"{source} is about several tasks: {listed(known)}. Say which with task= (--task); the questions of "
            f"{quoted(known[0])} and {quoted(known[1])} are not drawn alike.",
            "task",
            known,
        )
    return asked.task if asked.task is not None else known[0]
