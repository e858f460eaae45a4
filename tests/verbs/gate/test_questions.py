"""Each question's own chance to be answered right: what a gate may get wrong of it, and what it says beside."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.report import Answer, Decision
from holdfast.sources.conditions import read_conditions
from holdfast.verbs.gate import decide
from holdfast.verbs.gate.more_data import Settling
from tests.cli import conftest as shell
from tests.tries import tries

run = shell.run  # a fixture
LEAST, DELTA = 0.6, 0.2


def asked(passes: Any, samples: Any, **more: Any) -> Decision:
    """A gate on questions of which so many samples out of so many were right."""
    right = np.concatenate([np.arange(n) < k for k, n in zip(passes, samples, strict=True)])
    ids = np.repeat([f"q{place}" for place in range(len(samples))], samples)
    return hf.gate(correct=right, ids=ids, **{"each_at_least": LEAST, "delta": DELTA, **more})


def answers(decision: Decision) -> list[Answer]:
    return [leaf.answer for leaf in decision.leaves()]


@tries("intersection-union", how="enumerated")
def test_false_answers_are_at_most_delta_whatever_the_questions_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "settling", lambda *_: Settling(None))  # which takes longer than to decide
    samples = (5, 4, 4)
    outcomes = [*product(*(range(n + 1) for n in samples))]
    found = {each: asked(each, samples) for each in outcomes}
    assert {decision.rule for decision in found.values()} == {"intersection-union"}
    worst = np.zeros(3)
    for chances in product((0.3, LEAST - 1e-9, LEAST, 0.75, 1.0), repeat=3):
        of_each = [binom.pmf(range(n + 1), n, p) for n, p in zip(samples, chances, strict=True)]
        met = [p >= LEAST for p in chances]
        wrong = np.zeros(3)
        for each, decision in found.items():
            weight = np.prod([law[k] for law, k in zip(of_each, each, strict=True)])
            parts = answers(decision)
            listed = {name.rpartition("=q")[2] for name in decision.hold_together or ()}
            wrong += weight * np.array(
                [
                    decision.answer is Answer.PROVEN and not all(met),
                    any(answer is Answer.REFUTED and ok for answer, ok in zip(parts, met, strict=True)),
                    any(str(place) in listed and not ok for place, ok in enumerate(met)),
                ]
            )
        assert np.all(wrong <= DELTA + 1e-12)
        worst = np.maximum(worst, wrong)
    assert worst[0] > 0.3 * DELTA  # the limit is not just never reached
    assert worst[1] > 0.05 * DELTA


def test_each_is_tested_at_the_whole_delta_and_refutations_share_it() -> None:
    decision = asked((9, 10, 0), (10, 10, 3))
    for leaf, (k, n) in zip(decision.leaves(), ((9, 10), (10, 10), (0, 3)), strict=True):
        assert leaf.passes == k
        lower = hf.bound(hf.Counts(k, n), delta=DELTA, side="lower").lower
        assert (leaf.answer is Answer.PROVEN) == (lower >= LEAST)
        if leaf.answer is not Answer.REFUTED:
            assert leaf.claim is not None
            assert leaf.claim.lower == lower
    assert decision.rule == "intersection-union"
    refuting = [leaf.claim for leaf in decision.leaves() if leaf.answer is Answer.REFUTED]
    assert all(claim is not None and claim.delta < DELTA for claim in refuting)


def test_a_question_is_a_group_of_its_own_rows() -> None:
    right, ids = np.arange(60) % 7 > 0, np.arange(60) // 15
    one = hf.gate(correct=right, ids=ids, each_at_least=0.5)
    other = hf.gate(correct=right, groups={"question": ids}, measure="accuracy", at_least=0.5)
    assert answers(one) == answers(other)
    assert [leaf.claim.lower for leaf in one.leaves()] == [leaf.claim.lower for leaf in other.leaves()]
    labelled = hf.gate(np.where(right, "a", "b"), np.full(60, "a"), ids=ids, each_at_least=0.5)
    assert [leaf.claim.to_dict() for leaf in labelled.leaves()] == [leaf.claim.to_dict() for leaf in one.leaves()]


@pytest.mark.parametrize(
    "design",
    [
        {"clusters": np.arange(60) // 30},
        {"weights": 1.0 + np.arange(60) // 30, "max_weight": 2.0},
        {"strata": np.arange(60) // 30, "shares": {0: 0.3, 1: 0.7}},
    ],
    ids=["clusters", "weights", "strata"],
)
def test_how_questions_were_drawn_plays_no_part(design: dict[str, Any]) -> None:
    right, ids = np.arange(60) % 7 > 0, np.arange(60) // 15
    alone = hf.gate(correct=right, ids=ids, each_at_least=0.5)
    drawn = hf.gate(correct=right, ids=ids, each_at_least=0.5, **design)
    assert [leaf.claim.to_dict() for leaf in drawn.leaves()] == [leaf.claim.to_dict() for leaf in alone.leaves()]
    assert any("plays no part" in note for note in drawn.notes)


@pytest.mark.parametrize(
    ("least", "delta", "repeats"), [(0.8, 0.05, 14), (0.9, 0.05, 29), (0.5, 0.1, 4), (0.6, 0.2, 4)]
)
def test_the_least_number_of_repeats_is_the_first_to_prove_anything(least: float, delta: float, repeats: int) -> None:
    for n in (repeats - 1, repeats):
        decision = asked([n], [n], each_at_least=least, delta=delta)
        assert (decision.answer is Answer.PROVEN) == (n == repeats)
        (note,) = [note for note in decision.notes if "no fewer than" in note]
        assert f"no fewer than {repeats} repeats" in note
        assert ("1 of the 1 have fewer" in note) == (n < repeats)


def test_what_was_observed_is_shown_and_is_no_claim() -> None:
    decision = asked((8, 7, 10), (10, 10, 10), each_at_least=0.8, delta=0.05)
    assert "8 of 10" in str(decision)
    (note,) = [note for note in decision.notes if note.startswith("Observed")]
    assert note == "Observed, and no claim: 2 of 3 questions were answered right in at least 0.8 of their samples."
    assert [part["passes"] for part in decision.to_dict()["parts"]] == [8, 7, 10]
    again = Decision.from_json(decision.to_json())
    assert str(again) == str(decision)
    assert "passes" not in hf.gate(hf.Counts(1, 9), at_most=0.9).to_dict()


def test_beside_other_conditions_the_answers_are_the_same_but_for_the_shares() -> None:
    right, ids = np.arange(80) % 9 > 0, np.arange(80) // 20
    conditions = [{"each_at_least": 0.6}, {"measure": "error-rate", "at_most": 0.6}]
    both = hf.gate(correct=right, ids=ids, conditions=conditions)
    alone = hf.gate(correct=right, ids=ids, each_at_least=0.6)
    assert [leaf.answer for leaf in both.parts[0].leaves()] == answers(alone)
    assert [leaf.passes for leaf in both.parts[0].leaves()] == [leaf.passes for leaf in alone.leaves()]
    assert both.parts[0].condition == alone.condition == "accuracy at least 0.6 in each of 4 questions"
    assert any(note.startswith("Observed") for note in both.notes)


def test_very_many_questions() -> None:
    right, ids = np.ones(60_000, bool), np.arange(60_000) // 20
    decision = hf.gate(correct=right, ids=ids, each_at_least=0.8)
    assert decision.answer is Answer.PROVEN
    assert len([*decision.leaves()]) == 1_000
    with pytest.raises(HoldfastError, match="by itself"):
        hf.gate(correct=right, ids=ids, conditions=[{"each_at_least": 0.8}, {"at_most": 0.5}])


def test_what_cannot_be_asked_is_refused() -> None:
    right, ids = np.arange(20) % 5 > 0, np.arange(20) // 10
    for more, words in [
        ({"at_least": 0.5}, "no other measure"),
        ({"measure": "recall"}, "no other measure"),
        ({"each_at_least": 80}, "Did you mean 0.8"),
        ({"each_at_least": "x"}, "takes one number"),
    ]:
        with pytest.raises(HoldfastError, match=words):
            hf.gate(correct=right, ids=ids, **{"each_at_least": 0.5, **more})
    with pytest.raises(HoldfastError, match="ids="):
        hf.gate(correct=right, each_at_least=0.5)
    with pytest.raises(HoldfastError, match="no partial credit"):
        hf.gate(value=right / 2, ids=ids, each_at_least=0.5)
    with pytest.raises(HoldfastError, match=r"needs the rows|tell the error-rate"):
        hf.gate(hf.Counts(1, 10), each_at_least=0.5)
    named = np.where(np.arange(20) == 3, None, ids.astype(object))
    with pytest.raises(HoldfastError, match="1 that name no question"):
        hf.gate(correct=right, ids=named, each_at_least=0.5)
    dropped = hf.gate(correct=right, ids=named, each_at_least=0.5, missing="drop")
    assert [leaf.claim.n for leaf in dropped.leaves()] == [9, 10]


def test_at_the_command_line(run: shell.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{q},{int(q == 'b' or i > 5)}" for q in "abc" for i in range(14)]
    (tmp_path / "repeats.csv").write_text("question,correct\n" + "\n".join(rows) + "\n", encoding="utf-8")
    call = ("gate", "repeats.csv", "--id", "question", "--each-at-least", "0.8")
    answer = run(*call, "--junit", "gate.xml", "--json")
    told = json.loads(answer.out)
    assert answer.code == {"refuted": 1, "not enough data": 3}[told["answer"]]
    assert [part["passes"] for part in told["parts"]] == [8, 14, 8]
    assert [part["answer"] for part in told["parts"]][1] == "proven"
    suite = ElementTree.parse(tmp_path / "gate.xml")
    assert len(suite.findall(".//testcase")) == 3
    assert {each.get("value") for each in suite.findall(".//property[@name='passes']")} == {"8", "14"}
    assert run(*call, "--github").out.count("question=") >= 3
    assert "| question=a | 8 of 14 |" in run(*call, "--markdown", "-").out.replace("\\", "")
    (tmp_path / "gate.toml").write_text("[[condition]]\neach_at_least = 0.8\n", encoding="utf-8")
    assert read_conditions(tmp_path / "gate.toml") == {"conditions": [{"each_at_least": 0.8}]}
    by_file = json.loads(run("gate", "repeats.csv", "--id", "question", "--conditions", "gate.toml", "--json").out)
    assert by_file["parts"] == told["parts"]
    assert run(*call, "--on", "question").code == 2
    relied = ("gate", "repeats.csv", "--id", "question", "--measure", "pass^k", "--pass-at", "3", "--at-least", "0.01")
    assert run(*relied).code == 0
