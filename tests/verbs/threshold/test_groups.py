"""Thresholds that keep their promise in every group."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import holdfast as hf
from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Scores
from holdfast.report import Answer
from holdfast.report.decision import Threshold
from holdfast.selection.thresholds import bayes_union, for_specificity
from holdfast.verbs.threshold.threshold import threshold
from holdfast.verify.simulated import BY_CHANCE

Floats = NDArray[np.float64]


def sample(seed: int = 0, n: int = 1500) -> tuple[NDArray[np.bool_], Floats, NDArray[Any], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    cluster = np.arange(n) // 3
    site = np.array(["north", "south", "west"])[rng.integers(0, 3, n // 3)][cluster]
    truth = rng.random(n) < 0.4
    shift = {"north": 0.0, "south": 0.6, "west": -0.5}
    logits = rng.normal(size=n) + 3 * truth - 1.5 + np.array([shift[name] for name in site])
    return truth, 1 / (1 + np.exp(-logits)), site, cluster


TRUTH, SCORE, SITE, CLUSTER = sample()
WISHES = [{"sensitivity_at_least": 0.8}, {"specificity_at_least": 0.8}, {"precision_at_least": 0.6}]
PLAIN: dict[str, Any] = {}
CLUSTERED: dict[str, Any] = {"clusters": CLUSTER, "max_cluster": 3}
each_wish = pytest.mark.parametrize("wish", WISHES, ids=lambda wish: next(iter(wish)))
each_design = pytest.mark.parametrize("design", [PLAIN, CLUSTERED], ids=["rows", "clusters"])


def of_site(name: str, design: dict[str, Any]) -> tuple[Any, ...]:
    here = name == SITE
    return TRUTH[here], SCORE[here], {key: each[here] if key == "clusters" else each for key, each in design.items()}


def numbers(claim: Claim) -> tuple[Any, ...]:
    return claim.measure, claim.estimate, claim.lower, claim.upper, claim.method, claim.n


def by_group(made: Threshold) -> dict[str, dict[str, Claim]]:
    groups: dict[str, dict[str, Claim]] = {}
    for line in made.groups or ():
        groups.setdefault(str(line.group), {})[line.claim.measure] = line.claim
    return groups


@each_design
@pytest.mark.parametrize("wish", WISHES[:2], ids=lambda wish: next(iter(wish)))
def test_the_threshold_is_that_of_the_group_that_wants_the_safest(design: dict[str, Any], wish: dict[str, Any]) -> None:
    made = threshold(TRUTH, SCORE, groups={"site": SITE}, **wish, **design)
    alone = {}
    for name in np.unique(SITE).tolist():
        truth, score, own = of_site(name, design)
        alone[name] = threshold(truth, score, **wish, **own)
    thresholds = {name: each.threshold for name, each in alone.items()}
    safest = min if "sensitivity_at_least" in wish else max
    assert made.threshold == safest(thresholds.values())
    decides = next(name for name, each in thresholds.items() if each == made.threshold)
    both = [claim for claim in (alone[decides].claim, *alone[decides].beside) if claim is not None]
    assert {numbers(claim) for claim in by_group(made)[f"site={decides}"].values()} == {*map(numbers, both)}


@each_design
@each_wish
def test_one_group_is_its_rows_filtered(design: dict[str, Any], wish: dict[str, Any]) -> None:
    truth, score, own = of_site("south", design)
    made = threshold(truth, score, groups={"site": np.full(truth.size, "south")}, **wish, **own)
    plain = threshold(truth, score, **wish, **own)
    assert made.threshold == plain.threshold
    assert made.claim is not None
    assert plain.claim is not None
    for mine, theirs in zip((made.claim, *made.beside), (plain.claim, *plain.beside), strict=True):
        assert numbers(mine) == numbers(theirs)
        assert numbers(by_group(made)["site=south"][mine.measure]) == numbers(theirs)


@each_design
@each_wish
def test_every_group_is_told_with_what_is_proven_of_it(design: dict[str, Any], wish: dict[str, Any]) -> None:
    made = threshold(TRUTH, SCORE, groups={"site": SITE}, **wish, **design)
    assert made.threshold is not None
    groups = by_group(made)
    assert [*groups] == ["site=north", "site=south", "site=west"]
    called = made.threshold <= SCORE
    ((word, wanted),) = wish.items()
    own = {"sensitivity_at_least": "recall"}.get(word, word.removesuffix("_at_least"))
    for name, claims in groups.items():
        here = name.partition("=")[2] == SITE
        seen = {
            "recall": np.mean(called[here & TRUTH]),
            "specificity": np.mean(~called[here & ~TRUTH]),
            "precision": np.mean(TRUTH[here & called]),
        }
        assert claims.keys() == seen.keys()
        assert claims[own].lower >= wanted
        for measure, claim in claims.items():
            assert claim.estimate == pytest.approx(seen[measure])
            assert claim.lower <= seen[measure] <= claim.upper
            assert claim.guarantee is Guarantee.FINITE
    assert made.condition.endswith("in every group")
    assert "in every group" in str(made)
    assert "site=west: " in str(made)
    assert max(map(len, str(made).splitlines())) <= 80


def test_a_threshold_that_one_group_does_not_bear_is_not_taken() -> None:
    """Precision is high everywhere but in one group, in which scores know nothing."""
    rng = np.random.default_rng(2)
    site = np.array(["good", "bad"])[rng.integers(0, 2, 2000)]
    truth = rng.random(2000) < 0.5
    score = np.where(site == "good", np.where(truth, 0.9, 0.1), rng.random(2000))
    assert threshold(truth, score, precision_at_least=0.7).threshold is not None
    made = threshold(truth, score, precision_at_least=0.7, groups={"site": site})
    assert made.answer is Answer.OPEN
    assert "2 groups at once" in " ".join(str(made).split())


def test_a_group_that_is_too_small_is_named() -> None:
    site = np.where(np.arange(TRUTH.size) < 20, "tiny", "large")
    made = threshold(TRUTH, SCORE, specificity_at_least=0.9, groups={"site": site})
    assert made.answer is Answer.OPEN
    assert made.needed == 29
    assert "In the group 'site=tiny': At least 29 examples" in " ".join(str(made).split())


def test_several_ways_to_divide_are_all_kept() -> None:
    half = np.where(np.arange(TRUTH.size) % 2, "odd", "even")
    groups = {"site": SITE, "half": half}
    made = threshold(TRUTH, SCORE, specificity_at_least=0.7, groups=groups, by=["site", "half"])
    assert [*by_group(made)] == ["site=north", "site=south", "site=west", "half=even", "half=odd"]
    crossed = threshold(TRUTH, SCORE, specificity_at_least=0.7, groups=groups)
    assert len(by_group(crossed)) == 6
    with pytest.raises(HoldfastError):
        threshold(TRUTH, SCORE, specificity_at_least=0.7, groups=groups, by="country")


def test_what_is_said_of_all_rows_rests_on_the_group_that_proves_least() -> None:
    site = np.where(np.arange(TRUTH.size) < 200, "small", "large")
    made = threshold(TRUTH, SCORE, specificity_at_least=0.8, groups={"site": site})
    assert made.threshold is not None
    assert made.claim is not None
    designed, proven = [], []
    for name in ("small", "large"):
        cut = for_specificity(Scores(SCORE[site == name], TRUTH[site == name]), 0.8, 0.05)
        assert cut is not None
        designed.append(Counts(cut.kept or 0, np.count_nonzero(~TRUTH & (site == name))))
        proven.append(cut.at_least)
    assert made.claim.lower == min(proven)
    hits, positives = int(np.sum(SCORE[TRUTH] >= made.threshold)), int(TRUTH.sum())
    limits = [bayes_union(Counts(hits, positives), each, Counts(positives, TRUTH.size), 0.05) for each in designed]
    precision = next(claim for claim in made.beside if claim.measure == "precision")
    assert precision.lower == min(limits) < max(limits)


def test_how_frequent_a_class_is_in_a_group_nobody_has_stated() -> None:
    made = threshold(TRUTH, SCORE, sensitivity_at_least=0.8, prevalence={True: 0.1}, groups={"site": SITE})
    plain = threshold(TRUTH, SCORE, sensitivity_at_least=0.8, groups={"site": SITE})
    assert made.threshold == plain.threshold
    assert {claim.measure for claim in made.beside} == {"specificity", "precision"}
    assert all(claims.keys() == {"recall", "specificity"} for claims in by_group(made).values())


def test_rates_of_groups_within_classes_are_those_of_their_rows() -> None:
    """Weights that undo the mix are rounded, and rates of one class must not notice it."""
    made = threshold(TRUTH, SCORE, precision_at_least=0.2, prevalence={True: 0.07}, groups={"site": SITE})
    assert made.threshold is not None
    called = made.threshold <= SCORE
    for name, claims in by_group(made).items():
        here = name.partition("=")[2] == SITE
        assert claims["recall"].estimate == pytest.approx(np.mean(called[here & TRUTH]))
        assert claims["specificity"].estimate == pytest.approx(np.mean(~called[here & ~TRUTH]))
        assert claims["recall"].lower > 0.3
        weight = np.where(TRUTH, 0.07 / TRUTH.sum(), 0.93 / (~TRUTH).sum())[here & called]
        assert claims["precision"].estimate == pytest.approx(np.average(TRUTH[here & called], weights=weight))


def test_groups_go_to_json_and_back() -> None:
    made = threshold(TRUTH, SCORE, sensitivity_at_least=0.8, groups={"site": SITE})
    plain = json.loads(made.to_json())
    assert [(line["group"], line["measure"]) for line in plain["groups"]][:2] == [
        ("site=north", "recall"),
        ("site=north", "specificity"),
    ]
    assert hf.Threshold.from_json(made.to_json()).to_dict() == made.to_dict()
    assert str(hf.Threshold.from_json(made.to_json())) == str(made)
    assert "groups" not in json.loads(threshold(TRUTH, SCORE, sensitivity_at_least=0.8).to_json())


# ---- The least cost


COSTS = hf.Costs([[0, 1], [6, 0]], [True, False], rows="predicted")


@each_design
def test_the_least_cost_is_limited_in_every_group(design: dict[str, Any]) -> None:
    made = threshold(TRUTH, SCORE, costs=COSTS, **design)
    assert made.threshold is not None
    assert made.claim is not None
    paid = np.where(TRUTH, np.where(made.threshold <= SCORE, 0.0, 6.0), np.where(made.threshold <= SCORE, 1.0, 0.0))
    assert (made.claim.measure, made.claim.side, made.claim.method) == ("expected-cost", "upper", "least-cost")
    assert made.claim.estimate == pytest.approx(paid.mean())
    assert paid.mean() < made.claim.upper
    assert made.condition == "least expected cost"
    assert "its true expected cost is at most" in " ".join(str(made).split())
    divided = threshold(TRUTH, SCORE, costs=COSTS, groups={"site": SITE}, **design)
    assert divided.claim is not None
    limits = [claims["expected-cost"].upper for claims in by_group(divided).values()]
    assert max(limits) == pytest.approx(divided.claim.upper)
    assert divided.claim.upper >= made.claim.upper


def test_costs_at_a_range_of_prevalences_are_the_worst_over_it() -> None:
    made = threshold(TRUTH, SCORE, costs=COSTS, prevalence={True: (0.03, 0.2)})
    assert made.threshold is not None
    assert made.claim is not None
    called = made.threshold <= SCORE
    missed, alarms = np.mean(~called[TRUTH]), np.mean(called[~TRUTH])
    assert made.claim.estimate == pytest.approx(max(6 * p * missed + (1 - p) * alarms for p in (0.03, 0.2)))
    for share in (0.03, 0.1, 0.2):
        alone = threshold(TRUTH, SCORE, costs=COSTS, prevalence={True: share})
        assert alone.claim is not None
        assert alone.claim.upper <= made.claim.upper
    divided = threshold(TRUTH, SCORE, costs=COSTS, prevalence={True: (0.03, 0.2)}, groups={"site": SITE})
    assert {claim.guarantee for claims in by_group(divided).values() for claim in claims.values()} == {Guarantee.FINITE}


def test_costs_are_of_two_labels() -> None:
    three = np.where(np.arange(TRUTH.size) % 3 == 0, "a", np.where(TRUTH, "b", "c"))
    costs = hf.Costs(np.ones((3, 3)) - np.eye(3), ["a", "b", "c"], rows="predicted")
    with pytest.raises(HoldfastError, match="those of two labels"):
        threshold(three, SCORE, positive="a", costs=costs)
    with pytest.raises(HoldfastError, match="those of two labels"):
        threshold(TRUTH.astype(int), SCORE, costs=hf.Costs([[0, 1], [1, 0]], ["yes", "no"], rows="predicted"))


# ---- The promise


def test_the_promise_is_kept_in_every_group_at_once() -> None:
    """Ten groups of uniform scores, of which one is shifted: it alone decides, whatever the others are like."""
    rng, delta, repeats = np.random.default_rng(4), 0.2, 50
    broken = {"every group": 0, "all rows": 0}
    group = np.repeat(np.arange(10), 30)
    for _ in range(repeats):
        score = np.where(group == 0, 0.2 + 0.8 * rng.random(300), rng.random(300))
        truth = np.zeros(300, int)
        made = threshold(
            truth, score, specificity_at_least=0.8, delta=delta, groups={"g": group}, labels=[0, 1], positive=1
        )
        whole = threshold(truth, score, specificity_at_least=0.8, delta=delta, labels=[0, 1], positive=1)
        for name, found in (("every group", made), ("all rows", whole)):
            if found.threshold is not None:
                least = min(found.threshold, (found.threshold - 0.2) / 0.8)
                broken[name] += least < 0.8
    assert stats.binom.sf(broken["every group"] - 1, repeats, delta) > BY_CHANCE
    assert stats.binom.sf(broken["all rows"] - 1, repeats, delta) < BY_CHANCE
