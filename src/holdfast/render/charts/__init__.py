"""Pictures: plain functions from a report to a chart, all in one look. Whoever draws one imports them, and altair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt

from holdfast.render.charts.cells import agreement, beats, matrix
from holdfast.render.charts.curves import precision_recall, roc
from holdfast.render.charts.decided import conditions, rates, trade_off
from holdfast.render.charts.intervals import forest, groups
from holdfast.render.charts.look import configuration
from holdfast.render.charts.looks import levels, limits, wealth
from holdfast.render.charts.models import differences, error_rates, model_errors, ways
from holdfast.render.charts.plan import coverage_chart, interval_width, learning_curve, plan
from holdfast.render.charts.ranks import ranks
from holdfast.render.charts.scores import calibration, scores
from holdfast.render.charts.training import decomposition, splits
from holdfast.render.kinds import KINDS
from holdfast.report import Report

__all__ = ["CHARTS", "charts_of", "configuration", "coverage_chart"]

EVERY: tuple[Callable[[Report], alt.LayerChart | None], ...] = (
    *(forest, matrix, roc, precision_recall, scores, calibration, groups, plan),
    *(differences, ranks, beats, error_rates, wealth),
    *(splits, decomposition, learning_curve, interval_width),
    *(model_errors, agreement, ways),
    *(conditions, rates, trade_off, limits, levels),
)
CHARTS = {chart.__name__.replace("_", "-"): chart for chart in EVERY}


def charts_of(report: Report) -> dict[str, Any]:
    """By name and in the order to show them, the charts that the report bears."""
    drawn = {name: CHARTS[name](report) for name in KINDS[report.kind].charts}
    return {name: chart for name, chart in drawn.items() if chart is not None}
