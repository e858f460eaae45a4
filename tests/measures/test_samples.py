"""pass@k and pass^k against binomial coefficients."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from holdfast.catalog import Measure, find_measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses
from holdfast.evidence.counts import Samples
from holdfast.measures.samples import pass_all_k, pass_at_k


def test_the_published_example() -> None:
    assert pass_at_k(Samples(Counts([7], [10])), k=5).mean == pytest.approx(1 - comb(7, 5) / comb(10, 5))
    assert pass_at_k(Samples(Counts([7], [10])), k=5).mean == pytest.approx(0.9167, abs=5e-5)


@pytest.mark.parametrize("k", [1, 2, 5, 20, 200])
def test_against_binomial_coefficients(k: int) -> None:
    random = np.random.default_rng(k)
    samples = random.integers(k, 400, 50)
    wrong = random.binomial(samples, random.random(50))
    wrong[:3] = samples[0], 0, k - 1  # none right, all right, and just enough
    expected = [1 - comb(int(s), k) / comb(int(n), k) for s, n in zip(wrong, samples, strict=True)]
    found = pass_at_k(Samples(Counts(wrong, samples)), k=k)
    assert found.n == 50
    every = [comb(int(n - s), k) / comb(int(n), k) for s, n in zip(wrong, samples, strict=True)]
    assert sorted(pass_all_k(Samples(Counts(wrong, samples)), k=k).values) == pytest.approx(sorted(every), abs=1e-14)
    assert sorted(found.values) == pytest.approx(sorted(expected), abs=1e-14)
    assert found.mean == pytest.approx(np.mean(expected), abs=1e-14)


def test_one_sample_of_each_is_the_accuracy() -> None:
    questions = Samples(Counts([0, 3, 1], [4, 4, 2]))
    right = Losses(np.sort(questions.each.mean)).mirror()
    assert pass_at_k(questions, k=1).values.tolist() == right.values.tolist()
    assert sorted(pass_all_k(questions, k=1).values) == pytest.approx(sorted(right.values), abs=1e-15)


def test_many_samples_neither_over_nor_underflow() -> None:
    found = pass_at_k(Samples(Counts([999, 1000], [1000, 1000])), k=1)
    assert found.mean == pytest.approx(0.0005, rel=1e-12)
    assert pass_at_k(Samples(Counts([1000], [1000])), k=700).mean == 0
    assert pass_at_k(Samples(Counts([699], [1000])), k=700).mean == 1


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(
        HoldfastError, match=r"pass@5 needs 5 or more .* 2 of the 3 questions have fewer, one of them 2"
    ):
        pass_at_k(Samples(Counts([0, 0, 0], [2, 4, 5])), k=5)
    assert pass_at_k(Samples(Counts([0, 0], [5, 6])), k=5).mean == 1


@pytest.mark.parametrize("measure", [pass_at_k, pass_all_k])
@pytest.mark.parametrize("k", [0, -1, 2.0, "5", True])
def test_k_is_a_whole_number(measure: Measure, k: object) -> None:
    with pytest.raises(HoldfastError, match="whole number from 1"):
        measure(Samples(Counts([0], [9])), k=k)


def test_it_is_found_by_the_name_people_use_and_asked_only_with_k() -> None:
    assert find_measure("pass@k") is pass_at_k
    assert find_measure("pass^k") is find_measure("pass-hat-k") is pass_all_k
    assert pass_at_k.required == pass_all_k.required == ("k",)


def test_they_are_unbiased() -> None:
    """Over all samples of a question with success chance p, the means are 1 - (1 - p)^k and p^k exactly."""
    n, k, p = 9, 4, 0.3
    wrong = np.arange(n + 1)
    chance = np.array([comb(n, s) * (1 - p) ** s * p ** (n - s) for s in wrong.tolist()])
    found = [float(pass_at_k(Samples(Counts([s], [n])), k=k).mean) for s in wrong.tolist()]
    assert chance @ found == pytest.approx(1 - (1 - p) ** k, abs=1e-14)
    every = [float(pass_all_k(Samples(Counts([s], [n])), k=k).mean) for s in wrong.tolist()]
    assert chance @ every == pytest.approx(p**k, abs=1e-14)


def test_with_just_k_samples_of_each_question_the_answered_ones_are_counted() -> None:
    """By how many samples there are, never by what they say: 0/1 values alone make no counts."""
    for wrong in ([3, 3, 3], [0, 0, 0], [3, 1, 0]):
        passed = pass_at_k(Samples(Counts(wrong, [3, 3, 3])), k=3)
        assert isinstance(passed, Counts)
        assert (int(passed.k), int(passed.n)) == (sum(w < 3 for w in wrong), 3)
        relied = pass_all_k(Samples(Counts(wrong, [3, 3, 3])), k=3)
        assert isinstance(relied, Counts)
        assert (int(relied.k), int(relied.n)) == (wrong.count(0), 3)
    assert isinstance(pass_at_k(Samples(Counts([3, 3, 4], [3, 3, 4])), k=3), Losses)
    assert isinstance(pass_at_k(Samples(Counts([3, 0], [3, 3])), k=2), Losses)


def test_one_count_is_no_questions() -> None:
    with pytest.raises(HoldfastError, match="one count for each question"):
        Samples(Counts(7, 10))
