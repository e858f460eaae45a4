"""Where entries and rows are kept: SQLite in a file, or PostgreSQL at an address; the same statements for both."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from holdfast.errors import HoldfastError
from holdfast.files import holding
from holdfast.ledger.chain import Link
from holdfast.ledger.rows import Rows
from holdfast.wording import brief, quoted

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

WAIT = 60.0  # seconds that a gate waits for the one before it
NEEDS = "A ledger needs SQLAlchemy: install it with pip install 'holdfast[ledger]'."
NEEDS_POSTGRES = "A ledger in PostgreSQL needs psycopg: install it with pip install 'holdfast[postgres]'."
Migration = Callable[["Connection"], None]


class Database:
    """One ledger's database; whatever it refuses is said in a sentence."""

    def __init__(self, address: str | os.PathLike[str], wait: float = WAIT) -> None:
        self.address, self.wait = os.fspath(address), wait
        self.path = _path(self.address)
        self.name = quoted(self.address if self.path else _without_password(self.address), 200).strip("'\"")
        self._engine: Engine | None = None

    # ---- Connections

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = _sqlite(self.path, self.wait) if self.path else _postgres(self.address, self.wait)
        return self._engine

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that nobody else writes in; all of it stands, on the disk, or nothing."""
        with self._translated(), self.engine.begin() as connection:
            if self.path is None:
                connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._translated(), self.engine.connect() as connection:
            yield connection.execution_options(reads=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While the block runs no other process asks or looks: from what a gate spends to its answer.

        The lock is the system's, or that of a session of PostgreSQL: it is gone with the process that held it.
        """
        with ExitStack() as stack:
            if self.path is not None:
                try:
                    stack.enter_context(holding(self.path, self.wait))
                except HoldfastError as error:
                    busy = "is in use" in str(error)
                    words = (
                        f"{self.name} is in use by another gate or look, still after {self.wait:g} seconds; try again."
                    )
                    raise HoldfastError(words) if busy else error from None
            else:
                with self._translated():
                    connection = self.engine.connect()
                    stack.callback(connection.invalidate)  # which ends the session, and with it the lock
                    connection.exec_driver_sql(f"SET lock_timeout = {int(1000 * self.wait)}")
                    connection.exec_driver_sql(
                        "SELECT pg_advisory_lock(hashtextextended('holdfast ledger ' || current_schema(), 0))"
                    )
                    connection.commit()
            yield

    # ---- What is kept

    def exists(self) -> bool:
        """Whether there is a ledger; a file that holds something else is refused."""
        if self._absent():
            return False
        with self._translated():
            if self.path is not None and not self.path.stat().st_size:  # of which a database would be made at once
                raise HoldfastError(f"{self.name} is an empty file, and no ledger; name another, or remove it.")
        with self.reading() as connection:
            from sqlalchemy import inspect

            names = inspect(connection).get_table_names()
        if not names or "holdfast_version" in names:
            return "holdfast_version" in names
        if self.path is None:
            return False  # other tables of the same database are no matter
        raise HoldfastError(f"{self.name} is a database of something else, and no ledger; name another file.")

    def _absent(self) -> bool:
        """Whether there is no file yet."""
        with self._translated():
            return self.path is not None and not self.path.exists()

    @contextmanager
    def creating(self) -> Iterator[Connection]:
        """A transaction that makes the tables, and what is written in it; if it fails there is no file either."""
        made = self._absent()
        try:
            if self.path is not None and made:
                with self._translated():
                    os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            with self.writing() as connection:
                tables().version.create(connection)
                connection.execute(tables().version.insert(), {"version": 0})
                self._migrate(connection, 0)
                yield connection
        except BaseException:
            for ending in ("", "-wal", "-shm") if self.path is not None and made else ():
                Path(f"{self.path}{ending}").unlink(missing_ok=True)
            raise

    def check(self) -> None:
        """Refuse what is no ledger or one of a newer version; bring an older one up to date."""
        if not self.exists():
            raise HoldfastError(
                f"There is no ledger {self.name}; open one by hf.Ledger.open (holdfast ledger open) with the labels."
            )
        with self.reading() as connection:
            version = self._version(connection)
        if version < len(MIGRATIONS):
            with self.writing() as connection:
                self._migrate(connection, self._version(connection))

    def _version(self, connection: Connection) -> int:
        from sqlalchemy import select

        version = int(connection.execute(select(tables().version.c.version)).scalar_one())
        if version > len(MIGRATIONS):
            raise HoldfastError(
                f"{self.name} is a ledger of version {version}, and this Holdfast knows up to {len(MIGRATIONS)}; "
                "update it."
            )
        return version

    def _migrate(self, connection: Connection, version: int) -> None:
        for migration in MIGRATIONS[version:]:
            migration(connection)
        connection.execute(tables().version.update(), {"version": len(MIGRATIONS)})

    def links(self, connection: Connection) -> list[Link]:
        """The entries in their order."""
        from sqlalchemy import select

        entries = tables().entries
        return [Link(*row) for row in connection.execute(select(entries).order_by(entries.c.number))]

    def last(self, connection: Connection) -> Link:
        """The entry that the next one follows."""
        from sqlalchemy import func, select

        entries = tables().entries
        newest = select(func.max(entries.c.number)).scalar_subquery()
        query = select(entries).where(entries.c.number == newest)
        return Link(*connection.execute(query).one())

    def append(self, connection: Connection, link: Link) -> None:
        connection.execute(tables().entries.insert(), vars(link))

    def rows(self, connection: Connection) -> dict[bytes, bytes]:
        from sqlalchemy import select

        kept = tables().rows
        return {bytes(place): bytes(row) for place, row in connection.execute(select(kept.c.place, kept.c.row))}

    def commit_to(self, connection: Connection, rows: Rows) -> None:
        """In the order of their hashes, which tells nothing of the order that they had."""
        connection.execute(tables().rows.insert(), [{"place": place, "row": rows[place]} for place in sorted(rows)])

    # ---- What goes wrong

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except HoldfastError:
            raise
        except ImportError as error:
            raise HoldfastError(NEEDS_POSTGRES if "psycopg" in str(error) else NEEDS) from None
        except OSError as error:
            raise HoldfastError(f"Cannot use the ledger {self.name}: {error.strerror or brief(error)}.") from None
        except Exception as error:
            if not type(error).__module__.startswith("sqlalchemy"):
                raise
            raise HoldfastError(f"Cannot use the ledger {self.name}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """What the database said, in words that tell what to do."""
    told = brief(getattr(error, "orig", None) or error)
    lowered = told.lower()
    for sign, words in SAID.items():
        if sign in lowered:
            return words
    return f"{told.rstrip('.')}."


SAID = {
    "not a database": "the file is no ledger.",
    "malformed": "the file is damaged.",
    "readonly": "it may not be written to; give this user the right to, on the file and its folder.",
    "unable to open": "it cannot be opened; look at the rights on the file and its folder.",
    "permission denied": "this user has no right to it.",
    "is full": "the disk is full; nothing was written.",
    "disk i/o": "the disk refuses; nothing was written.",
    "no space left": "the disk is full; nothing was written.",
    "is locked": "another process is writing to it; try again.",
    "lock timeout": "another process is asking, and has not ended yet; try again.",
    "connection refused": "nobody answers at that address.",
    "could not translate host": "there is no such host.",
    "no such file or directory": "nobody answers at that address.",
    "closed the connection": "the connection was lost; `holdfast ledger show` says what was written.",
    "terminating connection": "the connection was lost; `holdfast ledger show` says what was written.",
    "connection is lost": "the connection was lost; `holdfast ledger show` says what was written.",
    "password authentication failed": "the password, or the name of the user, is wrong.",
}


# ---- The two databases


def _path(address: str) -> Path | None:
    """The file of a ledger in SQLite; None where it is an address of another database."""
    if address.startswith("sqlite:///"):
        return Path(address.removeprefix("sqlite:///"))
    if "://" not in address:
        return Path(address)
    scheme = address.partition("://")[0]
    if scheme not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise HoldfastError(f"A ledger is a file (SQLite) or an address as postgresql://...; got {quoted(scheme)}://.")
    return None


def _without_password(address: str) -> str:
    scheme, _, rest = address.partition("://")
    user, at, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host.partition('?')[0]}"


def _sqlite(path: Path, wait: float) -> Engine:
    from sqlalchemy import create_engine, event, pool

    engine = create_engine("sqlite://", creator=lambda: _opened(path, wait), poolclass=pool.NullPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _opened(path: Path, wait: float) -> Any:
    """A connection that leaves transactions to us, and whose commits are on the disk; it makes no file."""
    import sqlite3

    place = f"file:{quote(os.fsencode(path))}?mode=rw"
    connection = sqlite3.connect(place, timeout=wait, isolation_level=None, uri=True)
    try:
        if not path.stat().st_size:  # which the file then remembers
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _postgres(address: str, wait: float) -> Engine:
    from sqlalchemy import create_engine, make_url, pool
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(address).set(drivername="postgresql+psycopg")
    except ArgumentError:
        raise HoldfastError(f"{quoted(_without_password(address), 200)} is no address of a database.") from None
    return create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": max(2, int(wait))})


# ---- Tables, and how they came to be as they are


class Tables:
    """What the newest version keeps; made on first use, for SQLAlchemy is an extra."""

    def __init__(self) -> None:
        from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, Text

        every = MetaData()
        self.version = Table("holdfast_version", every, Column("version", Integer, nullable=False))
        self.entries = Table(  # whose columns stand in the order of a link
            "holdfast_entries",
            every,
            Column("number", Integer, primary_key=True, autoincrement=False),
            Column("previous", String(64), nullable=False, unique=True),
            Column("content", Text, nullable=False),
            Column("hash", String(64), nullable=False, unique=True),
        )
        self.rows = Table(
            "holdfast_rows",
            every,
            Column("place", LargeBinary, primary_key=True),
            Column("row", LargeBinary, nullable=False),
        )


@cache
def tables() -> Tables:
    return Tables()


def _first(connection: Connection) -> None:
    """Version 1: entries and rows."""
    tables().entries.create(connection)
    tables().rows.create(connection)


MIGRATIONS: Sequence[Migration] = (_first,)
