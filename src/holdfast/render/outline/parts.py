"""What an outline is made of: sentences, lists and tables, each with what either medium has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from holdfast.claims import Claim, Guarantee
from holdfast.render.phrases import LIMITS, MOST_DIGITS

ASSUMED = "This assumes that"
VERDICT = "verdict"  # marks the sentence that is said first where there is room for one, though it is not the first
LEVEL = "{level}"  # in words of the page: the confidence, which a switch may change
LONGEST_METHOD = 20  # that leaves columns of text as far apart as they should be
Medium = Literal["text", "page"]


class Room(NamedTuple):
    """How much there is room for in text, and on a page."""

    text: int
    page: int


ANY = Room(10**9, 10**9)
MOST = Room(20, 10**9)  # rows of a table
LONGEST = Room(16, 60)
DIGITS = Room(MOST_DIGITS, MOST_DIGITS)


class Name(NamedTuple):
    """Words of others, which each medium cuts to its room: a label, a group, a model, or two that are compared."""

    first: str
    second: str | None = None
    remark: str = ""  # of ours, behind it


class Both(NamedTuple):
    """What text says, and what a page says instead."""

    text: Any
    page: Any


class Styled(NamedTuple):
    """Words that stand out on a terminal."""

    words: str
    style: str


Cell = str | bool | Name | Styled | Claim | Guarantee | Both
Rows = Sequence[Sequence[object]]  # of cells


@dataclass(frozen=True)
class Column:
    """A column of a table. Of claims it has a title for estimate and limits each, or one title for both."""

    title: str | tuple[str, str] | None  # in text; None where only the page has the column
    page: str | tuple[str, str] | None = None  # there; as in text, but with a capital, or "" where only text has it
    number: bool = True  # set from the right,
    left_on_page: bool = False  # unless it is that there
    longest: Room = LONGEST  # characters of a name
    digits: Room = DIGITS  # decimals of a claim, at most
    one_sided: Literal["words", "signs"] | None = None  # what stands before a limit that is claimed alone
    unbroken: bool = False  # whether text has a line for each of its cells
    css: str | tuple[str, str] = ""  # of the cells on the page
    label: str = ""  # what they are called there, where a row is stacked

    @classmethod
    def words(cls, title: str | None, page: str | None = None, longest: Room = LONGEST, **more: Any) -> Column:
        """One that is set from the left."""
        return cls(title, page, number=False, longest=longest, **more)


class Fold(NamedTuple):
    """What a table of the page is folded under."""

    title: str
    claim: Claim | None = None  # whose method and guarantee stand beside the title
    open: bool = True
    printed: bool = True  # on paper, too


@dataclass(frozen=True)
class Table:
    """A table; of more rows than there is room for, the first are shown and the others counted."""

    columns: Sequence[Column]
    rows: Rows
    name: str = ""  # read out to whoever does not see the page
    most: Room = MOST
    total: int | None = None  # of rows, where not all are at hand
    heading: str = ""  # above it in text
    dense: bool = False  # columns of text closer together, for there are many
    narrow: bool = False  # whether the first has no room for more than its longest name
    css: str = "stacks"
    id: str = ""
    fold: Fold | None = None
    below: str = ""  # under it on the page


def claims_table(
    rows: Sequence[tuple[Cell, Claim]],
    name: str = "",
    title: str | tuple[str, str] = "",
    *,
    first: str = "measure",
    per: bool = False,
    before: Rows = (),
    limits: Mapping[str, Any] | None = None,
    **how: Any,
) -> Table:
    """One row per claim: what it is about, estimate, limits, method, and how firmly it holds.

    `title` is that of estimate and limits in text, `limits` says how they are told, `per` whether each says what it is
    an average over; `before` holds a name for each row, of two models, that text sets first.
    """
    side = LIMITS[rows[0][1].side]
    columns = [
        *([Column.words("first - second", "", Room(10, 0))] if before else []),
        Column.words(first, "Measure"),
        *([Column.words("per", "")] if per else []),
        Column(title, ("Estimate", f"{LEVEL} {side}"), css=("", "limits"), **(limits or {})),
        Column.words("method", css="method"),
        Column.words("holds at"),
    ]
    cells = [
        [*(before[place] if before else ()), about, *([claim.per] if per else []), claim, claim.method, claim.guarantee]
        for place, (about, claim) in enumerate(rows)
    ]
    dense = per or max(len(claim.method) for _, claim in rows) > LONGEST_METHOD
    return Table(columns, cells, name, **{"most": ANY, "dense": dense, "css": "claims stacks", **how})


@dataclass(frozen=True)
class Sentence:
    """A paragraph, of one sentence or of several that each begin a line."""

    words: tuple[str, ...]
    css: str = ""
    loose: bool = False  # whether a line of text may end between a number and its percent sign


@dataclass(frozen=True)
class Points:
    """Sentences as a list, under a title or another sentence."""

    title: str
    sentences: Sequence[str]
    loose: bool = False


@dataclass(frozen=True)
class Stated:
    """A claim that stands by itself, in a line of text or in the row of a table, perhaps under some words."""

    claim: Claim
    title: str = ""


@dataclass(frozen=True)
class Assumed:
    """What all that stands above rests on."""

    sentences: Sequence[str]

    @classmethod
    def by(cls, claims: Iterable[Claim]) -> Assumed:
        """What the claims assume, each sentence once."""
        return cls([*dict.fromkeys(str(sentence) for claim in claims for sentence in claim.assumes)])

    @property
    def points(self) -> list[str]:
        """One sentence that goes over several points."""
        last = len(self.sentences)
        return [f"{words}{'.' if place == last else ';'}" for place, words in enumerate(self.sentences, 1)]


@dataclass(frozen=True)
class Verbatim:
    """Lines that stay as they are: a drawing of characters, or a formula."""

    text: str


@dataclass(frozen=True)
class Definitions:
    """Terms, each perhaps with a guarantee and a remark, and what is said of them, perhaps under a word of its own."""

    items: Sequence[tuple[str, Guarantee | None, str, Sequence[tuple[str, str]]]]


@dataclass(frozen=True)
class Matrix:
    """What was taken for what: count, share and limits of each cell."""

    names: Sequence[str]
    rows: Sequence[Sequence[tuple[str, str, str]]]


Part = Table | Sentence | Points | Stated | Assumed | Verbatim | Definitions | Matrix
Parts = list[Part]  # to be shown under each other


class Section(NamedTuple):
    """What belongs together: on the page under a title, with some words and guarantees before it."""

    parts: Sequence[Part]
    title: str = ""
    intro: Sequence[str | Guarantee] = ()


Sections = Callable[[Medium], Iterable[Section]]


@dataclass(frozen=True, kw_only=True)
class Outline:
    """All that is shown of a report, top-down."""

    headline: tuple[str, str]  # what was seen, which may be nothing, and what follows
    more: str = ""  # goes on from the headline
    more_on_page: str | None = None  # there, if it is something else
    beside: Sequence[Sentence | Points] = ()
    sections: Sections  # what either medium shows below, made when it is asked for
    holding: str = ""  # what holds on its own, and what together
    notebook: str = ""  # the same under the table of a notebook,
    document: str | None = None  # and under that of a document, if it is another sentence
    promise: str = "The interval is right as often as it promises if all of this is true:"
    strip: Callable[[], Mapping[str, Any] | None] = lambda: None  # drawn under the headline of the page
    explored: bool = False  # whether a page may move the threshold
    loose: bool = False  # whether a line of text may end between a number and its percent sign
    unscripted: str = "The pictures need JavaScript; every number in them is in the tables below."

    @property
    def sentence(self) -> str:
        """The headline with what goes on from it."""
        return " ".join(filter(None, (*self.headline, self.more)))


def split(sentences: str) -> tuple[str, str]:
    """A headline of two sentences: what was seen, and what follows; of one, only the latter."""
    observation, stop, follows = sentences.partition(". ")
    return (f"{observation}.", follows) if stop else ("", sentences)
