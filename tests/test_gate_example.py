"""The example repository does in CI what its workflow and the page about it say, command by command."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLE = DOCS / "examples" / "gate"
WORKFLOW = EXAMPLE / ".github" / "workflows" / "model.yml"
GATE = DOCS / "howto" / "gate-a-release.md"
PAGE = GATE.read_text(encoding="utf-8")
COMMANDS = {"python": "", "holdfast": "-m holdfast", "pytest": "-m pytest"}


class Case(NamedTuple):
    """A model and a test set, and what becomes of the build."""

    options: str
    answer: str
    exit_code: int
    command: str
    failed: int


CASES = [
    Case("", "proven", 0, "notice", 0),
    Case("--rows 100", "not enough data", 3, "warning", 2),
    Case("--right 0.8", "refuted", 1, "error", 3),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the example beside the commands that a user would have installed."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name, module in COMMANDS.items():
        (bin_ / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n', encoding="utf-8")
        (bin_ / name).chmod(0o755)
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.csv", "*.xml", "*.json"))
    return folder


def run(command: str, repository: Path) -> subprocess.CompletedProcess[str]:
    """What the runner would do with a line of the workflow."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GITHUB"))}
    path = f"{repository.parent / 'bin'}{os.pathsep}{known['PATH']}"
    ours = {"PATH": path, "GITHUB_STEP_SUMMARY": str(repository.parent / "summary.md"), "COLUMNS": "80"}
    return subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=repository,
        env={**known, **ours, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def steps() -> list[str]:
    """The commands of the workflow, but for the installation."""
    found: list[str] = re.findall(r"^\s*(?:- )?run: (.+)$", WORKFLOW.read_text(encoding="utf-8"), re.MULTILINE)
    return [command for command in found if not command.startswith("pip install")]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("case", CASES, ids=["proven", "not enough data", "refuted"])
def test_the_workflow(case: Case, repository: Path) -> None:
    predict, gate, tests = steps()
    assert run(f"{predict} {case.options}", repository).returncode == 0

    gated = run(gate, repository)
    assert gated.returncode == case.exit_code, gated.stdout + gated.stderr
    assert gated.stderr == ""
    lines = gated.stdout.splitlines()
    obeyed = [line for line in lines if line.startswith("::") and " title=" in line]
    assert [line.split(" ")[0] for line in obeyed] == [f"::{case.command}"] * 2
    assert [line for line in lines if line.startswith(f"{case.answer}: ")]
    suite = ElementTree.parse(repository / "gate.xml").getroot()[0]
    assert [test.get("name") for test in suite.iter("testcase")] == [
        "few mistakes: error-rate at most 0.05",
        "finds fraud: recall of fraud at least 0.9",
    ]
    assert [failure.get("type") for failure in suite.iter("failure")] == [case.answer] * (2 * bool(case.exit_code))
    summary = (repository.parent / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith(f"### Holdfast gate: {case.answer}\n")
    assert summary.count("\n| ") == 3

    tested = run(tests, repository)
    assert tested.returncode == bool(case.exit_code), tested.stdout + tested.stderr
    heads = [line for line in tested.stdout.splitlines() if line.startswith(f"{case.answer} tests/test_model.py::")]
    assert len(heads) == 3
    assert (f"{case.failed} failed" in tested.stdout) == bool(case.failed)
    assert f"3 {case.answer}" in tested.stdout.splitlines()
    kept = json.loads((repository / "decisions.json").read_text(encoding="utf-8"))
    assert [entry["decision"]["answer"] for entry in kept["decisions"]] == [case.answer] * 3
    noted = [entry.get("name") for entry in ElementTree.parse(repository / "tests.xml").iter("property")]
    assert noted == ["holdfast", "holdfast.decision"] * 3
    if case.answer == "not enough data":
        (shown,) = blocks(PAGE, "text")
        assert shown.strip() in tested.stdout


def commands_of(page: Path) -> list[tuple[str, int]]:
    """The lines to be typed, and what each exits with."""
    lines = "".join(blocks(page.read_text(encoding="utf-8"), "sh")).splitlines()
    codes = [re.search(r"# exits with (\d)", line) for line in lines]
    return [(line.split("#")[0].strip(), int(code[1]) if code else 0) for line, code in zip(lines, codes, strict=True)]


def test_the_commands_of_the_page(repository: Path) -> None:
    for command, code in commands_of(GATE):
        done = run(command, repository)
        assert done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"


def test_the_commands_beside_the_example_are_those_of_the_workflow() -> None:
    """Which are run above, with these exit codes."""
    predict, gate, _ = steps()
    plain = gate.partition(" --junit")[0]
    expected = [(f"{predict} {case.options}".strip(), plain, case.exit_code) for case in CASES]
    typed = [each for first, second, code in expected for each in ((first, 0), (second, code))]
    assert commands_of(EXAMPLE / "README.md") == typed


def test_what_the_page_shows_is_what_the_example_holds(repository: Path) -> None:
    (conditions,), (workflow,) = blocks(PAGE, "toml"), blocks(PAGE, "yaml")
    assert conditions == (EXAMPLE / "gate.toml").read_text(encoding="utf-8")
    assert workflow in WORKFLOW.read_text(encoding="utf-8")
    one, suite = (block for block in blocks(PAGE, "python") if ">>>" not in block)
    assert suite in (EXAMPLE / "tests" / "test_model.py").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (GATE.parent / target).exists(), target
    run("python predict.py", repository)
    (repository / "one.py").write_text(one, encoding="utf-8")
    done = run("python one.py", repository)
    assert done.stdout.startswith("proven 0.0230, at most 0.0294, clopper-pearson"), done.stderr


def test_the_exit_codes_of_the_page_are_those_of_the_answers() -> None:
    from holdfast.report import Answer

    told = re.findall(r"^\| ([\w ()]+) \| .* \| (\d)[^|]*\|$", PAGE, re.MULTILINE)
    assert told == [(str(answer), str(answer.exit_code)) for answer in Answer]
