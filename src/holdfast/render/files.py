"""Files appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from holdfast.errors import HoldfastError


def write_whole(path: str | Path, content: bytes) -> None:
    """Write beside the target, then rename: a reader never sees half a file, and a failure leaves the old one."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".holdfast.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise HoldfastError(f"Cannot write {target}: {error.strerror}.") from None
    except ValueError as error:  # a name with a NUL in it
        raise HoldfastError(f"Cannot write {str(target)!r}: {error}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
