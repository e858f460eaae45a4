"""Look-ups by name: what is declared once is found by its name or an alias, and a near miss is suggested."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from holdfast.errors import HoldfastError, UnknownName


class Named(Protocol):
    """Whatever has a name and aliases."""

    @property
    def name(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...


Entry = TypeVar("Entry", bound=Named)


class Names(Generic[Entry]):
    """Entries in the order of their declaration; case and the difference of _ and - do not matter."""

    def __init__(self, kind: str, fill: Callable[[], object]) -> None:
        self._kind, self._fill = kind, fill  # `fill` imports the files that declare
        self._entries: dict[str, Entry] = {}

    def declare(self, entry: Entry) -> Entry:
        for name in (entry.name, *entry.aliases):
            if _key(name) in self._entries:
                raise HoldfastError(f"Two {self._kind}s are called {name!r}.")
            self._entries[_key(name)] = entry
        return entry

    def all(self) -> list[Entry]:
        self._fill()
        return list(dict.fromkeys(self._entries.values()))

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None

    def get(self, name: object) -> Entry | None:
        self._fill()
        return self._entries.get(_key(name))

    def find(self, name: object) -> Entry:
        entry = self.get(name)
        if entry is None:
            known = [known for entry in self.all() for known in (entry.name, *entry.aliases)]
            raise UnknownName(self._kind, name, known, [entry.name for entry in self.all()])
        return entry


def _key(name: object) -> str:
    return str(name).strip().lower().replace("_", "-")


def summary(function: Callable[..., Any]) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(function) or "").split("\n")[0]


def section(function: Callable[..., Any], title: str) -> str:
    """The text under one heading of the docstring."""
    below = (inspect.getdoc(function) or "").partition(f"{title}\n{'-' * len(title)}\n")[2]
    return below.split("\n\nExamples\n")[0].strip()
