"""holdfast decompose and holdfast learning-curve, as the shell calls them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.shapes import validate
from tests.snapshots import matches

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
TREE = ("--target", "class", "--estimator", "sklearn.tree:DecisionTreeClassifier", "--engine", "serial")


@pytest.fixture
def data(tmp_path: Path) -> str:
    draw = np.random.default_rng(6)
    x = draw.uniform(-1, 1, (120, 2)).round(3)
    pocket = (x[:, 1] > 0.3) & (x[:, 0] < -0.2)
    side = np.where((x[:, 0] > 0) ^ pocket ^ (draw.random(120) < 0.15), "in", "out")
    lines = [f"{number},{a},{b},{label}" for number, ((a, b), label) in enumerate(zip(x, side, strict=True))]
    (tmp_path / "data.csv").write_text("id,a,b,class\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return "data.csv"


def test_decompose_prints_what_the_loss_is_made_of(run: Run, data: str) -> None:
    once = run("decompose", data, *TREE, "--drop", "id", "--param", "max_depth=2", "--rounds", "5")
    along = run(
        *("decompose", data, *TREE, "--drop", "id", "--parameter", "max_depth", "--values", "1..3", "--rounds", "5"),
        *("--loss", "squared"),
    )
    assert (once.code, along.code) == (0, 0), once.err + along.err
    matches("cli_decompose", once.out + "\n" + along.out)


def test_learning_curve_prints_a_row_a_share(run: Run, data: str) -> None:
    answer = run("learning-curve", data, *TREE, "--drop", "id", "--shares", "0.2,0.5,0.8", "--repeats", "3")
    assert answer.code == 0, answer.err
    matches("cli_learning_curve", answer.out)


@pytest.mark.parametrize("command", [("decompose", "--rounds", "3"), ("learning-curve", "--side", "upper")])
def test_json_and_page_and_pictures(run: Run, data: str, command: tuple[str, ...]) -> None:
    name, *options = command
    chart = "decomposition" if name == "decompose" else "learning-curve"
    answer = run(name, data, *TREE, *options, "--json", "--html", "page.html", "--chart", f"{chart}.svg")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    validate(told, SHAPE)
    assert told["provenance"]["command"].startswith(f"holdfast {name} data.csv")
    assert "<svg" in Path(f"{chart}.svg").read_text(encoding="utf-8")
    assert "What this rests on" in Path("page.html").read_text(encoding="utf-8")


def test_a_column_of_text_is_prepared_and_the_parameter_found_behind_it(run: Run, data: str) -> None:
    text = Path(data).read_text(encoding="utf-8").splitlines()
    colours = ["colour", *(("red", "blue")[i % 2] for i in range(len(text) - 1))]
    Path(data).write_text("\n".join(f"{c},{line}" for c, line in zip(colours, text, strict=True)), encoding="utf-8")
    answer = run("decompose", data, *TREE, "--parameter", "max_depth", "--values", "1,2", "--rounds", "2", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["decomposition"]["parameter"] == "max_depth"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--parameter", "max_dept", "--values", "1"), "did you mean 'max_depth'?"),
        (("--parameter", "max_depth"), "give both --parameter NAME and --values"),
        (("--values", "1,2"), "give both --parameter NAME and --values"),
        (("--parameter", "max_depth", "--values", "5..1"), "should rise"),
        (("--parameter", "max_depth", "--values", "deep", "--rounds", "2"), "max_depth='deep'"),
        (("--rounds", "1"), "at least 2 training sets"),
        (("--param", "depth=3"), "max_depth"),
        (("--chart", "forest.svg"), "decomposition"),
        (("--test-share", "1.5"), "between 0 and 1"),
    ],
)
def test_what_is_wrong_is_one_line(run: Run, data: str, arguments: tuple[str, ...], said: str) -> None:
    answer = run("decompose", data, *TREE, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("holdfast: ")
    assert answer.err.count("\n") == 1


def test_one_class_is_refused(run: Run, data: str) -> None:
    Path(data).write_text("a,class\n1,x\n2,x\n3,x\n", encoding="utf-8")
    answer = run("decompose", data, *TREE)
    assert answer.code == 2
    assert "nothing to tell apart" in answer.err
