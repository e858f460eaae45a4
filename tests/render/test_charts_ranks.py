from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.render.charts.ranks import BAR, ROW, ranks
from holdfast.render.page import save_chart
from holdfast.report import Report
from holdfast.verbs.compare.datasets import compare_datasets
from tests.needs import module


def report(n: int = 30, k: int = 15, spread: float = 1.0, names: list[str] | None = None) -> Report:
    generator = np.random.default_rng(k)
    scores = generator.normal(size=(n, k)) + np.linspace(0, spread * 3, k)
    return compare_datasets(scores, models=names or [f"model {place}" for place in range(k)], better="lower")


def tables(chart: Any) -> list[list[dict[str, Any]]]:
    """The data of every layer, each once."""
    return list(chart.to_dict()["datasets"].values())


def values(chart: Any, field: str) -> list[dict[str, Any]]:
    """The rows that have a field."""
    return [row for rows in tables(chart) for row in rows if field in row]


def test_other_reports_have_no_such_diagram() -> None:
    assert ranks(Report.of([])) is None


@pytest.mark.parametrize("k", [2, 5, 15, 40])
def test_no_two_labels_share_a_place(k: int) -> None:
    rows = values(ranks(report(k=k)), "candidate")
    assert len(rows) == k
    for side in (True, False):
        heights = sorted(row["y"] for row in rows if row["left"] is side)
        assert all(b - a >= ROW for a, b in pairwise(heights))
    best = min(rows, key=lambda row: row["x"])
    assert best["left"]
    assert all(row["y"] >= best["y"] for row in rows)


def test_bars_are_the_cliques_and_do_not_touch() -> None:
    made = report(spread=2.0)
    bars = values(ranks(made), "level")
    told = made.details["ranks"]
    spans = sorted((min(told[m] for m in c), max(told[m] for m in c)) for c in made.details["cliques"])
    assert sorted((bar["start"], bar["end"]) for bar in bars) == spans
    for level in {bar["level"] for bar in bars}:
        here = sorted((bar["start"], bar["end"]) for bar in bars if bar["level"] == level)
        assert all(a[1] < b[0] for a, b in pairwise(here))
    assert len({bar["height"] for bar in bars}) == len({bar["level"] for bar in bars})
    assert max(bar["height"] for bar in bars) + BAR / 2 < min(row["y"] for row in values(ranks(made), "candidate"))


def test_the_critical_difference_is_as_long_as_it_is() -> None:
    made = report()
    (limit,) = labelled(ranks(made), "critical difference")
    assert limit["x2"] - limit["x"] == pytest.approx(made.details["critical_difference"]["value"])
    (limit,) = labelled(ranks(report(n=2, k=3)), "longer than the axis")
    assert limit["x2"] == 3


def labelled(chart: Any, words: str) -> list[dict[str, Any]]:
    return [row for row in values(chart, "label") if words in row["label"]]


def test_filled_dots_may_be_the_best() -> None:
    made = report(spread=2.0)
    rows = values(ranks(made), "candidate")
    assert {row["model"] for row in rows if row["candidate"]} == set(made.details["may_be_best"])


def test_many_models_are_cut_and_said_so() -> None:
    chart = ranks(report(n=5, k=70))
    assert chart is not None
    assert len(values(chart, "candidate")) == 60
    assert "The best 60 of 70 models." in str(chart.to_dict()["title"]["subtitle"])


def test_equal_models_stand_on_each_other() -> None:
    made = compare_datasets(np.ones((4, 3)), better="lower")
    assert len(values(ranks(made), "level")) == 1


def test_nothing_joined_draws_no_bar() -> None:
    made = compare_datasets(np.tile(np.arange(3.0), (40, 1)), better="lower")
    assert made.details["cliques"] == []
    assert values(ranks(made), "level") == []


def test_it_is_saved_as_a_picture(tmp_path: Path) -> None:
    module("vl_convert")
    names = ["<b>x</b>", "a\nb", "é" * 200, "\x1b[31m", "5"]
    save_chart(ranks(report(k=5, names=names)), tmp_path / "ranks.svg")
    drawn = (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    assert "<b>" not in drawn
    assert "critical difference" in drawn
    save_chart(ranks(report(k=5, names=names)), tmp_path / "ranks.png")
    assert (tmp_path / "ranks.png").stat().st_size > 5_000
