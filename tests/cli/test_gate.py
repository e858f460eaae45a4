"""holdfast gate: the exit code is the answer; text, JSON, JUnit and annotations say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import holdfast as hf
from tests.cli.conftest import Answer, Run
from tests.cli.test_cli import tidy
from tests.shapes import validate
from tests.snapshots import matches

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "decision-1.json").read_text(encoding="utf-8"))
ROWS = [
    *(["fraud,fraud,de,a,0.9"] * 47 + ["fraud,fine,fr,b,0.2"] * 3),
    *(["fine,fine,de,b,0.1"] * 940 + ["fine,fraud,fr,b,0.6"] * 10),
]
CONDITIONS = '[[condition]]\nat_most = 0.05\n\n[[condition]]\nmeasure = "recall"\nlabel = "fraud"\nat_least = 0.5\n'


@pytest.fixture(autouse=True)
def predictions(tmp_path: Path) -> None:
    text = "\n".join(["truth,predicted,land,kind,score", *ROWS])
    (tmp_path / "p.csv").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "gate.toml").write_text(CONDITIONS, encoding="utf-8")
    costs = "predicted \\ actual,fraud,fine\nfraud,0,1\nfine,10,0\n"
    (tmp_path / "costs.csv").write_text(costs, encoding="utf-8")


def ask(run: Run, line: str) -> Answer:
    return run(*line.split())


def parsed(answer: Answer) -> dict[str, Any]:
    decision: dict[str, Any] = json.loads(answer.out)
    validate(decision, SHAPE)
    return decision


@pytest.mark.crossing(7)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--at-most 0.05", 0),
        ("--measure error-rate --at-most 0.05", 0),
        ("--at-most 0.005", 1),
        ("--measure accuracy --at-least 0.99", 3),
        ("--measure recall --label fraud --at-least 0.8", 0),
        ("--measure recall --positive fraud --at-least 0.8", 0),
        ("--measure recall --label fraud --at-least 0.9 --looks 10", 3),
        ("--measure recall --label fraud --at-least 0.99 --sequential", 3),
        ("--measure recall --label fraud --at-least 0.5 --sequential", 0),
        ("--measure auc --positive fraud --at-least 0.5", 0),
        ("--conditions gate.toml", 0),
        ("--conditions gate.toml --by land", 1),
        ("--at-most 0.05 --by land", 1),
        ("--at-most 0.05 --confidence 0.999999", 0),
        ("--at-most 0.02 --confidence 0.999999", 3),
        ("--at-most 0.05 --method hoeffding", 3),
        ("--at-most 0.1 --cluster kind", 3),
        ("--at-most 0.1 --cluster kind --max-cluster 1000", 3),
        ("--measure expected-cost --costs costs.csv --at-most 0.5", 0),
        ("--measure accuracy --at-least 0.5 --sampling by-class --prevalence fraud=0.5", 0),
        ("", 2),
        ("--at-most 0.1 --cluster kind --sequential", 2),
        ("--at-most 0.1 --by land --sampling by-class", 2),
        ("--at-most 0.05 --at-least 0.01", 2),
        ("--at-most 5", 2),
        ("--at-most five", 2),
        ("--measure eror-rate --at-most 0.05", 2),
        ("--truth truth --predicted predicted --measure recall --label x --at-least 0.9", 2),
        ("--measure recall --label fruad --at-least 0.9", 2),
        ("--at-most 0.05 --looks 0", 2),
        ("--at-most 0.05 --looks 3 --sequential", 2),
        ("--measure mcc --at-least 0.5 --sequential", 2),
        ("--conditions gate.toml --at-most 0.05", 2),
        ("--conditions nowhere.toml", 2),
        ("--at-most 0.05 --by nowhere", 2),
        ("--at-most 0.05 --junit nowhere/x.xml", 2),
    ],
)
def test_the_exit_code_is_the_answer(run: Run, words: str, code: int) -> None:
    answer = run("gate", "p.csv", *words.split())
    assert answer.code == code, answer.out + answer.err
    if code == 2:
        assert answer.out == ""
        assert answer.err.startswith("holdfast: ")
        assert len(answer.err) < 400
        assert "Traceback" not in answer.err
    else:
        assert answer.err == ""
        assert answer.out.startswith({0: "proven: ", 1: "refuted: ", 3: "not enough data: "}[code])
        assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "answer", "code"),
    [
        ("--at-most 0.05", "supported (large n)", 0),
        ("--at-most 0.005", "contradicted (large n)", 1),
        ("--at-most 0.013", "not enough data", 3),
        ("--at-most 0.5 --by kind", "supported (large n)", 0),
    ],
)
def test_what_holds_for_large_n_decides_where_that_is_accepted(run: Run, words: str, answer: str, code: int) -> None:
    line = f"gate p.csv {words} --method wilson"
    alone, accepted = ask(run, line), ask(run, f"{line} --accept large-n")
    assert (alone.code, accepted.code) == (3, code)
    assert alone.out.startswith(f"{answer}: ")
    assert accepted.out.startswith(f"{answer}: ")
    assert "only where --accept large-n says so" in " ".join(alone.out.split())
    told = parsed(ask(run, f"{line} --accept large-n --json"))
    assert (told["answer"], told["accept"], told["exit_code"]) == (answer, "large-n", code)


def test_the_file_of_conditions_may_accept_large_n(run: Run, tmp_path: Path) -> None:
    text = 'method = "wilson"\naccept = "large-n"\n[[condition]]\nat_most = 0.05\n'
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    assert ask(run, "gate p.csv --conditions own.toml").code == 0
    (tmp_path / "own.toml").write_text(text.replace("large-n", "all"), encoding="utf-8")
    refused = ask(run, "gate p.csv --conditions own.toml")
    assert (refused.code, refused.err) == (
        2,
        "holdfast: There is no thing to accept named 'all'; choose from large-n.\n",
    )


def test_each_condition_with_its_method_and_how_firmly_it_holds(run: Run) -> None:
    told = " ".join(ask(run, "gate p.csv --conditions gate.toml").out.split())
    assert (
        "error-rate at most 0.05 clopper-pearson every n recall of fraud at least 0.5 clopper-pearson every n" in told
    )
    assert "intersection-union" in told
    assert parsed(ask(run, "gate p.csv --conditions gate.toml --json"))["rule"] == "intersection-union"


def test_a_class_must_be_named_where_none_is_obvious(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("truth,predicted\na,a\nb,b\na,b\n", encoding="utf-8")
    refused = ask(run, "gate q.csv --measure recall --at-least 0.9")
    assert refused.code == 2
    assert "name it with --label, one of a, b" in refused.err


def test_text_and_json(run: Run) -> None:
    words = ("gate", "p.csv", "--measure", "recall", "--label", "fraud", "--at-least", "0.9")
    answer = run(*words)
    matches("cli_gate", tidy(answer.out))
    told = run(*words, "--json")
    decision = parsed(told)
    assert (told.code, decision["answer"]) == (3, "not enough data")
    assert (
        decision["provenance"]["command"] == "holdfast gate p.csv --measure recall --label fraud --at-least 0.9 --json"
    )
    assert decision["claim"]["side"] == "lower"
    assert (decision["label"], decision["at_least"], decision["delta"]) == ("fraud", 0.9, 0.05)
    assert decision["needed"] > 1000


def test_the_python_call_says_the_same(run: Run) -> None:
    here = hf.gate(hf.read("p.csv"), measure="recall", label="fraud", at_least=0.9, looks=10)
    there = parsed(ask(run, "gate p.csv --measure recall --label fraud --at-least 0.9 --looks 10 --json"))
    mine = json.loads(here.to_json())
    del mine["provenance"]["command"], there["provenance"]["command"]
    assert mine == there


def test_the_file_of_conditions_sets_and_the_command_line_overrides(run: Run, tmp_path: Path) -> None:
    text = 'confidence = 0.9\nlooks = 4\npositive = "fraud"\n[[condition]]\nmeasure = "recall"\nat_least = 0.5\n'
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    decision = parsed(ask(run, "gate p.csv --conditions own.toml --json"))
    assert (decision["delta"], decision["label"]) == (pytest.approx(0.1), "fraud")
    assert decision["claim"]["delta"] == pytest.approx(0.025)
    decision = parsed(ask(run, "gate p.csv --conditions own.toml --confidence 0.99 --looks 2 --json"))
    assert decision["claim"]["delta"] == pytest.approx(0.005)
    (tmp_path / "delta.toml").write_text("delta = 0.2\n[[condition]]\nat_most = 0.05\n", encoding="utf-8")
    assert parsed(ask(run, "gate p.csv --conditions delta.toml --json"))["delta"] == 0.2
    assert parsed(ask(run, "gate p.csv --conditions delta.toml --confidence 0.9 --json"))["delta"] == 0.1


def test_groups(run: Run) -> None:
    decision = parsed(ask(run, "gate p.csv --at-most 0.05 --by land --json"))
    assert {part["group"]: part["answer"] for part in decision["parts"]} == {"land=de": "proven", "land=fr": "refuted"}
    crossed = parsed(ask(run, "gate p.csv --at-most 0.05 --by land,kind --json"))
    assert crossed["parts"][0]["group"] == "land=de, kind=a"


def test_junit(run: Run, tmp_path: Path) -> None:
    answer = ask(run, "gate p.csv --conditions gate.toml --by land --junit out.xml")
    assert answer.code == 1
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")


def test_github(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    answer = ask(run, "gate p.csv --at-most 0.005 --github")
    assert answer.code == 1
    told = answer.out.splitlines()
    assert told[0].startswith("::stop-commands::")
    assert told[1].startswith("refuted: ")
    assert told[-1].startswith("::error title=refuted")
    assert "refuted" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    both = ask(run, "gate p.csv --at-most 0.005 --github --json")
    assert parsed(both)["answer"] == "refuted"
    assert both.err.startswith("::error ")


def test_help(run: Run) -> None:
    answer = run("gate", "--help")
    assert answer.code == 0
    for word in ("--at-most", "--looks", "--sequential", "--conditions", "--junit", "--github", "predictions.csv"):
        assert word in answer.out
