"""pass@k and pass^k compose with designs and groups as measures of rows do: whatever route leads to a number."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Guarantee
from tests.laws.designs import Key, asymptotic, claims_of, kept, sentences_of
from tests.laws.test_designs import differing, same, same_but_n
from tests.tries import tries

QUESTIONS, KS = 40, (1, 2, 3)
RANDOM = np.random.default_rng(5)
SAMPLES = RANDOM.integers(3, 6, QUESTIONS)
RIGHT = RANDOM.binomial(SAMPLES, RANDOM.beta(1, 1, QUESTIONS))
QUESTION = np.repeat(np.arange(QUESTIONS), SAMPLES)
CORRECT = (np.arange(QUESTION.size) - np.repeat(np.cumsum(SAMPLES) - SAMPLES, SAMPLES) < RIGHT[QUESTION]) * 1
SITE = np.arange(QUESTIONS) // 3  # of each question
WEIGHT = RANDOM.choice([0.5, 1.0, 2.0], QUESTIONS)
REGION = np.array(["north", "south"])[SITE % 2]
SHARES = {"north": 0.3, "south": 0.7}
GROUPS = {"cutting": np.array(["x", "y"])[RANDOM.integers(0, 2, QUESTIONS)], "whole": np.array(["p", "q"])[SITE % 2]}
MOST = int(max(np.bincount(SITE, SAMPLES)))

CLUSTERS = {"clusters": SITE[QUESTION], "max_cluster": MOST}
WEIGHTS = {"weights": WEIGHT[QUESTION], "max_weight": 2.0}
STRATA = {"strata": REGION[QUESTION], "shares": SHARES}
DESIGNS: dict[str, dict[str, Any]] = {
    "questions": {},
    "weights": WEIGHTS,
    "uncapped weights": {"weights": WEIGHT[QUESTION]},
    "strata": STRATA,
    "clusters": CLUSTERS,
    "clusters, weights": {**CLUSTERS, **WEIGHTS},
    "clusters, strata": {**CLUSTERS, **STRATA},
    "clusters, strata, weights": {**CLUSTERS, **STRATA, **WEIGHTS},
}
ONE_STRATUM = [name for name in DESIGNS if "strata" not in name]
NAMES = ("pass-at-k", "pass-all-k")


def told(design: Mapping[str, Any], where: np.ndarray | None = None, by: str | None = None) -> hf.Report:
    rows = np.ones(QUESTION.size, bool) if where is None else where[QUESTION]
    groups = {} if by is None else {"groups": {by: GROUPS[by][QUESTION][rows]}}
    stated = kept(design, rows)
    return hf.assess(correct=CORRECT[rows], ids=QUESTION[rows], pass_at=KS, only=NAMES, **stated, **groups)


def weights_of(design: Mapping[str, Any]) -> np.ndarray:
    """What each question weighs, written out: its own weight, times what undoes how many draws its stratum got."""
    weight = WEIGHT if "weights" in design else np.ones(QUESTIONS)
    if "shares" in design:
        drawn = SITE if "clusters" in design else np.arange(QUESTIONS)
        weight = weight * [SHARES[region] / np.unique(drawn[region == REGION]).size for region in REGION]
    return np.asarray(weight, float)


@pytest.mark.parametrize("by", [None, *GROUPS])
@pytest.mark.parametrize("design", DESIGNS)
def test_estimates_are_means_over_questions_with_what_they_weigh(design: str, by: str | None) -> None:
    weight, report = weights_of(DESIGNS[design]), told(DESIGNS[design], by=by)
    for group in (None,) if by is None else (None, *(f"{by}={name}" for name in np.unique(GROUPS[by]))):
        where = np.ones(QUESTIONS, bool) if group is None else GROUPS[str(by)] == group.partition("=")[2]
        for (measure, label, per, _), claim in claims_of(report, group).items():
            k = int(str(label).removeprefix("k="))
            missed = [comb(int(n - c), k) / comb(int(n), k) for n, c in zip(SAMPLES, RIGHT, strict=True)]
            every = [comb(int(c), k) / comb(int(n), k) for n, c in zip(SAMPLES, RIGHT, strict=True)]
            each = 1.0 - np.array(missed) if measure == "pass-at-k" else np.array(every)
            assert per == ("row" if "clusters" in DESIGNS[design] else "cluster")  # else questions are the clusters
            assert claim.estimate == pytest.approx(np.average(each[where], weights=weight[where]), rel=1e-9, abs=1e-12)
        assert {key[:2] for key in claims_of(report, group)} == {(name, f"k={k}") for name in NAMES for k in KS}


@pytest.mark.parametrize("by", GROUPS)
@pytest.mark.parametrize("design", ONE_STRATUM)
def test_a_group_is_its_questions_filtered(design: str, by: str) -> None:
    report = told(DESIGNS[design], by=by)
    for name in np.unique(GROUPS[by]):
        alone = claims_of(told(DESIGNS[design], GROUPS[by] == name))
        assert len(alone) >= len(NAMES) * len(KS)
        assert not differing(claims_of(report, f"{by}={name}"), alone)


@pytest.mark.parametrize("design", ONE_STRATUM)
def test_one_stratum_is_none(design: str) -> None:
    one = {**DESIGNS[design], "strata": np.full(QUESTION.size, "all"), "shares": {"all": 1.0}}
    plain, within = (asymptotic(claims_of(told(each))) for each in (DESIGNS[design], one))
    assert not [key for key, claim in within.items() if key in plain and not same_but_n(plain[key], claim)]
    assert within.keys() >= plain.keys()


@pytest.mark.parametrize("design", ["clusters", "clusters, strata"])
def test_weights_that_are_all_one_are_none(design: str) -> None:
    weighed = {**DESIGNS[design], "weights": np.ones(QUESTION.size), "max_weight": 1.0}
    plain: dict[Key, Any] = asymptotic(claims_of(told(DESIGNS[design])))
    assert len(plain) == len(NAMES) * len(KS)
    assert not differing(plain, asymptotic(claims_of(told(weighed))))


@pytest.mark.parametrize("design", DESIGNS)
def test_every_line_says_how_questions_were_drawn_and_holds_at_every_sample_size_only_by_its_caps(design: str) -> None:
    must, never = sentences_of({**DESIGNS[design], "clusters": SITE})  # questions, or clusters of them
    lines = told(DESIGNS[design]).lines
    for line in lines:
        assert must <= {*line.claim.assumes}, line.measure
        assert not never & {*line.claim.assumes}, line.measure
    finite = [line for line in lines if line.claim.guarantee is Guarantee.FINITE]
    assert bool(finite) == (design != "uncapped weights")


@pytest.mark.parametrize("design", ["clusters, strata", "strata"])
def test_questions_without_ids_are_clusters_and_their_strata_weigh_what_is_stated(design: str) -> None:
    """Each cluster is a question then, with as many samples as it has rows, whatever its stratum weighs."""
    ids = SITE if "clusters" in design else np.arange(QUESTIONS)
    strata = {"clusters": ids[QUESTION], **STRATA}
    bare = hf.assess(correct=CORRECT, pass_at=KS, only=NAMES, **strata)
    named = hf.assess(correct=CORRECT, ids=ids[QUESTION], pass_at=KS, only=NAMES, **strata)
    assert len(asymptotic(claims_of(bare))) == len(NAMES) * len(KS)
    by_measure = [{key[:2]: claim for key, claim in asymptotic(claims_of(each)).items()} for each in (bare, named)]
    for key, claim in by_measure[0].items():
        assert same(claim, by_measure[1][key])


@tries("squares", how="enumerated")
@pytest.mark.parametrize(("measure", "heavy"), [("pass-at-k", 0.3), ("pass-all-k", 0.06)])
def test_limits_of_weighted_questions_hold_in_every_sample_that_can_be_drawn(measure: str, heavy: float) -> None:
    """Heavy questions are answered worse; nothing is stated but the most that a row can weigh."""
    number, delta = 20, 0.3
    weight, answered = np.array([2.0, 0.5]), np.array([[0, 0, 0], [1, 1, 0 if measure == "pass-at-k" else 1]])
    value = np.array([0.0, 1.0])  # of two samples
    chance = np.array([heavy, 1.0 - heavy])
    truth = np.average(value, weights=weight * chance)
    missed = {"lower": 0.0, "upper": 0.0}
    for drawn in range(number + 1):
        kind = np.repeat([0, 1], [drawn, number - drawn])
        stated = {"weights": np.repeat(weight[kind], 3), "max_weight": 2.0, "pass_at": (2,), "only": (measure,)}
        for side in missed:
            report = hf.assess(
                correct=answered[kind].ravel(), ids=np.repeat(np.arange(number), 3), **stated, delta=delta, side=side
            )
            (claim,) = (line.claim for line in report.lines if line.claim.guarantee is Guarantee.FINITE)
            assert claim.method == "squares"
            wrong = not claim.lower - 1e-12 <= truth <= claim.upper + 1e-12
            missed[side] += wrong * comb(number, drawn) * chance[0] ** drawn * chance[1] ** (number - drawn)
    assert 0.005 < max(missed.values()) <= delta
