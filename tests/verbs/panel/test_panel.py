"""Several models together: what each statement of the report promises, and that it keeps it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import holdfast as hf
from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.combine import sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Counts, Losses
from holdfast.evidence.pools import panel as evidence
from holdfast.verbs.panel.panel import panel
from tests.needs import module

Labels = NDArray[np.integer]


def drawn(models: int, inputs: int, alike: float, seed: int, labels: int = 2) -> tuple[dict[str, Labels], Labels]:
    """Models that err on hard inputs, the more alike the more together, some better than others."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, labels, inputs)
    hard, own = draw.normal(size=inputs), draw.normal(size=(models, inputs))
    bar = np.linspace(1.4, 0.8, models)[:, None]
    wrong = np.sqrt(alike) * hard + np.sqrt(1 - alike) * own > bar
    said = np.where(wrong, (truth + draw.integers(1, labels, (models, inputs))) % labels, truth)
    return {f"m{place}": row for place, row in enumerate(said)}, truth


def part(answers: dict[str, Labels], rows: Any) -> dict[str, Labels]:
    return {name: row[rows] for name, row in answers.items()}


def inside(claim: hf.Claim, value: float) -> bool:
    return bool(claim.lower <= value <= claim.upper)


# ---- What the report holds


def test_its_lines_are_the_average_the_spread_and_each_model() -> None:
    answers, truth = drawn(20, 300, 0.3, 1)
    report = panel(truth, answers)
    assert [line.measure for line in report.whole] == ["average-error-rate", "error-rate-spread"] + ["error-rate"] * 20
    wrong = np.array([row != truth for row in answers.values()])
    average = report["average-error-rate"]
    assert average.estimate == pytest.approx(wrong.mean())
    alone = hf.bound(Losses(wrong.mean(axis=0)))
    assert (average.lower, average.upper, average.method) == (alone.lower, alone.upper, "squares")
    for name, row in zip(answers, wrong, strict=True):
        own = report["error-rate", name]
        alone = clopper_pearson(Counts(int(row.sum()), 300), float(sayable(0.05 / 20)))
        assert (own.estimate, own.lower, own.upper) == (alone.estimate, alone.lower, alone.upper)
    assert report.details["panel"]["selected"] == min(answers, key=lambda name: int((answers[name] != truth).sum()))
    assert report.details["panel"]["selected"] in report.details["may_be_best"]


def test_on_unlabelled_inputs_every_line_is_about_these() -> None:
    answers, truth = drawn(5, 400, 0.3, 2)
    report = panel(truth[:250], part(answers, slice(250)), unlabelled=part(answers, slice(250, None)))
    assert all(line.measure.startswith("unlabelled-") for line in report.whole)
    assert all(hf.Assumption.INDEPENDENT not in line.claim.assumes for line in report.whole)
    assert all(hf.Assumption.EXCHANGEABLE in line.claim.assumes for line in report.whole)
    own = report["unlabelled-error-rate", "m3"]
    wrong = int((answers["m3"] != truth)[:250].sum())
    alone = hypergeometric(Counts(wrong, 250), float(sayable(0.05 / 5)), unlabelled=150)
    assert (own.lower, own.upper) == (alone.lower, alone.upper)
    assert report.details["panel"]["unlabelled"] == 150
    assert len(report.details["panel"]["unlabelled_fingerprint"]) == 64


def test_methods_of_a_panel_say_what_the_report_says() -> None:
    answers, truth = drawn(6, 300, 0.5, 3)
    there = part(answers, slice(200, None))
    several = hf.Panel(part(answers, slice(200)), truth[:200])
    for unlabelled in (None, there):
        report = several.report(unlabelled)
        named = "" if unlabelled is None else "unlabelled-"
        best = several.best(unlabelled)
        for claim, key in (
            (several.average(unlabelled), (f"{named}average-error-rate", None)),
            (several.spread(unlabelled), (f"{named}error-rate-spread", None)),
            (best.claim, (f"{named}error-rate", best.model)),
        ):
            assert str(claim) == str(report[key])
        assert best.model == report.details["panel"]["selected"]
        assert list(best.may_be_best) == report.details["may_be_best"]


def test_a_panel_is_made_of_a_table_a_mapping_or_what_was_read() -> None:
    answers, truth = drawn(3, 50, 0.5, 4)
    named, numbered = hf.Panel(answers, truth), hf.Panel(np.array([*answers.values()]), truth)
    assert numbered.models == ("model 1", "model 2", "model 3")
    assert np.array_equal(named.wrong, numbered.wrong)
    again = hf.Panel(named)
    assert again.fingerprint == named.fingerprint
    fewer = named.among(["m2", "m0"])
    assert isinstance(fewer, hf.Panel)
    assert fewer.models == ("m2", "m0")
    assert isinstance(named, evidence.Panel)
    with pytest.raises(HoldfastError, match="table of models by examples"):
        hf.Panel(np.zeros(5), truth)


