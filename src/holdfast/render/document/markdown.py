"""A report or a decision as Markdown: a pipe table, with every label taken for data and never for markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.render.document.printed import Printed, printed_decision, printed_report

if TYPE_CHECKING:
    from holdfast.report import Decision, Report

# What Markdown, GitHub or a notebook would take for markup wherever it stands in a line.
ESCAPED = {**{ord(sign): f"\\{sign}" for sign in "\\`*_[]|~$#"}, ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
STARTING = re.compile(r"^(\d*)([-+.)=:])")  # a line with which a list or a heading would start


def report_markdown(report: Report) -> str:
    """Every line of the report."""
    return "\n".join(_lines(printed_report(report)))


def decision_markdown(decision: Decision) -> str:
    """Every condition of the decision."""
    return "\n".join(_lines(printed_decision(decision)))


def _lines(printed: Printed) -> Iterator[str]:
    yield from (STARTING.sub(r"\1\\\2", escaped(printed.caption)), "")
    if printed.columns:
        yield _row(escaped(title) for title in printed.columns)
        yield _row("--:" if numbers else "---" for numbers in printed.numbers)
        yield from (_row(escaped(cell) for cell in row) for row in printed.rows)
        yield ""
    if printed.notes:
        yield from (*(f"- {escaped(note)}" for note in printed.notes), "")
    if printed.assumes:
        yield from ("This assumes that", "")
        ends = [";"] * (len(printed.assumes) - 1) + ["."]
        yield from (f"- {escaped(said)}{end}" for said, end in zip(printed.assumes, ends, strict=True))


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(words: str) -> str:
    r"""Words in which Markdown finds no markup.

    Examples
    --------
    >>> print(escaped("a|b <script> *c*"))
    a\|b &lt;script&gt; \*c\*
    """
    return words.translate(ESCAPED)
