"""Plant every mutant, run the tests that should catch it, and tell which did: `python -m tests.mutants > caught.txt`.

With words, only the mutants in whose file or description one of them occurs. Each has a process of its own, forked from
one that has imported what the tests need and nothing of ours; nothing is written, so that nothing is left behind.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.planted import MUTANTS
from tests.mutants.planting import Mutant, plant

SECONDS = 300  # of computing, after which a mutant is taken for one that never ends


class First:
    """Plants a mutant when pytest has put its own way of importing in place, and tells the first test that failed."""

    def __init__(self, mutant: Mutant | None) -> None:
        self.mutant, self.test = mutant, ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        if self.mutant is not None:
            plant(self.mutant)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.test:
            self.test = f"{report.nodeid} (cannot be imported)"


def run(tests: Sequence[str], mutant: Mutant | None = None) -> str:
    """The first of these tests that fails in a process of its own; nothing where none does."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _in_child(tests, mutant, writer)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        return f"{tests[0]} (does not end)"
    return (told or f"{tests[0]} (exit code {status})") if status else ""


def _in_child(tests: Sequence[str], mutant: Mutant | None, writer: int) -> None:
    status, first = 3, First(mutant)
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.dont_write_bytecode = True
        options = ["-m", "not long", "-n", "0", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
        status = int(pytest.main([*options, *tests], plugins=[first]))
        os.write(writer, (first.test or f"{tests} (exit code {status})").encode())
    finally:
        os._exit(status)


def main(words: Sequence[str]) -> int:
    chosen = [each for each in MUTANTS if not words or any(word in f"{each.file} {each.what}" for word in words)]
    os.chdir(Path(__file__).parents[2])
    sound = sorted({test for mutant in chosen for test in mutant.tests})
    if failing := run(sound):
        print(f"Without any mutant {failing} fails already: nothing can be told.")
        return 2
    survivors = 0
    with ThreadPoolExecutor(2) as pool:
        for mutant, test in zip(chosen, pool.map(lambda each: run(each.tests, each), chosen), strict=True):
            survivors += not test
            print(f"{mutant.file}: {mutant.what}\n    {test or 'SURVIVES'}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} of them survive")
    return bool(survivors)


if __name__ == "__main__":
    for module in ("numpy", "scipy.optimize", "scipy.special", "scipy.stats"):
        __import__(module)
    sys.exit(main(sys.argv[1:]))
