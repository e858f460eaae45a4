from __future__ import annotations

from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import NO_ANSWER, Scores
from holdfast.predictions import Missing, Predictions
from holdfast.tally import Tally, bins, rows, tally


def given(missing: Missing = "refuse", score_labels: tuple[str, ...] = (), **columns: Any) -> Predictions:
    frame = pl.DataFrame({name: pl.Series(name, values, strict=False) for name, values in columns.items()})
    return Predictions(nw.from_native(frame.lazy()), tuple(columns), score_labels, missing)


def of(truth: Any, predicted: Any, score: Any = None, **asked: Any) -> Tally:
    missing = asked.pop("missing", "refuse")
    columns = {"truth": truth, "predicted": predicted} | ({} if score is None else {"score": score})
    return tally(given(missing, **columns), **asked)


def refusal(*columns: Any, **asked: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        of(*columns, **asked)
    told = str(caught.value)
    assert len(told) <= 600
    assert told.count("\n") < 6
    return told


def test_the_table_has_rows_predicted_and_columns_actual() -> None:
    counted = of(["a", "b", "b", "b"], ["a", "a", "a", "b"])
    assert counted.table is not None
    assert counted.table.labels == ("a", "b")
    assert counted.table.table.tolist() == [[1, 2], [0, 1]]
    assert (int(counted.counts.k), int(counted.counts.n), counted.rows) == (2, 4, 4)
    assert counted.positive is None
    assert counted.notes == ()
    assert counted.scores == {}
    assert counted.forecasts is None
    assert len(counted.fingerprint) == 64


@pytest.mark.parametrize("labels", [2, 3, 8, rows.FEW, rows.FEW + 1, 300])
@pytest.mark.parametrize("kind", ["text", "whole", "real", "halves", "decimal", "category"])
def test_the_table_of_any_labels(labels: int, kind: str) -> None:
    random = np.random.default_rng(labels)
    truth, predicted = random.integers(0, labels, (2, 2000))
    columns = [pl.Series(column) for column in (truth, predicted)]
    if kind in ("text", "category"):
        columns = [("label " + column.cast(pl.String)).alias("") for column in columns]
        columns = [column.cast(pl.Categorical) if kind == "category" else column for column in columns]
    elif kind in ("real", "halves"):
        columns = [column.cast(pl.Float64) / (2 if kind == "halves" else 1) for column in columns]
    elif kind == "decimal":
        columns = [column.cast(pl.Decimal(20, 2)) / 4 for column in columns]
    positive = columns[0][0]
    counted = of(*columns, random.random(2000), positive=positive)
    table = np.zeros((labels, labels), np.int64)
    np.add.at(table, (predicted, truth), 1)
    assert counted.table is not None
    order = [counted.table.place(name) for name in (sorted(set(counted.table.labels), key=_by_number))]
    assert counted.table.table[np.ix_(order, order)].tolist() == table.tolist()
    assert counted.scores[str(counted.positive)].n_positive == np.sum(truth == truth[0])
    assert sum(counted.scores[str(counted.positive)].cells()[1]) == np.sum(truth == truth[0])


def _by_number(label: str) -> float:
    return float(label.removeprefix("label "))


def test_a_hundred_thousand_labels() -> None:
    names = pl.Series(np.arange(100_000)).cast(pl.String)
    counted = of(names, names.reverse(), np.linspace(0, 1, 100_000), positive=7)
    assert counted.table is not None
    assert len(counted.table.labels) == 100_000
    assert counted.table.labels[:3] == ("0", "1", "2")
    assert int(counted.counts.k) == 100_000
    assert counted.scores["7"].n_positive == 1


def test_numbers_and_text_are_not_mixed_up() -> None:
    assert "truth holds numbers such as 1, predicted holds text such as '1'" in refusal([1], ["1"])
    assert of([1, 0], [1.0, 0.0]).table.labels == ("0", "1")  # type: ignore[union-attr]
    assert "Write both the same" in refusal(["spam", "ham"], ["Spam", "ham"])


def test_labels_in_the_order_of_the_user() -> None:
    counted = of(["a", "b"], ["a", "a"], labels=["b", "c", "a"])
    assert counted.table is not None
    assert counted.table.labels == ("b", "c", "a")
    assert counted.table.table.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert "hold the label 'b'" in refusal(["a", "b"], ["a", "a"], labels=["a"])


def test_no_rows_are_refused() -> None:
    assert "holds no rows" in refusal([], [])
    assert "nothing is left" in refusal([None, "a"], ["a", None], missing="drop")


class TestMissing:
    truth = ("a", None, "b", "b", None, "a", "b")
    predicted = ("a", "b", None, "b", None, "b", "b")

    def test_refused_with_counts_and_rows(self) -> None:
        told = refusal(self.truth, self.predicted)
        assert "Of the 7 rows of the data, there are 2 without truth and 2 without predicted (row 2, 3, 5," in told
        assert 'missing="drop"' in told
        assert "--missing wrong" in told

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
        assert (int(counted.counts.k), counted.rows, counted.dropped) == (1, 3, 0)
        assert counted.notes == ("Counted as errors: 1 without predicted.",)

    @pytest.mark.parametrize("size", [2, rows.FEW + 1])
    def test_a_missing_prediction_has_a_score(self, size: int) -> None:
        truth = [str(i % size) for i in range(40)]
        counted = of(truth, [None, *truth[1:]], np.linspace(0, 1, 40), missing="wrong", positive="1")
        assert counted.scores["1"].n == 40
        assert int(counted.counts.k) == 1

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
        monkeypatch.setattr(bins, "EXACT_ROWS", exact_rows)
        columns = (["no", "yes", "no", None], ["no", "no", "no", "no"], [0.1, None, 0.2, float("inf")])
        assert "1 have no score (row 2," in refusal(*(column[:3] for column in columns))
        assert "1 have no score" in refusal(*(column[:3] for column in columns), missing="wrong")
        counted = of(*columns, missing="drop")
        assert (counted.missing, counted.dropped, counted.rows) == ({"truth": 1, "score": 1}, 2, 2)
        assert counted.counts.k == 0
        assert counted.positive == "yes"
        assert "nothing is left" in refusal(["yes", "no"], ["no", "no"], [np.nan, None], missing="drop")

    @pytest.mark.parametrize("exact_rows", [100, 1])
    def test_infinite_scores(self, exact_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bins, "EXACT_ROWS", exact_rows)
        for missing in ("refuse", "drop"):
            told = refusal([0, 1], [0, 1], [0.5, -np.inf], missing=missing)
            assert "infinite in 1 rows" in told


class TestPassFail:
    @pytest.mark.parametrize(
        "answers",
        [
            [1, 0, 1],
            [1.0, 0.0, 1.0],
            [True, False, True],
            ["1", "0", "1"],
            ["TRUE", "false", "True"],
            ["yes", "No", " yes "],
            ["Pass", "FAIL", "pass"],
            pl.Series([Decimal(1), Decimal(0), Decimal(1)]),
        ],
    )
    def test_answers(self, answers: Any) -> None:
        counted = tally(given(correct=answers))
        assert (int(counted.counts.k), int(counted.counts.n), counted.table) == (1, 3, None)
        assert counted.fingerprint == tally(given(correct=[1, 1, 0])).fingerprint
        assert counted.fingerprint != tally(given(correct=[1, 0, 0])).fingerprint

    def test_what_is_neither(self) -> None:
        with pytest.raises(InvalidEvidence, match="correct holds 2; it needs 1 or 0"):
            tally(given(correct=[1, 2]))
        with pytest.raises(InvalidEvidence, match="holds 'maybe'"):
            tally(given(correct=["yes", "maybe"]))
        with pytest.raises(InvalidEvidence, match="no rows"):
            tally(given(correct=[]))

    def test_missing(self) -> None:
        answers = [True, None, False]
        with pytest.raises(InvalidEvidence, match=r"1 without correct \(row 2,"):
            tally(given(correct=answers))
        dropped, wrong = tally(given("drop", correct=answers)), tally(given("wrong", correct=answers))
        assert (int(dropped.counts.k), int(dropped.counts.n), dropped.dropped) == (1, 2, 1)
        assert (int(wrong.counts.k), int(wrong.counts.n), wrong.dropped) == (2, 3, 0)
        assert wrong.notes == ("Counted as errors: 1 without correct.",)
        with pytest.raises(InvalidEvidence, match="nothing is left"):
            tally(given("drop", correct=pl.Series([None], dtype=pl.Boolean)))


class TestPositive:
    def test_the_obvious_one(self) -> None:
        assert of([0, 1], [0, 1], [0.2, 0.3]).positive == "1"
        assert of(["No", "yes"], ["No", "yes"]).positive == "yes"

    def test_it_must_be_said_where_it_is_not_obvious(self) -> None:
        assert "positive= (--positive)" in refusal(["ham", "spam"], ["ham", "ham"], [0.2, 0.3])
        assert "score_<label>" in refusal(["a", "b", "c"], ["a", "b", "c"], [0.2, 0.3, 0.4])
        assert of(["ham", "spam"], ["ham", "ham"]).positive is None

    def test_one_against_the_rest(self) -> None:
        counted = of(["a", "b", "c"], ["a", "b", "c"], [0.2, 0.3, 0.4], positive="b")
        assert counted.scores["b"].n_positive == 1
        assert counted.notes == ("There are 3 labels and one score: it ranks 'b' against all others.",)

    def test_one_class_only(self) -> None:
        counted = of(["ham", "ham"], ["ham", "ham"], [0.2, 0.3], positive="spam")
        assert counted.table is not None
        assert counted.table.labels == ("ham", "spam")
        assert (counted.scores["spam"].n_positive, counted.scores["spam"].n_negative) == (0, 2)
        assert of(["spam"], ["spam"], [0.2], positive="spam").scores["spam"].n_positive == 1

    def test_a_label_that_is_not_there(self) -> None:
        with pytest.raises(UnknownName, match="eggs"):
            of(["ham", "spam"], ["ham", "ham"], positive="eggs")
        assert of(["ham", "spam"], ["ham", "ham"], positive="eggs", labels=["ham", "spam", "eggs"]).positive == "eggs"


def probabilities(random: np.random.Generator, size: int, classes: int) -> Any:
    return random.dirichlet(np.ones(classes), size)


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

    def test_every_label_needs_a_column(self) -> None:
        with pytest.raises(InvalidEvidence, match="label '2' has no score column; there are columns for 0, 1"):
            self.many(np.array([0, 1, 2]), np.full((3, 2), 0.5))
        with pytest.raises(InvalidEvidence, match="same label"):
            tally(given(score_labels=("0", "0"), truth=[0], predicted=[0], score_0=[0.5], score_1=[0.5]))

    def many(self, truth: Any, table: Any, missing: Missing = "refuse") -> Tally:
        columns = {f"score_{i}": table[:, i] for i in range(table.shape[1])}
        labels = tuple(str(i) for i in range(table.shape[1]))
        return tally(given(missing, labels, truth=truth, predicted=truth, **columns))


class TestBins:
    """Beyond EXACT_ROWS."""

    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bins, "EXACT_ROWS", 499)
        monkeypatch.setattr(bins, "BATCH", 64)

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

    @pytest.mark.parametrize(("low", "high"), [(-3.7, 12.1), (0.0, 1.5), (-0.25, 0.5), (1e300, 1.5e300), (0.0, 5e-324)])
    def test_of_any_scores(self, low: float, high: float) -> None:
        score = low + (high - low) * self.score
        score[:2] = low, high
        counted = of(self.truth, self.truth, score)
        ranking = counted.scores["1"]
        values, positives, negatives = ranking.cells()
        assert (ranking.n_positive, ranking.n) == (self.truth.sum(), 500)
        width = ranking.width or np.inf
        order = np.argsort(score, kind="stable")
        binned = np.repeat(values, positives + negatives)
        assert np.all(np.abs(binned - score[order]) <= width * (1 + 1e-9))
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
        monkeypatch.setattr(bins, "AT_ONCE", 2)
        assert tally(predictions).fingerprint == counted.fingerprint

    def test_any_change_of_a_bin_shows(self) -> None:
        before = of(self.truth, self.truth, self.score).fingerprint
        moved = self.score.copy()
        moved[0] = moved[0] + 2.0**-20
        assert of(self.truth, self.truth, moved).fingerprint != before
        assert of(self.truth, self.truth, np.floor(self.score * 2**20) / 2**20).fingerprint == before
        assert of(1 - self.truth, 1 - self.truth, self.score).fingerprint != before

    def test_too_many_scores_for_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bins, "EXACT_ROWS", 10**6)
        monkeypatch.setattr(bins, "EXACT_SCORES", 499)
        assert of(self.truth, self.truth, self.score).scores["1"].width > 0

    def test_an_engine_without_batches_counts_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        here = [of(self.truth, self.truth, scale * self.score).fingerprint for scale in (1, -3)]
        monkeypatch.delattr(pl.LazyFrame, "collect_batches")
        assert [of(self.truth, self.truth, scale * self.score).fingerprint for scale in (1, -3)] == here
