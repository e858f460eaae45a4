"""Evidence is made in one way, and never changes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from functools import cached_property
from importlib import import_module
from inspect import isabstract
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import joblib
import numpy as np
import pytest

import holdfast.evidence
from holdfast.evidence import Evidence
from holdfast.evidence.evidence import Estimated, Need
from holdfast.evidence.value import Value
from tests.evidence.examples import EVIDENCE, READ_OFF, STAYING, VALUES

ROOM = Path(holdfast.evidence.__file__).parent
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
HOLD_FUNCTIONS = ("Forecasts",)  # which pickle does not take


def derived(value: Value) -> set[str]:
    """Names of what is computed once and kept."""
    return {name for kind in type(value).__mro__ for name, made in vars(kind).items() if type(made) is cached_property}


def kinds(parent: type[Value] = Value) -> set[type[Value]]:
    """All kinds of values that can be made."""
    below = {kind for child in parent.__subclasses__() for kind in kinds(child)}
    return below | (set() if isabstract(parent) or parent in (Value, Evidence, Estimated) else {parent})


def test_there_is_an_example_of_each_kind() -> None:
    """But of what is read off a whole table, or off rankings, by functions that a measure gives."""
    for module in walk_packages(holdfast.evidence.__path__, "holdfast.evidence."):
        import_module(module.name)
    room = {kind for kind in kinds() if kind.__module__.startswith("holdfast.evidence")}
    read = {"TableStatistic", "SmoothStatistic", "MonotoneInRecalls"}
    going = {"RankedPrecision", "Distance"}
    missing = {kind.__name__ for kind in room} - {type(value).__name__ for value in VALUES.values()}
    assert {name for name in missing if not name.startswith("_")} == read | going


@pytest.mark.parametrize("name", {**STAYING, **READ_OFF})
def test_nothing_can_be_added(name: str) -> None:
    value: Any = copy.copy(VALUES[name])
    with pytest.raises(FrozenInstanceError):
        value.further = 1


@pytest.mark.parametrize("name", VALUES)
def test_no_field_can_be_set_or_deleted(name: str) -> None:
    value = copy.copy(VALUES[name])
    for each in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, each.name, None)
        with pytest.raises(FrozenInstanceError):
            delattr(value, each.name)


@pytest.mark.parametrize("name", VALUES)
def test_every_field_is_set_and_nothing_else(name: str) -> None:
    value = VALUES[name]
    known = {each.name for each in fields(value)} | derived(value) | {"scale"}
    assert {*vars(value)} <= known
    assert all(hasattr(value, each.name) for each in fields(value))


@pytest.mark.parametrize("name", [name for name in VALUES if name not in HOLD_FUNCTIONS])
def test_a_copy_holds_and_shows_the_same(name: str) -> None:
    value = VALUES[name]
    for way, copied in WAYS.items():
        again = copied(value)
        assert type(again) is type(value), way
        assert repr(again) == repr(value) or " at 0x" in repr(value), way
        if isinstance(value, Evidence):
            for what in ("mean", "complement", "estimate", "n"):
                np.testing.assert_array_equal(getattr(again, what), getattr(value, what), way)
            np.testing.assert_array_equal(again.units(np.array([0.1, 0.7])), value.units(np.array([0.1, 0.7])), way)


def test_a_copy_comes_back_from_another_process() -> None:
    names = [name for name in EVIDENCE if name != "AtPrevalence"]
    means = joblib.Parallel(n_jobs=2)(joblib.delayed(mean_of)(EVIDENCE[name]) for name in names)
    for name, mean in zip(names, means, strict=True):
        np.testing.assert_array_equal(mean, EVIDENCE[name].mean)


def mean_of(evidence: Evidence) -> Any:
    return evidence.mean


@pytest.mark.parametrize("name", EVIDENCE)
def test_the_mirror_has_mean_and_complement_swapped_and_that_of_the_mirror_is_itself(name: str) -> None:
    evidence = EVIDENCE[name]
    assert evidence.has(Need.MIRROR) is (type(evidence).mirror is not Evidence.mirror)
    if not evidence.has(Need.MIRROR):
        with pytest.raises(NotImplementedError):
            evidence.mirror()
        return
    first = evidence.mean, evidence.complement  # computed before, so that what was kept of them would be found
    turned = evidence.mirror()
    again = turned.mirror()
    np.testing.assert_array_equal(evidence.n, turned.n)
    assert {type(turned), type(again)} == {type(evidence)}
    assert turned.offers == evidence.offers
    np.testing.assert_allclose([turned.complement, turned.mean], first, rtol=0, atol=1e-15)
    np.testing.assert_allclose([again.mean, again.complement], first, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", EVIDENCE)
def test_both_ends_are_the_evidence_and_its_mirror(name: str) -> None:
    evidence = EVIDENCE[name]
    both = evidence.both_ends()
    if both is not None:
        ends = evidence.at_most(), evidence.mirror().at_most()
        np.testing.assert_array_equal(both.mean, [end.mean for end in ends])
        np.testing.assert_array_equal(both.complement, [end.complement for end in ends])
        assert both.offers == evidence.offers


def test_there_is_one_way_to_set_a_field() -> None:
    for path in sorted(ROOM.rglob("*.py")):
        if path.name != "value.py":
            text = path.read_text(encoding="utf-8")
            assert not [word for word in ("__setattr__", "__new__", "__dict__", "vars(made)") if word in text], path
