"""Thresholds of rows in clusters, with weights, within strata and classes: what is claimed, and how firmly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import holdfast as hf
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.report import Answer
from holdfast.report.decision import Threshold
from holdfast.selection.drawn_thresholds import ScoredDraws, every_threshold, lower_limit
from holdfast.selection.thresholds import precision_of
from holdfast.tally import tally
from holdfast.verbs.threshold.threshold import threshold
from holdfast.verify.simulated import BY_CHANCE

Floats = NDArray[np.float64]


def sample(
    seed: int = 0, clusters: int = 300, share: float = 0.4
) -> tuple[NDArray[np.bool_], Floats, NDArray[np.int64]]:
    """Clusters of 1 to 5 rows; scores of a cluster are alike."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), rng.integers(1, 6, clusters))
    truth = rng.random(cluster.size) < share
    shift = 0.7 * rng.normal(size=clusters)[cluster]
    return truth, 1 / (1 + np.exp(-(rng.normal(size=cluster.size) + shift + 3 * truth - 1.5))), cluster


TRUTH, SCORE, CLUSTER = sample()
WEIGHT = np.random.default_rng(1).choice([0.5, 1.0, 3.0], TRUTH.size)
STRATUM = np.where(np.random.default_rng(2).random(300) < 0.3, "north", "south")[CLUSTER]
SHARES = {"north": 0.5, "south": 0.5}
WISHES = [{"sensitivity_at_least": 0.8}, {"specificity_at_least": 0.75}, {"precision_at_least": 0.6}]
DESIGNS: list[dict[str, Any]] = [
    {"clusters": CLUSTER, "max_cluster": 5},
    {"weights": WEIGHT, "max_weight": 3.0},
    {"inclusion": 1 / (1 + WEIGHT), "max_weight": 4.0},
    {"clusters": CLUSTER, "max_cluster": 5, "weights": WEIGHT, "max_weight": 3.0},
    {"strata": STRATUM, "shares": SHARES},
    {"clusters": CLUSTER, "max_cluster": 5, "strata": STRATUM, "shares": SHARES},
]


def weights_of(design: dict[str, Any]) -> Floats:
    weight = np.ones(TRUTH.size)
    if "weights" in design:
        weight = WEIGHT
    if "inclusion" in design:
        weight = 1 + WEIGHT
    if "strata" in design:
        first = np.unique(CLUSTER, return_index=True)[1] if "clusters" in design else np.arange(TRUTH.size)
        drawn = {name: np.count_nonzero(STRATUM[first] == name) for name in SHARES}
        weight = weight * np.array([SHARES[name] / drawn[name] for name in STRATUM])
    return weight


def claims_of(made: Threshold) -> dict[str, Claim]:
    assert made.claim is not None
    return {claim.measure: claim for claim in (made.claim, *made.beside)}


# ---- What is said


@pytest.mark.crossing(3)
@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: next(iter(wish)))
@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: "-".join(design))
def test_a_stated_cap_makes_every_claim_hold_at_every_sample_size(design: dict[str, Any], wish: dict[str, Any]) -> None:
    made = threshold(TRUTH, SCORE, **wish, **design)
    assert made.answer is Answer.PROVEN
    assert made.threshold is not None
    claims, called, weight = claims_of(made), made.threshold <= SCORE, weights_of(design)
    seen = {
        "recall": np.average(called[TRUTH], weights=weight[TRUTH]),
        "specificity": np.average(~called[~TRUTH], weights=weight[~TRUTH]),
        "precision": np.average(TRUTH[called], weights=weight[called]),
    }
    assert claims.keys() == seen.keys()
    for measure, claim in claims.items():
        assert claim.estimate == pytest.approx(seen[measure])
        assert claim.lower <= seen[measure] <= claim.upper
        assert (claim.delta, claim.guarantee) == (0.05, Guarantee.FINITE)
        assert (Assumption.CLUSTERS in claim.assumes) == ("clusters" in design)
        assert (Assumption.CAPPED_CLUSTERS in claim.assumes) == ("clusters" in design)
        assert (Assumption.CAPPED_WEIGHTS in claim.assumes) == ("max_weight" in design)
        assert (Assumption.STATED_SHARES in claim.assumes) == ("strata" in design)
    assert made.claim is not None
    assert made.claim.lower == next(iter(wish.values()))


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: next(iter(wish)))
@pytest.mark.parametrize(
    ("design", "why"),
    [({"clusters": CLUSTER}, "max_cluster="), ({"weights": WEIGHT}, "max_weight=")],
    ids=["clusters", "weights"],
)
def test_without_a_cap_it_holds_as_the_sample_grows_and_says_why(
    design: dict[str, Any], why: str, wish: dict[str, Any]
) -> None:
    made = threshold(TRUTH, SCORE, **wish, **design)
    assert made.threshold in np.arange(1, 101) / 100
    assert {claim.guarantee for claim in claims_of(made).values()} == {Guarantee.ASYMPTOTIC}
    assert any(why in note for note in made.notes)
    assert any("hundredths" in note for note in made.notes)
    named = threshold(TRUTH, SCORE, **wish, **design, candidates=[0.31, 0.52, 0.73])
    assert named.threshold in (0.31, 0.52, 0.73)
    assert not any("hundredths" in note for note in named.notes)


