"""One message, two readers: each is shown the names that they know."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError, addressed, at_the_command_line
from tests.cli.conftest import Run, run  # noqa: F401


@pytest.mark.parametrize(
    ("written", "python", "typed"),
    [
        ("leave out groups= (--by).", "leave out groups=.", "leave out --by."),
        ('say missing="drop" (--missing drop), or', 'say missing="drop", or', "say --missing drop, or"),
        (
            "looks=K (--looks K) or sequential=True (--sequential)",
            "looks=K or sequential=True",
            "--looks K or --sequential",
        ),
        ("no use for rounds=-1 (--rounds -1)", "no use for rounds=-1", "no use for --rounds -1"),
        (
            "say prevalence={'a b': ...} (--prevalence a b=...)",
            "say prevalence={'a b': ...}",
            "say --prevalence a b=...",
        ),
        ("hf.panel (`holdfast panel`) says", "hf.panel says", "`holdfast panel` says"),
        (
            "(`duel.save(FILE), Duel.load(FILE)` (`--state FILE`))",
            "(`duel.save(FILE), Duel.load(FILE)`)",
            "(`--state FILE`)",
        ),
        ("pass_at= (holdfast assess --pass-at)", "pass_at=", "holdfast assess --pass-at"),
        ("a label (two rows) of x=1 (and more) -- (--)", *["a label (two rows) of x=1 (and more) -- (--)"] * 2),
    ],
)
def test_each_reader_is_shown_one_of_two_names(written: str, python: str, typed: str) -> None:
    assert addressed(written) == python
    with at_the_command_line():
        assert addressed(written) == typed
        assert addressed(typed) == typed
    assert addressed(python) == python


def test_an_error_of_another_process_keeps_both_names_on_its_way() -> None:
    error = pickle.loads(pickle.dumps(HoldfastError("leave out groups= (--by).")))
    assert str(error) == "leave out groups=."
    with at_the_command_line():
        assert str(error) == "leave out --by."


def test_text_json_and_page_of_a_report_name_the_same(run: Run) -> None:  # noqa: F811
    Path("clusters.csv").write_text("correct,patient\n" + "1,a\n0,a\n1,b\n0,c\n" * 5, encoding="utf-8")
    words = ("assess", "clusters.csv", "--correct", "correct", "--cluster", "patient")
    shown = run(*words).out, run(*words, "--json").out, run(*words, "--html", "page.html").err
    for text in (shown[0], shown[1], Path("page.html").read_text(encoding="utf-8")):
        assert "--max-cluster" in text
        assert "max_cluster=" not in text
    report = hf.assess(correct=[1, 0, 1, 0] * 5, clusters=["a", "a", "b", "c"] * 5)
    notes = json.loads(report.to_json())["notes"]
    assert any("max_cluster=" in note and "--max-cluster" not in note for note in notes)
