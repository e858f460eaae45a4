"""Small stays instant: a report on 1,000 rows, and the command on a small file, from the shell."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import holdfast as hf

ROWS = 1_000
REPEATS = 50
EXAMPLE = Path(__file__).parents[1] / "examples" / "predictions.csv"


def timed(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The fastest and the middle one of several runs, in seconds, after a first one."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken), float(np.median(taken))


def shell(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "holdfast", *words], check=True, capture_output=True)


def main() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, ROWS)
    score = np.clip(0.3 + 0.4 * truth + 0.2 * random.normal(size=ROWS), 0, 1)
    predicted = (score > 0.5).astype(int)
    classes = random.integers(0, 3, ROWS)
    guessed = np.where(random.random(ROWS) < 0.8, classes, random.integers(0, 3, ROWS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        rows = "\n".join(f"{a},{b},{c}" for a, b, c in zip(truth, predicted, score, strict=True))
        path.write_text(f"truth,predicted,score\n{rows}\n", encoding="utf-8")
        jobs: list[tuple[str, Callable[[], object], int]] = [
            ("hf.assess, two classes", lambda: hf.assess(truth, predicted), REPEATS),
            ("hf.assess, two classes with scores", lambda: hf.assess(truth, predicted, score), REPEATS),
            ("hf.assess, three classes", lambda: hf.assess(classes, guessed), REPEATS),
            ("holdfast assess of that file, from the shell", lambda: shell("assess", str(path)), 5),
            ("holdfast assess of the example, from the shell", lambda: shell("assess", str(EXAMPLE)), 5),
            ("python -c pass, from the shell", lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 5),
        ]
        print(f"{ROWS:,} rows, milliseconds{'fastest':>29}{'middle':>9}")
        for name, work, repeats in jobs:
            least, middle = timed(work, repeats)
            print(f"  {name:48}{1e3 * least:7.1f}{1e3 * middle:9.1f}")


if __name__ == "__main__":
    main()
