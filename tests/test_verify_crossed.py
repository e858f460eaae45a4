"""The learners that cross-validation is tried on: their true risk is true, and trials know what they aim at."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find, methods
from holdfast.errors import UnfitMethod
from holdfast.verify import number_of_checks, verify
from holdfast.verify.learners import (
    GAP,
    LEARNERS,
    RARE,
    NearestMean,
    NearestNeighbour,
    aim,
    average,
    needs_folds,
    sequence,
)

NUMBER = 6000


@pytest.mark.parametrize("name", LEARNERS)
def test_on_average_a_fold_says_the_risk_of_its_model(name: str) -> None:
    learner = LEARNERS[name](np.random.default_rng(9), NUMBER, 60, 5, 0.05, "upper")
    for trial in (average, sequence):
        evidence, truth = trial(learner, 60, 5)
        off = evidence.mean - truth
        assert abs(off.mean()) < 5 * off.std() / np.sqrt(NUMBER)
        assert off.std() > 0


def test_the_nearest_neighbour_is_the_nearest() -> None:
    generator = np.random.default_rng(2)
    learner, train = NearestNeighbour(generator, 4, 15), generator.random(15) < 0.5
    fitted, grid = learner.fit(train), (np.arange(20_000) + 0.5) / 20_000
    for row, places in enumerate(learner.place):
        kept = train[places]

        def said(x: np.ndarray, row: int = row, kept: np.ndarray = kept) -> np.ndarray:
            away = np.abs(x[:, np.newaxis] - learner.x[row, kept])
            return np.asarray(learner.rare[row, kept][np.minimum(away, 1 - away).argmin(axis=1)])

        assert fitted.wrong[row, places].tolist() == (said(learner.x[row]) != learner.rare[row]).tolist()
        rare = said(grid).mean()
        assert fitted.risk[row] == pytest.approx(RARE * (1 - rare) + (1 - RARE) * rare, abs=1e-3)


def test_the_risk_of_a_cut_is_that_of_many_new_examples() -> None:
    generator = np.random.default_rng(3)
    learner = NearestMean(generator, 1, 400_000)
    part = np.arange(400_000) < 10
    fitted = learner.fit(part)
    assert fitted.wrong[0, ~part].mean() == pytest.approx(fitted.risk[0], abs=5e-3)
    assert fitted.risk[0] > 0.5 * 0.5 * GAP


def test_the_turncoat_keeps_its_model_only_on_the_lucky_fold() -> None:
    learner = LEARNERS["turncoat"](np.random.default_rng(1), 2000, 200, 10, 0.05, "upper")
    evidence, truth = average(learner, 200, 10)
    lucky = (learner.counts == 0).sum(axis=1)  # type: ignore[attr-defined]
    assert np.mean(lucky == 1) == pytest.approx(0.315, abs=0.06)
    rate = learner.rate  # type: ignore[attr-defined]
    assert np.all(truth[lucky == 1] == pytest.approx((rate + 9) / 10))
    assert np.all(truth[lucky == 0] == pytest.approx(rate))
    assert np.all(truth[lucky > 1] == 1.0)
    assert np.all(evidence.k[lucky == 1].min(axis=1) == 0)


def test_who_aims_at_what() -> None:
    aims = {bound.name: aim(bound)[0] for bound in methods() if needs_folds(bound)}
    assert aims == {
        **dict.fromkeys(("geometric-merge", "geometric-merge-kl", "hoeffding-cv", "each-fold"), "fold-average"),
        **dict.fromkeys(("bayle", "bayle-within", "pooled", "averaged-folds"), "fold-average"),
        **dict.fromkeys(("fold-t", "fold-z", "nadeau-bengio", "bouckaert-frank"), "algorithm"),
        **dict.fromkeys(("progressive", "progressive-mixture"), "sequence"),
        "nested-cv": "refit",
    }


def test_users_can_try_them_too() -> None:
    found = verify("hoeffding-cv", 20, repeats=100)
    assert len(found) == number_of_checks("hoeffding-cv", 20) == len(LEARNERS)
    assert all(result.kept and result.n == 20 for result in found)
    assert found[0].law == "fold-average, nearest mean"
    again = verify("hoeffding-cv", 20, repeats=100)
    assert [result.to_dict() for result in found] == [result.to_dict() for result in again]
    with pytest.raises(UnfitMethod, match="no law here draws"):
        verify("five-by-two-t")
    assert find("nested-cv").name == verify("nested-cv", 30, repeats=50)[0].method
