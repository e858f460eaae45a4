"""Run every benchmark and keep what it printed in benchmarks/results/, with the machine it ran on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("numpy", "scipy", "polars")


def main() -> None:
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; "
    machine += ", ".join(f"{part} {version(part)}" for part in PARTS)
    (HERE / "results").mkdir(exist_ok=True)
    for script in sorted(HERE.glob("*.py")):
        if script.name == Path(__file__).name:
            continue
        print(f"== {script.stem}", flush=True)
        done = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True)
        print(done.stdout, flush=True)
        (HERE / "results" / f"{script.stem}.txt").write_text(f"{machine}\n\n{done.stdout}", encoding="utf-8")


if __name__ == "__main__":
    main()
