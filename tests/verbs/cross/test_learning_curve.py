from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.catalog import find
from holdfast.claims import Guarantee
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.resampling import shares
from holdfast.verbs.cross.learning_curve import SHARES, learning_curve
from tests.shapes import validate
from tests.snapshots import matches, messages

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
TREE = DecisionTreeClassifier(max_depth=6, random_state=0)


def rows(number: int = 400, seed: int = 2) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, (number, 2))
    return x, np.where(np.hypot(*x.T) + 0.1 * draw.normal(size=number) < 0.7, "in", "out")


@pytest.fixture(scope="module")
def once() -> hf.Report:
    return learning_curve(TREE, *rows(), engine="serial")


@pytest.fixture(scope="module")
def often() -> hf.Report:
    return learning_curve(TREE, *rows(), train_shares=[0.1, 0.5, 0.9], repeats=8, engine="serial")


def test_more_training_errs_less_and_is_known_less(often: hf.Report) -> None:
    """The dilemma of the slides: both parts ought to be large."""
    first, last = often["error-rate", None, "train 10 %"], often["error-rate", None, "train 90 %"]
    assert last.estimate < first.lower
    assert last.width > 2 * first.width


def test_one_split_a_share_is_a_test_set_like_any_other(once: hf.Report) -> None:
    x, y = rows()
    plan = shares(y, SHARES)
    for split, line in enumerate(once.whole):
        train, test = plan.train(split), plan.test(split)
        wrong = np.count_nonzero(TREE.fit(x[train], y[train]).predict(x[test]) != y[test])
        by_hand = hf.bound(hf.Counts(wrong, len(test)))
        assert (line.claim.estimate, line.claim.lower, line.claim.upper, line.claim.n) == (
            by_hand.estimate,
            by_hand.lower,
            by_hand.upper,
            len(test),
        )
        assert line.claim.guarantee is Guarantee.FINITE
        assert line.group == f"train {10 * (split + 1)} %"


def test_repeats_are_merged_whatever_their_tests_share(often: hf.Report) -> None:
    x, y = rows()
    plan = shares(y, [0.1, 0.5, 0.9], repeats=8)
    wrong, tested = np.zeros((2, 3, 8), int)
    for split, (train, test) in enumerate(plan):
        repeat, share = plan.place(split)
        wrong[share, repeat] = np.count_nonzero(TREE.fit(x[train], y[train]).predict(x[test]) != y[test])
        tested[share, repeat] = len(test)
    by_hand = find("geometric-merge")(FoldCounts(wrong, tested), 0.05)
    for share, line in enumerate(often.whole):
        assert line.claim.estimate == pytest.approx(by_hand.estimate[share])
        assert line.claim.upper == pytest.approx(by_hand.upper[share])
        assert (line.claim.method, line.claim.guarantee) == ("geometric-merge", Guarantee.FINITE)


def test_the_target_is_told(once: hf.Report, often: hf.Report) -> None:
    assert "the model that was trained" in once.details["notes"][0]
    assert "the average of the 8 models" in often.details["notes"][0]
    assert [point["n_test"] for point in often.details["learning_curve"]["points"]] == [360, 200, 40]


def test_one_sided_limits() -> None:
    report = learning_curve(GaussianNB(), *rows(100), train_shares=[0.5], side="upper")
    assert report["error-rate", None, "train 50 %"].lower == 0
    assert "upper limit" in str(report)


def test_groups_are_asked_for_by_name(once: hf.Report) -> None:
    with pytest.raises(hf.HoldfastError, match="train 10 %"):
        once["error-rate"]
    with pytest.raises(hf.HoldfastError, match="did you mean 'train 50 %'"):
        once["error-rate", None, "train 55 %"]


def test_the_same_seed_gives_the_same_numbers_whoever_trains() -> None:
    told = [
        learning_curve(
            DecisionTreeClassifier(max_features=1), *rows(80), repeats=3, engine=engine, workers=2, seed=5
        ).to_dict()["claims"]
        for engine in (None, "serial", "threads")
    ]
    assert told[0] == told[1] == told[2]


def test_json_has_the_shape_that_ships_with_the_package(once: hf.Report, often: hf.Report) -> None:
    for report in (once, often):
        validate(json.loads(report.to_json()), SHAPE)
    assert often.provenance["command"] == "holdfast.learning_curve(train_shares=[0.1, 0.5, 0.9], repeats=8)"


def test_the_text_says_it_all(once: hf.Report, often: hf.Report) -> None:
    matches("learning_curve", f"{once}\n\n{often}")
    assert max(map(len, str(once).splitlines())) <= 80


def test_hostile_input() -> None:
    x, y = rows(30)
    asked: dict[str, Callable[[], object]] = {
        "one row": lambda: learning_curve(TREE, x[:1], y[:1]),
        "fewer rows than shares": lambda: learning_curve(TREE, x[:4], y[:4]),
        "no shares": lambda: learning_curve(TREE, x, y, train_shares=[]),
        "one number": lambda: learning_curve(TREE, x, y, train_shares=0.5),  # type: ignore[arg-type]
        "text": lambda: learning_curve(TREE, x, y, train_shares="half"),
        "falling shares": lambda: learning_curve(TREE, x, y, train_shares=[0.5, 0.2]),
        "nothing left to test": lambda: learning_curve(TREE, x, y, train_shares=[0.5, 1.0]),
        "no repeats": lambda: learning_curve(TREE, x, y, repeats=0),
        "two confidences": lambda: learning_curve(TREE, x, y, delta=[0.1, 0.2]),  # type: ignore[arg-type]
        "no such side": lambda: learning_curve(TREE, x, y, side="left"),  # type: ignore[arg-type]
        "a function": lambda: learning_curve(rows, x, y),
    }
    matches("errors_of_learning_curve", messages(asked))


def test_one_class_is_learned_without_error() -> None:
    report = learning_curve(TREE, rows(50)[0], ["yes"] * 50, train_shares=[0.4])
    assert report["error-rate", None, "train 40 %"].estimate == 0
