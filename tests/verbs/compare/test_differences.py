"""Differences of two models in any measure: what is asked, of which evidence, who answers, and whether that holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm

from holdfast.catalog import Measure, find_measure, measures
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Forecasts, Scores
from holdfast.evidence.costs import Costs
from holdfast.evidence.pairs.paired import LossDifferences, Paired
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions.design import Design
from holdfast.report import Line
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.bound import default_methods
from holdfast.verbs.compare.differences import Differences
from tests.snapshots import matches, messages

LABELS = ("1", "2", "3")
COSTS = Costs([[0, 1, 2], [3, 0, 4], [5, 6, 0.5]], LABELS, rows="predicted")
GIVEN = {"costs": COSTS, "classes": [1, 2, 3, 4, 5], "clip": 0.01}
BOOTSTRAP = {"resamples": 2000, "seed": 0}
NOTHING: Mapping[str, Any] = MappingProxyType({})


def panel(n: int = 300, seed: int = 0, *, clusters: bool = False, models: tuple[str, str] = ("a", "b")) -> Panel:
    """Two correlated models of three labels, with scores for the second label; the second model is the worse."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    first = np.where(rng.random(n) < 0.8, truth, rng.integers(0, 3, n))
    second = np.where(rng.random(n) < 0.7, first, rng.integers(0, 3, n))
    scores = [np.clip((truth == 1) * gain + rng.random(n) * 0.7, 0, 1) for gain in (0.3, 0.2)]
    said = {"a": (first, scores[0]), "b": (second, np.round(scores[1], 2))}
    return Panel(
        models,
        np.stack([said[name][0] != truth for name in models]),
        LABELS,
        truth,
        np.stack([said[name][0] for name in models]),
        np.stack([said[name][1] for name in models]),
        "2",
        rng.integers(0, max(n // 4, 1), n) if clusters else None,
    )


def sampled(wrong: Any, tries: Any, clusters: Any = None) -> Panel:
    """Questions that were asked several times: wrong samples out of all, models down."""
    failed, asked = np.asarray(wrong, np.int64), np.asarray(tries, np.int64)
    return Panel(("a", "b"), failed / asked, tries=asked, right=asked - failed, clusters=clusters)


def differences(
    rows: Panel,
    first: int,
    second: int,
    wanted: Sequence[Measure],
    *,
    given: Mapping[str, Any] = NOTHING,
    pass_at: Sequence[int] = (),
) -> list[Question]:
    read = Differences(rows, given, pass_at)
    return [question for measure in wanted for question in read.about(first, second, measure)]


def comparable(rows: Panel, given: Mapping[str, Any] = NOTHING) -> list[Measure]:
    differing = Differences(rows, given)
    return [measure for measure in measures() if differing.why_not(measure) is None]


def asked(rows: Panel, *names: str, **more: Any) -> list[Question]:
    return differences(rows, 0, 1, [find_measure(name) for name in names], given=GIVEN, **more)


def answered(questions: list[Question], delta: float = 0.05, side: Any = "both") -> list[Line]:
    return Inquiry(np.asarray(delta), side, (), BOOTSTRAP).lines(questions)


def answer(rows: Panel, name: str, delta: float = 0.05, **more: Any) -> Line:
    return answered(asked(rows, name, **more), delta)[0]


# ---- What is asked


def test_the_error_rate_is_a_matter_of_who_alone_was_right() -> None:
    rows = panel()
    (question,) = asked(rows, "error-rate")
    wrong, wrong_too = rows.wrong
    won, lost = int(np.sum(~wrong & wrong_too)), int(np.sum(wrong & ~wrong_too))
    assert isinstance(question.evidence, Paired)
    assert (question.evidence.won, question.evidence.lost, question.evidence.n) == (won, lost, 300)
    assert float(question.evidence.estimate) == pytest.approx(wrong.mean() - wrong_too.mean(), abs=1e-15)
    for name in ("accuracy", "weighted-recall"):
        (turned,) = asked(rows, name)
        assert float(turned.evidence.estimate) == -float(question.evidence.estimate)


@pytest.mark.parametrize("name", ["recall", "specificity", "false-positive-rate", "false-negative-rate"])
def test_rates_of_a_class_are_compared_on_its_own_examples(name: str) -> None:
    rows = panel()
    questions = asked(rows, name)
    assert [question.labels for question in questions] == [("2",), ("1",), ("3",)]
    for question in questions:
        place = LABELS.index(question.labels[0] or "")
        own = (rows.truth == place) == (name in ("recall", "false-negative-rate"))
        said, said_too = (each[own] == place for each in rows.predicted)
        rises = name in ("recall", "false-positive-rate")
        evidence = question.evidence
        assert isinstance(evidence, Paired)
        assert int(evidence.n) == np.count_nonzero(own)
        assert int(evidence.lost if rises else evidence.won) == np.sum(said & ~said_too)
        assert int(evidence.won if rises else evidence.lost) == np.sum(~said & said_too)


@pytest.mark.parametrize("clustered", [False, True])
def test_every_estimate_of_a_table_is_the_difference_of_both_models(clustered: bool) -> None:
    rows = panel(clusters=clustered)
    tables = [rows.table(model) for model in (0, 1)]
    for measure in comparable(rows, GIVEN):
        if measure.takes is not type(tables[0]):
            continue
        stated = {name: GIVEN[name] for name in measure.parameters}
        one, other = (each.units(each.mean) for each in (measure(table, **stated) for table in tables))
        for question in differences(rows, 0, 1, [measure], given=GIVEN):
            if question.per == "cluster":
                continue
            wanted = one - other
            if question.labels != (None,):
                wanted = wanted[LABELS.index(question.labels[0] or "")]
            assert float(question.evidence.estimate) == pytest.approx(float(wanted), abs=1e-13), measure.name


def test_forecasts_are_compared_example_by_example() -> None:
    rows = panel()
    forecasts = [Forecasts.of_scores(Scores(scores, rows.truth == 1)) for scores in rows.scores]
    for name, stated, most in (("brier", {}, 1.0), ("log-loss", {"clip": 0.01}, np.log(0.99 / 0.01))):
        (question,) = asked(rows, name)
        one, other = (each.units(each.mean) for each in (find_measure(name)(f, **stated) for f in forecasts))
        assert float(question.evidence.estimate) == pytest.approx(float(one - other), abs=1e-13)
        assert question.measure.range == pytest.approx((-most, most))
        assert isinstance(question.evidence, LossDifferences)
        assert int(question.evidence.n) == 300


def test_a_question_carries_name_range_and_direction() -> None:
    rows = panel()
    told = {q.measure.name: q.measure for m in comparable(rows, GIVEN) for q in asked(rows, m.name)}
    assert told["error-rate-difference"].better == "lower"
    assert told["mcc-difference"].range == (-2.0, 2.0)
    assert told["gini-difference"].range == (-2.0, 2.0)
    assert told["auc-difference"].range == (-1.0, 1.0)
    assert told["expected-cost-difference"].range == (-6.0, 6.0)
    assert told["squared-loss-difference"].range == (-16.0, 16.0)
    assert all(name.endswith("-difference") and not each.aliases for name, each in told.items())


def test_who_answers_is_decided_by_the_kind_of_measure() -> None:
    def methods(rows: Panel) -> dict[str, str]:
        found = {
            m.name: default_methods(differences(rows, 0, 1, [m], given=GIVEN)[0].evidence)[0].name
            for m in comparable(rows, GIVEN)
        }
        return {method: " ".join(sorted(name for name in found if found[name] == method)) for method in found.values()}

    tables = "balanced-accuracy f1 kappa macro-f1 macro-precision mcc npv precision"
    rates = "false-negative-rate false-positive-rate recall specificity"
    means = "absolute-loss brier expected-cost log-loss squared-loss"
    assert methods(panel()) == {
        "paired-fisher": f"accuracy error-rate {rates} weighted-recall",
        "influence": f"average-precision {tables} weighted-f1 weighted-precision",
        "paired-delong": "auc gini",
        "apart": "ece ks",
        "squares": means,
    }
    ranked, weighed = {"auc", "gini", "average-precision"}, {"weighted-f1", "weighted-precision"}
    assert {k: set(v.split()) for k, v in methods(panel(clusters=True)).items()} == {
        "squares": {"accuracy", "error-rate", "weighted-recall", *means.split()},
        "influence": {*tables.split(), *rates.split(), *weighed, *ranked},
        "best-thresholds": {"ks"},
        "apart": {"ece"},
    }


def test_clusters_of_other_sizes_are_told_of_the_average_row_too() -> None:
    rows = panel(clusters=True)
    for name in ("error-rate", "accuracy", "brier", "expected-cost", "ece"):
        cluster, row = asked(rows, name)
        assert (cluster.per, row.per) == ("cluster", "row")
        assert (answered([cluster])[0].claim.guarantee, row.evidence.n) == (Guarantee.FINITE, cluster.evidence.n)
        assert answered([row])[0].claim.guarantee is (Guarantee.HEURISTIC if name == "ece" else Guarantee.ASYMPTOTIC)
    even = replace(rows, clusters=np.arange(300) // 4)
    for name in ("error-rate", "brier", "ece"):
        assert [question.per for question in asked(even, name)] == ["cluster"]
    capped = replace(rows, design=Design(max_cluster=20))
    for name in ("error-rate", "brier", "recall"):
        for question in asked(capped, name):
            assert question.per == "row"
            claims = [line.claim for line in answered([question])]
            assert [claim.guarantee for claim in claims] == [Guarantee.FINITE, Guarantee.ASYMPTOTIC]
            assert Assumption.CAPPED_CLUSTERS in claims[0].assumes


def test_more_examples_than_bets_are_answered_by_their_moments() -> None:
    n = 10**6 + 1
    scores = np.linspace(0, 1, 2 * n).reshape(2, n)
    rows = Panel(("a", "b"), np.zeros((2, n), bool), ("n", "y"), np.arange(n) % 2, None, scores, "y")
    (question,) = asked(rows, "brier")
    assert default_methods(question.evidence)[0].name == "maurer-pontil"


# ---- Clusters and several samples


def test_clusters_weigh_the_same_and_are_what_is_counted() -> None:
    wrong = np.array([[1, 1, 0, 0, 0], [0, 1, 0, 1, 1]], bool)
    rows = Panel(("a", "b"), wrong, clusters=np.array([5, 5, 5, 0, 2]))
    question, of_rows = asked(rows, "error-rate")
    assert sorted(question.evidence.units(question.evidence.values)) == [-1.0, -1.0, pytest.approx(1 / 3)]  # type: ignore[attr-defined]
    turned, turned_too = asked(rows, "accuracy")
    assert float(turned.evidence.estimate) == -float(question.evidence.estimate) == pytest.approx(5 / 9)
    assert float(turned_too.evidence.estimate) == -float(of_rows.evidence.estimate) == pytest.approx(1 / 5)
    claim = answered([question])[0].claim
    assert (claim.n, claim.method, claim.guarantee) == (3, "squares", "FINITE")
    assert claim.assumes[0] is Assumption.CLUSTERS
    assert Assumption.INDEPENDENT not in claim.assumes
    own = [Differences(rows, {}).own(model, find_measure("error-rate")) for model in (0, 1)]
    assert [float(each.evidence.estimate) for each in own] == pytest.approx([2 / 9, 7 / 9])
    assert [each.per for each in own] == ["cluster", "cluster"]


def test_every_claim_of_clusters_says_that_clusters_were_drawn() -> None:
    rows = panel(clusters=True)
    number = np.unique(rows.clusters).size
    for line in answered(asked(rows, *(m.name for m in comparable(rows, GIVEN)))):
        if line.label is None or line.measure in ("ece-difference", "auc-difference"):
            assert line.claim.n == number
        if line.measure in ("recall-difference", "false-negative-rate-difference"):  # those that hold the class
            held = rows.truth == LABELS.index(line.label or "")
            assert line.claim.n == np.unique(rows.clusters[held]).size < number  # type: ignore[index]
        assert Assumption.CLUSTERS in line.claim.assumes
        assert Assumption.INDEPENDENT not in line.claim.assumes


def test_several_samples_are_compared_by_their_shares() -> None:
    rows = sampled([[1, 0, 3], [2, 2, 3]], [[4, 4, 6], [4, 2, 6]])
    (question,) = asked(rows, "error-rate")
    assert np.sort(question.evidence.units(question.evidence.values)).tolist() == [-1.0, -0.25, 0.0]  # type: ignore[attr-defined]
    assert int(question.evidence.n) == 3
    assert question.assumes == (Assumption.CLUSTERS,)


def test_pass_at_k_is_the_difference_over_all_choices_of_k_samples() -> None:
    wrong, tries = [[1, 0, 3, 5], [2, 2, 3, 0]], [[4, 4, 6, 5], [4, 3, 6, 5]]

    def passes(failed: int, samples: int, k: int) -> float:
        chosen = [*combinations(range(samples), k)]
        return float(np.mean([any(i >= failed for i in some) for some in chosen]))

    questions = asked(sampled(wrong, tries), "pass-at-k", pass_at=(1, 2, 3))
    assert [(q.measure.name, q.labels) for q in questions] == [("pass-at-k-difference", (f"k={k}",)) for k in (1, 2, 3)]
    for question, k in zip(questions, (1, 2, 3), strict=True):
        one, other = ([passes(w, t, k) for w, t in zip(*rows, strict=True)] for rows in zip(wrong, tries, strict=True))
        assert float(question.evidence.estimate) == pytest.approx(np.mean(one) - np.mean(other), abs=1e-14)
    one_each = asked(Panel(("a", "b"), np.array([[0, 1], [0, 0]], bool)), "pass-at-k", pass_at=[1])
    assert float(one_each[0].evidence.estimate) == -0.5
    assert one_each[0].per == "row"


def test_passing_with_all_of_k_samples_is_compared_over_all_choices_too() -> None:
    wrong, tries = [[1, 0, 3, 5], [2, 2, 3, 0]], [[4, 4, 6, 5], [4, 3, 6, 5]]

    def passes(failed: int, samples: int, k: int) -> float:
        return float(np.mean([min(some) >= failed for some in combinations(range(samples), k)]))

    for question, k in zip(asked(sampled(wrong, tries), "pass-all-k", pass_at=(1, 2, 3)), (1, 2, 3), strict=True):
        one, other = ([passes(w, t, k) for w, t in zip(*rows, strict=True)] for rows in zip(wrong, tries, strict=True))
        assert float(question.evidence.estimate) == pytest.approx(np.mean(one) - np.mean(other), abs=1e-14)
        assert question.assumes == (Assumption.CLUSTERS, Assumption.FIXED_SAMPLES)


def test_pass_at_k_of_just_k_samples_counts_the_questions_that_one_model_alone_answers() -> None:
    rows = sampled([[3, 0, 3, 1, 3], [2, 3, 3, 0, 0]], [[3] * 5] * 2)
    three, two = asked(rows, "pass-at-k", pass_at=[3, 2])
    assert isinstance(three.evidence, Paired)
    assert float(three.evidence.estimate) == pytest.approx(2 / 5 - 3 / 5 - 0.0)
    assert not isinstance(two.evidence, Paired)
    for question in (three, two):
        assert question.per == "cluster"
        assert question.assumes == (Assumption.CLUSTERS, Assumption.FIXED_SAMPLES)
    apart = sampled([[3, 0, 3], [2, 3, 4]], [[3, 3, 3], [3, 3, 4]])  # one model was asked more often: no counts
    assert not isinstance(asked(apart, "pass-at-k", pass_at=[3])[0].evidence, Paired)
    grouped = sampled([[3, 0, 3], [2, 3, 3]], [[3] * 3] * 2, clusters=np.array([0, 0, 1]))
    assert not isinstance(asked(grouped, "pass-at-k", pass_at=[3])[0].evidence, Paired)


def test_questions_may_come_in_clusters_too() -> None:
    rows = sampled([[1, 0, 3], [2, 2, 3]], [[4, 4, 6], [4, 2, 6]], clusters=np.array([0, 0, 1]))
    questions = asked(rows, "error-rate", "pass-at-k", pass_at=[1])
    for question, wanted in zip(questions, (-0.625 / 2, 0.625 / 2), strict=True):
        assert (int(question.evidence.n), float(question.evidence.estimate)) == (2, wanted)


# ---- Mirrors, and models that do not differ


@pytest.mark.parametrize("clustered", [False, True])
def test_swapping_the_models_mirrors_every_claim_to_the_last_bit(clustered: bool) -> None:
    for seed in range(2):
        rows, turned = (panel(100, seed, clusters=clustered, models=models) for models in (("a", "b"), ("b", "a")))
        names = [measure.name for measure in comparable(rows, GIVEN)]
        here, there = (answered(asked(each, *names)) for each in (rows, turned))
        back = answered(differences(rows, 1, 0, [find_measure(name) for name in names], given=GIVEN))
        assert len(here) == len(there) == len(back) > len(names)
        for a, b, c in zip(here, there, back, strict=True):
            assert (a.claim.estimate, a.claim.lower, a.claim.upper) == (
                -b.claim.estimate,  # type: ignore[operator]
                -b.claim.upper,
                -b.claim.lower,
            ), a.claim
            assert (b.claim.estimate, b.claim.lower, b.claim.upper) == (c.claim.estimate, c.claim.lower, c.claim.upper)


@pytest.mark.parametrize("clustered", [False, True])
def test_a_model_and_its_copy_differ_by_nothing(clustered: bool) -> None:
    one = panel(clusters=clustered)
    rows = Panel(
        ("a", "b"), one.wrong[[0, 0]], LABELS, one.truth, one.predicted[[0, 0]], one.scores[[0, 0]], "2", one.clusters
    )
    for line in answered(asked(rows, *(m.name for m in comparable(rows, GIVEN)))):
        assert line.claim.estimate == 0.0
        assert line.claim.lower == -line.claim.upper < 0


# ---- What is refused


def test_what_cannot_be_compared_is_refused_with_a_reason() -> None:
    rows, passes = panel(), Panel(("a", "b"), np.zeros((2, 5), bool))
    wild = Panel(("a", "b"), rows.wrong, LABELS, rows.truth, rows.predicted, rows.scores * 9 - 1, "2")
    several = sampled([[1, 0], [0, 0]], [[2, 2], [2, 2]])
    ids = np.arange(30_000)
    many = Panel(("a", "b"), np.array([0 * ids, ids % 2], bool), tuple(map(str, ids)), ids, np.array([ids, ids ^ 1]))

    def ask(which: Panel, name: str, **more: Any) -> Any:
        return lambda: differences(which, 0, 1, [find_measure(name)], **more)

    matches(
        "errors_of_differences",
        messages(
            {
                "prevalence": ask(rows, "prevalence"),
                "expected cost without costs": ask(rows, "expected-cost"),
                "f1 of right or wrong": ask(passes, "f1"),
                "f1 of several samples": ask(several, "f1"),
                "auc without scores": ask(passes, "auc"),
                "log loss of what is no probability": ask(wild, "log-loss"),
                "f1 of too many classes": ask(many, "f1"),
                "a macro average of too many": ask(many, "macro-f1"),
                "average precision without scores": ask(passes, "average-precision"),
                "ece of what is no probability": ask(wild, "ece"),
                "calibration": ask(rows, "calibration"),
                "margins of probabilities": ask(rows, "hard-loss"),
                "margins of three labels": ask(wild, "linear-loss"),
                "clip": ask(rows, "log-loss", given={"clip": 0.7}),
                "pass@k without k": ask(several, "pass-at-k"),
                "pass@3 of 2 samples": ask(several, "pass-at-k", pass_at=[3]),
            }
        ),
    )


def test_what_is_comparable_is_not_refused_and_all_else_is() -> None:
    for rows in (panel(), panel(clusters=True), Panel(("a", "b"), np.zeros((2, 5), bool))):
        fit = comparable(rows)
        assert {"error-rate", "accuracy"} <= {measure.name for measure in fit}
        for measure in measures():
            if measure in fit:
                assert differences(rows, 0, 1, [measure])
            else:
                with pytest.raises(HoldfastError, match="of two models cannot be compared: "):
                    differences(rows, 0, 1, [measure])


# ---- Promises: more misses than a kept promise would show once in a million, at a difference on the boundary


def missed(draws: Iterable[Panel], name: str, truth: float, **more: Any) -> int:
    """How many of the guaranteed intervals miss; all are asked for at once."""
    lines = answered([asked(rows, name, **more)[0] for rows in draws], 0.2)
    kept = [line.claim for line in lines if line.claim.guarantee is Guarantee.FINITE]
    assert len(kept) >= 50
    return sum(not claim.lower <= truth <= claim.upper for claim in kept)


def most(repeats: int) -> int:
    return int(binom.isf(1e-6, repeats, 0.2))


def of_clusters(rng: np.random.Generator, repeats: int) -> Iterator[Panel]:
    """Twenty clusters of one to five rows that are all alike; a model is wrong on a cluster or right."""
    for _ in range(repeats):
        kinds = rng.choice(4, size=20, p=[0.6, 0.15, 0.15, 0.1])
        clusters = np.repeat(np.arange(20), rng.integers(1, 6, 20))
        yield Panel(("a", "b"), np.stack([kinds % 2 == 1, kinds >= 2])[:, clusters], clusters=clusters)


@pytest.mark.parametrize("repeats", [100, pytest.param(2000, marks=pytest.mark.long)])
def test_the_promise_is_kept_for_clusters(repeats: int) -> None:
    assert missed(of_clusters(np.random.default_rng(1), repeats), "error-rate", 0.0) <= most(repeats)


def test_rows_of_clusters_taken_for_independent_draws_would_break_it() -> None:
    alone = (Panel(rows.models, rows.wrong) for rows in of_clusters(np.random.default_rng(1), 300))
    assert missed(alone, "error-rate", 0.0) > most(300)


@pytest.mark.parametrize("repeats", [100, pytest.param(2000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["recall", "specificity"])
def test_the_promise_is_kept_for_the_examples_of_a_class(name: str, repeats: int) -> None:
    def draws() -> Iterator[Panel]:
        rng = np.random.default_rng(2)
        for _ in range(repeats):
            truth = (rng.random(40) < 0.5).astype(np.int64)
            found = np.where(rng.random(40) < 0.9, truth, 1 - truth)
            other = np.where((rng.random(40) < 0.25) & (truth == 1), 1 - found, found)  # on one class they are alike
            said = np.stack([found, other])
            yield Panel(("a", "b"), said != truth, ("n", "y"), truth, said, None, "y")

    truth = 0.9 - (0.75 * 0.9 + 0.25 * 0.1) if name == "recall" else 0.0
    assert missed(draws(), name, truth) <= most(repeats)


@pytest.mark.parametrize("repeats", [60, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["log-loss", "brier"])
def test_the_promise_is_kept_for_forecasts(name: str, repeats: int) -> None:
    """A cautious and a bold forecast of the same coin: rarely, the bold one pays dearly."""
    bold, chance = 0.999, 0.95

    def draws() -> Iterator[Panel]:
        rng = np.random.default_rng(3)
        for _ in range(repeats):
            truth = (rng.random(60) < chance).astype(np.int64)
            yield Panel(("a", "b"), np.zeros((2, 60), bool), ("n", "y"), truth, None,
                        np.stack([np.full(60, bold), np.full(60, 0.8)]), "y")  # fmt: skip

    def loss(p: float) -> float:
        if name == "brier":
            return chance * (1 - p) ** 2 + (1 - chance) * p**2
        return float(-chance * np.log(min(p, 0.99)) - (1 - chance) * np.log(max(1 - p, 0.01)))

    assert missed(draws(), name, loss(bold) - loss(0.8)) <= most(repeats)


@pytest.mark.parametrize("repeats", [60, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize(("k", "truth"), [(1, 0.0), (3, 0.5 * (1 - 0.5**3) + 0.5 - (1 - 0.25**3))])
def test_the_promise_is_kept_for_pass_at_k(k: int, truth: float, repeats: int) -> None:
    """The first model solves half of the questions always and the others half the time; the second all at 3/4."""

    def draws() -> Iterator[Panel]:
        rng = np.random.default_rng(4)
        for _ in range(repeats):
            chances = np.stack([np.where(rng.random(30) < 0.5, 1.0, 0.5), np.full(30, 0.75)])
            yield sampled(5 - rng.binomial(5, chances), np.full((2, 30), 5))

    assert missed(draws(), "pass-at-k", truth, pass_at=[k]) <= most(repeats)


@pytest.mark.parametrize("repeats", [80, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_influence_of_f1_covers_about_as_often_as_asked(clustered: bool, repeats: int) -> None:
    """A thousand examples, or a thousand clusters of two that are alike; the true F1 from the chances themselves."""
    joint = np.array([[[0.50, 0.05], [0.03, 0.02]], [[0.04, 0.03], [0.08, 0.25]]])  # truth, first, second
    actual, said, said_too = np.indices((2, 2, 2))
    changes, truth = np.zeros((2, 2, 2)), 0.0
    for sign, answers in ((1, said), (-1, said_too)):
        whole = np.sum(joint * (actual + answers))
        f1 = 2 * np.sum(joint * actual * answers) / whole
        truth += sign * f1
        changes += sign * (2 * actual * answers - f1 * (actual + answers)) / whole  # its derivative by each chance
    error = np.sqrt(np.sum(joint * changes**2) / 1000)
    rng, misses = np.random.default_rng(5), 0
    for _ in range(repeats):
        rows = np.stack(np.unravel_index(rng.choice(8, 1000, p=joint.reshape(-1)), (2, 2, 2)))
        rows, clusters = (np.repeat(rows, 2, axis=1), np.repeat(np.arange(1000), 2)) if clustered else (rows, None)
        made = Panel(("a", "b"), rows[1:] != rows[0], ("n", "y"), rows[0], rows[1:], None, "y", clusters)
        (line,) = answered(asked(made, "f1")[:1])
        misses += not line.claim.lower <= truth <= line.claim.upper
    assert binom.ppf(5e-7, repeats, 0.045) <= misses <= binom.isf(5e-7, repeats, 0.055)
    assert float(line.claim.width) == pytest.approx(2 * norm.isf(0.025) * error, rel=0.1)
