"""An outline as text: parts for a console, in the order in which a reader should see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim, Guarantee
from holdfast.render.outline.parts import Both, Column, Name, Outline, Part, Points, Sentence, Styled, Table
from holdfast.render.phrases import BEFORE, BRIEF, estimate_and_limits
from holdfast.render.text.text import COLOUR, Parts, assumptions, empty_table
from holdfast.report import Report
from holdfast.report.facts.kind import Kind
from holdfast.wording import counted, further, printable, wrapped

if TYPE_CHECKING:
    import rich.table


def report_parts(report: Report, outline: Outline) -> Parts:
    """Everything that the outline has for text."""
    facts, of_sets = report.facts, report.kind is Kind.DATASETS
    parts: Parts = [] if of_sets else [wrapped(outline.sentence, loose=outline.loose), ""]
    for part in (*outline.beside, *(part for section in outline.sections("text") for part in section.parts)):
        parts += laid_out(part, outline.loose)
    parts += points("Note:", facts.notes)
    if of_sets:  # which say what would settle more before what they assume
        parts += [*points("Next:", facts.next), *assumptions(report.claims)[1:], ""]
        return [*parts, origin(report.provenance, "data set")]
    held = [wrapped(outline.holding, loose=outline.loose)] if outline.holding else []
    parts += [*held, *assumptions(report.claims), ""]
    return [*parts, *points("Next:", facts.next), origin(report.provenance)]


def laid_out(part: Part, loose: bool) -> Parts:
    if isinstance(part, Sentence):
        return [*(wrapped(sentence, loose=loose) for sentence in part.words), ""]
    if isinstance(part, Points):
        return points(part.title, part.sentences, loose) or [wrapped(part.title, loose=loose), ""]
    assert isinstance(part, Table)  # all else is for a page
    return [*([part.heading, ""] if part.heading else []), table_of(part), ""]


def points(title: str, sentences: Sequence[str], loose: bool = False) -> Parts:
    """Sentences under a title, if there are any."""
    items = (wrapped(sentence, "  - ", loose) for sentence in sentences)
    return [wrapped(title, loose=loose), *items, ""] if sentences else []


def origin(known: Mapping[str, Any], what: str = "example") -> str:
    """Where an answer comes from, for the last lines of it."""
    rows, number = known.get("rows"), known.get("examples", known.get("rows"))
    size = "" if number is None else f", {counted(number, what)}" + (f" in {rows:,} rows" if rows > number else "")
    mark = f", SHA-256\n{known['fingerprint']}" if "fingerprint" in known else ""
    return f"holdfast {known['version']}{size}{mark}"


def table_of(table: Table) -> rich.table.Table:
    """The rows that there is room for, and how many others there are."""
    columns = [column for column in table.columns if column.title is not None]
    titles = [(title, column) for column in columns for title in _titles(column)]
    grid = empty_table(*(title for title, _ in titles), left=0)
    for head, (_, column) in zip(grid.columns, titles, strict=True):
        head.justify = "center" if column.css == "center" else "right" if column.number else "left"
    if table.dense:
        grid.padding = (0, 1, 0, 0)
    for row in table.rows[: table.most.text]:
        cells = zip(table.columns, row, strict=True)
        grid.add_row(*(cell for column, value in cells if column.title is not None for cell in _cells(column, value)))
    rest = (len(table.rows) if table.total is None else table.total) - table.most.text
    if rest > 0:
        more = further(rest)
        grid.add_row(f"+{rest:,} more" if table.narrow and len(more) > table.columns[0].longest.text else more)
    return grid


def _titles(column: Column) -> tuple[str, ...]:
    return column.title if isinstance(column.title, tuple) else (str(column.title),)


def _cells(column: Column, value: Any) -> Iterator[Any]:
    """The cell, or of a claim with two titles both."""
    from rich.text import Text

    value = value.text if isinstance(value, Both) else value
    if isinstance(value, Claim):
        estimate, limits = estimate_and_limits(value, column.digits.text)
        limits = BEFORE[column.one_sided if column.one_sided == "words" else None][value.side] + limits
        yield from (estimate, limits) if isinstance(column.title, tuple) else (f"{estimate} {limits}",)
    elif isinstance(value, Name):
        names = [printable(name, column.longest.text) for name in (value.first, value.second) if name is not None]
        yield Text(" - ".join(names))
    elif isinstance(value, Guarantee):
        yield Text(BRIEF[value], style=COLOUR[value])
    elif isinstance(value, bool):
        yield "yes" if value else ""
    else:
        styled = value if isinstance(value, Styled) else Styled(value, "")
        yield from [Text(*styled)] * len(_titles(column))
