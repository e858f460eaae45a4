"""Pictures: plain functions from a report to a chart, all in one look, and one way to save them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.calibration import calibration
from holdfast.render.charts.coverage import coverage_chart
from holdfast.render.charts.curves import precision_recall, roc
from holdfast.render.charts.forest import forest
from holdfast.render.charts.groups import groups
from holdfast.render.charts.look import configuration
from holdfast.render.charts.matrix import matrix
from holdfast.render.charts.plan import plan
from holdfast.render.charts.saving import ENDINGS, check_ending, save_chart
from holdfast.render.charts.scores import scores

if TYPE_CHECKING:
    from holdfast.report import Report

__all__ = ["CHARTS", "ENDINGS", "charts_of", "check_ending", "configuration", "coverage_chart", "save_chart"]

CHARTS = {
    "forest": forest,
    "matrix": matrix,
    "roc": roc,
    "precision-recall": precision_recall,
    "scores": scores,
    "calibration": calibration,
    "groups": groups,
    "plan": plan,
}


def charts_of(report: Report) -> dict[str, Any]:
    """By name and in the order to show them, the charts that the report bears."""
    drawn = {name: draw(report) for name, draw in CHARTS.items()}
    return {name: chart for name, chart in drawn.items() if chart is not None}
