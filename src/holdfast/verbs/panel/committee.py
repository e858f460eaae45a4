"""How often does the vote of several models err? What each method can say, from what it knows, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.finite import hypergeometric
from holdfast.claims import Claim
from holdfast.comparisons.cores.committee import BY_MEMBERS, by_members, tied_votes, vote
from holdfast.comparisons.cores.cores import Cores
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Counts
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.measures.panel import average, average_on, gibbs
from holdfast.predictions import Missing
from holdfast.predictions.wording import quoted
from holdfast.report import Line, Report
from holdfast.verbs.bound import default_methods
from holdfast.verbs.panel.agreement import agreement
from holdfast.verbs.panel.averages import by_inputs, doubts, for_any_of
from holdfast.verbs.panel.infer import Method, core_limits, infer
from holdfast.verbs.panel.panel import MOST_NAMED, further, labelled, one_level, shares_of
from holdfast.verbs.provenance import called

Vote = Literal["majority", "weighted"]
VOTES: tuple[Vote, ...] = ("majority", "weighted")
ROWS = ("truth", "predicted", "unlabelled", "target", "command")
WAYS = {
    "tested directly": "counts the errors of the vote itself on the labelled examples.",
    "linear programme": "knows limits for the members and what all say on these inputs; no label of the vote.",
    "nearest member": "knows limits for the members, and how often the vote sides with each on these inputs.",
    "factor two": "knows how often the members err on average: the vote errs at most twice as often.",
    "C-bound": "knows that, and how often two members differ.",
    "tandem": "knows how often two members err together: the vote errs at most four times as often.",
}
OF_TARGET = {
    "linear programme": "knows limits for the members and what all say on these inputs; no label of the classifier.",
    "nearest member": "knows limits for the members, and how often the classifier sides with each on these inputs.",
}
NAMES = {"factor-two": "factor two", "c-bound": "C-bound", "tandem": "tandem"}


def committee(
    truth: Any = None,
    predicted: Mapping[str, Any] | None = None,
    *,
    unlabelled: Any = None,
    target: Any = None,
    vote: Vote | None = None,
    weights: Mapping[str, float] | Sequence[float] | None = None,
    fitted: bool = False,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    confidence: float | str | None = None,
    delta: float | None = None,
    command: str | None = None,
) -> Report:
    """How often the vote of several models errs: what each method can say, side by side.

    Parameters
    ----------
    truth, predicted
        The true labels, and by the name of each model its predictions. Or one `Panel`.
    unlabelled
        What the models say on further inputs: then the vote's error rate on these very inputs is told as well.
    target
        What a further classifier says on the unlabelled inputs: it is asked about in place of the vote, and no label
        of it is needed.
    vote
        "majority", where of labels with equal votes the first wins; or "weighted".
    weights
        Of the models in a weighted vote.
    fitted
        Whether the weights were chosen with these labels in view. Then the vote cannot be tested on them.
    confidence, delta
        Of each statement; the first answers, and the others stand beside it.

    Examples
    --------
    >>> draw = np.random.default_rng(1)
    >>> truth = draw.integers(0, 2, 1000)
    >>> said = np.where(draw.random((5, 1000)) < 0.2, 1 - truth, truth)
    >>> report = committee(truth[:400], dict(zip("abcde", said[:, :400])), unlabelled=said[:, 400:])
    >>> for line in report.whole[:3]:
    ...     print(f"{line.label}: {line.claim}")
    tested directly: 0.0550 [0.0283, 0.0900], hypergeometric, 95 %, holds at every sample size
    linear programme: – [0.000, 0.294], core-programme, 95 %, holds at every sample size
    nearest member: – [0.000, 0.424], nearest-core, 95 %, holds at every sample size
    """
    given = dict(locals())
    level = one_level(confidence, delta)
    seen = labelled(truth, predicted, labels=labels, missing=missing)
    rest = (
        None if unlabelled is None else further(seen, unlabelled, missing, None if isinstance(target, str) else target)
    )
    how = _way_to_vote(vote, weights, fitted)
    asked = None if rest is None else rest.target
    if target is not None and (vote is not None or weights is not None):
        raise HoldfastError(
            "target= (--target) asks about a classifier in place of a vote; leave vote= (--vote) and "
            "weights= (--weight) out."
        )
    if target is not None and asked is None:
        raise HoldfastError(
            "target= (--target) is what a classifier says on the unlabelled inputs; give unlabelled= "
            "(--unlabelled) with it."
        )
    house = _House(seen, rest, None if weights is None else shares_of(seen, weights), fitted, level)
    lines = [*house.inferred(asked)] if asked is not None else [*house.lines()]
    told = {
        "vote": how,
        "target": None if asked is None else target if isinstance(target, str) else "the target",
        "weights": None if house.weights is None else dict(zip(seen.models, house.weights.tolist(), strict=True)),
        "fitted": fitted,
        "examples": seen.n,
        "unlabelled": None if rest is None else rest.n,
        "unlabelled_fingerprint": None if rest is None else rest.fingerprint,
        "average": float(average(seen, house.weights).mean),
        "delta": level,
        "ways": {
            name: (WAYS if asked is None else OF_TARGET)[name]
            for name in dict.fromkeys(str(line.label) for line in lines)
        },
    }
    return Report.of(
        lines,
        {
            "committee": told,
            "models": list(seen.models),
            "notes": [
                *seen.notes,
                *(() if rest is None else (*rest.notes, *doubts(seen, rest, level))),
                *_notes(told, house),
            ],
            "next": list(_next(told)),
        },
        seen={"agreement": partial(agreement, seen, rest)},
        fingerprint=seen.fingerprint,
        rows=seen.rows,
        examples=seen.n,
        command=command or called(committee, given, without=ROWS),
    )


@dataclass(frozen=True, eq=False)
class _House:
    """The members, what they said, and what may be claimed of their vote."""

    seen: Panel
    rest: Unlabelled | None
    weights: Array | None
    fitted: bool
    delta: float

    def lines(self) -> Iterator[Line]:
        """First about the unlabelled inputs, if there are any, then about the population."""
        if self.rest is not None:
            if not self.fitted:
                claim = hypergeometric(self._errors, self.delta, unlabelled=self.rest.n)
                yield _line(claim, "tested directly", "unlabelled-vote-error-rate")
            yield from self.inferred(self._vote(self.rest.predicted), "unlabelled-vote-error-rate")
            for claim in by_members(self._average_there(), self.rest.predicted, len(self.rest.labels), self.weights):
                yield _line(by_inputs(claim, self.rest), NAMES[claim.method], "unlabelled-vote-error-rate")
        if not self.fitted:
            yield _line(clopper_pearson(self._errors, self.delta), "tested directly", "vote-error-rate")
        losses = average(self.seen, self.weights)
        apart = float(gibbs(self.seen, self._fitted).divergence) if self.fitted else None
        for way in BY_MEMBERS:
            claim = way(losses, self.delta, apart)
            yield _line(claim, NAMES[claim.method], "vote-error-rate")

    def inferred(self, target: NDArray[np.integer], measure: str = "unlabelled-target-error-rate") -> Iterator[Line]:
        """From the members' errors, and who agrees with whom on the unlabelled inputs."""
        assert self.rest is not None
        there = replace(self.rest, target=target)
        methods: dict[str, Method] = {"linear programme": "programme", "nearest member": "nearest"}
        for name, method in methods.items():
            claim = infer(None, self.seen, there, method=method, delta=self.delta)
            yield _line(claim, name, measure)

    @cached_property
    def _fitted(self) -> Array:
        """The weights, where they saw the labels."""
        assert self.weights is not None
        return self.weights

    @cached_property
    def _errors(self) -> Counts:
        """Of the vote, on the labelled examples."""
        if self.seen.predicted is None or self.seen.truth is None:
            raise HoldfastError("A vote needs what the models said, not only whether it was right; give predictions.")
        wrong = self._vote(self.seen.predicted) != self.seen.truth
        return Counts(int(np.count_nonzero(wrong)), self.seen.n)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.seen.labels if self.rest is None else self.rest.labels

    @property
    def ties(self) -> list[str]:
        """On how many of the examples and inputs several labels have equally many votes, where there are any."""
        said = {"labelled example": self.seen.predicted}
        if self.rest is not None:
            said["unlabelled input"] = self.rest.predicted
        tied = {what: tied_votes(row, len(self.labels), self.weights) for what, row in said.items() if row is not None}
        return [f"{times:,} {what}{'' if times == 1 else 's'}" for what, times in tied.items() if times]

    def _vote(self, said: NDArray[np.integer]) -> NDArray[np.integer]:
        return vote(said, len(self.labels), self.weights)

    def _average_there(self) -> Claim:
        """How often the members err on average on the unlabelled inputs, whatever the weights saw."""
        assert self.rest is not None
        if not self.fitted:
            evidence = average_on(self.seen, self.rest, self.weights)
            return default_methods(evidence)[0](evidence, self.delta, "upper" if len(self.rest.labels) == 2 else "both")
        models = len(self.seen.models)
        every = Cores(np.eye(models), np.arange(models))
        lower, upper = (float(self._fitted @ end) for end in core_limits(self.seen, every, self.rest, self.delta))
        each = hypergeometric(Counts(0, self.seen.n), self.delta, unlabelled=self.rest.n)
        return replace(for_any_of(each), estimate=None, lower=lower, upper=upper)


