"""The difference that decides a comparison: of which measure it is, and which test or method speaks about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from holdfast.catalog import Bound, Measure, find_measure
from holdfast.claims import Claim, Guarantee, Side
from holdfast.comparisons import mcnemar
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence import Array, Contingency, Evidence, Losses, Resampled, shown
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pools.panel import Panel
from holdfast.invert import solve_for_delta
from holdfast.measures.rates import error_rate
from holdfast.report.facts.compared import DecidingTest
from holdfast.report.verdict import Subject
from holdfast.verbs.asking import Inquiry, Question, assumed
from holdfast.verbs.bound import default_methods
from holdfast.verbs.compare.differences import Differences
from holdfast.verbs.compare.unpaired import Unpaired, UnpairedDifferences

Test = Literal["exact", "mid-p", "asymptotic"]
TESTS = {"exact": mcnemar.exact, "mid-p": mcnemar.mid_p, "asymptotic": mcnemar.asymptotic}
USUAL: Test = "exact"
TURNED: dict[Side, Side] = {"upper": "lower", "lower": "upper", "both": "both"}
SIDES: dict[mcnemar.Better, Side] = {
    "both": "both",
    "first": "upper",  # an upper limit below 0, of what is better lower: the first is better
    "second": "lower",
}
NO_DIFFERENCE = np.asarray(0.5)  # on the scale from 0 to 1
MOST_MODELS = 200  # whose pairs may each have evidence of their own, 19,900 of them; counts answer for more at once


@dataclass(frozen=True)
class Request:
    """What is asked of a contest."""

    delta: float
    margin: float = 0.0
    test: Test | None = None  # of McNemar's; None where nobody said so
    methods: tuple[Bound, ...] = ()
    decides: Measure = error_rate
    measures: tuple[Measure, ...] = ()  # whose differences are told beside
    pass_at: tuple[int, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)  # parameters of measures: clip, costs, classes
    seed: int = 0


class Deciding:
    """Of one measure, the difference of each pair of models: its intervals, its test, and which of them decides.

    Where every example is an independent draw and every answer right or wrong, the counts of examples that tell a pair
    apart are all there is to know, and one call answers for all pairs. Elsewhere each pair has its own evidence.
    """

    def __init__(self, panel: Panel | Unpaired, request: Request) -> None:
        self.panel, self.request, self.measure = panel, request, request.decides
        apart = isinstance(panel, Unpaired)
        self.differences: Differences | UnpairedDifferences
        self.differences = (UnpairedDifferences if apart else Differences)(panel, request.stated, request.pass_at)  # type: ignore[arg-type]  # each of its own
        self.first, self.second = np.triu_indices(len(panel.models), 1)  # places of the two models of every pair
        if request.test is not None and self.paired is None:
            raise HoldfastError(_no_test(panel, self.measure))
        most = 1.0 if self.paired is not None else float(self._evidence[0].scale.high)  # that a difference can be
        if not 0 <= request.margin < most:
            what = "of error rates" if self.about.of_errors else f"in {self.about.name}"
            raise HoldfastError(
                f"The margin is a difference {what} from 0 to below {most:g}; got {shown(request.margin)}."
            )

    # ---- The evidence

    @cached_property
    def questions(self) -> list[list[Question]]:
        """Of each pair, what is asked about the measure: the question that decides first, other classes after it."""
        self._refuse_many(self._name)
        questions = [[*self.differences.about(i, j, self.measure)] for i, j in self._pairs()]
        one_of_many = len(questions[0]) > 1 and self.measure.per_class
        if one_of_many and questions[0][0].labels != (self.panel.positive,):
            raise HoldfastError(_which_class(self.measure, len(questions[0])))
        return questions

    @cached_property
    def paired(self) -> Paired | None:
        """Of each pair, the examples on which one alone was right, where these counts are all there is to know."""
        if isinstance(self.panel, Unpaired):
            return None
        if self.measure.right_or_wrong and self.panel.counted:
            return self.panel.paired()
        counts = [each for each in self._evidence if isinstance(each, Paired)]
        if len(counts) < len(self.first):
            return None
        joined = Paired.joined(counts)
        return joined if self.measure.better == "lower" else joined.mirror()

    @property
    def _evidence(self) -> list[Evidence]:
        return [questions[0].evidence for questions in self.questions]

    @cached_property
    def _as_measured(self) -> Paired | None:
        """The counts, so turned that what they speak about is the measure of the first minus that of the second."""
        if self.paired is None or self.measure.better == "lower":
            return self.paired
        return self.paired.mirror()

    @property
    def many(self) -> bool:
        """Whether there are too many models for a look at each pair by itself."""
        return len(self.panel.models) > MOST_MODELS

    def _fitting(self, question: Question) -> Evidence:
        """What the deciding method answers for: the evidence, or what stands beside it for large samples."""
        return next((each for each in question.each_evidence if self.bounds[0].fits(each)), question.evidence)

    def _refuse_many(self, what: str) -> None:
        if self.many:
            raise HoldfastError(
                f"{len(self.panel.models):,} models have {len(self.first):,} pairs, and {what} would take a look at "
                f"each by itself, which is done for up to {MOST_MODELS} models. Compare fewer of them, or error rates "
                "of rows drawn one by one with no method= (--method) but one for pairs of counts."
            )

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return zip(self.first.tolist(), self.second.tolist(), strict=True)

    @cached_property
    def parted(self) -> Array:
        """Whether any example tells the two models of each pair apart, in what the measure looks at."""
        if self.paired is not None:
            return np.asarray(self.paired.discordant > 0)
        panel = self.panel
        if isinstance(panel, Unpaired):
            return np.ones(len(self.first), bool)
        if self.measure.takes is Contingency and not self.measure.right_or_wrong:
            answers: Array | None = panel.predicted
        else:
            answers = panel.scores if self.measure.needs_labels else panel.wrong
        assert answers is not None  # see differences
        return np.array([np.any(answers[i] != answers[j]) for i, j in self._pairs()])

    # ---- Who answers

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The methods that answer, the deciding one first: those asked for that can, or else the usual ones."""
        if self._stated or self.paired is not None:
            return self._stated or default_methods(self._one)
        every = (bound for each in self.questions[0][0].each_evidence for bound in default_methods(each))
        return tuple(dict.fromkeys(every))

    @cached_property
    def _stated(self) -> tuple[Bound, ...]:
        one, counts = self._one, self.paired is not None
        drawn = not counts and isinstance(one, (Ratio, Influence)) and one.redrawable
        beside = () if counts else self.questions[0][0].each_evidence[1:]
        return tuple(
            b
            for b in self.request.methods
            if any(b.fits(each) for each in (one, *beside))
            or (drawn and Resampled in b.takes)
            or (counts and Losses in b.takes and not b.parameters)
        )

    @property
    def _one(self) -> Evidence:
        return self._evidence[0] if self._as_measured is None else self._as_measured

    def refuse_unfit(self) -> None:
        """Refuse methods that say nothing of this difference, where nothing else is asked for."""
        if self.request.methods and not self._stated:
            names = ", ".join(bound.name for bound in self.request.methods)
            what = "error rates" if self.measure is error_rate else self.about.name
            if self.paired is not None:
                raise UnfitMethod(
                    f"{names} cannot bound a difference of {what}; choose paired-fisher, tango or squares."
                )
            if self.measure.right_or_wrong:
                what += " of clusters or of several samples"
            usual = default_methods(self._one)[0].name
            raise UnfitMethod(f"{names} cannot bound a difference of {what}; choose {usual}.")

    @property
    def tested(self) -> bool:
        """Whether McNemar's test answers: wherever it can, unless a method was asked for that can, and no test."""
        return self.paired is not None and (self.request.test is not None or not self._stated)

    @property
    def rule(self) -> str:
        """What decides where there is no margin: McNemar's test, or a method's p-value."""
        return f"mcnemar-{self.request.test or USUAL}" if self.tested else self.bounds[0].name

    @property
    def deciding(self) -> str:
        """What decides: with a margin, where the interval of this method lies."""
        return self.bounds[0].name if self.request.margin else self.rule

    @property
    def guarantee(self) -> Guarantee:
        """Of what decides."""
        return self.firmness if self.request.margin else self.test().guarantee

    @property
    def firmness(self) -> Guarantee:
        """Of the first method, for this evidence: a bet on rows in no stated order has no proof."""
        one = self._one if self.paired is not None else self._fitting(self.questions[0][0])
        return self.bounds[0].guarantee_for(one)

    @cached_property
    def about(self) -> Subject:
        measure, label, called = self.measure, None, None
        if measure.of_question is not None:
            called = (
                f"{measure.aliases[0].removesuffix('k')}{self.request.pass_at[0]}" if self.request.pass_at else None
            )
        elif measure.per_class:
            label = self.questions[0][0].labels[0]
        graded = self.panel.grades is not None
        return Subject(measure.name, measure.better or "lower", label, self.guarantee, called, graded)

    # ---- Intervals and p-values

    def claims(
        self, delta: float, places: Sequence[int], side: Side = "both", bounds: Sequence[Bound] = ()
    ) -> list[list[Claim]]:
        """Of the pairs at these places: by every method that answers, the deciding one first."""
        chosen, paired = bounds or self.bounds, self._as_measured
        if paired is not None:
            by_bound = [self._by(bound, paired.at(places), delta, side) for bound in chosen]
            return [[self._of_draws(claim) for claim in claims] for claims in zip(*by_bound, strict=True)]
        ask = Inquiry(np.asarray(delta), side, tuple(chosen), self.options)
        return [[line.claim for line in ask.lines(self.questions[place][:1])] for place in places]

    def ends(self, delta: float) -> tuple[Array, Array]:
        """Of each of very many pairs of counts, the limits of the deciding method on how much worse the first is."""
        bound, paired = self.bounds[0], self.paired
        if paired is None or not bound.fits(paired):
            self._refuse_many(bound.name)
        assert paired is not None  # or there are not that many pairs
        counts, places = paired.distinct()
        claim = bound(counts, delta, "both")
        return np.asarray(claim.lower)[places], np.asarray(claim.upper)[places]

    def limits(self, delta: float, places: Sequence[int], side: Side) -> list[Claim]:
        """Of each pair, the deciding method's limit on one side; both, at the same delta, where it knows no other way.

        `side` is that of how much worse the first is: "upper" for the most it may be, whichever way is better.
        """
        bound = self.bounds[0]
        side = side if self.measure.better == "lower" else TURNED[side]
        return [claims[0] for claims in self.claims(delta, places, side if bound.one_sided else "both", [bound])]

    @property
    def label(self) -> str | None:
        """The class that the deciding lines are of."""
        return None if self.measure.right_or_wrong else self.questions[0][0].labels[0]

    @property
    def options(self) -> dict[str, int]:
        """Of the bootstrap, where it answers."""
        return {"resamples": 2000, "seed": self.request.seed}

    def _by(self, bound: Bound, paired: Paired, delta: float, side: Side) -> list[Claim]:
        """One method's claim about each pair."""
        name = f"{self.measure.name}-difference"
        if bound.fits(paired):
            claims = bound(paired, delta, side)
            return [claims.one(place, measure=name) for place in range(paired.n.size)]
        return [replace(bound(losses, delta, side), measure=name) for losses in _losses(paired)]

    def _of_draws(self, claim: Claim) -> Claim:
        """The claim with what else the measure assumes: of every pair the same."""
        if self.measure.right_or_wrong:
            return claim
        question = self.questions[0][0]
        return replace(claim, assumes=assumed(claim, question), per=question.per)

    def p_values(self, better: mcnemar.Better) -> Array:
        """Of no difference, or of "the first is no better" ("first"), "the second is no better" ("second")."""
        if self.tested:
            assert self.paired is not None  # or there is no test
            return np.asarray(TESTS[self.request.test or USUAL](self.paired.won, self.paired.lost, better).value)
        bound, side, paired = self.bounds[0], SIDES[better], self._as_measured
        side = side if self.measure.better == "lower" else TURNED[side]
        if paired is not None and bound.fits(paired):
            counts, places = paired.distinct()
            return solve_for_delta(bound, counts, NO_DIFFERENCE, side)[places]
        self._refuse_many(bound.name)
        each = [self._fitting(questions[0]) for questions in self.questions] if paired is None else _losses(paired)
        if paired is None and Resampled in bound.takes:
            each = [questions[0].drawable(questions[0].evidence, 0) for questions in self.questions]
        options = {name: self.options[name] for name in bound.options}
        return np.array([float(solve_for_delta(bound, one, NO_DIFFERENCE, side, **options)) for one in each])

    def test(self) -> DecidingTest:
        """The test of no difference: its name, and how firmly it holds on whose word."""
        null = mcnemar.NULLS["both"] if self.measure.right_or_wrong else f"both models have the same {self._name}"
        if self.tested:
            test = TESTS[self.request.test or USUAL](0, 0)
            firmly, source = test.guarantee, test.source
        else:
            firmly, source = self.firmness, self.bounds[0].source
        return DecidingTest(test=self.rule, null=null, guarantee=firmly, source=str(source))

    @property
    def _name(self) -> str:
        return self.measure.name.replace("-", " ")


def find_test(name: Any) -> Test | None:
    if name is not None and name not in TESTS:
        raise UnknownName("test", name, TESTS)
    return name


def _losses(paired: Paired) -> list[Evidence]:
    return [Paired(*each).losses for each in zip(paired.won, paired.lost, paired.n, strict=True)]


def _no_test(panel: Panel | Unpaired, measure: Measure) -> str:
    if isinstance(panel, Unpaired):
        why = "count the rows that one model alone got right, and here no row was answered by both"
    elif panel.grades is not None:
        why = "ask who was right, and answers here may be partly so"
    elif panel.counted:
        why = f"ask who was right, which does not tell the {measure.name}"
    else:
        why = "take every row for an independent draw, which rows of clusters and several samples of a question are not"
    return f"McNemar's tests {why}; leave out test= (--test)."


def _which_class(measure: Measure, classes: int) -> str:
    average = f"macro-{measure.name}"
    try:
        other = find_measure(average).name
    except HoldfastError:
        other = error_rate.name
    return (
        f"{measure.name} is told of each of {classes:,} classes, and the first measure decides: say which class by "
        f"positive= (--positive), or put another measure first, such as {other}."
    )
