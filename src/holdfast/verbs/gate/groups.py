"""Conditions that shall hold in every group, for very many at once; a question with its repeats is such a group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Assumption, Claim, Guarantee, Side
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Contingency, Counts, Integers, Overlap
from holdfast.invert import solve_for_delta
from holdfast.predictions import Predictions
from holdfast.report import Answer, Block, Decision, origin
from holdfast.report.decision import Accept
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import QUESTION, questions_as_groups
from holdfast.tally.groups import Groups
from holdfast.verbs.assess.notes import UNPREDICTED
from holdfast.verbs.bound import default_method
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import (
    PROVING,
    REFUTING,
    Found,
    Statement,
    Terms,
    Way,
    decide,
    firmly,
    in_group,
    listed,
    shares,
    together,
)
from holdfast.verbs.gate.more_data import counted_as
from holdfast.verbs.plan import plan
from holdfast.wording import counted as so_many
from holdfast.wording import listed as enumerated

MOST_GROUPS = 1_000  # that get an answer of their own
FEW = 20  # groups up to which it is enumerated how many examples each still needs
OCCUR = "The groups are those that occur in these rows; of any other nothing is said."


def decide_groups(
    rows: Predictions, conditions: Sequence[Condition], terms: Terms, positive: object, labels: Sequence[object] | None
) -> Found:
    """Each condition in every group: refuted at its share of delta, proven at delta by itself or at its share, too."""
    counted = tally(rows, positive=positive, labels=labels, by=[conditions[0].columns])
    if counted.unpredicted is not None:
        raise HoldfastError(f"Groups are told by their tables. {UNPREDICTED}")
    assumed = (Assumption.FIXED_THRESHOLD,) if rows.operating_point is not None else ()
    each = [InGroups.of(condition, counted, terms.method, assumed) for condition in conditions]
    parts, names = decided_in_groups(each, terms)
    known = origin(rows=counted.rows, fingerprint=counted.fingerprint, logs=rows.logs or None)
    return Found(parts, known, names, (*counted.notes, OCCUR))


def decided_in_groups(each: Sequence[InGroups], terms: Terms) -> tuple[list[Decision], list[str]]:
    """The answer to each condition, and what is proven all at once."""
    delta = terms.delta
    _, levels = _tested(each, delta, REFUTING)
    p, proving_levels = _tested(each, delta, PROVING)
    parts: list[Decision] = []
    names: list[str] = []
    alone = proving_levels if terms.simultaneous else np.full(p.shape, delta)
    for one, proving, refuting, also in zip(each, alone, levels, p <= proving_levels, strict=True):
        part, places = one.decision(proving, refuting, terms.accept)
        parts.append(part)
        names += listed(part.parts, also[places])
    return parts, names


def _tested(each: Sequence[InGroups], delta: float, way: Way) -> tuple[Array, Array]:
    """The p-value of each condition in each group, and its share of delta for all to hold."""
    p = np.stack([one.p_values(way) for one in each])
    firmness = np.repeat([one.bound.guarantee for one in each], p.shape[1])
    return p, shares(p.ravel(), firmness.tolist(), delta).reshape(p.shape)


@dataclass(frozen=True)
class InGroups:
    """A condition, and the events in each group that it is about; or the right answers to each question."""

    condition: Condition
    sample: Counts
    bound: Bound
    groups: Groups
    assumed: tuple[Assumption, ...]

    @property
    def called(self) -> str:
        return "groups" if self.condition.each_at_least is None else "questions"

    @classmethod
    def of(
        cls, condition: Condition, counted: Tally, method: str | Bound | None, assumed: tuple[Assumption, ...]
    ) -> InGroups:
        condition, sample = _of_class(condition, counted)
        chosen = default_method(sample) if method is None else find(method)
        for side in condition.sides:
            chosen.check(sample, side)
        return cls(condition, sample, chosen, counted.groups[0], assumed)

    def p_values(self, way: Way) -> Array:
        """How small delta may be for that side to speak against the limit; 0 or 1 where the limit is an end."""
        limit, side = self.condition.limit, self.condition.sides[way]
        limit = limit / (2 - limit) if isinstance(self.sample, Overlap) else limit
        if 0 < limit < 1:
            return solve_for_delta(self.bound, self.sample, limit, side)
        beyond = self.sample.mean > limit if side == "lower" else np.full(self.sample.k.shape, limit == 1)
        return np.where(beyond, 0.0, 1.0)

    def claims(self, delta: ArrayLike, way: Way) -> Block:
        claim = self.bound(self.sample, np.broadcast_to(delta, self.sample.k.shape), self.condition.sides[way])
        drawn = claim.assumes
        if self.condition.each_at_least is not None:  # then it is no population that the rows are drawn from
            drawn = tuple(Assumption.OWN_SAMPLES if each is Assumption.INDEPENDENT else each for each in drawn)
        named = replace(claim, measure=self.condition.measure, assumes=(*drawn, *self.assumed))
        return Block(named, self.groups.names)

    def decision(self, proving: Array, refuting: Array, accept: Accept | None) -> tuple[Decision, Integers]:
        """The answer in each group, and which groups these are, where they are too many to tell of all."""
        condition, names = self.condition, self.groups.names
        blocks = self.claims(proving, PROVING), self.claims(refuting, REFUTING)
        if condition.from_above:
            blocks = blocks[::-1]
        proven, refuted = condition.decided(blocks[0].claim.lower, blocks[1].claim.upper)
        places = np.sort(np.argsort(np.where(refuted, 0, np.where(proven, 2, 1)), kind="stable")[:MOST_GROUPS])
        few, ends = len(names) <= FEW, find_measure(condition.measure).range
        parts = []
        for place in places.tolist():
            lower, upper = (one_claim(block, place) for block in blocks)
            part = decide(condition, lower, upper, int(self.groups.table.n[place]), ends, accept, few)
            passes = None if condition.each_at_least is None else int(self.sample.k[place])
            parts.append(replace(in_group(part, names[place]), passes=passes))
        whole = together(f"{condition} in each of {len(names):,} {self.called}", parts, in_all=sum)
        whole = replace(whole, label=condition.label, at_most=condition.at_most, at_least=condition.at_least)
        if len(parts) < len(names):
            words = [firmly(answer, self.bound.guarantee) for answer in (Answer.PROVEN, Answer.REFUTED)]
            cut = (
                f"Of {len(names):,} {self.called} it is {words[0]} in {proven.sum():,} and {words[1]} in "
                f"{refuted.sum():,}; {MOST_GROUPS:,} of them are listed, {words[1]} ones rather than open ones and "
                f"these rather than {words[0]} ones."
            )
            whole = replace(whole, needed=None, notes=(cut,))
        return whole, places


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
    label = condition.label or next(iter(counted.stated), None)  # a label that the scores chose is a label found
    if label is None:
        known = enumerated([table.labels[place] for place in table.classes.tolist()])
        raise HoldfastError(f"{entry.name} belongs to a class: name it with label= (--label), one of {known}.")
    place = table.place(label)
    return condition.about(label), type(evidence)(evidence.k[..., place], evidence.n[..., place])


def one_claim(block: Block, place: int) -> Claim:
    """That of one group, at its own delta."""
    claim = block[place].claim
    return replace(claim, delta=float(np.asarray(block.claim.delta)[place]))


THESE = (
    "This is about the questions that were asked, each by itself, and about no others; how they were drawn, in "
    "clusters, strata or with weights, plays no part in it."
)


class QuestionGate:
    """The samples of each question, counted, and what they say of conditions on each question."""

    def __init__(self, rows: Predictions, positive: object, labels: Any, method: str | Bound | None) -> None:
        how: dict[str, Any] = {"positive": positive, "labels": labels}
        self.counted = tally(questions_as_groups(rows), **how, by=[(QUESTION,)], right_or_wrong=True)
        self.rows, self.method = rows, method
        fixed = rows.operating_point is not None
        self.assumed = (Assumption.FIXED_THRESHOLD,) if fixed else ()

    def about(self, condition: Condition) -> InGroups:
        return InGroups.of(condition, self.counted, self.method, self.assumed)

    def found(self, condition: Condition, terms: Terms) -> Found:
        """The answer to one condition, of however many questions."""
        groups, counted = self.about(condition), self.counted
        parts, names = decided_in_groups([groups], terms)
        known = origin(
            rows=counted.rows,
            examples=len(groups.groups.names),
            fingerprint=counted.fingerprint,
            logs=self.rows.logs or None,
        )
        return Found(parts, known, names, (*counted.notes, *self.notes(groups, terms.delta)))

    def of(self, condition: Condition) -> list[Statement]:
        """The same as statements that are decided on beside others."""
        groups = self.about(condition)
        names = groups.groups.names
        if len(names) > MOST_GROUPS:
            raise HoldfastError(
                f"There are {len(names):,} questions, and beside other conditions up to {MOST_GROUPS:,} are decided "
                "on; ask for each_at_least= (--each-at-least) by itself."
            )
        claims = cache(groups.claims)  # of all questions at once, for each is asked for at the same delta

        def claim(place: int, delta: float, side: Side) -> Claim:
            return one_claim(claims(delta, PROVING if side == condition.sides[PROVING] else REFUTING), place)

        passes, samples = groups.sample.k.tolist(), groups.sample.n.tolist()
        return [
            Statement(condition, partial(claim, place), samples[place], (0.0, 1.0), name, passes[place])
            for place, name in enumerate(names)
        ]

    def noted(self, condition: Condition, delta: float) -> Iterator[str]:
        return self.notes(self.about(condition), delta)

    def notes(self, groups: InGroups, delta: float) -> Iterator[str]:
        """What was seen, which is no claim; how many repeats it takes to prove anything; and what this is about."""
        least, samples = groups.condition.limit, groups.sample
        reached = int(np.count_nonzero(samples.k >= least * samples.n * (1 - 1e-12)))
        number = len(groups.groups.names)
        yield (
            f"Observed, and no claim: {reached:,} of {so_many(number, 'question')} were answered right in at least "
            f"{least:.12g} of their samples."
        )
        if 0 < least < 1:
            needed = plan(at_most=1.0 - least, delta=delta, method=groups.bound).n  # repeats, were all of them right
            few = int(np.count_nonzero(samples.n < needed))
            short = f"{few:,} of the {number:,} have fewer" if few else "all have as many"
            sure = f"{100 * (1 - delta):.12g} %"
            held = "" if groups.bound.guarantee is Guarantee.FINITE else f", as far as {groups.bound.name} goes"
            yield (
                f"At {sure} confidence a question is proven by no fewer than {so_many(needed, 'repeat')}, all of them "
                f"right{held}; {short}."
            )
        yield THESE