# ---- Weights and sets


def test_weights_are_of_the_average_and_the_spread() -> None:
    answers, truth = drawn(4, 300, 0.3, 5)
    report = panel(truth, answers, share={"m0": 3, "m2": 1})
    rates = np.array([(row != truth).mean() for row in answers.values()])
    assert report["average-error-rate"].estimate == pytest.approx(0.75 * rates[0] + 0.25 * rates[2])
    assert report.details["panel"]["weights"] == {"m0": 0.75, "m1": 0.0, "m2": 0.25, "m3": 0.0}
    same = panel(truth, answers, share=[3, 0, 1, 0])
    assert str(same["average-error-rate"]) == str(report["average-error-rate"])


def test_weights_that_saw_the_labels_pay_for_it() -> None:
    answers, truth = drawn(4, 300, 0.3, 5)
    several = hf.Panel(answers, truth)
    fixed, fitted = several.average(share=[1, 0, 0, 0]), several.average(share=[1, 0, 0, 0], fitted=True)
    assert fitted.method == "pac-bayes"
    assert fitted.upper > fixed.upper
    near = several.average(share=[1, 0, 0, 0], fitted=True, prior=[97, 1, 1, 1])
    assert near.upper < fitted.upper
    with pytest.raises(HoldfastError, match="leave one out"):
        several.average(prior=[1, 1, 1, 1])
    with pytest.raises(HoldfastError, match="the population only"):
        several.average(answers, share=[1, 0, 0, 0], fitted=True)


def test_one_of_several_sets_has_its_part_of_delta() -> None:
    answers, truth = drawn(4, 300, 0.3, 6)
    one, of_five = panel(truth, answers, delta=0.01), panel(truth, answers, sets=5)
    assert of_five.details["panel"]["delta"] == 0.01
    assert [str(line.claim) for line in one.whole] == [str(line.claim) for line in of_five.whole]
    assert "one of 5 sets" in " ".join(of_five.details["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"share": {"nobody": 1}}, "nobody"),
        ({"share": [1, 2]}, "each of 3 models"),
        ({"share": [0, 0, 0]}, "not all 0"),
        ({"share": [1, -1, 1]}, "from 0 on"),
        ({"sets": 0}, "sets must be a whole number"),
        ({"delta": [0.1, 0.05]}, "one confidence"),
        ({"unlabelled": {"m0": [0]}}, "no predictions of the model 'm1'"),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, Any], said: str) -> None:
    answers, truth = drawn(3, 30, 0.3, 7)
    with pytest.raises((HoldfastError, UnknownName), match=said):
        panel(truth, answers, **options)


def test_several_samples_are_left_to_compare() -> None:
    sampled = evidence.Panel(("a", "b"), np.full((2, 6), 0.5))
    with pytest.raises(HoldfastError, match=r"hf\.compare takes them"):
        panel(sampled)
    with pytest.raises(HoldfastError, match="leave out missing"):
        panel(evidence.Panel(("a", "b"), np.zeros((2, 6), bool)), missing="drop")


def test_a_panel_read_for_other_models_is_refused() -> None:
    answers, truth = drawn(3, 30, 0.3, 7)
    several = hf.Panel(answers, truth)
    rest = hf.read_unlabelled(_frame(answers), several)
    with pytest.raises(HoldfastError, match="other models"):
        panel(several.among(["m0", "m1"]), unlabelled=rest)
    assert panel(several, unlabelled=rest).details["panel"]["unlabelled"] == 30


def _frame(answers: dict[str, Labels]) -> Any:
    import polars as pl

    return pl.DataFrame(answers)


# ---- The promise


@pytest.mark.parametrize("labels", [2, 3])
def test_what_is_certain_is_never_violated(labels: int) -> None:
    draw = np.random.default_rng(1)
    for seed in range(10):
        answers, truth = drawn(4, 12, 0.4, seed, labels)
        report = panel(truth[:6], part(answers, slice(6)), unlabelled=part(answers, slice(6, None)))
        certain = report.details["panel"]["certain"]
        said = np.array([*part(answers, slice(6, None)).values()])
        for _ in range(40):
            wrong = said != draw.integers(0, labels, 6)
            assert certain["average"][0] - 1e-12 <= wrong.mean() <= certain["average"][1] + 1e-12
            assert wrong.mean(axis=1).std() <= certain["spread"] + 1e-12
            share = wrong.mean(axis=0)
            drawing = np.sqrt((share * (1 - share)).sum()) / 6
            assert drawing <= certain["drawing"] + 1e-12
            assert not certain["exact"] or drawing == pytest.approx(certain["drawing"])


