"""Zip archives of evaluation logs, packed with deflate or Zstandard: read in blocks, nothing is written or executed."""

from __future__ import annotations

import sys
import zipfile as standard
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from typing import Any, BinaryIO, cast

from holdfast.errors import HoldfastError
from holdfast.sources.content import Content, readable
from holdfast.sources.logs.json_streams import LARGEST_LIST, JsonStream, too_much
from holdfast.wording import brief, quoted

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")  # the latter where nothing is in it
ZSTANDARD = 93
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
                raise too_much(name, LARGEST_LIST)
            with closing(self._zip.open(member)) as stream:
                yield JsonStream(cast(BinaryIO, stream), name)

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
