"""A file that only its owner can read, and that is never replaced."""

from __future__ import annotations

import os
from contextlib import suppress

from holdfast.files.partial import EXCLUSIVE
from holdfast.files.places import Path
from holdfast.files.whole import cannot_write


def write_secret(path: Path, content: bytes) -> bool:
    """Write a new file for its owner alone, onto the disk itself; False where there is one already."""
    try:
        handle = os.open(path, EXCLUSIVE, 0o600)
    except FileExistsError:
        return False
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
    except OSError as error:
        with suppress(OSError):
            os.unlink(path)
        raise cannot_write(path, error) from None
    return True
