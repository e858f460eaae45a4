"""Files that are being written, under names of their own beside their targets; those of the dead are swept up."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from functools import cache
from zlib import crc32

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
