"""Reports of SWE-bench: what became of each instance, out of all of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from tests.sources.logs.making import DATA
from tests.sources.logs.tools.reading import run, written


@pytest.mark.parametrize(("name", "resolved"), [("org__alpha.toy-run", 10), ("beta.toy-run", 11)])
def test_swe_bench_is_out_of_all_instances(name: str, resolved: int) -> None:
    path = DATA / "swebench" / f"{name}.json"
    report, read = json.loads(path.read_text()), run(path)
    assert len(read.ids) == report["total_instances"] == 24
    assert np.nansum(read.scored) == resolved == len(report["resolved_ids"])
    broken = {*report["error_ids"], *report["infra_failure_ids"]}
    assert read.missing["crashed"] == len(broken)
    assert read.missing["not in the log"] == len(report["incomplete_ids"])
    assert read.groups["repository"][read.ids.index("astro__star-100")] == "astro__star"
    del report["unresolved_ids"][0]
    with pytest.raises(HoldfastError, match="24 instances and names what became of 23"):
        run(written(path.name, report))
