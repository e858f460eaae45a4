"""Examples that were drawn one by one, all of them or those of a group, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdfast.claims import Assumption, Claim
from holdfast.evidence import Counts, Scores
from holdfast.evidence.costs import Costs
from holdfast.selection.drawn_thresholds import Precise, WithinClasses
from holdfast.selection.least_cost import Priced, PricedScores
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import Cut, examples_needed, fewest_called, fixed_sequence
from holdfast.verbs.threshold.claims import Chosen, claims_at, drawn_as
from holdfast.verbs.threshold.wish import Wish


@dataclass(frozen=True, eq=False)
class SingleRows:
    """Scores of examples that are draws of their own and weigh the same; perhaps within classes."""

    scores: Scores
    label: str
    assumes: tuple[Assumption, ...] = (Assumption.INDEPENDENT,)
    mixes: tuple[Mapping[str, float], ...] | None = None  # stated ones; None where the examples show the true mix

    @cached_property
    def stairs(self) -> Stairs:
        return Stairs.of(self.scores)

    capped = True

    @property
    def prevalences(self) -> tuple[float, ...] | None:
        return None if self.mixes is None else tuple(mix[self.label] for mix in self.mixes)

    def cut(self, wish: Wish, delta: float) -> Cut | None:
        """The best threshold whose sensitivity, or specificity, is proven."""
        return fixed_sequence(self.scores, wish.word, wish.at_least, delta, wish.candidates)

    def designed(self, cut: Cut, word: str) -> Counts:
        """How many examples of the class that decides keep the claim by design."""
        return Counts(cut.kept or 0, self.scores.n_positive if word == "sensitivity" else self.scores.n_negative)

    def precise(self) -> Sequence[Precise]:
        """What is asked for a precision at each prevalence that is stated."""
        return [WithinClasses(self.stairs, share / (1.0 - share)) for share in self.prevalences or ()]

    def priced(self, costs: Costs, labels: tuple[str, str]) -> Sequence[Priced]:
        """What is asked for costs, at each prevalence that is stated."""
        return [PricedScores(self.stairs, costs, labels, mix) for mix in self.mixes or (None,)]

    def claims(self, chosen: Chosen, delta: float) -> Iterator[Claim]:
        """First what was asked for, then what else holds with the same confidence."""
        for claim in claims_at(chosen, self.stairs, delta, self.prevalences):
            stated = claim.measure == "precision" and self.mixes is not None
            yield drawn_as(claim, self.assumes, *([Assumption.STATED_PREVALENCE] if stated else []))

    def lacking(self, wish: Wish, delta: float) -> tuple[int | None, str]:
        """How many examples are the least that could prove it, and why these do not."""
        label = self.label
        if wish.word == "precision" and self.mixes is not None:
            return None, "None of the thresholds that were tried is proven; more examples of both classes would help."
        if wish.word == "precision":
            needed = fewest_called(wish.at_least, delta, wish.candidates)
            return needed, f"At least {needed:,} examples called {label} are needed, even were all of them right."
        have, of = {
            "sensitivity": (self.scores.n_positive, f"{label} examples"),
            "specificity": (self.scores.n_negative, f"examples that are not {label}"),
        }[wish.word]
        needed = examples_needed(wish.at_least, delta)
        if have >= needed:
            return None, "None of the candidates is proven; leave them out, and any number may come out."
        return needed, f"At least {needed:,} {of} are needed; there are {have:,}."
