"""What is promised under a design: of every sample that can be drawn, or of many, no more miss the truth than said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Side
from tests.laws.designs import asymptotic, claims_of
from tests.laws.estimates import Weighed, expected
from tests.tries import tries

ANSWERS = ("truth", "predicted", "value", "weight", "group")


@dataclass(frozen=True)
class Stratum:
    """Kinds of clusters, each with its rows, how frequent each is, and how many clusters are drawn."""

    kinds: Sequence[dict[str, list[Any]]]
    chances: Sequence[float]
    number: int
    share: float = 1.0

    def samples(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Which kinds may be drawn, and the chance of just these."""
        for drawn in combinations_with_replacement(range(len(self.kinds)), self.number):
            ways = factorial(self.number) / prod(factorial(drawn.count(kind)) for kind in set(drawn))
            yield drawn, ways * prod(self.chances[kind] for kind in drawn)


@dataclass(frozen=True)
class World:
    """A population of clusters that is known to the last row."""

    strata: Sequence[Stratum]
    only: tuple[str, ...]
    stated: dict[str, Any] = field(default_factory=dict)

    def truth(self, measure: str, label: Any, group: str | None) -> float:
        """By how frequent each kind of cluster is; of a group by its rows."""
        each = [
            (stratum.share * chance, kind)
            for stratum in self.strata
            for kind, chance in zip(stratum.kinds, stratum.chances, strict=True)
        ]
        rows = {name: np.concatenate([kind[name] for _, kind in each]) for name in each[0][1]}
        weight = np.concatenate([chance * np.array(kind["weight"], float) for chance, kind in each])
        where = np.ones(weight.size, bool) if group is None else rows["group"] == group.removeprefix("group=")
        answers = {name: rows[name][where] for name in ("truth", "predicted") if name in rows}
        if "value" not in rows:
            return expected(measure, Weighed(weight[where], **answers), label)
        right = float(np.average(rows["value"][where], weights=weight[where]))
        return right if measure == "accuracy" else 1.0 - right

    def report(self, drawn: Sequence[Sequence[int]], delta: float, side: Side) -> hf.Report:
        """What is said of the clusters that were drawn of each stratum."""
        held: dict[str, list[Any]] = {name: [] for name in (*self.strata[0].kinds[0], "cluster", "stratum")}
        number = 0
        for place, kinds in enumerate(drawn):
            for kind in kinds:
                rows = self.strata[place].kinds[kind]
                size = len(rows["weight"])
                for name, values in {**rows, "cluster": [number] * size, "stratum": [f"s{place}"] * size}.items():
                    held[name] += values
                number += 1
        answers = {name: held[name] for name in ("truth", "predicted", "value") if name in held}
        shares = {f"s{place}": stratum.share for place, stratum in enumerate(self.strata)}
        strata = {"strata": held["stratum"], "shares": shares} if len(self.strata) > 1 else {}
        columns = {"clusters": held["cluster"], "weights": held["weight"], "groups": {"group": held["group"]}}
        return hf.assess(**answers, **columns, **strata, **self.stated, only=self.only, delta=delta, side=side)

    def missed(self, delta: float, side: Side) -> dict[tuple[str, str | None], float]:
        """How often each claim that holds at every sample size does not, by measure and group."""
        chances: dict[tuple[str, str | None], float] = {}
        for each in product(*(stratum.samples() for stratum in self.strata)):
            chance = prod(one for _, one in each)
            report = self.report([drawn for drawn, _ in each], delta, side)
            for group in (None, "group=a", "group=b"):
                for (measure, label, _, guarantee), claim in claims_of(report, group).items():
                    if guarantee == "FINITE":
                        assert claim.method == ("squares" if len(self.strata) == 1 else "strata-bets")
                        truth = self.truth(measure, None if label is None else int(label), group)
                        wrong = not claim.lower - 1e-12 <= truth <= claim.upper + 1e-12
                        chances[measure, group] = chances.get((measure, group), 0.0) + chance * wrong
        return chances


def answers(truth: str, predicted: str, weight: Sequence[float], group: str) -> dict[str, list[Any]]:
    """The rows of a cluster."""
    return {"truth": [*map(int, truth)], "predicted": [*map(int, predicted)], "weight": [*weight], "group": [*group]}


def grades(value: Sequence[float], weight: Sequence[float], group: str) -> dict[str, list[Any]]:
    return {"value": [*value], "weight": [*weight], "group": [*group]}


RATES = ("error-rate", "recall", "precision", "f1")
GRADES = ("error-rate", "accuracy")
LABELLED = {"labels": [0, 1], "positive": 1, "max_cluster": 4, "max_weight": 2.0}
MIXED = answers("1100", "0110", (2.0, 2.0, 2.0, 2.0), "abab")  # wrong in one group and right in the other
RIGHT = answers("1101", "1101", (0.5, 0.5, 0.5, 0.5), "abba")
HEAVY = answers("1100", "0011", (2.0, 2.0, 2.0, 2.0), "abab")
LIGHT = answers("11", "11", (0.5, 0.5), "ab")
ALARMS = answers("000", "101", (2.0, 1.0, 2.0), "aab")
FOUND = answers("11", "11", (1.0, 2.0), "ba")
POOR = grades((0.0, 0.25, 0.5, 0.0), (2.0, 2.0, 2.0, 2.0), "aabb")
GOOD = grades((1.0, 0.75), (0.5, 1.0), "ab")
WORLDS = {
    "mostly right": World([Stratum((MIXED, RIGHT), (0.3, 0.7), 20)], RATES, LABELLED),
    "rarely heavy": World([Stratum((HEAVY, LIGHT), (0.06, 0.94), 18)], RATES, LABELLED),  # mostly none is drawn
    "of two kinds, mostly wrong": World([Stratum((MIXED, RIGHT), (0.8, 0.2), 20)], RATES, LABELLED),
    "of four kinds": World([Stratum((MIXED, RIGHT, ALARMS, FOUND), (0.1, 0.3, 0.2, 0.4), 4)], RATES, LABELLED),
    "of two strata": World(
        [Stratum((MIXED, RIGHT), (0.2, 0.8), 8, 0.8), Stratum((ALARMS, FOUND), (0.5, 0.5), 6, 0.2)], RATES, LABELLED
    ),
    "graded": World([Stratum((POOR, GOOD), (0.3, 0.7), 20)], GRADES, {"max_cluster": 4, "max_weight": 2.0}),
}


