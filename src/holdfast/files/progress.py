"""What a state remembers of its input, so that a row is counted once however often it is read."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any, Self

MOST = 2**53  # bytes or rows
MOST_FILES = 100  # that are remembered, the latest ones
MOST_IDS = 100_000  # likewise
BYTES = 8  # of an id that are kept: among 100,000 ids two are alike with a chance below 10^-9


@dataclass(frozen=True)
class Place:
    """How far a file was read: so many bytes, their SHA-256, the rows counted in them, and the file's inode."""

    bytes: int
    sha256: str
    rows: int
    inode: int

    def __post_init__(self) -> None:
        for name in ("bytes", "rows"):
            if type(count := getattr(self, name)) is not int or not 0 <= count <= MOST:
                raise ValueError(f"{name} of a file is no whole number from 0 to {MOST:,}")
        if type(self.inode) is not int or not (type(self.sha256) is str and len(self.sha256) == 64):
            raise ValueError("a file that was read has no fingerprint")


@dataclass(frozen=True)
class Progress:
    """The files that were read and the ids of the rows that were counted, the latest last; old ones are forgotten."""

    files: tuple[Place, ...] = ()
    ids: dict[bytes, None] = field(default_factory=dict)
    forgotten: int = 0  # ids

    def after(self, files: tuple[Place, ...], ids: Iterable[bytes] = ()) -> Self:
        """With these files read so far, and rows of these ids counted beside those known."""
        known = self.ids
        if added := dict.fromkeys(ids):
            known = {**known, **added}
        excess = max(0, len(known) - MOST_IDS)
        kept = dict.fromkeys([*known][excess:]) if excess else known
        return type(self)(files[-MOST_FILES:], kept, self.forgotten + excess)

    def to_dict(self) -> dict[str, Any]:
        """What a state says of its input: nothing, where nothing is known."""
        if not (self.files or self.ids):
            return {}
        ids = b64encode(b"".join(self.ids)).decode()
        files = [asdict(place) for place in self.files]
        return {"input": {"files": files, "ids": ids, "forgotten_ids": self.forgotten}}

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Self:
        """What a state says of its input; a ValueError where that cannot be."""
        if "input" not in state:
            return cls()
        kept = state["input"]
        files = tuple(Place(**place) for place in kept["files"])
        packed, forgotten = b64decode(kept["ids"], validate=True), kept["forgotten_ids"]
        if len(packed) % BYTES or len(packed) > BYTES * MOST_IDS or len(files) > MOST_FILES:
            raise ValueError("it remembers more of its input than it could, or half an id")
        if type(forgotten) is not int or not 0 <= forgotten <= MOST:
            raise ValueError("forgotten_ids is no whole number")
        ids = dict.fromkeys(packed[place : place + BYTES] for place in range(0, len(packed), BYTES))
        return cls(files, ids, forgotten)


def short(id_: str) -> bytes:
    """What is kept of an id."""
    return blake2b(id_.encode(errors="surrogatepass"), digest_size=BYTES).digest()
