"""Where the rows of a stream come from, which of them were counted before, and when to stop waiting for more."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import rich_click as click

from holdfast.cli.options import tell
from holdfast.cli.signals import SIGNALS
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.files.progress import Progress
    from holdfast.sources.formats.growing import GrowingFile
    from holdfast.sources.formats.piped import PipedStream

Command = Callable[..., Any]


class Kept(Protocol):
    """What counts the rows."""

    progress: Progress

    @property
    def n(self) -> int: ...

    def save(self, path: str | Path) -> None: ...


def growing_options(command: Command) -> Command:
    """What says how a file that grows is read."""
    for option in (
        click.option(
            "--wait",
            type=click.FloatRange(min=0),
            metavar="SECONDS",
            help="How long to wait while another process holds the state.  [default: 5]",
        ),
        click.option("--as-new", is_flag=True, help="Where FILE was cut or written anew: all of its rows are new."),
        click.option("--follow", "growing", is_flag=True, help="Wait for what is written to FILE, until interrupted."),
    ):
        command = option(command)
    return command


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


def source_of(
    given: str,
    name: str,
    watched: Kept,
    state: str | None,
    *,
    follow: bool = False,
    as_new: bool = False,
    ids: bool = False,
) -> GrowingFile | PipedStream:
    """The file, read from where the state has got to, or standard input; what cannot be known of it is said."""
    from holdfast.sources.formats.growing import GrowingFile, is_file
    from holdfast.sources.formats.piped import PipedStream

    progress, counted = watched.progress, watched.n
    if follow and given == "-":
        raise HoldfastError("--follow reads a file that grows, and standard input is none; name the file.")
    if as_new and given == "-":
        raise HoldfastError("--as-new is about a FILE; leave it out, or name one.")
    if as_new and state is None and not follow:
        raise HoldfastError("--as-new says something only beside --state or --follow; leave it out.")
    if given != "-" and (follow or is_file(Path(given))):
        return GrowingFile(Path(given), name, progress, notice, follow=follow, as_new=as_new, ids=ids, counted=counted)
    if state is not None and counted:
        if not (ids and progress.ids):
            notice(
                f"{state} holds what was counted before; whether rows of {name} are among it cannot be known. Name the "
                "file that is written (FILE --follow), or the column of ids (--id COLUMN)."
            )
        elif progress.forgotten:
            notice(
                f"{state} knows the ids of the last {len(progress.ids):,} rows; of the {progress.forgotten:,} before "
                "them it cannot tell whether they are counted again."
            )
    return PipedStream(None if given == "-" else Path(given), name)


def notice(sentence: str) -> None:
    """What a reader should know beside the answer."""
    tell(f"holdfast: {sentence}")
