"""Streams: holdfast monitor, holdfast compare --sequential, and what they share; in one pass and constant memory."""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from holdfast.cli.options import command_line, in_order, json_option, listed, tell, tell_nobody
from holdfast.cli.pictures import Output, checked
from holdfast.cli.verb import Kept, Read, Verb, markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError, visible

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


def follow_stream(
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
    from holdfast.render.text.answers import monitor_parts
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
        follow_stream(following, source, reader, show, as_json=as_json, until_told=growing)
    write_markdown(following.watched.look)
    return 1 if following.over else 0


EXIT = {"better": 0, "not inferior": 0, "equivalent": 0, "worse": 1}
OPEN = 3


def follow_two(stated: Mapping[str, Any]) -> int:
    """Follow the rows of a file, or of standard input, and tell which of two models is better.

    The first row names the columns: the truth beside those of the two models' predictions, or with `pass_fail` two
    columns of 0 and 1, or with `losses`, LOW,HIGH, two columns of losses in that range. What is not stated is taken
    from the state, or its default. Returns the exit code: 0 once the first model is better, not inferior or equivalent
    within the margin, 1 once the second is better, 3 while that is not settled.
    """
    from holdfast.claims import chance_of_error
    from holdfast.render.phrases import opening
    from holdfast.render.text.answers import brief_line, duel_parts
    from holdfast.render.text.layout import as_text
    from holdfast.report.facts.kind import Kind
    from holdfast.sources.content import STANDARD_INPUT, told
    from holdfast.sources.lines.answers import Answers
    from holdfast.sources.lines.following import Following, open_lines
    from holdfast.streams.machine import kept
    from holdfast.verbs.stream.duel import Duel

    given: Mapping[str, Any] = defaultdict(lambda: None, stated)
    files, losses, page = given["files"] or (), given["losses"], given["page"]
    weight, growing, state, id_ = given["weight"], given["growing"], given["state"], given["id_"]
    every, missing, as_json = given["every"], given["missing"] or "refuse", given["as_json"]
    names = tuple(name.strip() for name in (given["models"] or "").split(",") if name.strip())
    if len(names) != 2:
        raise HoldfastError(f"A stream is followed for two models, --models FIRST,SECOND; got {len(names)}.")
    if len(files) > 1:
        raise HoldfastError(f"A stream is one file, or standard input (-); got {len(files)} files.")
    if given["pass_fail"] and losses is not None:
        raise HoldfastError("A loss is never right or wrong: leave out --losses, or --pass-fail.")
    pictures = checked(page, given["charts"] or (), Kind.DUEL, only="wealth")
    low, high = _range(losses)
    settings: dict[str, Any] = {
        "names": names,
        "delta": None if given["confidence"] is None else float(chance_of_error(given["confidence"])),
        "margin": given["margin"],
        "losses": None if losses is None else True,
        "low": low,
        "high": high,
        "max_weight": given["max_weight"],
    }
    if weight is None and given["max_weight"] is not None:
        raise HoldfastError("--max-weight speaks of weights: give --weight too.")
    file = files[0] if files else "-"
    name = STANDARD_INPUT if file == "-" else told(Path(file))

    if every is not None or growing:
        markdown_is_printed(beside="--follow" if growing else "--every")

    def show(full: bool) -> None:
        look, left_out = following.watched.look, reader.left_out
        if as_json:
            click.echo(look.to_json())
            if full and left_out:
                tell(left_out)
        elif full:
            click.echo(look.to_markdown() if markdown_is_printed() else as_text(*duel_parts(look, left_out)))
        elif not following.over:  # what has happened is told in full
            click.echo(visible(brief_line(look)))

    def news(before: Duel) -> None:
        verdict = following.watched.verdict
        if growing and before.verdict.outcome != verdict.outcome and not following.over:  # somebody waits for it
            show(False) if as_json else click.echo(visible(opening(verdict)))

    with state_held(state, given["wait"]):
        machine = kept(Duel, state, settings)
        if (weight is None) != (machine.settings.max_weight is None):
            raise HoldfastError(
                "A stream of weighted rows needs --weight, and --max-weight: without the most that a row can weigh, "
                "known beforehand, no bet on it is safe."
            )
        answers = given["truth"], bool(given["pass_fail"]), missing, given["separator"], id_, given["labels"], weight
        reader = Answers(machine.settings, name, *answers)
        way = {"follow": bool(growing), "as_new": bool(given["as_new"]), "ids": id_ is not None}
        source = open_lines(file, name, machine, state, notice, **way)
        following = Following(machine, ("changed_after",), state, every, notice)  # then nothing can be claimed any more
        follow_stream(following, source, reader, show, as_json=bool(as_json), until_told=bool(growing), news=news)
    duel = following.watched
    write_markdown(duel.look)
    if page is not None or pictures:
        left_out = [reader.left_out] if reader.left_out else []
        Output(bool(as_json), page, pictures).write(duel.report(left_out).with_command(command_line()))
    return EXIT.get(duel.verdict.outcome, OPEN)


def _range(losses: str | None) -> tuple[float | None, float | None]:
    ends = listed("--losses", losses)
    if losses is not None and len(ends) != 2:
        raise HoldfastError(f"--losses takes the range of the loss as LOW,HIGH, such as 0,1; got {losses!r}.")
    return (float(ends[0]), float(ends[1])) if ends else (None, None)
