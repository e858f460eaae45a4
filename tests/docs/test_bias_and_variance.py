"""What the page on bias and variance says of leaving one out."""

from __future__ import annotations

import numpy as np
from sklearn.dummy import DummyClassifier

from holdfast.resampling import plan
from holdfast.training import fit_all


def test_leaving_one_out_makes_the_majority_err_every_time() -> None:
    """Document 003's extreme example, and its cure: what is held out in equal shares is judged as it deserves."""
    y = np.array(["heads", "tails"] * 50)
    majority, nothing = DummyClassifier(strategy="most_frequent"), np.zeros((100, 1))
    trapped = fit_all(majority, nothing, y, plan("leave-one-out", y), engine="serial")
    assert np.all(trapped.predicted != trapped.truth[trapped.rows])
    fair = fit_all(majority, nothing, y, plan("stratified", y), engine="serial")
    assert np.mean(fair.predicted != fair.truth[fair.rows]) == 0.5
