"""Several models together, and their vote, as text, pictures and pages."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.render.charts import CHARTS, charts_of
from holdfast.render.charts.intervals import MOST_ROWS
from holdfast.render.kinds import KINDS, headline_of
from holdfast.render.outline import panel as told
from holdfast.render.page import page_html, save_chart
from holdfast.report import Kind
from holdfast.report.facts.assessment import Certain, PanelFacts
from holdfast.verbs.panel.averages import MOST_DRAWN
from tests.needs import module
from tests.render.contests import HOSTILE

OF_PANELS = KINDS[Kind.PANEL].charts
EVIL = "<script>alert(1)</script>"


def panel_facts(report: hf.Report) -> PanelFacts:
    assert isinstance(report.facts, PanelFacts)
    return report.facts


@cache
def several(models: int = 6, names: tuple[str, ...] = (), unlabelled: bool = True, **options: Any) -> hf.Report:
    """Models in families of three that err together."""
    draw = np.random.default_rng(models)
    truth, inputs = draw.integers(0, 2, 300), 300
    family = np.repeat(draw.normal(size=(-(-models // 3), inputs)), 3, axis=0)[:models]
    trouble = 0.7 * draw.normal(size=inputs) + 0.7 * family + 0.4 * draw.normal(size=(models, inputs))
    said = np.where(trouble > np.linspace(1.5, 1.1, models)[:, None], 1 - truth, truth)
    called = [*names, *(f"model {place + 1}" for place in range(len(names), models))]
    here = dict(zip(called, said[:, :200], strict=True))
    there = dict(zip(called, said[:, 200:], strict=True)) if unlabelled else None
    return hf.panel(truth[:200], here, unlabelled=there, **options)


def rows(chart: Any, field: str) -> list[dict[str, Any]]:
    return next(data for data in chart.to_dict()["datasets"].values() if data and field in data[0])


def words(chart: Any) -> str:
    title = chart.to_dict()["title"]
    return " ".join([title["text"], *title["subtitle"]])


# ---- Text


def test_the_headline_says_what_was_seen_and_what_holds() -> None:
    report = several(unlabelled=False)
    said = headline_of(report)
    assert said.startswith("On 200 labelled examples the 6 models err ")
    assert "their average true error rate is between" in said
    assert "on these 100 unlabelled inputs is between" in headline_of(several())


def test_the_one_selected_is_told_with_its_rivals() -> None:
    report = several()
    said = told.selected(report, panel_facts(report))
    assert said.startswith(f"{report.details['panel']['selected']} did best here")
    for model in report.details["may_be_best"]:
        assert model in said
    alone = hf.panel([0] * 100, {"good": [0] * 100, "bad": [1] * 100})
    assert told.selected(alone, panel_facts(alone)).endswith("Every other model is proven to be worse.")


def test_every_line_fits_the_screen_and_says_its_limits() -> None:
    for report in (several(), several(40), several(6, HOSTILE), several(3, unlabelled=False)):
        text = str(report)
        assert max(map(len, text.splitlines())) <= 80
        assert "\x00" not in text
        assert "\u202e" not in text
    assert "... 20 more" in str(several(40))


def test_what_is_certain_stands_apart() -> None:
    assert "Certain from the inputs alone" in str(several())
    assert "Certain from the inputs alone" not in str(several(unlabelled=False))
    certain = Certain(average=(0.1, 0.9), spread=0.2, drawing=0.01, exact=False)
    assert told.certain_sentences(certain)[-1].endswith("0.0100 at most.")


# ---- Pictures


def test_which_pictures_there_are() -> None:
    assert list(several().charts) == ["model-errors", "agreement"]
    assert [CHARTS[name](hf.Report.of([])) for name in OF_PANELS] == [None, None]
    assert not set(OF_PANELS) & set(charts_of(hf.assess(correct=[True, False, True])))


def test_each_model_is_drawn_as_it_is_claimed_the_fewest_errors_on_top() -> None:
    report = several()
    drawn = rows(report.charts["model-errors"], "inner")
    lines = told.best_first(report)
    assert [row["model"] for row in drawn] == [line.model for line in lines]
    for row, line in zip(drawn, lines, strict=True):
        assert (row["lower"], row["estimate"], row["upper"]) == (
            line.claim.lower,
            line.claim.estimate,
            line.claim.upper,
        )
        assert row["lower"] <= row["inner"] <= row["outer"] <= row["upper"]
        assert (row["best"] == "yes") == (line.model in report.details["may_be_best"]) == row["row"].endswith(" *")
    assert "selected" in drawn[0]["row"]
    assert sum("selected" in row["row"] for row in drawn) == 1
    average = report["unlabelled-average-error-rate"]
    assert rows(report.charts["model-errors"], "at") == [
        {"at": average.estimate, "low": average.lower, "high": average.upper}
    ]


def test_the_map_holds_every_pair_and_frames_the_clusters() -> None:
    report = several(6)
    view = report.views["agreement"]
    cells = rows(report.charts["agreement"], "alike")
    assert len(cells) == 36
    assert view["n"] == 300
    assert sorted(view["models"]) == sorted(report.details["models"])
    assert view["clusters"] == sorted(view["clusters"])
    frames = rows(report.charts["agreement"], "first")
    assert len(frames) == len({*view["clusters"]})
    for i in range(6):
        assert view["disagreement"][i][i] == 0
        assert view["disagreement"][i] == [row[i] for row in view["disagreement"]]


def test_families_are_found() -> None:
    """Models 1 to 3 and 4 to 6 err together, and stand together."""
    view = several(6).views["agreement"]
    found: dict[int, set[str]] = {}
    for model, cluster in zip(view["models"], view["clusters"], strict=True):
        found.setdefault(cluster, set()).add(model)
    first = {"model 1", "model 2", "model 3"}
    assert all(members <= first or not members & first for members in found.values())


@pytest.mark.long
def test_of_very_many_models_some_are_drawn() -> None:
    report = several(150)
    assert len(rows(report.charts["model-errors"], "inner")) == MOST_ROWS
    assert "The 60 lowest of 150." in words(report.charts["model-errors"])
    assert len(report.views["agreement"]["models"]) == MOST_DRAWN
    assert "60 of 150 models" in words(report.charts["agreement"])


@pytest.mark.parametrize("name", list(OF_PANELS))
def test_every_picture_can_be_drawn(name: str, tmp_path: Path) -> None:
    module("vl_convert")
    save_chart(several(6, HOSTILE).charts[name], tmp_path / "chart.svg")
    assert "</svg>" in (tmp_path / "chart.svg").read_text(encoding="utf-8")


# ---- Page and JSON


def test_the_page_says_it_and_takes_names_for_data() -> None:
    page = page_html(several(6, HOSTILE))
    assert EVIL not in page
    assert "Certain from the inputs alone" in page
    assert page.count("selected</span>") == 1
    assert "holdfast.panel(" in page


def test_json_keeps_all_models() -> None:
    data = json.loads(several(40).to_json())
    own = [claim for claim in data["claims"] if claim["measure"] == "unlabelled-error-rate"]
    assert len(own) == 40
    assert re.fullmatch("[0-9a-f]{64}", data["panel"]["unlabelled_fingerprint"])


# ---- A vote


@cache
def house(names: tuple[str, ...] = (), **options: Any) -> hf.Report:
    draw = np.random.default_rng(4)
    truth = draw.integers(0, 2, 300)
    said = np.where(draw.random((6, 300)) < 0.2, 1 - truth, truth)
    called = [*names, *(f"model {place + 1}" for place in range(len(names), 6))]
    return hf.committee(
        truth[:200],
        dict(zip(called, said[:, :200], strict=True)),
        unlabelled=dict(zip(called, said[:, 200:], strict=True)),
        **options,
    )


def test_the_headline_is_what_the_first_way_says() -> None:
    first = house().whole[0].claim
    said = headline_of(house())
    assert said.startswith("The majority vote of 6 models errs on ")
    assert f"between {100 * first.lower:.1f}"[:-2] in said
    assert "of these 100 unlabelled inputs" in said
    fitted = headline_of(house(share=(1.0, 2.0, 1.0, 1.0, 1.0, 1.0), fitted=True))
    assert fitted.startswith("With 95 % confidence the weighted vote of 6 models errs on ")


def test_each_way_is_told_with_what_it_needs_and_fits_the_screen() -> None:
    text = str(house(HOSTILE))
    assert max(map(len, text.splitlines())) <= 80
    for way, needs in house().details["committee"]["ways"].items():
        assert f"{way}: {needs}" in " ".join(text.split())
    assert "Taking the narrowest after looking voids the guarantee." in " ".join(text.split())


def test_ways_are_drawn_as_they_are_claimed() -> None:
    report = house()
    assert list(report.charts) == ["ways", "agreement"]
    drawn = rows(report.charts["ways"], "numbers")
    assert len(drawn) == len(report.whole)
    for row, line in zip(drawn, report.whole, strict=True):
        assert (row["lower"], row["upper"], row["label"]) == (line.claim.lower, line.claim.upper, line.label)
        assert row["row"] == f"{line.label}{'' if line.measure.startswith('unlabelled') else ', at large'}"
        assert "–" not in row["numbers"]
    assert rows(report.charts["ways"], "at") == [{"at": report.details["committee"]["average"]}]


def test_the_page_of_a_vote_takes_names_for_data() -> None:
    page = page_html(house(HOSTILE))
    assert EVIL not in page
    assert "What each way needs" in page
    assert "Some numbers further down need more" in page


def test_one_example_one_input_and_what_is_certain_read_well() -> None:
    report = hf.panel(["a"], {"x": ["a"], "y": ["a"]}, unlabelled={"x": ["a"], "y": ["b"]})
    said = headline_of(report)
    assert "On 1 labelled example the 2 models" in said
    assert "on this 1 unlabelled input is 50.0 %, for certain;" in said
    assert "another model: y" in told.selected(report, panel_facts(report))
    assert "the intervals of both models" in told.holding(report, panel_facts(report))
    assert "of this 1 unlabelled input;" in headline_of(
        hf.committee(["a"], {"x": ["a"], "y": ["a"]}, unlabelled={"x": ["a"], "y": ["a"]})
    )


def test_a_long_name_leaves_the_method_whole_and_closes_its_quotation() -> None:
    report = several(3, names=("m" * 200,))
    assert report.details["panel"]["selected"] == "m" * 200
    text = " ".join(str(report).split())
    assert "hypergeometric-levels" in text
    assert f"'{'m' * 40}...' was chosen" in text