@pytest.mark.parametrize(
    ("alike", "rounds"),
    [(0.5, 20), *(pytest.param(alike, 100, marks=pytest.mark.long) for alike in (0.05, 0.9))],
)
def test_all_four_statements_hold_on_random_splits(alike: float, rounds: int) -> None:
    answers, truth = drawn(6, 300, alike, 8)
    wrong = np.array([row != truth for row in answers.values()])
    draw = np.random.default_rng(9)
    missed = np.zeros(4)
    for _ in range(rounds):
        order = draw.permutation(300)
        here, there = order[:150], order[150:]
        report = panel(truth[here], part(answers, here), unlabelled=part(answers, there), delta=0.2)
        rates = wrong[:, there].mean(axis=1)
        missed += [
            not inside(report["unlabelled-average-error-rate"], rates.mean()),
            not inside(report["unlabelled-error-rate-spread"], rates.std()),
            not all(inside(report["unlabelled-error-rate", f"m{place}"], rate) for place, rate in enumerate(rates)),
            f"m{int(np.argmin(rates))}" not in report.details["may_be_best"]
            and not any(f"m{place}" in report.details["may_be_best"] for place in np.flatnonzero(rates == rates.min())),
        ]
    assert np.all(missed <= rounds * 0.2)  # the splits are seeded


def test_the_average_of_each_set_shares_delta_with_the_others() -> None:
    answers, truth = drawn(6, 300, 0.3, 10)
    several = hf.Panel(answers, truth)
    report = panel(several, sets={"first": ["m0", "m1"], "rest": "m2,m3,m4,m5"})
    assert report.details["panel"]["members"] == {"first": ["m0", "m1"], "rest": ["m2", "m3", "m4", "m5"]}
    for name in ("first", "rest"):
        told = report["set-average-error-rate", None, name]
        alone = several.among(report.details["panel"]["members"][name]).average(delta=0.025)
        assert (told.estimate, told.lower, told.upper) == (alone.estimate, alone.lower, alone.upper)
    assert "the averages of all 2 sets" in " ".join(str(report).split())
    assert panel(several)["average-error-rate"].upper == report["average-error-rate"].upper
    with pytest.raises(HoldfastError, match="no set of models"):
        panel(several, sets={})
    with pytest.raises(UnknownName, match="m9"):
        panel(several, sets={"odd": ["m9"]})


# ---- What people do


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_a_frame_holds_a_model_in_each_column(kind: str) -> None:
    answers, truth = drawn(4, 4, 0.3, 1)
    frame = _frame(answers)
    given = frame if kind == "polars" else module("pandas").DataFrame(answers)
    assert np.array_equal(hf.Panel(given, truth).wrong, hf.Panel(answers, truth).wrong)
    assert panel(truth, given).details["models"] == [*answers]


@pytest.mark.parametrize("part_of_one", [1e308, 1e-320])
def test_weights_of_any_size_are_parts_of_one(part_of_one: float) -> None:
    answers, truth = drawn(3, 50, 0.3, 1)
    large, plain = (panel(truth, answers, share=[part, part, 0]) for part in (part_of_one, 1))
    assert large["average-error-rate"].lower == plain["average-error-rate"].lower
    assert large.details["panel"]["weights"] == {"m0": 0.5, "m1": 0.5, "m2": 0.0}


def test_weights_and_ties_are_told() -> None:
    answers, truth = drawn(3, 50, 0.3, 1)
    told = " ".join(panel(truth, answers, share=[3, 1, 0]).details["notes"])
    assert "weigh the models: 'm0' 0.75, 'm1' 0.25; the other 1 not at all." in told
    same = panel(truth, {"a": answers["m0"], "b": answers["m0"], "c": 1 - truth})
    assert "2 models made equally few errors; the first of them is the one selected." in same.details["notes"]
    assert "equally few" not in told


def test_a_panel_that_was_read_takes_nothing_more_and_only_its_own_unlabelled_inputs() -> None:
    answers, truth = drawn(3, 60, 0.3, 1, labels=3)
    seen = hf.Panel(answers, truth)
    assert hf.Panel(seen).models == seen.models
    with pytest.raises(HoldfastError, match="says this already"):
        hf.Panel(seen, truth)
    there = hf.read_unlabelled(_frame(answers), seen)
    assert seen.average(there).upper == seen.average(answers).upper
    with pytest.raises(HoldfastError, match="with other labels"):
        hf.Panel(answers, truth, labels=[2, 1, 0]).average(there)


def test_columns_of_a_frame_may_be_numbered() -> None:
    answers, truth = drawn(3, 30, 0.3, 1)
    frame = module("pandas").DataFrame(dict(enumerate(answers.values())))
    assert hf.Panel(frame, truth).models == ("0", "1", "2")
    assert np.array_equal(hf.Panel(frame, truth).wrong, hf.Panel(answers, truth).wrong)


def _frame(answers: dict[str, Labels]) -> Any:
    import polars as pl

    return pl.DataFrame(answers)


def test_more_sets_than_a_number_holds_are_refused() -> None:
    with pytest.raises(HoldfastError, match=r"sets must be at most 2\*\*53"):
        panel(["a", "b"] * 4, {"m": ["a", "b"] * 4, "o": ["a"] * 8}, sets=10**400)
