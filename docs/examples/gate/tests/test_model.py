"""The model keeps what we promise of it, and the data at hand prove it."""

from pathlib import Path

import pytest

import holdfast as hf
from holdfast.testing import assert_at_least, assert_at_most

PREDICTIONS = Path(__file__).parents[1] / "predictions.csv"


@pytest.fixture(scope="session")
def predictions() -> hf.Predictions:
    return hf.read(PREDICTIONS)


def test_it_seldom_errs(predictions: hf.Predictions) -> None:
    assert_at_most(predictions, measure="error-rate", limit=0.05)


def test_it_finds_fraud(predictions: hf.Predictions) -> None:
    assert_at_least(predictions, measure="recall", label="fraud", limit=0.9)


def test_it_seldom_suspects_the_innocent(predictions: hf.Predictions) -> None:
    assert_at_least(predictions, measure="precision", label="fraud", limit=0.8, undecided="skip")
