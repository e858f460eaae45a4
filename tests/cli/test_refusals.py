"""An option that other verbs have is answered by a reason, in one line, and never by a traceback."""

from __future__ import annotations

import pytest
import rich_click as click

from holdfast.cli import cli
from holdfast.cli.refusals import MODIFIERS, reason
from tests.cli.conftest import Run

VERBS = {name: {word for option in verb.params for word in option.opts} for name, verb in cli.commands.items()}
WITHOUT = [(verb, option) for verb, own in VERBS.items() for option in MODIFIERS if option not in own]


@pytest.mark.crossing(49)
@pytest.mark.parametrize(("verb", "option"), WITHOUT)
def test_every_verb_says_why_it_does_not_take_what_others_take(verb: str, option: str, run: Run) -> None:
    code, out, err = run(verb, "rows.csv", option, "0.2")
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith(f"holdfast: {verb} takes no {option}: ")
    assert "No such option" not in line
    assert line.endswith(f". See holdfast {verb} --help.")
    assert len(line) > 80  # and not only that it does not


@pytest.mark.parametrize("verb", VERBS)
def test_no_reason_is_given_against_what_a_verb_takes(verb: str) -> None:
    taken = VERBS[verb] - {"--margin"}  # of assess, a column by its old name
    assert [option for option in MODIFIERS if option in taken and reason(verb, option)] == []


def test_a_number_as_the_margin_of_one_model_is_refused_and_a_column_is_not(run: Run) -> None:
    code, _, err = run("assess", "rows.csv", "--margin", "0.2")
    assert code == 2
    assert err.startswith("holdfast: assess takes no --margin NUMBER: a margin is what two models may differ by")


def test_what_no_verb_takes_is_refused_as_before(run: Run) -> None:
    code, _, err = run("assess", "rows.csv", "--nonsense")
    assert code == 2
    assert "No such option" in err
    assert reason("assess", "--nonsense") is None
    assert isinstance(cli.commands["assess"], click.RichCommand)
