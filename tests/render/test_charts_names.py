"""Names that every object of JavaScript has by itself are names like others, to Vega too."""

from __future__ import annotations

import numpy as np

import holdfast as hf
from tests.needs import module
from tests.render.contests import JAVASCRIPT, rivals


def reports() -> dict[str, hf.Report]:
    draw = np.random.default_rng(4)
    truth = draw.integers(0, 6, 80)
    labels = np.array(JAVASCRIPT)
    answers = {name: np.where(draw.random(80) < 0.7, truth, draw.integers(0, 6, 80)) for name in JAVASCRIPT}
    return {
        "beats": rivals(6, names=JAVASCRIPT),
        "agreement": hf.panel(truth, answers),
        "matrix": hf.assess(labels[truth], labels[answers["constructor"]]),
    }


def test_no_picture_is_lost_over_a_name() -> None:
    draw = module("vl_convert").vegalite_to_svg
    for kind, report in reports().items():
        picture = draw(report.charts[kind].to_dict())
        assert [name for name in JAVASCRIPT if f">{name}<" not in picture] == [], kind


def test_no_order_is_told_by_names() -> None:
    """Vega-Lite looks such an order up in an object, which has names of its own; the domain of a scale says it too."""
    for report in reports().values():
        for kind, chart in report.charts.items():
            told = repr(chart.to_dict())
            assert "'sort': ['" not in told, kind
