"""Claims and reports as a notebook shows them: a sentence, one table with a forest plot in it, and no scripts.

All text is escaped, and everything is drawn in the notebook's own colour, so that it is read on light and on dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.forest import Axis, axis_svg, interval_svg
from holdfast.render.kinds import headline_of, outline_of
from holdfast.render.outline.chosen import chosen
from holdfast.render.phrases import claim_sentence
from holdfast.render.rows import Row, columns_of, rows_of
from holdfast.render.text import text

if TYPE_CHECKING:
    from holdfast.report import Report

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
    said = f"{claim_sentence(claim).removesuffix('.')}; this {claim.guarantee.sentence}." if alone else None
    return _page(said, rows, notes, [claim])


def report_html(report: Report) -> str:
    """The rows that are chosen for a notebook, under the headline and over what is left out or holds together."""
    rows, notes = chosen(report)
    said = report.facts.notes if report.facts.verdict is not None else filter(None, [outline_of(report).notebook])
    return _page(headline_of(report), rows, [*notes, *said], report.claims)


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
