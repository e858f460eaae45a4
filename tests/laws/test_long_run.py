"""Every ASYMPTOTIC method tends to what it promises, on laws that are not kind; test_mutants.py plants others."""

from __future__ import annotations

from itertools import groupby

import pytest
from scipy.stats import binom

from holdfast.catalog import Bound, methods
from holdfast.claims import Guarantee
from holdfast.evidence import Counts, Resampled
from tests.laws import long_run

ASYMPTOTIC = [bound for bound in methods() if bound.guarantee is Guarantee.ASYMPTOTIC]
COUNTED = [bound for bound in ASYMPTOTIC if Counts in bound.takes]
LAWS = {bound: [(law.measure, law.population) for law in long_run.laws_for(bound)] for bound in ASYMPTOTIC}
DRAWN = [bound for bound in ASYMPTOTIC if LAWS[bound]]
# Those of the same laws share what is drawn, and drawn again.
ALIKE = [[*names] for _, names in groupby(sorted(DRAWN, key=LAWS.__getitem__), key=LAWS.__getitem__)]
# Their limit is that of a stable learner, for which no law here stands; tests/bounds/test_cross_approximate.py trains.
TRAINED = {"bayle", "bayle-within"}
QUICK = {"a few others above all", "a tenth of few others above all", "a rare class", "two points .1 and 1"} | {
    *long_run.DUELS,
    *long_run.CLUSTERS,
}
HARSH = [
    bound for bound in DRAWN if Resampled not in bound.takes and QUICK & {population for _, population in LAWS[bound]}
]


def named(bounds: list[Bound]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bound", bounds, ids=[bound.name for bound in bounds])


def test_every_asymptotic_method_is_tried() -> None:
    assert {bound.name for bound in ASYMPTOTIC} == {bound.name for bound in [*COUNTED, *DRAWN]} | TRAINED


@named(COUNTED)
def test_the_chance_of_missing_tends_to_delta(bound: Bound) -> None:
    assert long_run.broken_enumerations(bound) == []


@named(HARSH)
def test_coverage_tends_to_the_promise_on_harsh_laws(bound: Bound) -> None:
    # Influences are taken of every measure, hence their time; the long law tries all of them.
    only = {*long_run.CLUSTERS} if bound.name == "influence" else QUICK
    assert long_run.broken_in_the_long_run(bound, only=only) == []


@pytest.mark.long
@pytest.mark.parametrize("bounds", ALIKE, ids=lambda bounds: " ".join(bound.name for bound in bounds))
def test_coverage_tends_to_the_promise_on_every_law(bounds: list[Bound]) -> None:
    assert long_run.broken_in_the_long_run(*bounds, seed=1) == []


def test_so_many_repeats_tell_85_from_94_percent() -> None:
    limit = long_run.allowed(long_run.DELTA)
    assert binom.sf(limit, long_run.REPEATS, 0.06) < 1e-6
    assert binom.cdf(limit, long_run.REPEATS, 0.15) < 1e-3
