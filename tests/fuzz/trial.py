"""What was tried at random, and what broke a promise."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

Record = Callable[[str, object], None]


@dataclass
class Trial:
    """What was tried and what did not hold."""

    what: str
    tried: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __add__(self, other: Trial) -> Trial:
        return Trial(self.what, self.tried + other.tried, self.wrong + other.wrong)

    def __str__(self) -> str:
        codes = [f"{self.tried[name]:,} x {name}" for name in sorted(self.tried) if name.startswith("exit ")]
        names = sum(name.startswith("of ") for name in self.tried)
        details = ", ".join(codes) or f"of {names} public names"
        return f"{self.tried[self.what]:,} {self.what} ({details}), {len(self.wrong)} broke a promise"


def holds(trial: Trial, record: Record) -> None:
    """Fail with everything that broke a promise; what was tried is told at the end of the run."""
    record("tried", str(trial))
    assert not trial.wrong, "\n".join(trial.wrong)


@contextmanager
def in_folder() -> Iterator[Path]:
    """An empty folder to work in, whose parent is ours too."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        folder = Path(name).resolve() / "desk"
        folder.mkdir()
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)
