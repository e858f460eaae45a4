"""--labels and --correct of every verb that reads answers: what is refused, and how one insists."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli import parsed
from tests.snapshots import matches

GOLD = ["Answer: 1", "Answer: 2"] * 20
ALL = "1,2,Answer: 1,Answer: 2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    said = ["1", "2"] * 20
    wide = {
        "id": range(40),
        "gold": GOLD,
        "alpha": said,
        "beta": ["2"] * 40,
        "gamma": GOLD,
        "p": [i / 41 for i in range(1, 41)],
    }
    pl.DataFrame(wide).write_csv(tmp_path / "llm.csv")
    pl.DataFrame({"truth": [0, 1] * 20, "predicted": wide["p"]}).write_csv(tmp_path / "p.csv")
    grades = {"id": [*range(6)] * 2, "model": ["a"] * 6 + ["b"] * 6, "grade": ["C", "I", "P", "C", "C", "I"] * 2}
    pl.DataFrame(grades).write_csv(tmp_path / "grades.csv")
    pl.DataFrame(grades).head(6).drop("model").write_csv(tmp_path / "one.csv")
    marks = {
        "passed": ["1.0", "0.0"] * 10,
        "site": ["x", "y"] * 10,
        "part": [1.0, 0.5] * 10,
        "word": ["ok", "bad"] * 10,
    }
    pl.DataFrame(marks).write_csv(tmp_path / "marks.csv")
    return tmp_path


TRUTH = ("llm.csv", "--truth", "gold")
POSITIVE = ("--positive", "Answer: 2", "--specificity-at-least", "0.5")
NEVER = {
    "assess": ("assess", *TRUTH, "--predicted", "alpha"),
    "assess, groups": ("assess", *TRUTH, "--predicted", "alpha", "--by", "beta"),
    "assess, clusters": ("assess", *TRUTH, "--predicted", "alpha", "--cluster", "beta"),
    "gate": ("gate", *TRUTH, "--predicted", "alpha", "--at-most", "0.2"),
    "threshold": ("threshold", *TRUTH, *("--predicted", "alpha", "--score", "p"), *POSITIVE),
    "compare": ("compare", *TRUTH, "--models", "alpha,beta", "--margin", "0.02"),
    "panel": ("panel", *TRUTH, "--models", "alpha,beta"),
    "committee": ("committee", *TRUTH, "--models", "alpha,beta"),
}


@pytest.mark.parametrize("verb", NEVER)
def test_labels_that_never_match_are_refused_unless_they_are_declared(run: Run, folder: Path, verb: str) -> None:
    refused = run(*NEVER[verb])
    assert (refused.code, refused.out) == (2, "")
    assert "truth holds 'Answer: 1' and 'Answer: 2', " in refused.err
    assert "Does 'Answer: 1' mean '1'? If all are wrong indeed, list all labels with" in refused.err
    insisted = run(*NEVER[verb], "--labels", ALL)
    assert insisted.code in (0, 1, 3), insisted.err


def test_probabilities_are_no_predictions(run: Run, folder: Path) -> None:
    for verb in (("assess",), ("gate", "--at-most", "0.1")):
        refused = run(verb[0], "p.csv", *verb[1:])
        assert refused.code == 2
        assert "40 different numbers such as 0.024" in refused.err
        assert "these look like scores: give them to assess as" in refused.err


@pytest.mark.parametrize("verb", ["compare", "panel", "committee"])
def test_one_model_that_never_matches_is_named_in_the_report(run: Run, folder: Path, verb: str) -> None:
    report = parsed(run(verb, *TRUTH, "--models", "alpha,gamma", "--json"))
    (note,) = [note for note in report["notes"] if "never" in note and "label of the truth" in note]
    assert note.startswith("'alpha' never gives a label of the truth")


def test_labels_have_an_order_and_may_not_occur(run: Run, folder: Path) -> None:
    report = parsed(
        run("assess", *TRUTH, "--predicted", "gamma", "--labels", "Answer: 2, Answer: 1,Answer: 3", "--json")
    )
    assert report["contingency"]["labels"] == ["Answer: 2", "Answer: 1", "Answer: 3"]
    refused = run("assess", *TRUTH, "--predicted", "gamma", "--labels", "Answer: 2")
    assert (refused.code, "which --labels does not list" in refused.err) == (2, True)
    assert "names a label without a name" in run("assess", *TRUTH, "--labels", "a,,b").err
    assert "--labels says nothing beside --folds" in run("compare", "x.csv", "--folds", "f", "--labels", "a,b").err


def test_a_file_of_conditions_may_list_labels(run: Run, folder: Path) -> None:
    wanted = "labels = ['1', '2', 'Answer: 1', 'Answer: 2']\n[[condition]]\nmeasure = 'error-rate'\nat_most = 0.1\n"
    (folder / "gate.toml").write_text(wanted, encoding="utf-8")
    assert run("gate", *TRUTH, "--predicted", "alpha", "--conditions", "gate.toml").code == 1


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("correct", "errors"),
    [("passed", 10), ("passed=1", 10), ("passed=0", 10), ("part=1", 10), ("part=1,0.5", 0), ("word=ok", 10)],
)
def test_right_or_wrong_however_it_is_written(run: Run, folder: Path, correct: str, errors: int) -> None:
    for more in ((), ("--cluster", "site")) if correct == "passed" else ((),):
        assert parsed(run("assess", "marks.csv", "--correct", correct, *more, "--json"))["errors"] == errors
    assert run("gate", "marks.csv", "--correct", correct, "--at-most", "0.9").code == 0


def test_grades_of_several_models(run: Run, folder: Path) -> None:
    answer = parsed(run("compare", "grades.csv", "--correct", "grade=C,P", "--json"))
    assert [
        claim["estimate"] for claim in answer["claims"] if claim.get("model") == "a" and not claim.get("against")
    ] == [1 / 3]
    pl.DataFrame({"a": ["C", "I"] * 5, "b": ["C"] * 10}).write_csv("wide.csv")
    assert run("compare", "wide.csv", "--pass-fail").code == 0


def test_what_is_neither_right_nor_wrong(run: Run, folder: Path) -> None:
    told = []
    for arguments in (
        ("assess", "one.csv", "--correct", "grade"),
        ("assess", "one.csv", "--correct", "grade=c"),
        ("assess", "one.csv", "--correct", "grade="),
        ("assess", "one.csv", "--correct", "grad=C"),
        ("assess", "marks.csv", "--correct", "part"),
        ("gate", "marks.csv", "--correct", "word", "--at-most", "0.1"),
        ("compare", "grades.csv", "--correct", "grade"),
        ("compare", "grades.csv", "--correct", "grade=B"),
    ):
        refused = run(*arguments)
        assert (refused.code, refused.out) == (2, "")
        told.append(f"{' '.join(arguments)}\n  {refused.err}")
    matches("cli_correct_errors", "".join(told))
