"""--markdown, which every command has: in a file beside the text, or printed in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import cli
from tests.cli.conftest import Run

ROWS = "truth,predicted,m1,m2\n" + "a,a,a,b\nb,b,b,a\n" * 10
CALLS = {
    "gate": ("gate", "data.csv", "--at-most", "0.9"),
    "assess": ("assess", "data.csv"),
    "bound": ("bound", "--errors", "1", "--n", "20"),
    "plan": ("plan", "--at-most", "0.05"),
    "methods": ("methods", "holm"),
    "compare": ("compare", "data.csv", "--models", "m1,m2"),
    "stream": ("compare", "data.csv", "--models", "m1,m2", "--sequential"),
    "monitor": ("monitor", "errors.csv", "--at-most", "0.9"),
}


@pytest.fixture(autouse=True)
def data(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "errors.csv").write_text("0\n1\n" * 10, encoding="utf-8")


def test_every_command_has_it() -> None:
    for name, command in cli.cli.commands.items():
        assert [option.opts for option in command.params].count(["--markdown"]) == 1, name


@pytest.mark.parametrize("name", CALLS)
def test_it_is_written_beside_the_text_or_printed_in_its_place(name: str, run: Run, tmp_path: Path) -> None:
    plain = run(*CALLS[name])
    beside = run(*CALLS[name], "--markdown", "comment.md")
    assert (beside.code, beside.out) == (plain.code, plain.out)
    assert beside.err == f"{plain.err}Markdown written to comment.md\n"
    printed = run(*CALLS[name], "--markdown", "-")
    assert printed.out.startswith("**")
    known = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert printed == (plain.code, known, plain.err)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "monitor"])
def test_show_makes_it_from_json(name: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text(run(*CALLS[name], "--json").out, encoding="utf-8")
    assert run("show", "answer.json", "--markdown", "-").out == run(*CALLS[name], "--markdown", "-").out


def test_one_thing_is_printed(run: Run) -> None:
    for more in (("--json",), ("--github",)):
        answer = run(*CALLS["gate"], "--markdown", "-", *more)
        assert (answer.code, answer.out) == (2, "")
        assert f"{more[0]}" in answer.err
    assert run(*CALLS["monitor"], "--every", "5", "--markdown", "-").code == 2


def test_a_folder_that_is_not_there_is_told_before_the_work(run: Run) -> None:
    answer = run("assess", "nowhere.csv", "--markdown", "no/where.md")
    assert (answer.code, answer.err) == (2, "holdfast: Cannot write no/where.md: there is no folder no.\n")
