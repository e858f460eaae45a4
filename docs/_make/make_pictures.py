"""Writes the pictures of the page on concepts into docs/pictures; charts as SVG need the extra `images`."""

from __future__ import annotations

from pathlib import Path

from holdfast.catalog import find
from holdfast.render.charts import coverage_chart
from holdfast.render.page import save_chart
from holdfast.verify import coverage_curve

PICTURES, EXAMPLES = Path(__file__).parents[1] / "pictures", 30

for name in ("clopper-pearson", "wilson"):
    rates, covered = coverage_curve(find(name), EXAMPLES, delta=0.05, side="both")
    chart = coverage_chart(
        rates.tolist(),
        covered.tolist(),
        0.95,
        x_title="true error rate",
        title=f"{name}: {find(name).guarantee.sentence}",
        subtitle=f"Exact coverage with {EXAMPLES} examples, two-sided; dashed: the 95 % asked for",
    )
    save_chart(chart, str(PICTURES / f"coverage-{name}.svg"))
