"""Every run tries the same examples: a test that fails, fails for everybody. Fuzzers say what they tried."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests recorded as `tried`, a line each; from other processes too."""
    ended = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    for report in ended:
        for name, sentence in getattr(report, "user_properties", ()):
            if name == "tried" and report.when == "call":
                terminalreporter.write_line(f"{report.nodeid.rpartition('/')[2]}: {sentence}")
