"""Any answer as a comment on a pull request: the verdict, tables, and what is assumed in a fold, as Markdown.

It lays out the parts that text is made of, and chooses nothing. Words are data: whatever could be markup in them is
escaped, and nobody is mentioned, no issue referred to and no address linked by a label that looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from holdfast.errors import visible
from holdfast.render.document.latex import of_numbers
from holdfast.render.kinds import Answer, parts_of
from holdfast.render.outline.parts import (
    ASSUMED,
    VERDICT,
    Assumed,
    Part,
    Points,
    Sentence,
    Stated,
    Table,
    Verbatim,
)
from holdfast.render.phrases import columns_of as columns_of_rows
from holdfast.render.phrases import rows_of
from holdfast.render.text.layout import cells_of, columns_of, titles_of
from holdfast.render.text.text import SHOWN
from holdfast.report import Plan
from holdfast.wording import further, printable

LONGEST_SENTENCE = 2_000
MOST_ROWS = 200  # of a table; a comment on GitHub has at most 65,536 characters
# What Markdown, GitHub or a notebook would take for markup wherever it stands in a line.
ESCAPED = {**{ord(sign): f"\\{sign}" for sign in "\\`*_[]|~$#"}, ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
STARTING = re.compile(r"^(\d*)([-+.)=:])")  # a line with which a list or a heading would start
# GitHub looks for these in what is rendered, where no escape is seen any more: a space of no width keeps them apart.
APART = re.compile(r"@|#(?=\d)|(?<=\bGH-)(?=\d)|:(?=//)|\bwww(?=\.)|:(?=[\w+-]+:)", re.IGNORECASE)
NO_WIDTH = "&#8203;"


def markdown_of(answer: Answer | Plan) -> str:
    """What any verb answers with."""
    parts = parts_of(answer)
    first = next((part for part in parts if isinstance(part, Sentence) and part.css == VERDICT), None)
    if first is None and parts and isinstance(parts[0], Sentence):
        first = parts[0]
    lines = [line for part in parts if part is not first for line in _lines(part)]
    return "\n".join([*(_verdict(first) if first else ()), *lines]).rstrip("\n")


def _verdict(sentence: Sentence) -> Iterator[str]:
    """The sentence that is read first; of several, the others beside it."""
    first, *others = sentence.words
    yield from (f"**{escaped(first).strip()}**", "", *(line for each in others for line in (_paragraph(each), "")))


def _lines(part: Part) -> Iterator[str]:
    """The part, and an empty line."""
    if isinstance(part, Sentence):
        yield from ("  \n".join(map(_paragraph, part.words)), "")
    elif isinstance(part, Verbatim):
        yield from (*(f"    {visible(line)}" for line in part.text.split("\n")), "")
    elif isinstance(part, Points):
        yield from (_paragraph(part.title), "", *_items(part.sentences), "")
    elif isinstance(part, Assumed):
        if part.sentences:
            yield from ("<details>", f"<summary>{ASSUMED}</summary>", "", *_items(part.points), "")
            yield from ("</details>", "")
    elif isinstance(part, Stated):
        yield from ([_paragraph(part.title), ""] if part.title else [])
        columns = columns_of_rows(rows_of(part.claim, SHOWN))
        yield from _table([(title, of_numbers(title)) for title in columns], zip(*columns.values(), strict=True))
        yield from _rest(int(np.size(part.claim.upper)) - SHOWN)
    else:
        assert isinstance(part, Table)  # all else is for a page
        yield from _laid_out(part)


def _laid_out(table: Table) -> Iterator[str]:
    titles = [(title, column.number) for column in columns_of(table) for title in titles_of(column)]
    most = min(table.most.text, MOST_ROWS)
    rows = ([cell.words for cell in cells_of(table, row, whole=True)] for row in table.rows[:most])
    yield from ([_paragraph(table.heading), ""] if table.heading else [])
    yield from _table(titles, rows)
    yield from _rest((len(table.rows) if table.total is None else table.total) - most)


def _rest(number: int) -> Iterator[str]:
    """How many others there are, if any."""
    if number > 0:
        yield from (escaped(further(number)), "")


def _table(titles: Sequence[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _row(title for title, _ in titles)
    yield f"| {' | '.join('--:' if number else '---' for _, number in titles)} |"
    yield from (*(_row(row) for row in rows), "")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def _items(sentences: Iterable[str]) -> list[str]:
    return [f"- {_paragraph(sentence)}" for sentence in sentences]


def _paragraph(words: str) -> str:
    """Words that begin a line."""
    return STARTING.sub(r"\1\\\2", escaped(words).lstrip())


def escaped(words: str) -> str:
    r"""Words on one line in which nobody finds markup.

    Examples
    --------
    >>> print(escaped("a|b <script> *c* @all #1"))
    a\|b &lt;script&gt; \*c\* @&#8203;all \#&#8203;1
    """
    apart = APART.sub(lambda sign: f"{sign[0]}\x00", printable(words, LONGEST_SENTENCE))
    return apart.translate(ESCAPED).replace("\x00", NO_WIDTH)
