"""The main job: every measure the data bear, with an interval, a guarantee and the right method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import measures
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.render.page import page_html
from holdfast.tally.designs import reading
from tests.snapshots import matches, messages

TRUTH = ["spam", "ham"] * 30
PREDICTED = ["spam", "ham"] * 25 + ["ham", "spam"] * 5
SCORES = [round(0.95 - 0.01 * i if p == "spam" else 0.05 + 0.01 * i, 2) for i, p in enumerate(PREDICTED)]
NAMES = [
    *("error-rate", "accuracy", "precision", "recall", "f1", "specificity", "false-positive-rate"),
    *("false-negative-rate", "npv", "balanced-accuracy", "macro-f1", "mcc", "kappa", "prevalence"),
    *("auc", "average-precision", "log-loss", "brier"),
]
ASYMPTOTIC = {"weighted-precision", "weighted-f1", "average-precision"}


@pytest.fixture(scope="module")
def report() -> hf.Report:
    return hf.assess(TRUTH, PREDICTED, SCORES, positive="spam")


def test_every_name_is_answered(report: hf.Report) -> None:
    for name in NAMES:
        claim = report[name]
        assert claim.measure == name
        assert claim.estimate is not None
        assert claim.lower <= claim.estimate <= claim.upper


def test_guaranteed_where_it_can_be(report: hf.Report) -> None:
    for name in {line.measure for line in report.lines}:
        wanted = hf.Guarantee.ASYMPTOTIC if name in ASYMPTOTIC else hf.Guarantee.FINITE
        assert report[name].guarantee is wanted, name


def test_limits_stay_within_the_range_of_the_measure() -> None:
    ranges = {entry.name: entry.range for entry in measures()}
    for truth, predicted, scores in (
        (TRUTH, PREDICTED, SCORES),
        ("ab" * 4, "ab" * 4, [0.0, 1.0] * 4),
        ("ab" * 4, "ba" * 4, [1.0, 0.0] * 4),
        ("aaaa", "aabb", [0.1, 0.2, 0.3, 0.4]),
        ("ab", "ab", [0.5, 0.5]),
        ("a", "a", [1.0]),
    ):
        told = hf.assess(list(truth), list(predicted), scores, positive=sorted(set(truth) | set(predicted))[-1])
        for line in told.lines:
            low, high = ranges[line.measure]
            assert low <= line.claim.lower <= line.claim.upper <= high, line
            assert line.claim.lower < line.claim.upper, f"{line.measure} of {line.label} leaves no doubt"


def test_no_errors_are_not_certainty() -> None:
    told = hf.assess(["a", "b"] * 25, ["a", "b"] * 25, [0.1, 0.9] * 25, positive="b")
    assert told["error-rate"].upper == pytest.approx(0.0711, abs=1e-4)
    assert told["auc"].estimate == 1.0
    assert 0.8 < told["auc"].lower < 0.9
    for name in ("f1", "mcc", "kappa", "balanced-accuracy", "macro-f1"):
        assert 0.5 < told[name].lower < 0.97, name


def test_one_class_leaves_unknown_what_it_cannot_tell() -> None:
    told = hf.assess([1, 1, 1], [1, 1, 0], [0.9, 0.8, 0.3])
    for name in ("auc", "specificity"):
        claim = told[name]
        assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)
    assert told["mcc"].estimate is None
    assert told["mcc"].lower < 0 < told["mcc"].upper


def test_pass_or_fail_alone() -> None:
    told = hf.assess(correct=[True, False, True, True])
    assert [line.measure for line in told.lines] == ["error-rate", "accuracy"]
    assert told["error-rate"].estimate == 0.25


def test_many_classes_with_scores() -> None:
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 3, 60)
    scores = generator.dirichlet(np.ones(3), 60) * 0.5 + 0.5 * np.eye(3)[truth]
    told = hf.assess(truth, scores.argmax(axis=1), scores)
    assert {line.label for line in told.lines if line.measure == "auc"} == {"0", "1", "2"}
    assert told["log-loss"].guarantee is hf.Guarantee.FINITE
    assert told["brier"].upper <= 2
    assert told["mcc"].guarantee is hf.Guarantee.ASYMPTOTIC


def test_one_sided(report: hf.Report) -> None:
    told = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam", side="upper")
    for line in told.lines:
        assert line.claim.side == "upper"
        signed = line.measure in ("mcc", "kappa", "gini")
        assert line.claim.lower == pytest.approx(-1.0 if signed else 0.0, abs=1e-5)
    assert told["error-rate"].upper < report["error-rate"].upper


def test_a_method_answers_where_it_fits() -> None:
    told = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam", method=["wilson", "hanley-mcneil"])
    assert told["recall"].method == "wilson"
    assert told["auc"].method == "hanley-mcneil"
    assert told["mcc"].method == "fisher-region"


def test_an_average_precision_is_answered_by_what_each_example_moves() -> None:
    told = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam")["average-precision"]
    assert (told.method, told.guarantee) == ("influence", hf.Guarantee.ASYMPTOTIC)
    named = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam", method="logit")["average-precision"]
    assert (named.method, named.guarantee) == ("logit", hf.Guarantee.HEURISTIC)


def test_a_bootstrap_on_request() -> None:
    told = hf.assess(
        TRUTH, PREDICTED, SCORES, positive="spam", method="percentile", only=["accuracy", "f1", "mcc", "auc"]
    )
    assert {line.claim.method for line in told.lines} == {"percentile"}
    again = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam", method="percentile", only="accuracy", seed=1)
    assert again["accuracy"].estimate == told["accuracy"].estimate
    assert told.provenance["seed"] == 0
    assert again.provenance["seed"] == 1


def test_scikit_learns_words() -> None:
    first = hf.assess([1, 0, 1, 1], [1, 0, 0, 1], pos_label=0)
    assert first["recall"].estimate == 1.0
    turned = hf.assess(["b", "a"], ["b", "a"], labels=["b", "a"])
    assert next(line.label for line in turned.lines if line.label) == "b"


def test_advice_to_invert() -> None:
    told = hf.assess([0, 0, 1, 1] * 5, [1, 1, 0, 0] * 5, [0.9, 0.8, 0.2, 0.1] * 5)
    assert any("inverting" in note for note in told.details["notes"])
    assert told["auc"].upper < 0.5


def test_the_clip_is_told() -> None:
    told = hf.assess([0, 1], [0, 1], [0.0, 1.0], clip=0.01)
    assert told["log-loss"].estimate == pytest.approx(-np.log(0.99))
    assert "[0.01, 0.99]" in " ".join(told.details["notes"])


@pytest.mark.long
def test_very_many_labels_are_answered_together() -> None:
    answers = [f"answer {i}" for i in range(100_000)]
    told = hf.assess(answers, ["answer 0", *answers[1:]])
    assert told["error-rate"].estimate == 0.0
    assert not [line for line in told.lines if line.label is not None]
    assert any("100,000 labels" in note for note in told.details["notes"])


@pytest.mark.parametrize("design", [{}, {"clusters": np.arange(600) // 4}, {"weights": 1 + np.arange(600) % 3}])
def test_an_average_over_many_classes_is_that_of_the_rates(
    design: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 9, 600)
    said = np.where(random.random(600) < 0.7, truth, random.integers(0, 9, 600))
    asked: dict[str, Any] = {"only": ["balanced-accuracy", "macro-precision", "macro-f1"], "method": "influence"}
    several = hf.assess(truth, said, **asked, **design)
    monkeypatch.setattr(reading, "MOST_TERMS", 3)
    many = hf.assess(truth, said, **asked, **design)
    for one, other in zip(many.lines, several.lines, strict=True):
        assert one.claim.method == other.claim.method == "influence"
        assert (one.claim.estimate, one.claim.lower, one.claim.upper, one.claim.n) == pytest.approx(
            (other.claim.estimate, other.claim.lower, other.claim.upper, other.claim.n), rel=1e-12
        )


def test_curves_come_with_the_scores(report: hf.Report) -> None:
    assert set(report.curves) == {"roc", "precision-recall"}
    assert not hf.assess(TRUTH, PREDICTED).curves


def test_together_the_bands_of_curves_are_among_the_statements(report: hf.Report) -> None:
    together = hf.assess(TRUTH, PREDICTED, SCORES, positive="spam", labels=["ham", "spam"], simultaneous=True)
    known = together.details["simultaneous"]
    assert known["bands"] == ["roc", "precision-recall"] == list(together.curves)
    assert known["each"] == float(sayable(bonferroni(0.05, len(together.lines) + 2)))
    for name, curve in together.curves.items():
        assert curve.delta == known["each"]
        assert np.all(curve.y_lower <= report.curves[name].y_lower)
        assert np.any(curve.y_lower < report.curves[name].y_lower)
    points = [each.seen["thresholds"]()["points"][20]["recall"] for each in (report, together)]
    assert points[1]["band_lower"] < points[0]["band_lower"]
    assert "intervals, and the bands of the curves, hold together" in " ".join(str(together).split())
    shown = page_html(together)
    assert "also at one chosen after looking, and together with all intervals." in shown
    assert "With 95 % confidence the true ROC curve is in the band" in shown


def test_refusals() -> None:
    calls = {
        "both words": lambda: hf.assess(TRUTH, PREDICTED, positive="spam", pos_label="ham"),
        "no such method": lambda: hf.assess(TRUTH, PREDICTED, method="wilsen"),
        "a method that fits nothing": lambda: hf.assess(TRUTH, PREDICTED, method="betting"),
        "two-sided only": lambda: hf.assess(TRUTH, PREDICTED, method="blaker", side="upper"),
        "scores asked for": lambda: hf.assess(TRUTH, PREDICTED, only="auc"),
        "two levels": lambda: hf.assess(TRUTH, PREDICTED, delta=[0.1, 0.05]),
        "no such positive": lambda: hf.assess(TRUTH, PREDICTED, positive="sapm"),
        "bootstrap of no errors": lambda: hf.assess("ab" * 9, "ab" * 9, method="bca", only="accuracy"),
        "a bad clip": lambda: hf.assess([0, 1], [0, 1], [0.1, 0.9], clip=0.7),
        "columns beside predictions": lambda: hf.assess(hf.Predictions.from_arrays(TRUTH, PREDICTED), PREDICTED),
        "nothing": lambda: hf.assess(),
        "no prediction": lambda: hf.assess(TRUTH),
        "lengths": lambda: hf.assess(TRUTH, PREDICTED[:-1]),
    }
    matches("errors_assess", messages(calls))


def test_errors_are_short() -> None:
    for bad in (["x" * 10_000, "y"], [f"label {i}" for i in range(50_000)]):
        with pytest.raises(HoldfastError) as refused:
            hf.assess(bad, bad, positive="nowhere")
        assert len(str(refused.value)) <= 600
        assert str(refused.value).count("\n") < 6


def test_a_degenerate_bootstrap_names_who_can() -> None:
    with pytest.raises(UnfitMethod, match="clopper-pearson"):
        hf.assess(["a", "b"] * 9, ["a", "b"] * 9, method="percentile", only="error-rate")
