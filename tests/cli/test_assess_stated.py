"""holdfast assess with what is stated beside the answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli import parsed, tidy
from tests.snapshots import matches

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "predictions.csv")
COSTS = str(Path(__file__).parents[2] / "examples" / "costs.csv")


@pytest.fixture
def answers(tmp_path: Path) -> str:
    random = np.random.default_rng(3)
    rows = [
        (i // 5, random.choice(["DE", "FR"]), random.choice(["phone", "desk"]), random.normal()) for i in range(200)
    ]
    text = "\n".join(
        f"p{passage},{country},{device},{margin:.3f},{int(margin > -1)}" for passage, country, device, margin in rows
    )
    (tmp_path / "answers.csv").write_text(f"passage,country,device,margin,passed\n{text}\n", encoding="utf-8")
    return "answers.csv"


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("groups", ["--by", "country,device", "--simultaneous"]),
        ("divisions", ["--by", "country", "--by", "device"]),
        ("clusters", ["--cluster", "passage", "--pass-at", "1,3"]),
        ("capped", ["--cluster", "passage", "--max-cluster", "5", "--simultaneous"]),
        ("margin", ["--margin-column", "margin", "--alpha", "2"]),
    ],
)
def test_answers(run: Run, answers: str, name: str, words: list[str]) -> None:
    told = run("assess", answers, "--correct", "passed", *words)
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    matches(f"cli_assess_{name}", tidy(told.out))
    assert len(parsed(run("assess", answers, "--correct", "passed", *words, "--json"))["claims"]) >= 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("costs", ["--costs", COSTS]),
        ("bins", ["--bins", "5"]),
        ("edges", ["--bins", "0,0.1,0.9,1"]),
        ("by_class", ["--sampling", "by-class"]),
        ("prevalence", ["--sampling", "by-class", "--prevalence", "malignant=0.002", "--costs", COSTS]),
    ],
)
def test_predictions(run: Run, name: str, words: list[str]) -> None:
    told = run("assess", EXAMPLE, "--positive", "malignant", *words)
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    matches(f"cli_assess_{name}", tidy(told.out))
    parsed(run("assess", EXAMPLE, "--positive", "malignant", *words, "--json"))


@pytest.mark.parametrize(
    "words",
    [
        ["--prevalence", "malignant"],
        ["--prevalence", "malignant=much"],
        ["--prevalence", "=0.1"],
        ["--bins", "some"],
        ["--pass-at", "two", "--cluster", "score"],
        ["--weight", "scor"],
        ["--weight", "score", "--max-weight", "0.1"],
        ["--max-weight", "2"],
        ["--costs", "nowhere.csv"],
        ["--by", "countr"],
        ["--cluster", "passag"],
        ["--classes", "1,2"],
    ],
)
def test_one_line_and_exit_code_2(run: Run, words: list[str]) -> None:
    told = run("assess", EXAMPLE, *words)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("holdfast: ")
    assert len(told.err) <= 620
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--pass-at", "1.5", "--cluster", "passage"], "whole number"),
        (["--pass-at", "inf", "--cluster", "passage"], "--pass-at takes numbers"),
        (["--bins", "nan"], "--bins takes numbers"),
        (["--bins", "inf"], "--bins takes numbers"),
        (["--by", "country,country"], "several different ones"),
        (["--prevalence", "a=0.1", "--prevalence", "a=0.2"], "names 'a' twice"),
    ],
)
def test_numbers_and_names_that_make_no_sense_are_refused(run: Run, answers: str, words: list[str], told: str) -> None:
    refused = run("assess", answers, "--correct", "passed", *words)
    assert refused.code == 2
    assert told in refused.err
    assert "Traceback" not in refused.err
