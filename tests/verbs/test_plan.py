"""Plans against brute-force enumeration over every n."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.verbs import plan as planning


def brute_force_acceptance(at_most: float, expect: float, power: float, delta: float, most: int) -> tuple[int, int]:
    """The first n with enough power, and the first after the last without it, by summing binomial terms."""
    enough = np.zeros(most + 1, dtype=bool)
    for n in range(1, most + 1):
        tail = binom.cdf(np.arange(n + 1), n, at_most)
        accepted = np.flatnonzero(tail <= delta)
        enough[n] = accepted.size > 0 and binom.cdf(accepted[-1], n, expect) >= power
    return int(np.argmax(enough)), int(np.flatnonzero(~enough)[-1]) + 1


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("at_most", "expect", "power", "delta", "most"),
    [
        (0.10, 0.05, 0.9, 0.05, 700),
        (0.05, 0.03, 0.9, 0.05, 1800),
        (0.20, 0.05, 0.8, 0.01, 300),
        (0.50, 0.30, 0.95, 0.10, 300),
        (0.90, 0.70, 0.5, 0.05, 200),
        (0.30, 0.00, 0.9, 0.05, 60),
    ],
)
def test_the_acceptance_plan_is_the_one_found_by_trying_every_n(
    at_most: float, expect: float, power: float, delta: float, most: int
) -> None:
    plan = hf.plan(at_most=at_most, expect=expect, power=power, delta=delta)
    assert (plan.n, plan.n_always) == brute_force_acceptance(at_most, expect, power, delta, most)
    assert plan.accept is not None
    assert hf.bound(hf.Counts(plan.accept, plan.n), delta=delta, side="upper").upper <= at_most * (1 + 1e-12)
    assert hf.bound(hf.Counts(plan.accept + 1, plan.n), delta=delta, side="upper").upper > at_most


@pytest.mark.parametrize(("rate", "n"), [(0.05, 59), (0.01, 299), (0.001, 2995)])
def test_zero_failures(rate: float, n: int) -> None:
    plan = hf.plan(at_most=rate)
    assert (plan.n, plan.n_always, plan.accept) == (n, n, 0)


def chance_to_reach(half_width: float, n: int, expect: float | None, delta: float, method: str) -> float:
    """The chance, summed over all counts, that neither end is farther from the estimate; 0 or 1 whatever the rate."""
    k = np.arange(n + 1)
    claim = hf.bound(hf.Counts(k, n), method, delta=delta)
    near = np.maximum(claim.upper - k / n, k / n - claim.lower) <= half_width
    return float(near.all()) if expect is None else float(binom.pmf(k, n, expect)[near].sum())


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("expect", "method"),
    [
        *((expect, "clopper-pearson") for expect in (None, 0.0, 0.06, 0.5, 0.95)),
        *((expect, method) for expect in (None, 0.3) for method in ("wilson", "hoeffding-kl")),
    ],
)
def test_the_half_width_plan_is_the_one_found_by_trying_every_n(expect: float | None, method: str) -> None:
    half_width, power, delta = 0.08, 0.9, 0.05
    plan = hf.plan(half_width=half_width, expect=expect, power=power, delta=delta, method=method)
    wanted = 1.0 if expect is None else power
    enough = [chance_to_reach(half_width, n, expect, delta, method) >= wanted for n in range(1, 300)]
    assert plan.n == enough.index(True) + 1
    assert plan.n_always == (len(enough) - enough[::-1].index(False) + 1 if False in enough else 1)


@pytest.mark.crossing(2)
@pytest.mark.parametrize(
    ("half_width", "expect", "power"), [(0.02, 0.06, 0.9), (0.03, 0.2, 0.8), (0.05, 0.5, 0.95), (0.01, 0.01, 0.8)]
)
def test_the_probability_that_a_half_width_plan_prints_is_exact(half_width: float, expect: float, power: float) -> None:
    plan = hf.plan(half_width=half_width, expect=expect, power=power)
    assert chance_to_reach(half_width, plan.n, expect, 0.05, "clopper-pearson") >= power
    assert chance_to_reach(half_width, plan.n - 1, expect, 0.05, "clopper-pearson") < power
    assert chance_to_reach(half_width, plan.n_always - 1, expect, 0.05, "clopper-pearson") < power


def test_a_half_width_is_kept_to_either_side_of_a_lopsided_interval() -> None:
    plan = hf.plan(half_width=0.02, expect=0.06)
    assert plan.n == 804
    assert chance_to_reach(0.02, 803, 0.06, 0.05, "clopper-pearson") == pytest.approx(0.890, abs=5e-4)
    assert chance_to_reach(0.02, 804, 0.06, 0.05, "clopper-pearson") == pytest.approx(0.913, abs=5e-4)
    whatever = hf.plan(half_width=0.02)
    assert whatever.n == 2451
    assert chance_to_reach(0.02, 2451, None, 0.05, "clopper-pearson") == 1
    assert chance_to_reach(0.02, 2450, None, 0.05, "clopper-pearson") == 0


@pytest.mark.parametrize(("wins", "losses", "power"), [(0.2, 0.05, 0.8), (0.3, 0.1, 0.9)])
def test_the_probability_that_a_plan_of_two_models_prints_is_exact(wins: float, losses: float, power: float) -> None:
    """Every way in which so many examples may part two models, and whether McNemar's exact test then says which."""
    plan = hf.plan(wins=wins, losses=losses, power=power)
    for n, enough in ((plan.n, True), (plan.n - 1, False)):
        apart = np.arange(n + 1)
        chance = 0.0
        for d, probability in zip(apart, binom.pmf(apart, n, wins + losses), strict=True):
            won = np.arange(d + 1)
            p = np.minimum(1.0, 2 * binom.sf(won - 1, d, 0.5))
            better = (p <= 0.05) & (2 * won > d)
            chance += probability * binom.pmf(won, d, wins / (wins + losses))[better].sum()
        assert bool(chance >= power) is enough


