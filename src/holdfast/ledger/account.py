"""What the entries of a ledger come to: the looks, what is left, and what may still be claimed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.ledger.budget import Budget, ByHand
from holdfast.ledger.chain import VERSION, Answered, Asked, Broken, Link, Looked, Opened, check_links
from holdfast.plain import Absent, Count, Number, Plain, Share
from holdfast.wording import counted

PROVEN, NOT_PROVEN, NO_ANSWER = "proven", "not proven", "died before its answer"


@dataclass(frozen=True)
class Look(Plain):
    """One look at the test set, as it is listed."""

    entry: Number
    time: str
    kind: str  # "sealed gate" or "open look"
    about: str  # conditions, or what was given away
    command: str
    predictions: str
    answer: Absent[str] = None
    level: Absent[float] = None
    left: Absent[float] = None  # after it
    promotions: Absent[Count] = None  # after it
    covered: Absent[bool] = None  # whether no open look was before it
    independent: Absent[str] = None
    rows: Absent[Count] = None


@dataclass(frozen=True)
class Account:
    """Where a ledger stands after its last entry."""

    opened: Opened
    budget: Budget
    looks: tuple[Look, ...] = ()
    pending: Link | None = None  # the gate that has no answer yet
    first_open: Look | None = None  # from which on models may depend on more than answers

    @property
    def retired(self) -> str | None:
        """Why no gate may be asked any more."""
        return self.opened.policy.retired(self.budget)

    @property
    def open_looks(self) -> int:
        return sum(look.kind == "open look" for look in self.looks)


def account_of(links: Sequence[Link]) -> Account:
    """The account, recomputed from the first entry on; whatever does not follow from the rules is refused."""
    check_links(links)
    if not links or not isinstance(opened := links[0].entry, Opened):
        raise Broken("Entry 1 does not open a ledger.")
    if opened.version > VERSION:
        raise Broken(
            f"Its entries are of version {opened.version}, and this Holdfast reads up to {VERSION}; update it."
        )
    account = Account(opened, Budget(opened.delta))
    for link in links[1:]:
        account = _followed(account, link)
    return account


def _followed(account: Account, link: Link) -> Account:
    entry, pending = link.entry, account.pending
    if isinstance(entry, Answered):
        if pending is None or entry.gate != pending.number:
            raise Broken(f"Entry {link.number} answers gate {entry.gate}, which does not wait for an answer.")
        return _answered(account, entry.proven)
    if pending is not None:  # it died before its answer, which nobody has read
        account = _answered(account, None)
    if isinstance(entry, Asked):
        return _asked(account, link, entry)
    if isinstance(entry, Looked):
        look = Look(
            link.number, entry.time, "open look", entry.gives, entry.command, entry.predictions, rows=entry.rows
        )
        return replace(account, looks=(*account.looks, look), first_open=account.first_open or look)
    raise Broken(f"Entry {link.number} opens the ledger again.")


def _asked(account: Account, link: Link, entry: Asked) -> Account:
    """The gate as one that waits for its answer; what it spends must be what the rule allows."""
    if (reason := account.retired) is not None:
        raise Broken(f"Entry {link.number} asks although the set was retired: {reason}.")
    if entry.left != account.budget.left or not 0 < entry.level <= account.budget.left:
        raise Broken(
            f"Entry {link.number} spends {entry.level:.6g} of {entry.left:.6g}, but {account.budget.left:.6g} was left."
        )
    if not spends_by_rule(account, entry.level):
        raise Broken(f"Entry {link.number} spends {entry.level:.6g}, which is not what its policy says.")
    if account.first_open is not None and entry.independent is None:
        raise Broken(f"Entry {link.number} asks after an open look, and does not say why that is no matter.")
    look = Look(
        link.number,
        entry.time,
        "sealed gate",
        "; ".join(entry.conditions),
        entry.command,
        entry.predictions,
        level=entry.level,
        covered=account.first_open is None,
        independent=entry.independent,
    )
    return replace(account, looks=(*account.looks, look), pending=link)


def spends_by_rule(account: Account, level: float) -> bool:
    """Whether this is what the next gate spends: what its policy says, or by hand anything up to what is left."""
    policy, budget = account.opened.policy, account.budget
    return level <= budget.left if isinstance(policy, ByHand) else level == policy.level(budget)


def _answered(account: Account, proven: bool | None) -> Account:
    """What is left once the gate that waits is answered, or will never be."""
    *before, last = account.looks
    assert last.level is not None  # it is a gate
    budget = account.budget.after(last.level, bool(proven))
    answer = NO_ANSWER if proven is None else PROVEN if proven else NOT_PROVEN
    told = replace(last, answer=answer, left=budget.left, promotions=budget.promotions)
    return replace(account, budget=budget, looks=(*before, told), pending=None)


def settled(account: Account) -> Account:
    """The same where nobody is at work: a gate without an answer has died."""
    return account if account.pending is None else _answered(account, None)


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

    def sentences(self) -> Iterator[str]:
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
