"""Command lines drawn at random: what a verb is called with, options that fit and that do not, words out of place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from random import Random

import click

from holdfast import cli
from tests.cli.test_names import CALLS, options_of, values
from tests.fuzz.desk import ESCAPE, NAMES, ODD_NAMES

NUMBERS = (
    "0",
    "1",
    "-1",
    "0.5",
    "2",
    "1e-300",
    "1e300",
    "nan",
    "inf",
    "-inf",
    "-0",
    "1_0",
    "0x10",
    "9" * 400,
    "١",
    "1,2",
    "1/3",
    "95",
)
TEXTS = (
    "",
    " ",
    "x",
    "a=b",
    "=",
    ",",
    "a,,b",
    ESCAPE,
    "<script>",
    "truth",
    "predicted",
    "m1,m2",
    "é",
    "\u202e",
    "{}",
    "%s",
    "*",
    "\n",
    "\udc80",
)
OUTPUTS = ("page.html", "chart.svg", "binary.csv", "/dev/null", "no/where.html", ".", "chart.txt")
# Options whose work grows with what they are given, and that mean to: how long people wait is theirs to say.
COSTLY = {"--repeats": "100", "--rounds": "2", "--resamples": "50", "--n": "9", "--engine": "serial", "--workers": "1"}
WRITTEN = {"--html", "--chart", "--junit", "--save", "--state", "--markdown"}


def lines(seed: int, number: int) -> Iterator[list[str]]:
    """So many command lines of one seed."""
    random = Random(seed)
    verbs = list(CALLS)
    for _ in range(number):
        yield spoiled(random, line(random, random.choice(verbs)))


def line(random: Random, verb: str) -> list[str]:
    """A call that means something, perhaps of another file, with up to four more options."""
    words = shlex.split(random.choice(CALLS[verb][: random.choice((1, 1, None))]))
    if random.random() < 0.25:
        words = [random.choice(NAMES) if word in NAMES else word for word in words]
    elif random.random() < 0.05:
        words = [random.choice(ODD_NAMES) if word in NAMES else word for word in words]
    options = [option for option in options_of(verb) if option.opts[0] not in words]
    for option in random.sample(options, min(len(options), random.choice((0, 1, 1, 1, 2, 2, 3)))):
        words += [option.opts[0]] if option.is_flag else [option.opts[0], value(random, option)]
    return [verb, *words]


def value(random: Random, option: click.Option) -> str:
    name = option.opts[0]
    if name in COSTLY:
        return random.choice((COSTLY[name], "0", "-1", "x", "nan"))
    if name in WRITTEN:
        return random.choice(OUTPUTS)
    if random.random() < 0.8:
        return random.choice(values(option)[: random.choice((1, 1, None))])
    return random.choice((*NUMBERS, *TEXTS, *random.sample(NAMES, 4), *ODD_NAMES[:6]))


def spoiled(random: Random, words: list[str]) -> list[str]:
    """One in ten lines has a word too many, one too few, or two in each other's place."""
    accident = random.randrange(30)
    place = random.randrange(len(words))
    if accident == 0:
        return words[:place] + words[place + 1 :] or ["--help"]
    if accident == 1:
        return [*words[:place], random.choice((*TEXTS, *NUMBERS, "--nothing", "--help", "--json")), *words[place:]]
    if accident == 2:
        other = random.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    return words


assert set(CALLS) == set(cli.cli.commands)
