"""A command line is run, and what it did is held against what is promised of every command line."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from holdfast import cli
from tests.fuzz.desk import lay, state
from tests.fuzz.lines import WRITTEN, lines
from tests.fuzz.trial import Trial, in_folder

ENDLESS = 120  # seconds after which a line is said not to end; none of these should take more than two
CODES = (0, 1, 2, 3)
SAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PIPED = b"0\n1\n0.5\n"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def in_this_process(seed: int, number: int) -> Trial:
    """Command lines of one seed, each called as `holdfast` calls it."""
    return _tried(seed, number, called)


def as_processes(seed: int, number: int) -> Trial:
    """Command lines of one seed, each in a process of its own."""
    return _tried(seed, number, _started)


def _tried(seed: int, number: int, run: Callable[[list[str]], Outcome]) -> Trial:
    trial = Trial("command lines")
    with in_folder() as folder:
        lay(folder)
        before = state(folder)
        for words in lines(seed, number):
            outcome = run(words)
            trial.tried.update(("command lines", f"exit {outcome.code}"))
            after = state(folder)
            promises = [*broken(words, outcome), *_harmed(words, before, after)]
            trial.wrong += [f"{words}: {promise}" for promise in promises]
            if after != before:
                _clear(folder)
    return trial


def broken(words: list[str], outcome: Outcome) -> Iterator[str]:
    """The promises of exit code, of one line and of JSON that this outcome does not keep."""
    code, out, err = outcome
    if code not in CODES:
        yield f"exit {code}: {err[-2000:]}"
    if "Traceback" in err or "panicked" in err:
        yield f"more than a line: {err[-600:]}"
    elif code == 2 and not re.search(r"^holdfast: .{10}", err, re.MULTILINE):
        yield f"no line says what is wrong: {err[-300:]!r}"
    if unsafe := SAFE.search(out + err):
        place = unsafe.start()
        yield f"{unsafe.group()!r} reaches the terminal: {(out + err)[max(0, place - 80) : place + 20]!r}"
    asked = "--json" in words and not any(option in WRITTEN and value == "--json" for option, value in pairwise(words))
    if asked and code in (0, 1, 3) and "--help" not in words and not words[0].startswith("-"):
        yield from _no_json(out)


def _no_json(out: str) -> Iterator[str]:
    try:
        json.loads(out)
    except ValueError:
        for line in out.splitlines():  # streams print one object per look
            try:
                json.loads(line)
            except ValueError:
                yield f"no JSON: {line[:200]!r}"
                return


def _harmed(words: list[str], before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    outputs = {value.split(os.sep)[0] for option, value in pairwise(words) if option.startswith("--")}
    if words[:2] == ["ledger", "open"]:  # which makes the ledger, and a key beside the labels
        outputs |= {*words[2:3], *(f"{value}.key" for option, value in pairwise(words) if option == "--truth-file")}
    # An output that was named may be replaced, but not one that is also read.
    written = {value for option, value in pairwise(words) if option in WRITTEN and words.count(value) == 1}
    for name, content in before.items():
        if after.get(name) != content and name not in written:
            yield f"{name} is not what it was"
    for name in after.keys() - before.keys():
        if name.split(os.sep)[0] not in outputs:
            yield f"{name} was left behind"


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    lay(folder)


def called(words: list[str]) -> Outcome:
    def endless(*_: object) -> None:
        raise TimeoutError(f"does not end within {ENDLESS} seconds")

    out, err = io.StringIO(), io.StringIO()
    earlier = signal.signal(signal.SIGALRM, endless)
    signal.alarm(ENDLESS)
    code: object = 0
    try:
        with (
            patch.object(sys, "argv", ["holdfast", *words]),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(PIPED))),
            patch.dict(os.environ, {"COLUMNS": "200", "TERM": "dumb"}),
            redirect_stdout(out),
            redirect_stderr(err),
            _descriptor(err),
        ):
            cli.main()
    except SystemExit as left:
        code = left.code or 0
    except BaseException as error:
        code = f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, earlier)
    return Outcome(code, out.getvalue(), err.getvalue())  # type: ignore[arg-type]


@contextmanager
def _descriptor(err: io.StringIO) -> Iterator[None]:
    """What libraries write to the descriptor itself, past Python, is caught too."""
    saved = os.dup(2)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as beside:
        os.dup2(beside.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            beside.seek(0)
            err.write(beside.read())


def _started(words: list[str]) -> Outcome:
    command = [sys.executable, "-m", "holdfast", *(word.replace("\0", "") for word in words)]
    environment = {**os.environ, "COLUMNS": "200", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [os.fsencode(word.encode("utf-8", "surrogateescape")) for word in command],
        input=PIPED,
        capture_output=True,
        timeout=ENDLESS,
        env=environment,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
