"""Whatever is thrown at it: an error of ours that says what to do, or a claim that is in order. Nothing else.

Warnings are errors in this test run, so none of them passes either.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast as hf
from holdfast.catalog import Bound, find, methods
from holdfast.claims import SIDES, Claim
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses, Sample

thorough = settings(deadline=None, derandomize=True, max_examples=200)

whole = st.integers(-3, 40) | st.integers(-(2**70), 2**70) | st.sampled_from([2**53, 2**53 + 1, 2**63, 10**400])
number = whole | st.floats() | st.floats(-1, 2) | st.booleans() | st.complex_numbers()
junk = st.none() | st.text(max_size=5) | st.binary(max_size=5) | st.sampled_from(["0.5", "8", "nan", "1e999"])
typed = st.sampled_from(["<i4", "<f4", "<f8", "<c16", "<M8[D]", "<m8[s]", "<U3", "O", "?", "<u8", "<f2"]).flatmap(
    lambda kind: st.lists(st.integers(0, 3), max_size=4).map(lambda items: np.array(items).astype(kind))
)
anything = (
    number | junk | st.lists(number | junk, max_size=4) | st.lists(st.lists(number, max_size=3), max_size=3) | typed
)
delta = st.floats(0, 1, exclude_min=True, exclude_max=True) | st.sampled_from([1e-300, 1e-12, 0.05, 0.5, 1 - 2.0**-53])
trials = st.integers(0, 60) | st.integers(0, 10**9) | st.sampled_from([2**53, 2**53 - 1, 10**12])
unit = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 5e-324, 1e-310, 2.0**-53, 1 - 2.0**-53, 0.1, 0.5])


def in_order(claim: Claim, low: float = 0.0, high: float = 1.0) -> None:
    """Between the ends of the range: lower limit, estimate, upper limit; and all of it fit for JSON."""
    lower, upper = np.asarray(claim.lower), np.asarray(claim.upper)
    middle = np.asarray(lower if claim.estimate is None else claim.estimate, np.float64)
    assert np.all(low <= lower), claim.to_dict()
    assert np.all(lower <= upper), claim.to_dict()
    assert np.all(upper <= high), claim.to_dict()
    known = ~np.isnan(middle)
    assert np.all((lower <= middle)[known]), claim.to_dict()
    assert np.all((middle <= upper)[known]), claim.to_dict()
    json.dumps(claim.to_dict(), allow_nan=False)


def answers(call: Any) -> Any:
    """What the call gives, or None where it is refused in our own words."""
    try:
        return call()
    except HoldfastError as error:
        message = str(error)
        assert len(message) > 20
        assert "\n" not in message
        return None


@given(anything, anything)
@thorough
def test_counts_of_anything(k: Any, n: Any) -> None:
    made = answers(lambda: Counts(k, n))
    if made is not None:
        assert np.all((made.k >= 0) & (made.k <= made.n))
        in_order(hf.bound(made))


@given(anything, st.just(0.0) | anything, st.just(1.0) | anything)
@thorough
def test_losses_of_anything(values: Any, low: Any, high: Any) -> None:
    made = answers(lambda: Losses(values, low, high))
    if made is not None:
        in_order(hf.bound(made), made.low, made.high)


@given(anything, anything, st.none() | anything)
@thorough
def test_moments_of_anything(n: Any, mean: Any, s2: Any) -> None:
    made = answers(lambda: Losses.from_moments(n, mean, s2))
    if made is not None:
        in_order(hf.bound(made))


@given(st.sampled_from([Counts(8, 30), Losses([0.1, 0.9])]), st.data())
@thorough
def test_a_bound_with_any_options(evidence: Sample, data: st.DataObject) -> None:
    options = {name: data.draw(st.none() | anything, name) for name in ("method", "confidence", "delta", "unlabelled")}
    side: Any = data.draw(st.sampled_from(SIDES) | junk, "side")
    claim = answers(lambda: hf.bound(evidence, side=side, **options))
    if claim is not None:
        in_order(claim)


@given(st.sampled_from([bound.name for bound in methods() if Counts in bound.takes]), trials, st.data())
@thorough
def test_every_method_on_every_count(name: str, n: int, data: st.DataObject) -> None:
    bound = find(name)
    k = data.draw(st.integers(0, n) | st.sampled_from([0, n]), "k")
    side = data.draw(st.sampled_from(SIDES), "side")
    rest: dict[str, Any] = {}
    if bound.parameters:
        n, k = min(n, 10**6), min(k, n, 10**6)
        rest = {"unlabelled": data.draw(st.integers(1, 10**6), "unlabelled")}
    claim = answers(lambda: bound(Counts(k, n), data.draw(delta, "delta"), side, **rest))
    if claim is not None:
        in_order(claim)


@given(
    st.sampled_from([bound.name for bound in methods() if Losses in bound.takes]),
    st.lists(unit, max_size=10),
    st.data(),
)
@thorough
def test_every_method_on_every_loss(name: str, values: list[float], data: st.DataObject) -> None:
    side = data.draw(st.sampled_from(SIDES), "side")
    claim = answers(lambda: find(name)(Losses(values), data.draw(delta, "delta"), side))
    if claim is not None:
        in_order(claim)


@given(st.lists(unit, max_size=6), st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
@thorough
def test_claims_stay_in_the_users_range(values: list[float], low: float, width: float) -> None:
    high = low + width
    if not low < high:
        return
    raw = np.clip(low + width * np.array(values), low, high)
    for name in ("betting", "hoeffding", "wilson", "normal"):
        in_order(hf.bound(Losses(raw, low, high), name), low, high)


@given(
    st.sampled_from([bound.name for bound in methods()]),
    st.lists(st.tuples(unit, st.floats(0.5, 4)), min_size=1, max_size=6),
)
@thorough
def test_claims_with_a_range_for_each_example(name: str, pairs: list[tuple[float, float]]) -> None:
    values, high = (np.array(column) for column in zip(*pairs, strict=True))
    losses = Losses(values * high, 0.0, high)
    claim = answers(lambda: find(name)(losses))
    if claim is not None:
        in_order(claim, losses.low, losses.high)


@pytest.mark.parametrize("bound", [bound for bound in methods() if not bound.parameters], ids=lambda bound: bound.name)
def test_a_tiny_delta_or_loss_never_gives_nan(bound: Bound) -> None:
    few = Counts([0, 1, 5, 10], 10) if Counts in bound.takes else Losses([0.0, 0.5, 1.0])
    for tiny in (5e-324, 1e-310, 1e-300, 1e-100):
        claim = answers(lambda tiny=tiny: bound(few, tiny))
        if claim is not None:
            in_order(claim)
        if Losses in bound.takes:
            in_order(bound(Losses([tiny] * 5), 0.05))
            in_order(bound(Losses([tiny] * 5).mirror(), 0.05))
