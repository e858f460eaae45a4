"""The bytes of files as they really are: compressed or not, and in several encodings."""

from __future__ import annotations

import gzip
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import ANYTHING, Asked
from holdfast.wording import brief, quoted

Content = Path | bytes  # a file that stays where it is, or what was read from one
STANDARD_INPUT = "standard input"
LARGEST_DECODED = 2**28  # bytes of a foreign encoding that are decoded in memory
HEAD = 512  # bytes that tell what a file holds
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
FOREIGN = {
    **dict.fromkeys((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"), "UTF-32"),
    **dict.fromkeys((b"\xff\xfe", b"\xfe\xff"), "UTF-16"),
}
PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"(\xb5/\xfd": "zstd", b"PK\x03\x04": "zip, as Excel files are"}


class Files(NamedTuple):
    """Files that are read as one: what messages call them, all and each, and what is in each or where it is."""

    name: str
    names: list[str]
    contents: list[Content]
    separator: str | None = None  # what stands between the columns of text, where a user says so
    asked: Asked = ANYTHING  # which part is meant, of logs that hold more than one thing

    def handles(self) -> list[Any]:
        """What an engine reads from: files where they lie, what is held in memory, and what it cannot unpack itself."""
        return [content if isinstance(content, Path) else BytesIO(inflated(content)) for content in self.contents]


def standard_input() -> bytes:
    """All that comes in through the pipe, as it comes: what is compressed stays so."""
    if sys.stdin is None:
        raise HoldfastError("Standard input is closed; give the path of a file.")
    with readable(STANDARD_INPUT):
        return sys.stdin.buffer.read()


def content_of(path: Path) -> Content:
    """A file as it lies there; in memory what can be read but once, and what has a name that is no text."""
    name = told(path)
    with readable(name):
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISDIR(mode)):
            raise HoldfastError(
                f"{name} is a device, not a file; name a file, or give - and let the rows come in through a pipe."
            )
        with path.open("rb") as stream:
            return stream.read() if stat.S_ISFIFO(mode) or not _is_text(path) else path


def _is_text(path: Path) -> bool:
    """Whether engines that know names in UTF-8 alone can open it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def inflated(content: bytes) -> bytes:
    return gzip.decompress(content) if content.startswith(GZIP) else content


def told(content: Content) -> str:
    """What messages call a file: its path, on one line and not too long."""
    return STANDARD_INPUT if isinstance(content, bytes) else quoted(str(content), 120).strip("'\"")


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Say in our words why a file cannot be read."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise HoldfastError(f"{name} is compressed and damaged or cut off: {brief(error)}. Copy it again.") from None
    except OSError as error:
        raise HoldfastError(f"Cannot read {name}: {brief(error.strerror or error)}.") from None
    except HoldfastError:
        raise
    except ValueError as error:  # a name with a NUL in it
        raise HoldfastError(f"Cannot read {name}: {brief(error)}.") from None


def opened(content: Content) -> BinaryIO:
    """The bytes of a file, decompressed on the way."""
    if isinstance(content, bytes):
        stream = BytesIO(content)
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if content.startswith(GZIP) else stream
    with content.open("rb") as file:
        compressed = file.read(len(GZIP)) == GZIP
    return cast(BinaryIO, gzip.open(content)) if compressed else content.open("rb")


def head_of(content: Content) -> bytes:
    """The first bytes, decompressed; none where they cannot be read, which is said where the rest is."""
    try:
        with opened(content) as stream:
            return stream.read(HEAD)
    except (OSError, EOFError, zlib.error):
        return b""


def ending(content: Content) -> str:
    """How the name of a file ends, that of what is compressed in it where it is; nothing where it has no name."""
    if isinstance(content, bytes):
        return ""
    return Path(content.stem if content.suffix.lower() == ".gz" else content).suffix.lower()


def in_utf8(content: Content, name: str) -> Content:
    """The content as it stands where it may be UTF-8, and decoded where it says to be something else."""
    with opened(content) as stream:
        head = stream.read(64)
        for magic, kind in PACKED.items():
            if head.startswith(magic):
                raise HoldfastError(f"{name} is packed with {kind}; unpack it, or save it as CSV.")
        encoding = next((word for mark, word in FOREIGN.items() if head.startswith(mark)), None)
        if encoding is None:
            if 3 * head.count(0) > len(head):  # UTF-16 that does not say so, or no text at all
                raise HoldfastError(f"{name} does not look like text; save it as CSV in UTF-8.")
            return content
        everything = head + stream.read(LARGEST_DECODED)
    if len(everything) > LARGEST_DECODED:
        raise HoldfastError(f"{name} is in {encoding} and large; save it in UTF-8.")
    try:
        return everything.decode(encoding).encode()
    except UnicodeError:
        raise HoldfastError(f"{name} begins as {encoding} but is none; save it in UTF-8.") from None
