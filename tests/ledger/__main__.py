"""The trial of both databases, ten times as long as in CI; `make soak` writes it to tests/ledger/soak.txt."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path

from tests.ledger.servers import postgres
from tests.ledger.test_databases import concurrent, killed

KILLS, PROCESSES, GATES = 1000, 8, 200

for name in ("SQLite", "PostgreSQL"):
    for trial in ("kills", "gates at once"):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            with nullcontext(str(place / "tests.db")) if name == "SQLite" else postgres() as address:
                if trial == "kills":
                    shown, died = killed(address, place, KILLS, seed=1)
                    print(f"{name}: {KILLS:,} kills; {shown:,} answers shown, all kept; {died:,} gates died; verified")
                else:
                    concurrent(address, place, PROCESSES, GATES)
                    print(f"{name}: {PROCESSES} processes x {GATES} gates at once: each there once; verified")
