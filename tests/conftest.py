"""Every run tries the same examples: a test that fails, fails for everybody. What was tried is counted."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no doctests of their own, and looking for some in every worker takes longer than the laws do."""
    return [node for node in (yield) if isinstance(node, pytest.Module)]


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
