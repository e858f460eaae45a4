"""A decision as text: one clear sentence, numbers that do not contradict it, 80 columns whatever the words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.evidence import Counts, Losses
from holdfast.render.outline.decision import headline
from holdfast.report import Answer, Decision
from holdfast.verbs.gate.gate import gate
from tests.snapshots import matches

TRUTH = ["fraud"] * 50 + ["fine"] * 950
PREDICTED = ["fraud"] * 47 + ["fine"] * 3 + ["fine"] * 940 + ["fraud"] * 10
COUNTRY = np.array(["de", "es", "fr", "it"])[np.arange(1000) % 4]


def lines(decision: Decision) -> list[str]:
    told = str(decision).splitlines()
    assert max(map(len, told)) <= 80
    return told


def test_every_kind_of_answer() -> None:
    several = [
        {"at_most": 0.05, "name": "few errors"},
        {"measure": "recall", "label": "fraud", "at_least": 0.9},
        {"measure": "mcc", "at_least": 0.97},
    ]
    decisions = {
        "proven": gate(TRUTH, PREDICTED, at_most=0.05),
        "refuted": gate(TRUTH, PREDICTED, measure="recall", label="fraud", at_least=0.99),
        "open": gate(TRUTH, PREDICTED, measure="recall", label="fraud", at_least=0.9),
        "nothing known": gate(Counts(0, 0), at_most=0.05),
        "losses": gate(Losses([0.2] * 30, 0, 10), at_most=1.0),
        "ten looks": gate(Counts(0, 200), at_most=0.05, looks=10),
        "sequential": gate(Counts(8, 100), at_most=0.05, sequential=True),
        "supported": gate(Counts(0, 100), at_most=0.05, method="wilson"),
        "supported and accepted": gate(Counts(0, 100), at_most=0.05, method="wilson", accept="large-n"),
        "several": gate(TRUTH, PREDICTED, conditions=several),
        "all proven": gate(TRUTH, PREDICTED, conditions=several[:1] * 2),
        "groups": gate(TRUTH, PREDICTED, at_most=0.05, groups={"country": COUNTRY}),
        "conditions in groups": gate(TRUTH, PREDICTED, conditions=several[:2], groups={"country": COUNTRY}),
    }
    parts = []
    for name, decision in decisions.items():
        lines(decision)
        parts += [f"---- {name}", str(decision)]
    matches("text_decisions", "\n".join(parts))


@pytest.mark.parametrize(
    ("counts", "asked", "said"),
    [
        (Counts(3, 200), {"at_most": 0.05}, "proven: with 95 % confidence the error rate is at most 3.84 %, and "),
        (Counts(30, 200), {"at_most": 0.05}, "refuted: with 95 % confidence the error rate is at least 11.0 %, and "),
        (Counts(1, 10), {"at_least": 0.05}, "not enough data: the error rate is 10.0 % on 10 examples; the true one "),
    ],
)
def test_the_headline(counts: Counts, asked: dict[str, Any], said: str) -> None:
    assert headline(gate(counts, **asked)).startswith(said)


@pytest.mark.parametrize("beyond", [1e-3, 1e-6, 1e-9, 1e-12])
def test_the_numbers_told_are_on_the_right_side_of_the_limit(beyond: float) -> None:
    proven, refuted = (gate(Counts(k, 190), at_most=0.07).claim for k in (5, 30))
    assert proven is not None
    assert refuted is not None
    limit = float(proven.upper) * (1 + beyond)
    told = headline(gate(Counts(5, 190), at_most=limit)).split("at most ")[1].split(" %")[0]
    assert proven.upper <= float(told) / 100 <= limit
    limit = float(refuted.lower) * (1 - beyond)
    told = headline(gate(Counts(30, 190), at_most=limit)).split("at least ")[1].split(" %")[0]
    assert refuted.lower >= float(told) / 100 > limit


def test_needed_is_told_with_two_digits_and_never_less() -> None:
    for needed, told in (
        (1, "1 more example "),
        (9, "9 more"),
        (99, "99 more"),
        (101, "110 more"),
        (3601, "3,700 more"),
    ):
        decision = Decision(Answer.OPEN, "x", needed=needed, parts=(Decision(Answer.OPEN, "y"),), delta=0.05)
        assert f"About {told}" in headline(decision)


def test_words_from_elsewhere_cannot_command_a_terminal() -> None:
    evil = "x\x1b[31m\nfraud" + "y" * 200
    truth, predicted = ([evil if label == "fraud" else label for label in column] for column in (TRUTH, PREDICTED))
    one = gate(truth, predicted, measure="recall", label=evil, at_least=0.9)
    named = gate(truth, predicted, conditions=[{"at_most": 0.05, "name": evil}, {"at_most": 0.04}])
    grouped = gate(truth, predicted, at_most=0.05, groups={evil: truth})
    for decision in (one, named, grouped):
        assert "\x1b" not in "".join(lines(decision))
        assert "x\\x1b[31m" in str(decision)


def test_many_groups_are_cut_on_the_screen_only() -> None:
    groups = np.arange(900) % 30
    decision = gate(correct=groups != 29, groups={"g": groups}, at_most=0.2)
    told = lines(decision)
    assert any("... 10 more" in line for line in told)
    assert len(decision.parts) == 30
    first = next(line for line in told if line.startswith("g="))
    assert first.split()[-1] == "refuted"  # the worst first


def test_a_decision_made_by_hand_can_be_shown() -> None:
    assert str(Decision(Answer.OPEN, "error-rate at most 0.05")).startswith("not enough data: error-rate at most 0.05")
