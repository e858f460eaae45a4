"""A sealed gate says one bit: whatever else it prints is the same for every set of labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.ledger.book import Spent
from holdfast.predictions import Predictions
from holdfast.render.ci.github import annotations, junit_xml, summary

N = 200
IDS = [f"row {i}" for i in range(N)]
TRUTH = np.random.default_rng(1).permutation(["a", "b"] * (N // 2))
GOOD = np.where(np.arange(N) == np.argmax(TRUTH == "a"), "b", TRUTH)  # errs once
BAD = np.roll(TRUTH, 1)


def opened(folder: Path, truth: Any = TRUTH, name: str = "tests.db", **how: Any) -> hf.Ledger:
    return hf.Ledger.open(folder / name, truth, ids=IDS, key=folder / "key", **{"gates": 10, "promotions": 3, **how})


def gate(ledger: hf.Ledger, truth: Any = TRUTH, predicted: Any = GOOD, **asked: Any) -> Any:
    return hf.gate(truth, predicted, ids=IDS, ledger=ledger, **{"at_most": 0.1, **asked})


def test_proven_or_not_and_nothing_else(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    good, bad = gate(ledger), gate(ledger, predicted=BAD)
    assert (good.answer, bad.answer) == (hf.Answer.PROVEN, hf.Answer.NOT_PROVEN)
    assert (good.exit_code, bad.exit_code) == (0, 3)
    assert good
    assert not bad
    for decision in (good, bad):
        assert decision.claim is decision.other is decision.needed is None
        assert "fingerprint" not in decision.provenance
        assert "rows" not in decision.provenance
        assert [*decision.leaves()] == [decision]


def outputs(decision: Any) -> str:
    """All that is printed of it, without what differs from one ledger to another."""
    texts = (str(decision), decision.to_json(), junit_xml(decision), annotations(decision), summary(decision))
    text = "\n".join((*texts, decision.to_markdown(), decision.to_latex(), repr(decision)))
    return re.sub(r"[0-9a-f]{16,64}|\d{4}-\d\d-\d\dT\S+?Z", "#", text)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"at_most": None, "measure": "recall", "label": "b", "at_least": 0.99},
        {"at_most": None, "conditions": [{"at_most": 0.001}, {"measure": "recall", "label": "a", "at_least": 0.9999}]},
        {"groups": {"half": ["xy"[i // 100] for i in range(N)]}, "at_most": 0.001},
        {"baseline": GOOD, "margin": 0.0, "at_most": None},
    ],
)
def test_whatever_the_labels_are_it_prints_the_same_but_for_the_bit(tmp_path: Path, asked: dict[str, Any]) -> None:
    generator, seen = np.random.default_rng(3), set()
    weird = np.array(["a"] * N)
    for number, truth in enumerate([BAD, generator.permutation(TRUTH), weird, np.array(["elsewhere"] * N)]):
        ledger = opened(tmp_path, truth, f"{number}.db")
        decision = gate(ledger, truth, **asked)
        assert decision.answer is hf.Answer.NOT_PROVEN
        seen.add(outputs(decision))
    assert [*seen] == [*seen][:1]


def test_what_elsewhere_is_refused_for_its_truths_is_not_proven_and_spends(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    holes: Any = [None, *TRUTH[1:]]
    with pytest.raises(HoldfastError):
        hf.gate(holes, GOOD, at_most=0.1)
    assert gate(ledger, holes).answer is hf.Answer.NOT_PROVEN
    assert ledger.account.budget.gates == 1


def test_labels_that_are_not_the_committed_ones_are_not_proven_and_spend(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    other = TRUTH.copy()
    other[3] = "a"
    assert gate(ledger, other, other).answer is hf.Answer.NOT_PROVEN
    assert ledger.account.budget.gates == 1
    with pytest.raises(HoldfastError, match="1 row with another label"):
        ledger.verify(truth_file=_frame(other), id="id")
    assert len(ledger.verify(truth_file=_frame(TRUTH), id="id")) == 3


def _frame(truth: Any) -> Any:
    import polars as pl

    return pl.DataFrame({"id": IDS, "truth": list(truth)})


def test_a_crash_on_some_truths_is_not_proven_and_spends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfast.verbs.gate.rows import RowGate

    original, ledger = RowGate.found, opened(tmp_path)

    def found(self: Any, *given: Any) -> Any:
        if self.rows.frame.labels("truth").to_list() == TRUTH.tolist():
            raise ZeroDivisionError("a secret truth")
        return original(self, *given)

    monkeypatch.setattr(RowGate, "found", found)
    decision = gate(ledger)
    assert decision.answer is hf.Answer.NOT_PROVEN
    assert "secret" not in outputs(decision)
    assert ledger.account.budget.gates == 1


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (lambda ledger: hf.gate(TRUTH[:-1], GOOD[:-1], ids=IDS[:-1], at_most=0.1, ledger=ledger), "1 row missing"),
        (
            lambda ledger: hf.gate([*TRUTH, "a"], [*GOOD, "a"], ids=[*IDS, "x"], at_most=0.1, ledger=ledger),
            "1 row more",
        ),
        (lambda ledger: hf.gate([*TRUTH, "a"], [*GOOD, "a"], ids=[*IDS, IDS[0]], at_most=0.1, ledger=ledger), "again"),
        (lambda ledger: hf.gate(TRUTH, [None, *GOOD[1:]], ids=IDS, at_most=0.1, ledger=ledger), "row 0"),
        (lambda ledger: hf.gate(TRUTH, GOOD, at_most=0.1, ledger=ledger), "by their ids"),
        (lambda ledger: hf.gate(correct=[True] * N, ids=IDS, at_most=0.1, ledger=ledger), "right or wrong"),
        (lambda ledger: hf.gate(hf.Counts(1, N), at_most=0.1, ledger=ledger), "needs the rows"),
        (lambda ledger: gate(ledger, missing="drop"), "missing"),
        (lambda ledger: gate(ledger, confidence=0.9), "confidence"),
        (lambda ledger: gate(ledger, delta=0.1), "delta"),
        (lambda ledger: gate(ledger, looks=3), "looks"),
        (lambda ledger: gate(ledger, sequential=True), "sequential"),
        (lambda ledger: gate(ledger, accept="large-n"), "accept"),
        (lambda ledger: gate(ledger, spend_now=0.01), "spend_now"),
        (lambda ledger: gate(ledger, measure="recall", at_most=None, at_least=0.1), "about a class"),
        (lambda ledger: gate(ledger, measure="auc", at_most=None, at_least=0.1, positive="a"), "scores"),
        (lambda ledger: gate(ledger, method="wilsn"), "wilson"),
        (lambda ledger: gate(ledger, at_most=7), "between 0 and 1"),
    ],
)
def test_refusals_come_before_anything_is_spent(tmp_path: Path, how: Callable[[Any], Any], words: str) -> None:
    ledger = opened(tmp_path)
    with pytest.raises(HoldfastError, match=words):
        how(ledger)
    assert len(ledger.book.links()) == 1


@pytest.mark.parametrize("truth", [BAD, np.array(["elsewhere"] * N), [None] * N])
def test_no_refusal_depends_on_truths(tmp_path: Path, truth: Any) -> None:
    """The same words whatever the labels are, and for what labels alone would refuse no words at all."""
    ledger = opened(tmp_path)
    told = []
    for given in (TRUTH, truth):
        with pytest.raises(HoldfastError) as refusal:
            gate(ledger, given, method="wilsn")
        told.append(str(refusal.value))
    assert told[0] == told[1]
    assert gate(ledger, truth, measure="recall", label="elsewhere", at_most=None, at_least=0.5) is not None


def test_only_what_holds_at_every_sample_size_is_called_proven(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    assert hf.gate(TRUTH, GOOD, at_most=0.1, method="wilson").answer is hf.Answer.SUPPORTED
    assert gate(ledger, method="wilson").answer is hf.Answer.NOT_PROVEN


def test_the_level_is_that_of_the_ledger(tmp_path: Path) -> None:
    """0 errors of 200 prove 5 % at 1 in 20,000, and no more."""
    for level, answer in ((3.6e-5, hf.Answer.PROVEN), (3.4e-5, hf.Answer.NOT_PROVEN)):
        ledger = opened(tmp_path, name=f"{level}.db", gates=None, promotions=None)
        assert (level > 0.95**N) == (answer is hf.Answer.PROVEN)
        assert gate(ledger, predicted=TRUTH, at_most=0.05, spend_now=level).answer is answer


def test_an_open_look_is_written_down_and_every_later_output_says_so(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    report = hf.assess(TRUTH, GOOD, ids=IDS, ledger=ledger)
    assert any("open look" in note for note in report.facts.notes)
    assert report["error-rate"].estimate == 1 / N
    with pytest.raises(Spent, match="not covered"):
        gate(ledger)
    sealed = gate(ledger, independent="its weights were frozen in May")
    assert "frozen in May" in str(sealed)
    assert "entry 2" in str(sealed.ledger.open_since)
    unsealed = gate(ledger, sealed=False, confidence=0.9)
    assert unsealed.claim is not None
    assert "open look" in str(unsealed)
    compared = hf.compare(TRUTH, {"a": GOOD, "b": BAD}, ledger=ledger)
    assert any("open look" in note for note in compared.facts.notes)
    kinds = [(look.kind, look.rows) for look in ledger.account.looks]
    assert kinds == [("open look", N), ("sealed gate", None), ("open look", N), ("open look", None)]
    shown = str(ledger)
    assert "3 open looks" in shown
    assert "its weights" not in shown.split("Note")[0]


def test_part_of_the_rows_under_another_name_is_recognised(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    some = Predictions.from_arrays([*TRUTH[:50], "a"], [*GOOD[:50], "a"], ids=[*IDS[:50], "new"])
    report = hf.assess(some, ledger=ledger)
    assert ledger.account.looks[-1].rows == 50
    (told,) = [note for note in report.facts.notes if "committed to" in note]
    assert f"50 rows of them are there, {N - 50:,} rows missing, 1 row more that it does not know" in told


def test_chances_of_single_questions_are_no_matter_of_a_ledger(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    for asked in ({"each_at_least": 0.8}, {"conditions": [{"at_most": 0.2}, {"each_at_least": 0.8}]}):
        with pytest.raises(HoldfastError, match="several answers to one question"):
            hf.gate(TRUTH, GOOD, ids=IDS, ledger=ledger, **asked)
    assert not ledger.account.looks


def test_rows_without_ids_are_known_by_their_position(tmp_path: Path) -> None:
    ledger = hf.Ledger.open(tmp_path / "tests.db", TRUTH, key=tmp_path / "key", spend=0.1)
    assert hf.gate(TRUTH, GOOD, at_most=0.1, ledger=ledger)
    assert not hf.gate(TRUTH[::-1], GOOD[::-1], at_most=0.1, ledger=ledger)  # not these labels in this order
    with pytest.raises(HoldfastError, match="by their position"):
        gate(ledger)


def test_options_of_a_ledger_need_one(tmp_path: Path) -> None:
    for option in ({"independent": "x"}, {"spend_now": 0.1}, {"sealed": False}):
        with pytest.raises(HoldfastError, match="give ledger"):
            hf.gate(TRUTH, GOOD, at_most=0.1, **option)
    ledger = opened(tmp_path)
    for option in ({"independent": "x"}, {"spend_now": 0.1}):
        with pytest.raises(HoldfastError, match="sealed gate"):
            gate(ledger, sealed=False, **option)
    with pytest.raises(TypeError):
        hf.assess(TRUTH, GOOD, sealed=True)
    with pytest.raises(HoldfastError, match="key"):
        hf.gate(TRUTH, GOOD, ids=IDS, at_most=0.1, ledger=tmp_path / "tests.db")


def test_the_ledger_gives_no_label_away(tmp_path: Path) -> None:
    """Nothing in its file is the same for equal labels, and neither key nor label is in it."""
    truth = ["malignant", "benign"] * (N // 2)
    ledger = opened(tmp_path, truth)
    gate(ledger, truth, truth)
    content = (tmp_path / "tests.db").read_bytes()
    assert b"malignant" not in content
    assert b"benign" not in content
    assert bytes.fromhex((tmp_path / "key").read_text().strip()) not in content
    rows = ledger.book.rows
    assert len({*rows.values()}) == N
