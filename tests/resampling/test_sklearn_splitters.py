"""Splitters of scikit-learn and pairs of indices: taken as they are, and labelled for what is known of them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn import model_selection as sk

from holdfast.errors import HoldfastError
from holdfast.resampling import plan

Y = np.arange(60) % 3
GROUPS = np.arange(60) // 5
ROWS = np.zeros((60, 1))

SPLITTERS = [
    # splitter, groups, repeats, blind, stratified, once
    (sk.KFold(5), None, 1, True, False, True),
    (sk.KFold(5, shuffle=True, random_state=1), None, 1, True, False, True),
    (sk.RepeatedKFold(n_splits=4, n_repeats=3, random_state=1), None, 3, True, False, True),
    (sk.ShuffleSplit(6, random_state=1), None, 1, True, False, False),
    (sk.LeaveOneOut(), None, 1, True, False, True),
    (sk.TimeSeriesSplit(4), None, 1, True, False, False),
    (sk.StratifiedKFold(5), None, 1, False, True, True),
    (sk.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1), None, 3, False, True, True),
    (sk.StratifiedShuffleSplit(6, random_state=1), None, 1, False, True, False),
    (sk.LeaveOneGroupOut(), GROUPS, 1, False, False, True),
    (sk.GroupKFold(4), GROUPS, 1, False, False, True),
    (sk.StratifiedGroupKFold(4), GROUPS, 1, False, True, True),
    (sk.PredefinedSplit(np.arange(60) % 4), None, 1, False, None, True),
]


@pytest.mark.parametrize(
    ("splitter", "groups", "repeats", "blind", "stratified", "once"), SPLITTERS, ids=lambda value: type(value).__name__
)
def test_splitters_of_scikit_learn_are_taken_as_they_are(
    splitter: Any, groups: Any, repeats: int, blind: bool, stratified: bool | None, once: bool
) -> None:
    found = plan(splitter, Y, groups=groups)
    theirs = [*splitter.split(ROWS, Y, groups)]
    assert len(found) == len(theirs)
    for number, (train, test) in enumerate(theirs):
        assert np.array_equal(found.train(number), train)
        assert np.array_equal(found.test(number), test)
        assert (found.n_train[number], found.n_test[number]) == (len(train), len(test))
    assert (found.scheme, found.seed, found.repeats) == (type(splitter).__name__, None, repeats)
    assert (found.blind, found.stratified, found.grouped) == (blind, stratified, groups is not None)
    assert (found.once, found.disjoint, found.fresh) == (once, True, blind)
    assert plan(splitter, Y, groups=groups).fingerprint == found.fingerprint


def test_what_a_user_derives_may_look_at_labels() -> None:
    class KFold(sk.KFold):
        def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
            order = np.argsort(y)
            return ((order[train], order[test]) for train, test in super().split(X, y, groups))

    found = plan(KFold(3), Y)
    assert (found.blind, found.stratified, found.fresh) == (False, None, False)
    assert set(Y[found.test(0)]) == {0}


def test_blind_splitters_need_no_labels() -> None:
    assert plan(sk.KFold(5), 60).fingerprint == plan(sk.KFold(5), Y).fingerprint
    with pytest.raises(HoldfastError, match="StratifiedKFold could not split 60 rows"):
        plan(sk.StratifiedKFold(5), 60)


def test_labels_reach_the_splitter_as_they_are() -> None:
    words = np.array(["x", "yy", "z"])[Y]
    assert plan(sk.StratifiedKFold(5), words.tolist()).fingerprint == plan(sk.StratifiedKFold(5), Y).fingerprint


def test_pairs_keep_their_order_and_are_not_believed_to_be_blind() -> None:
    pairs = [([5, 3, 3, 0], [1, 2]), (np.array([0, 1], np.int8), range(5, 1, -1)), ([0, 1, 2, 3, 4], [5])]
    for given in (pairs, iter(pairs), tuple(pairs)):
        found = plan(given, 6)
        assert [found.train(number).tolist() for number in range(3)] == [[5, 3, 3, 0], [0, 1], [0, 1, 2, 3, 4]]
        assert [found.test(number).tolist() for number in range(3)] == [[1, 2], [5, 4, 3, 2], [5]]
        assert (found.scheme, found.repeats, found.folds) == ("given", 1, 3)
        assert (found.blind, found.stratified, found.once, found.disjoint) == (False, None, False, True)


def test_flags_say_which_rows_as_well() -> None:
    flags = np.array([True, False, True, False])
    found = plan([(flags, ~flags)], 4)
    assert (found.train(0).tolist(), found.test(0).tolist()) == ([0, 2], [1, 3])


def test_rows_that_train_and_test_are_noticed() -> None:
    overlapping = plan([([0, 1], [2, 3]), ([0, 1, 2], [2, 3])], 4)
    assert (overlapping.disjoint, overlapping.once) == (False, False)
    twice = plan([([2, 3], [0, 1]), ([2, 3], [0, 1])], 4)  # as many rows as there are, but not each of them
    assert not twice.once


def test_leaving_one_out_takes_no_square_of_memory() -> None:
    found = plan(sk.LeaveOneOut(), 3_000)
    assert len(pickle.dumps(found)) < 100_000
    assert len(found.train(7)) == 2_999


def test_other_orders_of_the_rest_are_kept() -> None:
    found = plan([([2, 1], [0])], 3)
    assert found.train(0).tolist() == [2, 1]


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ([], "at least one split"),
        ([([0, 1], [])], "Split 0 has no rows to test on"),
        ([([0], [1]), ([], [1])], "Split 1 has no rows to train on"),
        ([([0, 1], [4])], "Split 0 is to test on row 4; rows are counted from 0 to 3"),
        ([([-1], [0])], "Split 0 is to train on row -1"),
        ([([0], [1, 1])], "Split 0 tests a row twice"),
        ([([0.5], [1])], "should be whole numbers from 0"),
        ([(["a"], [1])], "should be whole numbers from 0"),
        ([([[0]], [1])], "should be whole numbers from 0"),
        ([([True, False], [1])], "should be whole numbers from 0"),
        ([([0, [1]], [1])], "should be whole numbers from 0"),
        ([5], "Split 0 should be a pair"),
        ([([0], [1], [2])], "Split 0 should be a pair"),
        ({0: 1}, "A scheme is a name, a splitter with a method split, or pairs of indices"),
        (5, "A scheme is a name"),
        (None, "A scheme is a name"),
        (sk.KFold, "A scheme is a name"),
        (b"kfold", "A scheme is a name"),
    ],
)
def test_what_is_no_plan_is_refused(pairs: Any, told: str) -> None:
    with pytest.raises(HoldfastError, match=told):
        plan(pairs, 4)


def test_options_of_ours_do_not_reach_splitters_of_others() -> None:
    with pytest.raises(HoldfastError, match="A splitter or a list of pairs has no use for folds=5"):
        plan(sk.KFold(5), Y, folds=5)
    with pytest.raises(HoldfastError, match="KFold does not keep groups together; use one that does"):
        plan(sk.KFold(5), Y, groups=GROUPS)
    with pytest.raises(HoldfastError, match="leave groups= out"):
        plan([([0], [1])], Y, groups=GROUPS)
    with pytest.raises(HoldfastError, match=r"GroupKFold could not split 60 rows: .*groups"):
        plan(sk.GroupKFold(4), Y)
    with pytest.raises(HoldfastError, match="KFold could not split 4 rows"):
        plan(sk.KFold(5), 4)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("kfold", sk.KFold(7, shuffle=True, random_state=0)),
        ("stratified", sk.StratifiedKFold(7, shuffle=True, random_state=0)),
        ("leave-one-out", sk.LeaveOneOut()),
    ],
)
def test_our_folds_are_as_large_as_those_of_scikit_learn(ours: str, theirs: Any) -> None:
    mine, other = plan(ours, Y, folds=7 if ours != "leave-one-out" else None), plan(theirs, Y)
    assert sorted(mine.n_test.tolist()) == sorted(other.n_test.tolist())
    assert np.array_equal(mine.n_train + mine.n_test, other.n_train + other.n_test)
    per_class = [sorted(np.bincount(Y[test], minlength=3).tolist() for _, test in each) for each in (mine, other)]
    if ours != "kfold":
        assert [sum(counts) for counts in zip(*per_class[0], strict=True)] == [20, 20, 20]
        assert np.ptp(per_class[0], axis=0).tolist() == np.ptp(per_class[1], axis=0).tolist()
