"""Charts of reports: the right marks and numbers, limits never rounded inward, labels that stay words."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import holdfast as hf
from holdfast.render.charts import CHARTS, charts_of, configuration
from holdfast.render.charts.curves import _band_rows
from holdfast.render.charts.look import DARK, LIGHT, beside, share, shortened
from holdfast.render.charts.scores import _ticks
from holdfast.render.page import save_chart
from holdfast.report import Report
from holdfast.sources import read
from tests.needs import module

EXAMPLE = Path(__file__).parents[2] / "examples" / "predictions.csv"
EVIL = [
    "</script><script>alert(1)</script>",
    "x" * 10_000,
    "\"quoted\" 'and' <img src=x onerror=alert(1)>",
    "👍 thumbs & up",
    "line\nbreak\x00\u202e",
]
ASSESSED = ("forest", "matrix", "roc", "precision-recall", "scores", "calibration", "groups", "plan")
LONG = pytest.mark.long
Rows = list[dict[str, Any]]


@cache
def example(**options: Any) -> Report:
    return hf.assess(read(str(EXAMPLE)), positive="malignant", bins=10, **options)


@cache
def classes(number: int, rows: int = 600) -> Report:
    draw = np.random.default_rng(number)
    truth = draw.integers(0, number, rows)
    forecast = draw.normal(size=(rows, number))
    forecast[np.arange(rows), truth] += 2
    weights = np.exp(forecast)
    names = np.array([f"class {place:03}" for place in range(number)])
    scores = None if number > 20 else weights / weights.sum(axis=1, keepdims=True)
    return hf.assess(names[truth], names[forecast.argmax(axis=1)], scores)


@cache
def hostile() -> Report:
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 2, 200)
    score = np.clip(0.4 * truth + 0.6 * draw.random(200), 0, 1)
    names = np.array(EVIL[:2])
    groups = {"</style>": np.array(EVIL)[draw.integers(0, len(EVIL), 200)]}
    predicted = names[(score > 0.5).astype(int)]
    return hf.assess(names[truth], predicted, score, positive=EVIL[1], groups=groups, bins=4)


@cache
def grouped(**options: Any) -> Report:
    draw = np.random.default_rng(4)
    truth, country = draw.integers(0, 2, 500), draw.choice(["DE", "FR", "IT"], 500)
    wrong = draw.random(500) < np.where(country == "IT", 0.4, 0.05)
    return hf.assess(truth, np.where(wrong, 1 - truth, truth), groups={"country": country}, **options)


PICTURES: dict[tuple[int, str], Any] = {}
ROOTS: dict[int, tuple[Any, ElementTree.Element]] = {}


def picture(report: Report, name: str) -> Any:
    """One chart of a report that is kept; of the example all are wanted, of others only this one is drawn."""
    if report is example():
        return report.charts[name]
    if (id(report), name) not in PICTURES:
        PICTURES[id(report), name] = CHARTS[name](report)
    return PICTURES[id(report), name]


def svg(chart: Any) -> ElementTree.Element:
    """The picture as it is drawn, once."""
    if id(chart) not in ROOTS:
        root = ElementTree.fromstring(module("vl_convert").vegalite_to_svg(chart.to_dict()))
        ROOTS[id(chart)] = chart, root  # the chart too, or its id might become another's
    return ROOTS[id(chart)][1]


def words(root: ElementTree.Element) -> list[str]:
    return [line for element in root.iter("{http://www.w3.org/2000/svg}text") for line in element.itertext()]


def marks(root: ElementTree.Element) -> Counter[str]:
    """How many items there are of each kind of mark."""
    found: Counter[str] = Counter()
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        kind = re.match(r"mark-(\w+) role-mark", group.get("class", ""))
        if kind:
            found[kind[1]] += len(group)
    return found


def rows(chart: Any, field: str) -> Rows:
    """The rows of the first data set that has such a field."""
    return next(data for data in chart.to_dict()["datasets"].values() if data and field in data[0])


# ---- Which there are


def test_each_report_has_the_charts_it_bears_in_order() -> None:
    assert [name for name in CHARTS if name in ASSESSED] == list(ASSESSED)
    assert list(example().charts) == [name for name in ASSESSED if name != "groups"]
    assert list(charts_of(hf.assess(correct=[True, False, True]))) == ["forest", "plan"]


@LONG
def test_reports_of_other_kinds_have_the_charts_they_bear() -> None:
    assert list(classes(10).charts) == ["forest", "matrix", "roc", "precision-recall", "plan"]
    assert list(classes(60).charts) == ["forest", "matrix", "plan"]
    assert list(grouped().charts) == ["forest", "matrix", "groups", "plan"]
    assert "groups" in hostile().charts


def test_a_report_of_nothing_has_no_charts() -> None:
    assert charts_of(Report.of([])) == {}
    assert charts_of(Report.of([], seen={"matrix": lambda: None, "plan": lambda: None, "scores": lambda: None})) == {}


MANY = [
    example,
    *(pytest.param(report, marks=LONG) for report in (hostile, grouped, partial(classes, 5), partial(classes, 60))),
]


@pytest.mark.long
@pytest.mark.parametrize("report", MANY)
def test_every_chart_is_drawn(report: Any) -> None:
    for name, chart in report().charts.items():
        specification = chart.to_dict()
        root = svg(chart)
        assert sum(marks(root).values()) > 0, name
        assert specification["title"]["text"] in words(root), name
        assert "NaN" not in ElementTree.tostring(root, encoding="unicode"), name
        assert json.loads(json.dumps(specification, allow_nan=False)) == specification, name
        assert not {"hconcat", "vconcat", "facet"} & specification.keys()  # a page may then set the width


@LONG
@pytest.mark.parametrize("report", [example, grouped, partial(classes, 3)])
def test_every_chart_has_a_size_in_pixels(report: Any) -> None:
    for name, chart in report().charts.items():
        content = module("vl_convert").vegalite_to_png(chart.to_dict())
        assert min(struct.unpack(">II", content[16:24])) > 100, name


@LONG
@pytest.mark.parametrize(
    ("labels", "scores"), [(["a"], [0.7]), (["a"], None), (["a", "b"], [0.7, 0.2]), (["a", "b"], None)]
)
def test_one_or_two_examples_are_drawn(labels: list[str], scores: list[float] | None) -> None:
    for chart in hf.assess(labels, labels, scores, positive="a").charts.values():
        assert words(svg(chart))


# ---- What they show


def test_the_forest_shows_each_measure_with_its_numbers() -> None:
    chart = picture(example(), "forest")
    shown, text = rows(chart, "estimate"), words(svg(chart))
    assert {"error-rate", "accuracy", "recall, malignant", "auc, malignant, delong"} <= set(text)
    assert "0.0632 [0.0378, 0.0980]" in text
    assert "recall, benign" not in text  # the positive class was named
    assert {"holds at every sample size", "holds only as the sample grows"} <= set(text)
    assert "comes without proof" not in text
    assert len({row["row"] for row in shown}) == len(shown)
    drawn = marks(svg(chart))
    assert drawn["symbol"] == len(shown)
    (error,) = [row for row in shown if row["row"] == "error-rate"]
    claim = example()["error-rate"]
    assert (error["lower"], error["estimate"], error["upper"]) == (claim.lower, claim.estimate, claim.upper)


def test_rows_are_told_apart_by_names_that_fit_on_a_phone() -> None:
    names = [row["row"] for row in rows(picture(hostile(), "forest"), "estimate")]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 30
    assert {f"auc, {'x' * 9}…{'x' * 5}, delong", f"auc, {'x' * 5}…{'x' * 2}, auc-matchings"} <= set(names)


def test_a_forest_has_no_more_than_sixty_rows() -> None:
    chart = picture(classes(60), "forest")
    shown = rows(chart, "estimate")
    assert 40 < len(shown) <= 60
    assert "more are in the tables" in chart.to_dict()["title"]["subtitle"][0]
    recall = [row["lower"] for row in shown if row["measure"] == "recall"]
    assert recall == sorted(recall)
    assert {row["measure"] for row in rows(picture(classes(10), "forest"), "estimate")} >= {"recall", "precision"}


def test_one_sided_claims_have_one_end() -> None:
    chart = picture(example(side="upper"), "forest")
    shown = rows(chart, "estimate")
    assert all(row["from"] is None and row["to"] == row["upper"] for row in shown)
    assert "0.0632, at most 0.0923" in words(svg(chart))
    assert chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0.0, 1]  # mcc may be less, unclaimed
    assert (
        picture(example(side="upper"), "plan")
        .to_dict()["title"]["text"]
        .startswith("Four times the labels would lower the upper limit from 9.3 % to")
    )


def test_what_leaves_the_axis_is_named_and_not_drawn() -> None:
    (line,) = [line for line in example().whole if line.measure == "log-loss"]
    far = replace(line, claim=replace(line.claim, upper=3.5))
    chart = charts_of(Report.of([far, *example().whole[:2]]))["forest"]
    assert "log-loss" in chart.to_dict()["title"]["subtitle"][1]
    assert "log-loss" not in {row["row"] for row in rows(chart, "estimate")}


def test_together_or_each_on_its_own_is_said() -> None:
    each, together = (
        picture(report, "forest").to_dict()["title"] for report in (example(), example(simultaneous=True))
    )
    assert each["text"] == "Each true value lies in its interval with 95 % confidence"
    assert together["text"] == "All true values lie in their intervals with 95 % confidence"


def test_the_matrix_has_rows_predicted_and_columns_actual() -> None:
    chart = picture(example(), "matrix")
    cells = {(row["row"], row["column"]): row for row in rows(chart, "column")}
    assert {place: cell["counted"] for place, cell in cells.items()} == {
        ("benign", "benign"): "171",
        ("benign", "malignant"): "8",
        ("malignant", "benign"): "10",
        ("malignant", "malignant"): "96",
    }
    assert cells["malignant", "malignant"]["limits"] == "85.4 % to 96.7 %"
    assert [place for place, cell in cells.items() if cell["right"]] == [("benign",) * 2, ("malignant",) * 2]
    assert chart.to_dict()["title"]["text"] == "267 of 285 answers are right"
    assert {"171", "8", "10", "96", "actual", "predicted"} <= set(words(svg(chart)))
    encoding = chart.to_dict()["layer"][0]["encoding"]
    assert (encoding["x"]["title"], encoding["y"]["title"]) == ("actual", "predicted")


def test_of_very_many_classes_the_most_confused_are_shown() -> None:
    chart = picture(classes(60), "matrix")
    shown = rows(chart, "estimate")
    assert len(shown) <= 60
    first = classes(60).views["matrix"]["cells"][0]
    labels = classes(60).views["matrix"]["labels"]
    assert shown[0]["row"] == f"{labels[first['actual']]} → {labels[first['predicted']]}"
    assert shown[0]["numbers"].startswith(f"{first['count']} of ")


def test_a_matrix_without_limits_is_drawn_too() -> None:
    cells = [
        {"predicted": i, "actual": j, "count": 3, "share": None, "lower": None, "upper": None}
        for i in (0, 1)
        for j in (0, 1)
    ]
    view = {"labels": ["a", "b"], "cells": cells, "actual": [6, 6], "predicted": [6, 6], "complete": True}
    (chart,) = charts_of(Report.of([], seen={"matrix": lambda: view})).values()
    assert words(svg(chart)).count("3") == 4
    sparse = {**view, "complete": False, "cells": [{**cells[1], "share": 0.5}]}
    (chart,) = charts_of(Report.of([], seen={"matrix": lambda: sparse})).values()
    assert "b → a" in words(svg(chart))


def test_the_band_holds_every_rectangle() -> None:
    for report in (example(), hostile()):
        for name in ("roc", "precision-recall"):
            curve = report.curves[name]
            band = _band_rows(curve)
            x, low, high = (np.array([row[key] for row in band]) for key in ("x", "low", "high"))
            for place in range(curve.x.size):
                inside = (x[:-1] < curve.x_upper[place]) & (x[1:] > curve.x_lower[place])
                assert np.all(low[:-1][inside] <= curve.y_lower[place])
                assert np.all(high[:-1][inside] >= curve.y_upper[place])


def test_the_band_is_as_wide_as_its_rectangles_and_no_wider() -> None:
    curve = example().curves["roc"]
    band = _band_rows(curve)
    middle = next(row for row in band if row["x"] >= 0.6)
    assert middle["high"] == 1.0
    assert middle["low"] == pytest.approx(float(curve.y_lower[-1]), abs=2e-4)


def test_the_band_goes_along_with_a_straight_line() -> None:
    report = hf.assess([0, 1] * 50, [0, 1] * 50, [0.1, 0.9] * 50, positive=1)
    assert {row["piece"] for row in _band_rows(report.curves["roc"])} == {0}


def test_roc_has_a_diagonal_and_an_operating_point() -> None:
    chart = picture(example(), "roc")
    layers = chart.to_dict()["layer"]
    styles = [layer["mark"].get("style") for layer in layers]
    assert styles == ["band", "guide", "curve", "operating", "operating", "operating-dot"]
    (point,) = rows(chart, "left")
    assert (point["x"], point["y"]) == (pytest.approx(10 / 181), pytest.approx(96 / 104))
    assert point["left"] < point["x"] < point["right"]
    assert point["low"] < point["y"] < point["high"]
    assert (point["low"], point["high"]) == (example()["recall"].lower, example()["recall"].upper)
    titles = [picture(example(), name).to_dict()["title"]["text"] for name in ("roc", "precision-recall")]
    assert titles == [
        f"With 95 % confidence the true {name} curve is in the band" for name in ("ROC", "precision-recall")
    ]
    assert "guide" not in [
        layer["mark"].get("style") for layer in picture(example(), "precision-recall").to_dict()["layer"]
    ]


def test_the_operating_point_declared_is_the_one_drawn() -> None:
    report = example(operating_point=0.9)
    (point,) = rows(picture(report, "roc"), "left")
    (known,) = [point for point in report.views["thresholds"]["points"] if point["threshold"] == 0.9]
    assert point["y"] == known["tp"] / (known["tp"] + known["fn"])
    assert point["x"] == pytest.approx(known["fp"] / (known["fp"] + known["tn"]))
    assert "0.9" in picture(report, "scores").to_dict()["title"]["subtitle"][1]


def test_of_several_classes_a_few_have_bands_and_colours() -> None:
    three, five, ten = (picture(classes(number), "roc").to_dict()["layer"] for number in (3, 5, 10))
    assert [layer["mark"]["type"] for layer in three] == ["area", "line", "line"]
    assert [layer["mark"]["type"] for layer in five] == ["line", "line"]
    assert "color" in five[1]["encoding"]
    assert "color" not in ten[1]["encoding"]


@pytest.mark.parametrize("top", [1.0, 0.93, 0.5, 0.3, 0.12, 0.05, 0.011])
def test_no_tick_is_in_the_way_of_another(top: float) -> None:
    heights = np.sqrt(np.array(_ticks(top)) / top)
    assert heights[-1] == 0
    assert heights[0] <= 1.001
    assert len(heights) >= 2
    assert np.all(-np.diff(heights) >= 0.13 - 1e-12)


def test_scores_are_shares_of_their_class() -> None:
    shown = rows(picture(example(), "scores"), "way")
    assert sum(row["end"] for row in shown if row["way"] == 1) == pytest.approx(1)
    assert sum(row["end"] for row in shown if row["way"] == -1) == pytest.approx(-1)
    assert shown[0]["counted"].endswith("of 104")


def test_calibration_shows_the_bins_that_are_not_empty() -> None:
    chart = picture(example(), "calibration")
    shown = rows(chart, "forecast")
    assert [row["bin"] for row in shown] == ["[0, 0.1)", "[0.1, 0.2)", "[0.5, 0.6)", "[0.8, 0.9)", "[0.9, 1]"]
    claims = {line.label: line.claim for line in example().whole if line.measure == "calibration"}
    assert all((row["lower"], row["upper"]) == (claims[row["bin"]].lower, claims[row["bin"]].upper) for row in shown)
    assert "All 10 intervals hold together with 95 % confidence." in words(svg(chart))


def test_groups_stand_against_the_whole_the_worst_first() -> None:
    chart = picture(grouped(), "groups")
    assert rows(chart, "group")[0]["row"] == "country=IT"
    (whole,) = [
        data[0] for data in chart.to_dict()["datasets"].values() if set(data[0]) == {"lower", "upper", "estimate"}
    ]
    assert whole["estimate"] == grouped()["error-rate"].estimate
    assert {layer["mark"].get("style") for layer in chart.to_dict()["layer"][:2]} == {"whole-band", "whole"}
    assert any("against" in text and "for all" in text for text in words(svg(chart)))


def test_the_plan_marks_what_there_is_now() -> None:
    chart = picture(example(), "plan")
    text = words(svg(chart))
    assert "now: 285" in text
    assert {"285", "1,140"} <= set(text)
    assert chart.to_dict()["title"]["text"] == "Four times the labels would narrow the interval from 6.1 to 3.0 points"


# ---- Limits


@pytest.mark.parametrize(("lower", "upper"), [(0.037801, 0.097999), (0.1, 0.1000001), (0.0, 1.0), (0.12349, 0.98761)])
def test_limits_are_rounded_outward(lower: float, upper: float) -> None:
    least, most = (float(end.removesuffix(" %")) / 100 for end in share(0.5, lower, upper)[1].split(" to "))
    assert least <= lower
    assert most >= upper
    assert most - least <= (upper - lower) * 1.1 + 0.002


def test_limits_that_there_are_not() -> None:
    assert share(0.25, None, None) == ("25.0 %", "–")
    assert share(None, 0.0, 1.0) == ("–", "0.0 % to 100.0 %")


# ---- Labels


IN_ROWS = ("forest", "matrix", "groups")  # where labels are most of what is written


@pytest.mark.crossing(1)
@pytest.mark.parametrize("name", [name if name in IN_ROWS else pytest.param(name, marks=LONG) for name in ASSESSED])
def test_labels_are_words_and_nothing_else(name: str, tmp_path: Path) -> None:
    chart = picture(hostile(), name)
    module("vl_convert")
    save_chart(chart, tmp_path / "a.svg")
    save_chart(chart, tmp_path / "a.html")
    drawn, page = ((tmp_path / file).read_text(encoding="utf-8") for file in ("a.svg", "a.html"))
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert tags <= {"svg", "g", "path", "text", "tspan", "rect", "line", "defs", "clipPath", "style"}
    assert "<script" not in drawn
    assert "alert(1)</script>" not in page
    save_chart(picture(example(), "forest"), tmp_path / "plain.html")
    assert page.count("<script") == (tmp_path / "plain.html").read_text(encoding="utf-8").count("<script")
    assert max(len(text) for text in words(ElementTree.fromstring(drawn))) < 160
    assert len(json.dumps(chart.to_dict())) < 400_000


def test_labels_beside_rows_are_short_and_differ() -> None:
    same = ["a" * 50 + str(place % 3) for place in range(9)]
    names = beside([*same, "a (2)", "a", "a", "a", "\ud800"], 12)
    assert len(set(names)) == len(names)
    assert names[0] == "aaaaaaa…aaa0"
    assert all(len(name) <= 16 and name.isprintable() for name in names)
    assert shortened("plain", 12) == "plain"
    assert shortened("👍" * 9, 12) == "👍" * 9
    assert beside(EVIL, 12)[0] == "</scrip…ipt>"


# ---- The look


def lightness(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((lightness(one), lightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_words_and_marks_stand_out(ink: dict[str, str]) -> None:
    assert min(contrast(ink[name], ink["paper"]) for name in ("text", "soft")) >= 4.5
    for name in ("finite", "asymptotic", "heuristic", "positive", "other"):
        assert contrast(ink[name], ink["paper"]) >= 3
    for name in ("right", "wrong"):  # the deepest a cell of the matrix gets, under its count
        mixed = [
            round(0.7 * int(ink[name][at : at + 2], 16) + 0.3 * int(ink["paper"][at : at + 2], 16)) for at in (1, 3, 5)
        ]
        assert contrast("#" + "".join(f"{part:02x}" for part in mixed), ink["text"]) >= 4.5


def test_a_chart_brings_its_dark_look_along() -> None:
    own = {**example().charts, "groups": picture(grouped(), "groups"), "several": picture(classes(3), "roc")}
    for name, chart in own.items():
        specification = chart.to_dict()
        assert specification["usermeta"]["dark"] == configuration(dark=True), name
        assert specification["config"] | configuration() == specification["config"], name
        without = {key: value for key, value in specification.items() if key not in ("config", "usermeta")}
        assert not re.search(r'"#[0-9a-f]{6}"', json.dumps(without)), name  # colours are named by style alone
        if name in ("matrix", "groups"):
            dark = module("vl_convert").vegalite_to_svg({**specification, "config": specification["usermeta"]["dark"]})
            assert DARK["text"] in dark
            assert LIGHT["text"] not in dark
            assert "black" not in dark


def test_the_same_report_gives_the_same_picture() -> None:
    first, second = (CHARTS["roc"](replace(example())).to_dict() for _ in range(2))
    assert first == second


def test_a_saved_picture_names_first_the_font_that_it_was_measured_with() -> None:
    draw = module("vl_convert").vegalite_to_svg
    mark = {"data": {"values": [{"a": 1}]}, "mark": "point", "title": {"text": "measured with care " * 5, "font": ""}}

    def width(font: str) -> float:
        mark["title"]["font"] = font
        return float(ElementTree.fromstring(draw(mark)).get("width", "nan"))

    named = configuration()["font"]
    assert named.split(", ")[-1] == "sans-serif"
    assert width(named) == width(named.split(", ")[0]) != width("DejaVu Sans")