def test_a_design_is_taken_as_such_and_by_its_names() -> None:
    stated = hf.Design(clusters=CLUSTER, max_cluster=5, weights=WEIGHT, max_weight=3.0)
    one = hf.threshold(TRUTH, SCORE, specificity_at_least=0.75, design=stated)
    two = hf.threshold(
        TRUTH, SCORE, specificity_at_least=0.75, clusters=CLUSTER, max_cluster=5, sample_weight=WEIGHT, max_weight=3.0
    )
    assert one.threshold == two.threshold
    assert one.command == two.command == "holdfast.threshold(specificity_at_least=0.75, max_cluster=5, max_weight=3.0)"
    again = hf.Threshold.from_json(one.to_json())
    assert again.to_dict() == one.to_dict()


def test_the_order_of_the_rows_and_the_names_of_clusters_do_not_matter() -> None:
    made = threshold(TRUTH, SCORE, precision_at_least=0.6, clusters=CLUSTER, max_cluster=5)
    order = np.random.default_rng(3).permutation(TRUTH.size)
    names = np.array([f"c{each * 7919 % 300}" for each in CLUSTER])
    again = threshold(TRUTH[order], SCORE[order], precision_at_least=0.6, clusters=names[order], max_cluster=5)
    assert made.to_dict() == again.to_dict()


# ---- What is the same


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: next(iter(wish)))
def test_clusters_of_one_row_are_rows_where_that_is_declared(wish: dict[str, Any]) -> None:
    plain = threshold(TRUTH, SCORE, **wish)
    alone = threshold(TRUTH, SCORE, **wish, clusters=np.arange(TRUTH.size), max_cluster=1)
    assert alone.threshold == plain.threshold
    for one, other in zip(claims_of(alone).values(), claims_of(plain).values(), strict=True):
        assert (one.estimate, one.lower, one.upper, one.method) == (
            other.estimate,
            other.lower,
            other.upper,
            other.method,
        )
    capped = threshold(TRUTH, SCORE, **wish, clusters=np.arange(TRUTH.size), max_cluster=2)
    assert capped.threshold != plain.threshold  # a cap of two does not say that all are one
    with pytest.raises(HoldfastError, match="more than the 1 that were stated"):
        threshold(TRUTH, SCORE, **wish, clusters=CLUSTER, max_cluster=1)


def test_weights_of_one_change_no_estimate() -> None:
    for wish in WISHES:
        one, other = (
            threshold(TRUTH, SCORE, **wish, candidates=[0.5], **design)
            for design in ({}, {"weights": np.ones(TRUTH.size), "max_weight": 1.0})
        )
        assert one.threshold == other.threshold == 0.5
        for measure, claim in claims_of(one).items():
            assert claims_of(other)[measure].estimate == pytest.approx(claim.estimate)


