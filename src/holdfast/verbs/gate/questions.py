"""Conditions on each question by itself: the model's own chance to answer it right, from repeats of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from holdfast.claims import Assumption, Claim, Guarantee, Side
from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.report import origin
from holdfast.report.decision import Accept
from holdfast.tally import tally
from holdfast.tally.designs.drawn import QUESTION, questions_as_groups
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import PROVING, REFUTING, Found, Statement
from holdfast.verbs.gate.groups import MOST_GROUPS, InGroups, decided_in_groups, one_claim
from holdfast.verbs.plan import plan
from holdfast.wording import counted as so_many

THESE = (
    "This is about the questions that were asked, each by itself, and about no others; how they were drawn, in "
    "clusters, strata or with weights, plays no part in it."
)


class QuestionGate:
    """The samples of each question, counted, and what they say of conditions on each question."""

    def __init__(self, rows: Predictions, options: Mapping[str, Any]) -> None:
        how = {name: options[name] for name in ("positive", "labels")}
        self.counted = tally(questions_as_groups(rows), **how, by=[(QUESTION,)], right_or_wrong=True)
        self.rows, self.method = rows, options["method"]
        fixed = rows.operating_point is not None
        self.assumed = (Assumption.FIXED_THRESHOLD,) if fixed else ()

    def about(self, condition: Condition) -> InGroups:
        return InGroups.of(condition, self.counted, self.method, self.assumed)

    def found(self, condition: Condition, delta: float, accept: Accept | None, simultaneous: bool) -> Found:
        """The answer to one condition, of however many questions."""
        asked, counted = self.about(condition), self.counted
        parts, names = decided_in_groups([asked], delta, accept, simultaneous)
        known = origin(
            rows=counted.rows,
            examples=len(asked.groups.names),
            fingerprint=counted.fingerprint,
            logs=self.rows.logs or None,
        )
        return Found(parts, known, names, (*counted.notes, *self.notes(asked, delta)))

    def of(self, condition: Condition) -> list[Statement]:
        """The same as statements that are decided on beside others."""
        asked = self.about(condition)
        names = asked.groups.names
        if len(names) > MOST_GROUPS:
            raise HoldfastError(
                f"There are {len(names):,} questions, and beside other conditions up to {MOST_GROUPS:,} are decided "
                "on; ask for each_at_least= (--each-at-least) by itself."
            )
        claims = cache(asked.claims)  # of all questions at once, for each is asked for at the same delta

        def claim(place: int, delta: float, side: Side) -> Claim:
            return one_claim(claims(delta, PROVING if side == condition.sides[PROVING] else REFUTING), place)

        passes, samples = asked.sample.k.tolist(), asked.sample.n.tolist()
        return [
            Statement(condition, partial(claim, place), samples[place], (0.0, 1.0), name, passes[place])
            for place, name in enumerate(names)
        ]

    def noted(self, condition: Condition, delta: float) -> Iterator[str]:
        return self.notes(self.about(condition), delta)

    def notes(self, asked: InGroups, delta: float) -> Iterator[str]:
        """What was seen, which is no claim; how many repeats it takes to prove anything; and what this is about."""
        least, samples = asked.condition.limit, asked.sample
        seen = int(np.count_nonzero(samples.k >= least * samples.n * (1 - 1e-12)))
        number = len(asked.groups.names)
        yield (
            f"Observed, and no claim: {seen:,} of {so_many(number, 'question')} were answered right in at least "
            f"{least:.12g} of their samples."
        )
        if 0 < least < 1:
            needed = repeats_needed(least, delta, asked)
            few = int(np.count_nonzero(samples.n < needed))
            short = f"{few:,} of the {number:,} have fewer" if few else "all have as many"
            sure = f"{100 * (1 - delta):.12g} %"
            held = "" if asked.bound.guarantee is Guarantee.FINITE else f", as far as {asked.bound.name} goes"
            yield (
                f"At {sure} confidence a question is proven by no fewer than {so_many(needed, 'repeat')}, all of them "
                f"right{held}; {short}."
            )
        yield THESE


def repeats_needed(least: float, delta: float, asked: InGroups) -> int:
    """The fewest repeats of a question that could prove its chance to be at least this, were all of them right."""
    return plan(at_most=1.0 - least, delta=delta, method=asked.bound).n
