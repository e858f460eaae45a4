"""Counts and means of folds, and what each says of itself."""

from __future__ import annotations

import pytest

from holdfast.errors import InvalidEvidence
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, FoldSample, Progressive

UNEVEN = FoldCounts([1, 5, 0], [10, 10, 5])


def test_each_fold_has_one_weight() -> None:
    assert UNEVEN.mean == pytest.approx((0.1 + 0.5 + 0.0) / 3)
    assert UNEVEN.complement == pytest.approx((0.9 + 0.5 + 1.0) / 3)
    assert (UNEVEN.n, UNEVEN.folds, UNEVEN.repeats) == (25, 3, 1)
    means = FoldMeans([0.1, 0.5, 0.0], [10, 10, 5])
    assert [float(means.mean), float(means.complement)] == pytest.approx([float(UNEVEN.mean), float(UNEVEN.complement)])
    assert means.units(means.mean) == pytest.approx(means.estimate)


def test_a_fold_without_trials_leaves_the_mean_unknown() -> None:
    assert not FoldCounts([1, 0], [5, 0]).known
    assert FoldCounts([[1, 0], [1, 2]], [[5, 0], [5, 5]]).known.tolist() == [False, True]
    empty = FoldMeans([0.3, 0.0], [5, 0], low=0.2, high=0.4)  # the mean of nothing may be any number
    assert not empty.known
    assert empty.shares.tolist() == pytest.approx([0.5, 0.0])
    assert empty.rests.tolist() == pytest.approx([0.5, 0.0])


def test_repeats_count_every_example_once() -> None:
    twice = FoldCounts([1, 5, 0, 2, 3, 1], [10, 10, 5, 10, 10, 5], repeats=2)
    assert (twice.n, twice.folds) == (25, 6)
    with pytest.raises(InvalidEvidence, match="6 folds cannot be those of 4 repeats"):
        FoldCounts([0] * 6, 5, repeats=4)
    with pytest.raises(InvalidEvidence, match="repeats"):
        FoldCounts([0] * 6, 5, repeats=0)


@pytest.mark.parametrize("folds", [UNEVEN, FoldMeans([-1.0, 2.0, 0.5], [4, 5, 6], -1, 2, s2=[0.0, 0.0, 0.3])])
def test_the_mirror_and_both_ends(folds: FoldSample) -> None:
    turned, both = folds.mirror(), folds.both_ends()
    assert turned.mean == folds.complement
    assert turned.mirror().shares.tolist() == folds.shares.tolist()
    assert both is not None
    assert both.mean.tolist() == [folds.mean, turned.mean]
    assert both.complement.tolist() == [folds.complement, turned.complement]
    assert turned.variances.tolist() == pytest.approx(folds.variances.tolist())
    assert both.n.tolist() == [folds.n, folds.n]
    assert both.variances.shape == both.shares.shape == both.sizes.shape == (2, 3)


def test_several_are_joined_in_a_row() -> None:
    stack = FoldCounts([[1, 2, 3], [4, 5, 6]], 10)
    joined = FoldCounts.joined([UNEVEN, stack])
    assert joined.k.tolist() == [[1, 5, 0], [1, 2, 3], [4, 5, 6]]
    assert joined.n.tolist() == [25, 30, 30]
    assert UNEVEN.alike == stack.alike != FoldCounts([1, 2, 3], 10, stratified=True).alike
    one, two = FoldMeans([0.1, 0.2], 5, s2=0.01), FoldMeans([[5.0, 6.0]], 4, low=0, high=10, s2=1.0)
    means = FoldMeans.joined([one, two])
    assert means.units(means.mean).tolist() == pytest.approx([0.15, 5.5])
    assert means.variances.tolist() == [[0.01, 0.01], [0.01, 0.01]]
    assert one.alike != FoldMeans([0.1, 0.2], 5).alike


def test_flags_say_what_may_be_promised() -> None:
    kinds = {"random folds": (True, False, True), "random folds of fixed sizes": (True, False, False)}
    for need, expected in kinds.items():
        given: tuple[dict[str, bool], ...] = ({}, {"stratified": True}, {"by_prediction": True})
        assert tuple(FoldCounts([1], [2], **how).has(need) for how in given) == expected
        assert tuple(FoldMeans([0.1], [2], **how).has(need) for how in given) == expected
        assert tuple(FoldCounts([1], [2], **how).mirror().has(need) for how in given) == expected
        assert tuple(FoldMeans([0.1], [2], **how).both_ends().has(need) for how in given) == expected
    fixed = "random folds of fixed sizes"
    assert tuple(Progressive(0.1, 5, **how).mirror().has(fixed) for how in given) == (True, False, False)
    assert FoldMeans([0.1], [2], s2=0.0).has("s2")
    assert not FoldMeans([0.1], [2]).has("s2")
    assert not UNEVEN.has("values")


def test_what_is_no_evidence_is_refused() -> None:
    for wrong, said in (
        (lambda: FoldCounts(3, 10), "at least one fold"),
        (lambda: FoldCounts([], []), "at least one fold"),
        (lambda: FoldCounts([11], [10]), "k <= n"),
        (lambda: FoldMeans([0.5, 1.5], 10), r"in \[0, 1\]; one is 1.5"),
        (lambda: FoldMeans([0.5], 10, s2=0.26), "s2"),
        (lambda: FoldMeans([0.5], 10, low=1, high=0), "low < high"),
        (lambda: FoldMeans([0.5, 0.4], [10, 10, 10]), "matching shapes"),
        (lambda: Progressive(1.2, 10), "a mean between them"),
        (lambda: Progressive(0.2, [10, 20]), "one mean for each n"),
    ):
        with pytest.raises(InvalidEvidence, match=said):
            wrong()
    with pytest.raises(InvalidEvidence, match="variance within each fold"):
        _ = FoldMeans([0.5], 10).variances


def test_they_show_themselves() -> None:
    assert repr(FoldCounts([7, 8, 3, 12, 9], 30)) == "FoldCounts(mean=0.26, folds=5, n=150)"
    assert repr(FoldMeans([5.0, 6.0], 4, low=0, high=10)) == "FoldMeans(mean=5.5, folds=2, n=8)"
    assert repr(Progressive.from_counts([[1, 2], [3, 4]], 10)) == "Progressive(mean=[0.15 0.35], n=[20 20])"
