"""A sealed gate in a test-suite: its report tells the bit, and neither locals nor time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import holdfast as hf

SUITE = """
import time
from holdfast.testing import assert_proven

HOW = {"truth_file": "truth.csv", "on": "id", "ledger": "tests.db"}

def test_good():
    assert_proven("good.csv", at_most=0.2, **HOW)
    time.sleep(2)

def test_bad():
    secret = [line for line in open("truth.csv")]
    assert_proven("bad.csv", at_most=0.2, **HOW)

def test_refused():
    assert_proven("short.csv", at_most=0.2, **HOW)
"""


@pytest.mark.long
def test_no_report_shows_a_label_or_a_time(tmp_path: Path) -> None:
    n = 100
    truth = [f"label-{'ab'[i * i % 7 % 2]}" for i in range(n)]
    lines = {
        "truth": [f"{i},{label}" for i, label in enumerate(truth)],
        "good": [f"{i},{label}" for i, label in enumerate(truth)],
        "bad": [f"{i},other" for i in range(n)],
        "short": [f"{i},other" for i in range(n - 3)],
    }
    for name, rows in lines.items():
        header = "id,label" if name == "truth" else "id,predicted"
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    hf.Ledger.open(tmp_path / "tests.db", truth_file=tmp_path / "truth.csv", id="id", gates=5, promotions=2)
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    options = ["-p", "holdfast.testing.plugin", "-p", "no:cacheprovider", "-p", "no:holdfast", "--full-trace", "-l"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--junit-xml=j.xml", "--durations=0", "-vv", "test_suite.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
    )
    report = (tmp_path / "j.xml").read_text(encoding="utf-8")
    assert "1 passed, 2 failed" in run.stdout or "2 failed, 1 passed" in run.stdout, run.stdout + run.stderr
    for text in (run.stdout, report):
        assert "label-" not in text
        assert "not proven" in text
        assert "3 rows without one" in text
    cases = [line for line in report.split("<testcase")[1:] if "test_good" in line or "test_bad" in line]
    assert len(cases) == 2
    # A test is two seconds long, of which its report has no more than it took to get there, before any label was read.
    assert all(float(case.split('time="')[1].split('"')[0]) < 1.9 for case in cases)
