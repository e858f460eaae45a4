"""Is A better than B, when all there is are the folds of a cross-validation?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from holdfast.bounds.folds import STUDENTS
from holdfast.catalog import Bound, Methods, find
from holdfast.claims import Claim, Guarantee, PValue
from holdfast.combine import bonferroni, holm_adjusted, sayable
from holdfast.comparisons import folds as comparisons
from holdfast.comparisons.folds import correlated_t, five_by_two_f, t_test
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.folds.folds import FiveByTwo, Folds
from holdfast.report import Line, Report
from holdfast.report.facts.compared import Pair, Posterior, SignificanceTest
from holdfast.report.facts.comparison import FoldPlan, FoldsFacts
from holdfast.report.facts.kind import Simultaneous
from holdfast.report.verdict import LONGEST_NAME, Subject, Verdict, may_be_said, spoken
from holdfast.verbs.compare.verdicts import by_interval, by_test, may_be_best, of_many, p_in_words, unbeaten
from holdfast.verbs.jointly import one_chance
from holdfast.verbs.provenance import recorded
from holdfast.verbs.subject import several
from holdfast.wording import printable

ANSWERS = {"repeated": "bouckaert-frank", "5x2": "five-by-two-t"}  # for all other schemes it is Nadeau and Bengio's
ROPE = 0.01  # of the range: differences that nobody would act on
SENTENCES = {
    "better": "{first} is better than {second}: its {measure} is {better} ({why}).",
    "worse": "{second} is better than {first}: its {measure} is {better} ({why}).",
    "not inferior": "{first} is not worse than {second} by {margin:g} or more ({why}).",
    "not superior": "{second} is not worse than {first} by {margin:g} or more ({why}).",
    "equivalent": "{first} and {second} are equivalent within the margin of {margin:g} ({why}).",
    "no difference": "{first} and {second}: no difference seen, for no fold tells them apart (p = 1).",
    "not settled": "Which of {first} and {second} is better is not settled ({why}).",
}


@recorded(without=("folds",))
def compare_folds(
    folds: Folds,
    *,
    margin: float = 0.0,
    rope: float | None = None,
    method: Methods | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
) -> Report:
    """Which of several ways to train a model is better, judged by the folds of a cross-validation.

    Folds share training examples, and nobody knows by how much that correlates their results: every claim here comes
    without proof. A test set that was set apart bears claims that hold, by `compare`.

    Parameters
    ----------
    folds
        What each model scored on each fold.
    margin
        A difference too small to matter. Without one the test that belongs to the scheme decides: Bouckaert and
        Frank's for repeated folds, Alpaydin's F for five times two, Nadeau and Bengio's for all others. With one, where
        the interval of the difference lies.
    rope
        The region of practical equivalence of Bayes' answer; by default the margin, or one percent of the range.
    method
        Names of the catalog for the intervals; the first decides, by its test or with a margin by its interval.

    Examples
    --------
    >>> folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    >>> report = compare_folds(folds)
    >>> print(report.details["verdict"])
    Which of naive and full is better is not settled (p = 0.44 by nadeau-bengio, which comes without proof).
    >>> print(report["error-rate-difference"])
    0.033 [-0.075, 0.141], nadeau-bengio, 95 %, comes without proof
    """
    level = one_chance("A comparison is made", "compare_folds", confidence, delta)
    if not isinstance(folds, Folds):
        raise HoldfastError(f"compare_folds needs Folds of at least two models; got {shown(folds)}.")
    if len(folds.models) < 2:
        raise HoldfastError("A comparison needs at least two models; these folds are of one.")
    width = folds.high - folds.low
    small = numbers("margin", margin)
    if small.ndim or not 0 <= small < width:
        raise HoldfastError(f"The margin is a difference from 0 to below {width:g}; got {shown(margin)}.")
    contest = _Contest(folds, level, float(small), [find(name) for name in several(method)], rope)
    return Report.of(contest.lines(), contest.facts(), fingerprint=folds.fingerprint, rows=folds.examples)


class _Contest:
    """All pairs of models: their differences fold by fold, and what each test and interval makes of them."""

    def __init__(self, folds: Folds, delta: float, margin: float, methods: Sequence[Bound], rope: float | None) -> None:
        self.folds, self.delta, self.margin = folds, delta, margin
        self.differences = folds.differences()
        self.answering = find(ANSWERS.get(folds.scheme, "nadeau-bengio"))
        self.stated, self.bounds = methods, list(methods) or [self.answering]
        many = len(folds.pairs) > 1
        self.each = float(sayable(bonferroni(delta, len(folds.pairs)))) if many else delta
        self.rope = rope if rope is not None else margin or ROPE * (folds.high - folds.low)
        self.about = Subject(folds.measure, folds.better, guarantee=Guarantee.HEURISTIC)

    @cached_property
    def claims(self) -> list[list[Claim]]:
        """Of each pair, by each method."""
        claims = [bound(self.differences, self.each) for bound in self.bounds]
        about: dict[str, Any] = {"measure": f"{self.folds.measure}-difference", "per": "fold"}
        return [[claim.one(place, **about) for claim in claims] for place in range(len(self.folds.pairs))]

    def lines(self) -> Iterator[Line]:
        for (first, second), claims in zip(self.folds.pairs, self.claims, strict=True):
            yield from (Line(claim, model=first, against=second) for claim in claims)

    @cached_property
    def tests(self) -> list[PValue]:
        """Of all pairs at once, the one that decides first."""
        own = [bound.name for bound in self.stated if bound.name in STUDENTS][:1]
        names = dict.fromkeys([*own, self.answering.name, "bouckaert-frank", "nadeau-bengio", "paired-t"])
        fitting = [name for name in names if find(name).fits(self.differences)]
        if "bouckaert-frank" in fitting and "nadeau-bengio" in fitting[1:]:
            fitting.remove("nadeau-bengio")  # the same formula
        tests = [t_test(self.differences, name) for name in fitting]
        if isinstance(self.differences, FiveByTwo):
            tests.insert(len(own), five_by_two_f(self.differences))
        return tests

    @cached_property
    def posterior(self) -> comparisons.Posterior:
        return correlated_t(self.differences, self.rope)

    @property
    def rule(self) -> str:
        return self.bounds[0].name if self.margin else self.tests[0].test

    @cached_property
    def p(self) -> Array:
        return np.asarray(self.tests[0].value)

    @cached_property
    def adjusted(self) -> Array:
        return holm_adjusted(self.p)

    @cached_property
    def worse(self) -> Array:
        """By how much the first of each pair is the worse one."""
        estimate = self.differences.estimate
        return estimate if self.folds.better == "lower" else -estimate

    @cached_property
    def verdicts(self) -> list[Verdict]:
        return [self._verdict(place) for place in range(len(self.folds.pairs))]

    def _verdict(self, place: int) -> Verdict:
        (first, second), same = self.folds.pairs[place], bool(self.differences.same[place])
        if self.margin:
            outcome = by_interval(first, second, self.claims[place][0], self.margin, self.about).outcome
            why = f"the interval is {self.rule}'s"
            outcome = "no difference" if same and outcome == "not settled" else outcome
        else:
            p = float(self.adjusted[place])
            outcome = by_test(first, second, float(self.worse[place]), p, self.delta, self.rule, same).outcome
            why = f"{p_in_words(p, self.delta)} by {self.rule}"
        names = dict(zip(("first", "second"), spoken((first, second)), strict=True))
        measure = self.folds.measure if may_be_said(self.folds.measure) else "score"
        words = {**names, "measure": printable(measure, LONGEST_NAME), "better": self.folds.better}
        sentence = SENTENCES[outcome].format(**words, margin=self.margin, why=f"{why}{self.about.proviso}")
        pair = (first, second)
        return Verdict(sentence, outcome=outcome, rule=self.rule, margin=self.margin, models=pair, about=self.about)

    @cached_property
    def best(self) -> list[str]:
        """The models that none other is shown to beat, by the rule that decides: the test, or the intervals."""
        if self.margin:
            return unbeaten(self.folds.models, self.verdicts)
        number = len(self.folds.models)
        beaten, (i, j) = np.ones((number, number)), np.triu_indices(number, 1)
        small, large = self.p / 2, 1 - self.p / 2
        beaten[i, j], beaten[j, i] = np.where(self.worse < 0, small, large), np.where(self.worse > 0, small, large)
        return [name for name, may in zip(self.folds.models, may_be_best(beaten, self.delta), strict=True) if may]

    @cached_property
    def verdict(self) -> Verdict:
        models = self.folds.models
        return self.verdicts[0] if len(models) == 2 else of_many(models, self.best, self.verdicts, self.rule)

    def facts(self) -> FoldsFacts:
        """What the report holds beside its claims."""
        folds = self.folds
        means = folds.values.mean(axis=(1, 2)).tolist()
        return FoldsFacts(
            models=folds.models,
            verdict=self.verdict,
            margin=self.margin,
            pairs=tuple(self._pair(place) for place in range(len(folds.pairs))),
            may_be_best=tuple(self.best),
            folds=FoldPlan(
                scheme=folds.scheme,
                repeats=folds.repeats,
                folds=folds.folds,
                measure=folds.measure,
                better=folds.better,
                means=dict(zip(folds.models, means, strict=True)),
            ),
            simultaneous=Simultaneous(self.delta, self.each) if len(folds.pairs) > 1 else None,
            notes=tuple(self.notes()),
        )

    def _pair(self, place: int) -> Pair:
        return Pair.of(
            self.folds.pairs[place],
            self.verdicts[place],
            test=self.tests[0].test,
            p=float(self.p[place]),
            adjusted_p=float(self.adjusted[place]),
            tests=tuple(SignificanceTest.of(test, place) for test in self.tests),
            posterior=self._belief(place),
        )

    def _belief(self, place: int) -> Posterior:
        """Bayes' answer about one pair; None where it is undefined."""
        belief = self.posterior
        shares = {name: float(np.atleast_1d(getattr(belief, name))[place]) for name in ("first", "equal", "second")}
        known = {name: None if share != share else share for name, share in shares.items()}
        return Posterior(**known, rope=belief.rope, guarantee=belief.guarantee, source=str(belief.source))

    def notes(self) -> Iterator[str]:
        if self.margin:
            yield f"With a margin, where the interval of {self.rule} lies decides."
        else:
            yield f"Without a margin, the test {self.rule} of no difference decides, not the interval."
        yield (
            "Folds share training examples, so that their results depend on each other in a way that cannot be "
            "estimated: nothing here is proven. The claims are about ways of training with so many examples, not about "
            "a trained model; on a test set that was set apart, `compare` makes claims that hold."
        )
        yield (
            "paired-t is the textbook's test (algorithm 22.4): it takes the folds for independent. On random or "
            "repeated splits it can reject a true null more often than not; it is shown for comparison."
        )
        yield "Bayes' probabilities (posterior) are beliefs under a flat prior and promise no coverage."
        sizes = self.folds.n_train, self.folds.n_test
        if self.folds.scheme == "bootstrap" and sizes[0] is not None and np.array_equal(*sizes):  # type: ignore[arg-type]
            yield (
                "Replicates tested on all examples, as in algorithm 22.3, are tested mostly on examples that they were "
                "trained on: results are too good, and their differences may be anything."
            )
        silent = np.isnan(self.differences.variance) & ~self.differences.same
        for (first, second), constant in zip(self.folds.pairs, silent, strict=True):
            if constant:
                yield (
                    f"{' and '.join(spoken((first, second)))} differ by the same amount on every fold: a spread of "
                    "none says nothing about how sure that is, so neither do the tests (p = 1) and intervals (the "
                    "whole range)."
                )
        if len(self.folds.pairs) > 1:
            number = f"{len(self.folds.pairs):,}"
            yield f"There are {number} pairs: p-values are Holm's, and each interval takes its part of delta."
