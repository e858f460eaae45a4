"""Being told to end, by a supervisor or a terminal that closes: the way of Ctrl-C, so that nothing is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, current_thread, main_thread
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
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
