"""holdfast panel, as the shell calls it."""

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
    validate(told, SHAPE)
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
    validate(told, SHAPE)
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
        ((*JUDGES, "--share", "judge_a1"), "MODEL=PART"),
        ((*JUDGES, "--share", "judge_a1=1", "--share", "judge_a1=2"), "names 'judge_a1' twice"),
        ((*JUDGES, "--share", "judge_x=1"), "judge_x"),
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


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    """Pages of four rows, in two countries; a row of the second half weighs twice as much."""
    rows = ["truth,ant,bee,page,country,weight,chance"]
    for place in range(160):
        truth, bad = place % 2, place % 4 == 3 and place % 12 > 4
        ant, bee = (1 - truth if wrong else truth for wrong in (bad, place % 5 == 0))
        weight = 1 if place < 80 else 2
        rows.append(f"{truth},{ant},{bee},{place // 4},{'FR' if place % 8 < 4 else 'DE'},{weight},{1 / weight}")
    file = tmp_path / "drawn.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(file)


MODELS = ("--models", "ant,bee")


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        (("--cluster", "page"), {"clusters": "page"}),
        (("--cluster", "page", "--max-cluster", "6"), {"clusters": "page", "max_cluster": 6}),
        (("--weight", "weight", "--max-weight", "2"), {"weights": "weight", "max_weight": 2.0}),
        (("--inclusion", "chance", "--max-weight", "2"), {"inclusion": "chance", "max_weight": 2.0}),
        (
            ("--strata", "country", "--strata-shares", "FR=0.3,DE=0.7"),
            {"strata": "country", "shares": {"FR": 0.3, "DE": 0.7}},
        ),
        (("--sampling", "by-class", "--prevalence", "1=0.1"), {"sampling": "by-class", "prevalence": {"1": 0.1}}),
        (("--by", "country", "--cluster", "page"), {"by": "country", "clusters": "page"}),
    ],
)
@pytest.mark.parametrize("verb", ["panel", pytest.param("committee", marks=pytest.mark.long)])
def test_designs_are_stated_as_in_python(
    run: Run, drawn: str, verb: str, options: tuple[str, ...], keywords: dict[str, object]
) -> None:
    import polars as pl

    rows = pl.read_csv(drawn)
    stated = {name: rows[value] if value in rows.columns else value for name, value in keywords.items() if name != "by"}  # type: ignore[operator]
    stated |= {"groups": {"country": rows["country"]}} if "by" in keywords else {}
    expected = getattr(hf, verb)(rows["truth"], {name: rows[name] for name in ("ant", "bee")}, **stated)
    answer = run(verb, drawn, *MODELS, *options, "--json", "--html", "page.html")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    validate(told, SHAPE)
    assert told["claims"] == json.loads(expected.to_json())["claims"]
    text = run(verb, drawn, *MODELS, *options)
    assert text.code == 0, text.err
    assert ("country=DE" in text.out) is ("--by" in options)


def test_what_models_weigh_is_a_share_and_the_old_name_still_reads(run: Run, drawn: str) -> None:
    new = run("panel", drawn, *MODELS, "--share", "ant=2", "--share", "bee=1", "--json")
    old = run("panel", drawn, *MODELS, "--weight", "ant=2", "--weight", "bee=1", "--json")
    assert (new.code, old.code) == (0, 0), new.err + old.err
    assert json.loads(new.out)["claims"] == json.loads(old.out)["claims"]
    assert "--weight MODEL=PART is called --share now" in old.err
    assert "called" not in new.err
    both = run("committee", drawn, *MODELS, "--share", "ant=2", "--weight", "weight", "--max-weight", "2")
    assert both.code == 0, both.err
    assert "weighted vote" in both.out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--share", "ant=2", "--weight", "bee=1"), "give one of them"),
        (("--weight", "weight", "--weight", "chance"), "names one column"),
        (("--weight", "wait"), "wait"),
        (("--weight", "weight", "--inclusion", "chance"), "not both"),
        (("--sampling", "by-class"), "state that by --prevalence"),
        (("--max-cluster", "4"), "give --cluster"),
        (("--cluster", "page", "--max-cluster", "3"), "more than the 3"),
        (("--by", "continent"), "continent"),
    ],
)
def test_what_a_design_cannot_be_is_one_line(run: Run, drawn: str, options: tuple[str, ...], why: str) -> None:
    answer = run("panel", drawn, *MODELS, *options)
    assert (answer.code, answer.out) == (2, "")
    assert why in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize("verb", ["panel", "committee"])
def test_unlabelled_inputs_beside_a_design_are_refused_for_want_of_a_theorem(run: Run, drawn: str, verb: str) -> None:
    Path("new.csv").write_text("ant,bee\n0,1\n1,1\n", encoding="utf-8")
    for options in (("--cluster", "page"), ("--weight", "weight"), ("--prevalence", "1=0.1")):
        answer = run(verb, drawn, *MODELS, *options, "--unlabelled", "new.csv")
        assert (answer.code, answer.out) == (2, "")
        assert "no theorem here says" in answer.err


@pytest.mark.parametrize("verb", ["panel", "committee"])
def test_labels_in_a_file_of_their_own_are_joined(run: Run, verb: str) -> None:
    Path("all.csv").write_text("truth,ant,bee,cat\na,a,b,a\nb,b,b,a\na,b,a,a\nb,b,b,b\n", encoding="utf-8")
    Path("labels.csv").write_text("item,truth\n1,a\n2,b\n3,a\n4,b\n", encoding="utf-8")
    Path("answers.csv").write_text("item,ant,bee,cat\n4,b,b,b\n3,b,a,a\n2,b,b,a\n1,a,b,a\n", encoding="utf-8")
    whole = run(verb, "all.csv", "--json")
    joined = run(verb, "answers.csv", "--truth-file", "labels.csv", "--on", "item", "--json")
    assert (whole.code, joined.code) == (0, 0), whole.err + joined.err
    assert json.loads(joined.out)["claims"] == json.loads(whole.out)["claims"]
    alone = run(verb, "answers.csv", "--on", "item")
    assert (alone.code, alone.out) == (2, "")
    assert "--truth-file; give both" in alone.err
