"""The checker checked: exact coverage against a dense grid, simulation against itself, and liars caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.catalog import Bound, find, methods
from holdfast.claims import Coverage, Guarantee
from holdfast.evidence import Array, Counts, Losses, Sample
from holdfast.numerics.limit import Upper
from holdfast.verify import LAWS, checks, coverage_curve, number_of_checks, promise_kept, simulated_coverage
from tests.snapshots import matches, messages

COUNTED = [bound for bound in methods() if Counts in bound.takes and not bound.parameters]
SIDES: dict[bool, tuple[Any, ...]] = {True: ("upper", "lower", "both"), False: ("both",)}


def brute(bound: Bound, n: int, rates: Array, delta: float, side: Any) -> Array:
    """The coverage at each rate, count by count."""
    k = np.arange(n + 1)
    claim = bound(Counts(k, n), delta, side)
    return sum(binom.pmf(i, n, rates) * ((claim.lower[i] <= rates) & (rates <= claim.upper[i])) for i in k)


# ---- Exact coverage


@pytest.mark.crossing(4)
@pytest.mark.parametrize("bound", COUNTED, ids=lambda bound: bound.name)
def test_the_worst_coverage_against_a_dense_grid(bound: Bound) -> None:
    grid = np.linspace(0, 1, 3001)
    for side in SIDES[bound.one_sided]:
        for n, delta in ((1, 0.05), (2, 0.3), (5, 0.1), (11, 0.05)):
            worst = hf.worst_coverage(bound, n, delta=delta, side=side)
            assert brute(bound, n, grid, delta, side).min() >= worst.coverage - 1e-12, f"{side}, {n}: not the worst"
            near = np.clip([worst.at - 1e-11, worst.at + 1e-11], 0, 1)
            assert brute(bound, n, near, delta, side).min() == pytest.approx(worst.coverage, abs=1e-9)
            assert (worst.method, worst.n, worst.delta, worst.side) == (bound.name, n, delta, side)


@pytest.mark.parametrize("name", ["clopper-pearson", "wilson", "agresti-coull"])
def test_of_two_rates_that_rounding_alone_tells_apart_the_lower_is_named(name: str) -> None:
    assert all(worst.at <= 0.5 for worst in hf.verify(name, range(1, 60)))  # as bad as at one minus it


@pytest.mark.parametrize("name", ["clopper-pearson", "wilson", "blaker", "chebyshev", "normal"])
def test_coverage_at_given_rates(name: str) -> None:
    rates = np.linspace(0, 1, 101)
    assert hf.coverage(name, 9, rates, delta=0.1) == pytest.approx(brute(find(name), 9, rates, 0.1, "both"), abs=1e-12)


def test_coverage_of_one_rate_is_one_number() -> None:
    assert np.shape(hf.coverage("wilson", 10, 0.5)) == ()


def test_the_curve_passes_the_worst_point() -> None:
    rates, covered = coverage_curve("wilson", 20, delta=0.05)
    worst = hf.worst_coverage("wilson", 20, delta=0.05)
    assert np.all(np.diff(rates) > 0)
    assert (rates[0], rates[-1]) == (0.0, 1.0)
    assert covered.min() == pytest.approx(worst.coverage, abs=1e-9)
    assert covered == pytest.approx(hf.coverage("wilson", 20, rates, delta=0.05), abs=1e-12)


def test_no_errors_make_the_normal_interval_worthless() -> None:
    worst = hf.worst_coverage("normal", n=50)
    assert worst.coverage == pytest.approx(0.0, abs=1e-9)
    assert not worst.kept


def test_clopper_pearson_keeps_its_promise_barely() -> None:
    worst = hf.worst_coverage("clopper-pearson", n=200, delta=0.05, side="upper")
    assert 0.95 <= worst.coverage < 0.9501
    assert worst.kept


def test_confidence_and_delta_are_two_names_for_one_thing() -> None:
    by_delta = hf.worst_coverage("wilson", 10, delta=0.1)
    assert hf.worst_coverage("wilson", 10, confidence=0.9) == by_delta
    assert hf.worst_coverage("wilson", 10, confidence="0.9") == by_delta
    assert hf.coverage("wilson", 10, 0.3, confidence=0.9) == hf.coverage("wilson", 10, 0.3, delta=0.1)  # type: ignore[call-arg]


# ---- Simulation


def test_simulation_is_repeatable_and_depends_on_its_seed() -> None:
    first = simulated_coverage("wilson", 20, "beta(.1, .1)", repeats=500, seed=3)
    assert simulated_coverage("wilson", 20, "beta(.1, .1)", repeats=500, seed=3) == first
    others = {simulated_coverage("wilson", 20, "beta(.1, .1)", repeats=500, seed=seed).misses for seed in range(5)}
    assert len(others) > 1


@pytest.mark.parametrize("law", LAWS)
def test_misses_are_counted_as_one_would_by_hand(law: str) -> None:
    draw, mean = LAWS[law]
    missed = 0
    for row in draw(np.random.default_rng(7), (200, 15)):
        claim = hf.bound(Losses(row), "normal", delta=0.1)
        missed += not claim.lower <= mean <= claim.upper
    found = simulated_coverage("normal", 15, law, delta=0.1, repeats=200, seed=7)
    assert (found.misses, found.repeats, found.at, found.law) == (missed, 200, mean, law)
    assert found.coverage == pytest.approx(1 - missed / 200)


@pytest.mark.parametrize("law", LAWS)
def test_every_laws_mean_is_what_it_says(law: str) -> None:
    draw, mean = LAWS[law]
    values = draw(np.random.default_rng(13), (100, 2000))
    assert values.min() >= 0
    assert values.max() <= 1
    assert values.mean() == pytest.approx(mean, abs=5 * values.std() / np.sqrt(values.size) + 1e-12)


def liar(**changes: Any) -> Bound:
    """Promises to hold at every sample size, and claims the mean itself."""

    def formula(losses: Sample, delta: Array) -> Upper:
        return Upper(losses.mean + 0 * delta, losses.complement + 0 * delta)

    return replace(find("hoeffding"), name="liar", aliases=(), upper=formula, **changes)


def test_a_liar_is_caught_by_enumeration_and_by_simulation() -> None:
    results = hf.verify(liar(), 30, repeats=300)
    assert [result.kept for result in results] == [False] * (1 + len(LAWS))
    assert not promise_kept(liar(), results)


def test_who_promises_nothing_breaks_nothing() -> None:
    honest = liar(guarantee=Guarantee.ASYMPTOTIC)
    assert promise_kept(honest, hf.verify(honest, 30, repeats=300))


def test_one_broken_check_breaks_the_promise() -> None:
    good = Coverage("hoeffding", 10, 0.05, "both", 0.99, 0.5)
    assert promise_kept("hoeffding", [good, good])
    assert not promise_kept("hoeffding", [good, replace(good, kept=False)])
    assert promise_kept("wilson", [replace(good, kept=False)])


def test_bad_luck_alone_is_no_broken_promise() -> None:
    results = [simulated_coverage("hoeffding", 20, law, repeats=300, seed=seed) for law in LAWS for seed in range(3)]
    assert all(result.kept for result in results)


# ---- The verb


@pytest.mark.parametrize(("name", "sizes"), [("wilson", [10, 20, 30]), ("blaker", [5, 6]), ("betting", [9, 4, 20])])
def test_as_many_checks_as_announced_and_in_order(name: str, sizes: list[int]) -> None:
    found = list(checks(name, sizes, repeats=100))
    assert len(found) == number_of_checks(name, sizes)
    assert [result.n for result in found if result.repeats is None] == (sizes if name != "betting" else [])
    simulated = sorted({result.n for result in found if result.repeats is not None})
    assert simulated == ([] if name == "blaker" else [min(sizes), max(sizes)])
    assert hf.verify(name, sizes, repeats=100) == found


def test_one_size_may_be_given_bare() -> None:
    assert hf.verify("blaker", 12) == hf.verify("blaker", [12]) == hf.verify("blaker", range(12, 13))
    assert hf.verify("blaker", np.int64(12)) == hf.verify("blaker", 12)  # type: ignore[arg-type]


def test_every_refusal_says_what_to_do() -> None:
    matches(
        "errors_of_verify",
        messages(
            {
                "worst_coverage of betting": lambda: hf.worst_coverage("betting", 10),
                "worst_coverage of hypergeometric": lambda: hf.worst_coverage("hypergeometric", 10),
                "worst_coverage, n = 0": lambda: hf.worst_coverage("wilson", 0),
                "worst_coverage, n = -3": lambda: hf.worst_coverage("wilson", -3),
                "worst_coverage, delta = 2": lambda: hf.worst_coverage("wilson", 5, delta=2),
                "worst_coverage of wilsom": lambda: hf.worst_coverage("wilsom", 5),
                "simulated_coverage of clopper-pearson": lambda: simulated_coverage("CP", 10, "atom at zero"),
                "verify hypergeometric": lambda: hf.verify("hypergeometric"),
                "verify paired-delong": lambda: hf.verify("paired-delong"),
                "both confidence and delta": lambda: hf.verify("wilson", 5, confidence=0.9, delta=0.1),
                "blaker, upper": lambda: hf.worst_coverage("blaker", 5, side="upper"),
            }
        ),
    )


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: hf.worst_coverage("wilson", 10.5), id="half an example"),
        pytest.param(lambda: hf.worst_coverage("wilson", "ten"), id="n in words"),
        pytest.param(lambda: hf.worst_coverage("wilson", [10, 20]), id="several n"),
        pytest.param(lambda: hf.coverage("wilson", -1, 0.5), id="negative n"),
        pytest.param(lambda: hf.coverage("wilson", 10, 2.0), id="a rate above one"),
        pytest.param(lambda: hf.coverage("wilson", 10, float("nan")), id="no rate"),
        pytest.param(lambda: hf.coverage("wilson", 10, "half"), id="a rate in words"),
        pytest.param(lambda: hf.verify("wilson", []), id="no size"),
        pytest.param(lambda: hf.verify("betting", []), id="no size for a simulation"),
        pytest.param(lambda: hf.verify("betting", -3), id="negative size for a simulation"),
        pytest.param(lambda: hf.verify("betting", 0), id="no examples for a simulation"),
        pytest.param(lambda: hf.verify("betting", 5, repeats=0), id="no repeats"),
        pytest.param(lambda: hf.verify("betting", 5, seed=-1, repeats=100), id="a negative seed"),
        pytest.param(lambda: simulated_coverage("betting", 5, "cauchy"), id="an unknown law"),
        pytest.param(lambda: simulated_coverage("betting", 5, "atom at zero", delta=7), id="delta of a simulation"),
    ],
)
def test_no_other_exception_for_strange_arguments(call: Any) -> None:
    with pytest.raises(hf.HoldfastError):
        call()
