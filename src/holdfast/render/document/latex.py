"""A report or a decision for a paper: a table in the manner of booktabs, with every label taken for data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.claims import Claim
from holdfast.render.ci.verdict import notes_of
from holdfast.render.kinds import headline_of, outline_of
from holdfast.render.outline.decision import headline as decided
from holdfast.render.outline.decision import signed
from holdfast.render.phrases import LONGEST, columns_of, confidence, per, row_of
from holdfast.report import Decision, Report
from holdfast.report.frame import facts_beside
from holdfast.wording import printable

LONGEST_SENTENCE = 2_000
FROM_THE_RIGHT = ("estimate", "limits", "limit", "confidence", "p")  # how titles of numbers end


class Printed(NamedTuple):
    """What a document shows of a report: nothing in it is escaped yet."""

    caption: str
    columns: dict[str, list[str]]
    notes: list[str]
    assumes: list[str]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return list(zip(*self.columns.values(), strict=True))

    @property
    def numbers(self) -> list[bool]:
        """Of each column, whether it holds numbers."""
        return [*map(of_numbers, self.columns)]


def of_numbers(title: str) -> bool:
    """Whether a column of this title holds numbers."""
    return title.split(" ")[-1] in FROM_THE_RIGHT


def printed_report(report: Report) -> Printed:
    """Every line of the report, those of groups too."""
    whole = zip(report.whole, facts_beside(report.whole, report.facts), strict=True)
    rows = [row_of(line, facts) for line, facts in whole]
    rows += [row_of(block[place], {}) for block in report.blocks for place in range(len(block))]
    level, outline = _levels(report.claims), outline_of(report)
    caption = headline_of(report) or level
    notes = [] if level == caption or "% confidence" in caption else [level]  # some are about the estimates alone
    notes += report.provenance.get("logs", ())
    notes += [*filter(None, [outline.holding if outline.document is None else outline.document]), *report.facts.notes]
    return Printed(_one_line(caption), columns_of(rows), [_one_line(note) for note in notes], _assumed(report.claims))


def printed_decision(decision: Decision) -> Printed:
    """Each condition, in each group, with the claim that decides on it."""
    leaves = [leaf for leaf in decision.leaves() if leaf.claim is not None]
    claims = [leaf.claim for leaf in leaves if leaf.claim is not None]
    columns = {
        "condition": [
            printable(leaf.condition, 2 * LONGEST) + per(claim) for leaf, claim in zip(leaves, claims, strict=True)
        ],
        "estimate": [signed(leaf)[0] for leaf in leaves],
        "limit": [signed(leaf)[1] for leaf in leaves],
        "confidence": [confidence(float(claim.delta)) for claim in claims],
        "method": [claim.method for claim in claims],
        "guarantee": [claim.guarantee.sentence for claim in claims],
        "answer": [str(leaf.answer) for leaf in leaves],
    }
    notes = [_one_line(note) for note in (*decision.provenance.get("logs", ()), *notes_of(decision))]
    return Printed(_one_line(decided(decision)), columns, notes, _assumed(claims))


def _levels(claims: Sequence[Claim]) -> str:
    levels = list(dict.fromkeys(confidence(float(claim.delta)) for claim in claims))
    return f"Limits that hold with {' or '.join(levels)} confidence." if levels else "This report makes no claim."


def _assumed(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(str(sentence) for claim in claims for sentence in claim.assumes))


def _one_line(sentence: str) -> str:
    return printable(sentence, LONGEST_SENTENCE)


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
