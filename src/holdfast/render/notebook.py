"""Claims and reports as a notebook shows them: a sentence, one table with a forest plot in it, and no scripts.

All text is escaped, and everything is drawn in the notebook's own colour, so that it is read on light and on dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.forest import Axis, axis_svg, interval_svg
from holdfast.render.rows import Row, columns_of, headline_of, whose
from holdfast.render.standings import best_first, own_lines
from holdfast.render.text import text
from holdfast.render.text.assessment import holding, worst_first

if TYPE_CHECKING:
    from holdfast.report import Block, Report

MOST_ROWS = 60
MOST_GROUPS = 5  # of each way to divide the rows: the worst
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
    shape = np.shape(claim.upper)
    places = list(np.ndindex(shape)) if np.size(claim.upper) <= text.SHOWN else _first(shape)
    rows = [Row(_element(claim, place, shape), place=", ".join(map(str, place)) or None) for place in places]
    left = int(np.prod(shape)) - len(rows)
    notes = [f"... and {left:,} more"] if left else []
    said = f"{text.headline(claim).removesuffix('.')}; this {claim.guarantee.sentence}." if not shape else None
    return _page(said, rows, notes, [claim])


def report_html(report: Report) -> str:
    """The claims about the whole test set, the worst groups, and whether all this holds together."""
    if "verdict" in report.details:
        return _compared(report)
    divisions: dict[tuple[str, ...], Block] = {}
    for block in report.blocks:
        divisions.setdefault(tuple(block.groups), block)  # the first of a division says what its groups are about
    groups = [row for block in divisions.values() for row in _worst(block)]
    whole = [Row(line.claim, line.label, line.group) for line in report.whole]
    rows = [*whole[: max(MOST_ROWS - len(groups), 0)], *groups][:MOST_ROWS]
    notes = []
    if left := len(whole) - sum(row.group is None for row in rows):
        notes.append(f"... and {left:,} more claims about the whole; report.to_frame() has all of them.")
    for block in divisions.values():
        if len(block) > MOST_GROUPS:
            notes.append(f"Of {len(block):,} groups the {MOST_GROUPS} worst are shown; report.to_frame() has all.")
    assessed = bool({"errors", "missing"} & report.details.keys())
    if assessed:
        notes.append(holding(report))
    elif len(rows) > 1:
        notes.append("Each interval holds on its own: fix the method beforehand, for choosing voids the guarantee.")
    return _page(headline_of(report), rows, notes, report.claims)


def _compared(report: Report) -> str:
    """The verdict, each model by itself, and the differences of the pairs among those that did best here."""
    own, among = {line.model: line for line in own_lines(report)}, best_first(report)
    lines = [own[model] for model in among if model in own][: MOST_ROWS // 3]
    room = MOST_ROWS - len(lines)
    differences = [line for line in report.whole if line.against is not None]
    while len(differences) > room and len(among) > 2:
        among = among[:-1]
        differences = [line for line in differences if line.model in among and line.against in among]
    rows = [Row(line.claim, line.label, model=whose(line)) for line in (*lines, *differences[:room])]
    left = len(report.whole) - len(rows)
    told = [f"... and {left:,} more claims; report.to_frame() has all of them."] if left else []
    return _page(headline_of(report), rows, [*told, *report.details.get("notes", ())], report.claims)


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


def _worst(block: Block) -> list[Row]:
    lines = [block[place] for place in worst_first(block)[:MOST_GROUPS]]
    return [Row(line.claim, line.label, line.group) for line in lines]


def _first(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The first few places of a large array, without listing all."""
    return [tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in range(text.SHOWN)]


def _element(claim: Claim, place: tuple[int, ...], shape: tuple[int, ...]) -> Claim:
    """One element of an array of claims as a claim of its own."""

    def at(values: Any) -> Any:
        return np.broadcast_to(np.asarray(values), shape)[place].item()

    estimate = None if claim.estimate is None else at(claim.estimate)
    return replace(
        claim,
        estimate=None if estimate is None or estimate != estimate else estimate,
        lower=at(claim.lower),
        upper=at(claim.upper),
        delta=at(claim.delta),
        n=at(claim.n),
    )