def test_one_stratum_is_none() -> None:
    one = threshold(TRUTH, SCORE, specificity_at_least=0.8, strata=np.full(TRUTH.size, "all"), shares={"all": 1.0})
    assert one.threshold == threshold(TRUTH, SCORE, specificity_at_least=0.8).threshold


def test_the_cap_counts_that_was_stated() -> None:
    tight, wide = (
        threshold(TRUTH, SCORE, specificity_at_least=0.75, clusters=CLUSTER, max_cluster=most).threshold
        for most in (5, 15)
    )
    assert tight is not None
    assert wide is not None
    assert tight < wide


def test_what_stands_beside_is_wider_than_at_a_threshold_fixed_beforehand() -> None:
    design: dict[str, Any] = {"clusters": CLUSTER, "max_cluster": 5}
    free = threshold(TRUTH, SCORE, specificity_at_least=0.75, **design)
    named = threshold(TRUTH, SCORE, specificity_at_least=0.75, candidates=[0.5], **design)
    for made, alone in ((named, True), (free, False)):
        assert made.threshold is not None
        fixed = hf.assess(TRUTH, score=SCORE, operating_point=made.threshold, only="recall", **design)["recall", "True"]
        recall = claims_of(made)["recall"]
        assert recall.estimate == pytest.approx(fixed.estimate)
        if alone:
            assert (recall.lower, recall.upper) == pytest.approx((fixed.lower, fixed.upper))
        else:
            assert recall.lower < fixed.lower - 0.01
            assert recall.upper > fixed.upper + 0.001


# ---- The promise


@pytest.mark.long
def test_all_that_is_said_of_clusters_and_weights_holds() -> None:
    """Rows of a cluster share a label and the weight; its scores are uniform for the others, of density 2x else.

    Clusters of the class hold three rows, others one; a third of the clusters is of the class, and rows of the class
    weigh 2, which makes 6/8 of all weight the class's.
    """
    rng, delta, repeats = np.random.default_rng(7), 0.3, 60
    broken: dict[tuple[str, str], int] = {}
    for _ in range(repeats):
        of_class = rng.random(150) < 1 / 3
        common = np.where(of_class, np.sqrt(rng.random(150)), rng.random(150))
        cluster = np.repeat(np.arange(150), np.where(of_class, 3, 1))
        design: dict[str, Any] = {"clusters": cluster, "max_cluster": 3}
        design |= {"weights": np.where(of_class, 2.0, 1.0)[cluster], "max_weight": 2.0}
        for wish in ("sensitivity", "specificity", "precision"):
            wanted = {f"{wish}_at_least": 0.75 if wish == "precision" else 0.7}
            made = threshold(of_class[cluster], common[cluster], delta=delta, **wanted, **design)
            if made.threshold is None:
                continue
            t = min(max(made.threshold, 0.0), 1.0)
            true = {"recall": 1 - t**2, "specificity": t}
            hits, alarms = true["recall"] * 6 / 8, (1 - t) * 2 / 8
            true["precision"] = hits / (hits + alarms) if hits else 1.0
            for measure, claim in claims_of(made).items():
                inside = float(claim.lower) <= true[measure] <= float(claim.upper)
                broken[wish, measure] = broken.get((wish, measure), 0) + (not inside)
    assert len(broken) == 9
    for number in broken.values():
        assert stats.binom.sf(number - 1, repeats, delta) > BY_CHANCE


# ---- Classes whose mix was chosen


def test_by_class_rates_of_one_class_stand_as_they_are() -> None:
    plain = threshold(TRUTH, SCORE, specificity_at_least=0.8)
    made = threshold(TRUTH, SCORE, specificity_at_least=0.8, sampling="by-class")
    assert made.threshold == plain.threshold
    assert claims_of(made).keys() == {"recall", "specificity"}
    assert all(Assumption.WITHIN_CLASSES in claim.assumes for claim in claims_of(made).values())
    known = threshold(TRUTH, SCORE, specificity_at_least=0.8, prevalence={True: 0.05})
    precision = claims_of(known)["precision"]
    assert Assumption.STATED_PREVALENCE in precision.assumes
    rates = [claims_of(known)[name].estimate for name in ("recall", "specificity")]
    assert precision.estimate == pytest.approx(0.05 * rates[0] / (0.05 * rates[0] + 0.95 * (1 - rates[1])))  # type: ignore[operator]  # both are known
    assert precision.lower < precision.estimate  # type: ignore[operator]  # it is known


