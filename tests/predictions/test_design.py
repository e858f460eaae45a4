"""What is stated of how rows were drawn: what is refused, what the caps come to, and which sentences follow."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.assumptions import Assumption
from holdfast.errors import HoldfastError
from holdfast.predictions.design import LARGEST_CAP, Design, class_mix


@pytest.mark.parametrize(
    "stated",
    [
        {"max_cluster": 0},
        {"max_cluster": 2.5},
        {"max_cluster": True},
        {"max_cluster": LARGEST_CAP + 1},
        {"max_weight": 0.0},
        {"max_weight": float("inf")},
        {"sampling": "by class"},
        {"order": "sorted"},
        {"weights": [1.0], "inclusion": [0.5]},
        {"shares": {}},
        {"shares": {"north": 0.3, "south": 0.6}},
        {"shares": {"north": 0.3, "south": 0.8}},
        {"shares": {"north": 0.0, "south": 1.0}},
        {"shares": {"north": 1.2, "south": -0.2}},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(stated: dict[str, Any]) -> None:
    with pytest.raises(HoldfastError):
        Design(**stated)


def test_the_most_that_a_draw_can_weigh_is_rows_times_weight() -> None:
    both = Design(max_cluster=4, max_weight=2.5)
    assert both.most(("cluster", "weight")) == 10.0
    assert both.most(("cluster",)) == 4.0
    assert both.most(("weight",)) == 2.5
    assert both.most(()) == 1.0
    assert Design(max_cluster=4).most(("cluster", "weight")) is None
    assert Design(max_weight=2.5).most(("cluster", "weight")) is None


def test_a_cluster_beyond_the_stated_most_is_refused() -> None:
    Design(max_cluster=4).check_cap(4)
    Design().check_cap(10**6)
    with pytest.raises(HoldfastError, match=r"A cluster holds 5 examples, more than the 4"):
        Design(max_cluster=4).check_cap(5)


def test_what_is_assumed_follows_from_what_is_stated() -> None:
    assert Design().assumes(()) == (Assumption.INDEPENDENT,)
    assert Design().assumes(("weight",)) == (Assumption.INDEPENDENT, Assumption.KNOWN_WEIGHTS)
    assert Design(inclusion=True).assumes(("weight",)) == (Assumption.INDEPENDENT, Assumption.KNOWN_INCLUSION)
    assert Design().assumes(("cluster",)) == (Assumption.CLUSTERS,)
    shares = Design(shares={"n": 0.5, "s": 0.5})
    assert shares.assumes(("stratum",)) == (Assumption.WITHIN_STRATA, Assumption.STATED_SHARES)
    assert Design(sampling="by-class").assumes(()) == (Assumption.WITHIN_CLASSES,)
    capped = Design(max_cluster=4, max_weight=2.0)
    assert capped.caps(("cluster", "weight")) == (Assumption.CAPPED_CLUSTERS, Assumption.CAPPED_WEIGHTS)
    assert capped.caps(("weight",)) == (Assumption.CAPPED_WEIGHTS,)
    assert Design().caps(("cluster", "weight")) == ()


def test_one_class_may_be_left_unsaid_and_gets_the_rest() -> None:
    assert class_mix(["a", "b", "c"], {"a": 0.2, "b": 0.5}) == pytest.approx({"a": 0.2, "b": 0.5, "c": 0.3})
    for stated in ({"a": 0.2}, {"a": 0.6, "b": 0.5}, {"a": 0.2, "b": 0.2, "c": 0.2}, {"a": 1.0}, {"d": 0.5}):
        with pytest.raises(HoldfastError):
            class_mix(["a", "b", "c"], stated)