def test_a_comparison_is_planned_by_wins_and_losses() -> None:
    plan = hf.plan(wins=0.04, losses=0.02, power=0.8)
    assert (plan.n, plan.n_always) == (1244, 1244)
    assert (plan.wins, plan.losses, plan.method, str(plan.guarantee)) == (0.04, 0.02, "mcnemar-exact", "FINITE")
    assert "the first model will be found better" in " ".join(str(plan).split())
    assert "some 75 of them" in str(plan)
    swapped = hf.plan(wins=0.4, losses=0.6)
    assert "the second model will be found better" in " ".join(str(swapped).split())
    assert "from 274 on" in str(swapped)


def test_a_plan_for_a_looser_method_needs_more() -> None:
    exact, loose = (hf.plan(at_most=0.1, expect=0.05, method=name) for name in ("clopper-pearson", "hoeffding"))
    assert loose.n > exact.n


def test_a_plan_says_what_to_look_for() -> None:
    plan = hf.plan(at_most=0.05, expect=0.03)
    assert plan.claim is not None
    assert plan.claim.upper <= 0.05
    assert "832" in str(plan)
    assert "900" in str(plan)
    assert "31" in str(plan)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"at_most": 0.05, "half_width": 0.1},
        {"at_most": 0.0},
        {"at_most": 1.5},
        {"at_most": 0.05, "expect": 0.05},
        {"at_most": 0.05, "expect": -0.1},
        {"at_most": 0.05, "power": 1.0},
        {"half_width": 0.6},
        {"half_width": 1e-5},
        {"half_width": 0.1, "expect": 2.0},
        {"at_most": 0.05, "method": "blaker"},
        {"at_most": 0.05, "method": "betting"},
        {"at_most": 0.05, "method": "hypergeometric"},
        {"half_width": 0.01, "method": "maurer-pontil"},
        {"at_most": float("nan")},
        {"wins": 0.1},
        {"losses": 0.1},
        {"wins": 0.1, "losses": 0.1},
        {"wins": 0.7, "losses": 0.4},
        {"wins": 0.2, "losses": 0.1, "at_most": 0.1},
        {"wins": 0.2, "losses": 0.1, "expect": 0.1},
        {"wins": 0.2, "losses": 0.1, "method": "wilson"},
        {"wins": 0.2, "losses": 0.1, "power": 1.0},
        {"wins": [0.2, 0.3], "losses": 0.1},
        {"wins": float("nan"), "losses": 0.1},
    ],
)
def test_a_plan_that_cannot_be_made_says_so(asked: dict[str, float]) -> None:
    with pytest.raises(hf.HoldfastError):
        hf.plan(**asked)  # type: ignore[arg-type]


def test_a_narrow_interval_is_planned_without_a_look_at_every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, farthest = [], planning._farthest
    monkeypatch.setattr(
        planning, "_farthest", lambda bound, n, delta: looks.append(n.size) or farthest(bound, n, delta)
    )
    made = hf.plan(half_width=0.001)
    assert (made.n, made.n_always) == (961_365, 961_365)
    assert sum(looks) < 50_000  # of a million


def test_a_plan_for_a_ledger_is_for_the_gate_that_has_least_to_spend() -> None:
    from mpmath import binomial, mp, mpf

    made = hf.plan(at_most=0.05, expect=0.03, power=0.9, gates=100, promotions=3)
    assert made.delta == pytest.approx(0.05 / 3_926_175, rel=1e-12)  # so many parts has the plan
    assert (made.gates, made.promotions, made.overall) == (100, 3, 0.05)
    assert hf.plan(at_most=0.05, expect=0.03).n < made.n < 10 * hf.plan(at_most=0.05, expect=0.03).n
    assert hf.plan(at_most=0.05, expect=0.03, gates=1).n == hf.plan(at_most=0.05, expect=0.03).n
    mp.dps = 30

    def tail(rate: str) -> mpf:
        terms = (binomial(made.n, i) * mpf(rate) ** i * (1 - mpf(rate)) ** (made.n - i) for i in range(made.accept + 1))
        return sum(terms)

    assert tail("0.05") <= made.delta
    assert tail("0.03") >= 0.9
    with pytest.raises(HoldfastError, match="at_most"):
        hf.plan(half_width=0.1, gates=3)
    with pytest.raises(HoldfastError, match="say how many"):
        hf.plan(at_most=0.1, promotions=3)
