"""Votes by label, against a plain count of what each model says."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence import Array
from holdfast.numerics.voting import votes


@pytest.mark.parametrize("labels", [1, 2, 5, 6, 40])
@pytest.mark.parametrize("weights", [None, np.array([0.1, 0.2, 0.3, 0.25, 0.15])])
@pytest.mark.parametrize("block", [2**22, 35])
def test_every_vote_is_counted_once(
    labels: int, weights: Array | None, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.numerics.voting.BLOCK", block)
    said = np.random.default_rng(labels).integers(0, labels, (5, 100))
    rows = [row for names, weight in votes(said, labels, weights) for row in zip(names, weight, strict=True)]
    assert len(rows) == 100
    for answers, (names, weight) in zip(said.T, rows, strict=True):
        found = {int(name): given for name, given in zip(names, weight, strict=True) if given}
        each = np.ones(5) if weights is None else weights
        assert found == pytest.approx({label: each[answers == label].sum() for label in set(answers.tolist())})
        ordered = names[weight > 0]
        assert np.all(np.diff(ordered) > 0), "labels stand in order, so that the first of equals can be taken"
