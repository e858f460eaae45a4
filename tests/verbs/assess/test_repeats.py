"""Repeats of questions in an assessment: how reliable each answer is, whose the spread is, and pass^k counted out."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.influence import influence
from holdfast.evidence.draws import Draws, Influence
from holdfast.report import Answer, Report

DRAW = np.random.default_rng(23)
IDS = np.repeat([f"q{place:02}" for place in range(30)], 6)
RIGHT = DRAW.random(180) < np.repeat(DRAW.beta(2, 1, 30), 6)


def test_each_question_is_told_with_its_own_limits_the_least_reliable_first() -> None:
    report = hf.assess(correct=RIGHT, ids=IDS)
    repeats = report.facts.repeats
    assert repeats.questions == len(repeats.each) == 30
    shares = [each.passes / each.samples for each in repeats.each]
    assert shares == sorted(shares)
    for each in repeats.each:
        assert each.passes == int(RIGHT[each.question == IDS].sum())
        claim = hf.bound(hf.Counts(each.passes, each.samples))
        assert (each.lower, each.upper) == pytest.approx((claim.lower, claim.upper), rel=1e-12)
    again = Report.from_json(report.to_json())
    assert str(again) == str(report)
    assert again.to_json() == report.to_json()
    assert "... 10 more" in str(report)
    assert "independent draws of the model's answers" in " ".join(str(report).split())


def test_the_page_and_the_comment_show_them() -> None:
    report = hf.assess(correct=RIGHT, ids=IDS)
    from holdfast.render.page import page_html

    page, markdown = page_html(report), report.to_markdown()
    for each in report.facts.repeats.each:
        assert f">{each.question}<" in page
    assert f"| {report.facts.repeats.each[0].question} | 6 |" in markdown
    assert "model&#39;s own randomness" in page
    assert "twice the repeats of every question" in " ".join(markdown.split())


def test_nothing_is_said_of_questions_that_were_asked_once() -> None:
    once = hf.assess(correct=RIGHT, ids=np.arange(180))
    assert once.facts.repeats is None
    assert "repeats" not in once.to_dict()


def test_of_partial_credit_it_is_said_whose_the_spread_is() -> None:
    """Marks that are half of right or wrong vary a quarter as much, in the same parts."""
    whole, half = (hf.assess(**given, ids=IDS) for given in ({"correct": RIGHT}, {"value": RIGHT / 2}))
    repeats, before = half.facts.repeats, whole.facts.repeats
    assert (repeats.questions, repeats.each) == (before.questions, ())
    assert repeats.spread.within == pytest.approx(before.spread.within / 4)
    assert repeats.spread.share.estimate == pytest.approx(before.spread.share.estimate)
    from holdfast.render.page import page_html

    for text in (str(half), half.to_markdown(), page_html(half)):
        assert "own randomness" in " ".join(text.split())
        assert "How reliably" not in text
    assert str(Report.from_json(half.to_json())) == str(half)


@pytest.mark.parametrize("delta", [0.05, 0.2])
def test_the_limits_of_the_share_are_those_of_the_delta_asked_for(delta: float) -> None:
    """What each question adds to the share, summed up here."""
    marks = np.asarray(RIGHT, float).reshape(30, 6)
    own, mean = marks.var(axis=1, ddof=1) / 6 / 30**2, marks.mean(axis=1)
    whole = ((mean - mean.mean()) / 30) ** 2 * 30 / 29
    share = own.sum() / whole.sum()
    added = Influence(share, (own - share * whole) / whole.sum(), np.ones(30), Draws(np.ones(30)))
    expected = influence(added, delta)
    claim = hf.assess(correct=RIGHT, ids=IDS, delta=delta).facts.repeats.spread.share
    assert (claim.estimate, claim.lower, claim.upper) == pytest.approx((share, expected.lower, expected.upper))


def test_groups_clusters_and_weights_go_with_it() -> None:
    subject = np.where(np.arange(180) < 90, "art", "law")
    passage = np.arange(180) // 18
    report = hf.assess(
        correct=RIGHT,
        ids=IDS,
        clusters=passage,
        max_cluster=18,
        weights=np.where(subject == "art", 1.0, 2.0),
        max_weight=2.0,
        groups={"subject": subject},
        pass_at=(1, 3),
        only=("accuracy", "pass@k", "pass^k"),
    )
    assert report.facts.repeats.spread is not None
    for k in (1, 3):
        for measure in ("pass-at-k", "pass-all-k"):
            kinds = {
                line.claim.guarantee for line in report.lines if line.measure == measure and line.label == f"k={k}"
            }
            assert {each.name for each in kinds} == {"FINITE", "ASYMPTOTIC"}
            assert report[measure, f"k={k}", "subject=law"].lower >= 0
    strata = hf.assess(correct=RIGHT, ids=IDS, strata=subject, shares={"art": 0.2, "law": 0.8}, pass_at=2)
    assert strata["pass-all-k", "k=2"].lower > 0


LAW = {0.3: 0.4, 0.9: 0.6}  # chances of questions, and how frequent they are


@pytest.mark.parametrize(("samples", "k"), [((3, 3, 3), 2), ((2, 2, 2), 2), ((3, 2), 2)])
def test_limits_of_pass_k_cover_by_enumeration(samples: tuple[int, ...], k: int) -> None:
    """Of questions drawn one by one, with as many samples each: all outcomes, weighed by their chance."""
    delta = 0.2
    every = {p: [binom.pmf(range(n + 1), n, p) for n in samples] for p in LAW}
    laws = [sum(share * every[p][place] for p, share in LAW.items()) for place in range(len(samples))]
    alike = len(set(samples)) == 1
    truth = {
        "pass-all-k": sum(share * p**k for p, share in LAW.items()),
        "pass-at-k": sum(share * (1 - (1 - p) ** k) for p, share in LAW.items()),
    }
    missed = dict.fromkeys([(name, side) for name in truth for side in ("lower", "upper")], 0.0)
    total = 0.0
    outcomes: Any = (
        combinations_with_replacement(range(samples[0] + 1), len(samples))
        if alike
        else [(a, b) for a in range(samples[0] + 1) for b in range(samples[1] + 1)]
    )
    for passes in outcomes:
        ways = factorial(len(passes)) / np.prod([factorial(passes.count(each)) for each in {*passes}]) if alike else 1
        weight = ways * np.prod([law[x] for law, x in zip(laws, passes, strict=True)])
        total += weight
        right = np.concatenate([np.arange(n) < x for x, n in zip(passes, samples, strict=True)])
        report = hf.assess(
            correct=right, ids=np.repeat(np.arange(len(samples)), samples), pass_at=k, delta=2 * delta, only=[*truth]
        )
        for name, value in truth.items():
            claim = report[name, f"k={k}"]
            assert claim.guarantee.name == "FINITE"
            missed[name, "lower"] += weight * (claim.lower > value + 1e-12)
            missed[name, "upper"] += weight * (claim.upper < value - 1e-12)
    assert total == pytest.approx(1.0)
    assert max(missed.values()) <= delta


@pytest.mark.long
@pytest.mark.parametrize("measure", ["accuracy", "pass^k"])
def test_verdicts_on_repeats_in_clusters_are_false_at_most_delta(measure: str) -> None:
    """Passages of several questions, each asked several times; the limit is just the truth, so that any verdict errs.

    Pooling the answers as if they were independent errs far more often.
    """
    draw = np.random.default_rng(2023)
    repeats, delta, passages, n = 200, 0.1, 40, 5
    chances = np.array([0.3, 0.95])
    truth = float(np.mean(chances if measure == "accuracy" else chances**2))
    proven = refuted = pooled = missed = 0
    for _ in range(repeats):
        questions = 3
        of_passage = chances[draw.integers(2, size=passages)]
        ids = np.repeat(np.arange(passages * questions), n)
        cluster = ids // questions
        right = draw.random(ids.size) < np.repeat(of_passage, questions * n)
        stated = {"ids": ids, "clusters": cluster, "delta": delta}
        ks = {} if measure == "accuracy" else {"pass_at": 2}
        above = hf.gate(correct=right, measure=measure, at_least=truth, **stated, **ks)
        below = hf.gate(correct=right, measure=measure, at_most=truth, **stated, **ks)
        proven += above.answer is Answer.PROVEN
        refuted += below.answer is Answer.PROVEN
        label = None if measure == "accuracy" else "k=2"
        claim = hf.assess(correct=right, **stated, **ks, only=measure)[measure, label]
        missed += not claim.lower <= truth <= claim.upper
        if measure == "accuracy":
            pooled += (
                hf.gate(hf.Counts(int((~right).sum()), right.size), at_most=1 - truth, delta=delta).answer
                is Answer.PROVEN
            )
    for number in (proven, refuted, missed):
        assert binom.sf(number - 1, repeats, delta) > 1e-6
    assert measure != "accuracy" or pooled > 2 * delta * repeats
