"""An operating point that was fixed beforehand is what is assessed and decided on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption
from holdfast.evidence.costs import Costs
from tests.shapes import validate

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
FIXED = Assumption.FIXED_THRESHOLD
RANDOM = np.random.default_rng(18)
TRUTH = (RANDOM.random(200) < 0.4).astype(int)
SCORE = np.clip(0.3 + 0.3 * TRUTH + RANDOM.normal(0, 0.2, 200), 0, 1)
AT_HALF, AT_THIRD = (SCORE >= 0.5).astype(int), (SCORE >= 0.3).astype(int)
WHATEVER_IS_PREDICTED = {
    *("prevalence", "auc", "gini", "ks", "average-precision", "log-loss", "brier", "ece", "calibration")
}
GROUPS = {"place": np.where(np.arange(200) % 3 == 0, "here", "there")}


def limits(report: hf.Report) -> list[tuple[Any, ...]]:
    return [(line.measure, line.label, line.group, line.claim.lower, line.claim.upper) for line in report.lines]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"groups": GROUPS},
        {"clusters": np.arange(200) // 4},
        {"sampling": "by-class", "prevalence": {"1": 0.1}},
        {"costs": Costs([[0, 5], [1, 0]], [0, 1], rows="predicted")},
        {"bins": 4},
        {"simultaneous": True, "side": "upper"},
    ],
    ids=lambda options: "-".join(options) or "plain",
)
def test_it_is_as_if_its_predictions_were_given(options: dict[str, Any]) -> None:
    given = hf.assess(TRUTH, AT_THIRD, SCORE, **options)
    made = hf.assess(TRUTH, AT_HALF, SCORE, operating_point=0.3, **options)
    assert limits(made) == limits(given)
    assert made.details["errors"] == given.details["errors"]
    for line in made.lines:
        assert (FIXED in line.claim.assumes) is (line.measure not in WHATEVER_IS_PREDICTED), line.measure
    assert FIXED not in {sentence for claim in given.claims for sentence in claim.assumes}


def test_json_and_text_say_so() -> None:
    report = hf.assess(TRUTH, AT_HALF, SCORE, operating_point=0.3)
    told = json.loads(report.to_json())
    validate(told, SHAPE)
    differing = int(np.sum(AT_HALF != AT_THIRD))
    assert told["operating_point"] == {"threshold": 0.3, "label": "1", "differing": differing}
    note = told["notes"][0]
    assert "'1' where its score is at least 0.3, else '0'" in note
    assert f"otherwise in {differing:,} of 200 rows" in note
    assert str(FIXED)[:40] in " ".join(str(report).split())
    alone = hf.assess(TRUTH, score=SCORE, operating_point=0.3)
    assert alone.details["operating_point"]["differing"] is None
    assert limits(alone) == limits(report)


def test_a_gate_decides_on_it() -> None:
    asked: dict[str, Any] = {"measure": "recall", "at_least": 0.9}
    assert hf.gate(TRUTH, AT_HALF, SCORE, **asked).answer == "refuted"
    decision = hf.gate(TRUTH, AT_HALF, SCORE, operating_point=0.1, **asked)
    assert decision.answer == "proven"
    assert decision.claim is not None
    assert FIXED in decision.claim.assumes
    assert "at least 0.1" in decision.notes[0]
    assert hf.gate(TRUTH, score=SCORE, operating_point=0.1, **asked).answer == "proven"
    grouped = hf.gate(TRUTH, score=SCORE, operating_point=0.1, groups=GROUPS, **asked)
    assert {FIXED in part.claim.assumes for part in grouped.parts if part.claim is not None} == {True}
    with pytest.raises(hf.HoldfastError, match="leave out operating_point"):
        hf.gate(hf.Counts(1, 10), at_most=0.5, operating_point=0.1)
