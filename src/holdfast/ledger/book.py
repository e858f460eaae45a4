"""A ledger at work: what is asked is written down before it is answered, and the answer before it is shown."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from holdfast.errors import HoldfastError
from holdfast.ledger.account import Account, Look, account_of, settled
from holdfast.ledger.budget import ByHand, Rule
from holdfast.ledger.chain import (
    VERSION,
    Answered,
    Asked,
    Broken,
    Entry,
    Link,
    Looked,
    Opened,
    find_head,
    head_of,
)
from holdfast.ledger.database import WAIT, Database
from holdfast.ledger.rows import Key, Rows, committed, root_of
from holdfast.wording import shown

LOST = (
    "Another process took this gate for dead, and its level is spent without an answer: the lock of the ledger was "
    "lost on the way."
)


class Spent(HoldfastError):
    """The ledger has nothing left to ask with, or not for this gate; the command line exits with 3."""

    exit_code = 3


@dataclass(frozen=True)
class Answer:
    """What became of a sealed gate: one bit, and where the ledger stands after it."""

    proven: bool
    entry: int  # of the gate
    head: str
    account: Account

    @property
    def look(self) -> Look:
        return self.account.looks[-1]


class Book:
    """The entries and rows of one ledger, in a file or at an address."""

    def __init__(self, address: str | os.PathLike[str], wait: float = WAIT) -> None:
        self.database = Database(address, wait)
        self.database.check()

    @classmethod
    def open(
        cls,
        address: str | os.PathLike[str],
        key: Callable[[], Key],
        ids: Sequence[str],
        truths: Sequence[str | None],
        delta: float,
        rule: Rule,
        version: str = "",
        columns: tuple[str | None, str | None] = (None, None),
        by_position: bool = False,
        wait: float = WAIT,
    ) -> Book:
        """A new ledger that commits to these rows, this delta and this rule; the key is made only if all is well.

        `version` is that of Holdfast, `columns` are those of ids and labels, where the rows came from a file.
        """
        database = Database(address, wait)
        if database.exists():
            raise HoldfastError(f"There is a ledger {database.name} already; what it commits to is not changed.")
        secret = key()
        rows = committed(secret, ids, truths)
        opened = Opened(
            now(),
            uuid.uuid4().hex,
            VERSION,
            version,
            delta,
            rule,
            len(rows),
            "position" if by_position else "id",
            root_of(rows),
            secret.mark,
            *columns,
        )
        with database.creating() as connection:
            database.commit_to(connection, rows)
            database.append(connection, Link.after(None, opened))
        return cls(address, wait)

    # ---- What is known

    def links(self) -> list[Link]:
        """All entries, as they are kept."""
        with self.database.reading() as connection:
            return self.database.links(connection)

    def account(self) -> Account:
        """Where the ledger stands; a gate that is at work has not been answered yet."""
        return account_of(self.links())

    @property
    def head(self) -> str:
        return head_of(self.links())

    @cached_property
    def opened(self) -> Opened:
        with self.database.reading() as connection:
            first = self.database.links(connection)[:1]
        entry = first[0].entry if first else None
        if not isinstance(entry, Opened):
            raise Broken(f"{self.database.name} does not begin as a ledger does.")
        return entry

    @cached_property
    def rows(self) -> Rows:
        """The rows that it commits to, as they are kept; that they are those of the first entry is checked."""
        with self.database.reading() as connection:
            rows = self.database.rows(connection)
        if root_of(rows) != self.opened.root:
            raise Broken(f"The rows in {self.database.name} are not those that its first entry commits to.")
        return rows

    def check_key(self, key: Key) -> None:
        if key.mark != self.opened.key:
            raise HoldfastError(
                f"This is not the key with which {self.database.name} was opened; name it by key= (--key)."
            )

    def verify(self, head: str | None = None) -> Account:
        """The chain, every level and the rows, recomputed; what is broken first is said."""
        links = self.links()
        account = account_of(links)
        if head is not None:
            find_head(links, head)
        _ = self.rows
        return account

    # ---- Looks

    def ask(
        self,
        command: str,
        conditions: Sequence[str],
        predictions: str,
        decide: Callable[[float], bool],
        spend: float | None = None,
        independent: str | None = None,
    ) -> Answer:
        """A sealed gate: what it spends is written down, then `decide` is asked, then its answer is written down.

        Whatever `decide` raises but an interrupt is "not proven": an error would be an answer of another kind.
        """
        with self.database.alone():
            account = settled(self.account())
            level = self._level(account, spend, independent)
            asked = self._append(
                Asked(now(), command, tuple(conditions), predictions, level, account.budget.left, independent)
            )
            proven = decide(level)
            self._append(Answered(asked.number, proven), follows=asked)
            links = self.links()
        return Answer(proven, asked.number, head_of(links), account_of(links))

    def look(self, verb: str, command: str, predictions: str, rows: int | None, gives: str) -> Look:
        """An open look, written down before anything of it is shown."""
        with self.database.alone():
            self._append(Looked(now(), command, verb, predictions, gives, rows))
            return self.account().looks[-1]

    def _level(self, account: Account, spend: float | None, independent: str | None) -> float:
        """What the next gate spends; refused where none may be asked."""
        budget, policy, name = account.budget, account.opened.policy, self.database.name
        if (reason := account.retired) is not None:
            raise Spent(f"{name} is retired: {reason}. Label a fresh test set, and open a ledger for it.")
        if (look := account.first_open) is not None and not independent:
            raise Spent(
                f"{name} was looked at openly on {look.time} ({look.about}): models that may depend on that are not "
                "covered. Where model, condition and the decision to ask were settled without it, say why by "
                "independent= (--independent)."
            )
        if spend is None:
            return policy.level(budget)
        if not isinstance(policy, ByHand):
            raise HoldfastError(
                f"{name} is {policy.words}: its rule says what a gate spends; leave out spend_now= (--spend-now)."
            )
        if isinstance(spend, bool) or not isinstance(spend, (int, float)) or not spend > 0:
            raise HoldfastError(f"spend_now= (--spend-now) is a number above 0; got {shown(spend)}.")
        if spend > budget.left:
            raise Spent(f"{budget.left:.6g} is left in {name}, and no gate spends more; got spend_now={spend:.6g}.")
        return float(spend)

    def _append(self, entry: Entry, follows: Link | None = None) -> Link:
        """One more entry, behind the last; an answer stands right behind its gate, or nowhere."""
        with self.database.writing() as connection:
            last = self.database.last(connection)
            if follows is not None and last != follows:
                raise HoldfastError(LOST)
            link = Link.after(last, entry)
            self.database.append(connection, link)
        return link


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