@pytest.mark.parametrize(
    "wish", [{"precision_at_least": 0.5}, {"costs": hf.Costs([[0, 1], [5, 0]], [1, 0], rows="predicted")}]
)
def test_what_depends_on_the_mix_needs_it(wish: dict[str, Any]) -> None:
    with pytest.raises(HoldfastError, match="no limit can hold for all of that"):
        threshold(TRUTH.astype(int), SCORE, sampling="by-class", **wish)
    assert threshold(TRUTH.astype(int), SCORE, prevalence={1: 0.4}, **wish).threshold is not None


def test_a_range_of_prevalences_is_as_good_as_its_worst_end() -> None:
    low, high, both = (
        threshold(TRUTH, SCORE, precision_at_least=0.3, prevalence={True: share}) for share in (0.05, 0.2, (0.05, 0.2))
    )
    assert both.threshold == low.threshold
    assert high.threshold is not None
    assert low.threshold is not None
    assert high.threshold < low.threshold
    assert claims_of(both)["precision"].estimate == claims_of(low)["precision"].estimate
    assert any("worst of the frequencies stated: True 0.05 to 0.2" in note for note in both.notes)
    assert both.condition == "precision at least 0.3 at the prevalence stated"
    beside = [
        claims_of(threshold(TRUTH, SCORE, sensitivity_at_least=0.8, prevalence={True: share}))["precision"].lower
        for share in (0.05, (0.05, 0.2))
    ]
    assert beside[0] == beside[1]


def test_a_precision_at_a_prevalence_is_tested_as_assess_would() -> None:
    made = threshold(TRUTH, SCORE, precision_at_least=0.3, prevalence={True: 0.05})
    assert made.threshold is not None
    limits = [
        hf.assess(
            TRUTH, score=SCORE, operating_point=t, prevalence={True: 0.05}, only="precision", delta=0.01, side="lower"
        )["precision", "True"].lower
        for t in (made.threshold, made.threshold - 0.01)
    ]
    assert limits[1] < 0.3 <= limits[0]


def test_a_stated_prevalence_of_clusters_is_not_that_of_their_rows() -> None:
    """Limits of both rates and of the prevalence have a third of delta each; of rows they would have half."""
    of_class = np.random.default_rng(5).random(300) < 0.5
    truth, score = of_class[CLUSTER], np.where(of_class[CLUSTER], SCORE, SCORE / 2)
    design = hf.Design(clusters=CLUSTER, max_cluster=5, prevalence={True: 0.3})
    made = threshold(truth, score, sensitivity_at_least=0.7, design=design)
    assert made.threshold is not None
    counted = tally(Predictions.given(truth, None, score, design=design), scores_required=True, as_drawn=True)
    assert counted.ranked is not None
    draws = ScoredDraws.of(counted.ranked.rows.rows, "True")
    rates = (draws.rate(word, made.threshold) for word in ("sensitivity", "specificity"))
    found, spared = (every_threshold(rate, 0.05 / 3) for rate in rates)
    expected = precision_of(found, spared, lower_limit(draws.prevalence, 0.05 / 3))
    assert claims_of(made)["precision"].lower == pytest.approx(expected)
    ranged = replace(design, prevalence={True: (0.3, 0.5)})
    both = claims_of(threshold(truth, score, sensitivity_at_least=0.7, design=ranged))["precision"]
    assert both.lower == pytest.approx(expected)
    assert both.estimate == claims_of(made)["precision"].estimate


