"""Designs on the command line: weights, chances, strata, values and groups, and each wrong use in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.cli.test_cli import parsed
from tests.needs import module

SHARES = {"n": 0.3, "s": 0.7}


def frame() -> pl.DataFrame:
    random = np.random.default_rng(5)
    patient = np.sort(random.integers(0, 30, 120))
    weight = random.choice([0.5, 1.0, 2.0], 120)
    truth = random.choice(["ill", "well"], 120)
    predicted = np.where(random.random(120) < 0.8, truth, random.choice(["ill", "well"], 120))
    return pl.DataFrame(
        {
            "truth": truth,
            "predicted": predicted,
            "patient": patient,
            "region": np.where(patient % 3 == 0, "n", "s"),
            "w": weight,
            "chance": 0.25 / weight,
            "marks": random.choice([1, 2, 3, 4, 5], 120),
            "country": random.choice(["DE", "FR"], 120),
            "lead": np.where(truth == predicted, 0.5, -0.5),
        }
    )


@pytest.fixture
def rows(tmp_path: Path) -> str:
    frame().write_csv(tmp_path / "d.csv")
    return "d.csv"


def columns(*names: str) -> dict[str, Any]:
    return {name: frame()[name] for name in names}


ANSWERS: dict[str, tuple[list[str], Callable[[], hf.Report]]] = {  # the words, and the same in Python
    "weights": (
        ["--weight", "w", "--max-weight", "2"],
        lambda: hf.assess(**columns("truth", "predicted"), weights=frame()["w"], max_weight=2),
    ),
    "uncapped": (["--weight", "w"], lambda: hf.assess(**columns("truth", "predicted"), weights=frame()["w"])),
    "chances": (
        ["--inclusion", "chance", "--max-weight", "8"],
        lambda: hf.assess(**columns("truth", "predicted"), inclusion=frame()["chance"], max_weight=8),
    ),
    "strata": (
        ["--strata", "region", "--strata-shares", "n=0.3,s=0.7"],
        lambda: hf.assess(**columns("truth", "predicted"), strata=frame()["region"], shares=SHARES),
    ),
    "strata of clusters": (
        ["--strata", "region", "--strata-shares", "n=0.3,s=0.7", "--cluster", "patient", "--max-cluster", "12"],
        lambda: hf.assess(
            **columns("truth", "predicted"),
            design=hf.Design(clusters=frame()["patient"], max_cluster=12, strata=frame()["region"], shares=SHARES),
        ),
    ),
    "values": (
        ["--value", "marks", "--range", "1,5", "--levels", "1,2,3,4,5"],
        lambda: hf.assess(value=frame()["marks"], value_range=(1, 5), levels=(1, 2, 3, 4, 5)),
    ),
    "groups": (
        ["--by", "country", "--cluster", "patient", "--weight", "w", "--simultaneous"],
        lambda: hf.assess(
            **columns("truth", "predicted"),
            groups={"country": frame()["country"]},
            clusters=frame()["patient"],
            weights=frame()["w"],
            simultaneous=True,
        ),
    ),
    "margins": (
        ["--margin-column", "lead", "--weight", "w"],
        lambda: hf.assess(**columns("truth", "predicted"), margin=frame()["lead"], weights=frame()["w"]),
    ),
}


@pytest.mark.crossing(3)
@pytest.mark.parametrize("name", ANSWERS)
def test_it_says_what_python_says(run: Run, rows: str, name: str) -> None:
    words, call = ANSWERS[name]
    answer = run("assess", rows, *words)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    told = parsed(run("assess", rows, *words, "--json"))
    claims = json.loads(json.dumps(call().to_dict()["claims"]))
    for one, other in zip(told["claims"], claims, strict=True):
        for name, value in one.items():  # files and arrays may add up their weights in another order
            assert value == (pytest.approx(other[name], abs=1e-12) if isinstance(value, float) else other[name]), name


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        (ANSWERS["weights"][0], ["the weight of each row is known", "no row can weigh more", "squares"]),
        (ANSWERS["uncapped"][0], ["could change everything", "--max-weight"]),
        (ANSWERS["chances"][0], ["drawn with the chance stated"]),
        (ANSWERS["strata"][0], ["within each stratum", "as frequent as was stated", "fisher"]),
        (ANSWERS["values"][0], ["of all that they could be worth", "no value but the levels", "mean-value"]),
        (ANSWERS["groups"][0], ["country=DE", "the clusters are independent draws"]),
    ],
)
def test_it_is_said_how_rows_were_drawn_and_what_is_missing(
    run: Run, rows: str, words: list[str], sentences: list[str]
) -> None:
    told = " ".join(run("assess", rows, *words).out.split())
    assert [each for each in sentences if each not in told] == []


def test_shares_in_a_file(run: Run, rows: str, tmp_path: Path) -> None:
    (tmp_path / "shares.csv").write_text("stratum,share\nn,0.3\ns,0.7\n", encoding="utf-8")
    typed, read = (
        parsed(run("assess", rows, "--strata", "region", "--strata-shares", given, "--json"))["claims"]
        for given in ("n=0.3,s=0.7", "shares.csv")
    )
    assert typed == read


NUMBERS = ("estimate", "lower", "upper")


def differing(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Claims that do not say the same; shares make weights that are not whole, and sums of these have 12 digits."""
    pairs = [*zip(one, other, strict=True)]
    words = [(*({**claim, **dict.fromkeys(NUMBERS)} for claim in pair),) for pair in pairs]
    numbers = [np.array([[claim[name] for name in NUMBERS] for claim in pair], float) for pair in pairs]
    close = [np.allclose(*each, rtol=0, atol=1e-12) for each in numbers]
    return [pair[0] for pair, said, same in zip(pairs, words, close, strict=True) if said[0] != said[1] or not same]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "ndjson"])
