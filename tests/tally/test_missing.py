from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from holdfast.evidence import NO_ANSWER
from holdfast.tally import scores as room_of_scores
from holdfast.tally.engine import FEW
from tests.tally.asking import of, refusal


class TestMissing:
    truth = ("a", None, "b", "b", None, "a", "b")
    predicted = ("a", "b", None, "b", None, "b", "b")

    def test_refused_with_counts_and_rows(self) -> None:
        told = refusal(self.truth, self.predicted)
        assert "Of the 7 rows of the data, there are 2 without truth and 2 without predicted (row 2, 3, 5," in told
        assert 'missing="drop"' in told
        assert 'missing="wrong"' in told

    def test_only_the_first_rows_are_named(self) -> None:
        assert "(row 1, 2, 3, 4, 5, ..., the first" in refusal([None] * 9 + ["a"], ["a"] * 10)

    def test_nan_is_missing(self) -> None:
        assert "1 without truth (row 2," in refusal([1.0, np.nan], [1.0, 1.0])

    def test_dropped(self) -> None:
        counted = of(self.truth, self.predicted, missing="drop")
        kept = of(["a", "b", "a", "b"], ["a", "b", "b", "b"])
        assert counted.table is not None
        assert kept.table is not None
        assert counted.table.table.tolist() == kept.table.table.tolist()
        assert counted.fingerprint == kept.fingerprint
        assert (counted.missing, counted.dropped, counted.rows) == ({"truth": 2, "predicted": 2}, 3, 4)
        assert counted.notes == ("Left out: 3 rows, 2 without truth and 2 without predicted.",)

    def test_a_label_of_dropped_rows_only_is_no_label(self) -> None:
        assert of(["a", "c"], ["a", None], missing="drop").table.labels == ("a",)  # type: ignore[union-attr]

    def test_a_missing_prediction_counts_as_wrong(self) -> None:
        counted = of(["a", "b", "b"], ["a", None, "b"], missing="wrong")
        assert counted.table is not None
        assert counted.table.labels == ("a", "b", NO_ANSWER)
        assert counted.table.table.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
        assert counted.table.cells[0].min() >= 0
        assert (int(counted.counts.k), counted.rows, counted.dropped) == (1, 3, 0)
        assert counted.notes == ("Counted as errors: 1 without predicted.",)

    @pytest.mark.parametrize("size", [2, FEW + 1])
    def test_a_missing_prediction_has_a_score(self, size: int) -> None:
        truth = [str(i % size) for i in range(40)]
        counted = of(truth, [None, *truth[1:]], np.linspace(0, 1, 40), missing="wrong", positive="1")
        assert counted.scores["1"].n == 40
        assert int(counted.counts.k) == 1
        named = of(truth, [NO_ANSWER, *truth[1:]], np.linspace(0, 1, 40), positive="1")
        assert counted.fingerprint == named.fingerprint

    @pytest.mark.parametrize("exact_rows", [100, 1])
    @pytest.mark.parametrize("size", [2, FEW + 1])
    def test_dropped_rows_are_not_ranked(self, size: int, exact_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        truth = np.arange(40) % size + 0.0
        predicted, score = truth.copy(), np.linspace(0, 1, 40)
        truth[4], predicted[7] = np.nan, np.nan
        counted = of(truth, predicted, score, missing="drop", positive=1)
        kept = ~np.isnan(truth + predicted)
        expected = of(truth[kept], predicted[kept], score[kept], positive=1)
        assert counted.fingerprint == expected.fingerprint
        assert [part.tolist() for part in counted.scores["1"].cells()] == [
            part.tolist() for part in expected.scores["1"].cells()
        ]

    def test_a_missing_truth_cannot_be_counted_as_wrong(self) -> None:
        told = refusal(self.truth, self.predicted, missing="wrong")
        assert "without the truth nothing can be said" in told

    def test_nothing_missing_nothing_said(self) -> None:
        assert of(["a"], ["a"], missing="drop").notes == of(["a"], ["a"], missing="wrong").notes == ()

    def test_every_answer_missing(self) -> None:
        counted = of(["a", "b"], pl.Series([None, None], dtype=pl.Null), missing="wrong")
        assert int(counted.counts.k) == 2

    def test_the_name_of_missing_answers_is_taken(self) -> None:
        assert "rename it" in refusal([NO_ANSWER, "a"], ["a", "a"])

    @pytest.mark.parametrize("exact_rows", [100, 1])
    def test_missing_scores(self, exact_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        columns = (["no", "yes", "no", None], ["no", "no", "no", "no"], [0.1, None, 0.2, float("inf")])
        first, alone = [column[:3] for column in columns], {"scores_required": True}
        assert "1 without a score (row 2," in refusal(*first, **alone)
        assert "1 without a score" in refusal(*first, missing="wrong", **alone)
        counted = of(*columns, missing="drop", **alone)
        assert (counted.missing, counted.dropped, counted.rows) == ({"truth": 1, "score": 1}, 2, 2)
        assert counted.counts.k == 0
        assert counted.positive == "yes"
        assert "nothing is left" in refusal(["yes", "no"], ["no", "no"], [np.nan, None], missing="drop", **alone)

    @pytest.mark.parametrize("missing", ["refuse", "drop", "wrong"])
    @pytest.mark.parametrize("exact_rows", [100, 1])
    def test_a_missing_score_is_missing_for_scores_only(
        self, exact_rows: int, missing: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        truth, predicted = np.arange(6) % 2, np.array([0, 1, 0, 0, 0, 1])
        counted = of(truth, predicted, [0.1, None, 0.2, 0.8, np.nan, 0.7], missing=missing)
        assert (counted.rows, counted.counts.k, counted.counts.n, counted.dropped) == (6, 1, 6, 0)
        assert (counted.scores["1"].n, counted.missing) == (4, {"score": 2})
        assert "Of the 6 rows, 2 have no score: what is read off scores speaks of the other 4." in counted.notes
        kept = of(truth[[0, 2, 3, 5]], predicted[[0, 2, 3, 5]], [0.1, 0.2, 0.8, 0.7])
        assert counted.scores["1"].mean == kept.scores["1"].mean
        assert counted.fingerprint not in (kept.fingerprint, of(truth, predicted).fingerprint)

    def test_no_score_at_all_is_refused(self) -> None:
        assert "No row of the data has a score" in refusal(["yes", "no"], ["no", "no"], [np.nan, None])

    @pytest.mark.parametrize("exact_rows", [100, 1])
    def test_a_missing_prediction_and_a_missing_score(self, exact_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        columns = ([0, 1, 0, 1], [None, 1, 0, 0], [None, 0.9, 0.2, 0.3])
        counted = of(*columns, missing="wrong")
        assert (counted.counts.k, counted.rows, counted.scores["1"].n) == (2, 4, 3)
        assert counted.missing == {"predicted": 1, "score": 1}
        counted = of(*columns, missing="drop")
        assert (counted.counts.k, counted.rows, counted.scores["1"].n) == (1, 3, 3)

    @pytest.mark.parametrize("exact_rows", [100, 1])
    def test_infinite_scores(self, exact_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room_of_scores, "EXACT_ROWS", exact_rows)
        for missing in ("refuse", "drop"):
            told = refusal([0, 1], [0, 1], [0.5, -np.inf], missing=missing)
            assert "infinite in 1 row;" in told
