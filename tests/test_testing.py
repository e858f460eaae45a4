"""Assertions fail with the claim, and the plugin tells of every decision without getting into anybody's way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import unittest
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError, UnknownName
from holdfast.render.ci.verdict import verdict
from holdfast.report import Answer, Decision
from holdfast.testing import assert_at_least, assert_at_most, assert_decision, assert_required
from holdfast.testing.assertions import listening
from tests.decisions import HOSTILE, decided, together
from tests.shapes import validate
from tests.test_import import loaded_by

TRUTH = ["fraud"] * 100 + ["fine"] * 100
HALF = ["fraud", "fine"] * 100
NEARLY = ["fraud"] * 93 + ["fine"] * 107


@pytest.fixture(autouse=True)
def heard() -> Iterator[list[Decision]]:
    """What was asserted in this test; our own run is not told of it."""
    decisions: list[Decision] = []
    with listening(decisions.append):
        yield decisions


def test_what_is_proven_passes_and_is_returned(heard: list[Decision]) -> None:
    decision = assert_at_most(TRUTH, TRUTH, limit=0.05)
    assert decision.answer is Answer.PROVEN
    assert decision.at_most == 0.05
    assert decision.claim is not None
    assert decision.claim.side == "upper"
    assert heard == [decision]
    assert assert_at_least(TRUTH, TRUTH, measure="recall", label="fraud", limit=0.9).label == "fraud"
    assert len(heard) == 2


def test_what_is_required_of_the_first_model_is_asserted(heard: list[Decision]) -> None:
    answers = {"new": TRUTH, "old": HALF}
    assert assert_required(TRUTH, answers, require="better").answer is Answer.PROVEN
    with pytest.raises(
        AssertionError, match=r"old better than new: refuted \(one-sided p of the contrary = .* by mcnemar"
    ):
        assert_required(TRUTH, dict(reversed(answers.items())), require="better")
    alike = {"new": TRUTH, "near": NEARLY}
    assert assert_required(TRUTH, alike, require="not-worse", margin=0.01, undecided="pass").answer is Answer.PROVEN
    with pytest.raises(AssertionError, match=r"near and new equivalent within 0\.05: not enough data"):
        assert_required(TRUTH, {"near": NEARLY, "new": TRUTH}, require="equivalent", margin=0.05)
    with pytest.raises(HoldfastError, match="needs margin="):
        assert_required(TRUTH, answers, require="equivalent")
    assert len(heard) == 4


@pytest.mark.parametrize("undecided", ["fail", "skip", "pass"])
def test_what_is_refuted_fails_whatever_becomes_of_the_undecided(undecided: str, heard: list[Decision]) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_at_most(TRUTH, HALF, limit=0.05, undecided=undecided)  # type: ignore[arg-type]
    (decision,) = heard
    assert decision.answer is Answer.REFUTED
    assert str(failed.value) == verdict(decision)
    assert str(failed.value).startswith("error-rate: 0.500, at least 0.4")
    assert str(failed.value).endswith(": not proven to be at most 0.05; refuted.")


def test_what_is_open_fails_with_the_claim_and_what_would_settle_it(heard: list[Decision]) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_at_least(TRUTH, NEARLY, measure="recall", label="fraud", limit=0.9)
    (decision,) = heard
    assert decision.answer is Answer.OPEN
    assert str(failed.value) == verdict(decision)
    assert str(failed.value).startswith("recall of fraud: 0.930, at least 0.8")
    assert "not proven to be at least 0.9; not enough data, about " in str(failed.value)
    assert str(failed.value).endswith(" more examples would probably settle it.")


def test_the_undecided_may_be_skipped_or_let_through(heard: list[Decision], monkeypatch: pytest.MonkeyPatch) -> None:
    counts = hf.Counts(4, 100)
    assert assert_at_most(counts, limit=0.05, undecided="pass").answer is Answer.OPEN
    with pytest.raises(pytest.skip.Exception, match="not enough data"):
        assert_at_most(counts, limit=0.05, undecided="skip")
    monkeypatch.delitem(sys.modules, "pytest")
    with pytest.raises(unittest.SkipTest, match="not enough data"):
        assert_at_most(counts, limit=0.05, undecided="skip")
    assert len(heard) == 3


def test_options_reach_the_gate() -> None:
    counts = hf.Counts(2, 150)
    assert assert_at_most(counts, limit=0.05).answer is Answer.PROVEN
    for stricter in ({"confidence": 0.999}, {"delta": 0.001}, {"looks": 100}, {"sequential": True}):
        assert assert_at_most(counts, limit=0.05, undecided="pass", **stricter).answer is Answer.OPEN  # type: ignore[arg-type]
    correct = [True] * 148 + [False] * 2
    assert assert_at_most(correct=correct, limit=0.05).answer is Answer.PROVEN
    assert assert_at_least(correct=correct, measure="accuracy", limit=0.95).answer is Answer.PROVEN
    assert assert_at_most(counts, limit=0.05, method="hoeffding", undecided="pass").claim.method == "hoeffding"  # type: ignore[union-attr]


def test_what_holds_for_large_n_is_undecided_unless_that_is_accepted(heard: list[Decision]) -> None:
    good, bad = hf.Counts(0, 100), hf.Counts(50, 100)
    with pytest.raises(
        AssertionError, match=r"not proven to be at most 0\.05; supported \(large n\)\. wilson holds only"
    ):
        assert_at_most(good, limit=0.05, method="wilson")
    with pytest.raises(pytest.skip.Exception, match=r"supported \(large n\)"):
        assert_at_most(good, limit=0.05, method="wilson", undecided="skip")
    assert assert_at_most(good, limit=0.05, method="wilson", accept="large-n").answer is Answer.SUPPORTED
    correct = [True] * 100
    assert assert_at_least(correct=correct, measure="accuracy", limit=0.95, method="wilson", accept="large-n")
    contrary = assert_at_most(bad, limit=0.05, method="wilson", undecided="pass")
    assert contrary.answer is Answer.CONTRADICTED
    with pytest.raises(AssertionError, match="which was accepted"):
        assert_at_most(bad, limit=0.05, method="wilson", accept="large-n", undecided="pass")
    assert len(heard) == 6


def test_what_cannot_be_asked_is_an_error_and_no_failure() -> None:
    with pytest.raises(UnknownName, match="did you mean 'error-rate'"):
        assert_at_most(hf.Counts(0, 100), measure="error-rat", limit=0.05)
    with pytest.raises(HoldfastError):
        assert_at_most(hf.Counts(0, 100), limit=5)
    with pytest.raises(TypeError, match="groupz"):
        assert_at_most(hf.Counts(0, 100), limit=0.05, groupz=[1])
    for answer in Answer:
        with pytest.raises(HoldfastError, match="'fail', 'skip' or 'pass'; got 'ship'"):
            assert_decision(decided(answer), undecided="ship")  # type: ignore[arg-type]


def test_several_conditions_fail_with_every_claim_that_is_missing() -> None:
    parts = [decided(Answer.PROVEN, "a"), decided(Answer.OPEN, "b"), decided(Answer.REFUTED, "c")]
    with pytest.raises(AssertionError) as failed:
        assert_decision(together(*parts))
    first, *missing = str(failed.value).splitlines()
    assert first == "1 proven, 1 refuted, 1 not enough data:"
    assert missing == [f"  {verdict(part)}" for part in parts[1:]]
    good = together(*parts[:1])
    assert assert_decision(good) is good


def test_of_very_many_conditions_the_worst_are_told() -> None:
    parts = [decided(Answer.PROVEN, str(number)) for number in range(100)]
    parts += [decided(answer, str(answer)) for answer in [Answer.OPEN] * 30 + [Answer.REFUTED]]
    with pytest.raises(AssertionError) as failed:
        assert_decision(together(*parts))
    first, worst, *_, last = str(failed.value).splitlines()
    assert first == "100 proven, 1 refuted, 30 not enough data:"
    assert worst == f"  {verdict(parts[-1])}"
    assert last == "  ... and 11 more"
    assert len(str(failed.value).splitlines()) == 22


def test_decisions_of_other_threads_are_heard(heard: list[Decision]) -> None:
    thread = threading.Thread(target=assert_decision, args=(decided(),))
    thread.start()
    thread.join()
    assert len(heard) == 1


def test_a_run_within_a_run_hears_its_own_decisions(heard: list[Decision]) -> None:
    inner: list[Decision] = []
    with listening(inner.append):
        assert_decision(decided())
    assert (len(inner), len(heard)) == (1, 0)
    assert_decision(decided())
    assert (len(inner), len(heard)) == (1, 1)


def test_the_plugin_imports_nothing_heavy() -> None:
    (plugin,) = loaded_by("import pytest, holdfast.testing.plugin")
    (light,) = loaded_by("import holdfast.testing")
    loaded = {name for name in plugin if name.startswith("holdfast")}
    expected = {"holdfast", "holdfast.errors", "holdfast.testing"}
    assert loaded == expected | {"holdfast.testing.assertions", "holdfast.testing.plugin"}
    assert light.isdisjoint({"pytest", "numpy", "scipy", "polars", "rich", "narwhals", "altair"})


SUITE = """
    import holdfast as hf
    from holdfast.testing import assert_at_most, assert_decision
    from tests.decisions import HOSTILE, decided, together
    from holdfast.report import Answer

    def test_proven():
        assert_at_most(hf.Counts(0, 100), limit=0.05)

    def test_refuted():
        assert_at_most(hf.Counts(50, 100), limit=0.05)

    def test_open():
        assert_at_most(hf.Counts(4, 100), limit=0.05)

    def test_skipped():
        assert_at_most(hf.Counts(4, 100), limit=0.05, undecided="skip")

    def test_two():
        assert_at_most(hf.Counts(0, 100), limit=0.1)
        assert_at_most(hf.Counts(0, 100), limit=0.2)

    def test_hostile():
        for labels in (HOSTILE[:15], HOSTILE[15:]):
            assert_decision(together(*(decided(Answer.PROVEN, label) for label in labels)))

    def test_many():
        assert_decision(together(*(decided(Answer.PROVEN, str(number)) for number in range(1000))))

    def test_plain():
        pass
