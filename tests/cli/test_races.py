"""Two processes on one state, killed at moments of chance, and one that reads all the time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import races


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork: 1,000 interpreters would take too long to start")
def test_200_rounds_of_kills_races_and_reads(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """Nothing is lost, torn or left behind.

    In two rounds there are processes as a shell starts them; in the others they are forked from one that has no
    threads, and run the same command line.
    """
    done = subprocess.run(
        [sys.executable, races.__file__, str(tmp_path), "200", "2"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = json.loads(done.stdout)
    record_property("tried", ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    assert (counts["rounds"], counts["lost"], counts["torn"], counts["left"]) == (200, 0, 0, 0), done.stderr
    assert counts["processes"] == 4
    assert counts["kills"] > 100
    assert counts["halfway"] > 10  # the kills did come while a state was being written
    assert counts["reads"] > 200
