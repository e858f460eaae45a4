from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence import Scores
from holdfast.predictions import Predictions
from holdfast.tally import scores as room_of_scores
from holdfast.tally import tally
from tests.tally.asking import given, of, probabilities, refusal


class TestBins:
    """Beyond EXACT_ROWS."""

    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", 499)
        monkeypatch.setattr(room_of_scores, "BATCH", 64)

    random = np.random.default_rng(29)
    truth = random.integers(0, 2, 500)
    score = random.random(500) ** 4

    def test_the_rule_looks_at_the_rows_alone(self) -> None:
        assert of(self.truth, self.truth, self.score).scores["1"].width == 2.0**-20
        assert of(self.truth[1:], self.truth[1:], self.score[1:]).scores["1"].width == 0

    def test_of_probabilities(self) -> None:
        score = self.score.copy()
        score[:4] = [0.0, 1.0, 2.0**-20, np.nextafter(2.0**-20, 0)]
        counted = of(self.truth, self.truth, score)
        values, positives, negatives = counted.scores["1"].cells()
        floor = np.floor(score * 2**20) / 2**20
        assert values.tolist() == sorted(set(floor.tolist()))
        assert values[-1] == 1.0
        assert positives.tolist() == [np.sum((floor == v) & (self.truth == 1)) for v in values]
        assert negatives.tolist() == [np.sum((floor == v) & (self.truth == 0)) for v in values]
        assert counted.forecasts is not None
        assert "in bins of width 9.5e-07" in counted.notes[0]

    @pytest.mark.parametrize(
        ("low", "high"), [(-3.7, 12.1), (0.0, 1.5), (-0.25, 0.5), (1e300, 1.5e300), (0.0, 5e-324), (-1e-320, 0.0)]
    )
    def test_of_any_scores(self, low: float, high: float) -> None:
        score = low + (high - low) * self.score
        score[:2] = low, high
        counted = of(self.truth, self.truth, score)
        ranking = counted.scores["1"]
        values, positives, negatives = ranking.cells()
        assert (ranking.n_positive, ranking.n) == (self.truth.sum(), 500)
        assert ranking.width > 0
        order = np.argsort(score, kind="stable")
        binned = np.repeat(values, positives + negatives)
        assert np.all(np.abs(binned - score[order]) <= ranking.width * (1 + 1e-9))
        exact = Scores(score, self.truth == 1)
        assert float(ranking.mirror().at_most().complement) <= float(exact.mean) <= float(ranking.at_most().mean)
        assert counted.forecasts is None or high <= 1

    def test_all_scores_equal(self) -> None:
        ranking = of(self.truth, self.truth, np.full(500, 7.0)).scores["1"]
        assert ranking.cells().values.tolist() == [7.0]
        assert ranking.mean == 0.5

    def test_scores_too_far_apart(self) -> None:
        told = refusal(self.truth, self.truth, np.where(self.truth, 1.7e308, -1.7e308))
        assert "too far apart" in told

    def test_of_many_classes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        truth = self.random.integers(0, 5, 500)
        table = probabilities(self.random, 500, 5)
        labels = tuple("abcde")
        columns = {f"score_{i}": table[:, i] for i in range(5)}
        names = np.array(labels)[truth]
        predictions = given(score_labels=labels, truth=names, predicted=names, **columns)
        counted = tally(predictions)
        assert counted.forecasts is None
        assert "Log loss and Brier score" in counted.notes[0]
        for i, label in enumerate(labels):
            floor = np.floor(table[:, i] * 2**20) / 2**20
            values, positives, _ = counted.scores[label].cells()
            assert values.tolist() == sorted(set(floor.tolist()))
            assert positives.tolist() == [np.sum((floor == v) & (truth == i)) for v in values]
        monkeypatch.setattr(room_of_scores, "AT_ONCE", 2)
        assert tally(predictions).fingerprint == counted.fingerprint

    def test_any_change_of_a_bin_shows(self) -> None:
        before = of(self.truth, self.truth, self.score).fingerprint
        moved = self.score.copy()
        moved[0] = moved[0] + 2.0**-20
        assert of(self.truth, self.truth, moved).fingerprint != before
        assert of(self.truth, self.truth, np.floor(self.score * 2**20) / 2**20).fingerprint == before
        assert of(1 - self.truth, 1 - self.truth, self.score).fingerprint != before
        wider = [of(self.truth, self.truth, scale * self.score).fingerprint for scale in (-3, -6)]
        assert len({before, *wider}) == 3

    def test_the_fingerprint_is_the_same_for_ever(self) -> None:
        score = np.arange(500) / 512
        assert (
            of([0, 1] * 250, [0, 1] * 250, score).fingerprint
            == "67e72c4ccdff941dcb20af23e11c79b5e5b129a36043158c8ca5c52273c2577d"
        )

    def test_too_many_scores_for_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", 10**6)
        monkeypatch.setattr(room_of_scores, "EXACT_SCORES", 999)
        both = {"score_0": 1 - self.score, "score_1": self.score}
        predictions = given(score_labels=("0", "1"), truth=self.truth, predicted=self.truth, **both)
        assert tally(predictions).scores["1"].width > 0
        monkeypatch.setattr(room_of_scores, "EXACT_SCORES", 1000)
        assert tally(predictions).scores["1"].width == 0

    def test_an_engine_without_batches_counts_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        here = [of(self.truth, self.truth, scale * self.score).fingerprint for scale in (1, -3)]
        monkeypatch.delattr(pl.LazyFrame, "collect_batches", raising=False)  # older ones have none
        assert [of(self.truth, self.truth, scale * self.score).fingerprint for scale in (1, -3)] == here

    def test_what_goes_wrong_while_reading_is_said_in_our_words(self) -> None:
        texts = pl.Series("score", ["0.5"] * 499 + ["half"])
        frame = pl.DataFrame({"truth": self.truth, "predicted": self.truth, "score": texts}).lazy()
        frame = frame.with_columns(pl.col("score").cast(pl.Float64))
        with pytest.raises(HoldfastError, match="Cannot read the data"):
            tally(Predictions(nw.from_native(frame), ("truth", "predicted", "score")))
