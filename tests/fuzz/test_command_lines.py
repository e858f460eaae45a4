"""Command lines at random: an answer or one line that says what to do, the right exit code, and nothing harmed."""

from __future__ import annotations

import pytest

from tests.fuzz.trial import Record, holds
from tests.fuzz.trying import Outcome, as_processes, broken, in_this_process


@pytest.mark.parametrize("seed", [1, 2])
def test_command_lines_in_one_process(seed: int, record_property: Record) -> None:
    holds(in_this_process(seed, 50), record_property)


@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 12])
def test_a_thousand_command_lines_in_one_process(seed: int, record_property: Record) -> None:
    holds(in_this_process(seed, 500), record_property)


@pytest.mark.long
@pytest.mark.parametrize("seed", [21, 22])
def test_fifty_command_lines_as_processes(seed: int, record_property: Record) -> None:
    holds(as_processes(seed, 25), record_property)


ANSWER = Outcome(0, '{"kind": "report"}\n', "")


@pytest.mark.parametrize(
    ("outcome", "promise"),
    [
        (ANSWER._replace(code=70), "exit 70"),
        (ANSWER._replace(code=2), "no line says"),
        (ANSWER._replace(err="Traceback (most recent call last):"), "more than a line"),
        (ANSWER._replace(err="thread 'polars-0' panicked at"), "more than a line"),
        (ANSWER._replace(err="holdfast: \x1b[31mred"), "reaches the terminal"),
        (ANSWER._replace(out="error rate 0.5\n"), "no JSON"),
    ],
)
def test_a_promise_that_is_broken_is_noticed(outcome: Outcome, promise: str) -> None:
    (sentence,) = broken(["assess", "--json"], outcome)
    assert sentence.startswith(promise) or promise in sentence
    assert not [*broken(["assess", "--json"], ANSWER)]
