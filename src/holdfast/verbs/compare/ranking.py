"""All models of a scoreboard against each other: their ranks, every test, the verdict and what goes with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil, log2

import numpy as np

from holdfast.catalog.measure import implied
from holdfast.claims import Guarantee, PValue, Source
from holdfast.combine import holm, holm_adjusted
from holdfast.comparisons.ranks import average_ranks, cliques, critical_difference, friedman, iman_davenport, nemenyi
from holdfast.comparisons.signed_rank import MOST_EXACT, sign_test, signed_rank_probabilities, wilcoxon
from holdfast.evidence import Array
from holdfast.evidence.scoreboard import Scoreboard
from holdfast.report import Line
from holdfast.report.facts.compared import Practical, SignificanceTest
from holdfast.report.facts.comparison import CriticalDifference, DatasetsFacts
from holdfast.report.verdict import Outcome, Subject, Verdict, spoken
from holdfast.verbs.compare.verdicts import p_in_words
from holdfast.wording import brief, listed

MEASURE = "rank-difference"
MOST_NAMED = 5  # models of a sentence
RANDOM = (
    "The data sets are taken for a random sample of data sets: what is said is about others like them, not about "
    "these alone, and scores on data sets that share examples are not independent."
)
RULE = (
    "The verdict is Wilcoxon's, with Holm's correction over all pairs; that alone keeps the chance of any false "
    "statement. Friedman, Iman-Davenport and Nemenyi are told beside it and decide nothing: mean ranks depend on which "
    "other models are in the table."
)


class Ranking:
    """All models of a scoreboard: their ranks, the tests of every pair, and the verdict."""

    def __init__(self, board: Scoreboard, delta: float) -> None:
        self.board, self.delta = board, delta
        self.first, self.second = board.pairs
        self.ranks = average_ranks(board.losses)
        self.mean_ranks = self.ranks.sum(axis=0) / board.n
        self.wilcoxon = wilcoxon(board.differences)
        self.adjusted = holm_adjusted(self.wilcoxon.value)
        self.limit = critical_difference(len(board.models), board.n, delta)
        self.about = Subject(board.measure or "score", board.better, guarantee=self.wilcoxon.guarantee)

    @cached_property
    def beats(self) -> Array:
        """Whether the model of the row beats that of the column, by the verdict's rule."""
        number = len(self.board.models)
        beats = np.zeros((number, number), bool)
        differences = self.board.differences.T
        # By pair, the rank sum for the first model minus that for the second.
        advantage = np.sum(-np.sign(differences) * average_ranks(np.abs(differences)), axis=1)
        sure = self.adjusted <= self.delta
        beats[self.first, self.second] = sure & (advantage > 0)
        beats[self.second, self.first] = sure & (advantage < 0)
        return beats

    @property
    def may_be_best(self) -> list[str]:
        beaten = self.beats.sum(axis=0).tolist()
        return [name for name, times in zip(self.board.models, beaten, strict=True) if not times]

    def lines(self) -> Iterator[Line]:
        """How far the mean ranks of each pair are apart, first minus second: negative where the first is better."""
        most = len(self.board.models) - 1.0
        for (first, second), gap in zip(self._pairs(), self._gaps.tolist(), strict=True):
            claim = nemenyi.claim(
                measure=MEASURE,
                estimate=gap,
                lower=max(gap - self.limit, -most),
                upper=min(gap + self.limit, most),
                delta=self.delta,
                side="both",
                n=self.board.n,
                guarantee=Guarantee.HEURISTIC,  # the spread of ranks is that of models all alike
                per="dataset",
            )
            yield Line(claim, model=first, against=second)

    def facts(self, practical: Iterable[Practical]) -> DatasetsFacts:
        """What the report holds beside its claims."""
        models = self.board.models
        return DatasetsFacts(
            models=models,
            datasets=self.board.datasets,
            better=self.board.better,
            measure=self.board.measure,
            ranks=dict(zip(models, self.mean_ranks.tolist(), strict=True)),
            critical_difference=CriticalDifference(self.limit, self.delta, nemenyi.name),
            cliques=tuple(tuple(models[i] for i in clique) for clique in cliques(self.mean_ranks, self.limit)),
            tests=tuple(self.tests()),
            may_be_best=tuple(self.may_be_best),
            verdict=self.verdict(),
            practical=tuple(practical),
            notes=tuple(self.notes()),
            next=tuple(self.next()),
        )

    def tests(self) -> Iterator[SignificanceTest]:
        """Every p-value: of all models at once, then of every pair."""
        yield SignificanceTest.of(friedman(self.ranks))
        yield SignificanceTest.of(iman_davenport(self.ranks))
        outcomes = zip(self._of_pairs(self.wilcoxon, self.adjusted), self._outcomes(), strict=True)
        yield from (replace(test, outcome=outcome) for test, outcome in outcomes)
        signs = sign_test(self.board.differences)
        won = np.sum(self.board.differences < 0, axis=0).tolist()
        lost = np.sum(self.board.differences > 0, axis=0).tolist()
        for test, more, fewer in zip(self._of_pairs(signs, holm_adjusted(signs.value)), won, lost, strict=True):
            yield replace(test, won=more, lost=fewer)
        ranked = nemenyi(self.ranks, self.first, self.second)
        yield from self._of_pairs(ranked, np.asarray(ranked.value))  # of all pairs at once already

    def _outcomes(self) -> Iterator[Outcome]:
        """Of each pair, what the verdict's rule says of the first model."""
        parted = np.any(self.board.differences != 0, axis=0).tolist()
        for i, j, apart in zip(self.first, self.second, parted, strict=True):
            if self.beats[i, j] or self.beats[j, i]:
                yield "better" if self.beats[i, j] else "worse"
            else:
                yield "not settled" if apart else "no difference"

    def practical(self, rope: float, samples: int, seed: int) -> Iterator[Practical]:
        """How probably each model of a pair is better by more than what matters."""
        shares = signed_rank_probabilities(self.board.differences, rope, samples, seed)
        for (first, second), (better, same, worse) in zip(self._pairs(), shares.tolist(), strict=True):
            yield Practical(
                first=first,
                second=second,
                first_better=better,
                equivalent=same,
                second_better=worse,
                rope=rope,
                samples=samples,
                seed=seed,
                guarantee=Guarantee.HEURISTIC,
                source=str(Source("benavoli2017", "signed-rank test")),
            )

    def verdict(self) -> Verdict:
        """Who is better, by Wilcoxon's test with Holm's correction."""
        models, n, rule = self.board.models, self.board.n, self.wilcoxon.test
        if not self.board.differences.any():
            these = "both models" if len(models) == 2 else f"all {len(models)} models"
            sentence = f"no difference seen: {these} score the same on every data set (p = 1)."
            return Verdict(sentence, outcome="no difference", rule=rule, models=models, about=self.about)
        if len(models) == 2:
            return self._of_two(f"data sets like these {n}" if n > 1 else "data sets like this one", rule)
        rule, best = f"{rule}, {holm.name}", self.may_be_best
        firmly = self._firmly and f" ({self._firmly.strip()})"
        names = dict(zip(models, spoken(models), strict=True))
        if len(best) == 1 and self.beats[models.index(best[0])].sum() == len(models) - 1:
            over = f"the {len(models)} models over data sets like these {n}"
            sentence = f"{names[best[0]]} is the best of {over}: it beats each other one{firmly}."
            return Verdict(sentence, outcome="better", rule=rule, models=best, about=self.about)
        if not self.beats.any():
            why = "no two of them can be told apart"
        elif not best:
            why = "each is beaten by another one"
        else:
            none_other = ", which does not beat each other one" if len(best) == 1 else ""
            why = f"it may be {_either([names[model] for model in best])}{none_other}"
        sentence = f"Which of the {len(models)} models is the best is not settled: {why}{firmly}."
        return Verdict(sentence, outcome="not settled", rule=rule, models=best, about=self.about)

    @property
    def _firmly(self) -> str:
        """By which test, where what it says is not proven at every number of data sets."""
        return f" by {self.wilcoxon.test}{self.about.proviso}" if self.about.proviso else ""

    def _of_two(self, over: str, rule: str) -> Verdict:
        pair = self.board.models
        first, second = spoken(pair)
        outcome, why = next(self._outcomes()), f"({p_in_words(float(self.adjusted[0]), self.delta)}{self._firmly})"
        if outcome == "not settled":
            sentence = f"Which of {first} and {second} is better over {over} is not settled {why}."
        else:
            better, other = (first, second) if outcome == "better" else (second, first)
            sentence = f"{better} is better than {other} over {over} {why}."
        return Verdict(sentence, outcome=outcome, rule=rule, models=pair, about=self.about)

    def notes(self) -> Iterator[str]:
        """What a reader should know about these numbers."""
        board = self.board
        if board.dropped:
            lost = len(board.dropped)
            yield (
                f"{lost:,} of {lost + board.n:,} data sets were dropped, for some model has no score there: "
                f"{listed([*board.dropped])}."
            )
        if board.measure is not None and implied(board.measure) not in (None, board.better):
            yield f"The scores are called {brief(board.measure, 40)}, yet {board.better} ones are better, as stated."
        if board.assumed:
            yield (
                "Nobody said which scores are better: they are taken for scores of which the higher is. If they are "
                'error rates or losses, say better="lower" (--better lower).'
            )
        yield RANDOM
        if len(board.models) > 2:
            yield RULE
            pairs = int(np.sum((self.adjusted <= self.delta) != (np.abs(self._gaps) > self.limit)))
            if pairs:
                yield (
                    f"Of {len(self.adjusted):,} pairs Nemenyi's test and the verdict's see {pairs:,} differently; the "
                    "bars of the diagram are Nemenyi's."
                )
        if board.n > MOST_EXACT:
            yield f"Beyond {MOST_EXACT} data sets Wilcoxon's p-values are approximations; the sign test is exact."

    def next(self) -> Iterator[str]:
        """What would settle more."""
        pairs = len(self.adjusted)
        # All differences on one side is as far as they can go: a p-value of 2 / 2**n, and Holm's factor before it.
        needed = ceil(1 + log2(pairs / self.delta))
        if self.board.n < needed:
            yield (
                f"With {self.board.n:,} data sets no pair can be told apart, whatever the scores: that takes at least "
                f"{needed:,}{'' if pairs == 1 else f' for {pairs:,} pairs, or fewer models'}."
            )

    @property
    def _gaps(self) -> Array:
        """How far the mean ranks of each pair are apart, first minus second."""
        total = self.ranks.sum(axis=0)
        return np.asarray((total[self.first] - total[self.second]) / self.board.n)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        models = self.board.models
        return ((models[i], models[j]) for i, j in zip(self.first.tolist(), self.second.tolist(), strict=True))

    def _of_pairs(self, values: PValue, adjusted: Array) -> Iterator[SignificanceTest]:
        """One per pair, from p-values of all pairs."""
        for place, ((first, second), corrected) in enumerate(zip(self._pairs(), adjusted.tolist(), strict=True)):
            yield SignificanceTest.of(values, place, first=first, second=second, adjusted=corrected)


def _either(names: Sequence[str]) -> str:
    first, rest = [*names[:MOST_NAMED]], len(names) - MOST_NAMED
    if rest > 0:
        return f"{', '.join(first)} or one of {rest} more"
    return f"{', '.join(first[:-1])} or {first[-1]}" if len(first) > 1 else first[0]
