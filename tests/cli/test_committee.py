"""holdfast committee, as the shell calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.shapes import validate
from tests.snapshots import matches

EXAMPLES = Path(__file__).parents[2] / "examples"
SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
JUDGES = (str(EXAMPLES / "judges.csv"), "--truth", "person", "--models", "judge_*")
NEW = ("--unlabelled", str(EXAMPLES / "judges_new.csv"))
BEST = ("--share", "judge_a3=1", "--share", "judge_b3=1", "--share", "judge_c3=1.5")


def test_it_prints_every_way_side_by_side(run: Run) -> None:
    here = run("committee", *JUDGES, *NEW, "--vote", "majority")
    fitted = run("committee", *JUDGES, *BEST, "--fitted")
    assert (here.code, fitted.code) == (0, 0), here.err + fitted.err
    matches("cli_committee", here.out + "\n" + fitted.out)


def test_json_page_and_picture(run: Run) -> None:
    answer = run("committee", *JUDGES, *NEW, "--json", "--html", "page.html", "--chart", "ways.svg")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    validate(told, SHAPE)
    assert told["committee"]["vote"] == "majority"
    assert "linear programme" in Path("ways.svg").read_text(encoding="utf-8")
    assert "What each way needs" in Path("page.html").read_text(encoding="utf-8")


def test_every_claim_about_the_new_answers_is_so(run: Run) -> None:
    told = json.loads(run("committee", *JUDGES, *NEW, "--json").out)
    key = (EXAMPLES / "judges_key.csv").read_text(encoding="utf-8").split()[1:]
    rows = [line.split(",") for line in (EXAMPLES / "judges_new.csv").read_text(encoding="utf-8").split()[1:]]
    wrong = sum(row.count(truth) < 5 for row, truth in zip(rows, key, strict=True)) / len(key)
    here = [claim for claim in told["claims"] if claim["measure"] == "unlabelled-vote-error-rate"]
    assert len(here) == 6
    assert all(claim["lower"] <= wrong <= claim["upper"] for claim in here)


def test_a_judge_that_nobody_checked_is_inferred_from_the_others(run: Run) -> None:
    some = ",".join(f"judge_{family}{size}" for family in "abc" for size in (1, 2))
    answer = run("committee", JUDGES[0], "--truth", "person", "--models", some, *NEW, "--target", "judge_b3")
    assert answer.code == 0, answer.err
    assert "judge_b3 errs on between" in " ".join(answer.out.split())
    assert "tested directly" not in answer.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*JUDGES, "--vote", "weighted"), "needs --share"),
        ((*JUDGES, "--vote", "majority", *BEST), "one vote in a majority"),
        ((*JUDGES, "--fitted"), "give --share"),
        ((*JUDGES, "--target", "judge_a1"), "give both"),
        ((*JUDGES, *NEW, "--target", "judge_x"), "judge_x"),
        ((*JUDGES, "--chart", "forest.svg"), "ways"),
    ],
)
def test_what_is_wrong_is_one_line(run: Run, arguments: tuple[str, ...], said: str) -> None:
    answer = run("committee", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("holdfast: ")
    assert answer.err.count("\n") == 1
