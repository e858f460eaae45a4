from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from holdfast.evidence import Array, Integers
from holdfast.predictions import Predictions
from holdfast.tally import tally
from holdfast.tally.rows import BLOCK, Scored, fingerprint_of

TRUTH = ["a", "b", "b", "a", "c"]
GUESS = ["a", "b", "a", "a", "c"]
SCORE = [0.1, 0.25, 0.5, 0.1, 0.7]


def mark(truth: list[object], predicted: list[object], score: object = None, **asked: object) -> str:
    return tally(Predictions.from_arrays(truth, predicted, score), **({"positive": truth[0]} | asked)).fingerprint  # type: ignore[arg-type]


def test_it_is_the_same_for_ever() -> None:
    """A report of last year can be told to rest on the same data."""
    assert mark([*TRUTH], [*GUESS], SCORE) == "54a79911116f224e9794d2c86f90e566d80322bea5f3929ef331d73d0ef751c6"
    assert mark([*TRUTH], [*GUESS]) == "fd215aee042e827970effcc4b855934686915d7f73e6fcf5c68c9c335ab88e3b"


def test_it_has_no_order_and_knows_values_not_types() -> None:
    order = [3, 1, 4, 0, 2]
    shuffled = [[column[i] for i in order] for column in (TRUTH, GUESS, SCORE)]
    assert mark(*shuffled) == mark([*TRUTH], [*GUESS], SCORE)
    assert mark([0, 1], [0.0, 1.0], [0.0, 1.0]) == mark(["0", "1"], ["0", "1"], np.array([-0.0, 1], np.float32))
    assert mark([0, 1], [0, 1], labels=[1, 0, 2]) == mark([0, 1], [0, 1])


@pytest.mark.parametrize(
    "changed",
    [
        (["a", "b", "b", "a", "a"], GUESS, SCORE),
        (TRUTH, ["a", "b", "b", "a", "c"], SCORE),
        (GUESS, TRUTH, SCORE),
        (TRUTH, GUESS, [0.1, 0.25, 0.5, 0.1, float(np.nextafter(0.7, 1))]),
        (TRUTH, GUESS, [0.25, 0.1, 0.5, 0.1, 0.7]),
        (TRUTH, GUESS, [0.1, 0.25, 0.5, 0.25, 0.7]),
        (["A", "b", "b", "A", "c"], ["A", "b", "A", "A", "c"], SCORE),
        ([*TRUTH, "a"], [*GUESS, "a"], [*SCORE, 0.1]),
    ],
)
def test_any_change_shows(changed: tuple[list[object], list[object], list[float]]) -> None:
    assert mark(*changed) != mark([*TRUTH], [*GUESS], SCORE)


def test_moving_text_between_labels_shows() -> None:
    assert mark(["ab", "c"], ["ab", "c"]) != mark(["a", "bc"], ["a", "bc"])


def test_columns_of_scores_have_roles_and_no_order() -> None:
    table = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    frame = pl.DataFrame({"truth": ["a", "b", "c"], "predicted": ["a", "b", "b"]})

    def of(columns: dict[str, Array]) -> str:
        import narwhals.stable.v2 as nw

        scored = frame.with_columns(pl.Series(f"score_{i}", column) for i, column in enumerate(columns.values()))
        names = tuple(scored.columns)
        return tally(Predictions(nw.from_native(scored.lazy()), names, tuple(columns))).fingerprint

    by_label = dict(zip("abc", table.T, strict=True))
    assert of(by_label) == of(dict(reversed(by_label.items())))
    assert of(by_label) != of({"a": table[:, 1], "b": table[:, 0], "c": table[:, 2]})


def parts(random: np.random.Generator, size: int) -> tuple[Integers, Array]:
    return random.integers(4, 9, size) + 0, np.round(random.random(size), 1)


def test_groups_count_as_their_rows() -> None:
    cells, scores = parts(np.random.default_rng(5), 3 * BLOCK)
    grouped = pl.DataFrame({"cell": cells, "score": scores}).group_by("cell", "score").len()
    columns = [grouped[name].to_numpy() for name in ("cell", "score", "len")]
    empty = np.zeros(0, np.int64)
    one = fingerprint_of(["x", "y"], empty, empty, empty, ["score"], [Scored(cells, (scores,))])
    other = fingerprint_of(
        ["x", "y"], empty, empty, empty, ["score"], [Scored(columns[0], (columns[1],), columns[2].astype(np.int64))]
    )
    assert one == other


def test_many_labels_and_few_give_the_same_words() -> None:
    """The seeds of the cells are looked up for few labels and computed for many."""
    cells, scores = parts(np.random.default_rng(6), 100)
    labels, many = ["x", "y"], ["x", "y", *(f"{i:05}" for i in range(1000))]
    truth, predicted = np.divmod(cells, 3)
    empty = np.zeros(0, np.int64)
    few = fingerprint_of(labels, empty, empty, empty, [], [Scored(cells, (scores,))])
    wide = truth * (len(many) + 1) + predicted
    assert fingerprint_of(many, empty, empty, empty, [], [Scored(wide, (scores,))]) == few
