"""A state machine that is fed a stream: it may be looked at whenever one likes, and goes on from where it was saved."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Integers, shown
from holdfast.files import WAIT, holding, write_whole
from holdfast.files.progress import Progress

MOST = 2**53  # examples
Versions = dict[str, tuple[str, ...]]  # by file: SHA-256 of what stands in it, as far as whoever saves there knows


class Saved(Protocol):
    """What has a state on disk."""

    versions: Versions


def digest(state: dict[str, Any]) -> str:
    return sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def read_state(path: str | Path, schema: str, older: Sequence[str] = ()) -> tuple[dict[str, Any], Versions]:
    """The state as it was saved, to the last digit, and which it was; or an error that says what it is instead."""
    what = _what(schema)
    try:
        content = Path(path).read_bytes()
        state = json.loads(content)
    except FileNotFoundError:
        raise HoldfastError(f"There is no file {path} to resume a {what} from; save one there first.") from None
    except OSError as error:
        raise HoldfastError(f"Cannot read {path}: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise damaged(path, schema, "it is not JSON") from None
    written = state.get("schema") if isinstance(state, dict) else None
    if written not in (schema, *older):
        kin = str(written).startswith(schema.rpartition("/")[0] + "/")
        remedy = "use the version of holdfast that wrote it." if kin else "is it another file?"
        raise HoldfastError(f"{path} says {shown(written)} where a {what}'s state says {schema!r}; {remedy}")
    if state.pop("sha256", None) != digest(state):
        raise damaged(path, schema, "its contents do not match its checksum")
    return state, {os.path.realpath(path): (sha256(content).hexdigest(),)}


def damaged(path: str | Path, schema: str, why: str) -> HoldfastError:
    what = _what(schema)
    return HoldfastError(f"The {what}'s state in {path} is damaged: {why}. Restore it, or start with another file.")


CALLED = {"delta": "chance of being wrong", "names": "models"}  # settings, in words that Python and options share


def check_unchanged(path: str | Path, schema: str, settings: object, asked: Mapping[str, Any]) -> None:
    """What is asked of the settings, other than None, must be what the state was made for."""
    for name, value in asked.items():
        saved, called = getattr(settings, name), CALLED.get(name, name.replace("_", " "))
        if value is not None and value != saved:
            told = "no such limit" if saved is None else f"{called} = {saved}"
            raise HoldfastError(
                f"The state in {path} was made for {told}; asked was {called} = {value}. "
                f"A {_what(schema)} keeps its settings: leave this one out to go on, or start with another file."
            )


def check_counts(kept: Mapping[str, object]) -> None:
    """What counts examples, or is a place on a grid, is a whole number that floats can count to."""
    for name in ("k", "n", "first", "last"):
        if name in kept and (type(count := kept[name]) is not int or not 0 <= count <= MOST):
            raise ValueError(f"{name} is no whole number from 0 to {MOST:,}")


def check_moments(n: int, **moments: object) -> None:
    """After how many examples something happened: a whole number of those there were, or None."""
    for name, moment in moments.items():
        if moment is not None and (type(moment) is not int or not 1 <= moment <= n):
            raise ValueError(f"{name} is none of the {n:,} examples")


def _what(schema: str) -> str:
    return schema.split("/")[1].removesuffix("-state")


def write_state(path: str | Path, state: dict[str, Any], saved: Saved, wait: float) -> None:
    """Replace the state that was loaded from there, or saved there last; one that somebody else wrote is left alone.

    The state bears its checksum. After a crash there is the old state or the new one, on the disk itself.
    """
    content = json.dumps({**state, "sha256": digest(state)}, allow_nan=False).encode()
    mark = sha256(content).hexdigest()
    with holding(path, wait):
        target = os.path.realpath(path)
        known = saved.versions.get(target, ())
        _check_known(path, _what(state["schema"]), known)
        saved.versions = {**saved.versions, target: (*known, mark)}  # an interrupt leaves open which of them it is
        write_whole(path, content, durable=True)
        saved.versions = {**saved.versions, target: (mark,)}


def _check_known(path: str | Path, what: str, known: Sequence[str]) -> None:
    try:
        there = sha256(Path(path).read_bytes()).hexdigest()
    except FileNotFoundError:
        return
    except OSError as error:
        raise HoldfastError(f"Cannot read {path}: {error.strerror}.") from None
    if not known:
        raise HoldfastError(
            f"There is a file {path} from which this {what} was not loaded: load it to go on from there, remove it, or "
            "save to another file."
        )
    if there not in known:
        raise HoldfastError(
            f"Another {what} has written {path} meanwhile, and what it counted would be lost: load the file again, or "
            "give each a file of its own."
        )


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
            machine = cls(cls._settings(**settings))
            machine._resume(state)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise damaged(path, cls._schema, str(error)) from None
        check_unchanged(path, cls._schema, machine.settings, asked)
        machine.versions = versions
        return machine

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


MOST_POINTS = 1024


@dataclass(frozen=True, eq=False)
class Track:
    """What both players had at some of the looks: the first of each stretch, and there are at most 1,024 stretches."""

    n: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    logs: Array = field(default_factory=lambda: np.zeros((2, 0)))  # of the e-values, first and second

    def extended(self, n: Integers, at: Callable[[Integers], Array]) -> Track:
        """With looks after n examples; `at` tells the logarithms at those of them that are kept."""
        stretch = 1 << (int(n[-1]) // MOST_POINTS).bit_length()
        old = np.flatnonzero(np.diff(self.n // stretch, prepend=-1))
        last = int(self.n[-1]) // stretch if self.n.size else -1
        new = np.flatnonzero(np.diff(n // stretch, prepend=last))
        return Track(np.concatenate([self.n[old], n[new]]), np.concatenate([self.logs[:, old], at(new)], axis=1))

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n.tolist(), "logs": self.logs.tolist()}

    @classmethod
    def resumed(cls, kept: dict[str, Any]) -> Track:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        whole = all(type(n) is int for n in kept["n"]) and len(kept["n"]) <= 2 * MOST_POINTS
        made = cls(np.array(kept["n"], np.int64), np.array(kept["logs"], np.float64).reshape(2, -1))
        in_order = whole and not np.any(np.diff(made.n, prepend=0) <= 0)
        if not in_order or made.logs.shape[1] != made.n.size or not np.isfinite(made.logs).all():
            raise ValueError("these are no looks")
        return made
