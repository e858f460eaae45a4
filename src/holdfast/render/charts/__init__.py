"""Pictures: plain functions from a report to a chart, all in one look, and one way to save them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.beats import beats
from holdfast.render.charts.calibration import calibration
from holdfast.render.charts.coverage import coverage_chart
from holdfast.render.charts.curves import precision_recall, roc
from holdfast.render.charts.differences import differences, error_rates
from holdfast.render.charts.forest import forest
from holdfast.render.charts.groups import groups
from holdfast.render.charts.look import configuration
from holdfast.render.charts.matrix import matrix
from holdfast.render.charts.plan import plan
from holdfast.render.charts.ranks import ranks
from holdfast.render.charts.saving import ENDINGS, check_ending, save_chart
from holdfast.render.charts.scores import scores

if TYPE_CHECKING:
    from holdfast.report import Report

__all__ = [
    "CHARTS",
    "ENDINGS",
    "OF_ASSESSMENTS",
    "OF_COMPARISONS",
    "charts_of",
    "check_ending",
    "configuration",
    "coverage_chart",
    "save_chart",
]

OF_ASSESSMENTS = {
    "forest": forest,
    "matrix": matrix,
    "roc": roc,
    "precision-recall": precision_recall,
    "scores": scores,
    "calibration": calibration,
    "groups": groups,
    "plan": plan,
}
OF_COMPARISONS = {"differences": differences, "ranks": ranks, "beats": beats, "error-rates": error_rates}
CHARTS = {**OF_ASSESSMENTS, **OF_COMPARISONS}


def charts_of(report: Report) -> dict[str, Any]:
    """By name and in the order to show them, the charts that the report bears."""
    charts = OF_COMPARISONS if "verdict" in report.details else OF_ASSESSMENTS
    drawn = {name: draw(report) for name, draw in charts.items()}
    return {name: chart for name, chart in drawn.items() if chart is not None}
