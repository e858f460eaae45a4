"""What may be said of a threshold that was chosen on the same examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from holdfast.bounds.bands import band, reach_everywhere
from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.thresholds import Cut, Stairs, bayes_union, fixed_sequence, for_precision
from holdfast.catalog import AnyProcedure
from holdfast.claims import Claim
from holdfast.evidence import Counts


class Seen(NamedTuple):
    """Examples on the right side of the threshold: so many for certain, and so many at most."""

    measure: str
    least: Counts
    most: Counts

    @property
    def estimate(self) -> float | None:
        return float(self.least.mean + self.most.mean) / 2 if self.least.n else None


def claims_at(cut: Cut, word: str, stairs: Stairs, delta: float) -> Iterator[Claim]:
    """First what was asked for, then what else holds with the same confidence, each claim on its own."""
    (hits, alarms), (more_hits, more_alarms) = stairs.at_least(cut.threshold), stairs.at_most(cut.threshold)
    recall = Seen("recall", hits, more_hits)
    specificity = Seen("specificity", more_alarms.mirror(), alarms.mirror())
    if word == "precision":
        called = Counts(hits.k, hits.k + more_alarms.k), Counts(more_hits.k, more_hits.k + alarms.k)
        yield _proven(Seen("precision", *called), cut, delta, for_precision)
        yield from (_banded(seen, delta) for seen in (recall, specificity))
        return
    own, other = (recall, specificity) if word == "sensitivity" else (specificity, recall)
    yield _proven(own, cut, delta, fixed_sequence)
    yield _independent(other, delta)
    as_designed = Counts(cut.kept or 0, own.least.n)
    yield _precision(recall, specificity, {own.measure: as_designed, other.measure: other.least}, delta)


def _proven(seen: Seen, cut: Cut, delta: float, procedure: AnyProcedure) -> Claim:
    claim = clopper_pearson(seen.least, delta, "lower")
    limit = cut.at_least if seen.estimate is None else min(cut.at_least, seen.estimate)
    return procedure.claim_from(claim, measure=seen.measure, estimate=seen.estimate, lower=limit)


def _independent(seen: Seen, delta: float) -> Claim:
    """Of the class that had no part in the choice: to its examples the threshold might as well be given."""
    least, most = clopper_pearson(seen.least, delta), clopper_pearson(seen.most, delta)
    return replace(least, measure=seen.measure, estimate=seen.estimate, upper=most.upper)


def _banded(seen: Seen, delta: float) -> Claim:
    """From limits that hold at every threshold at once."""
    reach = reach_everywhere(int(seen.least.n), delta)
    lower, upper = max(float(seen.least.mean) - reach, 0.0), min(float(seen.most.mean) + reach, 1.0)
    return band.claim_from(_independent(seen, delta), lower=lower, upper=upper)


def _precision(recall: Seen, specificity: Seen, proven: dict[str, Counts], delta: float) -> Claim:
    """From both rates and the prevalence, each with a third of delta."""
    hits, alarms = recall.least, specificity.least.mirror()
    every = Counts(hits.n, hits.n + alarms.n)
    lower = bayes_union(proven["recall"], proven["specificity"], every, delta)
    called = int(hits.k + alarms.k)
    estimate = int(hits.k) / called if called else None
    claim, limit = clopper_pearson(every, delta, "lower"), lower if estimate is None else min(lower, estimate)
    return bayes_union.claim_from(claim, measure="precision", estimate=estimate, lower=limit)
