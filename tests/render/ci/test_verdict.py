"""A decision in one line: the claim, what follows from it, and nothing that a reader would obey."""

from __future__ import annotations

import pytest

from holdfast.render.ci.verdict import condition_line, tally, verdict
from holdfast.report import Answer, Decision
from tests.decisions import HOSTILE, decided, together
from tests.snapshots import matches

CASES = {
    "proven": decided(Answer.PROVEN),
    "refuted": decided(Answer.REFUTED),
    "not enough data": decided(Answer.OPEN),
    "supported": decided(Answer.SUPPORTED),
    "supported and accepted": decided(Answer.SUPPORTED, accept="large-n"),
    "contradicted": decided(Answer.CONTRADICTED),
    "nobody knows how many": decided(Answer.OPEN, needed=None),
    "of a class, in a group": decided(Answer.OPEN, "fraud", group="country=DE"),
    "between two limits": decided(Answer.PROVEN, at_least=0.0),
    "without a claim": Decision(Answer.REFUTED, "everything in order"),
    "proven without a claim": Decision(Answer.PROVEN, "everything in order"),
}


def test_verdicts() -> None:
    matches("verdicts", "\n".join(f"# {case}\n{verdict(decision)}\n" for case, decision in CASES.items()))


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_labels_stay_on_the_line(label: str) -> None:
    decision = decided(Answer.REFUTED, label, group=label)
    for line in (verdict(decision), condition_line(decision)):
        assert line.isprintable()
        assert len(line) < 600


def test_conditions_are_found_however_deep() -> None:
    inner = together(decided(Answer.OPEN, "a"), decided(Answer.PROVEN, "b"))
    outer = together(decided(Answer.PROVEN, "c"), inner, decided(Answer.REFUTED, "d"))
    assert [part.label for part in outer.leaves()] == ["c", "a", "b", "d"]
    assert tally(outer) == "2 proven, 1 refuted, 1 not enough data"
    alone = decided()
    assert list(alone.leaves()) == [alone]
    assert tally(alone) == "1 proven"
