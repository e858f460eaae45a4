"""A state machine that is fed a stream: it may be looked at whenever one likes, and goes on from where it was saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from holdfast.evidence import Array
from holdfast.files import WAIT
from holdfast.files.progress import Progress
from holdfast.streams.state import Versions, check_moments, check_unchanged, damaged, read_state, write_state

Batch = tuple[Array, ...]  # one element per look


class StateMachine:
    """What was counted of a stream by settings that never change, and after how many examples something happened."""

    _settings: ClassVar[Callable[..., Any]]
    _schema: ClassVar[str]
    _older: ClassVar[tuple[str, ...]]  # schemas that are read too; they say nothing of the input
    _moments: ClassVar[tuple[str, ...]]  # what may happen once, and stays

    def __init__(self, settings: Any) -> None:
        self.settings = settings
        self._sequence = settings.start()
        self.changed_after: int | None = None  # examples
        self.versions: Versions = {}  # what it knows of files that it was loaded from, or saved to
        self.progress = Progress()  # what was read of which input, where holdfast itself reads it

    @property
    def n(self) -> int:
        return int(self._sequence.n)

    @property
    def changed(self) -> bool:
        """Whether nothing fits all examples any more."""
        return self.changed_after is not None

    def _take(self, batch: Batch, **happened: Callable[[Any], bool]) -> Self:
        """Count a batch, and note after how many examples each of these was true for the first time."""
        before, after = self._sequence, self._sequence.after(*batch)
        moments = {name: getattr(self, name) for name in happened}
        for name, is_true in happened.items():
            if moments[name] is None and is_true(after):
                moments[name] = first_look(before, batch, is_true).n
        # All at once: whoever interrupts finds the machine before the update or after it.
        self.__dict__.update(_sequence=after, **moments)
        return self

    # ---- On disk

    def save(self, path: str | Path, *, wait: float = WAIT) -> None:
        """Write the state as JSON, whole or not at all; `load` goes on exactly where this one is.

        A file that is there is replaced only if it holds what this one was loaded from, or saved there last: so
        nobody undoes what somebody else has counted. While another process holds the file, it waits for `wait`
        seconds at most.
        """
        write_state(path, self._state() | self.progress.to_dict(), self, wait)

    @classmethod
    def load(cls, path: str | Path, **asked: Any) -> Self:
        """The one saved there; what is `asked` of its settings, other than None, must be what it was made for."""
        state, versions = read_state(path, cls._schema, cls._older)
        try:
            settings = {
                name: tuple(value) if type(value) is list else value for name, value in state["settings"].items()
            }
            made = cls(cls._settings(**settings))
            made._resume(state)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise damaged(path, cls._schema, str(error)) from None
        check_unchanged(path, cls._schema, made.settings, asked)
        made.versions = versions
        return made

    def _state(self) -> dict[str, Any]:
        moments = {name: getattr(self, name) for name in self._moments}
        settings = asdict(self.settings)
        return {"schema": self._schema, "settings": settings, "sequence": self._sequence.to_dict(), **moments}

    def _resume(self, state: dict[str, Any]) -> None:
        """All that was kept; a ValueError where it cannot be true at once."""
        sequence = self._sequence.resumed(state["sequence"])
        moments = {name: state[name] for name in self._moments}
        check_moments(sequence.n, **moments)
        self.__dict__.update(_sequence=sequence, progress=Progress.of(state), **moments)


def first_look(sequence: Any, batch: Batch, happened: Callable[[Any], bool]) -> Any:
    """The sequence at the first look at which something had happened that then stays, as it has after the batch."""
    while (size := len(batch[0])) > 1:
        half = sequence.after(*(part[: size // 2] for part in batch))
        if happened(half):
            batch = tuple(part[: size // 2] for part in batch)
        else:
            sequence, batch = half, tuple(part[size // 2 :] for part in batch)
    return sequence.after(*batch)


Machine = TypeVar("Machine", bound=StateMachine)


def kept(kind: type[Machine], path: str | None, asked: dict[str, Any]) -> Machine:
    """The machine that is kept there, or else a new one; what is None of its settings was not asked for."""
    if path is not None and Path(path).exists():
        return kind.load(path, **asked)
    return kind(kind._settings(**{name: value for name, value in asked.items() if value is not None}))
