"""Conditions from a TOML file: what a gate takes, or one line that says where the file goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence import Counts
from holdfast.sources.conditions import LARGEST, read_conditions
from holdfast.verbs.gate.gate import gate
from tests.snapshots import matches, messages

WHOLE = """
confidence = 0.9
looks = 10
positive = "fraud"

[[condition]]
name = "few errors"
measure = "error-rate"
at_most = 0.05

[[condition]]
measure = "recall"
label = 1
at_least = 0.9
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_there_is(folder: Path) -> None:
    (folder / "gate.toml").write_text(WHOLE, encoding="utf-8")
    assert read_conditions("gate.toml") == {
        "confidence": 0.9,
        "looks": 10,
        "positive": "fraud",
        "conditions": [
            {"name": "few errors", "measure": "error-rate", "at_most": 0.05},
            {"measure": "recall", "label": 1, "at_least": 0.9},
        ],
    }


def test_a_gate_takes_it(folder: Path) -> None:
    (folder / "gate.toml").write_text("delta = 0.1\n[[condition]]\nat_most = 0.05\n", encoding="utf-8-sig")
    decision = gate(Counts(0, 50), **read_conditions(folder / "gate.toml"))
    assert (decision.answer, decision.condition) == ("proven", "error-rate at most 0.05")


FILES: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n# nothing\n",
    "settings alone": b"looks = 3\n",
    "one bracket": b"[condition]\nat_most = 0.05\n",
    "plural": b"[[conditions]]\nat_most = 0.05\n",
    "no tables": b"condition = [1, 2]\n",
    "none": b"condition = []\n",
    "unknown setting": b"confidance = 0.9\n[[condition]]\nat_most = 0.05\n",
    "unknown key": b"[[condition]]\nat_most = 0.05\n[[condition]]\natmost = 0.05\n",
    "a word for a number": b'[[condition]]\nat_most = "0.05"\n',
    "a truth for a number": b"[[condition]]\nat_most = true\n",
    "a number for a word": b"[[condition]]\nmeasure = 3\nat_most = 0.05\n",
    "half a look": b"looks = 2.5\n[[condition]]\nat_most = 0.05\n",
    "a word for a truth": b'sequential = "yes"\n[[condition]]\nat_most = 0.05\n',
    "no TOML": b"at_most: 0.05\n",
    "twice": b"[[condition]]\nat_most = 0.05\nat_most = 0.06\n",
    "too many digits": b"looks = " + b"9" * 5000 + b"\n[[condition]]\nat_most = 0.05\n",
    "nested": b"a = " + b"[" * 100_000,
    "not UTF-8": "[[condition]]\nname = 'café'\n".encode("latin-1"),
    "UTF-16": "[[condition]]\nat_most = 0.05\n".encode("utf-16"),
    "huge": b"#" * (LARGEST + 1),
}


def test_every_refusal_says_what_to_do(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    calls = {name: (lambda name=name: read_conditions(name)) for name in [*FILES, "nowhere.toml", "folder", "a\0b"]}
    told = messages(calls)
    assert max(map(len, told.splitlines())) < 300
    matches("errors_of_conditions", told)


def test_what_the_values_mean_is_the_gates_business(folder: Path) -> None:
    for number, text in enumerate(
        ("at_most = nan", "at_most = 7", "measure = 'eror-rate'\nat_most = 0.1", "label = 'x'")
    ):
        (folder / f"{number}.toml").write_text(f"[[condition]]\n{text}\n", encoding="utf-8")
        asked = read_conditions(f"{number}.toml")
        with pytest.raises(HoldfastError, match="Condition 1: "):
            gate(Counts(0, 50), **asked)


@pytest.mark.parametrize("key", ["a", '"a b"', "'a'"])
@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "[[{}]]"])
def test_a_key_of_very_many_parts_is_refused_before_it_is_parsed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, line: str
) -> None:
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("it was parsed"))  # which would take its square
    (folder / "gate.toml").write_text("looks = 3\n" + line.format(" . ".join([key] * 20_000)), encoding="utf-8")
    with pytest.raises(HoldfastError, match="nested too deeply"):
        read_conditions("gate.toml")
