"""Labels of truth and predictions that have none in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.predictions import Predictions
from holdfast.sources import read
from holdfast.sources.models.models import read_models
from holdfast.tally import tally
from holdfast.tally.labels import FEWEST, MANY, LabelsSeen, Unmatched
from holdfast.tally.panel.panel import panel_of_arrays
from tests.snapshots import matches, messages

GOLD, SAID = ["Answer: 1", "Answer: 2"] * 6, ["1", "2"] * 6
PROBABILITIES = np.random.default_rng(3).random(500).round(6)


def counted(truth: Sequence[Any], predicted: Sequence[Any], **how: Any) -> Any:
    return tally(Predictions.from_arrays(truth, predicted), **how)


def test_what_is_refused_and_how_that_reads() -> None:
    clusters = Predictions.from_arrays(GOLD, SAID, clusters=["a", "b"] * 6)
    long = pl.DataFrame({"id": [*range(12)] * 2, "model": ["p"] * 12 + ["q"] * 12, "truth": GOLD * 2})
    tables = {name: pl.DataFrame({"id": range(12), "truth": GOLD, "predicted": SAID}) for name in "pq"}
    told = messages(
        {
            "a word before the label": lambda: counted(GOLD, SAID),
            "a word after it": lambda: counted(["a"] * 5 + ["b"] * 5, ["(A) or so"] * 5 + ["(C)"] * 5),
            "other words": lambda: counted(["no", "yes"] * 5, ["0", "1"] * 5),
            "many labels": lambda: counted([f"class {i % 20}" for i in range(60)], [str(i % 20) for i in range(60)]),
            "long labels": lambda: counted(["x" * 300, "y" * 300] * 5, ["<script>\n", "b" * 300] * 5),
            "probabilities": lambda: counted([0, 1] * 250, PROBABILITIES),
            "probabilities of words": lambda: counted(["no", "yes"] * 250, PROBABILITIES),
            "probabilities as text": lambda: counted(["0", "1"] * 250, [str(p) for p in PROBABILITIES]),
            "one probability": lambda: counted([1], [0.7]),
            "with clusters": lambda: tally(clusters),
            "columns": lambda: panel_of_arrays(GOLD, {"p": SAID, "q": ["3"] * 12}),
            "columns of scores": lambda: panel_of_arrays([0, 1] * 250, {"p": PROBABILITIES, "q": PROBABILITIES}),
            "a long table": lambda: read_models(long.with_columns(predicted=pl.Series(SAID * 2))),
            "joined tables": lambda: read_models(tables, on="id"),
        }
    )
    matches("labels_that_never_match", told)
    assert max(map(len, told.splitlines())) < 600


def test_a_few_rows_without_a_label_in_common_may_be_chance_and_that_is_said() -> None:
    assert counted(["cat"], ["dog"]).notes == (
        "No prediction is a label of the truth: truth holds 'cat', predicted holds 'dog'. Do both write their labels "
        "alike?",
    )
    rows = Predictions.from_arrays(["cat"], ["dog"], clusters=["here"])
    assert tally(rows).notes == counted(["cat"], ["dog"]).notes
    assert "never give a label of the truth" in panel_of_arrays(["cat"], {"a": ["dog"], "b": ["cow"]}).notes[0]
    counted(["cat", "cow", "cow"] * 3, ["dog"] * 9)
    with pytest.raises(InvalidEvidence, match="No prediction is a label"):
        counted(["cat", "cow"] * 5, ["dog"] * 10)


def test_free_answers_that_hardly_ever_recur_may_all_be_wrong() -> None:
    truth, wrong = [*map(str, range(MANY))], [str(1000 + i) for i in range(MANY)]
    assert counted(truth[: MANY - 1], wrong[: MANY - 1]).notes
    with pytest.raises(InvalidEvidence):
        counted(truth, wrong)
    assert Unmatched({"1/2"}, {"2"}).by_chance(FEWEST) is False
    assert Unmatched({"1/2", *truth[5:20]}, {"2"}).question == "Do both write their labels alike?"


@pytest.mark.parametrize(
    ("truth", "predicted", "how"),
    [
        ([1] * 20, [0] * 20, {}),  # a test set of one class, of which all were missed
        (["Yes"] * 20, ["no"] * 20, {}),
        ([True] * 20, [0] * 20, {}),
        (["spam"] * 20, ["ham"] * 20, {"positive": "spam"}),
        (["a", "b"] * 10, ["c", "d"] * 10, {"labels": ["a", "b", "c", "d"]}),
        (["a", "b"] * 10, ["A", "B"] * 10, {"labels": ["a", "b", "A", "B"]}),
        ([0, 1] * 10, [0.25, 0.75] * 10, {"labels": [0, 1, 0.25, 0.75]}),
        (["a", "b"] * 10, ["b", "a"] * 10, {}),  # a bad model
        (["a", "b"] * 10, ["b", "c"] * 10, {}),
        ([0.5, 1.5] * 10, [0.5, 2.5] * 10, {}),
    ],
)
def test_what_is_meant_is_not_refused(truth: list[Any], predicted: list[Any], how: dict[str, Any]) -> None:
    whole = counted(truth, predicted, **how)
    assert int(whole.counts.k) in (10, 20)
    assert not whole.notes


def test_labels_with_scores_of_their_own_are_declared_by_these() -> None:
    scores = {"score_a": 0.2, "score_b": 0.3, "score_c": 0.5}
    rows = pl.DataFrame({"truth": ["a", "b"] * 10, "predicted": ["c"] * 20}).with_columns(
        **{k: pl.lit(v) for k, v in scores.items()}
    )
    assert int(tally(read(rows)).counts.k) == 20


def test_scores_among_which_are_0_and_1_are_said_to_look_like_some() -> None:
    shares = [i / 10 for i in range(11)] * 2
    (note,) = counted([0, 1] * 11, shares).notes
    assert note == (
        "Of 11 different predictions 9 are numbers such as 0.1, which are no labels of the truth; these look like "
        "scores: give them to assess as score= (--score)."
    )


@pytest.mark.parametrize("missing", ["wrong", "drop"])
def test_missing_answers_are_no_labels(missing: Any) -> None:
    rows = Predictions.from_arrays(["a", "b"] * 10, ["c"] * 19 + [None], missing=missing)
    with pytest.raises(InvalidEvidence, match="No prediction is a label"):
        tally(rows)
    rows = Predictions.from_arrays(["a", "b"] * 10, pl.Series([None] * 20, dtype=pl.String), missing="wrong")
    assert int(tally(rows).counts.k) == 20


def test_one_model_of_several_that_never_matches_is_named() -> None:
    panel = panel_of_arrays(GOLD, {"p": SAID, "q": GOLD})
    assert panel.notes == (
        "'p' never gives a label of the truth, so that all its answers are wrong: truth holds 'Answer: 1' and "
        "'Answer: 2', 'p' holds '1' and '2'. Does 'Answer: 1' mean '1'?",
    )
    many = panel_of_arrays(GOLD, {**{f"m{i}": SAID for i in range(5)}, "q": GOLD})
    assert many.notes[0].startswith("'m0', 'm1', 'm2' and 2 more models never give a label of the truth")
    assert not panel_of_arrays(GOLD, {"p": SAID, "q": GOLD}, labels=[*GOLD[:2], *SAID[:2]]).notes


def test_columns_that_hold_declared_labels_are_taken_for_models() -> None:
    table = pl.DataFrame({"truth": GOLD, "alpha": SAID, "beta": GOLD, "words": ["few"] * 12})
    panel = read_models(table, labels=[*GOLD[:2], *SAID[:2]])
    assert panel.models == ("alpha", "beta")
    assert panel.notes[0].startswith("Models are the columns that hold declared labels and nothing else: alpha, beta.")


class TestStream:
    def test_a_model_that_never_matches_is_named(self) -> None:
        seen = LabelsSeen(["p", "q"])
        for gold, said in zip(GOLD, SAID, strict=True):
            seen.take(gold, [said, gold])
        assert seen.notes() == panel_of_arrays(GOLD, {"p": SAID, "q": GOLD}).notes

    def test_models_none_of_which_does_are_refused(self) -> None:
        seen = LabelsSeen(["p", "q"])
        for gold, said in zip(GOLD, SAID, strict=True):
            seen.take(gold, [said, ""])
        assert "never" in seen.notes()[0]  # the other one said nothing at all
        for gold, said in zip(GOLD, SAID, strict=True):
            seen.take(gold, [said, said])
        with pytest.raises(InvalidEvidence, match="No model ever gives a label"):
            seen.notes()

    def test_a_label_may_be_said_before_it_is_true(self) -> None:
        seen = LabelsSeen(["p"])
        seen.take("a", ["b"])
        seen.take("b", ["c"])
        assert seen.notes() == ()
        assert not seen.open

    def test_memory_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("holdfast.tally.labels.MOST_KEPT", 5)
        seen = LabelsSeen(["p"])
        for i in range(20):
            seen.take("a", [str(i)])
        assert (seen.notes(), len(seen.answers["p"])) == ((), 6)
