"""What is written down of a test set: that it was opened, what was asked and answered, and who looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from holdfast.ledger.budget import Rule
from holdfast.plain import Absent, Count, Number, Plain, Share

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
