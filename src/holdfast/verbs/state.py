"""What is known of a stream, on disk: the old state or the new one, never half of either."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.evidence import shown

MOST = 2**53  # examples


def digest(state: dict[str, Any]) -> str:
    return sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def read_state(path: str | Path, schema: str, older: Sequence[str] = ()) -> dict[str, Any]:
    """The state as it was saved, to the last digit, or an error that says what it is instead."""
    what = _what(schema)
    try:
        state = json.loads(Path(path).read_bytes())
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
    return state


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


def write_state(path: str | Path, state: dict[str, Any]) -> None:
    """Write beside the target and rename: after a crash there is the old state or the new one, on the disk itself.

    The state bears its checksum. The name beside is always the same, so that crashes leave at most one such file, which
    the next save takes over.
    """
    text = json.dumps({**state, "sha256": digest(state)}, allow_nan=False)
    try:
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{target.name}.part")
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
        if os.name == "posix":  # the rename itself must reach the disk too
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise HoldfastError(f"Cannot write {path}: {error.strerror}.") from None
    except ValueError as error:  # a name with a NUL in it
        raise HoldfastError(f"Cannot write {str(path)!r}: {error}.") from None