def test_clusters_within_classes_have_their_mix_too() -> None:
    of_class = np.random.default_rng(5).random(300) < 0.5
    truth, score = of_class[CLUSTER], np.where(of_class[CLUSTER], SCORE, SCORE / 2)
    design: dict[str, Any] = {"clusters": CLUSTER, "max_cluster": 5, "prevalence": {True: (0.3, 0.4)}}
    made = threshold(truth, score, precision_at_least=0.35, **design)
    assert made.threshold is not None
    assert {claim.guarantee for claim in claims_of(made).values()} == {Guarantee.FINITE}
    share = np.where(of_class, 0.3 / of_class.sum(), 0.7 / (~of_class).sum())  # of clusters, which are what was drawn
    called = made.threshold <= score
    assert claims_of(made)["precision"].estimate == pytest.approx(
        np.average(truth[called], weights=share[CLUSTER][called])
    )
    beside = claims_of(threshold(truth, score, sensitivity_at_least=0.7, **design))["precision"]
    assert (beside.method, beside.guarantee) == ("bayes-union", Guarantee.FINITE)
    assert 0 < beside.lower < 0.5


def test_specificity_over_several_classes_needs_their_mix() -> None:
    truth = np.array(["a", "b", "c"])[np.random.default_rng(6).integers(0, 3, TRUTH.size)]
    score = np.clip(SCORE + 0.3 * (truth == "a"), 0, 1)
    with pytest.raises(HoldfastError, match="specificity of a threshold changes"):
        threshold(truth, score, positive="a", specificity_at_least=0.5, sampling="by-class")
    known = threshold(truth, score, positive="a", specificity_at_least=0.5, prevalence={"a": 0.2, "b": 0.7})
    assert known.threshold is not None
    called = score >= known.threshold
    spared = [np.mean(~called[truth == name]) for name in ("b", "c")]
    assert claims_of(known)["specificity"].estimate == pytest.approx((0.7 * spared[0] + 0.1 * spared[1]) / 0.8)
    alone = threshold(truth, score, positive="a", sensitivity_at_least=0.5, sampling="by-class")
    assert alone.threshold == threshold(truth, score, positive="a", sensitivity_at_least=0.5).threshold


# ---- Not enough, and not at all


def test_too_few_clusters_say_how_many_are_needed() -> None:
    truth, score, cluster = sample(3, clusters=20)
    made = threshold(truth, score, specificity_at_least=0.9, clusters=cluster, max_cluster=5)
    assert (made.answer, made.needed) == (Answer.OPEN, 30)
    assert "At least 30 clusters with examples that are not True are needed" in " ".join(str(made).split())
    found = threshold(truth, score, precision_at_least=0.9, clusters=cluster, max_cluster=5)
    assert found.needed is not None
    open_ = threshold(truth, score, specificity_at_least=0.9, clusters=cluster)
    assert (open_.answer, open_.needed) == (Answer.OPEN, None)
    assert "leave it open" in str(open_)


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"max_cluster": 4}, "speaks of clusters"),
        ({"max_weight": 4.0}, "speaks of weights"),
        ({"shares": SHARES}, "speaks of strata"),
        ({"clusters": CLUSTER, "order": "drawn"}, "looks at the order"),
        ({"clusters": CLUSTER, "max_cluster": 2}, "more than the 2 that were stated"),
        ({"weights": WEIGHT, "max_weight": 1.0}, "more than the 1 that were stated"),
        ({"prevalence": {True: (0.2, 0.1)}}, "from a lower to a higher"),
        ({"prevalence": {True: (0.1, 0.2, 0.3)}}, "from a lower to a higher"),
        ({"prevalence": {True: ("a", "b")}}, "from a lower to a higher"),
        ({"prevalence": 0.1}, "says of labels how frequent"),
        ({"prevalence": {True: (0.0, 0.2)}}, "strictly between 0 and 1"),
        ({"costs": "file.csv"}, "costs= takes"),
        ({"costs": hf.Costs([[0, 1], [5, 0]], [1, 0], rows="predicted")}, "precision and cost"),
    ],
)
def test_what_is_refused(design: dict[str, Any], message: str) -> None:
    with pytest.raises(HoldfastError, match=message):
        threshold(TRUTH, SCORE, precision_at_least=0.5, **design)


def test_an_unknown_name_is_pythons_to_refuse() -> None:
    with pytest.raises(TypeError, match="Did you mean 'clusters'"):
        threshold(TRUTH, SCORE, precision_at_least=0.5, cluster=CLUSTER)  # type: ignore[call-arg]
