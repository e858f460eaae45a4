"""What a monitor knows, on disk: the old state or the new one, never half of either."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.evidence import shown

SCHEMA = "holdfast/monitor/1"


def digest(state: dict[str, Any]) -> str:
    return sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def read_state(path: str | Path) -> dict[str, Any]:
    """The state as it was saved, to the last digit, or an error that says what it is instead."""
    try:
        state = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise HoldfastError(f"There is no file {path} to resume a monitor from; save one there first.") from None
    except OSError as error:
        raise HoldfastError(f"Cannot read {path}: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise damaged(path, "it is not JSON") from None
    schema = state.get("schema") if isinstance(state, dict) else None
    if schema != SCHEMA:
        is_monitor = str(schema).startswith(SCHEMA.rpartition("/")[0] + "/")
        remedy = "use the version of holdfast that wrote it" if is_monitor else "is it another file?"
        raise HoldfastError(f"{path} says {shown(schema)} where a monitor's state says {SCHEMA!r}; {remedy}.")
    if state.pop("sha256", None) != digest(state):
        raise damaged(path, "its contents do not match its checksum")
    return state


def damaged(path: str | Path, why: str) -> HoldfastError:
    return HoldfastError(f"The monitor's state in {path} is damaged: {why}. Restore it, or start with another file.")


def write_state(path: str | Path, text: str) -> None:
    """Write beside the target and rename: after a crash there is the old state or the new one, on the disk itself.

    The name beside is always the same, so that crashes leave at most one such file, which the next save takes over.
    """
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
