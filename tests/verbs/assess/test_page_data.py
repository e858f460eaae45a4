"""Each view of a report against a direct recomputation."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.bounds.binomial import clopper_pearson
from holdfast.evidence import Array, Counts
from holdfast.report import Report
from holdfast.tally import scores as room_of_scores
from holdfast.verbs.asking import FEW, Inquiry
from holdfast.verbs.assess.page_data import LEVELS, matrix, plan
from holdfast.verbs.assess.threshold_data import histogram, round_edges, separating, thresholds


def rows(n: int = 700, seed: int = 3, decimals: int = 3) -> tuple[Array, Array]:
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 2, n)
    return truth, np.clip(generator.normal(0.35 + 0.3 * truth, 0.2), 0, 1).round(decimals)


def scored(**options: Any) -> Report:
    truth, score = rows()
    return hf.assess(truth, (score >= 0.5).astype(int), score, **options)


def test_views_are_plain_made_on_demand_and_no_part_of_the_report() -> None:
    report = scored()
    assert list(report.seen) == ["levels", "matrix", "scores", "thresholds", "plan"]
    assert "views" not in vars(report)
    before = report.to_json()
    assert json.loads(json.dumps(report.views, allow_nan=False)) == report.views
    assert report.to_json() == before
    assert not report.views.keys() & json.loads(before).keys()


def test_what_the_data_do_not_bear_is_not_seen() -> None:
    assert list(hf.assess([0, 1, 1], [0, 1, 0]).views) == ["levels", "matrix", "plan"]
    assert list(hf.assess(correct=[True, False]).views) == ["levels", "plan"]
    many = hf.assess(list("abca"), list("abcb"), np.full((4, 3), 1 / 3))
    assert list(many.views) == ["levels", "matrix", "plan"]
    views = hf.assess(list("abca"), list("abcb"), np.full((4, 3), 1 / 3), positive="b").views
    assert views["thresholds"]["label"] == views["scores"]["label"] == "b"


# Levels


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_the_limits_of_every_level_are_those_of_a_report_at_that_level(side: Any) -> None:
    view = scored(side=side).seen["levels"]()
    assert (view["declared"], view["levels"], list(view["claims"])) == (0.95, list(LEVELS), [*map(str, LEVELS)])
    for level in LEVELS:
        asked = scored(side=side, confidence=level)
        limits = [{"lower": line.claim.lower, "upper": line.claim.upper} for line in asked.whole]
        assert view["claims"][str(level)] == [pytest.approx(line, rel=1e-13) for line in limits]


@pytest.mark.crossing(1)
@pytest.mark.parametrize(
    "options", [{}, {"side": "upper"}, {"simultaneous": True}, {"method": ["hoeffding-kl", "squares"]}]
)
def test_many_losses_are_told_at_every_level_as_they_would_alone(options: dict[str, Any]) -> None:
    truth, score = rows(FEW + 1, decimals=9)
    said = (score >= 0.5).astype(int)
    wanted = ["error-rate", "log-loss", "auc", "brier", "accuracy"]
    report = hf.assess(truth, said, score, only=wanted, **options)
    assert "squares" in {line.claim.method for line in report.whole}
    view = report.seen["levels"]()
    each = report.whole[0].claim.delta
    for level in LEVELS:
        share = {"delta": round((1 - level) * each / 0.05, 12)} if "simultaneous" in options else {"confidence": level}
        asked = hf.assess(truth, said, score, only=wanted, **{**options, "simultaneous": False}, **share)
        limits = [{"lower": line.claim.lower, "upper": line.claim.upper} for line in asked.whole]
        if "simultaneous" in options and level != 0.95:  # delta is rounded down to what can be said
            found = np.array([[*line.values()] for line in view["claims"][str(level)]])
            np.testing.assert_allclose(found, [[*line.values()] for line in limits], atol=2e-4)
        else:
            assert view["claims"][str(level)] == [pytest.approx(line, rel=1e-13) for line in limits]


def test_a_level_that_no_method_can_answer_at_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, score = rows(FEW + 1, decimals=9)
    report = hf.assess(truth, (score >= 0.5).astype(int), score, only=["error-rate", "log-loss", "auc"])
    lines = Inquiry.lines

    def refusing(ask: Inquiry, questions: Any) -> Any:
        if ask.delta.ndim == 0 and ask.delta > 0.15:
            raise hf.HoldfastError("Too few resamples.")
        return lines(ask, questions)

    whole = report.seen["levels"]()
    monkeypatch.setattr(Inquiry, "lines", refusing)
    view = report.seen["levels"]()
    assert view["levels"] == [0.9, 0.95, 0.99]
    assert view["claims"] == {level: limits for level, limits in whole["claims"].items() if level != "0.8"}


def test_a_declared_level_of_its_own_stands_among_the_others() -> None:
    report = scored(confidence="0.999")
    view = report.seen["levels"]()
    assert (view["declared"], view["levels"]) == (0.999, [*LEVELS, 0.999])
    assert view["claims"]["0.999"][0]["upper"] == report["error-rate"].upper
    assert scored(delta=0.3).seen["levels"]()["levels"] == [0.7, *LEVELS]


def test_claims_that_hold_together_do_so_at_every_level() -> None:
    view = scored(simultaneous=True).seen["levels"]()
    for level in LEVELS:
        other = scored(simultaneous=True, confidence=level)
        found = np.array([[each["lower"], each["upper"]] for each in view["claims"][str(level)]])
        asked = np.array([[line.claim.lower, line.claim.upper] for line in other.whole])
        np.testing.assert_allclose(found, asked, atol=2e-3)  # delta is rounded down, here twice
        assert np.mean(found[:, 0] <= asked[:, 0] + 1e-12) > 0.9


def test_levels_where_rows_come_in_clusters() -> None:
    truth, score = rows(120)
    options: dict[str, Any] = {"clusters": np.arange(120) // 4, "max_cluster": 4}
    report = hf.assess(truth, (score >= 0.5).astype(int), **options)
    assert list(report.views) == ["levels", "matrix"]
    wider = hf.assess(truth, (score >= 0.5).astype(int), confidence=0.99, **options)
    expected = [{"lower": line.claim.lower, "upper": line.claim.upper} for line in wider.whole]
    assert report.seen["levels"]()["claims"]["0.99"] == expected
    for cell in report.seen["matrix"]()["cells"]:  # rows are no independent draws
        assert cell["lower"] is cell["upper"] is None
        assert 0 <= cell["share"] <= 1


# The matrix


def test_every_cell_has_its_share_of_the_actual_class_and_exact_limits() -> None:
    truth = ["a"] * 6 + ["b"] * 4
    said = ["a", "a", "a", "a", "b", "c", "b", "b", "b", "a"]
    view = hf.assess(truth, said, labels=["a", "b", "c"]).seen["matrix"]()
    assert (view["labels"], view["rows"], view["complete"]) == (["a", "b", "c"], "predicted", True)
    assert (view["actual"], view["predicted"]) == ([6, 4, 0], [5, 4, 1])
    pairs = list(zip(truth, said, strict=True))
    cells = {(cell["predicted"], cell["actual"]): cell for cell in view["cells"]}
    assert len(view["cells"]) == len(cells) == 9
    assert cells[1, 0]["count"] == 1
    for (i, j), cell in cells.items():
        assert cell["count"] == sum(t == view["labels"][j] and p == view["labels"][i] for t, p in pairs)
        claim = clopper_pearson(Counts(cell["count"], view["actual"][j]))
        assert (cell["share"], cell["lower"], cell["upper"]) == (claim.estimate, claim.lower, claim.upper)
    assert (cells[0, 2]["share"], cells[0, 2]["lower"], cells[0, 2]["upper"]) == (None, 0.0, 1.0)


def test_limits_of_cells_are_at_the_level_of_the_report() -> None:
    for options in ({"confidence": 0.8}, {"confidence": 0.8, "simultaneous": True}):
        cell = scored(**options).seen["matrix"]()["cells"][0]
        actual = rows()[0].tolist().count(0)
        assert cell["upper"] == clopper_pearson(Counts(cell["count"], actual), 0.2).upper


def test_of_a_large_table_the_most_confused_cells_are_shown() -> None:
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 200, 20_000)
    said = np.where(generator.random(truth.size) < 0.6, truth, (truth * generator.integers(1, 4, truth.size)) % 200)
    report = hf.assess(truth, said)
    view = report.seen["matrix"]()
    assert not view["complete"]
    assert len(view["cells"]) == 60
    pairs, counts = np.unique(np.stack([said, truth])[:, said != truth], axis=1, return_counts=True)
    found = [cell["count"] for cell in view["cells"]]
    assert found == sorted(counts.tolist(), reverse=True)[:60]
    seen = {(str(p), str(t)): int(c) for p, t, c in zip(*pairs, counts, strict=True)}
    for cell in view["cells"]:
        predicted, actual = view["labels"][cell["predicted"]], view["labels"][cell["actual"]]
        assert seen[predicted, actual] == cell["count"]
        assert view["actual"][cell["actual"]] == np.sum(truth == int(actual))
        assert view["predicted"][cell["predicted"]] == np.sum(said == int(predicted))
        assert cell["share"] == cell["count"] / np.sum(truth == int(actual))
        assert (cell["lower"], cell["upper"]) == (None, None)  # it was picked for being frequent
    used = {cell[key] for cell in view["cells"] for key in ("predicted", "actual")}
    assert used == set(range(len(view["labels"])))


def test_forty_labels_are_shown_whole_and_one_more_is_not() -> None:
    for number, whole in ((40, True), (41, False)):
        table = hf.Contingency(np.eye(number, dtype=int) * 3, rows="predicted")
        view = matrix(table, 0.05)
        assert (view["complete"], len(view["cells"])) == (whole, number**2 if whole else 0)


# Scores


@pytest.mark.parametrize("n", [1, 30, 700, 40_000])
def test_the_histogram_counts_every_score_once(n: int) -> None:
    truth, score = rows(n, decimals=2)
    view = histogram(hf.Scores(score, truth == 1), "1")
    edges = np.array(view["edges"])
    assert 1 <= edges.size - 1 <= 50
    assert edges[0] <= score.min()
    assert edges[-1] >= score.max()
    for name, which in (("positive", 1), ("other", 0)):
        assert view[name] == np.histogram(score[truth == which], edges)[0].tolist()


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-7.3, 12.9), (1e-9, 3e-9), (-4e7, 9e8), (0.5, 0.5), (-3.0, -3.0)]
)
def test_edges_are_round_and_enclose_all(low: float, high: float) -> None:
    for most in (5, 17, 60):
        edges = round_edges(low, high, most)
        assert 1 <= edges.size - 1 <= most
        assert edges[0] <= low <= high <= edges[-1]
        assert (np.diff(edges) > 0).all()
        step = float(np.diff(edges).mean())
        assert f"{step:.0e}"[0] in "125"
        assert step == pytest.approx(float(f"{step:.0e}"), rel=1e-6)
        assert all(len(repr(float(edge))) <= 18 for edge in edges)
        assert edges.size - 1 > most / 5 or low == high


@pytest.mark.parametrize(
    "values", [[-1.7e308, 1.7e308], [5e-324, 1e-323], [1e16, 1e16 + 2], [0.0], [1.0, 1.0 + 2**-52], [1e300, 3e300]]
)
def test_scores_that_nobody_has_are_counted_all_the_same(values: list[float]) -> None:
    scores = hf.Scores(values, np.arange(len(values)) == 0)
    view = histogram(scores, "yes")
    assert np.isfinite(view["edges"]).all()
    assert view["edges"] == sorted(set(view["edges"]))
    assert len(view["edges"]) == len(view["other"]) + 1 == len(view["positive"]) + 1
    assert (sum(view["positive"]), sum(view["other"])) == (1, len(values) - 1)
    json.dumps(thresholds(scores, "yes", 0.05, 0.0), allow_nan=False)


def test_there_are_no_more_bins_for_more_than_ten_thousand_scores() -> None:
    found = {}
    for n in (100, 10_000, 200_000):
        truth, score = rows(n, decimals=12)
        found[n] = len(histogram(hf.Scores(np.clip(score, 0, 1), truth == 1), "1")["positive"])
    assert found == {100: 10, 10_000: 50, 200_000: 50}


def test_edges_keep_to_the_decimals_that_one_writes() -> None:
    assert round_edges(0.0, 1.0, 10).tolist() == [i / 10 for i in range(11)]
    assert round_edges(0.02, 0.9, 60).tolist() == [i / 50 for i in range(1, 46)]


@pytest.mark.parametrize("width", [2.0**-8, 0.003, 0.07])
def test_where_scores_were_counted_in_bins_all_counts_are_still_exact(width: float) -> None:
    truth, score = rows(5_000, decimals=12)
    values, place = np.unique(np.floor(score / width) * width, return_inverse=True)
    positives, negatives = (np.bincount(place[truth == which], minlength=values.size) for which in (1, 0))
    binned = hf.Scores.from_counts(values, positives, negatives, width=width)
    view = histogram(binned, "1")
    edges = np.array(view["edges"])
    assert view["positive"] == np.histogram(score[truth == 1], edges)[0].tolist()
    assert view["other"] == np.histogram(score[truth == 0], edges)[0].tolist()
    found = thresholds(binned, "1", 0.05, 0.301)
    assert found["declared"] == np.floor(0.301 / width) * width
    assert "end of one" in found["why"]
    for point in found["points"]:
        assert (point["tp"], point["fp"]) == counted(truth, score, point["threshold"])[:2]


def test_binned_scores_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", 100)
    view = scored(operating_point=0.5).views
    truth, score = rows()
    assert view["thresholds"]["declared"] == 0.5
    point = next(each for each in view["thresholds"]["points"] if each["threshold"] == 0.5)
    assert (point["tp"], point["fp"], point["fn"], point["tn"]) == counted(truth, score, 0.5)
    assert sum(view["scores"]["positive"]) == (truth == 1).sum()
    assert scored().seen["thresholds"]()["declared"] is None


# Thresholds


def counted(truth: Array, score: Array, threshold: float) -> tuple[int, int, int, int]:
    said = score >= threshold
    cells = (truth == 1) & said, (truth == 0) & said, (truth == 1) & ~said, (truth == 0) & ~said
    return tuple(int(cell.sum()) for cell in cells)  # type: ignore[return-value]


@pytest.mark.parametrize(("n", "decimals"), [(2, 3), (60, 1), (700, 3), (20_000, 9)])
def test_counts_and_pointwise_limits_of_every_threshold(n: int, decimals: int) -> None:
    truth, score = rows(n, decimals=decimals)
    truth[:2] = 0, 1
    points = thresholds(hf.Scores(score, truth == 1), "1", 0.1, 0.4321)["points"]
    shown = [point["threshold"] for point in points]
    assert shown == sorted(set(shown), reverse=True)
    assert len(shown) <= 201
    distinct = np.unique(score)
    assert set(shown) <= {0.4321, *distinct.tolist()}
    if distinct.size <= 200:
        assert len(shown) == distinct.size + 1
    assert min(shown) == min(0.4321, distinct[0])
    cells = np.array([counted(truth, score, threshold) for threshold in shown])
    assert cells.tolist() == [[point["tp"], point["fp"], point["fn"], point["tn"]] for point in points]
    tp, fp, fn, tn = cells.T
    for name, k, of in (("recall", tp, tp + fn), ("specificity", tn, tn + fp), ("precision", tp, tp + fp)):
        claim = clopper_pearson(Counts(k, of), 0.1)
        for key in ("estimate", "lower", "upper"):
            found = np.array([point[name][key] for point in points], float)  # what is undefined is NaN
            np.testing.assert_array_equal(found, getattr(claim, key))


@pytest.mark.parametrize(("n", "squeezed"), [(60, 1.0), (700, 1e-7), (30_000, 1.0), (30_000, 1e-9), (2_000, 1e-15)])
def test_a_threshold_divides_the_rows_as_shown(n: int, squeezed: float) -> None:
    truth, score = rows(n, decimals=12)
    score = 0.5 + (score - 0.5) * squeezed
    view = thresholds(hf.Scores(score, truth == 1), "1", 0.05)
    assert view["of"] == np.unique(score).size
    for point in view["points"]:
        assert float(point["shown"]) <= point["threshold"]
        assert counted(truth, score, float(point["shown"])) == (point["tp"], point["fp"], point["fn"], point["tn"])
    if squeezed == 1.0:
        assert max(len(point["shown"]) for point in view["points"]) <= 12


@pytest.mark.parametrize("threshold", [2 / 3, 1e-9, -3.123456789, 5e-324, 1.7e308, 123456789.0, 0.0, -0.0, 7.0])
def test_a_threshold_is_shown_with_no_more_digits_than_it_takes(threshold: float) -> None:
    alone = separating(-np.inf, threshold)
    assert len(alone.strip("-").split("e")[0].replace(".", "").lstrip("0")) <= 6
    assert float(alone) <= threshold
    assert float(separating(float(np.nextafter(threshold, -np.inf)), threshold)) == threshold


@pytest.mark.parametrize("point", [0.1 + 0.2, 0.25, 7.0, 1e-7])
def test_a_declared_threshold_is_said_as_it_was_declared(point: float) -> None:
    view = scored(operating_point=point).seen["thresholds"]()
    (own,) = (each for each in view["points"] if each["threshold"] == point)
    assert float(own["shown"]) == point
    assert f"The threshold {own['shown']} was declared beforehand." in view["why"]


def test_the_models_own_rule_is_said_so_that_it_divides_the_rows() -> None:
    score = np.array([0.1, 0.3333333331, 0.3333333339, 0.8])
    view = hf.assess([0, 1, 0, 1], [0, 0, 1, 1], score).seen["thresholds"]()
    assert "exactly from the score 0.3333333339 on" in view["why"]


def test_thresholds_of_bins_are_shown_so_that_no_bin_is_cut() -> None:
    truth, score = rows(5_000, decimals=12)
    width = 2.0**-8
    values, place = np.unique(np.floor(score / width) * width, return_inverse=True)
    both = (np.bincount(place[truth == which], minlength=values.size) for which in (1, 0))
    view = thresholds(hf.Scores.from_counts(values, *both, width=width), "1", 0.05)
    for point in view["points"]:
        assert counted(truth, score, float(point["shown"]))[:2] == (point["tp"], point["fp"])
        if point["threshold"] - width in values:  # where scores may lie just below
            assert float(point["shown"]) == point["threshold"]


def test_thresholds_are_spread_evenly_over_both_classes() -> None:
    truth, score = rows(20_000, decimals=12)
    rare = (truth == 0) | (np.arange(truth.size) % 50 == 0)
    score += np.arange(truth.size) * 1e-9  # no ties
    scores = hf.Scores(score[rare], truth[rare] == 1)
    points = thresholds(scores, "1", 0.05)["points"]
    assert len(points) >= 190
    recall = np.array([point["recall"]["estimate"] for point in points])
    fallout = 1 - np.array([point["specificity"]["estimate"] for point in points])
    assert np.diff(recall + fallout, prepend=0.0).max() < 0.03
    assert (recall[-1], fallout[-1]) == (1.0, 1.0)


def test_the_band_is_that_of_the_curves() -> None:
    truth, score = rows(150)
    scores = hf.Scores(score, truth == 1)
    points = thresholds(scores, "1", 0.05)["points"]
    roc, curve = hf.roc(scores, 0.05), hf.precision_recall(scores, 0.05)
    assert [point["threshold"] for point in points] == roc.threshold[1:].tolist()
    for name, wanted in {
        "recall": (roc.y_lower[1:], roc.y_upper[1:]),
        "specificity": (1 - roc.x_upper[1:], 1 - roc.x_lower[1:]),
        "precision": (curve.y_lower, curve.y_upper),
    }.items():
        found = np.array([[point[name]["band_lower"], point[name]["band_upper"]] for point in points]).T
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_the_threshold_that_was_declared_comes_first() -> None:
    view = scored(operating_point=0.25).seen["thresholds"]()
    assert view["declared"] == 0.25
    assert "0.25 was declared beforehand" in view["why"]
    assert 0.25 in [point["threshold"] for point in view["points"]]
    assert scored(operating_point=7).seen["thresholds"]()["points"][0]["precision"]["estimate"] is None


@pytest.mark.parametrize("cut", [0.5, 0.31])
def test_else_it_is_the_rule_that_the_predictions_follow(cut: float) -> None:
    truth, score = rows()
    report = hf.assess(truth, (score >= cut).astype(int), score)
    view = report.seen["thresholds"]()
    assert view["declared"] == (0.5 if cut == 0.5 else score[score >= cut].min())
    assert "model's own rule" in view["why"]
    point = next(each for each in view["points"] if each["threshold"] == view["declared"])
    assert point["fp"] + point["fn"] == report.details["errors"]
    assert point["recall"]["lower"] == report["recall"].lower


def test_decision_values_are_cut_at_zero() -> None:
    truth, score = rows()
    assert hf.assess(truth, (score > 0.5).astype(int), score - 0.5).seen["thresholds"]()["declared"] > 0
    assert hf.assess(truth, (score > 0.7).astype(int), score - 0.7001).seen["thresholds"]()["declared"] == 0.0


def test_predictions_that_follow_no_threshold_declare_none() -> None:
    truth, score = rows()
    said = (score >= 0.5).astype(int)
    said[np.argmax(score)] = 0
    for predicted in (said, 1 - (score >= 0.5), np.ones_like(said), np.zeros_like(said)):
        view = hf.assess(truth, predicted, score, positive=1).seen["thresholds"]()
        assert view["declared"] is None
        assert "No threshold was declared" in view["why"]


def test_a_tie_between_yes_and_no_is_no_rule() -> None:
    said, score = [0, 0, 1, 1], [0.1, 0.6, 0.6, 0.9]
    assert hf.assess([0, 1, 0, 1], said, score).seen["thresholds"]()["declared"] is None
    assert hf.assess([0, 1, 0, 1], said, [0.1, 0.5, 0.6, 0.9]).seen["thresholds"]()["declared"] == 0.6


def test_of_many_classes_the_rule_is_that_of_the_positive_ones_scores() -> None:
    score = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
    view = hf.assess(list("abcc"), list("abbc"), score, positive="b").seen["thresholds"]()
    assert (view["declared"], view["label"]) == (0.5, "b")
    assert [(point["threshold"], point["tp"], point["fp"]) for point in view["points"][:2]] == [
        (0.8, 1, 0),
        (0.5, 1, 1),
    ]


def test_the_rule_does_not_look_at_the_truth() -> None:
    _, score = rows()
    said = (score >= 0.31).astype(int)
    found = {hf.assess(np.roll(said, i), said, score).seen["thresholds"]()["declared"] for i in range(3)}
    assert len(found) == 1


def test_where_classes_were_sampled_nothing_is_said_of_precision() -> None:
    view = scored(sampling="by-class").views
    assert list(view) == ["levels", "matrix", "scores", "thresholds"]
    for point in view["thresholds"]["points"]:
        assert set(point["precision"].values()) == {None}
        assert point["recall"]["lower"] is not None


def test_an_operating_point_is_refused_where_it_means_nothing() -> None:
    with pytest.raises(hf.HoldfastError, match="give the true labels and a column of scores"):
        hf.assess([0, 1], [0, 1], operating_point=0.5)
    with pytest.raises(hf.HoldfastError, match="one threshold of the score"):
        scored(operating_point=[0.1, 0.2])
    with pytest.raises(hf.HoldfastError, match="operating_point"):
        scored(operating_point="high")


# The plan


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_the_plan_goes_through_the_claim_of_the_report(side: Any) -> None:
    report = scored(side=side)
    view, claim = report.seen["plan"](), report["error-rate"]
    assert (view["measure"], view["estimate"], view["now"]) == ("error-rate", claim.estimate, 700)
    sizes = [point["n"] for point in view["points"]]
    assert (sizes[0], sizes[-1]) == (175, 11_200)
    assert sizes == sorted(set(sizes))
    now = view["points"][sizes.index(700)]
    assert (now["lower"], now["upper"]) == pytest.approx((claim.lower, claim.upper), abs=1e-12)
    widths = [point["upper"] - point["lower"] for point in view["points"]]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 40), (40, 40), (3, 8)])
def test_the_plan_agrees_with_exact_limits_wherever_the_errors_are_whole(k: int, n: int) -> None:
    points = plan(Counts(k, n), 0.05)["points"]
    assert points[0]["n"] >= 1
    whole = [point for point in points if point["n"] * k % n == 0]
    assert len(whole) >= 3
    for point in whole:
        claim = clopper_pearson(Counts(point["n"] * k // n, point["n"]))
        assert (point["lower"], point["upper"]) == pytest.approx((claim.lower, claim.upper), abs=1e-12)


def test_views_do_not_grow_with_the_rows() -> None:
    sizes = []
    for n in (20_000, 200_000):
        truth, score = rows(n, decimals=12)
        views = hf.assess(truth, (score >= 0.5).astype(int), score, only=["error-rate", "auc"]).views
        sizes.append(len(json.dumps(views)))
    assert sizes[1] < 1.1 * sizes[0]


def test_limits_of_cells_that_were_picked_would_miss() -> None:
    """Which is why they have none: all confusions are equally likely, and the most frequent ones seem more so."""
    draw, labels, n = np.random.default_rng(11), 60, 600
    missed = shown = 0
    for _ in range(5):
        truth, said = draw.integers(labels, size=(2, n))
        cells = matrix(_table(truth, said, labels), 0.05)["cells"]
        assert all(cell["lower"] is None and cell["upper"] is None for cell in cells)
        counts, share = (np.array([cell[name] for cell in cells]) for name in ("count", "share"))
        trials = np.rint(counts / share).astype(int)
        missed += int(np.sum(np.asarray(clopper_pearson(Counts(counts, trials), 0.05).lower) > 1 / labels))
        shown += len(cells)
    assert missed > shown / 2


def _table(truth: Array, said: Array, labels: int) -> hf.Contingency:
    counts = np.zeros((labels, labels), int)
    np.add.at(counts, (said, truth), 1)
    return hf.Contingency(counts, rows="predicted")
