"""Claims and reports as a notebook shows them: a sentence, one table with a forest plot in it, and no scripts.

All text is escaped, and everything is drawn in the notebook's own colour, so that it is read on light and on dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.kinds import headline_of, outline_of
from holdfast.render.outline.assessment import divisions_of, worst_first
from holdfast.render.phrases import Row, claim_sentence, columns_of, point, rows_of, whose
from holdfast.render.text import text
from holdfast.report import Report
from holdfast.report.facts.compared import Compared, own_lines

WIDTH, HEIGHT, MARGIN = 180, 18, 12
DASHES = {Guarantee.FINITE: "", Guarantee.ASYMPTOTIC: "6 3", Guarantee.HEURISTIC: "1.5 3"}


@dataclass(frozen=True)
class Axis:
    """From where to where the strips reach."""

    low: float
    high: float

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Axis:
        """From 0 or -1 to 1, which most measures keep to; if no claim does, as far as their limits reach."""
        limits = [(float(claim.lower), float(claim.upper)) for claim in claims]
        usual = [low for low, high in limits if low >= -1 and high <= 1]
        if usual or not limits:
            return cls(-1.0 if min(usual, default=0.0) < 0 else 0.0, 1.0)
        ends = [end for pair in limits for end in pair if isfinite(end)] or [0.0, 1.0]
        low, high = min(0.0, *ends), max(0.0, *ends)
        return cls(low, high if high > low else low + 1.0)

    def at(self, value: float) -> float:
        """Where a value stands in the strip; what lies beyond the axis, at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 2)

    @property
    def ticks(self) -> tuple[float, float, float]:
        return self.low, (self.low + self.high) / 2, self.high


def axis_svg(axis: Axis) -> str:
    """The numbers over the strips."""
    numbers = "".join(
        f'<text x="{axis.at(tick)}" y="12" text-anchor="middle" font-size="10" fill="currentColor">{tick:.4g}</text>'
        for tick in axis.ticks
    )
    return _svg(numbers, "the axis of the intervals")


def interval_svg(claim: Claim, axis: Axis) -> str:
    """The estimate as a dot on the line of its interval."""
    middle, lower, upper = HEIGHT / 2, float(claim.lower), float(claim.upper)
    estimate = point(claim)
    left, right = axis.at(lower), axis.at(upper)
    dashes = f' stroke-dasharray="{DASHES[claim.guarantee]}"' if DASHES[claim.guarantee] else ""
    parts = [_line(axis.at(tick), 0, axis.at(tick), HEIGHT, ' stroke-opacity="0.2"') for tick in axis.ticks]
    parts.append(_line(left, middle, right, middle, f' stroke-width="2"{dashes}'))
    for end, beyond, tip in ((left, lower < axis.low, -6), (right, upper > axis.high, 6)):
        if beyond:
            corners = f"{end},{middle - 4} {end + tip},{middle} {end},{middle + 4}"
            parts.append(f'<polygon points="{corners}" fill="currentColor"/>')
        else:
            parts.append(_line(end, middle - 4, end, middle + 4, ' stroke-width="1.5"'))
    if estimate is not None and axis.low <= estimate <= axis.high:
        inside = "currentColor" if claim.guarantee is Guarantee.FINITE else "none"
        at = f'cx="{axis.at(estimate)}" cy="{middle}" r="3.5"'
        parts.append(f'<circle {at} fill="{inside}" stroke="currentColor" stroke-width="1.5"/>')
    label = "no estimate" if estimate is None else f"estimate {estimate:.4g}"
    return _svg("".join(parts), f"{label}, from {lower:.4g} to {upper:.4g}, {claim.guarantee.sentence}")


def _line(x1: float, y1: float, x2: float, y2: float, how: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor"{how}/>'


def _svg(content: str, label: str) -> str:
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}">{content}</svg>'


MOST_ROWS = 60
MOST_GROUPS = 5  # of each way to divide the rows: the worst


