"""left_out_bootstrap, point_632, point_632_plus: the rules as printed, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.bounds.cross_approximate import left_out_bootstrap, point_632, point_632_plus
from holdfast.claims import Guarantee
from holdfast.errors import InvalidEvidence
from holdfast.evidence.folds.nested_cv import LeftOut, Point632, Point632Plus

RULES = ((left_out_bootstrap, LeftOut), (point_632, Point632), (point_632_plus, Point632Plus))
shares = st.floats(0, 1)


@given(st.lists(shares, min_size=2, max_size=30), shares, shares)
def test_the_rules_as_efron_and_tibshirani_print_them(rates: list[float], seen: float, chance: float) -> None:
    left_out = float(np.mean(rates))
    assert LeftOut(rates, seen, chance).mean == left_out
    assert Point632(rates, seen, chance).mean == pytest.approx(0.368 * seen + 0.632 * left_out, abs=1e-12)
    capped = min(left_out, chance)
    apart = (capped - seen) / (chance - seen) if capped > seen and chance > seen else 0.0
    weight = 0.632 / (1 - 0.368 * apart)
    assert Point632Plus(rates, seen, chance).mean == pytest.approx((1 - weight) * seen + weight * capped, abs=1e-12)


def test_a_learner_that_remembers_and_guesses_is_given_chance_by_the_plus_rule_alone() -> None:
    """One nearest neighbour on labels without meaning: seen 0, left out 1/2."""
    rates = [0.0, 1.0] * 50
    assert Point632(rates, 0.0, 0.5).mean == pytest.approx(0.316)
    assert Point632Plus(rates, 0.0, 0.5).mean == pytest.approx(0.5)


@pytest.mark.parametrize(("bound", "kind"), RULES)
def test_nobody_promises_anything(bound: object, kind: type[LeftOut]) -> None:
    rows = kind([0.0, 0.1, 0.9, 0.2], 0.05, 0.5)
    both, upper, lower = (
        bound(rows, delta, side) for delta, side in ((0.05, "both"), (0.025, "upper"), (0.025, "lower"))
    )  # type: ignore[operator]
    assert both.guarantee is Guarantee.HEURISTIC
    assert (both.lower, both.upper) == (lower.lower, upper.upper)
    assert 0 <= both.lower < both.estimate < both.upper <= 1


@pytest.mark.parametrize(("bound", "kind"), RULES)
def test_rows_that_do_not_differ_say_nothing(bound: object, kind: type[LeftOut]) -> None:
    claim = bound(kind([0.2, 0.2, 0.2], 0.1, 0.5))  # type: ignore[operator]
    assert (claim.lower, claim.upper) == (0.0, 1.0)


def test_a_rule_keeps_the_error_in_proportion() -> None:
    rates = np.linspace(0, 0.4, 50)
    plain, pulled = left_out_bootstrap(LeftOut(rates, 0.1, 0.5)), point_632(Point632(rates, 0.1, 0.5))
    assert pulled.width / plain.width == pytest.approx(pulled.estimate / plain.estimate, rel=1e-6)
    z = 1.959963984540054
    assert plain.slack == pytest.approx(z * rates.std(ddof=1) / np.sqrt(50), rel=1e-9)


@pytest.mark.parametrize(
    "given_", [([], 0, 0), ([0.5, 1.2], 0, 0), ([0.5], -0.1, 0), ([0.5], 0, 2), ([float("nan")], 0, 0)]
)
def test_what_are_no_error_rates_is_refused(given_: tuple[list[float], float, float]) -> None:
    with pytest.raises(InvalidEvidence):
        LeftOut(*given_)
