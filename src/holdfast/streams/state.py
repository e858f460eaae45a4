"""What is known of a stream, on disk: the old state or the new one, never half of either, and never another one's."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from holdfast.errors import HoldfastError
from holdfast.evidence import shown
from holdfast.files import holding, write_whole

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
    said = state.get("schema") if isinstance(state, dict) else None
    if said not in (schema, *older):
        kin = str(said).startswith(schema.rpartition("/")[0] + "/")
        remedy = "use the version of holdfast that wrote it." if kin else "is it another file?"
        raise HoldfastError(f"{path} says {shown(said)} where a {what}'s state says {schema!r}; {remedy}")
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
    made = sha256(content).hexdigest()
    with holding(path, wait):
        target = os.path.realpath(path)
        known = saved.versions.get(target, ())
        _check_known(path, _what(state["schema"]), known)
        saved.versions = {**saved.versions, target: (*known, made)}  # an interrupt leaves open which of them it is
        write_whole(path, content, durable=True)
        saved.versions = {**saved.versions, target: (made,)}


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
