"""The two parts of the variance of a mean score: without bias by enumeration, and the same whatever the route."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.evidence.draws import Draws
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.repeats import Split, split

CHANCES, LAW = np.array([0.1, 0.5, 1.0]), np.array([0.3, 0.5, 0.2])


def of(passes: np.ndarray, samples: np.ndarray) -> Split | None:
    """Questions that are draws of their own, by how many of their samples were right."""
    draw = np.repeat(np.arange(passes.size), 2)
    right = np.tile([1.0, 0.0], passes.size)
    count = np.stack([passes, samples - passes], axis=1).ravel().astype(float)
    kept = count > 0
    return split(Drawn(Draws(np.ones(passes.size)), draw[kept], count[kept], value=right[kept]))


@pytest.mark.parametrize("samples", [(2, 2), (2, 3), (3, 3, 2)])
def test_both_parts_are_without_bias(samples: tuple[int, ...]) -> None:
    sizes = np.array(samples)
    within = between = total = 0.0
    for passes in product(*(range(n + 1) for n in samples)):
        weight = np.prod([np.sum(LAW * binom.pmf(k, n, CHANCES)) for k, n in zip(passes, samples, strict=True)])
        found = of(np.array(passes), sizes)
        total += weight
        assert found is not None
        within += weight * found.within
        between += weight * (found.variance - found.within)
    m, mean = sizes.size, np.sum(LAW * CHANCES)
    assert total == pytest.approx(1.0)
    assert within == pytest.approx(np.sum(LAW * CHANCES * (1 - CHANCES)) * np.sum(1 / sizes) / m**2, rel=1e-12)
    if len(set(samples)) == 1:
        assert between == pytest.approx(np.sum(LAW * (CHANCES - mean) ** 2) / m, rel=1e-12)


def test_unequal_numbers_of_samples_leave_the_whole_without_bias() -> None:
    # The mean score weighs each question the same, so that its variance is the mean of those of the questions, over m.
    samples = np.array([2, 5])
    variances = np.zeros(2)
    whole = 0.0
    mean = np.sum(LAW * CHANCES)
    for place, n in enumerate(samples):
        law = np.array([np.sum(LAW * binom.pmf(k, n, CHANCES)) for k in range(n + 1)])
        variances[place] = np.sum(law * (np.arange(n + 1) / n - mean) ** 2)
    for passes in product(range(3), range(6)):
        weight = np.prod([np.sum(LAW * binom.pmf(k, n, CHANCES)) for k, n in zip(passes, samples, strict=True)])
        found = of(np.array(passes), samples)
        assert found is not None
        whole += weight * found.variance
    assert whole == pytest.approx(variances.sum() / 4, rel=1e-12)


def test_one_sample_of_a_question_says_nothing_of_its_repeats() -> None:
    assert of(np.array([1, 1]), np.array([1, 2])) is None
    assert of(np.array([1]), np.array([2])) is None
    alike = of(np.array([1, 1]), np.array([2, 2]))
    assert alike is not None
    assert (alike.variance, alike.within, alike.share) == (0.0, 0.125, None)


def test_weights_all_one_clusters_of_one_and_one_stratum_change_nothing() -> None:
    draw = np.random.default_rng(5)
    ids = np.repeat(np.arange(40), 5)
    right = draw.random(200) < np.repeat(draw.random(40), 5)
    plain = hf.assess(correct=right, ids=ids).facts.repeats.spread
    for design in (
        {"weights": np.ones(200), "max_weight": 1.0},
        {"clusters": ids},
        {"strata": np.zeros(200, int), "shares": {0: 1.0}},
    ):
        other = hf.assess(correct=right, ids=ids, **design).facts.repeats.spread
        for name in ("variance", "within", "between"):
            assert getattr(other, name) == pytest.approx(getattr(plain, name), rel=1e-12)
        assert other.share.upper == pytest.approx(plain.share.upper, rel=1e-9)


@pytest.mark.parametrize("times", [2, 3])
def test_more_repeats_take_off_what_the_report_says(times: int) -> None:
    """On average over all outcomes: the part of the model falls as one over the repeats, the other stays."""
    parts = []
    for n in (2, 2 * times):
        law = np.array([np.sum(LAW * binom.pmf(k, n, CHANCES)) for k in range(n + 1)])
        found = [(law[a] * law[b], of(np.array([a, b]), np.array([n, n]))) for a, b in product(range(n + 1), repeat=2)]
        within = sum(weight * each.within for weight, each in found if each is not None)
        parts.append((within, sum(weight * each.variance for weight, each in found if each is not None) - within))
    assert parts[1][0] == pytest.approx(parts[0][0] / times, rel=1e-12)
    assert parts[1][1] == pytest.approx(parts[0][1], rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("clusters", [1, 3])
def test_the_interval_of_the_share_covers_as_often_as_it_says_for_many_questions(clusters: int) -> None:
    draw = np.random.default_rng(23)
    m, n, repeats = 300, 6, 600
    missed = 0
    for _ in range(repeats):
        base = draw.beta(2, 1, m // clusters)
        chances = np.repeat(base, clusters) if clusters > 1 else draw.beta(2, 1, m)
        ids = np.repeat(np.arange(m), n)
        right = draw.random(m * n) < np.repeat(chances, n)
        more = {"clusters": ids // clusters} if clusters > 1 else {}
        share = hf.assess(correct=right, ids=ids, only="accuracy", **more).facts.repeats.spread.share
        within = (2 / 3 - 0.5) / n  # E p(1-p) = 1/6 of Beta(2, 1), over n
        between = (0.5 - 4 / 9) * clusters  # Var p = 1/18, for all questions of a cluster alike
        true = within / (within + between)
        missed += not share.lower <= true <= share.upper
    assert binom.sf(missed - 1, repeats, 0.08) > 1e-6  # at most .08 where .05 is said
    assert missed > 0.01 * repeats
