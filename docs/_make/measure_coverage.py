"""Write docs/_make/coverage.json by simulation, for methods that cannot be enumerated: `make coverage`, some minutes.

docs/methods.md is generated from it. The laws and the seed are those of `holdfast verify`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdfast import Counts, Losses, methods
from holdfast.catalog import Bound
from holdfast.claims import Coverage
from holdfast.verify import LAWS, simulated_coverage
from holdfast.verify.simulated import drawn_coverages, pairs

N, REPEATS, DELTA, SEED = 200, 500, 0.05, 0
FILE = Path(__file__).with_name("coverage.json")


def simulated(bound: Bound) -> bool:
    """Whether it is tried on drawn losses, tables or rankings."""
    return Counts not in bound.takes and (Losses in bound.takes or bool(pairs(bound)))


def worst(bound: Bound) -> dict[str, Any]:
    """The law under which it was right least often."""
    tried = list(_trials(bound))
    least = min(tried, key=lambda trial: trial.coverage)
    return {"misses": least.misses, "law": least.law, "laws": len(tried), "kept": all(trial.kept for trial in tried)}


def _trials(bound: Bound) -> Iterable[Coverage]:
    if Losses not in bound.takes:
        return drawn_coverages(bound, N, DELTA, "both", REPEATS, SEED)
    return (simulated_coverage(bound, N, law, delta=DELTA, repeats=REPEATS, seed=SEED) for law in LAWS)


def main() -> None:
    found = {}
    for bound in filter(simulated, methods()):
        found[bound.name] = worst(bound)
        print(bound.name, found[bound.name], flush=True)
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
