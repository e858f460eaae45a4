"""One process at a time: what a state was loaded for is saved before another loads it."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import blake2b

from holdfast.errors import HoldfastError
from holdfast.files.whole import Path, cannot_write, known_file
from holdfast.wording import quoted

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

WAIT = 5.0  # seconds, unless others are asked for
PAUSE = 0.02  # seconds between two attempts
SHARED = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
BEYOND = 2**30  # the byte that Windows locks, which forbids others to read it

_held: ContextVar[frozenset[str]] = ContextVar("_held", default=frozenset())  # files, by whoever runs this


@contextmanager
def holding(path: Path, wait: float = WAIT) -> Iterator[None]:
    """While the block runs, nobody else holds this file; whoever holds it already may say so again.

    The lock is the system's, on a file beside: it is gone with the process that held it, however that ended. Where the
    file system knows no locks there is none.
    """
    if not isinstance(wait, (int, float)) or not wait >= 0:
        raise HoldfastError(f"wait= (--wait) is a number of seconds, 0 or more; got {quoted(wait)}.")
    try:
        target, known = os.path.realpath(path), known_file(path)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None
    if known is not None and not stat.S_ISREG(known.st_mode):
        raise HoldfastError(f"{os.fspath(path)} is no regular file, and no state can be kept in it; name another.")
    if target in _held.get():
        yield
        return
    name = f".holdfast-{blake2b(os.fsencode(os.path.basename(target)), digest_size=8).hexdigest()}.lock"
    lock = os.path.join(os.path.dirname(target), name)
    try:
        handle = _acquired(lock, path, wait)
    except OSError as error:
        raise cannot_write(path, error) from None
    earlier = _held.set(_held.get() | {target})
    try:
        yield
    finally:
        _held.reset(earlier)
        _release(handle, lock)


def _acquired(lock: str, path: Path, wait: float) -> int:
    """The lock's handle; an error once others have held it for so many seconds."""
    deadline = time.monotonic() + wait
    while True:
        handle = os.open(lock, SHARED, 0o666)
        try:
            free = _locked(handle)
            if free and _is_there(handle, lock):
                os.ftruncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
                return handle
            holder = "" if free else _holder(handle)
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if free:  # whoever held it has removed it: the next one counts
            continue
        if time.monotonic() >= deadline:
            raise HoldfastError(
                f"{os.fspath(path)} is in use by another process{holder}, still after {wait:g} seconds; wait longer "
                "with wait= (--wait), or keep another state."
            )
        time.sleep(PAUSE)


def _locked(handle: int) -> bool:
    """Whether the lock is ours now; where there are none, nobody else has it either."""
    try:
        if sys.platform == "win32":
            os.lseek(handle, BEYOND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


def _is_there(handle: int, lock: str) -> bool:
    """Whether the name still stands for this file, and not for none or for another one."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), os.stat(lock))
    return False


def _holder(handle: int) -> str:
    with suppress(OSError):
        if (number := os.read(handle, 20).strip()).isdigit():
            return f" ({int(number)})"
    return ""


def _release(handle: int, lock: str) -> None:
    """The file goes first, while nobody else can hold it; Windows removes none that is open."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.unlink(lock)
    os.close(handle)
    if sys.platform == "win32":
        with suppress(OSError):
            os.unlink(lock)
