"""holdfast threshold: a file in, a rule out; 0 found, 3 not enough data, 2 bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click as plain_click
import pytest

import holdfast as hf
from holdfast.cli.threshold import threshold
from holdfast.errors import HoldfastError
from tests.shapes import validate

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "predictions.csv")

Call = Callable[..., tuple[int, str]]
SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "threshold-1.json").read_text(encoding="utf-8"))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["holdfast", "threshold", *arguments])
        code = threshold.main(list(arguments), prog_name="holdfast threshold", standalone_mode=False)
        return code, capsys.readouterr().out

    return run


def test_found(call: Call) -> None:
    code, out = call(EXAMPLE, "--positive", "malignant", "--specificity-at-least", "0.9")
    assert code == 0
    assert out.startswith("Call it malignant when the score is at least 0.019.")
    assert max(map(len, out.splitlines())) <= 80


def test_not_enough_data(call: Call) -> None:
    code, out = call(EXAMPLE, "--positive", "malignant", "--specificity-at-least", "0.999")
    assert code == 3
    assert "2,995" in out


def test_json(call: Call) -> None:
    code, out = call(EXAMPLE, "--positive", "malignant", "--recall-at-least", "0.9", "--confidence", "0.9", "--json")
    made: dict[str, Any] = json.loads(out)
    validate(made, SHAPE)
    assert (code, made["answer"], made["delta"]) == (0, "proven", 0.1)
    assert made["provenance"]["command"].startswith("holdfast threshold ")


def test_named_candidates(call: Call) -> None:
    for candidates, possible in (("0.01..0.99", [i / 100 for i in range(1, 100)]), ("0.2,0.5", [0.2, 0.5])):
        asked = ("--positive", "malignant", "--precision-at-least", "0.8", "--candidates", candidates, "--json")
        code, out = call(EXAMPLE, *asked)
        assert code == 0
        validate(json.loads(out), SHAPE)
        assert json.loads(out)["threshold"] in possible


@pytest.mark.parametrize("candidates", ["a", "0.1..b", "", "0.9..0.1", "0..1e9", "1..2..3", "0.0000001..1", "nan..1"])
def test_candidates_that_are_none(call: Call, candidates: str) -> None:
    with pytest.raises(plain_click.UsageError, match="no list of thresholds"):
        call(EXAMPLE, "--specificity-at-least", "0.9", "--candidates", candidates)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--specificity-at-least", "0.9", "--precision-at-least", "0.9"),
        ("--specificity-at-least", "90"),
        ("--specificity-at-least", "0.9", "--positive", "neither"),
        ("--specificity-at-least", "0.9", "--candidates", "nan"),
        ("--specificity-at-least", "0.9", "--score", "nowhere"),
    ],
)
def test_what_is_refused(call: Call, arguments: tuple[str, ...]) -> None:
    with pytest.raises(HoldfastError):
        call(EXAMPLE, *arguments)


def test_truth_and_score_will_do(call: Call, tmp_path: Path) -> None:
    rows = "".join(f"{'fraud' if i % 3 == 0 else 'fine'},{(i * 7 % 40 + 30 * (i % 3 == 0)) / 70}\n" for i in range(300))
    (tmp_path / "scores.csv").write_text(f"truth,score\n{rows}", encoding="utf-8")
    code, out = call(str(tmp_path / "scores.csv"), "--positive", "fraud", "--specificity-at-least", "0.9", "--json")
    assert (code, json.loads(out)["answer"]) == (0, "proven")
    (tmp_path / "scores.csv").write_text(f"what,score\n{rows}", encoding="utf-8")
    with pytest.raises(HoldfastError, match="like the truth"):
        call(str(tmp_path / "scores.csv"), "--positive", "fraud", "--specificity-at-least", "0.9")


# ---- How rows were drawn


COSTS = str(Path(EXAMPLE).with_name("costs.csv"))


@pytest.fixture
def patients(tmp_path: Path) -> str:
    """Two images of each patient, at two sites."""
    rows = ["truth,score,patient,site,weight"]
    for i in range(600):
        sick = i * 7 % 10 < 4
        score = (i * 37 % 101 + 60 * sick) / 161
        rows.append(f"{'sick' if sick else 'well'},{score},{i // 2},{'north' if i % 4 < 2 else 'south'},{1 + i % 3}")
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("options", "guarantee"),
    [
        ("--cluster patient --max-cluster 2", "FINITE"),
        ("--cluster patient", "ASYMPTOTIC"),
        ("--weight weight --max-weight 3", "FINITE"),
        ("--weight weight", "ASYMPTOTIC"),
        ("--strata site --strata-shares north=0.3,south=0.7", "FINITE"),
        ("--sampling by-class", "FINITE"),
        ("--prevalence sick=0.03..0.07", "FINITE"),
        ("--cluster patient --max-cluster 2 --weight weight --max-weight 3 --by site", "FINITE"),
    ],
)
def test_how_rows_were_drawn(call: Call, patients: str, options: str, guarantee: str) -> None:
    asked = (patients, "--positive", "sick", "--specificity-at-least", "0.6", *options.split(), "--json")
    code, out = call(*asked)
    made: dict[str, Any] = json.loads(out)
    validate(made, SHAPE)
    assert (code, made["claim"]["guarantee"]) == (0, guarantee)
    assert ("groups" in made) == ("--by" in options)
    code, out = call(*asked[:-1])
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_the_least_cost(call: Call) -> None:
    code, out = call(EXAMPLE, "--positive", "malignant", "--costs", COSTS)
    assert code == 0
    assert out.startswith("Call it malignant when the score is at least 0.01.")
    assert "its true expected cost is at most 0.633; this holds" in " ".join(out.split())


def test_what_is_stated_on_the_command_line_is_what_python_takes(call: Call, patients: str) -> None:
    options = ("--cluster", "patient", "--max-cluster", "2", "--weight", "weight", "--max-weight", "3", "--by", "site")
    _, out = call(patients, "--positive", "sick", "--sensitivity-at-least", "0.6", *options, "--json")
    rows = hf.read(patients, cluster="patient", weight="weight", by="site")
    made = hf.threshold(rows, positive="sick", sensitivity_at_least=0.6, max_cluster=2, max_weight=3.0)
    plain = json.loads(out)
    assert {**made.to_dict(), "provenance": None, "notes": None} == {**plain, "provenance": None, "notes": None}
    _, out = call(
        patients, "--positive", "sick", "--precision-at-least", "0.05", "--prevalence", "sick=0.03..0.07", "--json"
    )
    made = hf.threshold(hf.read(patients), positive="sick", precision_at_least=0.05, prevalence={"sick": (0.03, 0.07)})
    assert made.threshold == json.loads(out)["threshold"]


@pytest.mark.parametrize("prevalence", ["0.1", "sick", "sick=a", "sick=0.1..0.2..0.3", "=0.1", "sick=0.2..0.1"])
def test_prevalences_that_are_none(call: Call, patients: str, prevalence: str) -> None:
    with pytest.raises(HoldfastError, match="range"):
        call(patients, "--positive", "sick", "--specificity-at-least", "0.6", "--prevalence", prevalence)


def test_costs_are_one_wish_among_others(call: Call) -> None:
    with pytest.raises(HoldfastError, match="only one thing"):
        call(EXAMPLE, "--positive", "malignant", "--costs", COSTS, "--specificity-at-least", "0.9")