def chosen(report: Report) -> tuple[list[Row], list[str]]:
    """The claims about the whole test set, and the worst groups."""
    if isinstance(report.facts, Compared):
        return _compared(report, report.facts)
    divided = [blocks[0] for blocks in divisions_of(report)]
    worst = [block[place] for block in divided for place in worst_first(block)[:MOST_GROUPS]]
    lines = [*report.whole[: max(MOST_ROWS - len(worst), 0)], *worst][:MOST_ROWS]
    notes = []
    if left := len(report.whole) - sum(line.group is None for line in lines):
        notes.append(f"... and {left:,} more claims about the whole; report.to_frame() has all of them.")
    for block in divided:
        if len(block) > MOST_GROUPS:
            notes.append(f"Of {len(block):,} groups the {MOST_GROUPS} worst are shown; report.to_frame() has all.")
    return [Row(line.claim, line.label, line.group) for line in lines], notes


def _compared(report: Report, facts: Compared) -> tuple[list[Row], list[str]]:
    """Each model by itself, and the differences of the pairs among those that did best here."""
    own, among = {line.model: line for line in own_lines(report.whole)}, facts.best_first(report.whole)
    lines = [own[model] for model in among if model in own][: MOST_ROWS // 3]
    room = MOST_ROWS - len(lines)
    differences = [line for line in report.whole if line.against is not None]
    while len(differences) > room and len(among) > 2:
        among = among[:-1]
        differences = [line for line in differences if line.model in among and line.against in among]
    rows = [Row(line.claim, line.label, model=whose(line)) for line in (*lines, *differences[:room])]
    left = len(report.whole) - len(rows)
    return rows, [f"... and {left:,} more claims; report.to_frame() has all of them."] if left else []


PAGE = """\
<div class="holdfast" style="overflow-x:auto">
{%- if headline %}
<p style="margin:.4em 0">{{ headline }}</p>
{%- endif %}
<table>
<thead><tr>{% for title in columns %}<th style="text-align:left">{{ title }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in rows %}
<tr>{% for cell in row %}<td style="text-align:left;white-space:nowrap">{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</tbody>
</table>
{%- for note in notes %}
<p style="margin:.4em 0">{{ note }}</p>
{%- endfor %}
<details style="margin:.4em 0"><summary>This assumes that</summary>
<ul>{% for sentence in assumes %}<li>{{ sentence }}</li>{% endfor %}</ul></details>
</div>"""


def claim_html(claim: Claim) -> str:
    """The claim as a sentence and a row; of an array, a row for each of the first few."""
    rows = rows_of(claim, text.SHOWN)
    left = int(np.size(claim.upper)) - len(rows)
    notes = [f"... and {left:,} more"] if left else []
    alone = not np.ndim(claim.upper)
    sentence = f"{claim_sentence(claim).removesuffix('.')}; this {claim.guarantee.sentence}." if alone else None
    return _page(sentence, rows, notes, [claim])


def report_html(report: Report) -> str:
    """The rows that are chosen for a notebook, under the headline and over what is left out or holds together."""
    rows, notes = chosen(report)
    sentences = report.facts.notes if report.facts.verdict is not None else filter(None, [outline_of(report).notebook])
    return _page(headline_of(report), rows, [*notes, *sentences], report.claims)


def _page(headline: str | None, rows: Sequence[Row], notes: Sequence[str], claims: Sequence[Claim]) -> str:
    from jinja2 import Environment

    columns = _columns(rows)
    page = Environment(autoescape=True).from_string(PAGE)
    return page.render(
        headline=headline,
        columns=list(columns),
        rows=list(zip(*columns.values(), strict=True)),
        notes=[*_legend(rows), *notes],
        assumes=list(dict.fromkeys(str(assumed) for claim in claims for assumed in claim.assumes)),
    )


def _columns(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The columns of every table of claims, and where each interval lies beside its limits."""
    from markupsafe import Markup

    claims = [row.claim for row in rows]
    axis = Axis.of(claims)
    columns: dict[str, list[str]] = {}
    for title, cells in columns_of(rows).items():
        columns[title] = cells
        if title.endswith("limits"):
            columns[Markup(axis_svg(axis))] = [Markup(interval_svg(claim, axis)) for claim in claims]
    return columns


def _legend(rows: Sequence[Row]) -> list[str]:
    finite = {row.claim.guarantee is Guarantee.FINITE for row in rows}
    return ["Filled dots and solid lines hold at every sample size, open dots do not."] if len(finite) == 2 else []
