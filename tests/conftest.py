"""Every run tries the same examples: a test that fails, fails for everybody. What was tried is counted."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator

import pytest
from hypothesis import settings
from hypothesis.internal.entropy import deterministic_PRNG

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
gc.set_threshold(100_000, 20, 20)  # looking for garbage took a twentieth of the time


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no doctests of their own, and looking for some in every worker takes longer than the laws do."""
    return [node for node in (yield) if isinstance(node, pytest.Module)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a crossing the quick tests try some cases, evenly spread, and the long ones the others."""
    crossings: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("crossing") is not None and item.get_closest_marker("long") is None:
            crossings.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in crossings.values():
        marker = cases[0].get_closest_marker("crossing")
        assert marker is not None  # see above
        quick = min(marker.args[0], len(cases))
        kept = {place * len(cases) // quick for place in range(quick)}
        for place, item in enumerate(cases):
            if place not in kept:
                item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """What was collected lives to the end: nobody need look again and again whether it is garbage."""
    with deterministic_PRNG():  # which asks once who holds numpy's random numbers: none of the frozen is told
        gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """A chart is held to the schema of Vega-Lite when it is written, and not once more for each of its parts."""
    if (altair := sys.modules.get("altair.utils.schemapi")) is not None:
        altair.disable_debug_mode()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Whatever tests say of how much they tried; passing, they would say nothing."""
    sentences = [
        f"{report.nodeid.rpartition('::')[2]}: {sentence}"
        for report in terminalreporter.stats.get("passed", [])
        for name, sentence in report.user_properties
        if name == "tried"
    ]
    if sentences:
        terminalreporter.section("what was tried")
        for sentence in sorted(sentences):
            terminalreporter.write_line(sentence)
