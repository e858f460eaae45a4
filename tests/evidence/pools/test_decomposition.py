from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import holdfast as hf
from holdfast.errors import InvalidEvidence
from holdfast.evidence.pools.decomposition import squared, squared_probabilities, zero_one
from tests.needs import module


@st.composite
def votes(draw: st.DrawFn) -> tuple[Any, Any, int]:
    classes, rounds, points = draw(st.integers(2, 5)), draw(st.integers(2, 9)), draw(st.integers(1, 6))
    codes = st.integers(0, classes - 1)
    predicted = draw(arrays(np.int32, (rounds, points), elements=codes))
    return predicted, draw(arrays(np.int64, points, elements=codes)), classes


@given(votes())
def test_zero_one_loss_is_bias_plus_net_variance_point_by_point(drawn: Any) -> None:
    predicted, truth, classes = drawn
    found = zero_one(predicted, truth, classes)
    assert np.allclose(found.loss, found.bias + found.net, rtol=0, atol=1e-15)
    assert np.array_equal(found.loss, (predicted != truth).mean(axis=0))


@given(votes())
def test_zero_one_is_domingos_sum_counted_by_hand(drawn: Any) -> None:
    """c V with c = 1 on unbiased points and minus P(M = y | M != main) on biased ones, in fractions."""
    predicted, truth, classes = drawn
    found = zero_one(predicted, truth, classes)
    rounds = len(predicted)
    for point, y in enumerate(truth.tolist()):
        told = predicted[:, point].tolist()
        main = max(range(classes), key=lambda code: (told.count(code), -code))
        strays = Fraction(rounds - told.count(main), rounds)
        c = Fraction(1) if main == y or not strays else -Fraction(told.count(y), rounds - told.count(main))
        assert found.main is not None
        assert (int(found.main[point]), float(found.bias[point])) == (main, float(main != y))
        assert found.variance[point] == pytest.approx(float(strays), abs=1e-15)
        assert found.net[point] == pytest.approx(float(c * strays), abs=1e-15)
        if classes == 2:
            assert found.net[point] == pytest.approx((1 if main == y else -1) * float(strays), abs=1e-15)


@given(votes())
def test_every_part_stays_within_the_range_that_is_claimed_for_it(drawn: Any) -> None:
    predicted, truth, classes = drawn
    numbers = np.linspace(-1.0, 1.0, classes)
    for found in (
        zero_one(predicted, truth, classes),
        squared(numbers[predicted], numbers[truth], numbers.tolist()),
        squared_probabilities(np.eye(classes)[predicted], truth),
    ):
        evidence = found.evidence()  # which refuses a value outside
        assert next(iter(evidence)) == "expected-loss"
        assert found.loss.min() >= 0
        assert found.variance.min() >= 0
        assert np.allclose(found.loss, found.bias + found.net, rtol=0, atol=1e-12)


def test_the_ranges_are_reached() -> None:
    tied = zero_one(np.array([[0, 1], [1, 0]]), np.array([1, 0]), 2)
    assert tied.variance.max() == tied.highest_variance == 0.5
    assert tied.net.min() == tied.lowest_net == -0.5
    between = squared(np.array([[-1.0], [1.0]]), np.array([0.0]), [-1, 0, 1])
    assert between.bias.min() == between.lowest_bias == -1.0
    assert between.variance.max() == between.highest_variance == 2.0
    spread = squared_probabilities(np.eye(3)[[[0], [1], [2]]], np.array([0]))
    assert spread.variance.max() == pytest.approx(spread.highest_variance)
    apart = squared_probabilities(np.eye(3)[[[0], [0]]], np.array([1]))
    assert apart.loss.max() == apart.highest_loss == 2.0


@given(
    arrays(np.float64, (5, 4), elements=st.floats(-1, 1)),
    arrays(np.float64, 4, elements=st.sampled_from([-1.0, 0.25, 1.0])),
)
def test_squared_parts_are_the_mean_square_and_the_sample_variance(predicted: Any, truth: Any) -> None:
    found = squared(predicted, truth, [-1, 0.25, 1])
    assert np.allclose(found.loss, ((predicted - truth) ** 2).mean(axis=0))
    assert np.allclose(found.variance, predicted.var(axis=0, ddof=1))
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]  # unbiased: no distance meets itself
    by_pairs = np.mean([(predicted[i] - truth) * (predicted[j] - truth) for i, j in pairs], axis=0)
    assert np.allclose(found.bias, by_pairs, atol=1e-12)


def test_the_corrected_squared_bias_is_right_on_average_and_the_plain_one_is_not() -> None:
    """All samples of three predictions, each -1 or 1 with even chance, at truth 1: bias 1, variance 1."""
    samples = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1)
    found = squared(samples, np.ones(8), [-1, 1])
    assert found.bias.mean() == pytest.approx(1.0)
    assert found.variance.mean() == pytest.approx(1.0)
    assert found.loss.mean() == pytest.approx(2.0)
    assert ((samples.mean(axis=0) - 1) ** 2).mean() == pytest.approx(1 + 1 / 3)