def test_files_of_other_kinds_say_the_same(run: Run, rows: str, tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"d.{kind}"
    {"parquet": frame().write_parquet, "arrow": frame().write_ipc, "ndjson": frame().write_ndjson}[kind](file)
    words = [*ANSWERS["strata of clusters"][0], "--weight", "w", "--max-weight", "2", "--json"]
    text, other = (parsed(run("assess", each, *words)) for each in (rows, str(file)))
    assert not differing(text["claims"], other["claims"])


def test_a_page_and_what_it_says(run: Run, rows: str, tmp_path: Path) -> None:
    words = [*ANSWERS["groups"][0], "--max-weight", "2", "--max-cluster", "12", "--html", "d.html"]
    answer = run("assess", rows, *words)
    assert (answer.code, answer.err) == (0, "Page written to d.html\n")
    page = (tmp_path / "d.html").read_text(encoding="utf-8")
    for sentence in ("No row can weigh more than", "The clusters are independent draws", "country=DE"):
        assert sentence in page
    assert "he examples are independent draws" not in page
    answer = run("assess", rows, *ANSWERS["values"][0], "--html", "values.html")
    assert (answer.code, answer.err) == (0, "Page written to values.html\n")
    assert "mean-value" in (tmp_path / "values.html").read_text(encoding="utf-8")


def test_the_old_name_of_a_column_of_margins_is_read_with_a_note(run: Run, rows: str) -> None:
    old, new = (run("assess", rows, option, "lead", "--json") for option in ("--margin", "--margin-column"))
    assert (old.code, new.code, new.err) == (0, 0, "")
    assert old.err == "--margin COLUMN is called --margin-column now; the old name will go.\n"
    assert json.loads(old.out)["claims"] == json.loads(new.out)["claims"]


REFUSED: dict[str, tuple[list[str], str]] = {
    "no such column": (["--weight", "weigth"], "no column named 'weigth'"),
    "a weight above the most": (["--weight", "w", "--max-weight", "1"], "A row weighs 2, more than the 1"),
    "a most of nothing": (["--weight", "w", "--max-weight", "0"], "must be a number above 0"),
    "a most of no weights": (["--max-weight", "2"], "give --weight or --inclusion too"),
    "weights and chances": (["--weight", "w", "--inclusion", "chance"], "not both"),
    "a column for two roles": (["--weight", "patient", "--cluster", "patient"], "cannot be both"),
    "chances above one over the most": (["--inclusion", "chance", "--max-weight", "4"], "A row weighs 8"),
    "strata without shares": (["--strata", "region"], "how frequent each is in the population"),
    "shares without strata": (["--strata-shares", "n=0.3,s=0.7"], "give --strata too"),
    "shares below one": (["--strata", "region", "--strata-shares", "n=0.3,s=0.6"], "those stated add up to 0.9"),
    "a stratum without share": (["--strata", "region", "--strata-shares", "n=1"], "nothing of the stratum 's'"),
    "a stratum without row": (["--strata", "region", "--strata-shares", "n=.2,s=.7,w=.1"], "No row is of the stratum"),
    "a share that is a word": (["--strata", "region", "--strata-shares", "n=a,s=0.7"], "takes LABEL=SHARE"),
    "no such file": (["--strata", "region", "--strata-shares", "nowhere.csv"], "nowhere.csv"),
    "classes within strata": (
        ["--strata", "region", "--strata-shares", "n=0.3,s=0.7", "--sampling", "by-class"],
        "how frequent each class is in each stratum",
    ),
    "clusters of several classes": (
        ["--cluster", "patient", "--sampling", "by-class", "--prevalence", "ill=0.1"],
        "rows of several classes",
    ),
    "values out of their range": (["--value", "marks"], "outside of the range from 0 to 1"),
    "a range that falls": (["--value", "marks", "--range", "5,1"], "two rising numbers"),
    "levels that are not the range": (["--value", "marks", "--range", "1,5", "--levels", "1,3"], "begin and end"),
    "values off their levels": (["--value", "marks", "--range", "1,5", "--levels", "1,3,5"], "none of the levels"),
    "levels of nothing": (["--levels", "0,1"], "give --value"),
    "values and answers": (["--value", "marks", "--range", "1,5", "--truth", "truth"], "leave out --truth"),
    "values that are words": (["--value", "truth"], "value should be a number"),
    "both names of margins": (["--margin", "lead", "--margin-column", "lead"], "give one of them"),
}


def refused(run: Run, *words: str) -> str:
    """The one line on standard error that a wrong use is answered with."""
    answer = run("assess", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("holdfast: ")
    assert answer.err.count("\n") == 1
    assert len(answer.err) <= 620
    return answer.err


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_use_is_refused_in_one_line(run: Run, rows: str, name: str) -> None:
    words, sentence = REFUSED[name]
    assert sentence in refused(run, rows, *words)


@pytest.mark.parametrize(
    ("column", "value", "words", "sentence"),
    [
        ("w", "-1", ["--weight", "w"], "A weight of odd.csv is -1; weights are finite numbers from 0 on"),
        ("w", "inf", ["--weight", "w"], "A weight of odd.csv is inf"),
        ("w", "", ["--weight", "w"], "without a weight (row 4"),
        ("w", "nan", ["--weight", "w"], "without a weight (row 4"),
        ("w", "much", ["--weight", "w"], "row 4: weight should be a number; found 'much'"),
        ("chance", "0", ["--inclusion", "chance"], "A chance of being drawn of odd.csv is 0"),
        ("chance", "-0.5", ["--inclusion", "chance"], "A chance of being drawn of odd.csv is -0.5"),
        ("chance", "1.5", ["--inclusion", "chance"], "A chance of being drawn of odd.csv is 1.5"),
        ("chance", "", ["--inclusion", "chance"], "without a chance"),
        ("marks", "2.5", ["--value", "marks", "--range", "1,5", "--levels", "1,2,3,4,5"], "2.5, which is none"),
        ("marks", "", ["--value", "marks", "--range", "1,5"], "without value"),
        ("region", "", ["--strata", "region", "--strata-shares", "n=0.3,s=0.7"], "without a stratum"),
        ("region", "x", [*ANSWERS["strata of clusters"][0]], "rows of several strata"),
    ],
)
def test_one_odd_row_is_refused_in_one_line(
    run: Run, tmp_path: Path, column: str, value: str, words: list[str], sentence: str
) -> None:
    odd = frame().with_columns(pl.all().cast(pl.String))
    odd = odd.with_columns(pl.when(pl.int_range(pl.len()) == 3).then(pl.lit(value)).otherwise(column).alias(column))
    odd.write_csv(tmp_path / "odd.csv")
    assert sentence in refused(run, "odd.csv", *words)


def test_rows_without_a_weight_are_left_out_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    gaps = frame().with_columns(w=pl.when(pl.int_range(pl.len()) % 40 == 3).then(None).otherwise("w"))
    gaps.write_csv(tmp_path / "gaps.csv")
    gaps.drop_nulls("w").write_csv(tmp_path / "kept.csv")
    words = ["--weight", "w", "--max-weight", "2", "--json"]
    dropped, kept = run("assess", "gaps.csv", *words, "--missing", "drop"), run("assess", "kept.csv", *words)
    assert json.loads(dropped.out)["claims"] == json.loads(kept.out)["claims"]


# ---- bound


@pytest.mark.parametrize(
    ("values", "levels", "method"),
    [
        ("0\n0.5\n1\n" * 20, "0,0.5,1", "nested-fisher"),
        ("0\n1\n1\n" * 20, "0,1", "clopper-pearson"),
        ("0\n0.25\n1\n" * 20, "0,0.25,0.5,1", "squares"),
    ],
)
def test_bound_of_losses_with_levels(run: Run, tmp_path: Path, values: str, levels: str, method: str) -> None:
    (tmp_path / "f.csv").write_text("loss\n" + values, encoding="utf-8")
    (claim,) = parsed(run("bound", "--losses", "f.csv", "--levels", levels, "--json"))["claims"]
    assert (claim["method"], claim["guarantee"]) == (method, "FINITE")
    losses = hf.Losses([float(each) for each in values.split()], levels=[float(each) for each in levels.split(",")])
    told = hf.bound(losses)
    assert (claim["estimate"], claim["lower"], claim["upper"]) == (told.estimate, told.lower, told.upper)
    assert "no value but the levels stated can occur, which were fixed before any was seen" in claim["assumes"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--losses", "f.csv", "--levels", "0,0.6,1"], "0.5"),
        (["--losses", "f.csv", "--levels", "1,0"], "rising"),
        (["--errors", "3", "--n", "30", "--levels", "0,1"], "--levels goes with --losses"),
    ],
)
def test_levels_of_losses_that_make_no_sense(run: Run, tmp_path: Path, words: list[str], sentence: str) -> None:
    (tmp_path / "f.csv").write_text("loss\n" + "0\n0.5\n1\n" * 20, encoding="utf-8")
    answer = run("bound", *words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert sentence in answer.err


def test_a_table_of_duckdb_says_the_same(run: Run, rows: str, tmp_path: Path) -> None:
    duckdb = module("duckdb")
    held = duckdb.connect().read_parquet(written(tmp_path))
    read = hf.read(held, cluster="patient", weight="w", strata="region")
    design = {"max_cluster": 12, "max_weight": 2, "shares": SHARES}
    words = [*ANSWERS["strata of clusters"][0], "--weight", "w", "--max-weight", "2", "--json"]
    told = parsed(run("assess", rows, *words))["claims"]
    assert not differing(told, hf.assess(read, **design).to_dict()["claims"])


def written(folder: Path) -> str:
    frame().write_parquet(folder / "d.parquet")
    return str(folder / "d.parquet")


RANGE = {"ill": (0.03, 0.07)}


@pytest.mark.crossing(4)
@pytest.mark.parametrize("words", [[], ["--by", "country"], ["--weight", "w", "--max-weight", "2"], ["--simultaneous"]])
def test_a_range_of_prevalences_is_the_same_in_words_and_in_python(run: Run, rows: str, words: list[str]) -> None:
    keywords: dict[str, dict[str, Any]] = {
        "--by": {"groups": {"country": frame()["country"]}},
        "--weight": {"weights": frame()["w"], "max_weight": 2},
        "--simultaneous": {"simultaneous": True},
    }
    kept = keywords[words[0]] if words else {}
    told = parsed(run("assess", rows, "--prevalence", "ill=0.03..0.07", "--positive", "ill", *words, "--json"))
    report = hf.assess(**columns("truth", "predicted"), prevalence=RANGE, positive="ill", **kept)
    for one, other in zip(told["claims"], json.loads(json.dumps(report.to_dict()["claims"])), strict=True):
        assert (one["measure"], one["assumes"]) == (other["measure"], other["assumes"])
        assert (one["lower"], one["upper"]) == pytest.approx((other["lower"], other["upper"]), abs=1e-12)
    assert "0.03..0.07" in told["provenance"]["command"]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("limit", ["0.9", "0.2", "0.01"])
def test_a_gate_at_a_range_of_prevalences_decides_by_the_worst(run: Run, rows: str, limit: str) -> None:
    words = ("--measure", "error-rate", "--at-most", limit)
    code, out, err = run("gate", rows, *words, "--prevalence", "ill=0.03..0.07")
    ends = [run("gate", rows, *words, "--prevalence", f"ill={share}").code for share in (0.03, 0.07)]
    assert err == ""
    assert "at the worst of the frequencies stated" in " ".join(out.split())
    assert code == {"0.9": 0, "0.2": 3, "0.01": 1}[limit]
    assert code != 0 or ends == [0, 0]


@pytest.mark.crossing(4)
@pytest.mark.parametrize("verb", ["compare", "panel", "committee"])
def test_what_sets_models_side_by_side_is_asked_for_at_one_frequency(run: Run, tmp_path: Path, verb: str) -> None:
    frame().with_columns(other="truth").write_csv(tmp_path / "models.csv")
    code, out, err = run(verb, "models.csv", "--models", "predicted,other", "--prevalence", "ill=0.03..0.07")
    assert (code, out) == (2, "")
    assert "gives a range for 'ill'" in err
    assert "assess, threshold and a gate without a baseline tell the worst over a range" in err
