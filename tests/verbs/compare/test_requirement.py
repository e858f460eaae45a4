"""What is required of the first model is proven, refuted or open; each answer is wrong at most delta of the time."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multinomial

import holdfast as hf
from holdfast.evidence.folds.folds import Folds
from holdfast.evidence.pools.panel import Panel
from holdfast.render.ci.verdict import verdict
from holdfast.render.page import page_html
from holdfast.report import Answer
from holdfast.verbs.compare.advice import Requirement
from holdfast.verbs.compare.deciding import Request
from holdfast.verbs.compare.pairs import Contest
from tests.shapes import validate
from tests.snapshots import matches, messages
from tests.verbs.compare.test_compare import panel, table

SCHEMAS = Path(hf.__file__).parent / "schemas"
SHAPE, DECISION = (json.loads((SCHEMAS / f"{name}-1.json").read_text("utf-8")) for name in ("report", "decision"))
SIZE, DELTA, MARGIN = 10, 0.2, 0.3
TABLES = [(won, lost) for won, lost in product(range(SIZE + 1), repeat=2) if won + lost <= SIZE]


def answers(require: Any) -> Any:
    """The answer to each table of so many examples."""
    contests = (Contest(table(won, lost, 0, SIZE), Request(DELTA, MARGIN)) for won, lost in TABLES)
    return np.array([Requirement(contest, require).decision().answer for contest in contests])


def chances(won: float, lost: float) -> Any:
    """Of each table, under a law of who alone is right."""
    counts = [(w, x, SIZE - w - x) for w, x in TABLES]
    return multinomial.pmf(counts, SIZE, [won, lost, 1 - won - lost])


@pytest.mark.parametrize("require", ["better", "not-worse", "equivalent"])
def test_at_the_boundary_each_answer_is_wrong_at_most_delta_of_the_time(require: Any) -> None:
    """Every table, enumerated; at the boundary the requirement just fails, and so does its contrary."""
    given = answers(require)
    assert {*given} == {Answer.PROVEN, Answer.REFUTED, Answer.OPEN}
    gaps = {"better": [0.0], "not-worse": [MARGIN], "equivalent": [MARGIN, -MARGIN]}[require]
    for gap, spare in product(gaps, (0.0, 0.05, 0.15, 0.29)):
        chance = chances(max(-gap, 0) + spare, max(gap, 0) + spare)
        assert chance[given == Answer.PROVEN].sum() <= DELTA
        assert chance[given == Answer.REFUTED].sum() <= DELTA


def test_each_of_several_is_tested_at_the_whole_delta_and_contraries_share_it() -> None:
    """The first model is as good as the second and better than the third: better is false, and worse is too."""
    random, delta, repeats = np.random.default_rng(4), 0.2, 300
    given = []
    for _ in range(repeats):
        wrong = random.random((3, 40)) < np.array([[0.3], [0.3], [0.95]])
        given.append(Requirement(Contest(panel(*wrong), Request(delta)), "better").decision().answer)
    assert 0.04 < given.count(Answer.PROVEN) / repeats <= delta
    assert given.count(Answer.REFUTED) / repeats <= delta


def test_the_parts_of_delta_are_as_they_are_said_to_be() -> None:
    wrong = np.zeros((3, 200), bool)
    wrong[0, :60] = wrong[2, 100:150] = True
    report = hf.compare(panel(*wrong), require="not-worse", margin=0.05)
    second, third = report.decision.parts
    assert (second.answer, third.answer) == (Answer.REFUTED, Answer.OPEN)
    assert report.decision.answer is Answer.REFUTED
    assert (second.claim.delta, third.claim.delta) == (0.025, 0.05)  # type: ignore[union-attr]
    assert (second.claim.side, third.claim.side) == ("lower", "upper")  # type: ignore[union-attr]
    both = hf.compare(panel(*wrong), require="equivalent", margin=0.05).decision.parts[0]
    assert both.claim is not None
    assert both.claim.delta == 0.0125
    looks = hf.compare(panel(*wrong), require="not-worse", margin=0.05, looks=5).decision
    assert looks.parts[1].claim is not None
    assert (looks.parts[1].claim.delta, looks.delta) == (0.01, 0.05)


@pytest.mark.parametrize("clusters", [None, np.arange(200) // 2])
@pytest.mark.parametrize("only", [None, "accuracy"])
def test_it_is_about_the_first_model_and_the_measure_that_decides(only: Any, clusters: Any) -> None:
    wrong = np.zeros((2, 200), bool)
    wrong[1, :60] = True
    asked = {"only": only, "margin": 0.1}
    new = panel(*wrong, names="no", clusters=clusters)
    old = Panel(("o", "n"), wrong[::-1], rows=200, fingerprint="0" * 64, clusters=clusters)
    for require in ("better", "not-worse"):
        assert hf.compare(new, require=require, **asked).decision  # type: ignore[arg-type]
        assert hf.compare(old, require=require, **asked).decision.answer is Answer.REFUTED  # type: ignore[arg-type]
    assert hf.compare(new, require="equivalent", **asked).decision.answer is Answer.REFUTED  # type: ignore[arg-type]
    assert hf.compare(old, require="equivalent", only=only, margin=0.6).decision


def test_a_better_verdict_is_a_requirement_that_is_met() -> None:
    """Two sides at delta are more than one side at delta: no verdict says better where better is not proven."""
    for won, lost in TABLES:
        contest = Contest(table(won, lost, 0, SIZE), Request(DELTA))
        answer = Requirement(contest, "better").decision().answer
        assert answer is {"better": Answer.PROVEN, "worse": Answer.REFUTED}.get(contest.verdict.outcome, answer)


def test_what_holds_for_large_n_decides_only_where_that_is_accepted() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 200)
    scores = {"a": truth + random.random(200), "b": truth * 0.2 + random.random(200)}
    data = {"truth": truth, "predicted": {name: (s > 0.5).astype(int) for name, s in scores.items()}, "scores": scores}
    asked = {**data, "positive": 1, "only": "auc", "require": "better"}
    alone, accepted = hf.compare(**asked).decision, hf.compare(**asked, accept="large-n").decision
    assert (alone.answer, accepted.answer) == (Answer.SUPPORTED, Answer.SUPPORTED)
    assert ((alone.exit_code, accepted.exit_code), bool(alone), bool(accepted)) == ((3, 0), False, True)
    assert "a better than b in auc: supported (large n)" in verdict(alone)
    assert "holds only as the sample grows, so that it decides only where accept=" in verdict(alone)
    assert "which was accepted" in verdict(accepted)
    turned = {name: dict(reversed(data[name].items())) for name in ("predicted", "scores")}  # type: ignore[attr-defined]
    against = [hf.compare(**{**asked, **turned}, accept=each).decision for each in (None, "large-n")]
    assert [(each.answer, each.exit_code) for each in against] == [(Answer.CONTRADICTED, 3), (Answer.CONTRADICTED, 1)]
    assert "one-sided p of the contrary" in verdict(against[0])
    clusters = np.arange(200) // 2
    unproven = hf.compare(**{**asked, "only": "ks"}, clusters=clusters, accept="large-n")
    assert (unproven.decision.answer, unproven.decision.exit_code) == (Answer.OPEN, 3)
    assert unproven.verdict.outcome == "better"  # without proof
    assert "decides nothing" in verdict(unproven.decision)


def test_text_page_and_json_tell_it() -> None:
    wrong = np.zeros((3, 300), bool)
    wrong[1, :40] = wrong[2, 40:44] = True
    report = hf.compare(panel(*wrong, names=("<script>", "b", "c")), require="better")  # type: ignore[arg-type]
    two = hf.compare(table(20, 4, 0, 400), require="not-worse", margin=0.01)
    tops = (str(each).split("\n\nfirst - second")[0] for each in (report, two))
    matches("required", "\n\n".join([*tops, str(two.decision)]))
    told = json.loads(report.to_json())
    validate(told, SHAPE)
    validate(told["decision"], DECISION)
    assert [part["answer"] for part in told["decision"]["parts"]] == ["proven", "not enough data"]
    assert told["decision"]["rule"] == "intersection-union"
    assert any("what is proven against a single one holds on its own" in note for note in told["notes"])
    page = page_html(report)
    assert "Required: &lt;script&gt; better than each of 2 others: not enough data." in page
    assert ">Required:" not in page_html(hf.compare(table(20, 4, 0, 400)))


def test_what_cannot_be_required_is_refused() -> None:
    folds = Folds.from_errors({"a": [7, 8, 3], "b": [6, 6, 5]}, n_test=30, n_train=60)
    calls = {
        "no margin": lambda: hf.compare(table(3, 1, 0, 20), require="not-worse"),
        "no margin either": lambda: hf.compare(table(3, 1, 0, 20), require="equivalent"),
        "unknown": lambda: hf.compare(table(3, 1, 0, 20), require="not_wrose"),  # type: ignore[arg-type]
        "accepted alone": lambda: hf.compare(table(3, 1, 0, 20), accept="large-n"),
        "unknown acceptance": lambda: hf.compare(table(3, 1, 0, 20), require="better", accept="all"),  # type: ignore[arg-type]
        "folds": lambda: hf.compare(folds, require="better"),
        "nothing": lambda: hf.compare(table(3, 1, 0, 20)).decision,
    }
    matches("errors_of_requirement", messages(calls))
