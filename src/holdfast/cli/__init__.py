"""The command line: parse, call one verb, print. Exit codes: 0 done, 1 a promise not kept, 2 bad input."""

from __future__ import annotations

import os
import sys

import rich_click as click

from holdfast import __version__
from holdfast.cli.bound import bound
from holdfast.cli.completion import completion
from holdfast.cli.methods import methods
from holdfast.cli.plan import plan
from holdfast.cli.verify import verify
from holdfast.errors import HoldfastError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="holdfast")
def cli() -> None:
    """What your hold-out set lets you hold fast to.

    Every number comes with an interval, and every interval says how firmly it holds.
    """


for command in (bound, plan, verify, methods, completion):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; whatever goes wrong is one line on standard error and an exit code."""
    try:
        code = cli.main(arguments, prog_name="holdfast", standalone_mode=False)
    except HoldfastError as error:
        click.echo(f"holdfast: {error}", err=True)
        code = 2
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" See {context.command_path} --help." if context else ""
        click.echo(f"holdfast: {error.format_message()}{hint}", err=True)
        code = 2
    except click.Abort:
        click.echo("holdfast: interrupted", err=True)
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left; nobody to tell
        code = 0
    sys.exit(code or 0)
