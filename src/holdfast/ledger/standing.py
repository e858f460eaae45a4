"""Where a ledger stands after a look, as every answer that it was written down for says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.ledger.account import Account, Look
from holdfast.plain import Absent, Count, Number, Plain, Share
from holdfast.wording import counted

ELSEWHERE = (
    "The ledger knows the looks that are written down in it: what was seen of these labels elsewhere, or of their "
    "inputs by whoever made the model, no promise covers."
)


@dataclass(frozen=True)
class Standing(Plain):
    """One look, and what is left after it."""

    entry: Number
    head: str
    sealed: bool
    opened: str
    rows: Number
    delta: Share
    policy: str
    left: float
    gates: Count
    promotions: Count
    level: Absent[float] = None  # what the gate has spent
    open_since: Absent[str] = None  # the first open look before it
    independent: Absent[str] = None
    retired: Absent[str] = None
    seen: Absent[str] = None  # of an open look: how its rows compare with those committed to

    @classmethod
    def of(cls, account: Account, look: Look, head: str, seen: str | None = None) -> Standing:
        """Where the account stands after this look, its last."""
        opened, budget, since = account.opened, account.budget, account.first_open
        return cls(
            look.entry,
            head,
            look.kind == "sealed gate",
            opened.time,
            opened.rows,
            opened.delta,
            opened.policy.words,
            budget.left,
            budget.gates,
            budget.promotions,
            look.level,
            None if since is None else told(since),
            look.independent,
            account.retired,
            seen,
        )

    def sentences(self, proven: bool = False) -> Iterator[str]:
        """What an answer says of it; nothing here comes from a truth but whether it was proven."""
        if self.sealed:
            yield (
                f"Sealed, entry {self.entry} of the ledger of {counted(self.rows, 'row')} opened on {self.opened}: it "
                f"spent {self.level:.4g}, and {self.left:.4g} is left. Head {self.head[:16]}."
            )
            yield (
                f"That anything false is ever called proven in this ledger has a chance of {100 * self.delta:g} % at "
                "most, as long as models, conditions and the decision to ask depend on the test set through its sealed "
                "answers alone."
            )
        else:
            yield (
                f"An open look, written down as entry {self.entry} of the ledger opened on {self.opened}: from now on "
                f"models that may depend on it are not covered. Head {self.head[:16]}."
            )
        if self.seen is not None:
            yield f"Of {counted(self.rows, 'row')} committed to, {self.seen}."
        if self.open_since is not None and self.sealed:
            yield f"There was an open look before, {self.open_since}. Why this gate depends on none: {self.independent}"
        yield ELSEWHERE
        if self.retired is not None:
            yield f"The test set is retired: {self.retired}."


def told(look: Look) -> str:
    """An open look in a few words."""
    return f"entry {look.entry} on {look.time} ({look.about})"
