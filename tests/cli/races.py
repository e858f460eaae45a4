"""Rounds in which two processes add their rows to one state: `python races.py FOLDER ROUNDS [AS-PROCESSES]`.

Each round has a state of its own, a monitor or a duel, and two files of rows, each read by a process that is killed at
moments of chance and started again until it comes through; meanwhile another process reads the state. In the end
every row is counted once. The last line printed counts, as JSON, what was tried.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import numpy as np

from holdfast.cli import main
from holdfast.errors import HoldfastError
from holdfast.verbs.stream.duel import Duel
from holdfast.verbs.stream.monitor import Monitor

ROWS, BLOCK = 250, 128  # of each file; bytes that are read, counted and saved at once
PATIENCE = "60"  # seconds, though two processors be shared by many
SURE = "0.999999"  # so that no change is seen where there is none, which would end it
ENOUGH = 3  # kills of one round


class Round:
    """One state, two files of rows."""

    def __init__(self, number: int, chance: random.Random, counts: Counter[str]) -> None:
        self.chance, self.counts, self.duel = chance, counts, number % 4 == 3
        self.state = f"state-{number}.json"
        self.files = [f"rows-{number}-{which}" for which in range(2)]
        self.drawn = [
            (np.random.default_rng([number, which]).random((ROWS, 2)) < 0.3).astype(int) for which in range(2)
        ]
        for file, rows in zip(self.files, self.drawn, strict=True):
            lines = ["a,b", *(f"{a},{b}" for a, b in rows)] if self.duel else [f"{a}" for a, _ in rows]
            Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def words(self, which: int) -> list[str]:
        told = ["--state", self.state, "--wait", PATIENCE, "--json", "--confidence", SURE]
        if self.duel:
            return ["compare", self.files[which], "--sequential", "--models", "a,b", "--pass-fail", *told]
        return ["monitor", self.files[which], *told]

    def run(self, start: Callable[[list[str]], int], longest: float) -> None:
        """Both files are counted, whoever is killed on the way, after `longest` seconds at most."""
        reader = forked(lambda: read(self.state, Duel if self.duel else Monitor))
        running, aimed = {start(self.words(which)): which for which in range(2)}, 0
        while running:
            if aimed < ENOUGH:
                time.sleep(self.chance.random() * longest)
                os.kill(self.chance.choice([*running]), signal.SIGKILL)  # our child: if it has ended, nothing happens
                aimed += 1
            process, status = os.waitpid(-1, 0)
            which = running.pop(process)
            if os.WIFSIGNALED(status):
                self.counts["kills"] += 1
                self.counts["halfway"] += any(Path().glob(f".holdfast-*-{process}-*.partial"))
                running[start(self.words(which))] = which
            elif (code := os.waitstatus_to_exitcode(status)) not in (0, 3):
                raise SystemExit(f"{self.words(which)} ended with {code}")
        self.end(reader)

    def end(self, reader: tuple[int, int]) -> None:
        process, pipe = reader
        Path(f"{self.state}.end").touch()
        with os.fdopen(pipe) as told:
            self.counts.update(json.loads(told.read()))
        os.waitpid(process, 0)
        pairs = np.concatenate(self.drawn)
        if self.duel:
            won, lost = (int(np.sum(pairs[:, each] > pairs[:, 1 - each])) for each in range(2))
            look = Duel.load(self.state).to_dict()
            self.counts["lost"] += (look["n"], look["won"], look["lost"]) != (len(pairs), won, lost)
        else:
            watched = Monitor.load(self.state)
            errors = round(watched.n * float(watched.claim.estimate or 0))
            self.counts["lost"] += (watched.n, errors) != (len(pairs), int(np.sum(pairs[:, 0])))
        self.counts["rounds"] += 1


def read(state: str, kind: type[Monitor] | type[Duel]) -> None:
    """Load the state until the round has ended; what is no state is torn."""
    counts, parent = Counter({"reads": 0, "torn": 0}), os.getppid()
    while not Path(f"{state}.end").exists() and os.getppid() == parent:  # which may have failed
        if Path(state).exists():
            counts["reads"] += 1
            try:
                kind.load(state)
            except HoldfastError as error:
                counts["torn"] += 1
                sys.stderr.write(f"{error}\n")
        time.sleep(0.0005)
    sys.stdout.write(json.dumps(counts))
    sys.stdout.flush()


def forked(work: Callable[[], None]) -> tuple[int, int]:
    """A child that does the work, and the end of the pipe to which it prints."""
    end, start = os.pipe()
    process = os.fork()
    if process:
        os.close(start)
        return process, end
    os.dup2(start, 1)
    work()
    os._exit(0)


def fork(words: list[str]) -> int:
    """A child that runs the command line."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        main(words)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    finally:
        os._exit(code)


def start(words: list[str]) -> int:
    """A process as a shell starts it."""
    command = [sys.executable, "-m", "holdfast", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid


def warm_up() -> None:
    """Import whatever the command line imports on use, so that no child has to."""
    for number in (0, 3):  # a monitor and a duel
        first = Round(number, random.Random(0), Counter())
        with redirect_stdout(StringIO()), suppress(SystemExit):
            main(first.words(0))
        Path(first.state).unlink()
    assert threading.active_count() == 1


def race(rounds: int, processes: int = 0) -> Counter[str]:
    from holdfast.files import whole, write_whole
    from holdfast.sources.lines import growing

    growing.CHUNK = BLOCK
    warm_up()
    counts, chance = Counter({"lost": 0, "torn": 0, "halfway": 0}), random.Random(0)
    for number in range(rounds):
        real = number < processes
        counts["processes"] += 2 * real
        Round(number, chance, counts).run(*((start, 1.0) if real else (fork, 0.03)))
    whole._swept.clear()
    write_whole("last", b"")  # the next start sweeps up
    counts["left"] = sum(1 for _ in Path().glob(".holdfast-*.partial"))
    return counts


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    number, *some = map(int, sys.argv[2:])
    sys.stdout.write(json.dumps(race(number, *some)))