"""
QUIET = """
    def test_plain():
        pass
"""


def run_pytest(folder: Path, *arguments: str, suite: str = SUITE) -> subprocess.CompletedProcess[str]:
    """A user's run in a folder of its own, where any warning is an error."""
    lines = [line.removeprefix("    ") for line in suite.splitlines()]
    (folder / "test_model.py").write_text("\n".join(lines), encoding="utf-8")
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    here = str(Path(__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**known, "PYTHONPATH": here, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def shape(name: str) -> dict[str, object]:
    path = Path(hf.__file__).parent / "schemas" / f"{name}-1.json"
    schema: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def section(output: str) -> list[str]:
    """The lines of the summary."""
    lines = output.splitlines()
    (first,) = [number for number, line in enumerate(lines) if line.strip("= ") == "holdfast"]
    rest = lines[first + 1 :]
    return rest[: next(number for number, line in enumerate(rest) if line.startswith("==="))]


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.long)])
def test_the_summary_lists_every_decision(workers: str, tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "-n", workers, "--junit-xml=junit.xml", "--holdfast-json=decisions.json")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 failed, 5 passed, 1 skipped" in done.stdout
    told = section(done.stdout)
    heads, sentences = told[:-1:2], told[1:-1:2]
    by_test = {name: [head.split(" test_")[0] for head in heads if head.endswith(f"::test_{name}")] for name in NAMES}
    assert by_test == {**NAMES, "hostile": ["proven"] * len(HOSTILE)}
    assert all(sentence.startswith("    ") and sentence.isprintable() for sentence in sentences)
    assert any("error-rate: 0.500, at least 0.4" in sentence for sentence in sentences)
    assert "    1000 conditions: proven. 1,000 proven." in sentences
    assert told[-1] == f"{4 + len(HOSTILE)} proven, 1 refuted, 2 not enough data"
    assert "AssertionError: error-rate: 0.500, at least 0.4" in done.stdout
    assert "assertions.py" not in done.stdout  # our frames are hidden

    kept = json.loads((tmp_path / "decisions.json").read_text(encoding="utf-8"))
    validate(kept, shape("decisions"))
    for entry in kept["decisions"]:
        validate(entry["decision"], shape("decision"))
    assert sorted(entry["test"].removeprefix("test_model.py::test_") for entry in kept["decisions"]) == sorted(
        ["hostile", "hostile", "many", "open", "proven", "refuted", "skipped", "two", "two"]
    )
    hostile = [entry for entry in kept["decisions"] if entry["test"].endswith("hostile")]
    assert [part["label"] for entry in hostile for part in entry["decision"]["parts"]] == HOSTILE
    (refuted,) = [entry["decision"] for entry in kept["decisions"] if entry["decision"]["answer"] == "refuted"]
    assert refuted["claim"]["estimate"] == 0.5

    cases = ElementTree.parse(tmp_path / "junit.xml").iter("testcase")
    noted = {case.get("name"): [p.get("value", "") for p in case.iter("property")] for case in cases}
    assert noted["test_plain"] == []
    assert noted["test_proven"][0].startswith("proven: error-rate: 0.0000, at most 0.0296, ")
    assert json.loads(noted["test_proven"][1])["answer"] == "proven"
    assert len(noted["test_two"]) == 4


NAMES: dict[str, list[str]] = {
    "proven": ["proven"],
    "refuted": ["refuted"],
    "open": ["not enough data"],
    "skipped": ["not enough data"],
    "two": ["proven"] * 2,
    "hostile": [],
    "many": ["proven"],
    "plain": [],
}


def test_where_nothing_is_decided_nothing_is_said(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--holdfast-json=decisions.json", suite=QUIET)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "holdfast" not in done.stdout.split("collected")[1]
    assert json.loads((tmp_path / "decisions.json").read_text())["decisions"] == []


@pytest.mark.long
def test_the_plugin_can_be_left_out(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "-p", "no:holdfast")
    assert "2 failed, 5 passed, 1 skipped" in done.stdout
    assert "error-rate: 0.500, at least 0.4" in done.stdout
    assert "= holdfast =" not in done.stdout


def test_a_file_that_cannot_be_written_fails_the_run_in_words(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--holdfast-json=nowhere/decisions.json", suite=QUIET)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Cannot write nowhere/decisions.json: No such file or directory." in section(done.stdout)
    assert "1 passed" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
