"""Errors on the training examples that are not kept."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.evidence.pools.pool import Compressed


def test_the_kept_examples_do_not_count() -> None:
    model = Compressed(k=3, examples=50, kept=10)
    assert (model.n, model.mean, model.complement) == (40, 3 / 40, 37 / 40)
    assert model.mirror().k == 37
    assert model.mirror().mean == model.complement


def test_where_everything_is_kept_nothing_is_known() -> None:
    model = Compressed(k=0, examples=5, kept=5)
    assert not model.known
    assert (model.mean, model.complement) == (0, 0)


def test_numbers_may_be_arrays() -> None:
    model = Compressed([[0], [1]], 20, [2, 4, 6], log_message=-1.0)
    assert model.mean.shape == model.n.shape == model.log_message.shape == (2, 3)
    both = model.both_ends()
    assert both.k.shape == both.n.shape == (2, 2, 3)
    assert np.array_equal(both.k[1], model.mirror().k)
    assert model.of(1).k.tolist() == [1, 1, 1]
    assert model.of(slice(1)).kept.tolist() == [[2, 4, 6]]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"k": 6, "examples": 10, "kept": 5}, "k = 6 errors, 5 examples kept of 10"),
        ({"k": 0, "examples": 4, "kept": 5}, "5 examples kept of 4"),
        ({"k": -1, "examples": 4, "kept": 0}, "whole numbers"),
        ({"k": 0, "examples": 4, "kept": 0.5}, "whole numbers"),
        ({"k": 0, "examples": 4, "kept": 0, "log_message": 0.1}, "at most 1"),
        ({"k": 0, "examples": 4, "kept": 0, "log_message": np.nan}, "finite"),
        ({"k": [0, 1], "examples": [4, 4, 4], "kept": 0}, "matching shapes"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], told: str) -> None:
    with pytest.raises(InvalidEvidence, match=told):
        Compressed(**given)  # type: ignore[arg-type]
