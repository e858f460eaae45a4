"""Comparing very many models: nothing is done pair by pair, and what is told of a pair is what a small one tells."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel
from holdfast.render.page import page_html
from holdfast.report.verdict import Verdict
from holdfast.verbs.compare import advice, deciding
from holdfast.verbs.compare import pairs as contest
from tests.shapes import validate
from tests.snapshots import matches

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))


def panel(models: int, n: int = 300, **beside: Any) -> Panel:
    random = np.random.default_rng(0)
    wrong = random.random((models, n)) < np.linspace(0.02, 0.5, models)[random.permutation(models), None]
    return Panel(tuple(f"m{i}" for i in range(models)), wrong, rows=n, fingerprint="0" * 64, **beside)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a dozen models were very many."""
    monkeypatch.setattr(deciding, "MOST_MODELS", 5)
    monkeypatch.setattr(contest, "MOST_AMONG", 4)
    monkeypatch.setattr(advice, "MOST_AMONG", 4)


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    "options", [{}, {"margin": 0.05}, {"method": "tango"}, {"only": "accuracy"}, {"test": "mid-p"}]
)
def test_what_is_told_is_what_is_told_where_every_pair_is(options: Any, few: None) -> None:
    brief = hf.compare(panel(12), **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deciding, "MOST_MODELS", 200)
        whole = hf.compare(panel(12), **options)
    assert len(whole.details["pairs"]) == 66
    assert len(brief.details["pairs"]) == 11 + 3
    every = {(pair["first"], pair["second"]): pair for pair in whole.details["pairs"]}
    assert all(every[pair["first"], pair["second"]] == pair for pair in brief.details["pairs"])
    assert (brief.verdict, brief.details["may_be_best"]) == (whole.verdict, whole.details["may_be_best"])
    assert brief.details["next"] == whole.details["next"]
    lines = [line.to_dict() for line in whole.whole]
    assert all(line.to_dict() in lines for line in brief.whole)
    columns = brief.views["pairs"]
    outcomes = [pair["outcome"] for pair in whole.details["pairs"]]
    assert columns["outcome"].tolist() == outcomes
    assert columns["won"].tolist() == [pair["won"] for pair in whole.details["pairs"]]
    counted = {outcome: outcomes.count(outcome) for outcome in outcomes}
    assert brief.details["all_pairs"] == {"number": 66, "outcomes": counted}
    validate(json.loads(brief.to_json()), SHAPE)


def test_no_model_of_a_tier_beats_another_and_each_is_beaten_by_one_before(few: None) -> None:
    report = hf.compare(panel(12))
    columns, standing = report.views["pairs"], report.details["standing"]
    tier = {row["model"]: row["tier"] for row in standing}
    beaten: dict[str, set[str]] = {model: set() for model in tier}
    for first, second, outcome in zip(columns["first"], columns["second"], columns["outcome"], strict=True):
        if outcome in ("better", "worse"):
            better, worse = (first, second) if outcome == "better" else (second, first)
            beaten[worse].add(better)
    assert max(tier.values()) > 2
    for row in standing:
        above = {tier[model] for model in beaten[row["model"]]}
        assert row["tier"] not in above
        assert row["tier"] == 1 or row["tier"] - 1 in above
        assert row["beaten_by"] == len(beaten[row["model"]])


def test_of_very_many_models_no_verdict_is_made_for_every_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    new = Verdict.__new__
    monkeypatch.setattr(Verdict, "__new__", lambda *given, **named: made.append(1) or new(*given, **named))
    report = hf.compare(panel(300, n=60), require="better")
    assert len(report.details["pairs"]) == 299 + 49 * 48 // 2
    assert len(made) < 2 * len(report.details["pairs"])  # of 44,850
    assert len(report.whole) == 2 * len(report.details["pairs"]) + 300  # by two methods each
    assert len(report.views["pairs"]["p"]) == 44_850
    assert len(pickle.loads(pickle.dumps(report)).views["pairs"]["p"]) == 44_850


def test_text_page_and_pictures_say_how_many_there_are(few: None) -> None:
    report = hf.compare(panel(40))
    matches("compare_very_many", str(report))
    page = page_html(report)
    assert "of all 780 are in the JSON" in page
    assert 'id="tiers"' in page
    settled = sum(times for outcome, times in report.details["all_pairs"]["outcomes"].items() if "not" not in outcome)
    assert f"Of 780 pairs {settled} are settled" in json.dumps(report.charts["beats"].to_dict())


def test_a_pair_that_is_not_told_is_asked_for_in_vain(few: None) -> None:
    report = hf.compare(panel(40))
    last = [row["model"] for row in report.details["standing"][-2:]]
    with pytest.raises(HoldfastError, match=r'report\.views\["pairs"\]'):
        report["error-rate-difference", tuple(last)]


@pytest.mark.parametrize("options", [{"method": "hoeffding"}, {"margin": 0.1, "method": "hoeffding"}])
def test_what_takes_a_look_at_each_pair_is_refused(options: Any, few: None) -> None:
    with pytest.raises(HoldfastError, match="40 models have 780 pairs, and hoeffding would take a look at each"):
        hf.compare(panel(40), **options)
    with pytest.raises(HoldfastError, match="done for up to 5 models"):
        hf.compare(panel(40, clusters=np.arange(300) // 3))
