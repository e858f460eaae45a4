"""holdfast panel, as the shell calls it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.snapshots import matches

EXAMPLES = Path(__file__).parents[2] / "examples"
SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
JUDGES = (str(EXAMPLES / "judges.csv"), "--truth", "person", "--models", "judge_*")
NEW = ("--unlabelled", str(EXAMPLES / "judges_new.csv"))


def test_it_prints_the_average_the_spread_the_best_and_each(run: Run) -> None:
    at_large, here = run("panel", *JUDGES), run("panel", *JUDGES, *NEW)
    assert (at_large.code, here.code) == (0, 0), at_large.err + here.err
    matches("cli_panel", at_large.out + "\n" + here.out)


def test_json_page_and_pictures(run: Run) -> None:
    answer = run(
        *("panel", *JUDGES, *NEW, "--json", "--html", "page.html"),
        *("--chart", "model-errors.svg", "--chart", "map.svg:agreement"),
    )
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    jsonschema.validate(told, SHAPE)
    assert told["panel"]["unlabelled"] == 1000
    assert told["panel"]["selected"] == "judge_c3"
    assert "judge_c3" in Path("model-errors.svg").read_text(encoding="utf-8")
    assert "clusters" in Path("map.svg").read_text(encoding="utf-8")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Certain from the inputs alone" in page
    assert "What this rests on" in page


def test_sets_of_models_are_told_side_by_side(run: Run) -> None:
    sets = [word for family in "abc" for word in ("--set", f"family {family}=judge_{family}*")]
    answer = run("panel", *JUDGES, *NEW, *sets, "--json", "--html", "page.html")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    jsonschema.validate(told, SHAPE)
    claims = [claim for claim in told["claims"] if claim["measure"] == "unlabelled-set-average-error-rate"]
    assert [claim["label"] for claim in claims] == ["family a", "family b", "family c"]
    assert "The average of each set of models" in Path("page.html").read_text(encoding="utf-8")


def test_what_is_claimed_of_the_new_answers_is_so(run: Run) -> None:
    told = json.loads(run("panel", *JUDGES, *NEW, "--json").out)
    key = (EXAMPLES / "judges_key.csv").read_text(encoding="utf-8").split()[1:]
    header, *rows = (line.split(",") for line in (EXAMPLES / "judges_new.csv").read_text(encoding="utf-8").split())
    rates = {
        name: sum(row[place] != truth for row, truth in zip(rows, key, strict=True)) / len(key)
        for place, name in enumerate(header)
    }
    own = {claim["model"]: claim for claim in told["claims"] if claim["measure"] == "unlabelled-error-rate"}
    assert all(own[name]["lower"] <= rate <= own[name]["upper"] for name, rate in rates.items())
    average = next(claim for claim in told["claims"] if claim["measure"] == "unlabelled-average-error-rate")
    assert average["lower"] <= sum(rates.values()) / 9 <= average["upper"]
    assert min(rates, key=lambda name: rates[name]) in told["may_be_best"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*JUDGES, "--unlabelled", "nowhere.csv"), "nowhere.csv"),
        ((*JUDGES, "--weight", "judge_a1"), "MODEL=PART"),
        ((*JUDGES, "--weight", "judge_a1=1", "--weight", "judge_a1=2"), "names 'judge_a1' twice"),
        ((*JUDGES, "--weight", "judge_x=1"), "judge_x"),
        ((*JUDGES, "--set", "trees"), "NAME=MODEL"),
        ((*JUDGES, "--set", "a=judge_a*", "--set", "a=judge_b*"), "names 'a' twice"),
        ((*JUDGES, "--set", "a=judge_a*", "--sets", "3"), "leave one out"),
        ((*JUDGES, "--set", "x=judge_x*"), "judge_x*"),
        ((*JUDGES, "--chart", "forest.svg"), "model-errors"),
        ((*JUDGES[:1], "--models", "judge_*", "--truth", "nobody"), "nobody"),
        (("-", "--truth", "person", "--unlabelled", "-"), "can be read once"),
        ((*JUDGES, "--unlabelled", JUDGES[0]), "stand for further inputs"),
    ],
)
def test_what_is_wrong_is_one_line(run: Run, arguments: tuple[str, ...], said: str) -> None:
    answer = run("panel", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("holdfast: ")
    assert answer.err.count("\n") == 1
