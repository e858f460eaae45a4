"""A PostgreSQL of our own, on a socket in a temporary folder; it refuses to run as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from tests.needs import module, require


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh database; the server is gone afterwards."""
    module("psycopg")
    found = sorted(glob("/usr/lib/postgresql/*/bin"))
    require(bool(found), "PostgreSQL is not installed (Debian's postgresql)")
    programs, folder = Path(found[-1]), Path(tempfile.mkdtemp(prefix="holdfast-pg-"))
    # Who may be somebody else runs it as that; root cannot run it at all.
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def run(*words: str) -> None:
        subprocess.run([*user, *words], check=True, capture_output=True, cwd="/")

    try:
        run(str(programs / "initdb"), "-D", str(data), "-U", "holdfast", "--auth=trust", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=on"
        run(str(programs / "pg_ctl"), "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
        try:
            yield f"postgresql://holdfast@/postgres?host={quote(str(folder))}"
        finally:
            run(str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fresh(server: str) -> str:
    """The address of an empty database of a running server."""
    name = f"tests_{uuid4().hex}"
    with module("psycopg").connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")
