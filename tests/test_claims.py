"""A claim keeps the digits of its confidence, and goes into JSON without anything JSON cannot say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast as hf
from holdfast.claims import Assumption, Claim, Coverage, Guarantee, Source, chance_of_error, check_delta
from holdfast.errors import HoldfastError
from tests.snapshots import matches, messages

KEYS = [
    "measure",
    "estimate",
    "lower",
    "upper",
    "delta",
    "side",
    "n",
    "per",
    "method",
    "guarantee",
    "assumes",
    "source",
]


def made(**changed: Any) -> Claim:
    fields: dict[str, Any] = {
        "measure": "error-rate",
        "estimate": 0.25,
        "lower": 0.125,
        "upper": 0.5,
        "delta": 0.05,
        "side": "both",
        "n": 8,
        "method": "wilson",
        "guarantee": Guarantee.ASYMPTOTIC,
        "assumes": (Assumption.INDEPENDENT,),
        "source": Source("anguita2012", "(19)"),
    }
    return Claim(**{**fields, **changed})


# ---- delta


@pytest.mark.parametrize(
    ("confidence", "delta"),
    [
        (0.999999999999, 1e-12),
        ("0.999999999999", 1e-12),
        (0.95, 0.05),
        ("0.95", 0.05),
        (0.9, 0.1),
        ("0.99999999999999999999", 1e-20),  # no float is that near to one
        (np.float32(0.95), 0.05),
        (np.float64(0.999), 0.001),
        (1e-12, 1 - 1e-12),
        ("  0.95 ", 0.05),
    ],
)
def test_confidence_keeps_its_digits(confidence: Any, delta: float) -> None:
    assert chance_of_error(confidence).item() == delta


@given(st.integers(1, 16), st.data())
@settings(deadline=None, derandomize=True)
def test_every_short_decimal_is_read_exactly(places: int, data: st.DataObject) -> None:
    whole = data.draw(st.integers(1, 10**places - 1))
    confidence, delta = f"0.{whole:0{places}d}", f"0.{10**places - whole:0{places}d}"
    assert chance_of_error(confidence).item() == float(delta)


def test_without_either_delta_is_a_twentieth() -> None:
    assert chance_of_error().item() == 0.05


def test_delta_may_be_an_array() -> None:
    assert chance_of_error(delta=[0.1, 0.2]).tolist() == [0.1, 0.2]
    assert check_delta(0.05).item() == 0.05


def test_every_refusal_says_what_to_do() -> None:
    matches(
        "errors_of_claims",
        messages(
            {
                "confidence=0.9, delta=0.1": lambda: chance_of_error(0.9, 0.1),
                "confidence=95": lambda: chance_of_error(95),
                "confidence='99.9'": lambda: chance_of_error("99.9"),
                "confidence=100": lambda: chance_of_error(100),
                "confidence=1": lambda: chance_of_error(1),
                "confidence=1e-300": lambda: chance_of_error(1e-300),
                "confidence='0.' and 400 nines": lambda: chance_of_error("0." + "9" * 400),
                "confidence=0": lambda: chance_of_error(0),
                "confidence=-0.95": lambda: chance_of_error(-0.95),
                "confidence=nan": lambda: chance_of_error(float("nan")),
                "confidence=inf": lambda: chance_of_error(float("inf")),
                "confidence='high'": lambda: chance_of_error("high"),
                "confidence=True": lambda: chance_of_error(True),
                "confidence='95%'": lambda: chance_of_error("95%"),
                "confidence='1e-400'": lambda: chance_of_error("1e-400"),
                "delta=0": lambda: chance_of_error(delta=0),
                "delta=1": lambda: chance_of_error(delta=1),
                "delta=5": lambda: chance_of_error(delta=5),
                "delta=nan": lambda: chance_of_error(delta=float("nan")),
                "delta=[0.1, 0]": lambda: chance_of_error(delta=[0.1, 0]),
                "delta='small'": lambda: chance_of_error(delta="small"),
            }
        ),
    )


def test_95_is_taken_for_a_percentage() -> None:
    with pytest.raises(HoldfastError, match=r"Did you mean 0\.95\?"):
        chance_of_error(95)


@pytest.mark.parametrize(
    "delta",
    [10**400, 1j, np.array(0.1 + 0j), [[0.1], [0.1, 0.2]], object(), {}, b"x"],
    ids=["huge", "complex", "complex array", "ragged", "object", "mapping", "bytes"],
)
def test_no_other_exception_for_a_strange_delta(delta: Any) -> None:
    with pytest.raises(HoldfastError):
        check_delta(delta)


@pytest.mark.parametrize("confidence", [np.zeros(40), np.array(["1970-01-01"] * 4, "M8[D]"), "0.9\n5", [0.9, 0.8]])
def test_a_strange_confidence_is_told_in_one_short_line(confidence: Any) -> None:
    with pytest.raises(HoldfastError) as caught:
        chance_of_error(confidence)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 150


# ---- The claim


def test_slack_and_width() -> None:
    claim = made()
    assert (claim.slack, claim.width) == (0.25, 0.375)
    assert made(estimate=None).slack is None


def test_slack_of_arrays() -> None:
    claim = hf.bound(hf.Counts([0, 5], [0, 10]))
    assert np.isnan(claim.slack[0])
    assert claim.slack[1] == claim.upper[1] - 0.5


def test_a_claim_as_plain_values() -> None:
    claim = made().to_dict()
    assert list(claim) == KEYS
    assert claim["guarantee"] == "ASYMPTOTIC"
    assert claim["source"] == "anguita2012 (19)"
    assert claim["assumes"] == [str(Assumption.INDEPENDENT)]


@pytest.mark.parametrize(
    "evidence",
    [
        hf.Counts(8, 30),
        hf.Counts(0, 0),
        hf.Counts([[0, 0], [0, 5]], [0, 10]),
        hf.Losses.from_moments(n=[0, 5], mean=[0.0, 0.5]),
        hf.Counts([], 5),
    ],
    ids=repr,
)
@pytest.mark.parametrize("side", ["upper", "lower", "both"])
def test_json_never_has_nan_and_only_plain_values(evidence: Any, side: Any) -> None:
    claim = hf.bound(evidence, "wilson", side=side)
    text = json.dumps(claim.to_dict(), allow_nan=False)
    assert json.loads(text) == claim.to_dict()


def test_one_of_many_has_no_estimate_where_there_is_none_and_shares_what_all_share() -> None:
    many = hf.bound(hf.Counts([0, 1], [0, 4]))
    assert (many.one(0).estimate, many.one(1).estimate) == (None, 0.25)
    assert replace(many, n=4).one(1, measure="recall").to_dict() == {**many.one(1).to_dict(), "measure": "recall"}


def test_no_data_have_no_estimate() -> None:
    assert hf.bound(hf.Counts(0, 0)).to_dict()["estimate"] is None
    assert hf.bound(hf.Counts([0, 1], [0, 1])).to_dict()["estimate"] == [None, 1.0]


def test_coverage_as_plain_values() -> None:
    found = Coverage("wilson", 10, 0.05, "both", 0.9, 0.3)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_every_guarantee_and_assumption_is_a_sentence() -> None:
    told = [f"{guarantee}: {guarantee.sentence}" for guarantee in Guarantee]
    matches("sentences", "\n".join(told + [f"{assumption.name}: {assumption}" for assumption in Assumption]))
