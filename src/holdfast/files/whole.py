"""The one writer: a file appears whole or not at all, where the path leads and with the rights that it had."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from holdfast.errors import HoldfastError
from holdfast.files.partial import EXCLUSIVE, partial_path, sweep
from holdfast.files.places import Path, descriptor, known_file
from holdfast.wording import brief


def write_whole(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write all of the content, or leave what was there; `written` says how."""
    with written(path, durable=durable) as file:
        file.write(content)


@contextmanager
def written(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A stream, what is written to which stands in the file once the block has ended well.

    It is written beside the target, which it then replaces: a reader never sees half a file, and a failure leaves the
    old one. A link stays, and what it leads to is replaced. An old file's rights and owner are kept. What is no regular
    file, such as /dev/null, a named pipe or /dev/stdout, is written into. With `durable` it is on the disk itself.
    """
    try:
        with _stream(path, durable) as file:
            yield file
    except OSError as error:
        raise cannot_write(path, error) from None


def append_to(path: Path, content: bytes, what: str = "") -> None:
    """Add to the end of a file, or nothing at all; messages say `what` was to be added."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        with open(handle, "wb", buffering=0) as file:
            before = os.fstat(handle)
            try:
                while content:
                    content = content[file.write(content) :]
            except BaseException:
                if stat.S_ISREG(before.st_mode):
                    file.truncate(before.st_size)
                raise
    except (OSError, ValueError) as error:
        raise cannot_write(path, error, what) from None


def cannot_write(path: Path, error: OSError | ValueError, what: str = "") -> HoldfastError:
    """What is told of it, on one line."""
    name, reason = os.fspath(path), getattr(error, "strerror", None) or error
    shown = name if name.isprintable() else repr(name)
    return HoldfastError(f"Cannot write {what and f'{what} to '}{shown}: {brief(reason)}.")


@contextmanager
def _stream(path: Path, durable: bool) -> Iterator[BinaryIO]:
    try:
        number, known = descriptor(path), known_file(path)
    except ValueError as error:  # a name with a NUL in it
        raise cannot_write(path, error) from None
    if number is not None:
        with _as_is(number) as file:
            yield file
    elif known is None or stat.S_ISREG(known.st_mode):
        with _beside(os.path.realpath(path), known, durable) as file:
            yield file
    else:
        with open(_opened(path, known), "wb") as file:
            yield file


def _as_is(number: int) -> BinaryIO:
    """A stream that is open already, which stays so; what was printed to it comes first."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # it may be closed, or no stream of the system
            stream.flush()
    return open(os.dup(number), "wb")


def _opened(path: Path, known: os.stat_result) -> int:
    """A device, a named pipe or a socket, to be written into."""
    if stat.S_ISDIR(known.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISSOCK(known.st_mode):
        import socket

        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.fspath(path))
            return connection.detach()
    return os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0))


@contextmanager
def _beside(target: str, known: os.stat_result | None, durable: bool) -> Iterator[BinaryIO]:
    if known is not None and not os.access(target, os.W_OK):  # renaming would not ask
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    folder = os.path.dirname(target)
    sweep(folder)
    partial = partial_path(folder)
    handle = os.open(partial, EXCLUSIVE, 0o666 if known is None else 0o600)
    try:
        with open(handle, "wb") as file:
            if known is not None and os.name == "posix":
                _give_rights(handle, known)
            yield file
            file.flush()
            if durable:
                os.fsync(handle)
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
    if durable and os.name == "posix":  # the rename itself must reach the disk, too
        _sync_folder(folder)


def _give_rights(handle: int, known: os.stat_result) -> None:
    """Those of the file that is about to be replaced."""
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (known.st_uid, known.st_gid):
        with suppress(PermissionError):  # only root gives files away
            os.fchown(handle, known.st_uid, known.st_gid)
    os.fchmod(handle, stat.S_IMODE(known.st_mode))


def _sync_folder(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
