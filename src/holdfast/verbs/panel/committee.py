"""How often does the vote of several models err? What each method can say, from what it knows, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.claims import Claim
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Counts
from holdfast.evidence.pools.averages import average, average_on, gibbs
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import CommitteeFacts, Vote, Voting
from holdfast.selection.cores.committee import (
    BY_MEMBERS,
    about_vote,
    by_members,
    c_bound,
    factor_two,
    largest_c_bound,
    tandem,
    tied_votes,
    vote,
)
from holdfast.selection.cores.cores import Cores
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import all_together, at_each_look, looked
from holdfast.verbs.panel.averages import agreement, by_inputs, doubts, for_any_of
from holdfast.verbs.panel.drawn import DrawnPanel, mean_loss
from holdfast.verbs.panel.given import (
    FITTED,
    Shares,
    drawn_how,
    further,
    labelled,
    one_level,
    shares_by_old_name,
    shares_of,
)
from holdfast.verbs.panel.infer import Method, core_limits, infer
from holdfast.verbs.panel.panel import MOST_NAMED
from holdfast.verbs.provenance import recorded
from holdfast.verbs.subject import divisions_of
from holdfast.wording import quoted

VOTES: tuple[Vote, ...] = ("majority", "weighted")
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


@shares_by_old_name
@recorded(without=("truth", "predicted", "unlabelled", "target", "groups"))
def committee(
    truth: Any = None,
    predicted: Mapping[str, Any] | None = None,
    *,
    unlabelled: Any = None,
    target: Any = None,
    vote: Vote | None = None,
    share: Shares | None = None,
    fitted: bool = False,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    simultaneous: bool = False,
    looks: int = 1,
    confidence: float | str | None = None,
    delta: float | None = None,
    **drawn: Unpack[DesignKeywords],
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
    share
        Of the models in a weighted vote.
    fitted
        Whether these shares were chosen with these labels in view. Then the vote cannot be tested on them.
    groups, by
        By name, columns that divide the examples into groups, of each of which the vote's error rate is told. They are
        crossed, or divide as `by` says, as in `assess`.
    design, drawn
        How the examples were drawn, as `hf.Design(...)`, or by the names of what it takes: clusters and max_cluster,
        weights and max_weight, inclusion, strata and their shares, sampling and prevalence.
    simultaneous
        Make all statements hold together, and not just each on its own.
    looks
        At how many sizes of a growing set of examples this will be asked, all told. Each look gets an equal part of
        delta.
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
    level = at_each_look(one_level(confidence, delta), looks)
    how = {"groups": groups, "labels": labels, "missing": missing}
    panel = labelled(truth, predicted, Design.stated("committee", design, None, drawn), **how)
    rest = (
        None if unlabelled is None else further(panel, unlabelled, missing, None if isinstance(target, str) else target)
    )
    way = _way_to_vote(vote, share, fitted)
    answers = None if rest is None else rest.target
    if target is not None and (vote is not None or share is not None):
        raise HoldfastError(
            "target= (--target) asks about a classifier in place of a vote; leave vote= (--vote) and "
            "share= (--share) out."
        )
    if target is not None and answers is None:
        raise HoldfastError(
            "target= (--target) is what a classifier says on the unlabelled inputs; give unlabelled= "
            "(--unlabelled) with it."
        )
    divisions = divisions_of(by, [*panel.groups])
    if divisions and (answers is not None or fitted):
        raise HoldfastError(
            "Groups are those of labelled examples on which a vote is tested: leave groups= and by= (--by) out where "
            "target= (--target) or fitted=True (--fitted) is given."
        )
    named = None if answers is None else target if isinstance(target, str) else "the target"
    weights = None if share is None else shares_of(panel, share)

    def report_at(each: float) -> Report:
        return _report(_House(panel, rest, weights, fitted, each), way, answers, named, divisions)

    return looked(all_together(report_at, level) if simultaneous else report_at(level), looks)


def _report(house: _House, way: Vote, answers: Any, named: str | None, divisions: Sequence[Sequence[str]]) -> Report:
    """All that each way says of the vote."""
    panel, rest, level = house.panel, house.rest, house.delta
    lines = [*house.inferred(answers)] if answers is not None else [*house.lines()]
    voting = Voting(
        vote=way,
        target=named,
        weights=None if house.weights is None else dict(zip(panel.models, house.weights.tolist(), strict=True)),
        fitted=house.fitted,
        examples=panel.n,
        unlabelled=None if rest is None else rest.n,
        unlabelled_fingerprint=None if rest is None else rest.fingerprint,
        average=house.average,
        delta=level,
        ways={
            name: (WAYS if answers is None else OF_TARGET)[name]
            for name in dict.fromkeys(str(line.label) for line in lines)
        },
    )
    return Report.of(
        [*lines, *house.of_groups(divisions)],
        CommitteeFacts(
            committee=voting,
            models=panel.models,
            notes=(
                *panel.notes,
                *(() if rest is None else (*rest.notes, *doubts(panel, rest, level))),
                *(() if panel.plain else house.rows.notes()),
                *_notes(voting, house),
            ),
            next=tuple(_next(voting, panel.plain)),
        ),
        seen={"agreement": partial(agreement, panel, rest)},
        fingerprint=panel.fingerprint,
        rows=panel.rows,
        examples=panel.n,
    )


@dataclass(frozen=True, eq=False)
class _House:
    """The members, what they said, and what may be claimed of their vote."""

    panel: Panel
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
        if not self.panel.plain:
            yield from self._drawn_lines()
            return
        if not self.fitted:
            yield _line(clopper_pearson(self._errors, self.delta), "tested directly", "vote-error-rate")
        losses = average(self.panel, self.weights)
        apart = float(gibbs(self.panel, self._fitted).divergence) if self.fitted else None
        for way in BY_MEMBERS:
            claim = way(losses, self.delta, apart)
            yield _line(claim, NAMES[claim.method], "vote-error-rate")

    def _drawn_lines(self) -> Iterator[Line]:
        """The same of examples that are not all draws of their own that weigh the same."""
        if self.fitted:
            raise HoldfastError(FITTED.format(how=drawn_how(self.panel)))
        for line in self.rows.lines(self._wrong, self.delta, "vote-error-rate"):
            yield replace(line, label="tested directly")
        losses, half = self._losses, self.delta / 2
        mean, both = self.rows.claim(losses, self.delta, "upper"), self.rows.claim(losses**2, self.delta, "upper")
        first, second = self.rows.claim(losses, half, "both"), self.rows.claim(losses**2, half, "upper")
        ends = (np.asarray(end) for end in (first.lower, first.upper, second.upper))
        worst = float(largest_c_bound(*ends))
        for claim in (
            about_vote(mean, factor_two, 2.0 * float(mean.upper)),
            about_vote(replace(first, delta=self.delta), c_bound, worst),
            about_vote(both, tandem, 4.0 * float(both.upper)),
        ):
            yield _line(claim, NAMES[claim.method], "vote-error-rate")

    def of_groups(self, divisions: Sequence[Sequence[str]]) -> Iterator[Line]:
        """The vote's error rate on the examples of each group."""
        for part in self.rows.parts(divisions):
            for line in self.rows.lines(self._wrong, self.delta, "vote-error-rate", part):
                yield replace(line, label="tested directly")

    @cached_property
    def rows(self) -> DrawnPanel:
        return DrawnPanel(self.panel)

    @cached_property
    def _losses(self) -> Array:
        """The share of the members that were wrong on each example."""
        return mean_loss(self.panel, shares_of(self.panel, None) if self.weights is None else self.weights)

    @property
    def average(self) -> float:
        """How often the members err on average on the labelled examples."""
        return float(average(self.panel, self.weights).mean) if self.panel.plain else self.rows.mean(self._losses)

    def inferred(self, target: NDArray[np.integer], measure: str = "unlabelled-target-error-rate") -> Iterator[Line]:
        """From the members' errors, and who agrees with whom on the unlabelled inputs."""
        assert self.rest is not None
        there = replace(self.rest, target=target)
        methods: dict[str, Method] = {"linear programme": "programme", "nearest member": "nearest"}
        for name, method in methods.items():
            claim = infer(None, self.panel, there, method=method, delta=self.delta)
            yield _line(claim, name, measure)

    @cached_property
    def _fitted(self) -> Array:
        """The weights, where they saw the labels."""
        assert self.weights is not None
        return self.weights

    @cached_property
    def _wrong(self) -> NDArray[np.bool_]:
        """Where the vote errs, of the labelled examples."""
        if self.panel.predicted is None or self.panel.truth is None:
            raise HoldfastError("A vote needs what the models said, not only whether it was right; give predictions.")
        return np.asarray(self._vote(self.panel.predicted) != self.panel.truth)

    @property
    def _errors(self) -> Counts:
        return Counts(int(np.count_nonzero(self._wrong)), self.panel.n)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.panel.labels if self.rest is None else self.rest.labels

    @property
    def ties(self) -> list[str]:
        """On how many of the examples and inputs several labels have equally many votes, where there are any."""
        answers = {"labelled example": self.panel.predicted}
        if self.rest is not None:
            answers["unlabelled input"] = self.rest.predicted
        tied = {
            what: tied_votes(row, len(self.labels), self.weights) for what, row in answers.items() if row is not None
        }
        return [f"{times:,} {what}{'' if times == 1 else 's'}" for what, times in tied.items() if times]

    def _vote(self, answers: NDArray[np.integer]) -> NDArray[np.integer]:
        return vote(answers, len(self.labels), self.weights)

    def _average_there(self) -> Claim:
        """How often the members err on average on the unlabelled inputs, whatever the weights saw."""
        assert self.rest is not None
        if not self.fitted:
            evidence = average_on(self.panel, self.rest, self.weights)
            return default_methods(evidence)[0](evidence, self.delta, "upper" if len(self.rest.labels) == 2 else "both")
        models = len(self.panel.models)
        every = Cores(np.eye(models), np.arange(models))
        lower, upper = (float(self._fitted @ end) for end in core_limits(self.panel, every, self.rest, self.delta))
        each = hypergeometric(Counts(0, self.panel.n), self.delta, unlabelled=self.rest.n)
        return replace(for_any_of(each), estimate=None, lower=lower, upper=upper)


