"""What a page says about the curves it thins, against all of their points."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast as hf
from holdfast.evidence import Array
from holdfast.render.charts import CHARTS
from holdfast.render.charts.curves import MANY_POINTS
from holdfast.render.charts.look import SQUARE
from holdfast.render.page.pictures import MOST_POINTS, SEVERAL, THINNED, thinning
from holdfast.selection.bands import POINTS

ROUNDED = 0.01  # pixels, by which what is drawn was rounded
PARTS = range(200, 20_000, 200)  # of the points, looked at together


def drawn(report: hf.Report, name: str) -> Array:
    """The points of the line in a chart, in their order."""
    chart = CHARTS[name](report)
    assert chart is not None
    sets = chart.to_dict(validate=False)["datasets"].values()
    (rows,) = (rows for rows in sets if "threshold" in rows[0])
    return np.array([[row["x"], row["y"]] for row in sorted(rows, key=lambda row: row["place"])])


def every_point(truth: Array, score: Array) -> Array:
    """Of the ROC curve, from all scores."""
    values, place = np.unique(-score, return_inverse=True)
    right, wrong = (np.cumsum(np.bincount(place[truth == which], minlength=values.size)) for which in (1, 0))
    return np.stack([np.append(0, wrong / wrong[-1]), np.append(0, right / right[-1])], axis=1)


def from_line(points: Array, line: Array) -> Array:
    """How far each point is from the line."""
    start, way = line[:-1], np.diff(line, axis=0)
    length = np.maximum((way**2).sum(axis=1), 1e-30)
    found = []
    for part in np.split(points, PARTS):
        away = part[:, None] - start
        along = np.clip((away * way).sum(axis=2) / length, 0, 1)
        found.append(((away - along[..., None] * way) ** 2).sum(axis=2).min(axis=1))
    return np.sqrt(np.concatenate(found))


def kept(report: hf.Report, name: str) -> Array:
    """The points that the curve of the report still has."""
    curve = report.curves[name]
    return np.stack([curve.x, curve.y], axis=1)


def rows(kind: str, n: int = 8_000) -> tuple[Array, Array]:
    generator = np.random.default_rng(8)
    truth = (generator.random(n) < (0.02 if kind == "rare" else 0.4)).astype(int)
    score = generator.normal(truth * (3.0 if kind == "good" else 1.0))
    return truth, np.where(score > 1, 1.0, score) if kind == "tied" else score


@pytest.mark.parametrize("kind", ["plain", "good", "rare", "tied"])
def test_what_is_left_out_of_the_roc_curve_is_not_missed(kind: str) -> None:
    truth, score = rows(kind)
    report = hf.assess(truth, (score > 0.5).astype(int), score, positive=1, only=["error-rate"])
    line, points = drawn(report, "roc"), every_point(truth, score)
    assert len(line) <= MOST_POINTS + 1
    assert len(points) > 5_000
    assert from_line(points, line).max() * SQUARE < (1 if kind in ("plain", "good") else 2)  # pixels
    assert from_line(kept(report, "roc"), line).max() * SQUARE < 0.1 + ROUNDED
    assert thinning(report) == THINNED


def test_precision_and_recall_are_drawn_in_the_same_way() -> None:
    truth, score = rows("plain")
    report = hf.assess(truth, (score > 0.5).astype(int), score, positive=1, only=["error-rate"])
    roc, curve = report.curves["roc"], report.curves["precision-recall"]
    assert roc.threshold[1:].tolist() == curve.threshold.tolist()
    line = drawn(report, "precision-recall")
    assert MANY_POINTS < len(line) < curve.threshold.size
    assert from_line(kept(report, "precision-recall"), line).max() * SQUARE < 0.1 + ROUNDED


def test_a_smooth_curve_keeps_every_other_point_and_a_rough_one_all() -> None:
    scores = np.arange(4_000) / 4_000
    smooth = hf.assess(scores**2 + 0.02 * np.sin(9e4 * scores) > 0.3, scores > 0.5, scores, positive=True)
    assert len(drawn(smooth, "roc")) < 300
    steps = np.repeat(np.arange(400) % 2, 10)  # up and across in turn, ten scores each
    rough = hf.assess(steps, (scores > 0.5).astype(int), scores, positive=1)
    assert len(drawn(rough, "roc")) > 380


def test_the_number_said_is_the_number_kept() -> None:
    assert MOST_POINTS == POINTS


def test_nothing_is_said_where_all_is_drawn() -> None:
    truth, score = rows("plain", MANY_POINTS)
    assert thinning(hf.assess(truth, (score > 0.5).astype(int), score, positive=1)) == ""
    assert thinning(hf.assess(truth, truth)) == ""


def test_several_curves_are_said_to_have_fewer_points_each() -> None:
    generator = np.random.default_rng(9)
    truth, score = generator.integers(0, 3, 600), generator.dirichlet(np.ones(3), 600)
    report = hf.assess(truth, score.argmax(axis=1), score, only=["error-rate"])
    assert thinning(report) == THINNED + SEVERAL
