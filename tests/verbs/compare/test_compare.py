"""Which of several models is better: the promise over tables, the symmetry, the rules, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multinomial

import holdfast as hf
from holdfast.claims import Guarantee
from holdfast.evidence.pools.panel import Panel
from holdfast.verbs.compare.deciding import Request
from holdfast.verbs.compare.pairs import Contest
from tests.shapes import validate
from tests.snapshots import matches, messages

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
TURNED = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}


def panel(*wrong: Any, names: str = "abcdef", **beside: Any) -> Panel:
    """A panel of models known by where they erred."""
    rows = np.array(wrong, bool)
    return Panel(tuple(names[: len(rows)]), rows, rows=rows.shape[1], fingerprint="0" * 64, **beside)


def table(won: int, lost: int, both: int, n: int) -> Panel:
    """Two models with so many examples that only the first, or only the second, got right, and that neither did."""
    second = [1] * won + [0] * lost + [1] * both + [0] * (n - won - lost - both)
    first = [0] * won + [1] * lost + [1] * both + [0] * (n - won - lost - both)
    return panel(first, second)


@pytest.fixture(scope="module")
def arrays() -> tuple[Any, dict[str, Any]]:
    random = np.random.default_rng(7)
    truth = random.integers(0, 3, 500)
    return truth, {
        name: np.where(random.random(500) < rate, (truth + 1) % 3, truth)
        for name, rate in {"alpha": 0.05, "beta": 0.12, "gamma": 0.13}.items()
    }


def test_identical_models_show_no_difference_and_p_is_1() -> None:
    report = hf.compare([0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [0, 1, 0, 0]})
    assert "no difference seen" in report.verdict
    assert report.details["pairs"][0]["p"] == 1.0
    assert report["error-rate-difference"].estimate == 0.0
    assert report["error-rate-difference"].upper > 0.5  # four examples say little


@pytest.mark.parametrize("margin", [0.0, 0.08])
@pytest.mark.parametrize("test", ["exact", "mid-p", "asymptotic"])
def test_swapping_mirrors_everything(arrays: Any, margin: float, test: Any) -> None:
    truth, models = arrays
    one, other = (
        hf.compare(
            truth, {name: models[name] for name in names}, margin=margin, test=test, only=["error-rate", "f1", "recall"]
        )
        for names in (("alpha", "beta"), ("beta", "alpha"))
    )
    assert other.verdict.outcome == TURNED.get(one.verdict.outcome, one.verdict.outcome)
    assert [pair["p"] for pair in one.details["pairs"]] == [pair["p"] for pair in other.details["pairs"]]
    back = {(line.measure, line.label, line.claim.method): line.claim for line in other.lines if line.against}
    for line in one.lines:
        if line.against:
            twin = back[line.measure, line.label, line.claim.method]
            assert (line.claim.estimate, line.claim.lower) == (-twin.estimate, -twin.upper)


def test_with_no_margin_mcnemar_decides_and_false_alarms_are_at_most_delta() -> None:
    """Every table of 14 examples under null laws, by enumeration."""
    n, delta = 14, 0.1
    counts = [(w, x) for w, x in product(range(n + 1), repeat=2) if w + x <= n]
    wrong = np.array([Contest(table(w, x, 0, n), Request(delta)).verdict.decided for w, x in counts])
    assert wrong.any()
    for part in (0.02, 0.1, 0.3, 0.5):
        chance = multinomial.pmf([(w, x, n - w - x) for w, x in counts], n, [part, part, 1 - 2 * part])
        assert chance[wrong].sum() <= delta


def test_the_margin_is_decided_by_the_interval_at_every_null() -> None:
    """Non-inferiority and equivalence are wrongly claimed at most delta of the time, by enumeration."""
    n, delta, margin = 14, 0.2, 0.4
    counts = [(w, x) for w, x in product(range(n + 1), repeat=2) if w + x <= n]
    outcomes = [Contest(table(w, x, 0, n), Request(delta, margin)).verdict.outcome for w, x in counts]
    passed = np.array([outcome in ("not inferior", "equivalent", "better") for outcome in outcomes])
    same = np.array([outcome == "equivalent" for outcome in outcomes])
    assert passed.any()
    for spare in (0.0, 0.1, 0.29):
        law = [spare, margin + spare, 1 - margin - 2 * spare]
        chance = multinomial.pmf([(w, x, n - w - x) for w, x in counts], n, law)
        assert chance[passed].sum() <= delta
        assert chance[same].sum() <= delta


@pytest.mark.parametrize("margin", [0.05, 0.0005])
def test_with_a_margin_the_intervals_decide_among_many_too(margin: float) -> None:
    wrong = np.zeros((3, 4000), bool)
    wrong[0, 40:52], wrong[1, :40], wrong[2, :800] = True, True, True
    report = hf.compare(panel(*wrong), margin=margin)
    outcomes = [pair["outcome"] for pair in report.details["pairs"]]
    assert hf.compare(panel(*wrong)).details["may_be_best"] == ["a"]  # McNemar's test would tell a from b
    assert report.verdict.rule == "paired-fisher"
    assert report.verdict.margin == margin
    if margin == 0.05:
        assert outcomes == ["equivalent", "better", "better"]
        assert report.details["may_be_best"] == ["a", "b"]
        assert report.verdict == "a and b are equivalent within the margin of 0.05: each other one is beaten."
        assert not report.details["next"]
    else:
        assert outcomes == ["better"] * 3
        assert report.details["may_be_best"] == ["a"]
        assert report.verdict.decided


@pytest.mark.long
def test_with_a_margin_the_best_is_dropped_only_where_an_interval_fails() -> None:
    random = np.random.default_rng(5)
    lost = sum(
        "a" not in hf.compare(panel(*(random.random((4, 60)) < 0.4)), margin=0.01).details["may_be_best"]
        for _ in range(200)
    )
    assert lost <= 26  # of 200 at 5 %: more happens once in 10**6


@pytest.mark.parametrize("models", [2, 3])
@pytest.mark.parametrize("clusters", [None, np.arange(6) // 2])
def test_identical_models_show_no_difference_with_a_margin_too(models: int, clusters: Any) -> None:
    report = hf.compare(panel(*[[0, 1, 0, 0, 1, 0]] * models, clusters=clusters), margin=0.01)
    assert report.verdict.outcome == "no difference"
    assert "no difference seen" in report.verdict
    assert {pair["p"] for pair in report.details["pairs"]} == {1.0}


def test_the_best_is_kept_whatever_it_is() -> None:
    """The set of models that may be the best misses the true best at most delta of the time."""
    random, delta, misses, repeats = np.random.default_rng(3), 0.2, 0, 400
    for _ in range(repeats):
        hard = random.random(60) < 0.3
        wrong = [hard & (random.random(60) < rate) for rate in (0.5, 0.5, 0.55, 0.9)]  # the first two are the best
        misses += "a" not in Contest(panel(*wrong), Request(delta)).best
    assert misses / repeats <= delta
    assert misses < 60  # far fewer than 80: the chance of more would be below one in a million


def test_pairs_are_corrected_for_their_number(arrays: Any) -> None:
    report = hf.compare(*arrays)
    pairs = report.details["pairs"]
    assert sorted(pair["adjusted_p"] for pair in pairs) == sorted(
        np.maximum.accumulate([p * f for p, f in zip(sorted(pair["p"] for pair in pairs), (3, 2, 1), strict=True)])
    )
    assert report.details["simultaneous"] == {"delta": 0.05, "each": 0.0166}
    alone = hf.compare(arrays[0], {name: arrays[1][name] for name in ("alpha", "beta")})
    together, single = report["error-rate-difference", ("alpha", "beta")], alone["error-rate-difference"]
    assert together.lower < single.lower < single.upper < together.upper


def test_the_selected_model_pays_for_having_been_selected(arrays: Any) -> None:
    report = hf.compare(*arrays)
    alone = hf.assess(arrays[0], arrays[1]["alpha"])["error-rate"]
    assert report["error-rate", "alpha"].upper > alone.upper
    weighted = hf.compare(*arrays, share={"alpha": 0.9, "beta": 0.05, "gamma": 0.05})
    assert alone.upper < weighted["error-rate", "alpha"].upper < report["error-rate", "alpha"].upper
    assert weighted["error-rate", "beta"].upper > report["error-rate", "beta"].upper


def test_the_plain_interval_of_the_selected_model_comes_with_a_warning(arrays: Any) -> None:
    with pytest.warns(UserWarning, match="do not hold"):
        report = hf.compare(*arrays, plain=True)
    alone = hf.assess(arrays[0], arrays[1]["alpha"])["error-rate"]
    assert report["error-rate", "alpha"].upper == alone.upper
    assert any("do not hold" in note for note in report.details["notes"])


def test_looks_share_delta(arrays: Any) -> None:
    truth, models = arrays
    two = {name: models[name] for name in ("alpha", "beta")}
    once, ten = (hf.compare(truth, two, looks=looks) for looks in (1, 10))
    assert ten["error-rate-difference"].delta == 0.005 == once["error-rate-difference"].delta / 10


def test_clusters_widen_the_interval_and_change_the_test() -> None:
    """Ten copies of each example are one draw, however many rows they are."""
    random = np.random.default_rng(5)
    one, other = random.random(60) < 0.1, random.random(60) < 0.4
    copies = np.repeat(np.arange(60), 10)
    alone, copied = hf.compare(panel(one, other)), hf.compare(panel(one[copies], other[copies], clusters=copies))
    assert copied.details["pairs"][0]["test"] == "squares"
    assert copied["error-rate-difference"].n == 60
    assert copied["error-rate-difference"].width > alone["error-rate-difference"].width / 2
    assert hf.Assumption.CLUSTERS in copied["error-rate", "a"].assumes
    assert hf.Assumption.INDEPENDENT not in copied["error-rate-difference"].assumes


def test_scores_bring_their_own_differences(arrays: Any) -> None:
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 200)
    scores = {name: np.clip(truth * 0.3 + 0.7 * random.random(200), 0, 1) for name in "ab"}
    models = {name: (score > 0.5).astype(int) for name, score in scores.items()}
    report = hf.compare(truth, models, scores)
    assert report["auc-difference"].guarantee is Guarantee.ASYMPTOTIC
    assert report["log-loss-difference"].guarantee is report["brier-difference"].guarantee is Guarantee.FINITE


def test_what_is_not_settled_says_how_many_examples_would_probably_do() -> None:
    report = hf.compare(table(12, 6, 5, 200))
    assert "not settled" in report.verdict
    assert "looks=" in report.details["next"][0]
    assert "hf.sequential" in report.details["next"][0]
    needed = int(report.details["next"][0].split("about ")[1].split(" ")[0].replace(",", ""))
    scale = needed / 200
    grown = hf.compare(table(round(12 * scale), round(6 * scale), 5, needed))
    assert grown.details["pairs"][0]["p"] < 0.02


def needed(report: Any) -> int:
    return int(report.details["next"][0].split("about ")[1].split(" ")[0].replace(",", ""))


@pytest.mark.long
@pytest.mark.parametrize(("won", "lost", "margin"), [(12, 10, 0.01), (30, 30, 0.05), (9, 8, 0.02)])
def test_with_a_margin_it_says_how_many_would_do_too(won: int, lost: int, margin: float) -> None:
    report = hf.compare(table(won, lost, 0, 200), margin=margin)
    assert report.verdict.outcome == "not settled"
    assert "would probably settle it" in report.details["next"][0]
    n, random = needed(report), np.random.default_rng(1)
    grown = random.multinomial(n, [won / 200, lost / 200, 1 - (won + lost) / 200], size=100)
    settled = [hf.compare(table(*each[:2], 0, n), margin=margin).verdict.outcome != "not settled" for each in grown]
    assert sum(settled) >= 65  # of 100; with a chance of 0.8 each that fails once in 5,000


def test_of_clusters_it_says_how_many_more_of_them() -> None:
    random = np.random.default_rng(4)
    wrong = random.random((2, 200)) < [[0.3], [0.4]]
    report = hf.compare(panel(*wrong, clusters=np.arange(200) // 5))
    assert report.verdict.outcome == "not settled"
    assert f"{needed(report):,} clusters in all" in report.details["next"][0]
    assert 41 <= needed(report) <= 1000


def test_what_would_settle_it_is_about_models_that_may_be_the_best() -> None:
    wrong = np.zeros((4, 400), bool)
    wrong[0, :200], wrong[1, 5:210] = True, True  # far behind, and hardly to be told apart
    wrong[2, 300:310], wrong[3, 310:323] = True, True
    report = hf.compare(panel(*wrong))
    assert report.details["may_be_best"] == ["c", "d"]
    assert report.details["next"][0].startswith("If c and d differ")


def test_measures_with_parameters_are_compared(arrays: Any) -> None:
    truth, models = arrays
    costs = hf.Costs([[0, 1, 5], [1, 0, 1], [2, 2, 0]], [0, 1, 2], rows="predicted")
    report = hf.compare(truth, models, costs=costs, classes=[0, 1, 2], only="accuracy")
    for measure in ("expected-cost-difference", "squared-loss-difference", "absolute-loss-difference"):
        assert report[measure, ("alpha", "beta")].guarantee is Guarantee.FINITE
    price = np.array([[0, 1, 5], [1, 0, 1], [2, 2, 0]])
    mean = [price[models[name], truth].mean() for name in ("alpha", "beta")]
    assert report["expected-cost-difference", ("alpha", "beta")].estimate == pytest.approx(mean[0] - mean[1])
    scores = {name: np.where(models[name] == 1, 0.9, 0.0) for name in models}
    narrow, wide = (
        hf.compare(truth == 1, {n: models[n] == 1 for n in models}, scores, positive=True, clip=clip, only="log-loss")
        for clip in (0.1, 1e-6)
    )
    pair = ("alpha", "beta")
    assert narrow["log-loss-difference", pair].width < wide["log-loss-difference", pair].width


def test_what_is_asked_twice_is_told_once(arrays: Any) -> None:
    report = hf.compare(*arrays, only=["mcc", "mcc"])
    assert sum(line.measure == "mcc-difference" for line in report.lines) == 3
    report = hf.compare(table(2, 3, 0, 20), pass_at=[1, 1])
    asked = [line.claim.method for line in report.lines if line.measure == "pass-at-k-difference"]
    assert asked == ["paired-fisher", "tango"]


def test_intervals_of_several_classes_are_not_said_to_hold_together(arrays: Any) -> None:
    assert any(
        "one class or k at a time" in note
        for note in hf.compare(*arrays, only=["error-rate", "recall"]).details["notes"]
    )
    assert not any("one class" in note for note in hf.compare(*arrays).details["notes"])


def test_models_that_win_as_often_as_they_lose_are_never_settled() -> None:
    assert "no test set" in hf.compare(table(5, 5, 0, 100)).details["next"][0]


def test_a_claim_is_found_by_its_models(arrays: Any) -> None:
    report = hf.compare(*arrays, only=["error-rate", "recall"])
    there, back = (report["error-rate-difference", pair] for pair in (("alpha", "beta"), ("beta", "alpha")))
    assert (there.estimate, there.lower, there.upper) == (-back.estimate, -back.upper, -back.lower)
    assert report["recall-difference", ("alpha", "beta"), "2"].measure == "recall-difference"
    assert report["error-rate", "beta"].method == "clopper-pearson"


def test_the_report_has_the_shape_it_promises(arrays: Any) -> None:
    random = np.random.default_rng(0)
    folds = hf.Folds({name: random.random(5) for name in "ab"}, n_train=40, n_test=10)
    clustered = hf.compare(*arrays, clusters=np.arange(500) // 5)
    boards = {name: random.random(8).tolist() for name in "abc"}
    for report in (hf.compare(*arrays, only="macro-f1"), clustered, hf.compare(folds)):
        validate(json.loads(report.to_json()), SHAPE)
        assert report.to_frame().height == len(report.lines)
    validate(json.loads(hf.compare_datasets(boards, better="higher").to_json()), SHAPE)


def test_text(arrays: Any) -> None:
    truth, models = arrays
    text = str(hf.compare(truth, models))
    assert max(map(len, text.splitlines())) <= 80
    matches("compare_many", text)
    matches("compare_two", str(hf.compare(truth, {name: models[name] for name in ("beta", "gamma")}, margin=0.1)))


def test_what_cannot_be_asked_is_refused(arrays: Any) -> None:
    truth, models = arrays
    report = hf.compare(truth, models)
    folds = hf.Folds({"a": [0.1, 0.2], "b": [0.2, 0.1]}, n_train=10, n_test=10)
    calls = {
        "one model": lambda: hf.compare(truth, {"a": models["alpha"]}),
        "no models": lambda: hf.compare(truth, {}),
        "a list": lambda: hf.compare(truth, [models["alpha"]]),  # type: ignore[arg-type]
        "unequal lengths": lambda: hf.compare(truth, {"a": models["alpha"], "b": models["beta"][1:]}),
        "no examples": lambda: hf.compare([], {"a": [], "b": []}),
        "margin of 1": lambda: hf.compare(truth, models, margin=1.0),
        "negative margin": lambda: hf.compare(truth, models, margin=-0.1),
        "unknown test": lambda: hf.compare(truth, models, test="exakt"),  # type: ignore[arg-type]
        "no looks": lambda: hf.compare(truth, models, looks=0),
        "unknown method": lambda: hf.compare(truth, models, method="tang"),
        "unfit method": lambda: hf.compare(truth, models, method="clopper-pearson"),
        "unknown measure": lambda: hf.compare(truth, models, only="f2"),
        "prevalence": lambda: hf.compare(truth, models, only="prevalence"),
        "auc without scores": lambda: hf.compare(truth, models, only="auc"),
        "a weight too many": lambda: hf.compare(truth, models, share={"delta": 1.0}),
        "a weight too few": lambda: hf.compare(truth, models, share={"alpha": 1.0}),
        "weights above 1": lambda: hf.compare(truth, models, share={"alpha": 0.5, "beta": 0.5, "gamma": 0.5}),
        "a panel and more": lambda: hf.compare(table(1, 2, 0, 9), models),
        "a panel and labels": lambda: hf.compare(table(1, 2, 0, 9), labels=["x", "y"], positive="x"),
        "a panel and missing": lambda: hf.compare(table(1, 2, 0, 9), missing="drop"),
        "weights of plain intervals": lambda: hf.compare(truth, models, share=dict.fromkeys(models, 0.3), plain=True),
        "mid-p of clusters": lambda: hf.compare(truth, models, clusters=truth, test="mid-p"),
        "tango of clusters": lambda: hf.compare(truth, models, clusters=truth, method="tango"),
        "costs as a list": lambda: hf.compare(truth, models, costs=[[0, 1], [1, 0]]),  # type: ignore[arg-type]
        "clip without a log loss": lambda: hf.compare(truth, models, clip=0.1),
        "folds and clusters": lambda: hf.compare(folds, clusters=[1, 2]),
        "several confidences": lambda: hf.compare(truth, models, delta=[0.1, 0.2]),  # type: ignore[arg-type]
        "no pair named": lambda: report["error-rate-difference"],
        "no model named": lambda: report["error-rate"],
        "one model of a pair": lambda: report["error-rate-difference", "alpha"],
        "two models of one": lambda: report["error-rate", ("alpha", "beta")],
        "unknown model": lambda: report["error-rate", "alfa"],
        "no comparison": lambda: hf.assess([1], [1]).verdict,
    }
    matches("errors_of_compare", messages(calls))


@pytest.mark.parametrize("name", ["not settled", "x" * 10_000, "a\x1b[31m\nb"])
def test_names_are_told_in_short_and_kept_as_they_are(name: str) -> None:
    truth, wrong = [0, 1] * 40, [1, 0] * 40
    for models in ({name: truth, "b": wrong}, {name: truth, "b": wrong, "c": wrong}):
        report = hf.compare(truth, models)
        assert report.verdict.decided
        first = str(report).split("\n\n", maxsplit=1)[0]
        assert "not settled" not in first
        assert "\x1b" not in str(report)
        assert max(map(len, str(report).splitlines())) < 100
        told = report.to_dict()
        assert told["models"][0] == told["verdict"]["models"][0] == name