def _line(claim: Claim, way: str, measure: str) -> Line:
    return Line(replace(claim, measure=measure), label=way)


def _way_to_vote(stated: Vote | None, shares: object, fitted: bool) -> Vote:
    if stated is not None and stated not in VOTES:
        raise UnknownName("vote", stated, VOTES)
    if stated == "weighted" and shares is None:
        raise HoldfastError("A weighted vote needs share= (--share MODEL=PART).")
    if stated == "majority" and shares is not None:
        raise HoldfastError(
            "Every model has one vote in a majority; leave share= (--share) out, or say "
            'vote="weighted" (--vote weighted).'
        )
    if fitted and shares is None:
        raise HoldfastError(
            "fitted=True (--fitted) says that shares saw the labels; give share= (--share MODEL=PART) with it."
        )
    return "majority" if shares is None else "weighted"


def _notes(voting: Voting, house: _House) -> Iterator[str]:
    if voting.fitted:
        yield (
            "The shares saw these labels, so that the vote cannot be tested on them. What is told here holds for all "
            "shares at once."
        )
    if voting.target is None and (ties := house.ties):
        first = ", ".join(quoted(label, 20) for label in house.labels[:MOST_NAMED])
        yield (
            f"Of several labels with equally many votes the first in order wins, {first}"
            f"{'' if len(house.labels) <= MOST_NAMED else ' ...'}: so it was on {', and on '.join(ties)}."
        )


def _next(voting: Voting, plain: bool) -> Iterator[str]:
    if not voting.unlabelled and plain:
        yield (
            "With unlabelled= (`--unlabelled FILE`), what the models say on the inputs that matter, the claims are "
            "about just these, and the linear programme can be asked."
        )
    yield "hf.panel (`holdfast panel`) says what the members are worth by themselves."
