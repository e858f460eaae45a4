"""Whatever the pages show is what comes out: snippets of Python, commands with their output, links, public names."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import holdfast as hf
from tests.cli.conftest import Run, run  # noqa: F401
from tests.docs.pages import DOCS, PAGES, ROOT, WRITTEN, Command, commands, links, name, snippets, text
from tests.needs import module

AS_SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FOREIGN_WARNINGS = ("docs/other-tools.md",)  # what it shows of others warns
SLOW: tuple[str, ...] = ()
SHELL = set("|&;<>$`")


def shown(pages: list[Path]) -> list[object]:
    return [pytest.param(page, id=name(page), marks=_marks(name(page))) for page in pages]


def _marks(page: str) -> list[pytest.MarkDecorator]:
    long = [pytest.mark.long] if page in SLOW else []
    return [*long, pytest.mark.filterwarnings("ignore")] if page in FOREIGN_WARNINGS else long


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the examples in it: pages may write files."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.crossing(4)
@pytest.mark.parametrize("page", shown([page for page in WRITTEN if ">>> " in snippets(page)]))
def test_every_snippet_answers_as_the_page_says(page: Path, desk: Path) -> None:
    for needed in set(re.findall(r"^(?:>>>|\.\.\.) +(?:import|from) (\w+)", snippets(page), re.MULTILINE)):
        module(needed)
    test = doctest.DocTestParser().get_doctest(snippets(page), {"__name__": "__main__"}, name(page), str(page), 0)
    told: list[str] = []
    found = doctest.DocTestRunner(optionflags=AS_SHOWN, verbose=False).run(test, out=told.append)
    assert found.attempted
    assert found.failed == 0, "".join(told)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("page", shown([page for page in PAGES if any(commands(page))]))
def test_every_command_answers_as_the_page_says(page: Path, desk: Path, run: Run) -> None:  # noqa: F811
    for command in commands(page):
        got = _answer(command, run)
        if not doctest.OutputChecker().check_output(_tidy(command.output), _tidy(got), AS_SHOWN):
            pytest.fail(f"{name(page)}:{command.line}: {command.words}\nshown:\n{command.output}\ncame:\n{got}")


def _answer(command: Command, run: Run) -> str:  # noqa: F811
    """Both streams of a command: within this process if it is ours alone, else by the shell."""
    if command.words.startswith("holdfast ") and not SHELL & set(re.sub(r"'[^']*'", "", command.words)):
        answer = run(*shlex.split(command.words, comments=True)[1:])
        return answer.out + answer.err
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shell = ["bash", "-o", "pipefail", "-c", command.words]
    done = subprocess.run(shell, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def _tidy(output: str) -> str:
    """Blank lines at the ends and blanks at the ends of lines are the terminal's, not ours."""
    return "\n".join(line.rstrip() for line in output.strip("\n").splitlines()) + "\n"


def test_a_wrong_output_would_be_found() -> None:
    checker = doctest.OutputChecker()
    shown, came = "rate 0.063\n...\nlast\n", "rate 0.063\nmiddle\nlast\n"
    assert checker.check_output(shown, came, AS_SHOWN)
    assert not checker.check_output(shown, came.replace("0.063", "0.064"), AS_SHOWN)
    assert not checker.check_output(shown, came.replace("last", "least"), AS_SHOWN)


def test_every_link_leads_somewhere() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "MAINTENANCE.md"):
        assert [target for target in links(page) if not (page.parent / target).exists()] == [], page


def test_every_public_name_stands_in_the_reference() -> None:
    told: dict[str, list[str]] = {}
    for page in sorted((DOCS / "reference").glob("*.md")):
        for home, body in re.findall(r"^```\{names\} (\S+)\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL):
            told.setdefault(home, []).extend(body.split())
    whole = {"holdfast": [each for each in hf.__all__ if each not in ("displays", "testing")]}
    whole |= {f"holdfast.{each.__name__.rpartition('.')[2]}": each.__all__ for each in (hf.displays, hf.testing)}
    for home, names in whole.items():
        missing = set(names) - set(told[home]) - set(told["holdfast.errors"])
        assert not missing, f"no page of docs/reference tells of {home}'s {missing}"
    assert all(len(names) == len(set(names)) for names in told.values())


def test_among_the_pages_lie_no_scripts() -> None:
    """What writes pages stands in docs/_make; beside the pages are Sphinx's settings and examples that readers run."""
    elsewhere = [path for path in DOCS.rglob("*.py") if not {"_make", "_ext", "_build", "examples"} & set(path.parts)]
    assert elsewhere == [DOCS / "conf.py"]