def test_two_classes_of_the_book_lose_four_times_the_zero_one_loss() -> None:
    """Classes are +1 and -1 in the book, whose table beside Example 22.13 has 0.04 and 0.16, 0.02 and 0.10 rounded."""
    rng = np.random.default_rng(3)
    predicted, truth = rng.integers(0, 2, (10, 150)), rng.integers(0, 2, 150)
    ends = np.array([-1.0, 1.0])
    labels, numbers = zero_one(predicted, truth, 2), squared(ends[predicted], ends[truth], [-1, 1])
    assert np.allclose(numbers.loss, 4 * labels.loss)


def test_many_ways_of_training_at_once_are_the_same_as_one_by_one() -> None:
    rng = np.random.default_rng(1)
    predicted, truth = rng.integers(0, 3, (4, 6, 10)), rng.integers(0, 3, 10)
    together = zero_one(predicted, truth, 3)
    for place in range(4):
        alone = zero_one(predicted[place], truth, 3)
        for name in ("loss", "bias", "variance", "net"):
            assert np.array_equal(getattr(together, name)[place], getattr(alone, name))
    told = rng.dirichlet(np.ones(3), size=(4, 6, 10))
    assert np.allclose(squared_probabilities(told, truth).bias[2], squared_probabilities(told[2], truth).bias)


def test_the_bias_is_counted_and_the_rest_are_losses() -> None:
    found = zero_one(np.array([[0, 1, 1], [0, 1, 0]]), np.array([0, 0, 0]), 2).evidence()
    assert isinstance(found["bias"], hf.Counts)
    assert int(found["bias"].k) == 1  # of a tie the first label is the main prediction
    assert found["net-variance"].estimate == pytest.approx(1 / 6)
    assert found["expected-loss"].estimate == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("predicted", "truth"),
    [([[0, 1]], [0, 1]), ([0, 1], [0, 1]), ([[0, 1], [0, 1]], [0]), (np.zeros((2, 0), int), [])],
)
def test_what_is_no_table_of_predictions_is_refused(predicted: Any, truth: Any) -> None:
    with pytest.raises(InvalidEvidence, match="two training sets"):
        zero_one(np.asarray(predicted), np.asarray(truth), 2)


@pytest.mark.parametrize("code", [-1, 2])
def test_codes_of_no_class_are_refused(code: int) -> None:
    with pytest.raises(InvalidEvidence, match="from 0 to 1"):
        zero_one(np.array([[0, 1], [code, 1]]), np.array([0, 1]), 2)


class Recorded:
    """A learner whose predictions a peer cannot keep to itself."""

    def __init__(self) -> None:
        from sklearn.tree import DecisionTreeClassifier

        self.tree, self.told = DecisionTreeClassifier(random_state=0), []  # type: ignore[var-annotated]

    def fit(self, x: Any, y: Any) -> Recorded:
        self.tree.fit(x, y)
        return self

    def predict(self, x: Any) -> Any:
        self.told.append(self.tree.predict(x))
        return self.told[-1]


def data(classes: int) -> Any:
    rng = np.random.default_rng(7)
    y = rng.integers(0, classes, 160)
    return rng.normal(size=(160, 2)) + y[:, None], y


@pytest.mark.parametrize("classes", [2, 4])
def test_agrees_with_mlxtend_where_classes_are_codes(classes: int) -> None:
    peer = module("mlxtend.evaluate")
    x, y = data(classes)
    learner = Recorded()
    theirs = peer.bias_variance_decomp(learner, x[:100], y[:100], x[100:], y[100:], num_rounds=20, random_seed=1)
    ours = zero_one(np.stack(learner.told), y[100:], classes)
    assert theirs == pytest.approx([part.mean() for part in (ours.loss, ours.bias, ours.variance)], abs=1e-12)


def test_mlxtend_counts_a_share_of_the_variance_of_squares_as_bias() -> None:
    peer = module("mlxtend.evaluate")
    x, y = data(3)
    learner = Recorded()
    loss, bias, variance = peer.bias_variance_decomp(
        learner, x[:100], y[:100], x[100:], y[100:], loss="mse", num_rounds=5, random_seed=1
    )
    ours = squared(np.stack(learner.told), y[100:], [0, 1, 2])
    assert loss == pytest.approx(ours.loss.mean())
    assert bias == pytest.approx(ours.bias.mean() + ours.variance.mean() / 5)
    assert variance == pytest.approx(ours.variance.mean() * 4 / 5)


def test_mlxtend_fails_on_the_classes_of_the_book() -> None:
    peer = module("mlxtend.evaluate")
    x, y = data(2)
    y = 2 * y - 1
    with pytest.raises(ValueError):
        peer.bias_variance_decomp(Recorded(), x[:100], y[:100], x[100:], y[100:], num_rounds=2, random_seed=1)
