"""The set covering machine: seconds and memory by the number of rows, and beside a plain triple loop.

Every machine has at most 20 balls; the labels are noisy, so that all of them are used. The triple loop tries each ball
on each example again for every step, in plain Python, and is timed on few rows only. Processor time counts.
"""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from holdfast.evidence import Array

try:
    from holdfast.learners import SetCoveringMachine
except ValueError:
    SetCoveringMachine = None  # type: ignore[assignment,misc]

SIZES = (250, 500, 1000, 2000, 4000)
PLAIN = (20, 40, 80, 160)
FEATURES, MOST = 10, 20


def main() -> None:
    if SetCoveringMachine is None:
        print("scikit-learn is not installed and left out")
        return
    print(f"Set covering machine, {FEATURES} features, at most {MOST} balls, p = 1; processor seconds\n")
    print(f"{'rows':>6} {'type':>12} {'seconds':>8} {'growth':>7} {'a ball':>7} {'balls':>6} {'MB':>6} {'correct':>8}")
    for kind in ("conjunction", "disjunction"):
        before = None
        for rows in SIZES:
            before = line(rows, kind, before)
    print(f"\nBeside a triple loop, at most {MOST} balls, the same balls found\n")
    print(f"{'rows':>6} {'holdfast':>9} {'loop':>8} {'ratio':>6} {'growth of the loop':>19}")
    slow = None
    for rows in PLAIN:
        slow = beside(rows, slow)


def line(rows: int, kind: str, before: float | None) -> float:
    points, classes = problem(rows)
    seconds, machine = timed(points, classes, kind)
    tracemalloc.start()
    SetCoveringMachine(kind, s=MOST).fit(points, classes)  # type: ignore[arg-type]
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    growth = f"{seconds / before:7.1f}" if before else f"{'':7}"
    number = len(machine.centres_)
    print(
        f"{rows:>6} {kind:>12} {seconds:8.2f} {growth} {seconds / number:7.3f} {number:>6} {most:6.0f}"
        f" {machine.score(points, classes):8.3f}",
        flush=True,
    )
    return seconds


def beside(rows: int, before: float | None) -> float:
    points, classes = problem(rows)
    ours, machine = timed(points, classes, "conjunction")
    start = time.process_time()
    found = plainly(points.tolist(), classes.tolist())
    loop = time.process_time() - start
    assert found == list(zip(machine.centres_.tolist(), machine.borders_.tolist(), strict=True))
    growth = f"{loop / before:19.1f}" if before else ""
    print(f"{rows:>6} {ours:9.4f} {loop:8.2f} {loop / ours:6.0f} {growth}", flush=True)
    return loop


def timed(points: Array, classes: Array, kind: str) -> tuple[float, SetCoveringMachine]:
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        machine = SetCoveringMachine(kind, s=MOST).fit(points, classes)  # type: ignore[arg-type]
        best = min(best, time.process_time() - start)
    return best, machine


def problem(rows: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(rows)
    points = rng.normal(size=(rows, FEATURES))
    return points, (points[:, :3] ** 2).sum(axis=1) + rng.normal(size=rows) / 2 > 2.4


def plainly(points: list[list[float]], inner: list[bool]) -> list[tuple[int, int]]:
    """A conjunction with p = 1, by the definition."""
    rows = range(len(points))
    apart = [[sum((a - b) ** 2 for a, b in zip(points[x], points[y], strict=True)) for y in rows] for x in rows]
    left, chosen = set(rows), []
    while len(chosen) < MOST and not all(inner[x] for x in left):
        best: tuple[float, ...] = (-np.inf,)
        for centre in rows:
            for border in rows:
                if centre == border or not inner[border]:
                    continue
                radius, right, wrong = apart[centre][border], 0, 0
                for x in left:
                    if apart[centre][x] > radius if inner[centre] else apart[centre][x] < radius:
                        wrong += inner[x]
                        right += not inner[x]
                best = max(best, (right - wrong, -wrong, -centre, -border, right))
        if not best[-1]:
            break
        centre, border = -int(best[2]), -int(best[3])
        chosen.append((centre, border))
        radius = apart[centre][border]
        left -= {x for x in rows if (apart[centre][x] > radius if inner[centre] else apart[centre][x] < radius)}
    return chosen


if __name__ == "__main__":
    main()
