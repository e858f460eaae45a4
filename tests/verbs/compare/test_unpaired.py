"""Models that were each seen on rows of their own: the promise, the routes to the same number, and what is refused."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.influence import influence
from holdfast.bounds.strata import fisher
from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Difference
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.pairs.separate import difference_of_samples

ERRORS = "error-rate-difference"
MEASURES = ["error-rate", "recall", "f1", "mcc", "auc", "brier"]


def passes(k: int, n: int) -> dict[str, Any]:
    """So many errors in so many rows."""
    return {"correct": [0] * k + [1] * (n - k)}


def sample(n: int, right: float, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, n)
    predicted = np.where(random.random(n) < right, truth, 1 - truth)
    score = np.clip(0.5 * predicted + 0.5 * random.random(n), 0, 1)
    groups = {"subject": random.choice(["art", "law"], n)}
    return {"truth": truth, "predicted": predicted, "score": score, "groups": groups}


def drawn(n: int, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    return {
        "clusters": np.arange(n) // 3,
        "weights": random.choice([1.0, 2.0], n),
        "strata": random.choice(["north", "south"], n),
    }


ONE, OTHER = sample(150, 0.85, 1), sample(120, 0.7, 2)
DESIGNS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "rows": ([], {}),
    "clusters": (["clusters"], {"max_cluster": 4}),
    "average cluster": (["clusters"], {}),
    "weights": (["weights"], {"max_weight": 2.0}),
    "strata": (["strata"], {"shares": {"north": 0.4, "south": 0.6}}),
    "by class": ([], {"prevalence": {"1": 0.3}}),
}


@cache
def compared(design: str, *, turned: bool = False, **asked: Any) -> hf.Report:
    """Both samples under a design."""
    columns, facts = DESIGNS[design]
    each = [{**rows, **{c: beside[c] for c in columns}} for rows, beside in zip((ONE, OTHER), BESIDE, strict=True)]
    named = {"one": each[0], "other": each[1]}
    given = dict(reversed(named.items())) if turned else named
    return hf.compare(given, unpaired=True, positive=1, only=MEASURES, **facts, **asked)


BESIDE = (drawn(150, 3), drawn(120, 4))


def told(report: hf.Report, group: str | None = None) -> dict[tuple[Any, ...], Claim]:
    return {
        (line.measure, line.label, line.claim.method, line.claim.per): line.claim
        for line in report.lines
        if line.against and line.group == group
    }


# ---- The promise


@pytest.mark.crossing(3)
@pytest.mark.parametrize(("n", "m"), [(8, 6), (1, 1), (20, 3)])
@pytest.mark.parametrize("delta", [0.1, 0.5])
def test_two_independent_rates_are_compared_at_every_sample_size(n: int, m: int, delta: float) -> None:
    """All outcomes of so many rows, under a grid of rates: no limit misses more often than it may."""
    k, j = (each.ravel() for each in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
    claims = fisher(Difference.of(Counts(k, n), Counts(j, m)), delta)
    for p, q in product(np.linspace(0.02, 0.98, 33), repeat=2):
        chance = binom.pmf(k, n, p) * binom.pmf(j, m, q)
        for missed in (claims.lower > p - q + 1e-12, claims.upper < p - q - 1e-12):
            assert chance[missed].sum() <= delta / 2 + 1e-12


def test_the_exact_limits_are_at_the_delta_asked_for() -> None:
    exact = fisher(Difference.of(Counts(9, 40), Counts(3, 30)), 0.1)
    claim = hf.compare({"a": passes(9, 40), "b": passes(3, 30)}, unpaired=True, delta=0.1)[ERRORS]
    assert (claim.lower, claim.upper) == pytest.approx((float(exact.lower), float(exact.upper)), abs=1e-12)


@pytest.mark.long
def test_means_of_grades_hold_and_so_do_their_p_values() -> None:
    """All samples of 3 and 2 grades, under random laws of values that differ between the models."""
    values, sizes, delta = (0.0, 0.3, 1.0), (3, 2), 0.4
    samples = [[*combinations_with_replacement(range(3), size)] for size in sizes]
    found = []
    for one, other in product(*samples):
        given = {"a": {"value": [values[i] for i in one]}, "b": {"value": [values[i] for i in other]}}
        report = hf.compare(given, unpaired=True, delta=delta, only="accuracy")
        claim = report["accuracy-difference"]
        found.append((float(claim.lower), float(claim.upper), report.details["pairs"][0]["p"]))
    lower, upper, p = np.array(found).T
    times = [np.array([np.bincount(each, minlength=3) for each in some]) for some in samples]
    ways = [factorial(sum(t[0])) / np.prod([[factorial(x) for x in row] for row in t.tolist()], axis=1) for t in times]
    random = np.random.default_rng(0)
    for _ in range(300):
        laws = [random.dirichlet(np.full(3, 0.4)) for _ in sizes]
        each = [way * np.prod(law**time, axis=1) for way, law, time in zip(ways, laws, times, strict=True)]
        chance, gap = np.outer(*each).ravel(), float((laws[0] - laws[1]) @ values)
        assert chance[lower > gap + 1e-12].sum() <= delta / 2
        assert chance[upper < gap - 1e-12].sum() <= delta / 2
        null = [each[0], ways[1] * np.prod(laws[0] ** times[1], axis=1)]
        for level in (0.1, 0.25, 0.5, 0.8):
            assert np.outer(*null).ravel()[p <= level].sum() <= level + 1e-12


@pytest.mark.long
def test_large_samples_of_clusters_are_covered_about_as_often_as_stated() -> None:
    """Two samples of 50 clusters of 1 to 6 rows, 2,000 times: 95 % within what chance allows."""
    random, covered = np.random.default_rng(5), 0
    for _ in range(2_000):
        ratios = []
        for rate in (0.2, 0.3):
            sizes = random.integers(1, 7, 50).astype(float)
            own = random.beta(4 * rate, 4 * (1 - rate), 50)
            ratios.append(Ratio(random.binomial(sizes.astype(int), own).astype(float), sizes, Draws(np.ones(50))))
        claim = influence(difference_of_samples(*ratios))
        covered += float(claim.lower) <= -0.1 <= float(claim.upper)
    assert 0.925 < covered / 2_000 < 0.975


# ---- Routes to the same number


def test_variances_and_degrees_of_freedom_are_those_of_welch() -> None:
    random = np.random.default_rng(1)
    one, other = random.random(30), random.random(12)
    ratios = [Ratio(x, np.ones(x.size), Draws(np.ones(x.size), most=1.0, rows=True)) for x in (one, other)]
    gap = difference_of_samples(*ratios)
    assert isinstance(gap, Influence)
    parts = [x.var(ddof=1) / x.size for x in (one, other)]
    assert 4 * gap.spread.variance == pytest.approx(sum(parts))  # on the scale [0, 1] of a difference in [-1, 1]
    welch = sum(parts) ** 2 / sum(part**2 / (x.size - 1) for part, x in zip(parts, (one, other), strict=True))
    assert gap.spread.df == pytest.approx(welch)
    assert gap.value == pytest.approx(one.mean() - other.mean())


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", DESIGNS)
def test_estimates_are_differences_of_those_of_each_model(design: str) -> None:
    columns, facts = DESIGNS[design]
    own = []
    for rows, beside in zip((ONE, OTHER), BESIDE, strict=True):
        report = hf.assess(**rows, **{c: beside[c] for c in columns}, positive=1, only=MEASURES, **facts)
        estimates = {}
        for line in report.whole:
            estimates.setdefault((line.measure, line.label, line.claim.per), line.claim.estimate)
        own.append(estimates)
    for (name, label, _, per), claim in told(compared(design)).items():
        key = name.removesuffix("-difference"), label, per
        assert claim.estimate == pytest.approx(float(own[0][key]) - float(own[1][key]), abs=1e-9), key


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", DESIGNS)
def test_swapping_mirrors_and_error_rates_have_a_proof(design: str) -> None:
    one, other = compared(design), compared(design, turned=True)
    for key, claim in told(one).items():
        twin = told(other)[key]
        assert (claim.estimate, claim.lower) == pytest.approx((-twin.estimate, -twin.upper), abs=1e-9)
    firm = [claim.guarantee for key, claim in told(one).items() if key[0] == ERRORS]
    assert firm[:2] == [Guarantee.FINITE, Guarantee.ASYMPTOTIC]


@pytest.mark.parametrize("design", ["rows", "clusters", "weights"])
def test_a_group_is_its_rows_by_themselves(design: str) -> None:
    columns, facts = DESIGNS[design]
    whole = compared(design, by="subject")
    alone = {}
    for name, rows, beside in zip(("one", "other"), (ONE, OTHER), BESIDE, strict=True):
        here = rows["groups"]["subject"] == "law"
        alone[name] = {c: rows[c][here] for c in ("truth", "predicted", "score")}
        alone[name] |= {c: beside[c][here] for c in columns}
    filtered = told(hf.compare(alone, unpaired=True, positive=1, only=MEASURES, **facts))
    for key, claim in told(whole, "subject=law").items():
        numbers = ([each.estimate, each.lower, each.upper] for each in (claim, filtered[key]))
        assert np.allclose(*numbers, rtol=1e-9, atol=1e-11), key


def test_the_same_rows_twice_are_no_proof_of_no_difference() -> None:
    report = hf.compare({"one": ONE, "again": ONE}, unpaired=True)
    assert report[ERRORS].estimate == 0.0
    assert report.verdict.outcome == "not settled"


def test_files_say_what_arrays_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from holdfast.cli import main

    for name, rows in (("one", ONE), ("other", OTHER)):
        frame = pl.DataFrame({"truth": rows["truth"], "predicted": rows["predicted"], **rows["groups"]})
        frame.write_csv(tmp_path / f"{name}.csv")
    report = hf.compare({"one": {**ONE, "score": None}, "other": {**OTHER, "score": None}}, unpaired=True, by="subject")
    files = [str(tmp_path / f"{name}.csv") for name in ("one", "other")]
    with pytest.raises(SystemExit) as ended:
        main(["compare", *files, "--unpaired", "--by", "subject"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    claim = report[ERRORS]
    assert f"{float(claim.estimate):.3f} [" in out
    assert "drawn independently of those of the others" in " ".join(out.split())


def test_labels_that_one_model_never_saw_are_labels_all_the_same() -> None:
    three = {"truth": [0, 1, 2] * 20, "predicted": [0, 1, 2, 0, 1, 1] * 10}
    two = {"truth": [0, 1] * 20, "predicted": [0, 1, 1, 1] * 10}
    report = hf.compare({"three": three, "two": two}, unpaired=True, only=["error-rate", "recall"], positive=1)
    assert {line.label for line in report.whole if line.measure == "recall-difference"} >= {"1"}


@pytest.mark.parametrize(
    ("words", "given", "asked"),
    [
        ("given by their names", [1, 0], {}),
        ("given by their names", {"a": passes(1, 4)}, {}),
        ("given by their names", {"a": passes(1, 4), "b": [1, 0]}, {}),
        ("given by their names", {"a": passes(1, 4), "b": {"wrong": [1]}}, {}),
        ("leave out cluster=", {"a": passes(1, 4), "b": passes(2, 4)}, {"clusters": [1, 2, 3, 4]}),
        ("no row was answered by both", {"a": passes(1, 4), "b": passes(2, 4)}, {"test": "exact"}),
        ("drawn, and graded, alike", {"a": passes(1, 4), "b": {**passes(2, 4), "clusters": [1, 1, 2, 2]}}, {}),
        ("do not bear it", {"a": passes(1, 4), "b": passes(2, 4)}, {"only": "recall"}),
        ("on the same rows alone", {"a": ONE, "b": OTHER}, {"only": "calibration-error", "positive": 1}),
        ("neither is better", {"a": ONE, "b": OTHER}, {"only": "prevalence", "positive": 1}),
    ],
)
def test_what_says_nothing_is_refused_in_words(words: str, given: Any, asked: dict[str, Any]) -> None:
    with pytest.raises(HoldfastError, match=words):
        hf.compare(given, unpaired=True, **asked)
