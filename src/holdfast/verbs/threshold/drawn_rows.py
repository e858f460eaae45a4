"""Rows that come in clusters, with weights or within strata, all of them or those of a group, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from holdfast.catalog import AnyProcedure
from holdfast.claims import Assumption, Claim, Side
from holdfast.evidence import Counts, Scores
from holdfast.evidence.costs import Costs
from holdfast.evidence.draws import Ratio
from holdfast.selection.drawn_thresholds import (
    Precise,
    ScoredDraws,
    WithinClasses,
    drawn_cut,
    draws_needed,
    every_threshold,
    lower_limit,
    method_for,
    one_by_one,
)
from holdfast.selection.least_cost import Priced, PricedDraws, PricedScores
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import (
    STARTS,
    Cut,
    bayes_union,
    examples_needed,
    falling,
    fewest_called,
    fixed_sequence,
    for_precision,
    precision_of,
)
from holdfast.verbs.threshold.wish import Chosen, Wish, claims_at, drawn_as


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


MEASURES = {"sensitivity": "recall"}  # what the catalog calls it


@dataclass(frozen=True, eq=False)
class DrawnParts:
    """Rows as they were drawn; where a range of prevalences is stated, once for each of its ends."""

    each: tuple[ScoredDraws, ...]
    label: str
    stated: bool = False  # whether the true mix of classes is, within which the draws were made

    @property
    def stairs(self) -> Stairs:
        return self.each[0].stairs

    @property
    def capped(self) -> bool:
        return self.each[0].capped

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        """What is taken for granted of how the rows were drawn."""
        return self.each[0].rows.draws.assumes

    def cut(self, wish: Wish, delta: float) -> Cut | None:
        """The best threshold whose sensitivity, or specificity, is proven."""
        cuts = [drawn_cut(draws, wish.word, wish.at_least, delta, wish.candidates) for draws in self.each]
        return safest(cuts, wish.word)

    def precise(self) -> Sequence[Precise]:
        return self.each

    def priced(self, costs: Costs, labels: tuple[str, str]) -> Sequence[Priced]:
        return [PricedDraws(draws, costs, labels) for draws in self.each]

    # ---- Claims

    def claims(self, chosen: Chosen, delta: float) -> Iterator[Claim]:
        """First what was asked for, then what else holds with the same confidence, each claim on its own.

        The two classes share draws, so that none is without a part in the choice: what stands beside holds at every
        threshold at once.
        """
        word = chosen.word
        if word == "precision":
            yield self._worst(lambda draws: self._proven(draws, chosen, delta, for_precision), stated=self.stated)
        elif word in ("sensitivity", "specificity"):
            yield self._worst(lambda draws: self._proven(draws, chosen, delta, fixed_sequence))
        for beside in ("sensitivity", "specificity"):
            if beside != word:
                yield self._worst(lambda draws, beside=beside: self._anywhere(draws, beside, chosen, delta))  # type: ignore[misc]  # bound now
        if word in ("sensitivity", "specificity") and (self.stated or Assumption.WITHIN_CLASSES not in self.assumes):
            yield self._worst(lambda draws: self._precision(draws, chosen, delta), stated=self.stated)

    def _worst(self, claim_of: Callable[[ScoredDraws], Claim], stated: bool = False) -> Claim:
        """Of the ends of a range of prevalences, the lowest estimate and the widest limits."""
        claims = [claim_of(draws) for draws in self.each]
        known = [float(claim.estimate) for claim in claims if claim.estimate is not None]
        more = (Assumption.STATED_PREVALENCE,) if stated else ()
        return replace(
            claims[0],
            estimate=min(known, default=None),
            lower=min(float(claim.lower) for claim in claims),
            upper=max(float(claim.upper) for claim in claims),
            assumes=tuple(dict.fromkeys((*claims[0].assumes, *more))),
        )

    @staticmethod
    def _proven(draws: ScoredDraws, chosen: Chosen, delta: float, procedure: AnyProcedure) -> Claim:
        ratio = draws.rate(chosen.word, chosen.cut.threshold)
        limit = min(chosen.cut.at_least, float(ratio.mean)) if ratio.known else chosen.cut.at_least
        return _claimed(procedure, ratio, chosen.word, delta, "lower", limit)

    @staticmethod
    def _anywhere(draws: ScoredDraws, word: str, chosen: Chosen, delta: float) -> Claim:
        ratio = draws.rate(word, chosen.cut.threshold)
        lower = every_threshold(ratio, delta / 2, chosen.tried)
        upper = 1.0 - every_threshold(ratio.mirror(), delta / 2, chosen.tried)
        return _claimed(every_threshold, ratio, word, delta, "both", lower, upper)

    def _precision(self, draws: ScoredDraws, chosen: Chosen, delta: float) -> Claim:
        """From both rates and the prevalence, by Bayes' rule; that of rows is stated only where each is a draw."""
        known = self.stated and draws.rows.draws.rows
        part, threshold = delta / (2 if known else 3), chosen.cut.threshold
        rates = (draws.rate(word, threshold) for word in ("sensitivity", "specificity"))
        recall, specificity = (every_threshold(rate, part, chosen.tried) for rate in rates)
        share = float(draws.prevalence.mean) if known else lower_limit(draws.prevalence, part)
        ratio = draws.rate("precision", threshold)
        limit = precision_of(recall, specificity, share)
        return _claimed(bayes_union, ratio, "precision", delta, "lower", min(limit, float(ratio.mean)))

    # ---- What is lacking

    def lacking(self, wish: Wish, delta: float) -> tuple[int | None, str]:
        """How many draws are the least that could prove it, where that is known, and why these do not."""
        draws, precision = self.each[0], wish.word == "precision"
        what = "clusters" if Assumption.CLUSTERS in self.assumes else "rows"
        of = {
            "sensitivity": f"{what} with {self.label} examples",
            "specificity": f"{what} with examples that are not {self.label}",
            "precision": f"{what} with examples called {self.label}",
        }[wish.word]
        thresholds = falling(wish.candidates)
        ratio = draws.rate(wish.word, float(thresholds[-1]))
        alike = ratio.draws.stratum is None and ratio.draws.most is not None
        needed = draws_needed(wish.at_least, delta / min(STARTS, thresholds.size) if precision else delta)
        if alike and needed is not None and int(ratio.n) < needed:
            return needed, f"At least {needed:,} {of} are needed, even were all of them right; there are {ratio.n:,}."
        limited = precision or wish.candidates is not None or not self.capped
        tried = "the thresholds that were tried" if limited else "all thresholds"
        return None, f"With these {what}, {tried} leave it open: more of them are needed, or a lower rate."


def _claimed(
    procedure: AnyProcedure, ratio: Ratio, word: str, delta: float, side: Side, lower: float, upper: float = 1.0
) -> Claim:
    counts = one_by_one(ratio)
    evidence: Ratio | Counts = ratio if counts is None else counts
    claim = method_for(ratio).claim(evidence, np.asarray(delta), side, np.asarray(lower), np.asarray(upper))
    claim = procedure.claim_from(claim, measure=MEASURES.get(word, word), lower=lower, upper=upper)
    return drawn_as(claim, ratio.draws.assumes)


def safest(cuts: Sequence[Cut | None], word: str) -> Cut | None:
    """The threshold that every part is content with, and what is proven of each; None where one has none."""
    known = [cut for cut in cuts if cut is not None]
    if len(known) < len(cuts):
        return None
    thresholds = [cut.threshold for cut in known]
    end = min(thresholds) if word == "sensitivity" else max(thresholds)
    return Cut(end, min(cut.at_least for cut in known), known[0].kept)
