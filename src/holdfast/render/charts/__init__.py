"""Pictures: plain functions from a report to a chart, all in one look, and one way to save them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.agreement import agreement
from holdfast.render.charts.beats import beats
from holdfast.render.charts.calibration import calibration
from holdfast.render.charts.conditions import conditions
from holdfast.render.charts.coverage import coverage_chart
from holdfast.render.charts.curves import precision_recall, roc
from holdfast.render.charts.decomposition import decomposition
from holdfast.render.charts.differences import differences, error_rates
from holdfast.render.charts.forest import forest
from holdfast.render.charts.groups import groups
from holdfast.render.charts.learning import interval_width, learning_curve
from holdfast.render.charts.levels import levels, limits
from holdfast.render.charts.look import configuration
from holdfast.render.charts.matrix import matrix
from holdfast.render.charts.panel import model_errors, ways
from holdfast.render.charts.plan import plan
from holdfast.render.charts.ranks import ranks
from holdfast.render.charts.saving import ENDINGS, check_ending, save_chart
from holdfast.render.charts.scores import scores
from holdfast.render.charts.splits import splits
from holdfast.render.charts.threshold import rates, trade_off
from holdfast.render.charts.wealth import wealth

if TYPE_CHECKING:
    from holdfast.report import Report

__all__ = [
    "CHARTS",
    "ENDINGS",
    "charts_of",
    "check_ending",
    "configuration",
    "coverage_chart",
    "save_chart",
]

CHARTS: dict[str, Callable[[Report], Any]] = {
    "forest": forest,
    "matrix": matrix,
    "roc": roc,
    "precision-recall": precision_recall,
    "scores": scores,
    "calibration": calibration,
    "groups": groups,
    "plan": plan,
    "differences": differences,
    "ranks": ranks,
    "beats": beats,
    "error-rates": error_rates,
    "wealth": wealth,
    "splits": splits,
    "decomposition": decomposition,
    "learning-curve": learning_curve,
    "interval-width": interval_width,
    "model-errors": model_errors,
    "agreement": agreement,
    "ways": ways,
    "conditions": conditions,
    "rates": rates,
    "trade-off": trade_off,
    "limits": limits,
    "levels": levels,
}


def charts_of(report: Report) -> dict[str, Any]:
    """By name and in the order to show them, the charts that the report bears."""
    from holdfast.render.kinds import KINDS

    drawn = {name: CHARTS[name](report) for name in KINDS[report.kind].charts}
    return {name: chart for name, chart in drawn.items() if chart is not None}
