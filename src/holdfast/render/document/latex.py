r"""A report or a decision for a paper: a table in the manner of booktabs, with every label taken for data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.render.document.printed import Printed, printed_decision, printed_report

if TYPE_CHECKING:
    from holdfast.report import Decision, Report

ESCAPED = {  # signs that TeX obeys, and some that its usual fonts do not have
    **{ord(sign): f"\\{sign}" for sign in "%&#$_{}"},
    ord("\\"): r"\textbackslash{}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
    ord("<"): r"\textless{}",
    ord(">"): r"\textgreater{}",
    ord("|"): r"\textbar{}",
    ord("`"): r"\textasciigrave{}",
    ord('"'): "''",
    ord("["): "{[}",  # after the end of a row it would be taken for an option
    ord("]"): "{]}",
    ord("−"): "$-$",
    ord("≤"): r"$\le$",
    ord("≥"): r"$\ge$",
    ord("…"): r"\dots{}",
}
NEGATIVE = re.compile(r"(?<![\w.])-(?=\d)")


def report_latex(report: Report) -> str:
    """Every line of the report."""
    return "\n".join(_lines(printed_report(report)))


def decision_latex(decision: Decision) -> str:
    """Every condition of the decision."""
    return "\n".join(_lines(printed_decision(decision)))


def _lines(printed: Printed) -> Iterator[str]:
    yield from (
        r"\begin{table}  % needs \usepackage{booktabs}",
        r"\centering",
        rf"\caption{{{escaped(printed.caption)}}}",
    )
    if printed.columns:
        yield rf"\begin{{tabular}}{{{''.join('r' if numbers else 'l' for numbers in printed.numbers)}}}"
        yield from (r"\toprule", _row(escaped(title) for title in printed.columns), r"\midrule")
        for row in printed.rows:
            yield _row(number(c) if is_it else escaped(c) for c, is_it in zip(row, printed.numbers, strict=True))
        yield from (r"\bottomrule", r"\end{tabular}")
    assumed = f"This assumes that {'; '.join(printed.assumes)}." if printed.assumes else ""
    if sentences := [*printed.notes, *([assumed] if assumed else [])]:
        yield from (r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize")
        yield "\n\n".join(map(escaped, sentences))
        yield r"\end{minipage}"
    yield r"\end{table}"


def _row(cells: Iterator[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def number(words: str) -> str:
    """Numbers, whose signs are no hyphens."""
    return escaped(NEGATIVE.sub("−", words))


def escaped(words: str) -> str:
    r"""Words in which TeX finds no commands.

    Examples
    --------
    >>> print(escaped("50 % of a_b"), number("[-0.1, 0.2]"))
    50 \% of a\_b {[}$-$0.1, 0.2{]}
    """
    return words.translate(ESCAPED).replace("--", "-{}-")
