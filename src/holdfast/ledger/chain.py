"""Every entry holds the hash of the one before: nothing can be changed, dropped or moved without all that follows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Literal

from holdfast.errors import HoldfastError
from holdfast.ledger.budget import Rule
from holdfast.plain import Absent, Count, Number, Plain, Share, Unreadable

VERSION = 1  # of what entries hold


class Entry(Plain):
    """One line of the ledger; what is wrong with an old one is never mended, only followed by another."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class Opened(Entry):
    """The first entry commits to the rows, to what may go wrong and to how gates spend it."""

    kind: ClassVar[str] = "opened"
    time: str
    id: str  # by chance, so that no two ledgers are alike
    version: Number  # of the entries
    holdfast: str
    delta: Share
    policy: Rule
    rows: Number
    known_by: Literal["id", "position"]
    root: str  # the fingerprint of all keyed rows
    key: str  # what only the right key gives, and says nothing of it
    id_column: Absent[str] = None  # of the file of labels, where there was one
    truth_column: Absent[str] = None


@dataclass(frozen=True)
class Asked(Entry):
    """A sealed gate, written down with what it spends before anything is counted."""

    kind: ClassVar[str] = "gate"
    time: str
    command: str
    conditions: tuple[str, ...]
    predictions: str  # their fingerprint, without the truths
    level: Share
    left: float  # before it
    independent: Absent[str] = None  # why it does not depend on the open looks before it


@dataclass(frozen=True)
class Answered(Entry):
    """The answer to the gate before it; it has no time, for that would tell how long the truths kept it busy."""

    kind: ClassVar[str] = "answer"
    gate: Number  # the number of its entry
    proven: bool


@dataclass(frozen=True)
class Looked(Entry):
    """An open look, written down before it shows anything."""

    kind: ClassVar[str] = "look"
    time: str
    command: str
    verb: str
    predictions: str
    gives: str  # what it gives away
    rows: Absent[Count] = None  # of the committed ones, that were among those looked at; None where it is not known


KINDS: dict[str, type[Entry]] = {each.kind: each for each in (Opened, Asked, Answered, Looked)}


FIRST = "0" * 64  # what stands before the first entry
DOMAIN = b"holdfast ledger entry 1\n"


class Broken(HoldfastError):
    """The ledger does not say what it was written to say."""


@dataclass(frozen=True)
class Link:
    """An entry in its place, as the database holds it.

    Examples
    --------
    >>> from holdfast.ledger.chain import Answered
    >>> link = Link.after(None, Answered(gate=1, proven=True))
    >>> link.number, link.content
    (1, '{"gate":1,"kind":"answer","proven":true}')
    >>> link.hash == link.computed
    True
    """

    number: int
    previous: str
    content: str  # JSON, with sorted keys and no spaces
    hash: str

    @classmethod
    def after(cls, last: Link | None, entry: Entry) -> Link:
        """The entry as the next one."""
        number, previous = (1, FIRST) if last is None else (last.number + 1, last.hash)
        values = {"kind": entry.kind, **entry.to_dict()}
        content = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return cls(number, previous, content, _hash(number, previous, content))

    @property
    def computed(self) -> str:
        """The hash that it should have."""
        return _hash(self.number, self.previous, self.content)

    @property
    def entry(self) -> Entry:
        """What it says."""
        try:
            values: dict[str, Any] = json.loads(self.content)
            return KINDS[values.pop("kind")].from_dict(values)
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError, Unreadable):
            raise Broken(f"Entry {self.number} holds what no entry of a ledger holds.") from None


def check_links(links: Iterable[Link]) -> None:
    """Refuse a chain of which a link is missing, moved or changed."""
    before: Link | None = None
    for place, link in enumerate(links, 1):
        if link.number != place:
            raise Broken(f"Entry {place} is missing: {link.number} stands in its place.")
        if link.previous != (FIRST if before is None else before.hash):
            raise Broken(f"Entry {place} does not follow the one before it: the chain is broken there.")
        if link.hash != link.computed:
            raise Broken(f"Entry {place} was changed: its hash is not that of what it holds.")
        before = link


def head_of(links: Sequence[Link]) -> str:
    """The hash of the last entry: who has kept it can tell whether the ledger still has this history."""
    return links[-1].hash if links else FIRST


def find_head(links: Sequence[Link], head: str) -> Link:
    """The entry whose hash was kept elsewhere, in full or its first twelve digits or more."""
    given = head.strip().lower()
    if len(given) < 12 or len(given) > 64 or not set(given) <= set("0123456789abcdef"):
        raise HoldfastError(f"A head is a hash of 64 digits, or its first twelve or more; got {head!r}.")
    for link in links:
        if link.hash.startswith(given):
            return link
    raise Broken(
        f"No entry has the hash {given[:12]}: entries that once were there are gone, or others took their place."
    )


def _hash(number: int, previous: str, content: str) -> str:
    return sha256(DOMAIN + f"{number}\n{previous}\n{content}".encode()).hexdigest()
