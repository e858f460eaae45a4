"""Pictures: plain functions from a report to a chart, all in one look, and one way to save them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.agreement import agreement
from holdfast.render.charts.beats import beats
from holdfast.render.charts.calibration import calibration
from holdfast.render.charts.coverage import coverage_chart
from holdfast.render.charts.curves import precision_recall, roc
from holdfast.render.charts.decomposition import decomposition
from holdfast.render.charts.differences import differences, error_rates
from holdfast.render.charts.forest import forest
from holdfast.render.charts.groups import groups
from holdfast.render.charts.learning import interval_width, learning_curve
from holdfast.render.charts.look import configuration
from holdfast.render.charts.matrix import matrix
from holdfast.render.charts.panel import model_errors, ways
from holdfast.render.charts.plan import plan
from holdfast.render.charts.ranks import ranks
from holdfast.render.charts.saving import ENDINGS, check_ending, save_chart
from holdfast.render.charts.scores import scores
from holdfast.render.charts.splits import splits
from holdfast.render.charts.wealth import wealth

if TYPE_CHECKING:
    from holdfast.report import Report

__all__ = [
    "CHARTS",
    "ENDINGS",
    "OF_ASSESSMENTS",
    "OF_COMMITTEES",
    "OF_COMPARISONS",
    "OF_CROSSED",
    "OF_DECOMPOSITIONS",
    "OF_DUELS",
    "OF_LEARNING",
    "OF_PANELS",
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
OF_DUELS = {"wealth": wealth}
OF_CROSSED = {"splits": splits, "forest": forest}
OF_DECOMPOSITIONS = {"decomposition": decomposition}
OF_LEARNING = {"learning-curve": learning_curve, "interval-width": interval_width}
OF_PANELS = {"model-errors": model_errors, "agreement": agreement}
OF_COMMITTEES = {"ways": ways, "agreement": agreement}
CHARTS = {
    **OF_ASSESSMENTS,
    **OF_COMPARISONS,
    **OF_DUELS,
    **OF_CROSSED,
    **OF_DECOMPOSITIONS,
    **OF_LEARNING,
    **OF_PANELS,
    **OF_COMMITTEES,
}


def charts_of(report: Report) -> dict[str, Any]:
    """By name and in the order to show them, the charts that the report bears."""
    compared = OF_DUELS if "sequential" in report.details else OF_COMPARISONS
    charts = compared if "verdict" in report.details else OF_ASSESSMENTS
    own = {"target": OF_CROSSED, "decomposition": OF_DECOMPOSITIONS, "learning_curve": OF_LEARNING}
    own |= {"panel": OF_PANELS, "committee": OF_COMMITTEES}
    charts = next((own[kind] for kind in own if kind in report.details), charts)
    drawn = {name: draw(report) for name, draw in charts.items()}
    return {name: chart for name, chart in drawn.items() if chart is not None}
