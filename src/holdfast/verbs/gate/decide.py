"""From limits to answers: for one condition, and for all of several together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, repeat
from typing import Any, Literal, NamedTuple

import numpy as np

from holdfast.catalog import Bound
from holdfast.claims import Claim, Guarantee, Side
from holdfast.combine import holm, step_by_step
from holdfast.errors import UnknownName
from holdfast.evidence import Array
from holdfast.report import Decision
from holdfast.report.decision import Accept, Answer, intersection_union
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.more_data import settling

ACCEPTED: tuple[Accept, ...] = ("large-n",)
SOFTER = {Answer.PROVEN: Answer.SUPPORTED, Answer.REFUTED: Answer.CONTRADICTED}


def check_accept(accept: Any) -> None:
    if accept is not None and accept not in ACCEPTED:
        raise UnknownName("thing to accept", accept, ACCEPTED)


def firmly(answer: Answer, guarantee: Guarantee) -> Answer:
    """The answer in the words that its guarantee allows: without a proof nothing is proven, nor refuted.

    Examples
    --------
    >>> print(firmly(Answer.PROVEN, Guarantee.ASYMPTOTIC), "|", firmly(Answer.REFUTED, Guarantee.HEURISTIC))
    supported (large n) | not enough data
    """
    if guarantee is Guarantee.FINITE:
        return answer
    return SOFTER.get(answer, answer) if guarantee is Guarantee.ASYMPTOTIC else Answer.OPEN


def caution(rule: str, guarantee: Guarantee, accept: Accept | None) -> str | None:
    """Why what the rule says is no proof, and whether it decides all the same."""
    if guarantee is Guarantee.FINITE:
        return None
    if guarantee is Guarantee.HEURISTIC:
        return f"{rule} {guarantee.sentence}, so that it decides nothing."
    if accept is None:
        return (
            f'{rule} {guarantee.sentence}, so that it decides only where accept="large-n" (--accept large-n) says so, '
            "beforehand."
        )
    return f"{rule} {guarantee.sentence}, which was accepted: the answer may be wrong more often than asked for."


def shares(p_values: Array, guarantees: Iterable[Guarantee], delta: float) -> Array:
    """The delta at which each of several is tested, for all that are rejected to be so rightly: Holm's.

    What has a proof must hold at every sample size. So its share goes by the rejections that have one, and only the
    shares of what holds for large n by all of them. What comes without proof rejects nothing, and takes no share.

    Examples
    --------
    >>> finite, large = Guarantee.FINITE, Guarantee.ASYMPTOTIC
    >>> shares(np.array([0.01, 0.02, 0.5]), [large, finite, finite], 0.06)
    array([0.02, 0.02, 0.03])
    """
    levels = np.array([*guarantees])
    firm, taking = levels == Guarantee.FINITE, levels != Guarantee.HEURISTIC
    given = np.full(p_values.shape, delta)
    alone = holm(np.where(firm, p_values, 1.0)[taking], delta)
    given[taking] = np.where(firm[taking], alone, holm(p_values[taking], delta))
    return given


Limits = Callable[[float, Side], Claim]  # what can be claimed at a delta, on one side
Way = Literal[0, 1]  # the place in Condition.sides
PROVING: Way = 0
REFUTING: Way = 1
AT_THE_END = "The limit is the end of the range of the measure: the condition holds whatever the data."
MOST_LISTED = 20  # conditions of a sentence; all of them are in the JSON
MOST_PLANNED = 100  # conditions up to which it is enumerated how many examples each still needs
RULE = (
    "That all of them hold is one statement: each is tested at the whole of the confidence asked for, and all are "
    "proven if each is (intersection-union). What is called proven of a single one holds on its own. Refutations, of "
    "which one is enough, share what may go wrong, so that all of them hold together (Holm)."
)

RULE_TOGETHER = (
    "Whatever is called proven holds together, and so does whatever is called refuted: each condition is tested at its "
    "share of what may go wrong (Holm)."
)


class Terms(NamedTuple):
    """On what terms it is decided."""

    delta: float  # of each look
    method: str | Bound | None = None  # who shall answer, where the default shall not
    accept: Accept | None = None
    simultaneous: bool = False  # whether all that is called proven of single conditions shall hold together


class Found(NamedTuple):
    """The answer to each condition, and where it comes from."""

    parts: list[Decision]
    provenance: Mapping[str, Any]
    listed: Sequence[str]  # of the conditions, in each group, those that are proven all at once
    notes: tuple[str, ...] = ()


def decide(
    condition: Condition,
    lower: Claim,
    upper: Claim,
    rows: int,
    ends: tuple[float, float],
    accept: Accept | None = None,
    enumerated: bool = True,
) -> Decision:
    """The answer that a lower and an upper limit, each at its delta, give to the condition."""
    proven, refuted = condition.decided(lower.lower, upper.upper)
    answer = Answer.PROVEN if proven else Answer.REFUTED if refuted else Answer.OPEN
    proving, refuting = (upper, lower) if condition.from_above else (lower, upper)
    claim, other = (refuting, proving) if answer is Answer.REFUTED else (proving, refuting)
    notes, needed = [AT_THE_END] if condition.limit == ends[1 if condition.from_above else 0] else [], None
    if answer is Answer.OPEN and claim.guarantee is not Guarantee.HEURISTIC:
        needed, note = settling(condition, lower, upper, rows, ends, enumerated)
        notes += [note] if note else []
    return Decision(
        firmly(answer, claim.guarantee),
        str(condition),
        claim=claim,
        label=condition.label,
        at_most=condition.at_most,
        at_least=condition.at_least,
        needed=needed,
        notes=tuple(notes),
        other=other,
        delta=float(claim.delta),
        accept=accept,
        caution=caution(claim.method, claim.guarantee, accept),
    )


@dataclass(frozen=True, eq=False)
class Statement:
    """A condition of all rows, or of one group of them, and the claims that prove or refute it."""

    condition: Condition  # about a class, where its measure is of one
    claim: Limits  # the one to decide on, at a delta and on a side
    rows: int  # that it is about
    ends: tuple[float, float]  # between which what is claimed lies, whatever the data
    group: str | None = None
    passes: int | None = None  # of a question: how often it was answered right

    def decision(self, lower: Claim, upper: Claim, accept: Accept | None, enumerated: bool) -> Decision:
        """The answer that a lower and an upper limit give."""
        decision = decide(self.condition, lower, upper, self.rows, self.ends, accept, enumerated)
        decision = replace(decision, passes=self.passes)
        return decision if self.group is None else in_group(decision, self.group)


class Family:
    """Several statements, of which the limits are known on either side at whatever delta is asked for."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.statements = statements

    def claims(self, deltas: Iterable[float], way: Way) -> list[Claim]:
        """Of each statement, the claim that would prove it, or refute it, at its delta."""
        pairs = zip(self.statements, deltas, strict=True)
        return [each.claim(float(delta), each.condition.sides[way]) for each, delta in pairs]

    def decided(self, delta: float, way: Way) -> list[bool]:
        """Which are proven, or refuted, at one delta for all."""
        decided = Condition.refuted_by if way else Condition.proven_by
        conditions = [each.condition for each in self.statements]
        pairs = zip(conditions, self.claims(repeat(delta, len(conditions)), way), strict=True)
        return [bool(decided(c, getattr(claim, c.sides[way]))) for c, claim in pairs]

    def tested(self, delta: float, way: Way) -> tuple[Array, Array]:
        """P-values, as far as they are needed, and the share of delta that each statement has for all to hold."""
        number = len(self.statements)
        p = step_by_step(lambda level: self.decided(level, way), number, delta)
        return p, shares(p, [claim.guarantee for claim in self.claims(repeat(delta, number), way)], delta)


