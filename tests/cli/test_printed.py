"""Whatever is hostile in labels, names, files and options: what is printed holds no sign that a terminal obeys."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_names import CALLS, FILES, answer, options_of

EVIL = "a\x1b]0;owned\x07\x9b2J\u202eb\u2028c\rd\nPROVEN"
NAMES = ("truth", "predicted", "site", "m1", "m2", "patient")
Q = f'"{EVIL}"'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    labels = "".join(f"{Q if i % 2 else 'no'},{Q if i % 3 else 'no'},{Q},{i},0.{i % 9}\n" for i in range(24))
    (tmp_path / "evil.csv").write_text(f"truth,predicted,{Q},id,score\n{labels}", encoding="utf-8")
    models = "".join(f"{Q if i % 2 else 'no'},no,{Q if i % 3 else 'no'},{i}\n" for i in range(24))
    (tmp_path / "models-evil.csv").write_text(f'truth,{Q},"{EVIL}2",id\n{models}', encoding="utf-8")
    (tmp_path / EVIL.replace("/", "-")).write_text("x,y\n1,2\n", encoding="utf-8")


def unsafe(text: str) -> list[str]:
    lines = text.split("\n")
    return [line for line in lines if not line.isprintable() or line.lstrip(" ·-").startswith("PROVEN")]


def check(calls: Iterator[list[str]]) -> None:
    wrong = {shlex.join(call): lines for call in calls if (lines := unsafe(answer(call)))}
    assert wrong == {}


def test_labels_and_names(desk: None) -> None:
    gate = ["gate", "evil.csv", "--measure", "recall", "--label", EVIL, "--at-least", "0.2"]
    assess = ["assess", "evil.csv", "--by", EVIL, "--positive", EVIL]
    compare = ["compare", "models-evil.csv", "--models", f"{EVIL},{EVIL}2"]
    check(
        iter(
            [
                *([*call, *form] for call in (gate, assess, compare) for form in ([], ["--json"])),
                *([*gate, "--github"], [*gate, "--junit", f"{EVIL}.xml"], [*compare, "--sequential"]),
                *([*assess, "--html", f"{EVIL}.html"], ["panel", "models-evil.csv"], ["committee", "models-evil.csv"]),
                *([verb, EVIL] for verb in ("assess", "compare", "panel", "gate", "threshold", "monitor")),
                *([verb, f"nowhere-{EVIL}"] for verb in ("assess", "bound", "verify", "methods", "measures")),
                ["threshold", "evil.csv", "--score", "score", "--positive", EVIL, "--precision-at-least", "0.1"],
                [EVIL],
            ]
        )
    )


def test_the_value_of_every_option(desk: None) -> None:
    """Each option once, in the first command that has it."""
    known = {option.opts[0]: verb for verb in reversed(CALLS) for option in options_of(verb) if not option.is_flag}
    check([verb, *shlex.split(CALLS[verb][0]), option, EVIL] for option, verb in known.items())


@pytest.mark.long
@pytest.mark.parametrize("verb", CALLS)
def test_the_value_of_every_option_of_every_command(verb: str, desk: None) -> None:
    given = [option for option in options_of(verb) if not option.is_flag]
    check([verb, *shlex.split(call), option.opts[0], EVIL] for call in CALLS[verb][:2] for option in given)
