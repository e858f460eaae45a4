"""Planted mistakes, each of which the laws must catch: a law that lets one pass tests nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri

from holdfast.catalog import Bound, find
from holdfast.claims import Guarantee
from holdfast.evidence import Array, Counts, Sample, Scores
from holdfast.evidence.draws import Ratio
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper, moved_up
from tests.laws import long_run, promises

EXACT = find("clopper-pearson")


def mutant(bound: Bound, **changes: object) -> Bound:
    return replace(bound, name=f"mutant of {bound.name}", **changes)  # type: ignore[arg-type]


def doubled_delta(errors: Counts, delta: Array) -> Upper:
    return EXACT.upper(errors, 2 * delta)


def one_error_too_few(errors: Counts, delta: Array) -> Upper:
    return binomial_tail_inverse(np.maximum(errors.k - 1, 0), errors.n, delta)


def theorem_2_as_printed(errors: Counts, delta: Array) -> Array:
    """P(X > k) where P(X >= k) is right."""
    return binomial_tail_inverse(errors.n - errors.k - 1, errors.n, delta).room


def mirror_dropped(errors: Counts, delta: Array) -> Array:
    return 2 * errors.mean - EXACT.upper(errors, delta).limit


def flipped_sign(errors: Counts, delta: Array) -> Upper:
    limit = 2 * errors.mean - EXACT.upper(errors, delta).limit
    return Upper(limit, 1 - limit)


@pytest.mark.parametrize(
    "changes",
    [
        {"upper": doubled_delta},
        {"upper": one_error_too_few},
        {"upper": flipped_sign},
        {"lower": theorem_2_as_printed},
        {"lower": mirror_dropped},
        {"two_sided": EXACT.upper},  # the whole delta on both sides
    ],
    ids=["delta doubled", "tail off by one", "sign flipped", "theorem 2", "mirror dropped", "delta not halved"],
)
def test_enumeration_catches(changes: dict[str, object]) -> None:
    assert promises.broken_promises(EXACT, range(5, 30)) == []
    assert promises.broken_promises(mutant(EXACT, **changes), range(5, 30))


def test_the_mirror_law_catches_a_dropped_mirror() -> None:
    assert promises.not_mirrored(mutant(EXACT, lower=mirror_dropped))


def test_the_law_of_delta_catches_a_confidence_taken_for_a_delta() -> None:
    def confidence(errors: Counts, delta: Array) -> Upper:
        return EXACT.upper(errors, 1 - delta)

    assert promises.not_monotone_in_delta(mutant(EXACT, upper=confidence, two_sided=confidence))


def test_the_law_of_counts_catches_a_limit_that_ignores_them() -> None:
    def waving(errors: Counts, delta: Array) -> Upper:
        limit = np.where(errors.k % 2, 1.0, EXACT.upper(errors, delta).limit)
        return Upper(limit, 1 - limit)

    assert promises.not_monotone_in_k(mutant(EXACT, upper=waving))


@pytest.mark.parametrize("name", ["normal", "maurer-pontil"])
def test_simulation_catches_a_liar(name: str) -> None:
    """An asymptotic method that says FINITE, and a finite one with a tenth of its slack."""
    honest = find(name)

    def tenth(losses: Sample, delta: Array) -> Upper:
        slack = (honest.upper(losses, delta).limit - losses.mean) / 10
        return Upper(losses.mean + slack, losses.complement - slack)

    liar = mutant(honest, upper=tenth, guarantee=Guarantee.FINITE) if name != "normal" else mutant(honest)
    assert promises.broken_simulations(liar, (30,))
    if name != "normal":
        assert promises.broken_simulations(honest, (30,)) == []


def test_softness_is_not_seen_where_there_is_none() -> None:
    assert not promises.is_soft(EXACT, range(1, 21))


@pytest.mark.parametrize("name", ["averaged-folds", "pooled", "bayle", "bayle-within"])
def test_simulated_learners_catch_who_would_promise_too_much(name: str) -> None:
    """What the survey's (51) and the usual intervals would do, had they said FINITE."""
    assert promises.broken_trainings(mutant(find(name), guarantee=Guarantee.FINITE), (200,), 400)


def test_simulated_learners_catch_an_equal_delta_for_every_fold() -> None:
    honest = find("each-fold")

    def whole_delta(folds: FoldCounts, delta: Array) -> Upper:
        return honest.upper(folds, folds.folds * delta)

    assert promises.broken_trainings(honest, (200,), 400) == []
    assert promises.broken_trainings(mutant(honest, upper=whole_delta), (200,), 400)


@pytest.mark.parametrize(
    ("name", "population"),
    [("logit", "a few others above all"), ("hanley-mcneil", "a tenth of few others above all")],
)
def test_the_long_run_catches_a_wrong_variance(name: str, population: str) -> None:
    """Both are no better for many examples, and have no place among those that hold as the sample grows."""
    assert find(name).guarantee is Guarantee.HEURISTIC
    assert long_run.broken_in_the_long_run(find(name), only={population})


def test_the_long_run_catches_a_variance_of_one_class_only() -> None:
    """DeLong's variance with what one class adds left out."""
    honest = find("delong")

    def one_class(scores: Scores, delta: Array) -> Upper:
        own = scores.order.positives
        error = np.sqrt(own.variance / (4 * own.number * scores.order.negatives.number**2))
        return moved_up(scores.mean, scores.complement, -ndtri(delta) * error)

    population = {"a tenth of few others above all"}
    assert long_run.broken_in_the_long_run(mutant(honest, upper=one_class), only=population)


def test_the_long_run_catches_clusters_whose_rows_are_taken_for_draws() -> None:
    honest, population = find("influence"), {"all right or all wrong"}

    def row_by_row(clusters: Ratio, delta: Array) -> Upper:
        error = np.sqrt(clusters.mean * clusters.complement / clusters.totals[2])
        return moved_up(clusters.mean, clusters.complement, -ndtri(delta) * error)

    assert long_run.broken_in_the_long_run(honest, only=population) == []
    assert long_run.broken_in_the_long_run(mutant(honest, upper=row_by_row), only=population)


def test_enumeration_in_the_long_run_catches_a_limit_of_the_other_level() -> None:
    honest = find("wilson")

    def narrower(errors: Sample, delta: Array) -> Upper:
        return honest.upper(errors, 2 * delta)

    assert long_run.broken_enumerations(honest) == []
    assert long_run.broken_enumerations(mutant(honest, upper=narrower))
