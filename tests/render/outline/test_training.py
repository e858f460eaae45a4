"""Bias and variance, and the learning curve, as text, pictures and pages; the numbers are made, nothing is trained."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.catalog import find
from holdfast.claims import Claim
from holdfast.evidence import Counts, Losses
from holdfast.render.charts import CHARTS, charts_of
from holdfast.render.kinds import headline_of
from holdfast.render.page import page_html, save_chart
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import (
    Decomposed,
    DecompositionFacts,
    Estimator,
    Learned,
    LearningFacts,
    Point,
)
from tests.needs import module

EVIL = "</script><script>alert(1)</script>"


def _claims(bias: float, variance: float, squared: bool) -> dict[str, Claim]:
    draw = np.random.default_rng(round(100 * bias))
    spread = draw.uniform(0, 2 * variance, 100)
    betting = find("betting")
    named = {
        "expected-loss": betting(Losses(np.clip(bias + spread, 0, 1)), 0.05),
        "squared-bias" if squared else "bias": find("clopper-pearson")(Counts(round(100 * bias), 100), 0.05),
        "variance": betting(Losses(spread, high=0.5), 0.05),
        "net-variance": betting(Losses(spread, low=-0.5, high=0.5), 0.05),
    }
    if squared:
        del named["net-variance"]
    return {name: Claim(**{**vars(claim), "measure": name}) for name, claim in named.items()}


TREE: dict[str, Any] = {"learner": "a tree", "estimator": Estimator("a tree", {}, None), "prepared": None}


@cache
def decomposed(parameter: str | None = "depth", values: tuple[Any, ...] = (1, 2, 4), squared: bool = False) -> Report:
    groups: list[str | None] = [f"{parameter}={value}" for value in values] if parameter else [None]
    told = Decomposed(
        loss="squared" if squared else "zero-one",
        outputs="labels",
        rounds=20,
        n_train=200,
        n_test=100,
        parameter=parameter,
        values=values if parameter else (),
        target="these training sets",
        source="domingos2000",
    )
    lines = [
        Line(claim, group=group)
        for place, group in enumerate(groups)
        for claim in _claims(0.3 / (place + 1), 0.02 * (place + 1), squared).values()
    ]
    return Report.of(
        lines,
        DecompositionFacts(decomposition=told, notes=("Noise counts.",), next=(), **TREE),
        fingerprint="0" * 64,
        rows=300,
    )


@cache
def curve(side: str = "both") -> Report:
    bound = find("clopper-pearson")
    counts = {0.1: (60, 270), 0.5: (24, 150), 0.9: (4, 30)}
    lines = [
        Line(bound(Counts(*pair), 0.05, side), group=f"train {100 * share:g} %")  # type: ignore[arg-type]
        for share, pair in counts.items()
    ]
    points = tuple(Point(share, 300 - n, n) for share, (_, n) in counts.items())
    facts = LearningFacts(learning_curve=Learned(1, points, "the model trained"), notes=(), **TREE)
    return Report.of(lines, facts, fingerprint="0" * 64, rows=300)


def rows_in(chart: Any) -> list[dict[str, Any]]:
    (rows,) = chart.to_dict()["datasets"].values()
    return list(rows)


# ---- Text


def test_the_headline_says_where_the_loss_is_least() -> None:
    said = headline_of(decomposed())
    assert said.startswith(
        "The loss is least at depth=4: there the models that a tree made of 20 training sets err on "
    )
    assert "variance adds" in said


def test_variance_may_help() -> None:
    report = decomposed(None)
    lines = [
        Line(Claim(**{**vars(line.claim), **({"estimate": -0.1} if line.measure == "net-variance" else {})}))
        for line in report.whole
    ]
    assert "variance saves 10.0 %" in headline_of(Report(tuple(lines), report.provenance, report.facts))


def test_the_dilemma_in_a_sentence() -> None:
    said = headline_of(curve())
    assert said == (
        "Trained on 10 % of the rows a tree errs on 22.2 % of the others; on 90 %, on 13.3 %. "
        "The interval goes from 10.3 to 27.0 points: what trains cannot test."
    )
    assert "The upper limit goes from" in headline_of(curve("upper"))


# ---- Pictures


@pytest.mark.parametrize("squared", [False, True])
def test_a_point_for_each_part_at_each_value(squared: bool) -> None:
    report = decomposed(squared=squared)
    rows = rows_in(CHARTS["decomposition"](report))
    bias = "bias²" if squared else "bias"
    assert [(row["at"], row["part"]) for row in rows] == [
        (value, part) for value in (1, 2, 4) for part in ("loss", bias, "variance")
    ]
    by_part = {(row["at"], row["part"]): row for row in rows}
    claim = report["variance", None, "depth=2"]
    drawn = by_part[2, "variance"]
    assert (drawn["estimate"], drawn["lower"], drawn["upper"]) == (claim.estimate, claim.lower, claim.upper)
    assert ("%" in drawn["limits"]) is not squared


def test_values_far_apart_are_drawn_at_equal_ratios_and_names_side_by_side() -> None:
    def scale(values: tuple[Any, ...]) -> Any:
        (layer, *_) = CHARTS["decomposition"](decomposed("C", values)).to_dict()["layer"]
        return layer["encoding"]["x"]

    assert scale((0.01, 1, 100))["scale"]["type"] == "log"
    assert "type" not in scale((1, 2, 4))["scale"]
    assert "type" not in scale((0, 2, 400))["scale"]  # there is no logarithm of 0
    assert scale(("linear", "rbf"))["type"] == "nominal"
    assert scale((1, None))["type"] == "nominal"
    assert scale((True, False))["type"] == "nominal"


def test_without_a_parameter_the_parts_stand_in_rows() -> None:
    for report in (decomposed(None), decomposed("depth", (3,))):
        rows = rows_in(CHARTS["decomposition"](report))
        assert [row["row"] for row in rows] == ["loss", "bias", "variance", "net variance"]


def test_the_curve_and_its_width_share_their_rows() -> None:
    charts = charts_of(curve())
    assert list(charts) == ["learning-curve", "interval-width"]
    rows = rows_in(charts["learning-curve"])
    assert [row["share"] for row in rows] == [0.1, 0.5, 0.9]
    claim = curve()["error-rate", None, "train 90 %"]
    assert (rows[-1]["lower"], rows[-1]["upper"]) == (claim.lower, claim.upper)
    assert rows_in(charts["interval-width"])[-1]["width"] == pytest.approx(float(claim.upper) - float(claim.lower))
    assert list(charts_of(curve("upper"))) == ["learning-curve"]


def test_other_reports_bear_neither() -> None:
    assert CHARTS["decomposition"](curve()) is None
    assert CHARTS["learning-curve"](decomposed()) is None
    assert CHARTS["interval-width"](decomposed()) is None


@pytest.mark.long
def test_pictures_are_drawn(tmp_path: Path) -> None:
    module("vl_convert")
    for report in (decomposed(), decomposed("C", (0.01, 1, 100), True), decomposed(None), curve()):
        for name, chart in charts_of(report).items():
            save_chart(chart, tmp_path / f"{name}.svg")
            drawn = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
            assert "NaN" not in drawn
            assert "undefined" not in drawn


# ---- Pages


def test_the_page_has_every_number_of_the_report() -> None:
    for report in (decomposed(), decomposed(None), curve()):
        page = page_html(report)
        for line in report.whole:
            assert line.claim.estimate is not None
            assert f"{float(line.claim.estimate):.3f}" in page
        assert "Each interval holds on its own" in page
        assert "every sample size" in page
        (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
        assert len(json.loads(data)["charts"]) == len(charts_of(report))


def test_a_hostile_parameter_stays_text() -> None:
    report = decomposed(EVIL, (EVIL, "b"))
    page = page_html(report)
    assert EVIL not in page
    assert "&lt;/script&gt;" in page
    assert len(str(report)) > 0


def test_a_notebook_shows_it() -> None:
    shown = decomposed()._repr_html_()
    assert "The loss is least at depth=4" in shown
    assert "depth=2" in shown
    assert "what trains cannot test" in curve()._repr_html_()
    assert "train 50 %" in curve()._repr_html_()


def test_names_are_not_joined_by_a_line() -> None:
    def marks(values: tuple[Any, ...]) -> set[str]:
        chart = charts_of(decomposed(values=values))["decomposition"].to_dict(validate=False)
        return {layer["mark"]["type"] for layer in chart["layer"]}

    assert marks((1, 2, None)) == {"line", "point"}
    assert marks(("rbf", "poly")) == {"rule", "point"}


def test_one_limit_is_told_from_the_estimate_on_the_page() -> None:
    assert re.search(r"0\.\d+ <span class=\"muted\">≤ 0\.\d+</span>", page_html(curve("upper")))
    assert re.search(r"0\.\d+ <span class=\"muted\">≥ 0\.\d+</span>", page_html(curve("lower")))
