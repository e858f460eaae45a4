"""All pairs of several models: the interval, the p-value and the verdict of each, and what follows for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from holdfast.claims import Claim
from holdfast.combine import bonferroni, holm_adjusted, sayable
from holdfast.evidence import Array, Integers
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pools.panel import Panel
from holdfast.measures.rates import error_rate
from holdfast.report import Line
from holdfast.report.facts.compared import Pair
from holdfast.report.facts.comparison import AllPairs, ComparisonFacts, Place
from holdfast.report.facts.kind import Simultaneous
from holdfast.report.verdict import OUTCOMES, Verdict
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.compare.deciding import Deciding, Request
from holdfast.verbs.compare.unpaired import Unpaired
from holdfast.verbs.compare.verdicts import (
    CODE,
    by_interval,
    by_test,
    located,
    may_be_best,
    not_parted,
    of_many,
    tested,
    tiers,
)

MOST_AMONG = 50  # models, those that err least often here, all of whose pairs are told where not all pairs are


class Contest:
    """What the examples of a panel say of each pair of its models: in one measure, which decides, and in others."""

    def __init__(self, panel: Panel | Unpaired, request: Request) -> None:
        self.panel, self.request = panel, request
        self.deciding = Deciding(panel, request)
        self.first, self.second, self.number = self.deciding.first, self.deciding.second, len(self.deciding.first)
        self.each = float(sayable(bonferroni(request.delta, self.number))) if self.number > 1 else request.delta
        if {*request.measures} <= {error_rate}:
            self.deciding.refuse_unfit()

    @property
    def paired(self) -> Paired | None:
        """The counts that decide, where counts do."""
        return self.deciding.paired

    @cached_property
    def standing(self) -> Integers:
        """Places of the models, those first that err least often here, which is no verdict."""
        assert isinstance(self.panel, Panel)  # of others there are not that many
        return np.argsort(self.panel.errors.k, kind="stable")

    @cached_property
    def shown(self) -> list[int]:
        """Places of the pairs that are told one by one: all, or those of the leader and all among the best."""
        if not self.deciding.many:
            return [*range(self.number)]
        rank = np.argsort(self.standing)
        ranks = rank[self.first], rank[self.second]
        better, worse = np.minimum(*ranks), np.maximum(*ranks)
        places = np.flatnonzero((better == 0) | (worse < MOST_AMONG))
        chosen: list[int] = places[np.lexsort((worse[places], better[places]))].tolist()
        return chosen

    def names_at(self, place: int) -> tuple[str, str]:
        models = self.panel.models
        return models[self.first[place]], models[self.second[place]]

    def lines(self) -> Iterator[Line]:
        """The difference of each pair: in the measure that decides, and in every other one that was asked for."""
        label = self.deciding.label
        ask = Inquiry(np.asarray(self.each), "both", self.request.methods, self.deciding.options)
        beside = {place: self._beside(place) for place in self.shown}
        answers = iter(ask.lines_of_each([question for some in beside.values() for question in some]))
        for place, questions in beside.items():
            first, second = self.names_at(place)
            yield from (Line(c, label=label, model=first, against=second) for c in self.claims[place])
            for _ in questions:
                yield from (replace(line, model=first, against=second) for line in next(answers))

    def _beside(self, place: int) -> list[Question]:
        """What is asked of a pair beside what decides: other classes or k in the same measure, and other measures."""
        pair = int(self.first[place]), int(self.second[place])
        decided = self.paired is not None and self.request.decides.right_or_wrong  # by counts, which is one question
        others = [] if decided else self.deciding.questions[place][1:]
        about = self.deciding.differences.about
        return others + [each for measure in self.request.measures for each in about(*pair, measure)]

    @cached_property
    def claims(self) -> dict[int, list[Claim]]:
        """Of each pair that is told, in the measure that decides: by every method that answers, the deciding first."""
        return dict(zip(self.shown, self.deciding.claims(self.each, self.shown), strict=True))

    def claim_at(self, place: int) -> Claim:
        """The deciding method's claim about any pair."""
        return (self.claims.get(place) or self.deciding.claims(self.each, [place])[0])[0]

    @cached_property
    def p(self) -> Array:
        return self.deciding.p_values("both")

    @cached_property
    def adjusted(self) -> Array:
        return holm_adjusted(self.p)

    # ---- Verdicts

    @cached_property
    def outcomes(self) -> Integers:
        """What is said of each pair, as the place in `OUTCOMES`."""
        same, margin = ~self.deciding.parted, self.request.margin
        if not margin:
            return tested(self._worse, self.adjusted, self.request.delta, same)
        codes = located(*self._ends, margin)
        return np.where(same & (codes == CODE["not settled"]), np.int8(CODE["no difference"]), codes)

    @property
    def _worse(self) -> Array:
        """By how much the first of each pair was the worse one here."""
        if self.paired is not None:
            return self.paired.estimate
        estimates = np.array([float(self.claims[place][0].estimate or 0.0) for place in self.shown])
        return estimates if self.deciding.about.better == "lower" else -estimates

    @property
    def _ends(self) -> tuple[Array, Array]:
        """The limits on how much worse the first of each pair is."""
        if self.deciding.many:
            return self.deciding.ends(self.each)
        lower, upper = np.array([(float(c[0].lower), float(c[0].upper)) for c in self.claims.values()]).T
        return (lower, upper) if self.deciding.about.better == "lower" else (-upper, -lower)

    @cached_property
    def verdicts(self) -> dict[int, Verdict]:
        """Of each pair that is told."""
        return {place: self._verdict(place) for place in self.shown}

    def _verdict(self, place: int) -> Verdict:
        (first, second), claim = self.names_at(place), self.claim_at(place)
        deciding, margin = self.deciding, self.request.margin
        same, about = not deciding.parted[place], deciding.about
        if margin:
            verdict = by_interval(first, second, claim, margin, about)
            unseen = same and verdict.outcome == "not settled"
            return not_parted(first, second, verdict.rule, margin, about) if unseen else verdict
        estimate = float(claim.estimate or 0.0)
        worse = estimate if about.better == "lower" else -estimate
        p, delta = float(self.adjusted[place]), self.request.delta
        return by_test(first, second, worse, p, delta, deciding.rule, same, about)

    @cached_property
    def verdict(self) -> Verdict:
        """Of the pair, or of all models."""
        models = self.panel.models
        if len(models) == 2:
            return self.verdicts[0]
        among = np.flatnonzero(self.among_best)
        places = [*np.unique(self.outcomes, return_index=True)[1]]
        places += [*among[np.unique(self.outcomes[among], return_index=True)[1]]]
        examples = [self._verdict(int(place)) for place in places]  # of every outcome one, among all and the best
        return of_many(models, self.best, examples, examples[0].rule)

    @cached_property
    def best(self) -> list[str]:
        """The models that may be the best, by the rule that decides: the test, or with a margin the intervals."""
        number = len(self.panel.models)
        if self.request.margin:
            kept: Array = np.asarray(~self.beats.any(axis=0))
        else:
            beaten, i, j = np.ones((number, number)), self.first, self.second
            beaten[i, j], beaten[j, i] = self.deciding.p_values("first"), self.deciding.p_values("second")
            kept = may_be_best(beaten, self.request.delta)
        return [name for name, may in zip(self.panel.models, kept, strict=True) if may]

    @cached_property
    def among_best(self) -> Array:
        """Of each pair, whether both models may be the best."""
        best = {*self.best}
        inside = np.array([model in best for model in self.panel.models])
        return np.asarray(inside[self.first] & inside[self.second])

    @cached_property
    def beats(self) -> Array:
        """Whether the row's model is said to be better than the column's."""
        beats = np.zeros((len(self.panel.models),) * 2, bool)
        beats[self.first, self.second] = self.outcomes == CODE["better"]
        beats[self.second, self.first] = self.outcomes == CODE["worse"]
        return beats

    # ---- What is told beside

    def facts(self) -> ComparisonFacts:
        """What the report holds beside its claims, but for its notes."""
        many, (codes, times) = self.deciding.many, np.unique(self.outcomes, return_counts=True)
        outcomes = {OUTCOMES[code]: int(number) for code, number in zip(codes, times, strict=True)}
        return ComparisonFacts(
            models=self.panel.models,
            verdict=self.verdict,
            margin=self.request.margin,
            test=self.deciding.test(),
            pairs=tuple(self._pair(place) for place in self.shown),
            may_be_best=tuple(self.best),
            simultaneous=Simultaneous(self.request.delta, self.each) if self.number > 1 else None,
            all_pairs=AllPairs(number=self.number, outcomes=outcomes) if many else None,
            standing=tuple(self._places()) if many else None,
        )

    def _pair(self, place: int) -> Pair:
        counts = {} if self.paired is None else {"won": self.paired.won[place], "lost": self.paired.lost[place]}
        return Pair.of(
            self.names_at(place),
            self.verdicts[place],
            test=self.deciding.rule,
            p=float(self.p[place]),
            adjusted_p=float(self.adjusted[place]),
            **{name: int(count) for name, count in counts.items()},
        )

    def _places(self) -> Iterator[Place]:
        """Where each of very many models stands."""
        tier, beats, beaten = tiers(self.beats), self.beats.sum(axis=1), self.beats.sum(axis=0)
        for i in self.standing:
            yield Place(model=self.panel.models[i], tier=int(tier[i]), beats=int(beats[i]), beaten_by=int(beaten[i]))

    def views(self) -> dict[str, Callable[[], Any]]:
        """Every pair in columns, of very many models: counts, p-values, and what is said of it."""
        if not self.deciding.many:
            return {}
        assert self.paired is not None  # or there are not that many
        columns = {"won": self.paired.won, "lost": self.paired.lost, "p": self.p, "adjusted_p": self.adjusted}
        return {"pairs": partial(_columns, self.panel.models, columns, self.outcomes)}


def _columns(models: tuple[str, ...], columns: dict[str, Array], outcomes: Integers) -> dict[str, Any]:
    first, second = (np.array(models, object)[places] for places in np.triu_indices(len(models), 1))
    return {"first": first, "second": second, **columns, "outcome": np.array(OUTCOMES, object)[outcomes]}
