"""What labels and clusters are called, and in which order rows come, moves no number: not even one that was drawn."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.evidence.tables import fixed_order
from holdfast.report import Report

N = 90
random = np.random.default_rng(3)
TRUTH = random.integers(0, 3, N)
FIRST, SECOND = (np.where(random.random(N) < share, TRUTH, random.integers(0, 3, N)) for share in (0.6, 0.7))
CLUSTERS = random.integers(0, 20, N)
TURNED = np.concatenate([np.repeat([0, 1, 2], 12), [0, 0, 0, 1, 1, 1, 2, 2, 2]])  # nothing tells the labels apart
BESIDE = np.concatenate([np.repeat([0, 1, 2], 12), [1, 1, 1, 2, 2, 2, 0, 0, 0]])
NAMES = (("a", "b", "c"), ("z", "y", "x"), ("b", "c", "a"))


def limits(report: Report, names: tuple[str, ...]) -> dict[Any, tuple[float, float]]:
    places = {name: place for place, name in enumerate(names)}
    return {
        (line.measure, places.get(str(line.label)), line.claim.method, line.claim.per): (
            float(line.claim.lower),
            float(line.claim.upper),
        )
        for line in report.whole
        if line.model is None or line.against is not None
    }


def called(names: tuple[str, ...], codes: Any) -> Any:
    return np.array(names, object)[codes]


def same(here: dict[Any, tuple[float, float]], there: dict[Any, tuple[float, float]]) -> None:
    assert here.keys() == there.keys()
    for about, ends in here.items():
        np.testing.assert_allclose(there[about], ends, rtol=0, atol=1e-12, err_msg=str(about))


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("clusters", [None, CLUSTERS])
def test_labels_by_any_name_have_the_same_limits(method: str, clusters: Any) -> None:
    """Every measure of the catalog that a table bears, by every bootstrap."""
    found = [
        limits(
            hf.assess(called(names, TRUTH), called(names, FIRST), method=method, resamples=200, clusters=clusters),
            names,
        )
        for names in NAMES
    ]
    assert sum(about[2] == method for about in found[0]) > 10
    same(found[0], found[1])
    same(found[0], found[2])


@pytest.mark.parametrize("clusters", [None, CLUSTERS])
def test_differences_too(clusters: Any) -> None:
    only = ["error-rate", "f1", "macro-f1", "kappa"]
    found = []
    for names in NAMES:
        models = {"A": called(names, FIRST), "B": called(names, SECOND)}
        report = hf.compare(called(names, TRUTH), models, only=only, method="percentile", clusters=clusters)
        found.append(limits(report, names))
    same(found[0], found[1])
    same(found[0], found[2])


def test_labels_that_nothing_tells_apart_have_the_same_limits() -> None:
    """A stream has an order, and one of three labels that are alike has to come first: the others are read there."""
    found = [
        limits(hf.assess(called(names, TURNED), called(names, BESIDE), method="bca", resamples=200), names)
        for names in permutations("abc")
    ]
    for each in found[1:]:
        same(found[0], each)
    assert len({ends for about, ends in found[0].items() if about[0] == "f1"}) == 1


def test_clusters_by_any_name_and_rows_in_any_order() -> None:
    order, names = random.permutation(N), random.permutation(20)
    only = ["error-rate", "macro-f1"]
    here = hf.compare(TRUTH, {"A": FIRST, "B": SECOND}, only=only, clusters=CLUSTERS, method="bca")
    there = hf.compare(
        TRUTH[order],
        {"A": FIRST[order], "B": SECOND[order]},
        only=only,
        clusters=names[CLUSTERS][order],
        method="bca",
    )
    same(limits(here, ()), limits(there, ()))


def test_strata_by_any_name_and_labels_that_are_strata() -> None:
    region = np.arange(N) % 3
    found = []
    for names in NAMES:
        shares = dict(zip(names, (0.5, 0.3, 0.2), strict=True))
        options = {"method": "percentile", "resamples": 200}
        within = hf.assess(TRUTH, FIRST, strata=called(names, region), shares=shares, **options)
        by_class = hf.assess(called(names, TRUTH), called(names, FIRST), prevalence=shares, **options)
        found.append((limits(within, ("0", "1", "2")), limits(by_class, names)))
    assert sum(about[2] == "percentile" for about in found[0][0]) > 10
    for one, other in found[1:]:
        same(found[0][0], one)
        same(found[0][1], other)


def test_ties_beyond_a_stated_amount_of_work_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_order, "MOST_WORK", 0)
    labels = np.arange(500)
    order = fixed_order.fixed_order(
        np.zeros(500, int), [[labels], [labels]], np.ones(500, int), labels, np.ones(500, int)
    )
    assert sorted(order.rank.tolist()) == labels.tolist()
    assert set(order.stand_in.tolist()) == {0}
