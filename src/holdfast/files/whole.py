"""The writers: a file appears whole or not at all, under a name of its own until then, where the path leads.

A path leads to a file, however it is spelled and linked, or to a stream that is open already.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import BinaryIO
from zlib import crc32

from holdfast.errors import HoldfastError
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


ABANDONED = 24 * 60 * 60.0  # seconds after which a writer that cannot be asked about is taken for dead
NAME = re.compile(
    r"\.holdfast-(?P<place>[0-9a-f]{8})-(?P<process>\d{1,10})-(?P<started>\d{1,20})-[0-9a-f]{16}\.partial"
)
# Nobody can have put a file or a link there: it must not exist, and nobody can guess its name.
EXCLUSIVE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

_swept: set[tuple[int, str]] = set()  # folders, by process: a forked one has swept none


def partial_path(folder: str) -> str:
    """A name that no other writer has, and that tells which process writes."""
    process = os.getpid()
    name = f".holdfast-{_place()}-{process}-{_started(process)}-{secrets.token_hex(8)}.partial"
    return os.path.join(folder, name)


def sweep(folder: str) -> None:
    """Remove what our own processes left half written in the folder when they were killed; looked for once."""
    if os.name != "posix" or (os.getpid(), folder) in _swept:
        return
    _swept.add((os.getpid(), folder))
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = NAME.fullmatch(entry.name)
            with suppress(OSError):  # somebody else was quicker
                if name is not None and _is_left(entry, name):
                    os.unlink(entry.path)


def _is_left(entry: os.DirEntry[str], name: re.Match[str]) -> bool:
    known = entry.stat(follow_symlinks=False)
    if known.st_uid != os.geteuid() or not entry.is_file(follow_symlinks=False):
        return False
    if name["place"] != _place():
        return time.time() - known.st_mtime > ABANDONED
    return not _is_alive(int(name["process"]), int(name["started"]))


@cache
def _place() -> str:
    """Where process numbers mean something: this machine, and this container on it; folders may be shared."""
    namespace = 0
    with suppress(OSError):
        namespace = os.stat("/proc/self/ns/pid").st_ino
    machine = os.uname().nodename if os.name == "posix" else ""
    return f"{crc32(f'{machine} {namespace}'.encode(errors='surrogateescape')):08x}"


def _started(process: int) -> int:
    """When the process was started, in ticks since the machine was; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[19])
    return 0


def _is_alive(process: int, started: int) -> bool:
    """Whether the process runs, and is not another one that has got its number since."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return not started or _started(process) in (0, started)


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


Path = str | os.PathLike[str]
Identity = tuple[int, int] | str  # device and inode of a file; the path of one that does not exist yet
MOST_LINKS = 40  # one to the next, as the kernel has it
OPEN_STREAM = re.compile(r"(?:/dev|/proc/(?P<process>\d+)(?:/task/\d+)?)/fd/(?P<number>\d{1,9})")


def descriptor(path: Path) -> int | None:
    """N where the path is /dev/fd/N of this process, or a link to it as /dev/stdout is: that stream is open."""
    place = os.fspath(path)
    for _ in range(MOST_LINKS):
        folder, name = os.path.split(place)
        folder = os.path.realpath(folder or ".")  # /dev/fd and /proc/self are links, too
        place = os.path.join(folder, name)
        stream = OPEN_STREAM.fullmatch(place)
        if stream is not None and stream["process"] in (None, str(os.getpid())):
            return int(stream["number"])
        if not os.path.islink(place):
            return None
        place = os.path.join(folder, os.readlink(place))
    return None


def known_file(path: Path) -> os.stat_result | None:
    """What is known of the file to which the path leads; None where there is none yet."""
    with suppress(FileNotFoundError):
        return os.stat(path)
    return None


def identity(path: Path | int) -> Identity | None:
    """What two paths to one file have in common, or a path and an open stream; None for what is no regular file.

    A device or a pipe takes what several write and keeps nothing that could be overwritten. What cannot be asked about
    is refused where it is opened, with the reason.
    """
    try:
        known = os.fstat(path) if isinstance(path, int) else None if descriptor(path) is not None else os.stat(path)
    except FileNotFoundError:
        return None if isinstance(path, int) else os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):
        return None
    return (known.st_dev, known.st_ino) if known is not None and stat.S_ISREG(known.st_mode) else None
