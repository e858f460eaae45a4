"""Parts of an answer as text of at most 80 columns, for a console or as a plain string."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

from holdfast.claims import Claim, Guarantee
from holdfast.errors import visible_lines
from holdfast.render.outline.parts import (
    ASSUMED,
    Assumed,
    Both,
    Column,
    Name,
    Outline,
    Part,
    Parts,
    Points,
    Sentence,
    Stated,
    Styled,
    Table,
    Verbatim,
)
from holdfast.render.phrases import BEFORE, BRIEF, estimate_and_limits
from holdfast.render.text.text import claim_line
from holdfast.report import Report
from holdfast.report.facts.kind import Kind
from holdfast.wording import WIDTH, counted, further, printable, wrapped

if TYPE_CHECKING:
    import rich.table
    from rich.console import Console

COLOUR = {Guarantee.FINITE: "green", Guarantee.ASYMPTOTIC: "yellow", Guarantee.HEURISTIC: "red"}


def as_text(*parts: Part) -> str:
    """The parts as a terminal of 80 columns without colour would show them."""
    page = StringIO()
    console = console_of(file=page, width=WIDTH, no_color=True)
    for part in printed(parts):
        console.print(part)
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip("\n").split("\n"))


def console_of(**options: Any) -> Console:
    """A console that takes text for text: no markup in it, and nothing that a terminal would obey."""
    from rich.console import Console
    from rich.segment import Segment

    class Plain(Console):
        def render(self, *given: Any, **settings: Any) -> Iterator[Segment]:
            for segment in super().render(*given, **settings):
                yield segment if segment.control else segment._replace(text=visible_lines(segment.text))

    return Plain(markup=False, highlight=False, **options)


READ = "Read from logs:"
MOST_LOGS = 12  # of which it is told one by one what was read


def logs_of(provenance: Mapping[str, Any]) -> list[str]:
    """What was read from logs, a sentence for each run."""
    logs = [printable(sentence, 600) for sentence in provenance.get("logs", ())]
    return logs if len(logs) <= MOST_LOGS else [*logs[:MOST_LOGS], further(len(logs) - MOST_LOGS)]


def report_parts(report: Report, outline: Outline) -> Parts:
    """Everything that the outline has for text, in the order in which a reader should see it."""
    facts, claims, loose = report.facts, report.claims, outline.loose
    shown = [*outline.beside, *(part for section in outline.sections("text") for part in section.parts)]
    notes, further_on = (_points(title, said) for title, said in (("Note:", facts.notes), ("Next:", facts.next)))
    shown = [replace(part, loose=loose) if isinstance(part, (Sentence, Points)) else part for part in shown]
    if report.kind is Kind.DATASETS:  # which say what would settle more before what they assume
        return [*shown, *notes, *further_on, Assumed.by(claims), origin(report.provenance, "data set")]
    held = [Sentence((outline.holding,), loose=loose)] if outline.holding else []
    return [
        Sentence((outline.sentence,), loose=loose),
        *(*shown, *notes, *held, Assumed.by(claims), *further_on),
        origin(report.provenance),
    ]


def _points(title: str, sentences: Sequence[str]) -> Parts:
    return [Points(title, sentences)] if sentences else []


def printed(parts: Iterable[Part]) -> list[Any]:
    """What a console prints of the parts: strings and tables, an empty line between any two parts."""
    lines = [line for part in parts for line in laid_out(part)]
    return lines[:-1] if lines and lines[-1] == "" else lines


def laid_out(part: Part) -> list[Any]:
    """What a console prints of the part, and an empty line."""
    if isinstance(part, Sentence):
        return [*(wrapped(sentence, loose=part.loose) for sentence in part.words), ""]
    if isinstance(part, Stated):
        return [*([part.title] if part.title else []), claim_line(part.claim), ""]
    if isinstance(part, Verbatim):
        return [part.text, ""]
    if isinstance(part, Assumed):
        return _listed(ASSUMED, part.points) if part.sentences else []
    if isinstance(part, Points):
        return _listed(part.title, part.sentences, part.loose)
    assert isinstance(part, Table)  # all else is for a page
    return [*([wrapped(part.heading), ""] if part.heading else []), table_of(part), ""]


def _listed(title: str, sentences: Iterable[str], loose: bool = False) -> list[Any]:
    """Sentences under a title."""
    return [wrapped(title, loose=loose), *(wrapped(sentence, "  - ", loose) for sentence in sentences), ""]


def origin(known: Mapping[str, Any], what: str = "example") -> Sentence:
    """Where an answer comes from, for the last lines of it."""
    rows, number = known.get("rows"), known.get("examples", known.get("rows"))
    size = "" if number is None else f", {counted(number, what)}" + (f" in {rows:,} rows" if rows > number else "")
    mark = (", SHA-256", known["fingerprint"]) if "fingerprint" in known else ("",)
    return Sentence((f"holdfast {known['version']}{size}{mark[0]}", *mark[1:]))


def table_of(table: Table) -> rich.table.Table:
    """The rows that there is room for, and how many others there are."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0) if table.dense else (0, 1))
    for column in columns_of(table):
        side: Literal["center", "right", "left"] = "right" if column.number else "left"
        for title in titles_of(column):
            grid.add_column(title, justify="center" if column.css == "center" else side, no_wrap=column.unbroken)
    for row in table.rows[: table.most.text]:
        grid.add_row(*(Text(*cell) for cell in cells_of(table, row)))
    for head in grid.columns[1:]:  # the first is not cut before others, and older versions would pad it
        if head.header == "method":  # which one may look up, and so has its whole name
            head.min_width = max((len(str(cell)) for cell in head.cells), default=0)
    rest = (len(table.rows) if table.total is None else table.total) - table.most.text
    if rest > 0:
        more = further(rest)
        grid.add_row(f"+{rest:,} more" if table.narrow and len(more) > table.columns[0].longest.text else more)
    return grid


def columns_of(table: Table) -> list[Column]:
    """Those that text has."""
    return [column for column in table.columns if column.title is not None]


def titles_of(column: Column) -> tuple[str, ...]:
    return column.title if isinstance(column.title, tuple) else (str(column.title),)


def cells_of(table: Table, row: Sequence[Any], whole: bool = False) -> Iterator[Styled]:
    """The cells of these columns; a `whole` name has the room of a page, and its remark."""
    for column, value in zip(table.columns, row, strict=True):
        if column.title is not None:
            yield from _cells(column, value.text if isinstance(value, Both) else value, whole)


def _cells(column: Column, value: Any, whole: bool) -> Iterator[Styled]:
    """The cell, or of a claim with two titles both."""
    if isinstance(value, Claim):
        estimate, limits = estimate_and_limits(value, column.digits.text)
        limits = BEFORE[column.one_sided if column.one_sided == "words" else None][value.side] + limits
        words = [estimate, limits] if isinstance(column.title, tuple) else [f"{estimate} {limits}"]
        yield from (Styled(each, "") for each in words)
    elif isinstance(value, Name):
        longest = max(column.longest) if whole else column.longest.text
        names = [printable(name, longest) for name in (value.first, value.second) if name is not None]
        yield Styled(" - ".join(names) + value.remark * whole, "")
    elif isinstance(value, Guarantee):
        yield Styled(BRIEF[value], COLOUR[value])
    elif isinstance(value, bool):
        yield Styled("yes" if value else "", "")
    else:
        yield from [value if isinstance(value, Styled) else Styled(value, "")] * len(titles_of(column))
