"""Nothing that a terminal would obey is printed as it is: of every kind, and out of every message."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError, UnknownName, visible, visible_lines
from holdfast.wording import as_written, json_text

UNSEEN = {
    "escape": "\x1b",
    "bell": "\x07",
    "line break": "\n",
    "carriage return": "\r",
    "delete": "\x7f",
    "next line": "\x85",
    "control sequence of one byte": "\x9b",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "right to left": "\u202e",
    "isolate": "\u2066",
    "half a character": "\ud800",
    "nothing at all": "\x00",
    "tag": "\U000e0041",
}
CLI = Path(__file__).parents[1] / "src" / "holdfast" / "cli"


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
def test_what_cannot_be_seen_is_spelled_out(sign: str) -> None:
    name = f"a{sign}b"
    for text in (visible(name), str(HoldfastError(f"No {name}.")), str(UnknownName("label", name, [name, "x" * 9]))):
        assert text.isprintable()
        assert sign.encode("unicode_escape").decode() in text
    assert json_text({name: name}).isprintable()
    assert json.loads(json_text([name], indent=2)) == [name]


def test_what_can_be_read_stays_as_it_is() -> None:
    for text in ("", "plain", "naïve café", "日本語", "\N{GRINNING FACE}", r"a\nb"):
        assert visible(text) == text
        assert json_text(text) == f'"{text}"'.replace("\\", "\\\\")
    assert visible_lines("one\ntwo\x1b") == "one\ntwo\\x1b"


def test_a_value_that_cannot_be_written_is_told_by_its_type() -> None:
    assert as_written(10**5000) == "<int>"
    assert as_written("a\x1b") == r"'a\x1b'"


def test_a_report_holds_nothing_that_a_terminal_obeys() -> None:
    evil = "evil\x1b[2J\nPROVEN \u202e"
    report = hf.assess([evil, "no"] * 20, [evil, evil, "no", "no"] * 10, groups={evil: [evil, "x"] * 20})
    compared = hf.compare([evil, "no"] * 20, {evil: ["no"] * 40, "b": [evil, "no"] * 20, "c\x9b": [evil] * 40})
    decision = hf.gate([evil, "no"] * 20, [evil] * 40, measure="recall", label=evil, at_least=0.3)
    duel = hf.sequential(names=(evil, "b")).update(first=[1, 0, 1], second=[0, 0, 1])
    panel = hf.panel([evil, "no"] * 20, {evil: ["no"] * 40, "b": [evil, "no"] * 20})
    for shown in (report, compared, decision, duel, panel, duel.report()):
        lines = str(shown).split("\n")
        assert [line for line in lines if not line.isprintable() or line.lstrip().startswith("PROVEN")] == []


def test_the_command_line_tells_in_one_place() -> None:
    """Beside the answer, that is: whatever goes to standard error passes `tell`."""
    direct = []
    for path in sorted(CLI.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "click.echo":
                beside = [word for word in node.keywords if word.arg == "err" and ast.unparse(word.value) == "True"]
                direct += [f"{path.name}: {ast.unparse(node)}"] * len(beside)
    assert direct == ["options.py: click.echo(visible(sentence), err=True)"]
