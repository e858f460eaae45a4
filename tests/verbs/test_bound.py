"""The verb: which method answers, in which units, for one sample and for many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import find, methods
from holdfast.claims import Assumption, Guarantee
from holdfast.evidence import Counts, Losses, Sample
from holdfast.verbs import bound as room_of_bound
from holdfast.verbs.bound import default_method

RNG = np.random.default_rng(17)


# ---- Defaults: by the declared kind of evidence and n, never by the values


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        pytest.param(Counts(8, 30), "clopper-pearson", id="counts"),
        pytest.param(Counts([0, 5], [10, 10**9]), "clopper-pearson", id="many counts"),
        pytest.param(Losses(RNG.random(20)), "squares", id="losses"),
        pytest.param(Losses([0.0, 1.0, 1.0]), "squares", id="losses that happen to be 0 and 1"),
        pytest.param(Losses([0.25] * 20), "squares", id="losses that happen to be constant"),
        pytest.param(Losses([]), "squares", id="no losses"),
        pytest.param(Losses(np.zeros((3, 5))), "squares", id="rows of losses"),
        pytest.param(Losses([5.0, 6.0], 0, 10), "squares", id="losses in other units"),
        pytest.param(Losses([0.1, 1.5], high=[1, 2]), "hoeffding", id="a range for each"),
        pytest.param(Losses.from_moments(100, 0.1, 0.05), "maurer-pontil", id="moments"),
        pytest.param(Losses.from_moments(100, 0.1), "hoeffding-kl", id="a mean"),
    ],
)
def test_the_default(evidence: Sample, expected: str) -> None:
    assert default_method(evidence).name == expected
    claim = hf.bound(evidence)
    assert claim.method == expected
    assert claim.guarantee is Guarantee.FINITE


def test_beyond_a_million_losses_the_moments_answer() -> None:
    assert default_method(Losses(np.zeros(10**6))).name == "squares"
    assert default_method(Losses(np.zeros(10**6 + 1))).name == "maurer-pontil"


def test_unlabelled_examples_ask_for_another_default() -> None:
    assert hf.bound(Counts(8, 30), unlabelled=10).method == "hypergeometric"
    assert (
        hf.bound(Counts(8, 30), "hypergeometric", unlabelled=10).upper == hf.bound(Counts(8, 30), unlabelled=10).upper
    )


@pytest.mark.parametrize("side", ["upper", "lower", "both"])
def test_the_default_does_not_depend_on_values_side_or_delta(side: Any) -> None:
    for values in (np.zeros(50), np.ones(50), RNG.random(50), np.repeat([0.0, 1.0], 25)):
        for delta in (1e-12, 0.5):
            assert hf.bound(Losses(values), delta=delta, side=side).method == "squares"


# ---- One claim


def test_the_first_line_of_the_contract() -> None:
    claim = hf.bound(hf.Counts(8, 30))
    assert str(claim) == "0.267 [0.122, 0.459], clopper-pearson, 95 %, holds at every sample size"
    assert (claim.estimate, claim.delta, claim.side, claim.n) == (8 / 30, 0.05, "both", 30)
    assert all(type(value) is float for value in (claim.estimate, claim.lower, claim.upper, claim.delta))
    assert type(claim.n) is int


def test_a_method_by_name_alias_or_entry() -> None:
    expected = hf.bound(Counts(8, 30), "wilson").upper
    for method in ("WIL", "score", "Wilson", find("wilson")):
        assert hf.bound(Counts(8, 30), method).upper == expected


def test_one_side_leaves_the_other_at_the_end_of_the_range() -> None:
    assert hf.bound(Counts(8, 30), side="upper").lower == 0.0
    assert hf.bound(Counts(8, 30), side="lower").upper == 1.0
    assert hf.bound(Losses([5.0, 6.0], 2, 10), side="upper").lower == 2.0
    assert hf.bound(Losses([5.0, 6.0], 2, 10), side="lower").upper == 10.0


def test_confidence_and_delta_say_the_same() -> None:
    by_delta = hf.bound(Counts(8, 30), delta=1e-12)
    for confidence in (0.999999999999, "0.999999999999"):
        claim = hf.bound(Counts(8, 30), confidence=confidence)
        assert (claim.delta, claim.lower, claim.upper) == (1e-12, by_delta.lower, by_delta.upper)
    with pytest.raises(hf.HoldfastError, match="not both"):
        hf.bound(Counts(8, 30), confidence=0.9, delta=0.1)


def test_nothing_known_is_said_so() -> None:
    for evidence in (Counts(0, 0), Losses([]), Losses.from_moments(0, 0.5, 0.1)):
        claim = hf.bound(evidence)
        assert (claim.estimate, claim.lower, claim.upper, claim.slack) == (None, 0.0, 1.0, None)
    in_units = hf.bound(Losses([], low=-5, high=5))
    assert (in_units.estimate, in_units.lower, in_units.upper) == (None, -5.0, 5.0)


def test_claims_about_losses_come_in_the_users_units() -> None:
    euros = 64 * RNG.random(60)  # a power of two, so that the shuffle sees the same numbers to the last bit
    claim, unit = hf.bound(Losses(euros, 0, 64)), hf.bound(Losses(euros / 64))
    assert claim.estimate == pytest.approx(euros.mean(), rel=1e-14)
    assert (claim.lower, claim.upper) == pytest.approx((64 * unit.lower, 64 * unit.upper), rel=1e-12)
    assert claim.measure == "mean-loss"


def test_a_shifted_range_is_rounded_outward_too() -> None:
    # The estimate itself is the exact limit of the normal interval here, and must not be excluded.
    for low, high in ((0.1, 0.3), (-1 / 3, 1 / 7), (1e6, 1e6 + 1)):
        claim = hf.bound(Losses([high, high], low, high), "normal")
        assert claim.lower <= claim.estimate <= claim.upper <= high


def test_what_a_claim_assumes_is_what_its_method_needs() -> None:
    assert Assumption.KNOWN_RANGE in hf.bound(Losses([0.5, 0.6])).assumes
    assert Assumption.SHUFFLED in hf.bound(Losses([0.5, 0.6]), "betting").assumes
    assert Assumption.SHUFFLED not in hf.bound(Losses([0.5, 0.6])).assumes
    assert Assumption.KNOWN_RANGE not in hf.bound(Counts(8, 30)).assumes
    assert Assumption.OWN_RANGES in hf.bound(Losses([0.1, 1.5], high=[1, 2])).assumes
    assert Assumption.EXCHANGEABLE in hf.bound(Counts(8, 30), unlabelled=5).assumes


# ---- Arrays


def test_a_grid_of_claims_is_one_call() -> None:
    claim = hf.bound(Counts([[0], [3], [10]], [10, 20]), delta=[0.05, 0.1])
    assert claim.upper.shape == claim.lower.shape == claim.estimate.shape == (3, 2)
    for (i, j), upper in np.ndenumerate(claim.upper):
        alone = hf.bound(Counts([0, 3, 10][i], [10, 20][j]), delta=[0.05, 0.1][j])
        assert (claim.lower[i, j], upper) == (alone.lower, alone.upper)


def test_arrays_with_and_without_data() -> None:
    claim = hf.bound(Counts([0, 3], [0, 10]))
    assert np.isnan(claim.estimate[0])
    assert (claim.lower[0], claim.upper[0]) == (0.0, 1.0)
    assert claim.upper[1] == pytest.approx(hf.bound(Counts(3, 10)).upper, rel=1e-13)


def test_rows_of_losses_are_as_many_samples() -> None:
    rows = RNG.random((4, 25))
    claim = hf.bound(Losses(rows), side="upper")
    assert claim.upper == pytest.approx([hf.bound(Losses(row), side="upper").upper for row in rows], rel=1e-12)
    assert claim.n == 25


def test_an_empty_array_gives_an_empty_claim() -> None:
    assert hf.bound(Counts([], 10)).upper.shape == (0,)


def test_a_thousand_intervals_agree_with_one() -> None:
    k = np.arange(1001)
    claim = hf.bound(Counts(k, 1000), delta=1e-6)
    assert np.all(np.diff(claim.upper) >= 0)
    assert claim.upper[77] == hf.bound(Counts(77, 1000), delta=1e-6).upper


# ---- Every bound


@pytest.mark.parametrize("side", ["upper", "lower", "both"])
def test_every_method_that_fits_stands_side_by_side(side: Any) -> None:
    for evidence in (Counts(8, 30), Losses([0.1, 0.5, 0.3]), Losses.from_moments(10, 0.1)):
        report = hf.every_bound(evidence, side=side, delta=0.1)
        assert [claim.method for claim in report.claims] == [m.name for m in methods() if m.fits(evidence, side)]
        for claim in report.claims:
            assert (claim.side, claim.delta) == (side, 0.1)


def test_counts_come_with_their_worst_coverage_and_losses_without() -> None:
    for line in hf.every_bound(Counts(8, 30)).lines:
        worst = hf.worst_coverage(line.claim.method, 30).coverage
        assert line.coverage == worst
        assert line.to_dict()["worst_coverage"] == worst
    for line in hf.every_bound(Losses([0.1, 0.2])).lines:
        assert line.coverage is None
        assert "worst_coverage" not in line.to_dict()


def test_very_large_counts_are_not_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_bound, "LARGEST_ENUMERATION", 20)
    assert all(line.coverage is None for line in hf.every_bound(Counts(8, 30)).lines)
    assert all(line.coverage is None for line in hf.every_bound(Counts(0, 0)).lines)


def test_every_bound_of_arrays_or_of_no_evidence_is_refused() -> None:
    nothing: Any = "8 of 30"
    for evidence in (Counts([1, 2], 10), Losses(np.zeros((2, 3))), nothing):
        with pytest.raises(hf.HoldfastError):
            str(hf.every_bound(evidence))
    with pytest.raises(hf.HoldfastError):
        hf.every_bound(Counts(8, 30), delta=[0.1, 0.2])  # type: ignore[arg-type]


# ---- Defaults of every kind of evidence


def test_what_comes_without_proof_answers_only_where_nothing_firmer_does() -> None:
    for kind, names in room_of_bound.ANSWERS.items():
        firmer = [
            bound.name
            for bound in methods()
            if bound.guarantee is not Guarantee.HEURISTIC and issubclass(kind, bound.takes)
        ]
        for name in names:
            assert find(name).guarantee is not Guarantee.HEURISTIC or not firmer, f"{name}, though there is {firmer}"
