"""What the package offers, and what it says where scikit-learn is missing."""

from __future__ import annotations

import sys

import pytest

from holdfast import learners
from holdfast.errors import HoldfastError


def test_every_learner_is_offered() -> None:
    for name in learners.__all__:
        assert name in dir(learners)
        assert getattr(learners, name).__name__ == name


def test_an_unknown_name_is_none() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'SetCovering'"):
        _ = learners.SetCovering


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "holdfast.learners.set_covering", raising=False)
    with pytest.raises(HoldfastError, match=r"pip install 'holdfast\[train\]'"):
        _ = learners.SetCoveringMachine
