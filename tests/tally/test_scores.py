from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.predictions import Missing
from holdfast.tally import Tally, tally
from holdfast.tally import scores as room_of_scores
from tests.tally.asking import given, of, probabilities, refusal


class TestScores:
    random = np.random.default_rng(17)
    truth = random.integers(0, 2, 500)
    score = np.round(random.random(500), 2)

    def test_of_two_classes(self) -> None:
        counted = of(self.truth, self.truth, self.score)
        values, positives, negatives = counted.scores["1"].cells()
        assert values.tolist() == sorted(set(self.score.tolist()))
        assert positives.tolist() == [np.sum((self.score == v) & (self.truth == 1)) for v in values]
        assert negatives.tolist() == [np.sum((self.score == v) & (self.truth == 0)) for v in values]
        assert counted.forecasts is not None
        assert counted.forecasts.squares_high == 1.0

    def test_no_probabilities_no_forecasts(self) -> None:
        for low, high in ((-1e-9, 1), (0, 1 + 1e-9)):
            counted = of(self.truth, self.truth, np.linspace(low, high, 500))
            assert counted.forecasts is None
            assert "are no probabilities" in counted.notes[0]
        assert of(self.truth, self.truth, np.linspace(0, 1, 500)).forecasts is not None

    def test_of_whole_numbers_and_single_precision(self) -> None:
        single = self.score.astype(np.float32)
        exact = of(self.truth, self.truth, single.astype(np.float64))
        assert of(self.truth, self.truth, single).fingerprint == exact.fingerprint
        whole = of(self.truth, self.truth, np.rint(100 * self.score).astype(np.int16))
        assert whole.scores["1"].mean == pytest.approx(exact.scores["1"].mean)

    def test_what_is_no_number(self) -> None:
        assert "score should hold numbers" in refusal([0, 1], [0, 1], ["high", "low"])

    def test_of_many_classes(self) -> None:
        table = probabilities(self.random, 500, 4)
        truth = self.random.integers(0, 3, 500)
        counted = self.many(truth, table)
        assert [*counted.scores] == ["0", "1", "2"]  # the fourth column speaks for a label that never occurs
        for label in (0, 1, 2):
            expected = of(truth == label, truth == label, table[:, label]).scores["True"]
            found = counted.scores[str(label)]
            assert [part.tolist() for part in found.cells()] == [part.tolist() for part in expected.cells()]
        assert counted.forecasts is not None
        [block] = counted.forecasts.blocks()
        assert block.least_probability.tolist() == sorted(table[np.arange(500), truth])
        one_hot = np.eye(4)[truth]
        np.testing.assert_allclose(block.least_square, np.sort(np.sum((table - one_hot) ** 2, axis=1)), rtol=1e-12)
        assert counted.forecasts.squares_high == 2.0

    def test_two_columns_of_two_classes_are_worth_one(self) -> None:
        counted = self.many(self.truth, np.stack([1 - self.score, self.score], axis=1))
        one = of(self.truth, self.truth, self.score)
        assert counted.forecasts is not None
        assert one.forecasts is not None
        [block] = counted.forecasts.blocks()
        squares = [(part.least_square, part.times) for part in one.forecasts.blocks()]
        expected = np.concatenate([np.repeat(*part) for part in squares])
        np.testing.assert_allclose(block.least_square, np.sort(expected), atol=1e-15)
        assert counted.forecasts.squares_high == 1.0
        assert counted.scores["1"].mean == one.scores["1"].mean

    def test_probabilities_add_up_to_one(self) -> None:
        table = probabilities(self.random, 500, 3)
        truth = self.random.integers(0, 3, 500)
        table[3, 0] *= 1 + 1e-8
        assert self.many(truth, table).forecasts is not None
        table[3, 0] += 1e-3
        counted = self.many(truth, table)
        assert counted.forecasts is None
        assert counted.notes == (
            "The scores of a row miss adding up to 1 by up to 0.001: no log loss, no Brier score.",
        )
        assert self.many(truth, table - 0.2).forecasts is None

    @pytest.mark.parametrize("exact_rows", [500, 1])
    def test_a_row_that_misses_one_of_its_scores_is_missing(
        self, exact_rows: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        table = probabilities(self.random, 500, 2)
        table[0], table[1] = [np.nan, np.inf], [0.5, np.nan]
        counted = self.many(self.truth, table)
        assert (counted.rows, counted.dropped, counted.scores["0"].n) == (500, 0, 498)

    def test_every_label_needs_a_column(self) -> None:
        with pytest.raises(InvalidEvidence, match="label '2' has no score column; there are columns for 0, 1"):
            self.many(np.array([0, 1, 2]), np.full((3, 2), 0.5))
        with pytest.raises(InvalidEvidence, match="same label"):
            tally(given(score_labels=("0", "0"), truth=[0], predicted=[0], score_0=[0.5], score_1=[0.5]))

    def many(self, truth: Any, table: Any, missing: Missing = "refuse") -> Tally:
        columns = {f"score_{i}": table[:, i] for i in range(table.shape[1])}
        labels = tuple(str(i) for i in range(table.shape[1]))
        return tally(given(missing, labels, truth=truth, predicted=truth, **columns))
