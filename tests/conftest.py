"""Every run tries the same examples: a test that fails, fails for everybody. What was tried is counted."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


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
