"""Scores on the command line: alone, at an operating point, left out, and where nobody asked for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli import parsed, tidy
from tests.snapshots import matches

ROWS = ["spam,spam,0.9,a", "ham,ham,0.2,a", "spam,ham,0.4,b", "ham,ham,0.1,b"] * 5
STRAY = ["ill,ill,0.9,0.8,x", "healthy,healthy,0.2,0.1,y", "ill,healthy,0.4,0.3,z"] * 5


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    def written(name: str, header: str, rows: list[str]) -> None:
        (tmp_path / name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")

    written("both.csv", "truth,predicted,score,place", ROWS)
    written("scores.csv", "y,p", [",".join(row.split(",")[::2]) for row in ROWS])
    written("gaps.csv", "truth,predicted,score,place", [*ROWS, "ham,ham,,b", "spam,spam,nan,a"])
    written("med.csv", "disease,call_a,score_a,score_b,score_note", STRAY)


SHOWN = {
    "scores_alone": "assess scores.csv --truth y --score p --positive spam",
    "operating_point": "assess both.csv --operating-point 0.3 --positive spam --by place",
    "stray_scores": "assess med.csv --truth disease --predicted call_a",
    "gaps": "assess gaps.csv --positive spam",
    "gate": "gate scores.csv --truth y --positive spam --measure recall --at-least 0.5 --operating-point 0.3",
}


def test_what_is_printed(run: Run) -> None:
    answers = {name: run(*line.split()) for name, line in SHOWN.items()}
    assert {name: (answer.code, answer.err) for name, answer in answers.items()} == dict.fromkeys(SHOWN, (0, ""))
    told = (f"$ holdfast {SHOWN[name]}\n{tidy(answer.out)}" for name, answer in answers.items())
    matches("cli_scores", "\n".join(told))


REFUSED = (
    "assess scores.csv --truth y --positive spam --measure recall",
    "assess scores.csv --truth y --score p",
    "assess scores.csv --truth y --no-score",
    "assess both.csv --no-score --operating-point 0.3 --positive spam",
    "assess both.csv --no-score --score score",
    "assess both.csv --operating-point 0.3",
    "assess gaps.csv --positive spam --operating-point 0.3",
    "assess gaps.csv --positive spam --measure auc",
    "gate gaps.csv --positive spam --measure auc --at-least 0.5",
    "gate scores.csv --truth y --positive spam --at-most 0.5",
    "assess med.csv --truth disease --predicted call_a --measure auc",
    "assess med.csv --truth disease --predicted call_a --score a=score_a --score b=score_b",
    "assess med.csv --truth disease --predicted call_a --score score_note --positive ill",
    "threshold med.csv --truth disease --positive ill --specificity-at-least 0.1",
)


def test_what_is_refused(run: Run) -> None:
    answers = [run(*line.split()) for line in REFUSED]
    assert {(answer.code, answer.out) for answer in answers} == {(2, "")}
    told = (f"$ holdfast {line}\n{answer.err}" for line, answer in zip(REFUSED, answers, strict=True))
    matches("cli_scores_refused", "".join(told))


@pytest.mark.parametrize(
    "line",
    [
        "assess med.csv --truth disease --predicted call_a --measure recall",
        "assess med.csv --truth disease --predicted call_a --no-score",
        "assess med.csv --truth disease --predicted call_a --cluster score_note",
        "assess med.csv --truth disease --predicted call_a --by score_note",
        "gate med.csv --truth disease --predicted call_a --at-most 0.7",
        "gate gaps.csv --at-most 0.7",
        "gate scores.csv --truth y --positive spam --measure auc --at-least 0.1",
        "threshold med.csv --truth disease --positive ill --score score_a --specificity-at-least 0.1",
    ],
)
def test_stray_columns_of_scores_break_nothing(run: Run, line: str) -> None:
    answer = run(*line.split())
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("value", ["high", "inf"])
def test_a_score_that_is_none(run: Run, tmp_path: Path, value: str) -> None:
    (tmp_path / "odd.csv").write_text(f"truth,predicted,score\n0,0,{value}\n1,1,0.2\n", encoding="utf-8")
    told = parsed(run("assess", "odd.csv", "--json"))
    assert told["errors"] == 0
    assert any("were left out" in note for note in told["notes"])
    for words in (("--score", "score"), ("--measure", "auc"), ("--bins", "3")):
        answer = run("assess", "odd.csv", *words)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("holdfast: ")


def test_pages_and_pictures_without_predictions(run: Run) -> None:
    line = "assess scores.csv --truth y --positive spam --html page.html --chart roc.svg --chart forest.svg"
    assert run(*line.split()).code == 0
    assert "there are no predictions" in Path("page.html").read_text(encoding="utf-8")
    answer = run("assess", "scores.csv", "--truth", "y", "--positive", "spam", "--chart", "matrix.svg")
    assert (answer.code, "These data bear no picture matrix" in answer.err) == (2, True)
