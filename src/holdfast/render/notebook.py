"""A report as a notebook shows it: one small table, escaped, without scripts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from holdfast.render.assessment import estimate_and_limits
from holdfast.render.numbers import confidence

if TYPE_CHECKING:
    from holdfast.report import Report

MOST_ROWS = 60
TABLE = """\
<table>
<thead><tr><th>measure</th><th>class</th>{% if grouped %}<th>group</th>{% endif %}<th>estimate</th><th>limits</th>
<th>confidence</th><th>method</th><th>guarantee</th></tr></thead>
<tbody>
{%- for row in rows %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</tbody>
</table>
{% if left %}<p>... and {{ left }} more</p>{% endif %}"""


def report_html(report: Report) -> str:
    """The claims of the report as a table."""
    from jinja2 import Environment

    rows, grouped = [], bool(report.blocks)
    for line in islice(report.each_line(), MOST_ROWS):
        claim = line.claim
        about = (line.label or "", line.group or "") if grouped else (line.label or "",)
        told = (*estimate_and_limits(claim), confidence(float(claim.delta)), claim.method, claim.guarantee.sentence)
        rows.append((line.measure, *about, *told))
    page = Environment(autoescape=True).from_string(TABLE)
    return page.render(rows=rows, grouped=grouped, left=max(report.size - MOST_ROWS, 0))
