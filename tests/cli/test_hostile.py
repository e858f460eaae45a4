"""Whatever is typed: one line that says what to do, exit code 2, and never a traceback."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.cli.conftest import Run
from tests.snapshots import matches

HOSTILE = """
nonsense
bound
bound --errors 8
bound --n 30
bound --errors 8 --n 30 --losses losses.csv
bound --errors -1 --n 30
bound --errors 31 --n 30
bound --errors 8.5 --n 30
bound --errors eight --n 30
bound --errors 8 --n 99999999999999999999
bound --errors 8 --n HUGE
bound --errors 8 --n 30 --confidence 95
bound --errors 8 --n 30 --confidence 1
bound --errors 8 --n 30 --confidence 0
bound --errors 8 --n 30 --confidence nan
bound --errors 8 --n 30 --confidence high
bound --errors 8 --n 30 --confidence 1e-400
bound --errors 8 --n 30 --side left
bound --errors 8 --n 30 --method wilsn
bound --errors 8 --n 30 --method betting
bound --errors 8 --n 30 --method blaker --side upper
bound --errors 8 --n 30 --unlabelled 0
bound --errors 8 --n 30 --unlabelled 2.5
bound --errors 8 --n 30 --unlabelled 5 --method wilson
bound --errors 8 --n 30 --all --method wilson
bound --errors 8 --n 30 --all --unlabelled 5
bound --errors 8 --n 30 --column loss
bound --errors 8 --n 30 --low -1
bound --errors 8 --n 30 --high 2
bound --errors 8 --n 30 extra
bound --errors 8 --n 30 --colour red
bound --errors
bound --losses missing.csv
bound --losses .
bound --losses losses.csv --column lost
bound --losses losses.csv --method clopper-pearson
bound --losses losses.csv --unlabelled 5
bound --losses losses.csv --low 1 --high 0
bound --losses losses.csv --high nan
bound --losses losses.csv --high 0.1
plan
plan --at-most 0.05 --half-width 0.1
plan --at-most 0
plan --at-most 1
plan --at-most nan
plan --at-most 0.05 --expect 0.05
plan --at-most 0.05 --expect -1
plan --at-most 0.05 --power 1
plan --at-most 0.05 --method hoeffdingg
plan --at-most 0.05 --method betting
plan --at-most 0.05 --method blaker
plan --at-most 1e-300
plan --half-width 0.5
plan --half-width 1e-9
plan --half-width 0.1 --expect 2
verify
verify nothing
verify hypergeometric
verify wilson --n 0
verify wilson --n ten
verify wilson --n 5..1
verify wilson --n ..
verify wilson --n 1..2..3
verify wilson --n 1,,2
verify wilson --repeats 1
verify wilson --confidence 95
verify hoeffding --n 5 --repeats 100 --seed -1
verify wilson --n 5 --seed x
verify wilson --n 5 --chart coverage.gif
verify blaker --n 5 --chart missing/coverage.svg
verify blaker --n 5 --side upper
verify betting --n 5 --repeats 100 --chart coverage.svg
methods nothing
methods wilson extra
--completion
--completion tcsh
""".strip().splitlines()


@pytest.mark.parametrize("typed", HOSTILE)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, losses: str, typed: str) -> None:
    answer = run(*typed.replace("HUGE", "1" + "0" * 400).split())
    assert answer.code == 2, answer.out
    assert answer.out == ""
    (line,) = answer.err.splitlines()
    assert line.startswith("holdfast: ")
    assert "Traceback" not in line
    assert len(line) > 30


def test_what_is_said_to_bad_input(run: Run, losses: str) -> None:
    # Messages that list the catalog change whenever it grows, those of click with its version; the others are pinned.
    changing = (
        "betting",
        "clopper-pearson",
        "--completion",
        "nothing",
        "HUGE",
        "--unlabelled 5",
        "--column",
        "--colour",
        "--low",
        "--high",
        "--seed",
    )
    told = [
        f"$ holdfast {typed}\n{run(*typed.split()).err}" for typed in HOSTILE if not any(c in typed for c in changing)
    ]
    matches("cli_errors", "".join(told))


def test_an_option_that_cannot_be_honoured_is_named(run: Run) -> None:
    for option in ("--column=x", "--low=-1", "--high=2"):
        assert option.split("=")[0] in run("bound", "--errors", "8", "--n", "30", option).err


def test_an_option_that_does_not_exist_is_named_beside_the_nearest(run: Run) -> None:
    message = run("bound", "--errors", "8", "--n", "30", "--colour", "red").err
    assert message.startswith("holdfast: No such option")
    assert "--colour" in message
    assert "--column" in message
    assert message.endswith("See holdfast bound --help.\n")


def test_a_chart_that_cannot_be_drawn_is_refused_before_the_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*arguments: object, **options: object) -> None:
        raise AssertionError("worked before looking")

    monkeypatch.setattr(import_module("holdfast.verify"), "checks", work)
    for name, path in (("wilson", "coverage.gif"), ("betting", "coverage.svg")):
        assert run("verify", name, "--n", "5", "--chart", path).code == 2
