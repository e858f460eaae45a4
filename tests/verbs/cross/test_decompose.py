from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.claims import Guarantee
from holdfast.evidence.pools.decomposition import Decomposition, squared, zero_one
from holdfast.resampling import redrawn
from holdfast.training import FoldFailed
from holdfast.verbs.bound import default_method
from holdfast.verbs.cross.decompose import decompose
from tests.shapes import validate
from tests.snapshots import matches, messages

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
TREE = DecisionTreeClassifier(random_state=0)


def rows(number: int = 240, classes: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Two features, a slanted boundary that a stump cannot follow, and every eighth label wrong."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, (number, 2))
    y = np.digitize(2 * x[:, 0] + x[:, 1], np.linspace(-1.5, 1.5, classes + 1)[1:-1])
    flipped = draw.random(number) < 1 / 8
    return x, np.where(flipped, draw.integers(0, classes, number), y)


def pocket(number: int, seed: int = 0) -> tuple[Any, Any]:
    """A half plane that one cut finds, a pocket in the other that takes three, and every tenth label wrong."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, (number, 2))
    inside = (x[:, 0] > 0) ^ ((x[:, 1] > 0.3) & (x[:, 0] < -0.2))
    return x, np.where(inside ^ (draw.random(number) < 0.1), "in", "out")


@pytest.fixture(scope="module")
def along() -> hf.Report:
    x, y = pocket(600)
    return decompose(TREE, x, y, parameter="max_depth", values=range(1, 13), rounds=20)


def test_deeper_trees_have_less_bias_and_more_variance(along: hf.Report) -> None:
    bias, variance = (
        [along[name, None, f"max_depth={depth}"] for depth in range(1, 13)] for name in ("bias", "variance")
    )
    assert bias[0].lower > bias[2].estimate == min(claim.estimate for claim in bias)
    assert variance[-1].lower > variance[0].upper
    assert np.corrcoef(range(12), [claim.estimate for claim in variance])[0, 1] > 0.9


def test_the_loss_is_the_bias_plus_the_net_variance(along: hf.Report) -> None:
    for depth in range(1, 13):
        loss, bias, net = (
            along[name, None, f"max_depth={depth}"].estimate for name in ("expected-loss", "bias", "net-variance")
        )
        assert loss == pytest.approx(bias + net, abs=1e-12)


def test_every_number_has_an_interval_that_holds_at_every_sample_size(along: hf.Report) -> None:
    assert len(along.lines) == 4 * 12
    for line in along.lines:
        assert line.claim.guarantee is Guarantee.FINITE
        assert line.claim.lower <= line.claim.estimate <= line.claim.upper
        assert line.claim.n == 200
        assert line.claim.method == ("clopper-pearson" if line.measure == "bias" else "squares")
    assert "nothing is proven" in along.details["notes"][0]


def test_the_parts_are_those_of_models_trained_by_hand() -> None:
    x, y = rows(90)
    report = decompose(DecisionTreeClassifier(max_depth=2, random_state=3), x, y, rounds=5, seed=4, test_share=0.4)
    plan = redrawn(y, rounds=5, test_share=0.4, seed=4)
    told = []
    for split in range(5):
        tree = DecisionTreeClassifier(max_depth=2, random_state=3).fit(x[plan.train(split)], y[plan.train(split)])
        told.append(tree.predict(x[plan.test(split)]))
    by_hand = zero_one(np.stack(told), y[plan.test(0)], 2)
    for name, part in {
        "expected-loss": by_hand.loss,
        "bias": by_hand.bias,
        "variance": by_hand.variance,
        "net-variance": by_hand.net,
    }.items():
        assert report[name].estimate == pytest.approx(part.mean(), abs=1e-12)
    assert report["bias"].upper == hf.bound(hf.Counts(int(by_hand.bias.sum()), 36)).upper
    assert report["expected-loss"].upper == hf.bound(hf.Losses(by_hand.loss)).upper


@pytest.mark.parametrize(("labels", "times"), [((0, 1), 1), ((-1, 1), 4), (("no", "yes"), 4), ((2, 5), 9)])
def test_the_squared_loss_of_two_classes_is_the_error_rate_times_the_square_of_their_distance(
    labels: tuple[Any, Any], times: int
) -> None:
    x, y = rows(90)
    named = np.array(labels)[y]
    report = decompose(TREE, x, named, loss="squared", rounds=4)
    plain = decompose(TREE, x, named, rounds=4)
    assert report["expected-loss"].estimate == pytest.approx(times * plain["expected-loss"].estimate)
    parts = report["squared-bias"].estimate + report["variance"].estimate
    assert parts == pytest.approx(report["expected-loss"].estimate, abs=1e-12)
    assert "net-variance" not in {line.measure for line in report.lines}


def test_many_numbers_and_many_names() -> None:
    x, y = rows(150, classes=4)
    numbers = decompose(TREE, x, y * 10, loss="squared", rounds=3)
    assert numbers["expected-loss"].upper <= 900
    assert "0 as 0, 10 as 10, 20 as 20, 30 as 30" in " ".join(numbers.details["notes"])
    names = decompose(TREE, x, np.array(list("abcd"))[y], rounds=3)
    assert names["bias"].estimate is not None
    brier = decompose(GaussianNB(), x, np.array(list("abcd"))[y], loss="squared", outputs="probabilities", rounds=3)
    assert 0 < float(brier["variance"].upper) < float(brier["expected-loss"].upper) < 2


def test_probabilities_are_taken_as_the_second_class_has_them() -> None:
    x, y = rows(120)
    report = decompose(GaussianNB(), x, y, loss="squared", outputs="probabilities", rounds=4, seed=1)
    plan = redrawn(y, rounds=4, test_share=1 / 3, seed=1)
    told = [GaussianNB().fit(x[a], y[a]).predict_proba(x[b])[:, 1] for a, b in plan]
    by_hand = squared(np.stack(told), y[plan.test(0)], [0, 1])
    assert report["squared-bias"].estimate == pytest.approx(by_hand.bias.mean(), abs=1e-12)
    assert report["variance"].estimate == pytest.approx(by_hand.variance.mean(), abs=1e-12)


def test_a_learner_that_learns_nothing_has_no_variance() -> None:
    x, y = rows(99)
    report = decompose(DummyClassifier(strategy="constant", constant=1), x, y, rounds=3)
    assert (report["variance"].estimate, report["net-variance"].estimate) == (0.0, 0.0)
    assert report["bias"].estimate == pytest.approx(report["expected-loss"].estimate)


def test_the_same_seed_gives_the_same_numbers_whoever_trains() -> None:
    x, y = rows(80)
    forest = DecisionTreeClassifier(max_features=1)  # chance comes from the seed
    told = [
        decompose(forest, x, y, rounds=4, engine=engine, workers=2, seed=9).to_dict()
        for engine in (None, "serial", "threads")
    ]
    assert told[0]["claims"] == told[1]["claims"] == told[2]["claims"]
    other = decompose(forest, x, y, rounds=4, seed=10)
    assert other.to_dict()["claims"] != told[0]["claims"]


def test_a_parameter_further_in() -> None:
    x, y = rows(60)
    line = make_pipeline(StandardScaler(), TREE)
    report = decompose(line, x, y, parameter="decisiontreeclassifier__max_depth", values=[1, None], rounds=2)
    assert report.details["decomposition"]["values"] == [1, None]
    assert report["bias", None, "decisiontreeclassifier__max_depth=None"].n == 20


def test_progress_goes_through_all_values() -> None:
    x, y = rows(60)
    told: list[tuple[int, int]] = []
    decompose(TREE, x, y, parameter="max_depth", values=[1, 2], rounds=3, progress=lambda *at: told.append(at))
    assert told[-1] == (6, 6)
    assert {total for _, total in told} == {6}
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_json_has_the_shape_that_ships_with_the_package(along: hf.Report) -> None:
    x, y = rows(60)
    for report in (along, decompose(TREE, x, y, loss="squared", rounds=2)):
        told = json.loads(report.to_json())
        validate(told, SHAPE)
    assert along.details["decomposition"]["target"] == "these training sets"
    assert along.provenance["command"] == ("holdfast.decompose(rounds=20, parameter='max_depth', values=range(1, 13))")


def test_hostile_input() -> None:
    x, y = rows(30)
    names = np.array(list("abc"))[rows(30, classes=3)[1]]
    asked: dict[str, Callable[[], object]] = {
        "one class": lambda: decompose(TREE, x, np.zeros(30)),
        "a single training set": lambda: decompose(TREE, x, y, rounds=1),
        "half a training set": lambda: decompose(TREE, x, y, rounds=2.5),  # type: ignore[arg-type]
        "a near miss": lambda: decompose(TREE, x, y, parameter="maxdepth", values=[1]),
        "a parameter without values": lambda: decompose(TREE, x, y, parameter="max_depth"),
        "values without a parameter": lambda: decompose(TREE, x, y, values=[1]),
        "no values": lambda: decompose(TREE, x, y, parameter="max_depth", values=[]),
        "a number for values": lambda: decompose(TREE, x, y, parameter="max_depth", values=3),  # type: ignore[arg-type]
        "text for values": lambda: decompose(TREE, x, y, parameter="criterion", values="gini"),
        "a value twice": lambda: decompose(TREE, x, y, parameter="max_depth", values=[1, 2, 1]),
        "too many values": lambda: decompose(TREE, x, y, parameter="max_depth", values=range(2000)),
        "no such loss": lambda: decompose(TREE, x, y, loss="sqared"),  # type: ignore[arg-type]
        "no such outputs": lambda: decompose(TREE, x, y, outputs="scores"),  # type: ignore[arg-type]
        "probabilities of errors": lambda: decompose(TREE, x, y, outputs="probabilities"),
        "no probabilities": lambda: decompose(RidgeClassifier(), x, y, loss="squared", outputs="probabilities"),
        "names that are no numbers": lambda: decompose(TREE, x, names, loss="squared"),
        "no test part": lambda: decompose(TREE, x, y, test_share=0.0),
        "a class, not an estimator": lambda: decompose(DecisionTreeClassifier, x, y),
        "one row": lambda: decompose(TREE, x[:1], y[:1]),
        "two confidences": lambda: decompose(TREE, x, y, delta=[0.1, 0.2]),  # type: ignore[arg-type]
    }
    matches("errors_of_decompose", messages(asked))


def test_a_value_of_the_wrong_kind_says_which_split_and_which_parameters() -> None:
    x, y = rows(30)
    with pytest.raises(FoldFailed, match="max_depth='deep'"):
        decompose(TREE, x, y, parameter="max_depth", values=[1, "deep"], rounds=2)


def test_the_text_says_it_all(along: hf.Report) -> None:
    x, y = rows(90)
    once = decompose(TREE, x, y, rounds=5)
    matches("decompose", f"{along}\n\n{once}")
    assert max(map(len, str(along).splitlines())) <= 80


@pytest.mark.long
@pytest.mark.parametrize(("how", "classes"), [("zero-one", 2), ("zero-one", 3), ("squared", 3)])
def test_limits_about_these_training_sets_hold(how: str, classes: int) -> None:
    """Eight kinds of example, each with its own law of labels, and seven models: the truth is known, the tests drawn.

    Chance fails this less than once in a million.
    """
    draw = np.random.default_rng(11)
    replicates, points, delta = 1_000, 40, 0.1
    weights, laws = draw.dirichlet(np.ones(8)), draw.dirichlet(np.full(classes, 0.4), 8)
    models = draw.integers(0, classes, (7, 8))
    numbers = np.linspace(0, 1, classes)
    every = np.array([(kind, label) for kind in range(8) for label in range(classes)])
    chances = (weights[:, None] * laws).ravel()

    def parts(cells: Any) -> Decomposition:
        kinds, labels = every[cells].T
        if how == "zero-one":
            return zero_one(models[:, kinds], labels, classes)
        return squared(numbers[models[:, kinds]], numbers[labels], numbers.tolist())

    truth = parts(np.arange(len(every)))
    drawn = [parts(draw.choice(len(every), points, p=chances)) for _ in range(replicates)]
    known = dict(zip(truth.evidence(), (truth.loss, truth.bias, truth.variance, truth.net), strict=False))
    for name, evidence in Decomposition.joined(drawn).evidence().items():
        claim = default_method(evidence)(evidence, delta)
        value = float(known[name] @ chances)
        missed = np.count_nonzero((claim.lower > value) | (claim.upper < value))
        assert missed <= replicates * delta + 4.9 * np.sqrt(replicates * delta * (1 - delta)), name
        low, high = (float(evidence.units(np.full((), end))) for end in (0.0, 1.0))
        assert np.mean(claim.width) < 0.6 * (high - low), name
