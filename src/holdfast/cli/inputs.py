"""Commands that follow a stream: the options they share, its state, and when to stop waiting for more."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from holdfast.cli.options import in_order, tell, tell_nobody
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
