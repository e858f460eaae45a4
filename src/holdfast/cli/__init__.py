"""The command line: parse, call one verb, print.

Exit codes: 0 done or proven, 1 a promise or claim not kept or refuted, 2 bad input, 3 not enough data, 70 a fault of
Holdfast's own, 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from threading import Event, Thread, current_thread, main_thread
from types import FrameType

import rich_click as click

from holdfast import __version__
from holdfast.cli.assess import assess
from holdfast.cli.bound import bound, plan
from holdfast.cli.compare import compare
from holdfast.cli.cross_assess import cross_assess
from holdfast.cli.doctor import doctor
from holdfast.cli.gate import gate
from holdfast.cli.ledger import ledger
from holdfast.cli.methods import measures, methods, verify
from holdfast.cli.monitor import SIGNALS, monitor
from holdfast.cli.options import tell, tell_nobody
from holdfast.cli.panel import committee, panel
from holdfast.cli.show import show
from holdfast.cli.threshold import threshold
from holdfast.cli.training import decompose, learning_curve
from holdfast.cli.verb import DEBUG, FAULT, fault_line
from holdfast.errors import HoldfastError, at_the_command_line
from holdfast.wording import quoted


def _print_completion(ctx: click.Context, param: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # click knows all three
    click.echo(script(ctx.command, {}, "holdfast", "_HOLDFAST_COMPLETE").source())
    ctx.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="holdfast")
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
    help='Print the completion script: eval "$(holdfast --completion bash)".',
)
def cli() -> None:
    """What your hold-out set lets you hold fast to.

    Every number comes with an interval, and every interval says how firmly it holds.
    """


cli.params.append(DEBUG)
for command in (
    assess,
    compare,
    panel,
    committee,
    gate,
    threshold,
    monitor,
    cross_assess,
    decompose,
    learning_curve,
    bound,
    plan,
    ledger,
    show,
    doctor,
    verify,
    methods,
    measures,
):
    cli.add_command(command)


PATIENCE = 5.0  # seconds for a computation to come back to Python, which alone can put things away


class Ended(KeyboardInterrupt):
    """Somebody told this process to end: whoever cleans up after Ctrl-C does so now."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Where SIGTERM and SIGHUP end what is done as Ctrl-C does, with the exit code that a shell gives them.

    A signal that was ignored before, as nohup has it, still is. The first one interrupts; those that come while things
    are put away change nothing.
    """
    if current_thread() is not main_thread():  # signals do not come here
        yield
        return
    received: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        if not received:
            received.append(number)
            raise Ended

    before = {each: signal.signal(each, end) for each in SIGNALS if signal.getsignal(each) is signal.SIG_DFL}
    try:
        with _ended_anyway(received):
            yield
    except BaseException:
        if not received:
            raise
        raise SystemExit(128 + received[0]) from None
    finally:
        for each in before:  # what runs at exit, such as the end of other processes, is putting away too
            signal.signal(each, signal.SIG_IGN if received else signal.SIG_DFL)


@contextmanager
def _ended_anyway(received: list[int]) -> Iterator[None]:
    """Let a computation that does not come back to Python be ended as it was: nothing waits to be put away then."""
    if os.name != "posix":
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    handlers = {each: signal.getsignal(each) for each in SIGNALS}
    over = Event()

    def watch() -> None:
        with open(reader, "rb", buffering=0) as numbers:
            while number := numbers.read(1):  # until the other end is closed
                if number[0] not in SIGNALS or signal.getsignal(number[0]) is not handlers[number[0]]:
                    continue  # somebody further in, such as a monitor, takes it in a way of its own
                if not over.wait(PATIENCE) and not received:
                    os._exit(128 + number[0])

    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    watcher = Thread(target=watch, name="signals", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(writer)
        watcher.join(1.0)  # a process forked meanwhile may hold the other end open


@ended_by_signals()
@at_the_command_line()
def main(arguments: list[str] | None = None) -> None:
    """Run the command line; whatever goes wrong is one line on standard error and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no dash gets a question mark, not an error
    code: int | str | None = 0
    try:
        code = cli.main(arguments, prog_name="holdfast", standalone_mode=False)
        if sys.stdout is not None:  # nobody has closed it
            sys.stdout.flush()  # while a reader that has left can still be noticed
    except HoldfastError as error:
        tell(f"holdfast: {error}")
        code = error.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" See {context.command_path} --help." if context else ""
        tell(f"holdfast: {' '.join(error.format_message().split())}{hint}")
        code = 2
    except MemoryError:
        tell("holdfast: this does not fit into memory; ask for fewer examples.")
        code = 2
    except (click.Abort, KeyboardInterrupt):
        tell("holdfast: interrupted")
        code = 130
    except SystemExit as leaving:
        code = 0 if leaving.code == 1 else leaving.code  # 1 is how click says that the reader has left
    except BrokenPipeError:  # the reader has left: the exit code, if there is one by now, is for somebody else
        tell_nobody()
    except BaseException as error:  # a panic in Rust is no Exception
        if isinstance(error, OSError) and error.strerror:
            tell_nobody()
            tell(f"holdfast: cannot {_doing(error)}: {error.strerror}.")
            code = 2
        else:  # whatever nobody thought of
            words = sys.argv[1:] if arguments is None else arguments
            tell(f"holdfast: {fault_line(error, words, next(filter(cli.commands.__contains__, words), None))}")
            code = FAULT
    sys.exit(code or 0)


def _doing(error: OSError) -> str:
    """What the system refused: to use a file, if it names one, and otherwise to take what is printed."""
    return "write the answer" if error.filename is None else f"use {quoted(error.filename, 200)}"
