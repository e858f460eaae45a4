"""What each group of a fold adds: each fold has one weight, each group is counted once."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.claims import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import Need
from holdfast.evidence.folds.values import FoldRatio

UNEVEN = FoldRatio([0, 2, 1, 1], [1, 4, 2, 1], fold=[0, 0, 1, 1], most=5)


def test_each_fold_has_one_weight_whatever_its_rows() -> None:
    assert UNEVEN.mean == pytest.approx((2 / 5 + 2 / 3) / 2)
    assert UNEVEN.complement == pytest.approx(1 - UNEVEN.mean)
    assert UNEVEN.mirror().mean == pytest.approx(UNEVEN.complement)
    assert (UNEVEN.n, UNEVEN.folds, UNEVEN.uneven) == (4, 2, True)
    assert Assumption.CAPPED_CLUSTERS in UNEVEN.ranges


def test_draw_by_draw_the_estimate_is_the_same_and_no_cap_goes_with_it() -> None:
    ratio = UNEVEN.by_draw(np.arange(4))
    assert ratio.mean == pytest.approx(float(UNEVEN.mean))
    assert not ratio.has(Need.CAPPED)
    assert ratio.assumes == (Assumption.CLUSTERS,)


def test_groups_that_were_tested_again_count_once() -> None:
    again = FoldRatio([0, 2, 1, 1], [1, 4, 1, 4], fold=[0, 1, 2, 3], most=5, repeats=2)
    assert again.n == 2
    ratio = again.by_draw(np.array([0, 1, 0, 1]))
    assert ratio.n == 2
    assert ratio.mean == pytest.approx(float(again.mean))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (([1, 2], [1, 1], [0, 0], 5), "0 <= above <= below"),
        (([1, 1], [1, 1], [0, 2], 5), "folds counted from 0"),
        (([1, 1], [1, 6], [0, 1], 5), "more than the 5"),
        (([1, 1], [1, 1], [0], 5), "one number above"),
        (([], [], [], 5), "one number above"),
    ],
)
def test_what_cannot_be_is_refused(given: tuple, why: str) -> None:
    with pytest.raises(InvalidEvidence, match=why):
        FoldRatio(*given)
