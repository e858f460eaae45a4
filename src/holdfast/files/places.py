"""Where a path leads: to which file, however it is spelled and linked, or to a stream that is open already."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress

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
