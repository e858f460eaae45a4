"""A plan as an object: its numbering, its fingerprint, and its use as a splitter of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from holdfast.resampling import Plan, plan


def test_splits_are_numbered_through_all_repeats() -> None:
    found = plan("kfold", 20, folds=4, repeats=3)
    assert [found.place(number) for number in (0, 3, 4, 11)] == [(0, 0), (0, 3), (1, 0), (2, 3)]
    assert found.place(np.int64(5)) == (1, 1)
    for wrong in (12, -1):
        with pytest.raises(HoldfastError, match="the splits 0 to 11"):
            found.train(wrong)
    with pytest.raises(TypeError):
        found.test(1.0)  # type: ignore[arg-type]


def test_what_is_to_be_said_of_it() -> None:
    found = plan("kfold", 20, folds=4, repeats=3, seed=9)
    told = found.to_dict()
    assert len(told.pop("fingerprint")) == 64
    assert told == {
        "scheme": "kfold",
        "rows": 20,
        "repeats": 3,
        "folds": 4,
        "seed": 9,
        "stratified": False,
        "grouped": False,
        "blind": True,
    }
    assert repr(found) == "Plan(kfold, 20 rows, 3 times 4 splits, seed=9)"
    assert repr(plan("resubstitution", 20)) == "Plan(resubstitution, 20 rows, 1 split)"


def test_the_fingerprint_tells_plans_apart() -> None:
    plans = [
        plan("kfold", 12, folds=4),
        plan("kfold", 12, folds=4, seed=1),
        plan("kfold", 12, folds=3),
        plan("kfold", 13, folds=4),
        plan("kfold", 12, folds=4, repeats=2),
        plan("nested", 12, folds=4),
        plan("5x2", 12),
        plan("kfold", 12, folds=2, repeats=5),
    ]
    assert len({found.fingerprint for found in plans}) == len(plans)


def test_what_is_handed_out_changes_nothing() -> None:
    found = plan("kfold", 12, folds=4)
    assert found.parts is not None
    with pytest.raises(ValueError, match="read-only"):
        found.parts[0, 0] = 3
    found.test(0)[:] = 7
    assert len(np.unique(found.test(0))) == 3


def test_only_what_is_in_parts_has_parts() -> None:
    assert plan("bootstrap", 12).parts is None
    assert plan("bootstrap", 12).held is None
    assert plan("progressive", 12, folds=3).held is None


def test_a_plan_stands_for_itself() -> None:
    found = plan("kfold", 12, folds=4)
    assert plan(found, ["a"] * 12) is found
    with pytest.raises(HoldfastError, match="made for 12 rows; there are 13"):
        plan(found, 13)
    with pytest.raises(HoldfastError, match="A plan has no use for folds=5"):
        plan(found, 12, folds=5)


@pytest.mark.parametrize("scheme", ["kfold", "stratified"])
def test_scikit_learn_takes_it_as_a_splitter(scheme: str) -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import check_cv, cross_val_predict
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    found: Plan = plan(scheme, y, folds=5, seed=2)
    assert check_cv(found) is found
    assert found.get_n_splits() == 5
    theirs = cross_val_predict(GaussianNB(), X, y, cv=found)
    ours: Any = np.empty_like(y)
    for train, test in found:
        ours[test] = GaussianNB().fit(X[train], y[train]).predict(X[test])
    assert np.array_equal(theirs, ours)
    with pytest.raises(HoldfastError, match="made for 150 rows; got 149"):
        found.split(X[1:])


def test_a_grouped_plan_takes_the_groups_it_was_made_for() -> None:
    groups = np.arange(12) // 2
    made = plan("grouped", 12, groups=groups, folds=3)
    assert plan(made, 12, groups=groups) is made
    with pytest.raises(HoldfastError, match="made for other groups: split 0 divides one"):
        plan(made, 12, groups=np.arange(12) // 6)
    with pytest.raises(HoldfastError, match="does not keep groups together"):
        plan(plan("kfold", 12, folds=3), 12, groups=groups)