QUICK = {("rarely heavy", "upper"), ("graded", "lower")}


@tries("squares", "strata-bets", how="enumerated")
@pytest.mark.parametrize(
    ("world", "side"),
    [
        pytest.param(*each, marks=[] if each in QUICK else [pytest.mark.long])
        for each in product(WORLDS, ("lower", "upper"))
    ],
)
def test_limits_of_every_group_hold_in_every_sample_that_can_be_drawn(world: str, side: Side) -> None:
    missed = WORLDS[world].missed(0.3, side)
    assert {measure for measure, _ in missed} == {*WORLDS[world].only}
    assert {group for _, group in missed} == {None, "group=a", "group=b"}
    assert 0.005 < max(missed.values()) <= 0.3 + 1e-12  # silence would keep the promise too


def test_the_most_that_was_seen_in_place_of_the_most_there_can_be_would_break_it() -> None:
    """In a sample without the rare heavy cluster nothing weighs much, and everything is right."""
    world = WORLDS["rarely heavy"]
    blind = replace(world, stated={**world.stated, "max_cluster": 2, "max_weight": 0.5})
    (drawn, chance), *_ = (each for each in world.strata[0].samples() if 0 not in each[0])
    assert chance > 0.3
    truth, claim = world.truth("error-rate", None, None), blind.report([drawn], 0.3, "upper")["error-rate"]
    assert claim.upper < truth < world.report([drawn], 0.3, "upper")["error-rate"].upper


# ---- As the sample grows


CLUSTERS, RUNS = 50, 400
SMOOTH = ("error-rate", "recall", "f1", "mcc", "auc", "brier")
LABELS = dict.fromkeys(("recall", "f1", "auc"), "1")  # that are about one


def population(random: np.random.Generator, number: int, first: float | None = None) -> dict[str, np.ndarray]:
    """Clusters of up to six rows that are hard or easy together; of two strata, if not by chance, the second is."""
    stratum = (random.random(number) < 0.5) * 1 if first is None else (np.arange(number) >= first * number) * 1
    cluster = np.repeat(np.arange(number), random.integers(1, 7, number))
    shared, own = random.normal(size=number)[cluster], random.normal(size=(2, cluster.size))
    truth = (shared + own[0] > 0.4) * 1
    score = 1 / (1 + np.exp(-(1.2 * own[0] + 0.6 * shared - 0.4 * stratum[cluster] + own[1])))
    weight = np.where(random.random(cluster.size) < 0.5, 1.0, 2.0)
    return {
        "truth": truth,
        "predicted": (score >= 0.5) * 1,
        "score": score,
        "cluster": cluster,
        "weight": weight,
        "stratum": stratum[cluster],
    }


DRAWN = {  # what is stated, and the part of clusters of the first stratum: of those drawn, and of all
    "clusters": ((), None, None),
    "weights": (("weights",), None, None),
    "strata": (("strata",), 0.5, 0.8),
    "weights, strata": (("weights", "strata"), 0.5, 0.8),
}


@tries("influence", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize("design", DRAWN)
def test_at_fifty_clusters_what_holds_as_their_number_grows_nearly_holds(design: str) -> None:
    given, drawn, share = DRAWN[design]
    every = population(np.random.default_rng(0), 100_000, share)
    weight = every["weight"] if "weights" in given else np.ones(every["weight"].size)
    whole = Weighed(weight, *(every[name] for name in ("truth", "predicted", "score")))
    truths = {name: expected(name, whole, 1) for name in SMOOTH}
    random, held = np.random.default_rng(1), dict.fromkeys(SMOOTH, 0)
    for _ in range(RUNS):
        rows = population(random, CLUSTERS, drawn)
        stated: dict[str, Any] = {"weights": rows["weight"]} if "weights" in given else {}
        if share is not None:
            stated |= {"strata": rows["stratum"], "shares": {0: share, 1: 1 - share}}
        columns = {name: rows[name] for name in ("truth", "predicted", "score")}
        labels = {"labels": [0, 1], "positive": 1, "only": SMOOTH, "method": "influence"}
        report = hf.assess(**columns, clusters=rows["cluster"], **stated, **labels)
        for name in SMOOTH:
            claim = asymptotic(claims_of(report))[name, LABELS.get(name), "row", "ASYMPTOTIC"]
            held[name] += claim.lower <= truths[name] <= claim.upper
    assert all(0.92 <= each / RUNS <= 0.98 for each in held.values()), held
