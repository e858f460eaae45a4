"""Counts and losses: what they hold, to the last digit, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Counts, Losses, Sample
from holdfast.evidence.evidence import Need
from tests.snapshots import matches, messages

unit = st.floats(0.0, 1.0)
samples = st.lists(unit, min_size=2, max_size=12)


# ---- Counts


def test_counts_hold_whole_numbers() -> None:
    counts = Counts(8, 30)
    assert (counts.k.dtype, counts.n.dtype) == (np.int64, np.int64)
    assert (counts.k.item(), counts.n.item(), counts.mean.item(), counts.complement.item()) == (8, 30, 8 / 30, 22 / 30)
    assert (counts.total.item(), counts.s2.item()) == (8.0, pytest.approx(8 * 22 / 900))


def test_whole_floats_are_whole_numbers_and_text_is_none() -> None:
    assert repr(Counts(8.0, np.float32(30))) == "Counts(k=8, n=30)"
    with pytest.raises(InvalidEvidence, match="needs numbers"):
        Counts("8", "30")


def test_counts_broadcast() -> None:
    counts = Counts([[0], [3]], [10, 20, 30])
    assert counts.k.shape == counts.n.shape == counts.mean.shape == (2, 3)
    assert counts.mean.tolist() == [[0.0, 0.0, 0.0], [0.3, 0.15, 0.1]]


def test_no_trials_are_legal_and_say_nothing() -> None:
    counts = Counts([0, 0], [0, 5])
    assert counts.mean.tolist() == counts.s2.tolist() == [0.0, 0.0]


def test_the_largest_counts_keep_every_digit() -> None:
    counts = Counts(2**53 - 2, 2**53 - 1)
    assert (counts.k.item(), counts.n.item()) == (2**53 - 2, 2**53 - 1)
    assert counts.complement.item() == pytest.approx(2.0**-53, rel=1e-15)


def test_a_later_change_of_the_input_does_not_reach_the_evidence() -> None:
    k, values = np.array([1, 2]), np.array([0.1, 0.2])
    counts, losses = Counts(k, 10), Losses(values)
    k[0], values[0] = 9, 0.9
    assert counts.k.tolist() == [1, 2]
    assert losses.values.tolist() == [0.1, 0.2]


def test_evidence_shows_itself_briefly() -> None:
    shown = [
        Counts(8, 30),
        Counts(np.arange(100), 100),
        Losses([0.0, 0.5, 0.25, 0.25]),
        Losses([0, 5, 10], low=0, high=10),
        Losses.from_moments(n=1000, mean=0.1),
        Losses.from_moments(n=1000, mean=0.1, s2=0.02),
        Losses([]),
        Losses(np.zeros((2, 3))),
        Losses.joined([Losses([0.5]), Losses([2.0], low=-1, high=4)]),
    ]
    matches("evidence_repr", "\n".join(repr(item) for item in shown))


@given(st.integers(0, 50), st.integers(0, 50))
@settings(deadline=None, derandomize=True)
def test_the_mirror_of_the_mirrored_counts_is_the_same(a: int, b: int) -> None:
    counts = Counts(a, a + b)
    mirrored = counts.mirror()
    assert (mirrored.k.item(), mirrored.n.item()) == (b, a + b)
    assert mirrored.mean == counts.complement
    assert mirrored.mirror().k == counts.k


# ---- Losses


def test_thirty_times_a_tenth_is_three() -> None:
    assert np.cumsum([0.1] * 30)[-1] != 3.0  # why it matters
    assert Losses([0.1] * 30).total.item() == 3.0
    assert Losses([0.1] * 30).mean.item() == 0.1


@given(st.lists(unit, max_size=200))
@settings(deadline=None, derandomize=True)
def test_sums_are_correctly_rounded(values: list[float]) -> None:
    assert Losses(values).total.item() == pytest.approx(fsum(values), rel=2.0**-52, abs=0)


def test_a_long_sum_is_correctly_rounded() -> None:
    values = np.random.default_rng(1).random(10**6)
    assert Losses(values).total.item() == fsum(values)


@given(samples)
@settings(deadline=None, derandomize=True)
def test_moments_against_fractions(values: list[float]) -> None:
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((x - mean) ** 2 for x in exact) / len(exact)
    losses = Losses(values)
    assert losses.mean.item() == pytest.approx(float(mean), rel=1e-15, abs=1e-300)
    assert losses.complement.item() == pytest.approx(float(1 - mean), rel=1e-15, abs=1e-16)
    assert losses.s2.item() == pytest.approx(float(variance), rel=1e-12, abs=1e-30)


@given(samples)
@settings(deadline=None, derandomize=True)
def test_square_of_mean_against_every_pair(values: list[float]) -> None:
    pairs = [Fraction(a) * Fraction(b) for a, b in permutations(values, 2)]
    brute = float(sum(pairs) / len(pairs))
    assert Losses(values).square_of_mean.item() == pytest.approx(brute, rel=1e-14, abs=1e-300)


def test_square_of_mean_does_not_cancel() -> None:
    losses = Losses([1.0] + [1e-10] * 9)  # (sum x)^2 - sum x^2 would keep six digits
    assert losses.square_of_mean.item() == pytest.approx((2 * 9e-10 + 72e-20) / 90, rel=1e-15)


@pytest.mark.parametrize(("k", "n"), [(0, 5), (1, 5), (3, 5), (5, 5), (0, 2), (1, 2)])
def test_square_of_mean_is_the_same_from_counts_values_and_moments(k: int, n: int) -> None:
    values = [1.0] * k + [0.0] * (n - k)
    brute = sum(a * b for a, b in permutations(values, 2)) / (n * (n - 1))
    known = Losses.from_moments(n, k / n, s2=k / n * (1 - k / n))
    for sample in (Counts(k, n), Losses(values), known):
        assert sample.square_of_mean.item() == pytest.approx(brute, abs=1e-15)


def test_rows_are_samples() -> None:
    rows = np.random.default_rng(2).random((3, 4, 7))
    losses = Losses(rows)
    assert losses.n.item() == 7
    for name in ("mean", "complement", "total", "s2", "square_of_mean"):
        whole = getattr(losses, name)
        assert whole.shape == (3, 4)
        assert whole[1, 2] == pytest.approx(getattr(Losses(rows[1, 2]), name).item(), rel=1e-14)


@given(samples, st.floats(-100, 100), st.floats(0.5, 100))
@settings(deadline=None, derandomize=True)
def test_the_mirror_of_the_mirror_is_itself(values: list[float], low: float, width: float) -> None:
    high = low + width
    raw = np.clip(low + width * np.array(values), low, high)
    losses = Losses(raw, low, high)
    again = losses.mirror().mirror()
    assert np.array_equal(again.values, losses.values)
    assert (again.mean, again.complement) == (losses.mean, losses.complement)
    assert losses.mirror().mean == losses.complement


def test_the_mirror_of_moments_is_itself() -> None:
    losses = Losses.from_moments(10, 0.1, 0.02)
    mirrored = losses.mirror()
    assert (mirrored.mean.item(), mirrored.complement.item(), mirrored.s2.item()) == (0.9, 0.1, 0.02)
    assert mirrored.mirror().mean == losses.mean


def test_a_mean_of_limited_precision_lies_between_its_ends_seen_from_either_side() -> None:
    losses = Losses.from_moments(50, 2.0, 0.3, low=1, high=5, between=(1.5, 3.0))
    assert (losses.at_least().estimate, losses.estimate, losses.at_most().estimate) == (1.5, 2.0, 3.0)
    assert (losses.mirror().at_least().mean, losses.mirror().at_most().mean) == (0.5, 0.875)
    assert losses.at_most().s2 == losses.s2


def test_losses_that_are_joined_are_in_order_if_all_of_them_are() -> None:
    drawn, other = Losses([0.1, 0.2], order="drawn"), Losses([0.3, 0.4])
    assert Losses.joined([drawn, drawn]).drawn
    assert not Losses.joined([drawn, other]).drawn


def test_a_tiny_loss_survives_the_mirror() -> None:
    losses = Losses([1e-20, 2e-20])
    assert losses.mirror().mirror().values.tolist() == [1e-20, 2e-20]
    assert losses.mirror().complement.item() == pytest.approx(1.5e-20, rel=1e-15)


# ---- Ranges


def test_a_range_rescales() -> None:
    losses = Losses([0, 5, 10], low=-10, high=10)
    assert losses.values.tolist() == [0.5, 0.75, 1.0]
    assert (losses.low, losses.high, losses.squared_range) == (-10.0, 10.0, 1.0)
    assert losses.has("one range")


def test_a_range_for_each_example() -> None:
    losses = Losses([1.0, 1.0, 4.0], low=[0, 0, 2], high=[1, 2, 5])
    # The mean lies between the mean of the lows and that of the highs; widths 1, 2, 3 around their mean 2.
    assert (losses.low, losses.high) == pytest.approx((2 / 3, 8 / 3))
    assert losses.squared_range == pytest.approx((1 + 4 + 9) / 3 / 4)
    assert losses.low + (losses.high - losses.low) * losses.mean == pytest.approx(2.0)
    assert losses.mean + losses.complement == pytest.approx(1.0)
    assert not losses.has("one range")


def test_equal_ranges_written_out_are_one_range() -> None:
    losses = Losses([0.2, 0.4], low=[0, 0], high=[2, 2])
    assert losses.has("one range")
    assert losses.values.tolist() == [0.1, 0.2]


def test_what_each_kind_of_losses_has() -> None:
    needs = ("values", "s2", "one range")
    assert [Losses([0.5]).has(need) for need in needs] == [True, True, True]
    assert [Losses.from_moments(3, 0.5, 0.1).has(need) for need in needs] == [False, True, True]
    assert [Losses.from_moments(3, 0.5).has(need) for need in needs] == [False, False, True]
    assert [Counts(1, 2).has(need) for need in needs] == [False, True, True]


@pytest.mark.parametrize("evidence", [Counts(1, 2), Losses([0.5]), Losses.from_moments(3, 0.5)], ids=repr)
def test_a_need_that_nobody_knows_is_an_error_and_what_is_not_offered_is_not_there(evidence: Sample) -> None:
    with pytest.raises(UnknownName, match="There is no need named 'value'; did you mean 'values'"):
        evidence.has("value")
    assert {need for need in Need if evidence.has(need)} == evidence.offers
    assert not evidence.has(Need.LEVELS)
    assert not evidence.has(Need.RANDOM_FOLDS)


def test_the_fingerprint_ignores_the_order_and_nothing_else() -> None:
    one, other = Losses([0.1, 0.2, 0.3]), Losses([0.3, 0.1, 0.2])
    assert one.fingerprint == other.fingerprint
    assert len(one.fingerprint) == 64
    assert one.fingerprint != Losses([0.1, 0.2, 0.30000000000000004]).fingerprint


# ---- What is refused


def test_every_refusal_says_what_to_do() -> None:
    nothing: Any = None
    matches(
        "errors_of_evidence",
        messages(
            {
                "Counts(-1, 5)": lambda: Counts(-1, 5),
                "Counts(6, 5)": lambda: Counts(6, 5),
                "Counts([1, 6], [5, 5])": lambda: Counts([1, 6], [5, 5]),
                "Counts(1.5, 5)": lambda: Counts(1.5, 5),
                "Counts(True, 5)": lambda: Counts(True, 5),
                "Counts(nan, 5)": lambda: Counts(float("nan"), 5),
                "Counts(1, inf)": lambda: Counts(1, float("inf")),
                "Counts(1, 2**53 + 2)": lambda: Counts(1, 2**53 + 2),
                "Counts('eight', 30)": lambda: Counts("eight", 30),
                "Counts(None, 30)": lambda: Counts(nothing, 30),
                "Counts([1, 2], [5, 6, 7])": lambda: Counts([1, 2], [5, 6, 7]),
                "Losses(0.5)": lambda: Losses(0.5),
                "Losses([0.5, nan])": lambda: Losses([0.5, float("nan")]),
                "Losses([0.5, 1.5])": lambda: Losses([0.5, 1.5]),
                "Losses([-0.1])": lambda: Losses([-0.1]),
                "Losses(['a'])": lambda: Losses(["a"]),
                "Losses([[0.1], [0.2, 0.3]])": lambda: Losses([[0.1], [0.2, 0.3]]),
                "Losses([5], low=0, high=4)": lambda: Losses([5], low=0, high=4),
                "Losses([5], low=4, high=4)": lambda: Losses([5], low=4, high=4),
                "Losses([5], low=9, high=4)": lambda: Losses([5], low=9, high=4),
                "Losses([5], low=nan)": lambda: Losses([5], low=float("nan")),
                "Losses([.5, .5], low=[0, 0, 0])": lambda: Losses([0.5, 0.5], low=[0, 0, 0]),
                "Losses([.5, 3], high=[1, 2])": lambda: Losses([0.5, 3], high=[1, 2]),
                "from_moments(10, 1.5)": lambda: Losses.from_moments(10, 1.5),
                "from_moments([1, 2], [0.1, 0.2, 0.3])": lambda: Losses.from_moments([1, 2], [0.1, 0.2, 0.3]),
                "from_moments(-1, 0.5)": lambda: Losses.from_moments(-1, 0.5),
                "from_moments(10, 0.5, s2=0.3)": lambda: Losses.from_moments(10, 0.5, s2=0.3),
                "from_moments(10, 0.5, s2=-0.1)": lambda: Losses.from_moments(10, 0.5, s2=-0.1),
                "from_moments(10, 0.5, s2=nan)": lambda: Losses.from_moments(10, 0.5, s2=float("nan")),
                "from_moments(10, 0.5).values": lambda: Losses.from_moments(10, 0.5).values,
                "from_moments(10, 0.5).s2": lambda: Losses.from_moments(10, 0.5).s2,
            }
        ),
    )


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: Counts([[1], [1, 2]], 3), id="ragged counts"),
        pytest.param(lambda: Counts(10**400, 10**401), id="counts beyond floats"),
        pytest.param(lambda: Losses([10**400]), id="losses beyond floats"),
        pytest.param(lambda: Counts(np.array(1 + 1j), 3), id="complex counts"),
        pytest.param(lambda: Losses(np.array([0.5 + 1j])), id="complex losses"),
        pytest.param(lambda: Counts(np.datetime64("1970-01-03"), 5), id="dates"),
        pytest.param(lambda: Losses(np.ma.masked_array([0.1, 0.2], [False, True])), id="masked losses"),
        pytest.param(lambda: Losses.from_moments([1, 2], [0.1, 0.2, 0.3]), id="moments of differing shapes"),
        pytest.param(lambda: Losses.from_moments(9, [0.1, 0.2], s2=[0.1, 0.1, 0.1]), id="variances of another shape"),
        pytest.param(lambda: Losses([0.0], low=-1e308, high=1e308), id="a range wider than floats"),
    ],
)
def test_what_is_no_evidence_is_refused_and_nothing_else_is_raised(make: Any) -> None:
    with pytest.raises(InvalidEvidence):
        make()


def test_a_value_just_outside_is_shown_as_it_is() -> None:
    with pytest.raises(InvalidEvidence, match=r"value 1 is 1\.0000001\."):
        Losses([1.0000001])


def test_a_count_that_floats_would_round_is_refused() -> None:
    for wrong in (2**53 + 1, np.int64(2**53 + 1), np.array([1, 2**53 + 1])):
        with pytest.raises(InvalidEvidence):
            Counts(1, wrong)


def test_no_losses_still_have_a_range_in_order() -> None:
    assert (Losses([], low=2, high=3).low, Losses([], low=2, high=3).high) == (2.0, 3.0)
    try:
        losses = Losses([], low=2, high=[])  # no example, so no upper end is known
    except InvalidEvidence:
        return
    assert losses.low < losses.high
