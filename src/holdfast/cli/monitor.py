"""holdfast monitor: results from a file that grows, or from standard input, as they come."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from holdfast.cli.options import in_order, json_option, tell, tell_nobody
from holdfast.cli.verb import Kept, Read, Verb, markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.sources.lines.following import Following, Reader, Source
    from holdfast.streams.machine import StateMachine


SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # that say: end
Watched = TypeVar("Watched", bound="StateMachine")


growing_options = in_order(  # what says how a file that grows is read
    click.option("--follow", "growing", is_flag=True, help="Wait for what is written to FILE, until interrupted."),
    click.option("--as-new", is_flag=True, help="Where FILE was cut or written anew: all of its rows are new."),
    click.option(
        "--wait",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="How long to wait while another process holds the state.  [default: 5]",
    ),
)


def state_held(state: str | None, wait: float | None) -> AbstractContextManager[None]:
    """From loading the state to its last save nobody else does either: what each has counted is kept."""
    from holdfast.files import WAIT, holding

    if state is None and wait is not None:
        raise HoldfastError("--wait says how long to wait for --state; name a state, or leave it out.")
    return nullcontext() if state is None else holding(state, WAIT if wait is None else wait)


class Stopping(AbstractContextManager["Stopping"]):
    """Ctrl-C, or being told to end, waits until what was read is counted and kept; a second Ctrl-C does not."""

    def __init__(self) -> None:
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        for number in (signal.SIGINT, *SIGNALS):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
                with suppress(ValueError):  # signals come to the main thread only
                    self.before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _ask(self, *_: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __call__(self) -> bool:
        return self.asked


def follow(
    following: Following[Watched],
    source: Source,
    reader: Reader,
    show: Callable[[bool], None],
    *,
    as_json: bool,
    until_told: bool,
    news: Callable[[Watched], None] = lambda before: None,
) -> None:
    """Follow until there is no more, or until told to end; show each look that is due, and at the end all there is.

    `news` are told of what was known before, each time that rows were counted.
    """
    stopping: Any = Stopping() if until_told else nullcontext(lambda: False)
    try:
        with stopping as stopped, closing(following.looks(source, reader, stopped)) as looks:
            for before in looks:
                if following.due:
                    show(False)
                news(before)
        if not (following.due and as_json):
            show(True)
    except BrokenPipeError:  # nobody reads on, but the exit code tells what was found
        tell_nobody()


def notice(sentence: str) -> None:
    """What a reader should know beside the answer."""
    tell(f"holdfast: {sentence}")


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
