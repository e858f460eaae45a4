"""Rows that are held here and rows on an engine come to the very same: evidence, fingerprints, notes and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast.catalog import find_measure
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Scores
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.coded import Coded
from holdfast.predictions.design import Design, Order
from holdfast.tally import scores as room_of_scores
from holdfast.tally import tally
from holdfast.tally.designs.drawn import drawn_by_question
from holdfast.tally.designs.reading import passes, readings
from holdfast.tally.margins import margins
from holdfast.tally.operating import at_operating_point
from holdfast.tally.rows import Rows

Random = np.random.Generator
SPELT: dict[str, Callable[[int], Any]] = {
    "whole": lambda code: code,
    "real": float,
    "halves": lambda code: code / 2,
    "text": "label {}".format,
    "logical": lambda code: code % 2 == 0,
    "far apart": lambda code: code * 10**12 - 1,
    "days": lambda code: date(2020, 1, 1 + code),
}


def on_an_engine(rows: Predictions) -> Predictions:
    """The same rows as a lazy frame."""
    columns = {
        name: pl.Series(name, column.to_list() if isinstance(column, Coded) else column)
        for name, column in rows.frame.columns.items()
    }
    return replace(rows, frame=nw.from_native(pl.DataFrame(columns).lazy()))


def plain(value: Any) -> Any:
    """What a result holds, to be compared; what it would only say on demand is asked for."""
    if isinstance(value, Scores):
        return [each.tolist() for each in value.cells()]
    if isinstance(value, Predictions):
        return {name: plain(getattr(value, name)) for name in ("columns", "score_labels", "notes", "operating_point")}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, Iterator)):
        return [plain(each) for each in value]
    if callable(value):
        return plain(value())
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return "nothing" if isinstance(value, float) and np.isnan(value) else value


def outcome(work: Callable[[Predictions], object], rows: Predictions) -> Any:
    try:
        return plain(work(rows))
    except HoldfastError as error:
        return type(error).__name__, str(error)


def check(work: Callable[[Predictions], object], rows: Predictions) -> Any:
    """Both ways come to the same, which is told."""
    here, there = outcome(work, rows), outcome(work, on_an_engine(rows))
    assert here == there
    return here


def holed(random: Random, values: list[Any], share: float = 0.1) -> list[Any]:
    return [None if gone else value for gone, value in zip(random.random(len(values)) < share, values, strict=True)]


def drawn(seed: int, size: int = 300) -> tuple[Predictions, dict[str, Any]]:
    """Rows of whatever kind, with or without holes, and what is asked about them."""
    random = np.random.default_rng(seed)
    kinds, ways = [*SPELT], ("refuse", "drop", "wrong")
    kind, way = kinds[seed % len(kinds)], ways[seed // len(kinds) % len(ways)]
    labels = 2 if kind == "logical" else int(random.choice([1, 2, 2, 3, 20]))
    spelt = SPELT[kind]
    truth, predicted = ([spelt(code) for code in random.integers(0, labels, size).tolist()] for _ in range(2))
    named = [spelt(code) for code in range(labels)]
    score: Any = [None, random.random(size), random.normal(size=size), random.random((size, labels))][
        random.integers(4)
    ]
    if random.random() < 0.5:
        predicted = holed(random, predicted)
        truth = holed(random, truth) if way == "drop" else truth
    if score is not None and random.random() < 0.3:
        score[random.random(size) < 0.1] = np.nan
    groups = {"country": holed(random, random.choice(["FR", "DE", "(none)"], size).tolist()), "size": [*range(5)] * 60}
    rows = Predictions.from_arrays(
        truth,
        None if score is not None and random.random() < 0.2 else predicted,
        score,
        groups=groups,
        labels=named if np.ndim(score) == 2 else None,
        missing=way,  # type: ignore[arg-type]
    )
    asked = {"labels": named} if random.random() < 0.3 else {}
    asked |= {"positive": named[-1]} if random.random() < 0.5 else {}
    return rows, asked


@pytest.mark.crossing(8)
@pytest.mark.parametrize("seed", range(42))
def test_the_tally(seed: int) -> None:
    rows, asked = drawn(seed)
    check(lambda rows: tally(rows, by=[["country"], ["size", "country"]], **asked), rows)
    check(lambda rows: tally(rows, scores_required=True, **asked), rows)


def test_both_refusals_and_answers_are_among_them() -> None:
    found = [outcome(lambda rows, asked=asked: tally(rows, **asked), rows) for rows, asked in map(drawn, range(126))]
    refused = [each for each in found if isinstance(each, tuple)]
    assert 20 < len(refused) < 100
    assert len({message for _, message in refused}) > 10


@pytest.mark.parametrize("seed", range(12))
def test_bins(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", 0)
    monkeypatch.setattr(room_of_scores, "BATCH", 70)
    monkeypatch.setattr(room_of_scores, "AT_ONCE", 2)
    random = np.random.default_rng(seed)
    truth, predicted = random.integers(0, 3, (2, 300)).tolist()
    score = [random.random((300, 3)), random.random(300), random.normal(size=300)][seed % 3]
    score[seed] = [0.5, np.nan, np.inf][seed // 3 % 3]
    rows = Predictions.from_arrays(holed(random, truth), predicted, score, missing="drop")
    check(lambda rows: tally(rows, positive=1), rows)


@pytest.mark.crossing(6)
@pytest.mark.parametrize("missing", ["refuse", "drop", "wrong"])
@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize("holes", [(), ("cluster",), ("id",), ("answer",), ("cluster", "id", "answer")])
def test_clusters(missing: Missing, passes: bool, holes: tuple[str, ...]) -> None:
    random = np.random.default_rng(len(holes) + 5 * passes)
    cluster = random.integers(0, 40, 200)
    ids = cluster * 10 + random.integers(0, 3, 200)
    truth, answer = random.choice(["a", "b"], (2, 200)).tolist()
    columns: dict[str, Any] = {"clusters": cluster.tolist(), "ids": [f"q{each}" for each in ids.tolist()]}
    if "cluster" in holes:
        columns["clusters"] = holed(random, columns["clusters"])
    if "id" in holes:
        columns["ids"] = holed(random, columns["ids"])
    answer = holed(random, answer) if "answer" in holes else answer
    if passes:
        rows = Predictions.from_arrays(
            correct=[None if each is None else each == "a" for each in answer], missing=missing, **columns
        )
    else:
        rows = Predictions.from_arrays(truth, answer, missing=missing, **columns)
    orders: tuple[Order | None, ...] = (None, "drawn")
    for order in orders:
        check(lambda rows, order=order: added(rows, order), rows)
        bare = rows.only(name for name in rows.columns if name != "cluster")
        for sampled in (False, True):
            check(lambda rows, order=order, sampled=sampled: added(drawn_by_question(rows, sampled), order), bare)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("missing", ["refuse", "drop"])
@pytest.mark.parametrize("holes", [(), ("weights",), ("strata",), ("score",)])
def test_weights_strata_scores_and_groups(missing: Missing, holes: tuple[str, ...]) -> None:
    for seed in range(2):
        random = np.random.default_rng(seed)
        cluster, score = random.integers(0, 40, 200), random.random(200)
        given: dict[str, Any] = {"weights": random.integers(1, 4, 200).tolist(), "strata": (cluster % 3).tolist()}
        given |= {name: holed(random, given[name]) for name in given if name in holes}
        score[: 20 * ("score" in holes)] = np.nan
        design = Design(**given, max_weight=5, clusters=None if seed % 2 else cluster, max_cluster=30)
        truth, predicted = random.choice(["a", "b"], (2, 200)).tolist()
        groups = {"g": random.choice([*"xyz"], 200)}
        how: dict[str, Any] = {"missing": missing, "groups": groups, "design": design}
        check(added, Predictions.from_arrays(truth, predicted, score, **how))
        check(added, Predictions.from_arrays(value=score, **how))


def added(rows: Predictions, order: Order | None = None) -> Any:
    """What was counted, and what each draw adds to some measures, of all rows and of groups."""
    by = [[name] for name in rows.group_names]
    whole = tally(replace(rows, design=replace(rows.design, order=order)), by=by)
    if whole.drawn is None:
        return whole
    tables = whole.drawn.tables
    parts = [each for division in tables.divisions for each in division.parts(tables.rows)]
    every = [tables.rows, *(part for _, part in parts)]
    every += [] if whole.ranked is None else [whole.ranked.rows.rows]
    found = []
    for part in every:
        for name in ("error-rate", "recall", "mcc", "auc", "brier"):
            for label, evidence in readings(find_measure(name), part.draw_by_draw()):
                one = evidence.influence
                found.append((name, label, one.value, one.values, one.leverage, one.fewest))
        if part.question is not None:
            found.append(("pass@k", passes(find_measure("pass@k"), part, 1)))
    facts = whole.drawn.largest, whole.drawn.uneven, whole.drawn.draws, [name for name, _ in parts]
    return replace(whole, drawn=None, ranked=None), facts, found


def test_questions_of_several_clusters_and_questions_asked_once() -> None:
    told = check(tally, Predictions.from_arrays(correct=[1, 0, 1], clusters=[1, 2, 2], ids=["q", "q", "r"]))
    assert "1 question is in several clusters, such as 'q' in 2" in told[1]
    once = Predictions.from_arrays(correct=[1, 0, 1], ids=["q", "s", "r"])
    assert check(lambda rows: drawn_by_question(rows, sampled=False), once)["columns"] == ["correct"]
    assert check(lambda rows: drawn_by_question(rows, sampled=True), once)["columns"] == ["correct", "cluster"]
    missing = Predictions.from_arrays(correct=[1, 0, 1], ids=["q", None, None])
    assert check(lambda rows: drawn_by_question(rows, sampled=False), missing)["columns"] == ["correct", "cluster"]


@pytest.mark.parametrize("missing", ["refuse", "drop", "wrong"])
def test_passes_in_groups(missing: Missing) -> None:
    random = np.random.default_rng(0)
    for words in (("pass", "fail"), (1, 0), (True, False), ("C", "maybe")):
        correct = holed(random, [words[code] for code in random.integers(0, 2, 60).tolist()], share=0.1)
        rows = Predictions.from_arrays(correct=correct, groups={"g": [*"xyz"] * 20}, missing=missing)
        check(lambda rows: tally(rows, by=[["g"]]), rows)


@pytest.mark.parametrize("missing", ["refuse", "drop", "wrong"])
@pytest.mark.parametrize("holes", [0.0, 0.1, 1.0])
def test_margins_and_operating_points(missing: Missing, holes: float) -> None:
    random = np.random.default_rng(1)
    truth, predicted, score = random.integers(0, 2, 80), random.integers(0, 2, 80).tolist(), random.normal(size=80)
    score[random.random(80) < holes] = np.nan
    rows = Predictions.from_arrays(truth, holed(random, predicted), score, missing=missing)
    check(margins, Predictions.from_arrays(truth, predicted, score, missing=missing))
    check(margins, Predictions.from_arrays(margin=score, missing=missing))

    def operated(rows: Predictions) -> object:
        found = at_operating_point(rows, 0.3)
        return found, outcome(lambda rows: tally(rows, positive=found.positive, labels=found.labels), found.predictions)

    check(operated, rows)
    check(operated, rows.only(("truth", "score")))
    three = Predictions.from_arrays(truth + random.integers(0, 2, 80), predicted, score, missing=missing)
    check(lambda rows: at_operating_point(rows, 0.3, positive=2), three)


def test_who_the_scores_lean_to() -> None:
    for scores in ([0.1, 0.9, 0.8, 0.3], [0.9, 0.1, 0.2, 0.7], [0.5] * 4):
        check(tally, Predictions.from_arrays(["x", "y", "y", "x"], ["x", "y", "y", "y"], scores))


def test_as_many_kinds_as_rows() -> None:
    """Then they are sorted, and no table is made that holds every combination."""
    random = np.random.default_rng(2)
    values = random.integers(0, 10**9, (3, 2000))
    rows = Predictions.from_arrays(correct=[1] * 2000, groups={str(i): column for i, column in enumerate(values)})
    kinds = Rows.of(rows).kinds(("by_0", "by_1", "by_2"))
    assert {*zip(*(kinds[f"by_{i}"].to_list() for i in range(3)), strict=True)} == {*zip(*values.tolist(), strict=True)}
    assert kinds.rows == 2000


@pytest.mark.parametrize("engine", [True, False])
def test_infinite_scores_are_refused(engine: bool) -> None:
    rows = Predictions.from_arrays([0, 1], [0, 1], [0.5, np.inf])
    with pytest.raises(InvalidEvidence, match="infinite in 1 row"):
        tally(on_an_engine(rows) if engine else rows)
