"""Log loss and Brier score against scikit-learn, by values and by moments, and the brackets of binned forecasts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn import metrics

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.evidence import Forecasts, Losses, Scores
from holdfast.measures import ranking as room
from holdfast.measures.ranking import CLIP, brier, log_loss
from tests.evidence.ranking.test_scores import UNIT, Examples

MEASURES = pytest.mark.parametrize("measure", [log_loss, brier], ids=["log loss", "Brier"])


def estimate(losses: Losses) -> float:
    return float(losses.units(losses.mean))


def forecasts_of(rows: Examples) -> Forecasts:
    return Forecasts.of_scores(Scores(*rows))


def binned(rows: Examples, width: float) -> Forecasts:
    places = np.minimum(np.floor(rows[0] / width), 1 / width - 1) * width
    return Forecasts.of_scores(Scores.from_counts(places, rows[1].astype(int), (~rows[1]).astype(int), width=width))


@given(UNIT)
@settings(max_examples=100)
def test_two_classes_agree_with_scikit_learn(rows: Examples) -> None:
    if rows[0].size == 0:
        return
    for clip in (CLIP, 0.01, float(np.finfo(float).eps)):
        wanted = metrics.log_loss(rows[1], np.clip(rows[0], clip, 1 - clip), labels=[False, True])
        assert estimate(log_loss(forecasts_of(rows), clip=clip)) == pytest.approx(wanted, rel=1e-9)
    wanted = metrics.brier_score_loss(rows[1], rows[0], labels=[False, True])
    assert estimate(brier(forecasts_of(rows))) == pytest.approx(wanted, abs=1e-14)


def many_classes() -> tuple[np.ndarray, np.ndarray, Forecasts]:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 4, 500)
    given = rng.dirichlet(np.ones(4) / 2, 500)
    hit = np.eye(4)[truth]
    return truth, given, Forecasts(given[np.arange(500), truth], ((given - hit) ** 2).sum(axis=1))


def test_many_classes_agree_with_scikit_learn() -> None:
    truth, given, forecasts = many_classes()
    own = np.clip(given[np.arange(500), truth], CLIP, 1 - CLIP)
    assert estimate(log_loss(forecasts)) == pytest.approx(-np.log(own).mean(), rel=1e-13)
    tiny = float(np.finfo(float).eps)
    assert estimate(log_loss(forecasts, clip=tiny)) == pytest.approx(metrics.log_loss(truth, given), rel=1e-12)
    assert estimate(brier(forecasts)) == pytest.approx(metrics.brier_score_loss(truth, given), rel=1e-13)
    assert brier(forecasts).high == 2.0


@MEASURES
def test_moments_say_what_the_values_say(measure: Callable[..., Losses], monkeypatch: pytest.MonkeyPatch) -> None:
    for forecasts in (many_classes()[2], forecasts_of((np.linspace(0, 1, 400) ** 3, np.arange(400) % 3 == 0))):
        monkeypatch.setattr(room, "MOST_VALUES", 10**6)
        values = measure(forecasts)
        monkeypatch.setattr(room, "MOST_VALUES", 0)
        moments = measure(forecasts)
        assert (values.has("values"), moments.has("values")) == (True, False)
        assert (moments.low, moments.high, int(moments.n)) == (values.low, values.high, int(values.n))
        assert float(moments.mean) == pytest.approx(float(values.mean), rel=1e-12)
        assert float(moments.s2) == pytest.approx(float(values.s2), rel=1e-12)
        assert moments.at_most() is moments


@MEASURES
def test_the_order_leaves_no_trace(measure: Callable[..., Losses], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    given, positive = np.round(rng.random(3000), 4), rng.random(3000) < 0.4
    order = rng.permutation(3000)
    first, second = forecasts_of((given, positive)), forecasts_of((given[order], positive[order]))
    counted = Forecasts.of_scores(Scores.from_counts(*Scores(given, positive).cells()))
    truth = np.where(positive, given, 1 - given)
    by_rows = [Forecasts(truth[each], (1 - truth[each]) ** 2, squares_high=1.0) for each in (np.arange(3000), order)]
    for most in (10**6, 0):
        monkeypatch.setattr(room, "MOST_VALUES", most)
        for one, other in ((first, second), (first, counted), by_rows):
            a, b = measure(one), measure(other)
            assert (a.mean, a.s2, a.complement) == (b.mean, b.s2, b.complement)
            if most:
                assert np.array_equal(a.values, b.values)


@pytest.mark.crossing(3)
@MEASURES
@pytest.mark.parametrize("width", [0.5, 0.125, 2.0**-10])
def test_the_bracket_of_binned_forecasts_holds(measure: Callable[..., Losses], width: float) -> None:
    @given(UNIT)
    @settings(max_examples=40)
    def holds(rows: Examples) -> None:
        if rows[0].size == 0:
            return
        exact, rough = measure(forecasts_of(rows)), measure(binned(rows, width))
        least, most = rough.at_least(), rough.at_most()
        assert float(least.mean) <= float(exact.mean) + 1e-14
        assert float(exact.mean) <= float(most.mean) + 1e-14
        assert float(least.mean) <= float(rough.mean) <= float(most.mean)
        for end in (least, rough, most, rough.mirror(), rough.mirror().at_most()):
            assert float(end.s2) >= float(exact.s2) - 1e-14
        claim, wanted = hf.bound(rough, "maurer-pontil"), hf.bound(exact, "maurer-pontil")
        assert claim.lower <= wanted.lower + 1e-12
        assert wanted.upper - 1e-12 <= claim.upper

    holds()


@MEASURES
def test_fine_bins_cost_next_to_nothing(measure: Callable[..., Losses]) -> None:
    rng = np.random.default_rng(6)
    given = rng.beta(2, 2, 20_000)
    rows = given, rng.random(20_000) < given
    exact, rough = measure(forecasts_of(rows)), measure(binned(rows, 2.0**-20))
    for end in (rough.at_least(), rough, rough.at_most()):
        assert float(end.mean) == pytest.approx(float(exact.mean), rel=1e-4)
    assert float(rough.s2) == pytest.approx(float(exact.s2), rel=1e-3)


def test_who_answers() -> None:
    forecasts = forecasts_of((np.array([0.9, 0.4, 0.2]), np.array([True, False, True])))
    assert hf.bound(log_loss(forecasts)).method == "squares"
    assert hf.bound(brier(binned((np.array([0.9, 0.4]), np.array([True, False])), 0.5))).method == "maurer-pontil"


def test_the_clip_is_part_of_the_loss() -> None:
    sure = forecasts_of((np.array([0.0, 1.0, 1.0]), np.array([True, True, False])))
    losses = log_loss(sure, clip=0.01)
    assert losses.units(losses.values) == pytest.approx([-np.log(0.99), -np.log(0.01), -np.log(0.01)])
    assert (losses.low, losses.high) == pytest.approx((-np.log(0.99), -np.log(0.01)))
    claim = hf.bound(losses)
    assert losses.low <= claim.lower <= estimate(losses) <= claim.upper <= losses.high
    for wrong in (0, 0.5, -1, 1, float("nan"), [0.1, 0.2]):
        with pytest.raises(HoldfastError, match="clip"):
            log_loss(sure, clip=wrong)


@MEASURES
@pytest.mark.parametrize("width", [0.0, 0.5])
def test_no_forecasts_say_nothing(measure: Callable[..., Losses], width: float) -> None:
    losses = measure(Forecasts.of_scores(Scores.from_counts([], [], [], width=width)))
    claim = hf.bound(losses)
    assert claim.estimate is None
    assert (claim.lower, claim.upper) == (losses.low, losses.high)
