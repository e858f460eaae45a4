"""An option that takes one value refuses a second; one that takes several says so in its help."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from holdfast.cli import cli
from holdfast.cli.verb import SEVERAL, Verb
from holdfast.errors import HoldfastError
from tests.cli.conftest import Run


def values(option: click.Option) -> list[str]:
    """Two that click takes for values of the option, which may be the same."""
    choices = [*option.type.choices] if isinstance(option.type, click.Choice) else ["1000", "2000"]
    return [choices[0], choices[-1]]


def required(verb: click.Command) -> list[str]:
    """The words without which the command asks for more."""
    options = [word for each in verb.params if each.required and each.opts[0][0] == "-" for word in (each.opts[0], "1")]
    given = [each.type for each in verb.params if isinstance(each, click.Argument)]
    return [kind.choices[0] if isinstance(kind, click.Choice) else "FILE" for kind in given] + options


@pytest.mark.parametrize("name", cli.commands)
def test_what_takes_one_value_refuses_a_second(name: str) -> None:
    options = [option for option in cli.commands[name].params if isinstance(option, click.Option)]
    assert options
    for option in options:
        check_given_twice(cli.commands[name], option)


def check_given_twice(verb: click.Command, option: click.Option) -> None:
    words, [first, second], name = required(verb), values(option) * (not option.is_flag) or ["", ""], option.opts[0]
    if name in words:
        words = words[: words.index(name)] + words[words.index(name) + 2 :]
    if option.is_flag:
        verb.make_context("verb", [*words, name, name])
        return
    if option.hidden and option.callback is not None:  # refused once is enough
        with pytest.raises(HoldfastError, match=name):
            verb.make_context("verb", [*words, name, first])
        return
    twice = [*words, name, first, f"{name}={second}"]
    if option.multiple:
        assert option.hidden or SEVERAL in (option.help or ""), f"{name} does not say that it {SEVERAL}"
        verb.make_context("verb", twice)
        return
    with pytest.raises(click.UsageError) as refused:
        verb.make_context("verb", twice)
    assert refused.value.message == f"{name} is given as {first!r} and as {second!r}; it takes one value."
    verb.make_context("verb", [*words, name, second])


def test_every_command_is_a_verb() -> None:
    assert all(isinstance(command, Verb) for command in cli.commands.values())


def test_the_refusal_is_one_line_whatever_was_given(run: Run) -> None:
    answer = run("gate", "x.csv", "--at-most", "0.1", "--at-most", "0.2", "--at-most", "a\nb")
    assert answer.code == 2
    answer = run("assess", "x.csv", "--cluster", "id", "--cluster", "pass\nage", "--cluster", "y" * 90)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "holdfast: --cluster is given as 'id' and as 'pass\\nage' and as "
        f"'{'y' * 40}...'; it takes one value. See holdfast assess --help.\n"
    )


def test_help_is_given_whatever_stands_beside_it(run: Run) -> None:
    answer = run("assess", "--cluster", "id", "--cluster", "passage", "--help")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("assess", "x.csv", "--score", "a=p", "--score", "a=q"), "--score names 'a' twice, as 'p' and as 'q'"),
        (
            ("threshold", "x.csv", "--precision-at-least", "0.5", "--score", "p", "--score", "p"),
            "--score names 'p' twice",
        ),
        (
            ("assess", "x.csv", "--predicted", "m1", "--prevalence", "a=0.1", "--prevalence", "a=0.2"),
            "--prevalence names 'a' twice",
        ),
        (("compare", "x.csv", "--score", "a=p", "--score", "a=q"), "--score names 'a' twice, as 'p' and as 'q'"),
        (("compare", "x.csv", "--share", "a=0.5", "--share", "a=1"), "--share names 'a' twice"),
        (("panel", "x.csv", "--share", "a=0.5", "--share", "a=1"), "--share names 'a' twice"),
        (("committee", "x.csv", "--share", "a=0.5", "--share", "a=1"), "--share names 'a' twice"),
        (("panel", "x.csv", "--set", "a=m1", "--set", "a=m2"), "--set names 'a' twice, as 'm1' and as 'm2'"),
        (("cross-assess", "--grid", "a=1", "--grid", "a=2"), "--grid names 'a' twice, as '1' and as '2'"),
        (("cross-assess", "--param", "a=1", "--param", "a=2"), "--param names 'a' twice, as '1' and as '2'"),
        (("decompose", "--param", "a=1", "--param", "a=2"), "--param names 'a' twice, as '1' and as '2'"),
        (("learning-curve", "--param", "a=1", "--param", "a=2"), "--param names 'a' twice, as '1' and as '2'"),
    ],
)
def test_a_pair_refuses_a_second_value_for_its_name(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "x.csv").write_text("truth,m1,m2,y\n" + "a,a,b,1\nb,b,b,2\n" * 5, encoding="utf-8")
    if words[1] != "x.csv":
        words = (words[0], "x.csv", "--target", "y", "--estimator", "sklearn.dummy:DummyClassifier", *words[1:])
    answer = run(*words)
    assert answer.code == 2
    assert message in answer.err
