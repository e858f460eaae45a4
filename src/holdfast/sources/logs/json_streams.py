"""JSON as evaluation tools write it: read piece by piece, with limits, and with bare NaN for what was not scored."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from holdfast.errors import HoldfastError
from holdfast.sources.content import BOM, readable
from holdfast.wording import brief

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

    def __init__(self, stream: BinaryIO, name: str, largest: int = LARGEST_LIST) -> None:
        self.stream, self.name, self.largest = stream, name, largest
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
        if self.taken > self.largest:
            raise too_much(self.name, self.largest)
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


def too_much(name: str, largest: int) -> HoldfastError:
    return HoldfastError(
        f"{name} unpacks to more than {largest:,} bytes, which is more than is read; it may be damaged, or made to "
        "fill the memory."
    )


def not_json(name: str, why: str) -> HoldfastError:
    return HoldfastError(f"{name} is no JSON that could be read: {why}. It may be cut off or damaged; copy it again.")
