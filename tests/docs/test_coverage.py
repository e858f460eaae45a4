"""What docs/_make/coverage.json says of methods that cannot be enumerated is what simulation finds."""

from __future__ import annotations

import json
import runpy
from typing import Any

import pytest

from holdfast.catalog import Bound, find, methods
from holdfast.claims import Guarantee
from tests.docs.pages import MAKE
from tests.tries import tries

MADE: dict[str, Any] = runpy.run_path(str(MAKE / "measure_coverage.py"))
KEPT: dict[str, dict[str, Any]] = json.loads(MADE["FILE"].read_text(encoding="utf-8"))
QUICK = ("fisher", "union", "stratified-normal", "box")
# Minutes in all, and the laws of the catalog try them, too.
SLOW = ("star", "percentile", "bca", "jackknife", "squares", "fisher-region", "auc-matchings")


def test_every_method_that_is_simulated_stands_there() -> None:
    assert list(KEPT) == [bound.name for bound in methods() if MADE["simulated"](bound)], "run make coverage"


@tries(every="soft test sets", how="simulated")
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in KEPT if name not in SLOW]
)
def test_simulation_finds_it_again(name: str) -> None:
    assert MADE["worst"](find(name)) == KEPT[name], "run make coverage"


@pytest.mark.parametrize("bound", [find(name) for name in KEPT], ids=lambda bound: bound.name)
def test_what_is_guaranteed_was_kept(bound: Bound) -> None:
    assert bound.guarantee is not Guarantee.FINITE or KEPT[bound.name]["kept"]
