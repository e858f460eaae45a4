"""The README is short, and whatever it and the tour tell people to type exists."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from holdfast.cli import cli
from tests.docs.pages import DOCS, FENCE, ROOT, name, text

README = ROOT / "README.md"
LONGEST = 130  # lines: whoever wants more follows a link
TYPED = [
    pytest.param(line, id=f"{name(page)}: {line}")
    for page in (README, DOCS / "tour.md")
    for block in FENCE.finditer(text(page))
    for line in re.findall(r"^(?:\$ )?holdfast (.*)$", block["body"], re.MULTILINE)
]


def test_the_readme_is_short() -> None:
    assert len(text(README).splitlines()) <= LONGEST


def test_the_readme_shows_only_what_is_run() -> None:
    """Commands stand behind a prompt and Python behind its own; the rest is how to install."""
    bodies = [block["body"] for block in FENCE.finditer(text(README))]
    assert [body.split()[:2] for body in bodies if not body.startswith(("$ holdfast ", ">>> "))] == [["make", "demo"]]


@pytest.mark.parametrize("line", TYPED)
def test_a_line_to_be_typed_names_what_exists(line: str) -> None:
    verb, *words = shlex.split(line, comments=True)
    options = {each for option in cli.commands[verb].params if isinstance(option, click.Option) for each in option.opts}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options


def test_the_tour_has_every_verb() -> None:
    shown = {block["body"] for block in FENCE.finditer(text(DOCS / "tour.md"))}
    typed = {verb for body in shown for verb in re.findall(r"^(?:\$ )?holdfast ([a-z-]+)", body, re.MULTILINE)}
    assert typed == {*cli.commands}


def test_every_target_that_people_are_told_to_make_exists_and_is_explained() -> None:
    makefile = text(ROOT / "Makefile")
    explained = set(re.findall(r"^([a-z-]+):.*  ## ", makefile, re.MULTILINE))
    for page in (README, ROOT / "CONTRIBUTING.md", ROOT / "MAINTENANCE.md"):
        assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text(page), re.MULTILINE)) <= explained, page
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == explained


def test_every_command_takes_json() -> None:
    assert "Every command takes `--json`" in text(DOCS / "tour.md")
    assert [
        verb for verb, command in cli.commands.items() if "--json" not in {o for p in command.params for o in p.opts}
    ] == []
