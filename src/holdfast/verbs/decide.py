"""From limits to answers: for one condition, for many groups, and for all of several together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Assumption, Claim, Guarantee, Side
from holdfast.combine import holm
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Contingency, Counts, Overlap
from holdfast.invert import solve_for_delta
from holdfast.predictions import Predictions
from holdfast.predictions.wording import listed
from holdfast.report import Answer, Block, Decision, Report
from holdfast.tally import Tally, tally
from holdfast.verbs.bound import default_method
from holdfast.verbs.conditions import Condition
from holdfast.verbs.details import UNPREDICTED
from holdfast.verbs.settle import counted_as, settling

SIDES: tuple[Side, Side] = ("lower", "upper")
MOST_GROUPS = 1_000  # that get an answer of their own
FEW = 20  # groups up to which it is enumerated how many examples each still needs
HOLM = (
    "With the confidence asked for no group that misses the condition is called proven, and with the same confidence "
    "none that meets it is called refuted (Holm); each limit holds on its own, at its own confidence."
)


class Found(NamedTuple):
    """The answer to each condition, and where it comes from."""

    parts: list[Decision]
    provenance: Mapping[str, Any]
    notes: tuple[str, ...] = ()


def decide(
    condition: Condition, lower: Claim, upper: Claim, rows: int, ends: tuple[float, float], enumerated: bool = True
) -> Decision:
    """The answer that a lower and an upper limit, each at its delta, give to the condition."""
    answer = _answer(*condition.decided(lower.lower, upper.upper))
    proving, refuting = (upper, lower) if condition.from_above else (lower, upper)
    claim, other = (refuting, proving) if answer is Answer.REFUTED else (proving, refuting)
    notes, needed = [*_caution(condition, claim, ends)], None
    if answer is Answer.OPEN:
        needed, note = settling(condition, lower, upper, rows, ends, enumerated)
        notes += [note] if note else []
    return Decision(
        answer,
        str(condition),
        claim=claim,
        label=condition.label,
        at_most=condition.at_most,
        at_least=condition.at_least,
        needed=needed,
        notes=tuple(notes),
        other=other,
        delta=float(claim.delta),
    )


def together(
    condition: str, parts: Sequence[Decision], in_all: Callable[[list[int]], int] = max, **more: Any
) -> Decision:
    """All are proven if each is, and refuted if one is.

    What is open needs the most that one condition needs, of the same examples, or the sum over groups, of theirs.
    """
    answers = {part.answer for part in parts}
    answer = next((a for a in (Answer.REFUTED, Answer.OPEN) if a in answers), Answer.PROVEN)
    wanted = [part.needed for part in parts if part.answer is Answer.OPEN]
    known = [number for number in wanted if number is not None]
    needed = in_all(known) if answer is Answer.OPEN and len(known) == len(wanted) else None
    return Decision(answer, condition, needed=needed, parts=tuple(parts), **more)


def _answer(proven: Any, refuted: Any) -> Answer:
    return Answer.PROVEN if proven else Answer.REFUTED if refuted else Answer.OPEN


def _caution(condition: Condition, claim: Claim, ends: tuple[float, float]) -> Iterable[str]:
    if claim.guarantee is not Guarantee.FINITE:
        yield (
            f"The limit by {claim.method} {claim.guarantee.sentence}: the answer may be wrong more often than asked "
            "for."
        )
    if condition.limit == ends[1 if condition.from_above else 0]:
        yield "The limit is the end of the range of the measure: the condition holds whatever the data."


def decide_groups(
    rows: Predictions,
    asked: Sequence[Condition],
    delta: float,
    *,
    positive: object,
    labels: Sequence[object] | None,
    method: str | Bound | None,
) -> Found:
    """Each condition in every group: delta for calling any proven that is not, and for calling any refuted that is."""
    if "cluster" in rows.columns:
        raise UnfitMethod("Groups of rows that come in clusters are not decided on; leave out one of the two.")
    counted = tally(rows, positive=positive, labels=labels, by=[rows.group_names])
    if counted.unpredicted is not None:
        raise HoldfastError(f"Groups are told by their tables. {UNPREDICTED}")
    assumed = (Assumption.FIXED_THRESHOLD,) if rows.operating_point is not None else ()
    parts = [_in_groups(condition, counted, delta, method, assumed) for condition in asked]
    known = Report.of([], rows=counted.rows, fingerprint=counted.fingerprint).provenance
    return Found(parts, known, (*counted.notes, HOLM))


def _in_groups(
    condition: Condition,
    counted: Tally,
    delta: float,
    method: str | Bound | None,
    assumed: tuple[Assumption, ...],
) -> Decision:
    (groups,) = counted.groups
    condition, sample = _of_class(condition, counted)
    limit = condition.limit / (2 - condition.limit) if isinstance(sample, Overlap) else condition.limit
    chosen = default_method(sample) if method is None else find(method)
    blocks = []
    for side in SIDES:
        chosen.check(sample, side)
        claim = chosen(sample, holm(_p_values(chosen, sample, limit, side), delta), side)
        claim = replace(claim, measure=condition.measure, assumes=(*claim.assumes, *assumed))
        blocks.append(Block(claim, groups.names))
    proven, refuted = condition.decided(blocks[0].claim.lower, blocks[1].claim.upper)
    places = np.argsort(np.where(refuted, 0, np.where(proven, 2, 1)), kind="stable")[:MOST_GROUPS]
    few, ends = len(groups.names) <= FEW, find_measure(condition.measure).range
    parts = []
    for place in np.sort(places).tolist():
        lower, upper = (_one(block, place) for block in blocks)
        part = decide(condition, lower, upper, int(groups.table.n[place]), ends, enumerated=few)
        name = groups.names[place]
        parts.append(replace(part, condition=f"{part.condition}, {name}", group=name))
    whole = together(f"{condition} in each of {len(groups.names):,} groups", parts, in_all=sum)
    limits: dict[str, Any] = {"label": condition.label, "at_most": condition.at_most, "at_least": condition.at_least}
    if len(parts) == len(groups.names):
        return replace(whole, **limits)
    told = (
        f"Of {len(groups.names):,} groups it is proven in {proven.sum():,} and refuted in {refuted.sum():,}; "
        f"{MOST_GROUPS:,} of them are listed, refuted ones rather than open ones and these rather than proven ones."
    )
    return replace(whole, needed=None, notes=(told,), **limits)


def _of_class(condition: Condition, counted: Tally) -> tuple[Condition, Counts]:
    """The condition about a class, where it is about one, and its events in each group."""
    entry, table = find_measure(condition.measure), counted.groups[0].table
    if counted_as(entry.name) is None or entry.takes is not Contingency or entry.required:
        raise UnfitMethod(f"Groups are decided on by rates of counted events; {entry.name} is none.")
    if entry.needs_labels and counted.table is None:
        raise HoldfastError(f"{entry.name} needs labels; these data only tell right from wrong.")
    evidence: Counts = entry(table)
    if not entry.per_class:
        if condition.label is not None:
            raise HoldfastError(f"{entry.name} is of all classes together; leave out the label.")
        return condition, evidence
    label = condition.label or counted.positive
    if label is None:
        known = listed([table.labels[place] for place in table.classes.tolist()])
        raise HoldfastError(f"{entry.name} belongs to a class: name it with label= (--label), one of {known}.")
    place = table.place(label)
    return condition.about(label), type(evidence)(evidence.k[..., place], evidence.n[..., place])


def _p_values(chosen: Bound, sample: Counts, limit: float, side: Side) -> Array:
    """How small delta may be for this side to speak against the limit; 0 or 1 where the limit is an end."""
    if 0 < limit < 1:
        return solve_for_delta(chosen, sample, limit, side)
    beyond = sample.mean > limit if side == "lower" else np.full(sample.k.shape, limit == 1)
    return np.where(beyond, 0.0, 1.0)


def _one(block: Block, place: int) -> Claim:
    claim = block[place].claim
    return replace(claim, delta=float(np.asarray(block.claim.delta)[place]))
