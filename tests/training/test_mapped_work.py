"""The work as other processes of this machine read it: the same, and gone when it is done."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from holdfast.resampling import plan
from holdfast.training.fit import Work
from holdfast.training.mapped_work import opened, parcelled
from tests.needs import module


@pytest.mark.parametrize("kind", ["array", "columns", "empty", "texts", "frame"])
def test_what_is_opened_is_what_was_sent(kind: str) -> None:
    codes = np.array([0, 1, 0], np.int32)
    given = {
        "array": np.arange(6.0).reshape(3, 2),
        "columns": np.asfortranarray(np.arange(6.0).reshape(3, 2)),
        "empty": np.zeros((3, 0)),
        "texts": [["a"], ["<b>"], [None]],
    }
    X = given[kind] if kind in given else module("pandas").DataFrame({"x": [1.5, 2, 3], "y": ["a", "b", "c"]})
    splits = plan("leave-one-out", codes)
    with parcelled(Work(b"packed", X, np.array(["no", "yes"]), codes, splits, 7, True)) as parcel:
        found = opened(parcel)
    assert found.learner == b"packed"
    assert (found.seed, found.scores) == (7, True)
    np.testing.assert_array_equal(np.asarray(found.X), np.asarray(X))
    np.testing.assert_array_equal(found.codes, codes)
    assert [test.tolist() for _, test in found.plan] == [[0], [1], [2]]
    assert not Path(parcel.path).parent.exists()


def test_arrays_begin_where_they_are_read_fast_and_nobody_writes_to_them() -> None:
    codes = np.arange(5, dtype=np.int32) % 2
    X = np.arange(15.0).reshape(5, 3)
    with parcelled(Work(b"", X, np.array([0, 1]), codes, plan("leave-one-out", codes), 0, False)) as parcel:
        found = opened(parcel)
        assert found.X.ctypes.data % 64 == 0
        assert not found.X.flags.writeable
        assert opened(parcel) is found
