"""`python -m tests.corpus record` keeps what comes out today; `python -m tests.corpus` tells what has changed since."""

from __future__ import annotations

import sys

from tests.corpus.outcomes import differences, recorded, store, stored

if __name__ == "__main__":
    outcomes = recorded()
    if sys.argv[1:] == ["record"]:
        store(outcomes)
        print(f"{len(outcomes)} outcomes are kept")
    else:
        changes = [*differences(stored(), outcomes)]
        print(*changes, sep="\n")
        print(f"{len(outcomes)} outcomes, {len(changes)} differences")
        sys.exit(bool(changes))
