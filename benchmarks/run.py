"""Run every benchmark, or those named, and keep what each printed in benchmarks/results/, with its machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("numpy", "scipy", "polars", "scikit-learn")
OPTIONS = {"report": ("--strings", "--hundred")}


def main() -> None:
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; "
    machine += ", ".join(f"{part} {version(part)}" for part in PARTS)
    (HERE / "results").mkdir(exist_ok=True)
    for script in sorted(HERE.glob("*.py")):
        if script.name == Path(__file__).name or (sys.argv[1:] and script.stem not in sys.argv[1:]):
            continue
        print(f"== {script.stem}", flush=True)
        words = [sys.executable, str(script), *OPTIONS.get(script.stem, ())]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        print(done.stdout, flush=True)
        (HERE / "results" / f"{script.stem}.txt").write_text(f"{machine}\n\n{done.stdout}", encoding="utf-8")


if __name__ == "__main__":
    main()
