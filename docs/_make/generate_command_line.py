"""Write docs/command-line.md from the commands themselves: `python docs/_make/generate_command_line.py [FILE]`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import fill

import click

from holdfast.cli import cli

WIDTH = 118
DONE, BAD = "done", "the question or the data are wrong; one line on standard error says what, and what to do"
EXITS: dict[str, dict[int, str]] = {  # what else than "done" and "bad input" a command can say; tests make each happen
    "gate": {
        0: "everything asked is proven",
        1: "something asked is refuted",
        3: "not enough data: neither proven nor refuted",
    },
    "doctor": {0: "nothing is missing or in the way", 1: "samples are missing, or runs cannot be compared"},
    "threshold": {0: "a threshold was found", 3: "not enough data for any threshold"},
    "monitor": {
        0: "the input ended or was left, and no limit was proven broken",
        1: "a limit is proven broken, or the rate changed",
    },
    "verify": {0: "the promise is kept, or none was made for this n", 1: "a method that promises every n breaks it"},
    "compare": {
        0: "done; with `--fail-unless`: proven; with `--sequential`: the first is better, not inferior or equivalent",
        1: "with `--fail-unless`: the contrary is shown; with `--sequential`: the second model is better",
        3: "with `--fail-unless` and `--sequential`: not settled",
    },
}

INTRODUCTION = f"""\
# The command line

Generated from the commands by `make docs`; do not edit. `holdfast COMMAND --help` says the same on your screen.

Every command reads, computes and prints; none changes your data. Answers go to standard output, everything else to
standard error, so that `holdfast ... --json > answer.json` is safe in a script. Tables are 80 columns wide unless your
terminal is wider. Completion: `eval "$(holdfast --completion bash)"` (or `zsh`, `fish`).

| exit code | meaning |
|---|---|
| 0 | done, or proven |
| 1 | a promise or a claim is refuted, an alarm was raised, or the second of two models won |
| 2 | {BAD} |
| 3 | not enough data, or not settled |
| 70 | a fault of Holdfast, and no answer: one line says what failed, and `--debug` saves its traceback to a file |
| 130 | interrupted from the keyboard, unless it followed a file |"""


def page() -> str:
    """The whole page."""
    with click.Context(cli, info_name="holdfast") as top:
        commands = list(cli.commands.values())
        index = ["| command | what it answers |", "|---|---|"]
        index += [f"| [{each.name}](#holdfast-{each.name}) | {_lead(each)} |" for each in commands]
        return "\n\n".join([INTRODUCTION, "\n".join(index), *(_section(each, top) for each in commands)]) + "\n"


def _section(command: click.Command, top: click.Context) -> str:
    context = click.Context(command, info_name=command.name, parent=top)
    told, example = _told(command)
    usage = f"```text\n{' '.join(command.get_usage(context).split())}\n```"
    parts = [f"## holdfast {command.name}", *(fill(each, WIDTH) for each in told), usage]
    if example:
        parts.append(f"For example:\n\n```sh\n{example}\n```")
    return "\n\n".join([*parts, _options(command, context), _exits(str(command.name))])


def _options(command: click.Command, context: click.Context) -> str:
    rows = ["| option | what it does |", "|---|---|"]
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden and option.name != "help":
            rows.append(_row(option, context))
    return "\n".join(rows)


def _row(option: click.Option, context: click.Context) -> str:
    """The names, what follows them, and the help with its default, as click itself words them."""
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    takes = "" if option.is_flag else f" {_placeholder(option, context)}"
    said = " ".join((option.help or "").split())
    stated = option.get_default(context) if option.show_default else None
    default = "" if stated is None or "[default:" in said else f" [default: {stated}]"
    often = " May be given several times." if option.multiple and "several times" not in said else ""
    needed = " Required." if option.required else ""
    return f"| {names}{_cell(takes)} | {_cell(said)}{_cell(default)}{often}{needed} |"


def _placeholder(option: click.Option, context: click.Context) -> str:
    if isinstance(option.type, click.Choice) and option.metavar is None:
        return " ".join(f"`{choice}`" for choice in option.type.choices)
    return f"`{option.make_metavar(context)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _exits(name: str) -> str:
    codes = {0: DONE, **EXITS.get(name, {}), 2: BAD}
    return "Exit codes: " + "; ".join(f"**{code}** {codes[code]}" for code in sorted(codes)) + "."


def _lead(command: click.Command) -> str:
    return _told(command)[0][0]


def _told(command: click.Command) -> tuple[list[str], str]:
    """The paragraphs of the help, and the call it gives as an example."""
    paragraphs = [" ".join(each.split()) for each in re.split(r"\n\s*\n", command.help or "") if each.strip()]
    examples = [each for each in paragraphs if re.search(r"(^|\| )holdfast \w", each)]
    return [each for each in paragraphs if each not in examples], "\n".join(examples)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "command-line.md"
    target.write_text(page(), encoding="utf-8")