def _line(claim: Claim, way: str, measure: str) -> Line:
    return Line(replace(claim, measure=measure), label=way)


def _way_to_vote(asked: Vote | None, weights: object, fitted: bool) -> Vote:
    if asked is not None and asked not in VOTES:
        raise UnknownName("vote", asked, VOTES)
    if asked == "weighted" and weights is None:
        raise HoldfastError("A weighted vote needs weights= (--weight MODEL=PART).")
    if asked == "majority" and weights is not None:
        raise HoldfastError(
            "Every model has one vote in a majority; leave weights= (--weight) out, or say "
            'vote="weighted" (--vote weighted).'
        )
    if fitted and weights is None:
        raise HoldfastError(
            "fitted=True (--fitted) says that weights saw the labels; give weights= (--weight MODEL=PART) with it."
        )
    return "majority" if weights is None else "weighted"


def _notes(told: Mapping[str, Any], house: _House) -> Iterator[str]:
    if told["fitted"]:
        yield (
            "The weights saw these labels, so that the vote cannot be tested on them. What is told here holds for all "
            "weights at once."
        )
    if told["target"] is None and (ties := house.ties):
        first = ", ".join(quoted(label, 20) for label in house.labels[:MOST_NAMED])
        yield (
            f"Of several labels with equally many votes the first in order wins, {first}"
            f"{'' if len(house.labels) <= MOST_NAMED else ' ...'}: so it was on {', and on '.join(ties)}."
        )


def _next(told: Mapping[str, Any]) -> Iterator[str]:
    if not told["unlabelled"]:
        yield (
            "With unlabelled= (`--unlabelled FILE`), what the models say on the inputs that matter, the claims are "
            "about just these, and the linear programme can be asked."
        )
    yield "hf.panel (`holdfast panel`) says what the members are worth by themselves."
