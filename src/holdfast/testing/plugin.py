"""The pytest plugin: every decision that a test asserts is listed at the end, noted in JUnit XML and kept as JSON.

What a test decided travels in the properties of its report, which pytest-xdist brings from its workers and
`--junit-xml` writes down. Beside this plugin and the assertions nothing of holdfast is imported until a test asks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.testing.assertions import listening

if TYPE_CHECKING:
    from holdfast.report import Decision

SCHEMA = "holdfast/decisions/1"
SAID, DECIDED = "holdfast", "holdfast.decision"  # a sentence for each condition, JSON for each decision
SEALED = pytest.StashKey[bool]()  # whether a test has asked a sealed gate
COLOURS = {
    "proven": "green",
    "supported (large n)": "yellow",
    "refuted": "red",
    "contradicted (large n)": "yellow",
    "not enough data": "yellow",
    "not proven": "yellow",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("holdfast", "what the data prove")
    group.addoption("--holdfast-json", metavar="FILE", help="write every decision that a test asserts to FILE as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist has its reports read elsewhere
        config.pluginmanager.register(Decisions(config.getoption("holdfast_json")), "holdfast-decisions")


@pytest.hookimpl(hookwrapper=True)  # the older way to wrap, which every pytest in use knows
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    def hear(decision: Decision) -> None:
        item.user_properties.extend(_properties(decision))
        if decision.ledger is not None and decision.ledger.sealed:
            item.stash[SEALED] = True

    with listening(hear):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """What a report says of a test with a sealed gate comes from no truth: neither how long it took nor its locals."""
    outcome: Any = yield
    if not item.stash.get(SEALED, False):
        return
    report: pytest.TestReport = outcome.get_result()
    report.duration = 0.0
    if report.failed and call.excinfo is not None:
        report.longrepr = f"{call.excinfo.typename}: {call.excinfo.value}"


def _properties(decision: Decision) -> Iterator[tuple[str, object]]:
    from holdfast.render.ci.verdict import MOST_TOLD, tally, verdict

    parts = list(decision.leaves())
    if len(parts) <= MOST_TOLD:
        yield from ((SAID, f"{part.answer}: {verdict(part)}") for part in parts)
    else:
        yield SAID, f"{decision.answer}: {verdict(decision)} {tally(decision)}."
    yield DECIDED, json.dumps(decision.to_dict(), default=str)


class Decisions:
    """What the tests of one run decided."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.said: list[tuple[str, str]] = []  # test, sentence
        self.decided: list[dict[str, Any]] = []
        self.trouble: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":  # the last report of a test has all its properties
            return
        for name, value in report.user_properties:
            if name == SAID:
                self.said.append((report.nodeid, str(value)))
            elif name == DECIDED:
                self.decided.append({"test": report.nodeid, "decision": json.loads(str(value))})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.path is None:
            return
        from holdfast.files import write_whole

        document = {"schema": SCHEMA, "decisions": self.decided}
        try:
            write_whole(self.path, json.dumps(document, indent=2).encode() + b"\n")
        except HoldfastError as error:
            self.trouble, session.exitstatus = str(error), pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.said and self.trouble is None:
            return
        terminalreporter.section("holdfast")
        counted: Counter[str] = Counter()
        for test, sentence in self.said:
            answer, verdict = sentence.split(": ", 1)
            counted[answer] += 1
            terminalreporter.write(answer, **{COLOURS[answer]: True})
            terminalreporter.write_line(f" {test}")
            terminalreporter.write_line(f"    {verdict}")
        if self.said:
            terminalreporter.write_line(
                ", ".join(f"{counted[answer]} {answer}" for answer in COLOURS if counted[answer])
            )
        if self.trouble is not None:
            terminalreporter.write_line(self.trouble, red=True)
