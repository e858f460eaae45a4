"""The page on the command line tells every option, and the exit codes are what the commands do."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import click
import pytest

from holdfast.cli import cli
from tests.cli.conftest import Run, run  # noqa: F401
from tests.docs.pages import DOCS, MAKE, text

PAGE = DOCS / "command-line.md"
MADE: dict[str, Any] = runpy.run_path(str(MAKE / "generate_command_line.py"))
ROWS = ["truth,predicted,score", *["a,a,0.9"] * 40, *["b,b,0.1"] * 40, "a,b,0.2"]
CASES = [
    ("gate", "gate rows.csv --at-most 0.2", 0),
    ("gate", "gate rows.csv --at-most 0.0001", 1),
    ("gate", "gate rows.csv --at-most 0.02", 3),
    ("gate", "gate rows.csv --at-most 2", 2),
    ("threshold", "threshold rows.csv --positive a --sensitivity-at-least 0.5", 0),
    ("threshold", "threshold rows.csv --positive a --sensitivity-at-least 0.999", 3),
    ("verify", "verify clopper-pearson --n 5", 0),
    ("verify", "verify wilson --n 5", 0),
    ("compare", "compare --sequential pairs.csv --models good,bad --pass-fail", 0),
    ("compare", "compare --sequential pairs.csv --models bad,good --pass-fail", 1),
    ("compare", "compare --sequential pairs.csv --models good,same --pass-fail", 3),
    ("doctor", "doctor run.json", 0),
    ("doctor", "doctor lost.json", 1),
    ("assess", "assess nowhere.csv", 2),
]

LOG = """{{"version": 2, "status": "success", "eval": {{"task": "toy", "model": "a"}}, "results": null, "samples": [
    {{"id": 1, "epoch": 1, "scores": {{"match": {{"value": {grade}}}}}}},
    {{"id": 2, "epoch": 1, "scores": {{"match": {{"value": "I"}}}}}}
]}}"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rows.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (tmp_path / "pairs.csv").write_text("good,same,bad\n" + "1,1,0\n" * 200, encoding="utf-8")
    for name, grade in (("run.json", "C"), ("lost.json", None)):
        (tmp_path / name).write_text(LOG.format(grade=json.dumps(grade)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", cli.commands)
def test_every_option_stands_on_the_page(name: str) -> None:
    section = text(PAGE).split(f"\n## holdfast {name}\n")[1].split("\n## ")[0]
    shown = [each for each in cli.commands[name].params if isinstance(each, click.Option) and not each.hidden]
    assert shown
    for option in shown:
        assert all(f"`{spelling}`" in section for spelling in option.opts)
        assert (option.help or "").split("  [")[0].replace("|", "\\|") in section


@pytest.mark.parametrize(("name", "words", "code"), CASES, ids=[f"{words} {code}" for _, words, code in CASES])
def test_an_exit_code_is_the_one_on_the_page(name: str, words: str, code: int, desk: Path, run: Run) -> None:  # noqa: F811
    assert run(*words.split()).code == code
    section = text(PAGE).split(f"\n## holdfast {name}\n")[1].split("\n## ")[0]
    assert f"**{code}** " in section


def test_codes_that_are_told_of_a_command_are_tried() -> None:
    tried = {(name, code) for name, _, code in CASES}
    elsewhere = {
        ("monitor", 0),
        ("monitor", 1),
        ("verify", 1),
    }  # tests/cli has them: they need a stream, or a broken method
    told = {(name, code) for name, codes in MADE["EXITS"].items() for code in codes}
    assert told - tried == elsewhere


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    rows = [line for line in text(PAGE).splitlines() if line.startswith("| `--")]
    assert rows
    assert all(line.replace("\\|", "").count("|") == 3 for line in rows)
