"""holdfast monitor: results from a file that grows, or from standard input, as they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.inputs import follow, growing_options, notice, state_held
from holdfast.cli.options import json_option
from holdfast.cli.verb import Kept, Read, Verb, markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError


@click.command(cls=Verb)
@click.argument("file", type=Read(), default="-", metavar="[FILE]")
@growing_options
@click.option("--state", type=Kept(), metavar="FILE", help="Where the state is kept; an existing one is resumed.")
@click.option("--at-most", type=float, help="The rate or mean loss meant to hold; alarm once it is proven larger.")
@click.option("--at-least", type=float, help="The same from below; alarm once it is proven smaller.")
@click.option("--correct", is_flag=True, help="A 1 in the input means right, not an error.")
@click.option("--losses", is_flag=True, help="The input is one loss a line.")
@click.option(
    "--column", metavar="NAME", help="The rows have columns, named in the first line or in JSON: that of the outcome."
)
@click.option(
    "--id", "id_", metavar="COLUMN", help="The column that names a row: each of the last 100,000 counts once."
)
@click.option("--low", type=float, help="Smallest value the loss can take.  [default: 0]")
@click.option("--high", type=float, help="Largest value the loss can take.  [default: 1]")
@click.option("--confidence", help="Confidence that no claim is ever wrong.  [default: 0.95]")
@click.option("--every", type=click.IntRange(min=1), help="Print the claim after every so many rows.")
@json_option
def monitor(
    file: str,
    growing: bool,
    as_new: bool,
    wait: float | None,
    state: str | None,
    column: str | None,
    id_: str | None,
    confidence: str | None,
    every: int | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Follow the error rate, or a mean loss, row by row, in a file that grows or on standard input.

    A row is 0 or 1, where 1 is an error, or errors,n for a batch. The limits hold at every moment. Stops with exit
    code 1 once a limit is proven broken, or once the rate is proven to have changed. With --state it goes on where it
    was, and counts no row of FILE twice.

    holdfast monitor outcomes.csv --follow --at-most 0.05 --state watch.json
    """
    from holdfast.claims import chance_of_error
    from holdfast.render.text.decision import monitor_parts
    from holdfast.render.text.layout import as_text
    from holdfast.sources.content import told
    from holdfast.sources.lines.following import Following, open_lines
    from holdfast.sources.lines.outcomes import Cells, Lines
    from holdfast.streams.machine import kept
    from holdfast.verbs.stream.monitor import Monitor

    settings |= {name: settings[name] or None for name in ("losses", "correct")}
    settings["delta"] = None if confidence is None else float(chance_of_error(confidence))
    if id_ is not None and column is None:
        raise HoldfastError("--id names a column beside that of the outcome; say which that is with --column.")

    if every is not None:
        markdown_is_printed(beside="--every")

    def show(full: bool) -> None:
        watched = following.watched
        if as_json:
            click.echo(watched.look.to_json())
        elif full:
            click.echo(watched.look.to_markdown() if markdown_is_printed() else as_text(*monitor_parts(watched.look)))
        elif not following.over:  # what has happened is told in full
            click.echo(f"{watched.n:,}: {watched.claim}")

    with state_held(state, wait):
        machine = kept(Monitor, state, settings)
        name = "the input" if file == "-" else told(Path(file))
        reader = Lines(machine.settings, name) if column is None else Cells(machine.settings, name, column, id_)
        source = open_lines(file, name, machine, state, notice, follow=growing, as_new=as_new, ids=id_ is not None)
        following = Following(machine, ("alarm_after", "changed_after"), state, every, notice)
        follow(following, source, reader, show, as_json=as_json, until_told=growing)
    write_markdown(following.watched.look)
    return 1 if following.over else 0