def decide_each(of_conditions: Sequence[Sequence[Statement]], terms: Terms) -> tuple[list[Decision], list[str]]:
    """Each condition by its statements, and those of them that are proven all at once.

    Each is refuted at its share of delta, and proven at delta by itself; or at its share too, if `simultaneous`.
    """
    delta = terms.delta
    every = [each for statements in of_conditions for each in statements]
    family, few = Family(every), len(every) <= MOST_PLANNED
    refuting = family.claims(family.tested(delta, REFUTING)[1], REFUTING)
    alone: Iterable[float] = repeat(delta, len(every))
    proving = family.claims(family.tested(delta, PROVING)[1] if terms.simultaneous else alone, PROVING)
    parts = []
    for statement, *claims in zip(every, proving, refuting, strict=True):
        lower, upper = reversed(claims) if statement.condition.from_above else claims
        parts.append(statement.decision(lower, upper, terms.accept, few))
    names: list[str] = []
    if not all(parts):  # or the whole says more than the list
        p, levels = family.tested(delta, PROVING)
        names = [*listed(parts, p <= levels)]
    left = iter(parts)
    return [_of_condition(each, [*islice(left, len(each))]) for each in of_conditions], names


def _of_condition(statements: Sequence[Statement], parts: Sequence[Decision]) -> Decision:
    """The answer to a condition: of the one thing that it is about, or of all groups together."""
    condition, groups = statements[0].condition, sum(each.group is not None for each in statements)
    if not groups or condition.group is not None:
        return parts[0]
    called = "groups" if condition.each_at_least is None else "questions"
    everywhere = f"{'overall and ' if groups < len(parts) else ''}in each of {groups:,} {called}"

    def in_all(needed: list[int]) -> int:
        overall = needed[:1] if groups < len(parts) and parts[0].answer is Answer.OPEN else []
        return max([*overall, sum(needed[len(overall) :])])  # what the groups need is of all rows, too

    whole = together(f"{condition} {everywhere}", parts, in_all=in_all)
    return replace(whole, label=condition.label, at_most=condition.at_most, at_least=condition.at_least)


def in_group(decision: Decision, group: str) -> Decision:
    """The same, of one group."""
    return replace(decision, condition=f"{decision.condition}, {group}", group=group)


def listed(parts: Iterable[Decision], rejected: Iterable[bool]) -> Iterator[str]:
    """Of the parts that are proven, or supported where that was accepted, those that are so all at once."""
    yield from (part.condition for part, also in zip(parts, rejected, strict=True) if part and also)


def together(
    condition: str, parts: Sequence[Decision], in_all: Callable[[list[int]], int] = max, **more: Any
) -> Decision:
    """All are proven if each is, and refuted if one is.

    What is open needs the most that one condition needs, of the same examples, or the sum over groups, of theirs.
    """
    answer = intersection_union(part.answer for part in parts)
    wanted = [part.needed for part in parts if part.answer is Answer.OPEN]
    known = [number for number in wanted if number is not None]
    needed = in_all(known) if answer is Answer.OPEN and len(known) == len(wanted) else None
    rule, accept = intersection_union.name, parts[0].accept
    return Decision(answer, condition, needed=needed, parts=tuple(parts), rule=rule, accept=accept, **more)


def told_together(names: Sequence[str]) -> str:
    """Which conditions hold all at once."""
    named = "; ".join(names[:MOST_LISTED])
    rest = f"; and {len(names) - MOST_LISTED:,} more" if len(names) > MOST_LISTED else ""
    return (
        "What holds together, with the confidence asked for (by Holm's procedure; this list and the answer as a whole "
        f"hold each on its own, not both together): {named}{rest}."
    )
