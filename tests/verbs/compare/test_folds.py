"""Comparing by folds: the lines, who decides, the verdict, and the mirror."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence.folds.folds import Folds
from holdfast.report import Report
from holdfast.report.verdict import Verdict
from holdfast.verbs.compare.folds import compare_folds
from tests.snapshots import matches, messages

DRAW = np.random.default_rng(4)
BASE = DRAW.uniform(0.2, 0.3, 10)
CLEAR = {"good": BASE - 0.1 + DRAW.normal(0, 0.005, 10), "bad": BASE}
CLOSE = {"one": BASE + DRAW.normal(0, 0.01, 10), "other": BASE}
WORDS = ("not settled", "no difference", "equivalent")


def verdict(folds: Folds, **options: Any) -> Verdict:
    found = compare_folds(folds, **options).details["verdict"]
    assert isinstance(found, Verdict)
    assert found.decided is not any(word in found for word in WORDS)
    return found


def swapped(folds: Folds) -> Folds:
    places = range(len(folds.models))[::-1]
    return Folds(
        {folds.models[i]: folds.values[i] for i in places},
        n_train=folds.n_train,
        n_test=folds.n_test,
        scheme=folds.scheme,
        measure=folds.measure,
        better=folds.better,
        low=folds.low,
        high=folds.high,
    )


# ---- Who decides


@pytest.mark.parametrize(
    ("shape", "scheme", "rule", "method", "tests"),
    [
        ((10,), None, "nadeau-bengio", "nadeau-bengio", ["nadeau-bengio", "paired-t"]),
        ((2, 5), None, "bouckaert-frank", "bouckaert-frank", ["bouckaert-frank", "paired-t"]),
        (
            (5, 2),
            None,
            "five-by-two-f",
            "five-by-two-t",
            ["five-by-two-f", "five-by-two-t", "bouckaert-frank", "paired-t"],
        ),
        ((10,), "resampled", "nadeau-bengio", "nadeau-bengio", ["nadeau-bengio", "paired-t"]),
        ((10,), "bootstrap", "nadeau-bengio", "nadeau-bengio", ["nadeau-bengio", "paired-t"]),
    ],
)
def test_the_scheme_decides_who_decides(shape: Any, scheme: Any, rule: str, method: str, tests: list[str]) -> None:
    folds = Folds(
        {name: np.reshape(values, shape) for name, values in CLEAR.items()}, n_train=80, n_test=20, scheme=scheme
    )
    report = compare_folds(folds)
    (line,) = report.lines
    assert (line.model, line.against, line.claim.method) == ("good", "bad", method)
    assert line.measure == "error-rate-difference"
    assert line.claim.guarantee is Guarantee.HEURISTIC
    (pair,) = report.details["pairs"]
    assert [test["test"] for test in pair["tests"]] == tests
    assert (pair["rule"], pair["p"], pair["outcome"]) == (rule, pair["tests"][0]["p"], "better")
    found = report.details["verdict"]
    assert found == pair["verdict"]
    assert found.startswith("good is better than bad: its error-rate is lower (p = ")
    assert found.endswith(f" by {rule}, which comes without proof).")


def test_an_undecided_one_says_so() -> None:
    found = verdict(Folds(CLOSE))
    assert found.outcome == "not settled"
    assert found.startswith("Which of one and other is better is not settled (p = 0.")


def test_identical_models_show_no_difference() -> None:
    report = compare_folds(Folds({"a": BASE, "b": BASE}))
    (pair,) = report.details["pairs"]
    assert report.details["verdict"] == "a and b: no difference seen, for no fold tells them apart (p = 1)."
    assert (pair["p"], pair["outcome"]) == (1.0, "no difference")
    assert [test["p"] for test in pair["tests"]] == [1.0, 1.0]
    assert pair["posterior"]["first"] is None
    assert json.loads(report.to_json())["pairs"][0]["tests"][0]["statistic"] is None
    assert (report.claims[0].estimate, report.claims[0].lower, report.claims[0].upper) == (0.0, -1.0, 1.0)


def test_a_constant_difference_settles_nothing_and_the_note_says_why() -> None:
    report = compare_folds(Folds({"a": BASE, "b": BASE + 0.01}))
    assert report.details["verdict"].outcome == "not settled"
    assert report.details["pairs"][0]["p"] == 1.0
    assert any("a and b differ by the same amount on every fold" in note for note in report.details["notes"])


# ---- Margins


def test_identical_models_show_no_difference_with_a_margin_too() -> None:
    found = verdict(Folds({"a": BASE, "b": BASE}), margin=0.01)
    assert (found.outcome, found.margin) == ("no difference", 0.01)


def test_with_a_margin_the_intervals_decide_among_many_too() -> None:
    noise = np.resize([0.001, -0.001], 10)
    models = {"a": BASE, "b": BASE + 0.004 + noise, "c": BASE + 0.1 - noise}
    plain, report = (compare_folds(Folds(models), margin=margin) for margin in (0.0, 0.02))
    assert plain.details["may_be_best"] == ["a"]
    assert [pair["outcome"] for pair in report.details["pairs"]] == ["equivalent", "better", "better"]
    assert report.details["may_be_best"] == ["a", "b"]
    assert report.details["verdict"] == (
        "a and b are equivalent within the margin of 0.02: each other one is beaten (by nadeau-bengio, which comes "
        "without proof)."
    )
    assert report.details["verdict"].rule == "nadeau-bengio"


def test_with_a_margin_the_interval_decides() -> None:
    clear, close = Folds(CLEAR), Folds(CLOSE)
    assert verdict(clear, margin=0.01).outcome == "better"
    assert verdict(swapped(clear), margin=0.01).outcome == "worse"
    assert verdict(close, margin=0.1).outcome == "equivalent"
    assert verdict(close, margin=0.001).outcome == "not settled"
    found = verdict(clear, margin=0.01, method=["paired-t", "nadeau-bengio"])
    assert (found.rule, found.margin) == ("paired-t", 0.01)
    assert "the interval is paired-t's, which comes without proof" in found


def test_not_inferior_and_its_mirror() -> None:
    worse = {"first": BASE - 0.02 + DRAW.normal(0, 0.03, 10), "second": BASE}
    claim = compare_folds(Folds(worse)).claims[0]
    margin = 1.01 * claim.upper
    assert 0 < claim.upper < -claim.lower
    found = verdict(Folds(worse), margin=margin)
    assert (found.outcome, verdict(swapped(Folds(worse)), margin=margin).outcome) == ("not inferior", "not superior")
    assert found.startswith(f"first is not worse than second by {margin:g} or more (")


# ---- Scores, where higher is better


def test_higher_scores_win_where_higher_is_better() -> None:
    accuracies = {name: 1 - values for name, values in CLEAR.items()}
    folds = Folds(accuracies, measure="accuracy", better="higher")
    report = compare_folds(folds)
    assert report.details["verdict"].outcome == "better"
    assert "good is better than bad: its accuracy is higher" in report.details["verdict"]
    assert report.claims[0].measure == "accuracy-difference"
    assert report.claims[0].estimate > 0
    assert verdict(folds, margin=0.01).outcome == "better"
    assert verdict(swapped(folds)).outcome == "worse"


def test_other_ranges_change_nothing_but_units() -> None:
    plain, wide = (
        compare_folds(Folds({name: k * values for name, values in CLEAR.items()}, high=k)) for k in (1, 50.0)
    )
    assert wide.claims[0].estimate == pytest.approx(50 * plain.claims[0].estimate, rel=1e-12)
    assert wide.details["pairs"][0]["p"] == pytest.approx(plain.details["pairs"][0]["p"], rel=1e-9)
    assert wide.details["pairs"][0]["posterior"]["rope"] == 0.5


# ---- The mirror


@pytest.mark.parametrize("shape", [(10,), (2, 5), (5, 2)])
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_swapping_mirrors_everything(shape: tuple[int, ...], margin: float, better: Any) -> None:
    for results in (CLEAR, CLOSE):
        folds = Folds({name: np.reshape(values, shape) for name, values in results.items()}, better=better)
        here, there = (compare_folds(each, margin=margin) for each in (folds, swapped(folds)))
        for one, other in zip(here.lines, there.lines, strict=True):
            assert (one.model, one.against) == (other.against, other.model)
            assert (one.claim.estimate, one.claim.lower, one.claim.upper) == (
                -other.claim.estimate,
                -other.claim.upper,
                -other.claim.lower,
            )
        (pair,), (mirror,) = here.details["pairs"], there.details["pairs"]
        assert (pair["p"], pair["adjusted_p"]) == (mirror["p"], mirror["adjusted_p"])
        assert (pair["posterior"]["first"], pair["posterior"]["equal"]) == (
            mirror["posterior"]["second"],
            mirror["posterior"]["equal"],
        )
        turned = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}
        assert mirror["outcome"] == turned.get(pair["outcome"], pair["outcome"])
        if pair["outcome"] in ("better", "worse"):
            assert here.details["verdict"] == there.details["verdict"]


# ---- Many models


def three(**others: Any) -> Report:
    return compare_folds(Folds({**CLEAR, **others}))


def test_many_models_are_compared_in_pairs_with_holm() -> None:
    report = three(third=BASE + 0.05 + DRAW.normal(0, 0.01, 10))
    pairs = report.details["pairs"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [("good", "bad"), ("good", "third"), ("bad", "third")]
    assert all(pair["adjusted_p"] >= pair["p"] for pair in pairs)
    assert max(pair["adjusted_p"] / pair["p"] for pair in pairs) == pytest.approx(3)
    assert report.details["may_be_best"] == ["good"]
    assert report.details["verdict"].outcome == "better"
    assert report.details["verdict"].startswith("good is the best of the 3 models")
    assert report.details["simultaneous"] == {"delta": 0.05, "each": 0.0166}
    assert {line.claim.delta for line in report.lines} == {0.0166}


def test_of_two_that_are_close_either_may_be_best() -> None:
    report = three(rival=CLEAR["good"] + DRAW.normal(0, 0.01, 10))
    assert report.details["may_be_best"] == ["good", "rival"]
    assert report.details["verdict"].outcome == "not settled"


def test_among_many_pairs_a_verdict_needs_the_adjusted_p() -> None:
    jitter = np.tile([0.015, -0.015], 5)
    folds = {"a": BASE, "b": BASE + 0.02 + jitter, "c": BASE + 0.01 - jitter}
    alone = compare_folds(Folds({name: folds[name] for name in "ab"})).details["pairs"][0]
    among = compare_folds(Folds(folds)).details["pairs"][0]
    assert alone["p"] == among["p"] < 0.05 < among["adjusted_p"]
    assert (alone["outcome"], among["outcome"]) == ("better", "not settled")


def test_the_order_of_models_does_not_matter() -> None:
    folds = Folds({**CLEAR, "third": BASE + 0.05})
    assert set(compare_folds(folds).details["may_be_best"]) == set(compare_folds(swapped(folds)).details["may_be_best"])


# ---- Confidence, provenance, notes


def test_more_confidence_widens() -> None:
    plain, sure = compare_folds(Folds(CLOSE)), compare_folds(Folds(CLOSE), confidence=0.999)
    assert sure.claims[0].width > 2 * plain.claims[0].width
    assert sure.claims[0].delta == 0.001


def test_where_it_comes_from() -> None:
    folds = Folds(CLEAR, n_train=90, n_test=10)
    report = compare_folds(folds, margin=0.02)
    assert report.provenance["fingerprint"] == folds.fingerprint
    assert report.provenance["rows"] == 100
    assert report.provenance["command"] == "holdfast.compare_folds(margin=0.02)"
    assert "rows" not in compare_folds(Folds(CLEAR)).provenance
    assert report.details["folds"]["means"]["bad"] == pytest.approx(BASE.mean())


def test_algorithm_22_3_is_called_optimistic() -> None:
    tested_on_all = Folds(CLEAR, n_train=150, n_test=150, scheme="bootstrap")
    out_of_bag = Folds(CLEAR, n_train=150, n_test=55, scheme="bootstrap")
    told = [any("algorithm 22.3" in n for n in compare_folds(f).details["notes"]) for f in (tested_on_all, out_of_bag)]
    assert told == [True, False]


def test_the_verdict_never_contradicts_the_digits_it_shows() -> None:
    folds = Folds(CLOSE)
    p = compare_folds(folds).details["pairs"][0]["p"]
    for delta, outcome in ((p * 1.00001, "better"), (p * 0.99999, "not settled")):
        found = verdict(folds, delta=delta)
        shown = float(found.partition("p = ")[2].partition(" ")[0])
        assert found.outcome in (outcome, {"better": "worse"}.get(outcome))
        assert (shown <= delta) == found.decided


def test_printed() -> None:
    folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    assert "Which of naive and full is better is not settled" in str(compare_folds(folds))


# ---- What is refused


def test_what_cannot_be_compared_is_refused() -> None:
    junk: Any = {"a": [0.1, 0.2]}
    folds = Folds(CLEAR)
    matches(
        "errors_of_compare_folds",
        messages(
            {
                "no folds": lambda: compare_folds(junk),
                "one model": lambda: compare_folds(Folds({"a": [0.1, 0.2]})),
                "a margin below nothing": lambda: compare_folds(folds, margin=-0.1),
                "a margin of everything": lambda: compare_folds(folds, margin=1.0),
                "a margin of words": lambda: compare_folds(folds, margin=junk),
                "a rope below nothing": lambda: compare_folds(folds, rope=-1),
                "a method for other folds": lambda: compare_folds(folds, method="five-by-two-t"),
                "several confidences": lambda: compare_folds(folds, delta=[0.1, 0.2]),  # type: ignore[arg-type]
            }
        ),
    )
    with pytest.raises(UnfitMethod):
        compare_folds(folds, method="wilson")
    with pytest.raises(UnknownName):
        compare_folds(folds, method="t-test-of-mine")
    with pytest.raises(HoldfastError):
        compare_folds(folds, confidence=0.9, delta=0.1)


def test_a_method_that_is_asked_for_decides_without_a_margin_too() -> None:
    folds = Folds.from_errors({"a": [7, 8, 3, 12, 9], "b": [6, 6, 3, 10, 7]}, n_test=30, n_train=120)
    usual, asked = compare_folds(folds), compare_folds(folds, method="paired-t")
    assert (usual.verdict.rule, usual.verdict.outcome) == ("nadeau-bengio", "not settled")
    assert (asked.verdict.rule, asked.verdict.outcome) == ("paired-t", "worse")
    assert asked.details["pairs"][0]["p"] == asked.details["pairs"][0]["tests"][0]["p"]
    assert asked.verdict.about.measure == "error-rate"
    assert "which comes without proof" in asked.verdict
