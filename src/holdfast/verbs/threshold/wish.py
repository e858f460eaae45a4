"""What a threshold shall prove: one rate of at least so much, or the least expected cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from holdfast.bounds.binomial import clopper_pearson
from holdfast.catalog import AnyProcedure
from holdfast.claims import Assumption, Claim
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Counts, numbers, shown
from holdfast.evidence.costs import Costs
from holdfast.selection.bands import band, reach_everywhere
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import Cut, bayes_union, fixed_sequence, for_precision
from holdfast.verbs.subject import check_costs
from holdfast.wording import listed

COST = "cost"


@dataclass(frozen=True)
class Wish:
    """What shall be proven."""

    word: str  # sensitivity, specificity, precision or cost
    at_least: float = 0.0
    costs: Costs | None = None
    candidates: Array | None = None  # the only thresholds that come into question

    @property
    def condition(self) -> str:
        return f"{self.word} at least {self.at_least:.15g}" if self.costs is None else "least expected cost"

    @property
    def of_classes(self) -> bool:
        """Whether it changes with how frequent the classes are."""
        return self.word in ("precision", COST)


def wish_for(rates: dict[str, float | None], costs: Costs | None, candidates: Sequence[float] | Array | None) -> Wish:
    """The one thing that was asked for."""
    given = {word: value for word, value in rates.items() if value is not None}
    check_costs(costs)
    words = [*given, *([COST] if costs is not None else [])]
    if len(words) != 1:
        raise HoldfastError(
            "Say what the threshold shall prove: one of sensitivity, specificity and precision at least ..., or costs= "
            f"(--costs) for the least expected cost; got {' and '.join(words) or 'nothing'}. Two at once would need a "
            "compromise that only you can make."
        )
    tried = None if candidates is None else numbers("candidates", candidates)
    if tried is not None and (tried.ndim != 1 or not tried.size):
        raise HoldfastError(f"candidates needs one threshold or more, in a row; got {shown(candidates)}.")
    if costs is not None:
        return Wish(COST, costs=costs, candidates=tried)
    ((word, value),) = given.items()
    number = numbers(f"{word} at least", value)
    if number.ndim or not 0 < number < 1:
        hint = f" Did you mean {float(number) / 100:g}?" if not number.ndim and 1 < number < 100 else ""
        raise HoldfastError(f"{word} at least must be one number strictly between 0 and 1; got {shown(value)}.{hint}")
    return Wish(word, float(number), candidates=tried)


def two_labels(wish: Wish, label: str, classes: Sequence[str]) -> tuple[str, str]:
    """The class and the other one, which costs are about."""
    assert wish.costs is not None
    named = [wish.costs.labels[place] for place in wish.costs.truths]
    others = [name for name in dict.fromkeys((*classes, *named)) if name != label]
    if label not in named or len(others) != 1 or len(named) != 2:
        raise HoldfastError(
            f"A threshold says {label} or not: its costs are those of two labels, {label} and one other. The data hold "
            f"{listed([*classes])}, the costs are given for {listed(named)}."
        )
    return label, others[0]


class Seen(NamedTuple):
    """Examples on the right side of the threshold: so many for certain, and so many at most."""

    measure: str
    least: Counts
    most: Counts

    @property
    def estimate(self) -> float | None:
        return float(self.least.mean + self.most.mean) / 2 if self.least.n else None


class Chosen(NamedTuple):
    """A threshold, and how it came to be chosen."""

    word: str  # sensitivity, specificity, precision or cost
    cut: Cut
    designed: Counts | None = None  # how many keep the claim by design, in the group of which that says least
    tried: int | None = None  # thresholds that came into question, where these were few and fixed


def claims_at(chosen: Chosen, stairs: Stairs, delta: float, prevalences: tuple[float, ...] | None) -> Iterator[Claim]:
    """First what was asked for, then what else holds with the same confidence, each claim on its own.

    `prevalences` are those stated, of which the worst is told; None where the examples themselves tell it, and none
    where nothing does.
    """
    word, cut, designed, _ = chosen
    (hits, alarms), (more_hits, more_alarms) = stairs.at_least(cut.threshold), stairs.at_most(cut.threshold)
    recall = Seen("recall", hits, more_hits)
    specificity = Seen("specificity", more_alarms.mirror(), alarms.mirror())
    if word not in ("sensitivity", "specificity"):
        if word == "precision":
            called = Counts(hits.k, hits.k + more_alarms.k), Counts(more_hits.k, more_hits.k + alarms.k)
            rate = Seen("precision", *called)
            stated = [_at(recall, specificity, each) for each in prevalences or ()]
            estimate = rate.estimate if prevalences is None else min(stated, key=lambda each: each or 0.0)
            yield _proven(rate, estimate, cut, delta, for_precision)
        yield from (_banded(rate, delta) for rate in (recall, specificity))
        return
    own, other = (recall, specificity) if word == "sensitivity" else (specificity, recall)
    yield _proven(own, own.estimate, cut, delta, fixed_sequence)
    yield _independent(other, delta)
    proven = {own.measure: designed or own.least, other.measure: other.least}
    shares: tuple[float | None, ...] = (None,) if prevalences is None else prevalences
    if claims := [_precision(recall, specificity, proven, each, delta) for each in shares]:
        yield min(claims, key=lambda claim: float(claim.lower))


def _proven(rate: Seen, estimate: float | None, cut: Cut, delta: float, procedure: AnyProcedure) -> Claim:
    claim = clopper_pearson(rate.least, delta, "lower")
    limit = cut.at_least if estimate is None else min(cut.at_least, estimate)
    return procedure.claim_from(claim, measure=rate.measure, estimate=estimate, lower=limit)


def _independent(rate: Seen, delta: float) -> Claim:
    """Of the class that had no part in the choice: to its examples the threshold might as well be given."""
    least, most = clopper_pearson(rate.least, delta), clopper_pearson(rate.most, delta)
    return replace(least, measure=rate.measure, estimate=rate.estimate, upper=most.upper)


def _banded(rate: Seen, delta: float) -> Claim:
    """From limits that hold at every threshold at once."""
    reach = reach_everywhere(int(rate.least.n), delta)
    lower, upper = max(float(rate.least.mean) - reach, 0.0), min(float(rate.most.mean) + reach, 1.0)
    return band.claim_from(_independent(rate, delta), lower=lower, upper=upper)


def _precision(
    recall: Seen, specificity: Seen, proven: dict[str, Counts], prevalence: float | None, delta: float
) -> Claim:
    """From both rates and the prevalence, each with a third of delta; or with half, where the prevalence is stated."""
    hits, alarms = recall.least, specificity.least.mirror()
    every = Counts(hits.n, hits.n + alarms.n)
    lower = bayes_union(proven["recall"], proven["specificity"], every if prevalence is None else prevalence, delta)
    called = int(hits.k + alarms.k)
    estimate = int(hits.k) / called if called else None
    if prevalence is not None:
        estimate = _at(recall, specificity, prevalence)
    claim, limit = clopper_pearson(every, delta, "lower"), lower if estimate is None else min(lower, estimate)
    return bayes_union.claim_from(claim, measure="precision", estimate=estimate, lower=limit)


def _at(recall: Seen, specificity: Seen, prevalence: float) -> float | None:
    """The precision seen, were the class as frequent; None where nothing is called positive."""
    right = prevalence * float(recall.least.mean)
    wrong = (1.0 - prevalence) * float(specificity.least.complement)
    return right / (right + wrong) if right + wrong and recall.least.n and specificity.least.n else None


def drawn_as(claim: Claim, sentences: tuple[Assumption, ...], *more: Assumption) -> Claim:
    """The claim with what is taken for granted of how the examples were drawn, and more."""
    rest = (each for each in claim.assumes if each is not Assumption.INDEPENDENT)
    return replace(claim, assumes=tuple(dict.fromkeys((*sentences, *rest, *more))))
