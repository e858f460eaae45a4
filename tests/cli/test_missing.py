"""Every command with every way to treat what is missing, over tables with holes of every kind: an answer, or a line."""

from __future__ import annotations

import re
from itertools import cycle
from pathlib import Path

import click
import pytest

from holdfast.cli import cli
from tests.cli.conftest import Run

COLUMNS = ("id", "truth", "predicted", "score", "site", "patient", "m1", "m2", "correct", "fold")
HOLES: dict[str, dict[str, int]] = {  # which cells of the table are empty, by column: every so many rows
    "nothing": {},
    **{name: {name: 5} for name in COLUMNS},
    "an answer and a truth": {"truth": 5, "m2": 7, "predicted": 7},
    "one model altogether": {"m2": 1},
    "every answer": {"predicted": 1, "m1": 1, "m2": 1},
    "everything": dict.fromkeys(COLUMNS, 1),
    "every last row": dict.fromkeys(COLUMNS, 8),
}
SPELLINGS = ("", "NA", "NaN", "null", "N/A", "nan", "None")
LINE = re.compile("holdfast: .{20,}")
TREE = "--target truth --estimator sklearn.dummy:DummyClassifier --engine serial --drop predicted"
CALLS = (
    "assess holes.csv --truth truth --predicted predicted",
    "assess holes.csv --truth truth --predicted predicted --score score --positive y --by site",
    "assess holes.csv --truth truth --predicted predicted --cluster patient",
    "assess holes.csv --correct correct --id id --pass-at 1",
    "gate holes.csv --truth truth --predicted predicted --at-most 0.4 --by site",
    "threshold holes.csv --truth truth --score score --positive y --precision-at-least 0.2",
    "compare holes.csv --truth truth --models m1,m2",
    "compare holes.csv --truth truth --models m1,m2 --cluster patient",
    "compare holes.csv --truth truth --models m1,m2 --sequential",
    "compare holes.csv --datasets id --models score,fold --better higher",
    "panel holes.csv --truth truth --models m1,m2",
    "committee holes.csv --truth truth --models m1,m2",
    f"cross-assess holes.csv {TREE} --scheme hold-out",
    f"decompose holes.csv {TREE} --rounds 2",
    f"learning-curve holes.csv {TREE}",
)


def table(holes: dict[str, int], spelling: str) -> str:
    """40 rows: of two classes, in three places, of patients of two rows each."""
    rows = []
    for i in range(40):
        cells: dict[str, object] = {
            "id": i,
            "truth": "yn"[i % 2],
            "predicted": "yn"[i % 3 > 0],
            "score": f"0.{i % 9}",
            "site": "abc"[i % 3],
        }
        cells |= {"patient": i // 2, "m1": "yn"[i % 5 > 1], "m2": "yn"[i % 2 or i % 7 == 0], "correct": i % 4 // 2}
        cells |= {"fold": f"0.{i % 7}"}
        empty = {name for name, every in holes.items() if i % every == 0}
        rows.append(",".join(spelling if name in empty else str(cells[name]) for name in COLUMNS))
    return "\n".join([",".join(COLUMNS), *rows]) + "\n"


def ways(command: str) -> list[str]:
    (option,) = (each for each in cli.commands[command].params if "--missing" in each.opts)
    assert isinstance(option.type, click.Choice)
    return [*option.type.choices]


def tried(run: Run, call: str, way: str, kind: str, spelling: str) -> str | None:
    """What is wrong with the answer; nothing if it is one, or a line that says why there is none."""
    Path("holes.csv").write_text(table(HOLES[kind], spelling), encoding="utf-8")
    answer = run(*call.split(), "--missing", way)
    refused = answer.code == 2 and answer.out == "" and all(map(LINE.match, answer.err.splitlines()))
    if answer.code in (0, 1, 3) or refused:
        return None
    return f"{call} --missing {way}, without {kind} ({spelling!r}): {answer.code} {answer.err}"


def test_every_command_that_has_a_choice_is_tried() -> None:
    having = {name for name, verb in cli.commands.items() if any("--missing" in each.opts for each in verb.params)}
    assert having == {call.split()[0] for call in CALLS}


def test_every_way_once(run: Run) -> None:
    pairs = [(call, way) for call in CALLS if TREE not in call for way in ways(call.split()[0])]
    wrong = [
        tried(run, call, way, kind, spelling)
        for (call, way), kind, spelling in zip(pairs, cycle(HOLES), cycle(SPELLINGS), strict=False)
    ]
    assert [*filter(None, wrong)] == []


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=lambda call: "-".join(call.split()[:2]))
def test_holes_of_every_kind(run: Run, call: str) -> None:
    wrong = [
        tried(run, call, way, kind, spelling)
        for kind, way, spelling in zip(HOLES, cycle(ways(call.split()[0])), cycle(SPELLINGS), strict=False)
    ]
    assert [*filter(None, wrong)] == []


def test_what_is_left_over_is_compared(run: Run) -> None:
    Path("holes.csv").write_text("truth,m1,m2\n" + "a,a,b\n" * 20 + "b,b,\n", encoding="utf-8")
    answer = run("compare", "holes.csv", "--missing", "drop")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("m1 is better than m2")
