"""Zip archives of evaluation logs, packed with deflate or Zstandard: read in blocks, nothing is written or executed."""

from __future__ import annotations

import json
import sys
import zipfile as standard
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from typing import Any, BinaryIO, cast

from holdfast.errors import HoldfastError
from holdfast.sources.content import BOM, Content, readable
from holdfast.wording import brief, quoted

BLOCK = 2**20  # bytes that are read at once
LARGEST_VALUE = 2**28  # bytes of one value, such as the header of a run or one of its samples
LARGEST_LIST = 2**32  # bytes of values that are read one by one
LARGEST_WHOLE = 2**30  # bytes of a file that is read at once
BLANKS = " \t\r\n"


class JsonStream:
    """The values of a file of JSON one after another, of which no more than one is held.

    Examples
    --------
    >>> from io import BytesIO
    >>> [*JsonStream(BytesIO(b'[{"id": 1}, {"id": 2, "score": NaN}]'), "run.json").items()]
    [{'id': 1}, {'id': 2, 'score': nan}]
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.stream, self.name = stream, name
        self.decoder = getincrementaldecoder("utf-8")()
        self.text, self.place, self.taken, self.ended = "", 0, 0, False

    def items(self) -> Iterator[Any]:
        """What a list holds, each when it is asked for."""
        if self._next() != "[":
            raise not_json(self.name, "a list was expected")
        self.place += 1
        if self._next() == "]":
            self.place += 1
            return
        while True:
            yield self.value()
            mark = self._next()
            self.place += 1
            if mark == "]":
                return
            if mark != ",":
                raise not_json(self.name, "its list does not end")

    def records(self) -> Iterator[Any]:
        """Values that stand under each other, one per line."""
        while self._next():
            yield self.value()

    def value(self) -> Any:
        """The next value, whatever it is."""
        self._next()
        while True:
            try:
                with parsing(self.name):
                    value, end = DECODER.raw_decode(self.text, self.place)
                if end < len(self.text) or self.ended:  # a number may go on in the next block
                    self.place = end
                    return value
            except HoldfastError:
                if self.ended:
                    raise
            if len(self.text) - self.place > LARGEST_VALUE:
                raise HoldfastError(
                    f"A value of {self.name} is longer than {LARGEST_VALUE:,} characters; no log of an evaluation has "
                    "such. It may be damaged."
                )
            self._read(max(BLOCK, len(self.text) - self.place))

    def _next(self) -> str:
        """The next character that says something; nothing at the end."""
        while True:
            while self.place < len(self.text) and self.text[self.place] in BLANKS:
                self.place += 1
            if self.place < len(self.text) or self.ended:
                return self.text[self.place : self.place + 1]
            self._read(BLOCK)

    def _read(self, size: int) -> None:
        with readable(self.name):
            block = self.stream.read(size)
        first = not self.taken
        self.taken += len(block)
        if self.taken > LARGEST_LIST:
            raise too_much(self.name)
        self.ended = not block
        try:
            more = self.decoder.decode(block.removeprefix(BOM) if first else block, self.ended)
        except UnicodeDecodeError:
            raise not_json(self.name, "it is not in UTF-8") from None
        self.text, self.place = self.text[self.place :] + more, 0


DECODER = json.JSONDecoder()


def whole(stream: BinaryIO, name: str) -> Any:
    """All that a file of JSON holds, as one value."""
    with readable(name):
        content = stream.read(LARGEST_WHOLE + 1)
    if len(content) > LARGEST_WHOLE:
        raise HoldfastError(f"{name} is larger than {LARGEST_WHOLE:,} bytes, which is more than is read at once.")
    with parsing(name):
        return json.loads(content.removeprefix(BOM).decode())


@contextmanager
def parsing(name: str) -> Iterator[None]:
    """Say in our words why something is no JSON."""
    try:
        yield
    except UnicodeDecodeError:
        raise not_json(name, "it is not in UTF-8") from None
    except RecursionError:
        raise not_json(name, "it is nested too deeply") from None
    except ValueError as error:  # what json says, or Python of a number with too many digits
        raise not_json(name, brief(error)) from None


def too_much(name: str) -> HoldfastError:
    return HoldfastError(
        f"{name} unpacks to more than {LARGEST_LIST:,} bytes, which is more than is read; it may be damaged, or made "
        "to fill the memory."
    )


def not_json(name: str, why: str) -> HoldfastError:
    return HoldfastError(f"{name} is no JSON that could be read: {why}. It may be cut off or damaged; copy it again.")


MAGIC = (b"PK\x03\x04", b"PK\x05\x06")  # the latter where nothing is in it
MOST_MEMBERS = 2_000_000
NEEDS_ZSTANDARD = (
    "{} is packed with Zstandard, which Python reads from 3.14 on and before with the logs extra: pip install "
    "'holdfast[logs]'."
)


def _reader() -> Any:
    """What reads archives here: Python's own, or before Python 3.14 a copy of the later one, where it is installed."""
    if sys.version_info >= (3, 14):
        return standard
    try:
        from backports.zstd import zipfile
    except ImportError:
        return standard
    return zipfile


class Archive:
    """A zip archive of which members are read by their names; that names lead elsewhere says nothing, for none is used.

    Members are read as streams: what they claim to hold is never laid out at once.
    """

    def __init__(self, content: Content, name: str) -> None:
        self.name = name
        with self._reading():
            self._zip = _reader().ZipFile(BytesIO(content) if isinstance(content, bytes) else content)
            self.names = [info.filename for info in self._zip.infolist()]
        if len(self.names) > MOST_MEMBERS:
            raise HoldfastError(f"{name} holds {len(self.names):,} members; no log of an evaluation has so many.")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def value(self, member: str) -> Any:
        """The one value that a member holds."""
        with self._stream(member) as stream:
            return stream.value()

    def items(self, member: str) -> Iterator[Any]:
        """What the list in a member holds."""
        with self._stream(member) as stream:
            yield from stream.items()

    @contextmanager
    def _stream(self, member: str) -> Iterator[JsonStream]:
        name = f"{quoted(member, 60)} in {self.name}"
        with self._reading():
            if self._zip.getinfo(member).file_size > LARGEST_LIST:  # of which the reader unpacks no more
                raise too_much(name)
            with closing(self._zip.open(member)) as stream:
                yield JsonStream(cast("BinaryIO", stream), name)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            with readable(self.name):
                yield
        except NotImplementedError:
            raise HoldfastError(NEEDS_ZSTANDARD.format(self.name)) from None
        except HoldfastError:
            raise
        except (standard.BadZipFile, zlib.error, EOFError, RuntimeError, KeyError) as error:
            raise _damaged(self.name, error) from None
        except Exception as error:  # the copy of the later zipfile has errors of its own
            if type(error).__name__ in ("BadZipFile", "ZstdError"):
                raise _damaged(self.name, error) from None
            raise


def _damaged(name: str, error: Exception) -> HoldfastError:
    return HoldfastError(f"{name} is an archive that is damaged or cut off: {brief(error)}. Copy it again.")
