"""What `simultaneous` and `looks` make of every verb: all holds at once, at the parts of delta that this takes."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.claims import Claim, Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts
from holdfast.report import Answer
from holdfast.verbs.bound import bound
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import Statement, Terms, decide_each

DRAW = np.random.default_rng(41)
N = 240
TRUTH = DRAW.choice(["bad", "good"], N)
SCORE = np.where(TRUTH == "bad", 0.4, 0.0) + 0.6 * DRAW.random(N)
CALLED = np.where(SCORE >= 0.5, "bad", "good")
PLACE, SITE = DRAW.choice(["north", "south"], N), np.arange(N) // 4
MODELS = {
    name: np.where(DRAW.random(N) < right, TRUTH, "good") for name, right in zip("abc", (0.9, 0.8, 0.7), strict=True)
}
DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "clusters": {"clusters": SITE, "max_cluster": 4},
    "weights": {"weights": 1 + SITE % 2, "max_weight": 2},
    "classes": {"sampling": "by-class", "prevalence": {"bad": 0.3, "good": 0.7}},
}


def _limit(counts: Counts, delta: float, side: Side) -> Claim:
    return bound(counts, delta=delta, side=side)


@pytest.mark.parametrize("simultaneous", [False, True])
def test_two_false_conditions_are_both_called_proven_as_rarely_as_promised(simultaneous: bool) -> None:
    """Every outcome is enumerated. Each on its own, one of two is called proven more often than delta."""
    n, limit, delta, rate = 10, 0.3, 0.2, 0.301
    condition, wrong = Condition("error-rate", at_most=limit), 0.0
    for k in product(range(n + 1), repeat=2):
        statements = [[Statement(condition, partial(_limit, Counts(each, n)), n, (0.0, 1.0))] for each in k]
        parts, _ = decide_each(statements, Terms(delta, simultaneous=simultaneous))
        if any(part.answer is Answer.PROVEN for part in parts):
            wrong += float(np.prod(binom.pmf(k, n, rate)))
    assert (wrong <= delta) is simultaneous
    assert wrong > 0.05  # or this would be true of a gate that never proves anything


@pytest.mark.parametrize("design", DESIGNS)
def test_a_gate_proves_no_more_together_than_each_on_its_own(design: str) -> None:
    asked = {"at_most": 0.3, "groups": {"place": PLACE, "odd": np.arange(N) % 2}, **DESIGNS[design]}
    alone, together = hf.gate(TRUTH, CALLED, **asked), hf.gate(TRUTH, CALLED, **asked, simultaneous=True)
    assert together.simultaneous is True
    assert "simultaneous" not in alone.to_dict()
    for one, joint in zip(alone.leaves(), together.leaves(), strict=True):
        assert one.claim is not None
        assert joint.claim is not None
        assert joint.claim.delta <= one.claim.delta
        assert joint.answer is one.answer or joint.answer is Answer.OPEN
    assert min(float(leaf.claim.delta) for leaf in together.leaves() if leaf.claim) <= 0.05 / 4 + 1e-12
    assert "together" in str(together)
    assert type(together).from_json(together.to_json()).to_json() == together.to_json()


@pytest.mark.crossing(2)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_threshold_with_all_its_claims_is_one_at_the_part_of_each(design: str) -> None:
    asked = {"positive": "bad", "sensitivity_at_least": 0.5, "groups": {"place": PLACE}, **DESIGNS[design]}
    alone = hf.threshold(TRUTH, SCORE, **asked)
    number = 1 + len(alone.beside) + len(alone.groups or ())
    together = hf.threshold(TRUTH, SCORE, **asked, simultaneous=True)
    assert together.claim is not None
    assert float(together.claim.delta) == pytest.approx(0.05 / number, rel=1e-3)
    each = hf.threshold(TRUTH, SCORE, **asked, delta=float(together.claim.delta))
    assert number >= 6
    assert together.threshold == each.threshold
    assert [claim.to_dict() for claim in together.beside] == [claim.to_dict() for claim in each.beside]
    assert together.delta == 0.05
    assert "All of these limits hold together with 95 % confidence." in str(together)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", ["rows", "clusters", "weights"])
@pytest.mark.parametrize("verb", [hf.panel, hf.committee])
def test_several_models_hold_together_at_the_part_of_each_statement(design: str, verb: Any) -> None:
    asked = {"groups": {"place": PLACE}, **DESIGNS[design]}
    alone, together = verb(TRUTH, MODELS, **asked), verb(TRUTH, MODELS, **asked, simultaneous=True)
    jointly = together.facts.simultaneous
    assert jointly is not None
    assert jointly.delta == 0.05
    about = {(line.measure, line.group, line.claim.method, line.claim.per) for line in alone.lines}
    if verb is hf.panel:  # one statement more is which may be the best
        assert round(0.05 / jointly.each) == len(about) + 1
    else:
        assert round(0.05 / jointly.each) == len(alone.lines)
    each = verb(TRUTH, MODELS, **asked, delta=jointly.each)
    assert [line.to_dict() for line in each.lines] == [line.to_dict() for line in together.lines]
    assert "All of this holds together with 95 % confidence" in str(together)
    assert hf.Report.from_json(together.to_json()).to_json() == together.to_json()


VERBS: dict[str, Any] = {
    "assess": lambda **how: hf.assess(TRUTH, CALLED, groups={"place": PLACE}, **how),
    "threshold": lambda **how: hf.threshold(TRUTH, SCORE, positive="bad", sensitivity_at_least=0.5, **how),
    "panel": lambda **how: hf.panel(TRUTH, MODELS, **how),
    "committee": lambda **how: hf.committee(TRUTH, MODELS, **how),
}


@pytest.mark.parametrize("verb", VERBS)
def test_each_look_has_an_equal_part_of_delta(verb: str) -> None:
    looked, at_its_part = VERBS[verb](looks=4), VERBS[verb](delta=0.0125)
    claims = [made.claims if isinstance(made, hf.Report) else made.beside for made in (looked, at_its_part)]
    for one, other in zip(*claims, strict=True):
        assert np.array_equal(one.lower, other.lower)
        assert np.array_equal(one.upper, other.upper)
    assert "This is one of 4 looks" in str(looked)
    for wrong in (0, 1.5, True, "3"):
        with pytest.raises(HoldfastError, match=r"looks.* whole number"):
            VERBS[verb](looks=wrong)
