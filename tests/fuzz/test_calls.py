"""Whatever is handed to what is public: an answer, or an error of ours in one line."""

from __future__ import annotations

import pytest

import holdfast as hf
from tests.fuzz.calls import RESULTS, good, tried_calls
from tests.fuzz.trial import Record, holds, in_folder


def test_a_few_hundred_calls(record_property: Record) -> None:
    holds(tried_calls(1, 300), record_property)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
def test_ten_thousand_calls(seed: int, record_property: Record) -> None:
    holds(tried_calls(seed, 5_000), record_property)


def test_every_public_name_is_called() -> None:
    with in_folder() as folder:
        called = {getattr(public, "__name__", "") for public, _ in good(folder)}
    assert {*hf.__all__} - called - RESULTS == set()
