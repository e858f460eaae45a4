"""The pages and pictures of a gate and of a threshold: the answer first, every number, and names that stay data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.render.kinds import report_of
from holdfast.render.outline.decision import headline, signed
from holdfast.render.page import page_html, save_chart
from holdfast.render.phrases import estimate_and_limits
from holdfast.report import Decision
from holdfast.report.decision import Threshold
from tests.needs import module
from tests.render.test_page import HOSTILE, Read
from tests.render.test_page_comparison import Tables

DRAW = np.random.default_rng(31)
ROWS = 400
TRUTH = DRAW.choice(["bad", "good"], ROWS)
SCORE = np.where(TRUTH == "bad", 0.4, 0.0) + 0.6 * DRAW.random(ROWS)
CALLED = np.where(SCORE >= 0.5, "bad", "good")
PLACE = DRAW.choice(["north", "south"], ROWS)
SITE = np.arange(ROWS) // 4
CONDITIONS: list[dict[str, Any]] = [{"at_most": 0.2}, {"measure": "recall", "label": "bad", "at_least": 0.9}]
GATES: dict[str, Any] = {
    "proven": lambda: hf.gate(TRUTH, CALLED, at_most=0.5),
    "refuted": lambda: hf.gate(TRUTH, CALLED, at_most=0.01),
    "groups": lambda: hf.gate(TRUTH, CALLED, at_most=0.2, groups={"place": PLACE}),
    "together": lambda: hf.gate(TRUTH, CALLED, at_most=0.2, groups={"place": PLACE}, simultaneous=True),
    "conditions": lambda: hf.gate(TRUTH, CALLED, conditions=CONDITIONS, clusters=SITE, max_cluster=4),
    "baseline": lambda: hf.gate(TRUTH, CALLED, baseline=TRUTH, margin=0.5, groups={"place": PLACE}),
    "weights": lambda: hf.gate(TRUTH, CALLED, at_most=0.4, weights=1 + SITE % 2, max_weight=2),
    "large": lambda: hf.gate(TRUTH, CALLED, measure="mcc", at_least=0.1),
    "nothing": lambda: hf.gate(hf.Counts(0, 0), at_most=0.05),
    "auc": lambda: hf.gate(TRUTH, score=SCORE, positive="bad", measure="auc", at_least=0.7),
}
THRESHOLDS: dict[str, Any] = {
    "sensitivity": lambda: hf.threshold(TRUTH, SCORE, positive="bad", sensitivity_at_least=0.8),
    "groups": lambda: hf.threshold(
        TRUTH, SCORE, positive="bad", specificity_at_least=0.6, groups={"place": PLACE}, simultaneous=True
    ),
    "clusters": lambda: hf.threshold(
        TRUTH,
        SCORE,
        positive="bad",
        precision_at_least=0.5,
        clusters=SITE,
        max_cluster=4,
        weights=1 + SITE % 2,
        max_weight=2,
    ),
    "cost": lambda: hf.threshold(
        TRUTH, SCORE, positive="bad", costs=hf.Costs([[0, 1], [5, 0]], ("bad", "good"), rows="predicted")
    ),
}


@pytest.mark.crossing(3)
@pytest.mark.parametrize("name", GATES)
def test_the_page_of_a_gate_says_the_answer_and_every_condition(name: str) -> None:
    decision: Decision = GATES[name]()
    html = page_html(decision)
    page, tables = Read(html), Tables(html).rows
    assert page.open == []
    assert page.visible.lower().startswith(headline(decision).lower())
    leaves = [*decision.leaves()]
    (rows,) = [each[1:] for title, each in tables.items() if title in ("Each condition", "Both limits")]
    if decision.parts:
        assert len(rows) == len(leaves)
        for leaf in leaves:
            (row,) = (row for row in rows if {*signed(leaf), str(leaf.answer)} <= {*row} and _about(leaf, row))
            assert leaf.claim is not None
            assert leaf.claim.method in row
    else:
        assert [*signed(decision)] == rows[0][1:3]
    for claim in report_of(decision).claims:
        assert str(claim.source) in page.visible
        assert all(str(sentence)[1:] in page.visible for sentence in claim.assumes)
    assert all(note in page.visible for note in decision.notes if "`" not in note)
    assert len(page.data["charts"]) == len(decision.charts) == 1


def _about(leaf: Decision, row: list[str]) -> bool:
    return (leaf.group or "overall") in row[:2] or leaf.condition in row[0]


@pytest.mark.parametrize("name", THRESHOLDS)
def test_the_page_of_a_threshold_says_the_rule_and_every_claim(name: str) -> None:
    made: Threshold = THRESHOLDS[name]()
    html = page_html(made)
    page, tables = Read(html), Tables(html).rows
    assert page.open == []
    assert page.visible.startswith(f"Call it bad when the score is at least {made.threshold!r}.")
    assert made.claim is not None
    told = [row for title in ("At this threshold", "In each group") for row in tables.get(title, [])[1:]]
    claims = [made.claim, *made.beside, *(line.claim for line in made.groups or ())]
    assert len(told) == len(claims)
    for row, claim in zip(told, claims, strict=True):
        estimate, limits = estimate_and_limits(claim)
        assert row[1] == estimate
        assert row[2].endswith(limits)
        assert row[3] == claim.method
    assert [*made.charts] == ["rates", "trade-off"]
    assert len(page.data["charts"]) == 2


def test_what_is_not_proven_has_a_page_as_well() -> None:
    made = hf.threshold(TRUTH[:20], SCORE[:20], positive="bad", sensitivity_at_least=0.99)
    page = Read(page_html(made))
    assert page.visible.startswith("Not enough data. No threshold is proven to have a sensitivity of at least 0.99")
    assert [*made.charts] == ["trade-off"]


def test_names_of_others_stay_data() -> None:
    names = np.array(HOSTILE, object)
    group = names[np.arange(ROWS) % len(names)]
    truth, called = np.where(TRUTH == "bad", HOSTILE[0], "good"), np.where(CALLED == "bad", HOSTILE[0], "good")
    gates = hf.gate(truth, called, at_most=0.3, groups={HOSTILE[1]: group}, measure="recall", label=HOSTILE[0])
    chosen = hf.threshold(truth, SCORE, positive=HOSTILE[0], sensitivity_at_least=0.5, groups={HOSTILE[2]: group})
    for answer in (gates, chosen):
        html = page_html(answer)
        page = Read(html)
        assert page.open == []
        assert len(page.all("script")) == 3
        assert page.all("img") == []
        assert HOSTILE[0] in page.visible
        assert "<script>alert" not in html
        assert "{{ 7 * 7 }}" in page.visible
        for chart in answer.charts.values():
            json.dumps(chart.to_dict())


def test_the_picture_of_a_gate_shows_both_limits_and_what_was_asked() -> None:
    decision = GATES["groups"]()
    (chart,) = decision.charts.values()
    datasets = [*chart.to_dict()["datasets"].values()]
    rows = next(rows for rows in datasets if "numbers" in rows[0])
    asked = next(rows for rows in datasets if "at" in rows[0])
    assert {each["at"] for each in asked} == {0.2}
    for leaf, row in zip(decision.leaves(), rows, strict=True):
        assert leaf.claim is not None
        assert leaf.other is not None
        upper, lower = (leaf.claim, leaf.other) if leaf.claim.side == "upper" else (leaf.other, leaf.claim)
        assert (row["from"], row["to"]) == (float(lower.lower), float(upper.upper))
        assert str(leaf.answer) in row["numbers"]


def test_the_picture_of_a_threshold_is_drawn_from_the_rates_seen() -> None:
    made = THRESHOLDS["sensitivity"]()
    rows = next(rows for rows in made.charts["trade-off"].to_dict()["datasets"].values() if "of" in rows[0])
    for row in (rows[0], rows[len(rows) // 3], rows[-1]):
        kind, called = (TRUTH == "bad", row["threshold"] <= SCORE)
        seen = called[kind].mean() if row["of"] == "sensitivity" else (~called[~kind]).mean()
        assert row["rate"] == pytest.approx(seen)


def test_pages_pictures_and_json_are_saved_by_their_endings(tmp_path: Path) -> None:
    decision = GATES["groups"]()
    decision.save(tmp_path / "gate.html")
    decision.save(tmp_path / "gate.json")
    assert (tmp_path / "gate.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert Decision.from_json((tmp_path / "gate.json").read_text(encoding="utf-8")).to_json() == decision.to_json()
    with pytest.raises(HoldfastError, match="ends in neither"):
        decision.save(tmp_path / "gate.txt")


@pytest.mark.long
@pytest.mark.parametrize("make", [*GATES.values(), *THRESHOLDS.values()])
def test_every_picture_can_be_written(make: Any, tmp_path: Path) -> None:
    module("vl_convert")
    for name, chart in make().charts.items():
        save_chart(chart, tmp_path / f"{name}.svg")
        assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
