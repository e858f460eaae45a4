"""How much may still go wrong with a test set that is asked again and again, and how much of it a gate spends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import nextafter

from holdfast.catalog.procedure import procedure
from holdfast.claims import Guarantee, Source
from holdfast.errors import HoldfastError
from holdfast.plain import Count, Number, Plain, Share
from holdfast.wording import counted, shown

MOST_GATES = 10_000
MOST_PROMOTIONS = 100
SMALLEST = 1e-300  # level, below which no method is asked


@procedure(guarantee=Guarantee.FINITE, source=Source("renggli2019", "3.2, with levels shared as in the Notes"))
def reuse_budget(left: float, level: float, proven: bool) -> float:
    r"""What may go wrong over all gates of one test set: not proven leaves what was not spent, proven what was.

    Notes
    -----
    A budget B starts at delta, and a gate spends some d of it that is fixed before its answer:

    .. math:: B \leftarrow B - d \ \text{if it is not proven}, \qquad B \leftarrow d \ \text{if it is}

    Models, conditions and levels may depend on the answers so far, and on the test set through nothing else. Let S(B)
    be the largest sum of levels over those nodes of the tree of answers that ask for something false and are reached
    before anything false was called proven. A node that asks for something false adds its level, and once it is called
    proven nothing behind it counts: d + S(B - d). One that asks for something true adds nothing, and both branches go
    on: S(d) + S(B - d). By induction S(B) is at most B. Each of these nodes errs with a chance of at most its level:

    .. math:: P(\text{anything false is ever called proven}) \le S(\delta) \le \delta

    Sums are rounded towards zero, so that no gate has more than its part.

    Examples
    --------
    >>> reuse_budget(0.05, 0.01, proven=False), reuse_budget(0.05, 0.01, proven=True)
    (0.04, 0.01)
    """
    if not 0 < level <= left:
        raise HoldfastError(f"A gate spends more than 0 and at most {left:.6g}, what is left; got {level:.6g}.")
    return level if proven else downwards(Fraction(left) - Fraction(level))


@dataclass(frozen=True)
class Budget(Plain):
    """What may still go wrong, and after how many gates and promotions.

    Examples
    --------
    >>> Budget(0.05).after(0.01, proven=True)
    Budget(left=0.01, gates=1, promotions=1)
    """

    left: float
    gates: Count = 0
    promotions: Count = 0

    def after(self, level: float, proven: bool) -> Budget:
        """What is left once the gate that spends this level has been answered."""
        return Budget(reuse_budget(self.left, level, proven), self.gates + 1, self.promotions + proven)


@dataclass(frozen=True)
class Planned(Plain):
    r"""So many gates and so many promotions: every node of the tree that they span gets an equal part.

    Notes
    -----
    With k gates and j promotions to come there are

    .. math:: N(k, j) = N(k - 1, j) + \max(1, N(k - 1, j - 1)), \quad N(k, 0) = k, \quad N(0, j) = 0

    parts, and the gate spends :math:`B \max(1, N(k - 1, j - 1)) / N(k, j)`, or :math:`B / k` where a promotion would
    end it all. The promotion after the last that was planned is answered, and retires the set.

    Examples
    --------
    >>> rule = Planned(gates=100, promotions=3)
    >>> round(rule.level(Budget(0.05)), 6)
    0.001999
    """

    gates: Number
    promotions: Count

    @property
    def words(self) -> str:
        return f"planned for {counted(self.gates, 'gate')} and {counted(self.promotions, 'promotion')}"

    def level(self, budget: Budget) -> float:
        k, j = self.gates - budget.gates, self.promotions - budget.promotions
        return share_of(budget.left, Fraction(_parts(k - 1, j - 1) if j else 1, _nodes(k, j)))

    def smallest(self, delta: float) -> float:
        """The least that a gate spends within the plan, whatever becomes of those before it."""
        return share_of(delta, Fraction(1, _nodes(self.gates, self.promotions)))

    def retired(self, budget: Budget) -> str | None:
        if budget.promotions > self.promotions:
            return f"promotion {budget.promotions} was the last that the plan has room for"
        if budget.gates >= self.gates:
            return f"all of its {counted(self.gates, 'gate')} have been asked"
        return None


@dataclass(frozen=True)
class OpenEnd(Plain):
    """A fixed share of what is left, each time; it never ends, and gets ever harder.

    Examples
    --------
    >>> OpenEnd(0.05).level(Budget(0.05))
    0.0025
    """

    spend: Share

    @property
    def words(self) -> str:
        return f"open end: each gate spends {self.spend:.12g} of what is left"

    def level(self, budget: Budget) -> float:
        return share_of(budget.left, Fraction(self.spend))

    def retired(self, budget: Budget) -> str | None:
        return _too_little(self.level(budget))


@dataclass(frozen=True)
class ByHand(Plain):
    """Whoever asks says how much the gate spends, never more than is left."""

    by_hand: bool = True

    @property
    def words(self) -> str:
        return "by hand: each gate says what it spends"

    def level(self, budget: Budget) -> float:
        raise HoldfastError(
            f"This ledger leaves it to each gate how much it spends: say so by spend_now= (--spend-now), of "
            f"{budget.left:.6g} that is left."
        )

    def retired(self, budget: Budget) -> str | None:
        return _too_little(budget.left)


Rule = Planned | OpenEnd | ByHand


def chosen_rule(gates: object = None, promotions: object = None, spend: object = None) -> Rule:
    """The policy that is stated: a plan, a share, or neither."""
    if spend is not None and (gates is not None or promotions is not None):
        raise HoldfastError(
            "Give gates= (--gates) and promotions= (--promotions), or spend= (--spend), the share of what is left; "
            "not both."
        )
    if spend is not None:
        if isinstance(spend, bool) or not isinstance(spend, (int, float)) or not 0 < spend < 1:
            raise HoldfastError(f"spend= (--spend) is a share of what is left, between 0 and 1; got {shown(spend)}.")
        return OpenEnd(float(spend))
    if gates is None and promotions is None:
        return ByHand()
    if gates is None:
        raise HoldfastError("promotions= (--promotions) are planned among gates= (--gates): say how many there are.")
    return Planned(
        _whole("gates= (--gates)", gates, 1, MOST_GATES),
        _whole("promotions= (--promotions)", 0 if promotions is None else promotions, 0, MOST_PROMOTIONS),
    )


def share_of(left: float, share: Fraction) -> float:
    """The part of what is left, rounded towards zero."""
    return downwards(Fraction(left) * share)


def downwards(exact: Fraction) -> float:
    """The largest float that is not above it."""
    nearest = float(exact)
    return nearest if Fraction(nearest) <= exact else nextafter(nearest, 0.0)


def _too_little(level: float) -> str | None:
    return None if level >= SMALLEST else "next to nothing is left of what may go wrong"


def _whole(name: str, given: object, least: int, most: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise HoldfastError(f"{name} is a whole number from {least} to {most:,}; got {shown(given)}.")
    return given


def _parts(gates: int, promotions: int) -> int:
    """Of what is left, the parts of a gate after which so many gates and promotions may follow a promotion."""
    return max(1, _nodes(gates, promotions))


def _nodes(gates: int, promotions: int) -> int:
    """How many equal parts so many gates and promotions take."""
    return _row(promotions, 1 << gates.bit_length())[gates] if promotions > 0 else gates


@cache
def _row(promotions: int, longest: int) -> tuple[int, ...]:
    """The number of parts for every number of gates, summed up without recursion over them."""
    before = range(longest + 1) if promotions == 1 else _row(promotions - 1, longest)
    row = [0]
    for k in range(1, longest + 1):
        row.append(row[-1] + max(1, before[k - 1]))
    return tuple(row)
