"""The report as text: 80 columns, a line a claim, whatever the numbers and the labels."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast as hf
from holdfast.render.kinds import headline_of
from holdfast.wording import printable


def lines(report: hf.Report) -> list[str]:
    told = str(report).splitlines()
    assert max(map(len, told)) <= 80
    return told


@pytest.mark.parametrize("rows", [10, 1_000, 100_000])
def test_a_claim_stays_on_its_line(rows: int) -> None:
    truth = np.arange(rows) % 2
    report = hf.assess(truth, np.where(np.arange(rows) % 50 == 7, 1 - truth, truth), truth * 0.5 + 0.2)
    told = lines(report)
    own = [line for line in report.lines if line.label in (None, "1")]
    for line in own:
        found = [text for text in told if text.startswith(f"{line.measure} ") and line.claim.method in text]
        assert len(found) >= 1, line.measure
        assert all("]" in text for text in found)


def test_classes_stay_on_their_line_however_long_their_names() -> None:
    generator = np.random.default_rng(1)
    names = np.array(["a very long name of a class indeed", "another very long name", "short"])
    truth = generator.integers(0, 3, 30_000)
    guessed = np.where(generator.random(30_000) < 0.9, truth, generator.integers(0, 3, 30_000))
    told = lines(hf.assess(names[truth], names[guessed]))
    rows = [line for line in told if line.count("[") == 3]
    assert len(rows) == 3
    assert rows[0].startswith("a very lon… ")


@pytest.mark.parametrize(
    ("errors", "rows", "said"),
    [
        (0, 1, "On 1 example the model did not err."),
        (1, 2, "On 2 examples the model erred once."),
        (1_200, 2_000, "On 2,000 examples the model erred 1,200 times."),
    ],
)
def test_the_headline_counts_in_words(errors: int, rows: int, said: str) -> None:
    assert headline_of(hf.assess(correct=[False] * errors + [True] * (rows - errors))).startswith(said)


def test_one_sided_headlines() -> None:
    assert "is at most 2" in headline_of(hf.assess(correct=[True] * 12, side="upper"))
    assert "is at least 0.0 %" in headline_of(hf.assess(correct=[True] * 12, side="lower"))


def test_many_classes_are_cut_on_the_screen_only() -> None:
    labels = [f"c{i:02}" for i in range(30)]
    report = hf.assess(labels, labels)
    assert any("... 10 more" in line for line in lines(report))
    assert report["recall", "c29"].estimate == 1.0


def test_labels_cannot_command_a_terminal() -> None:
    assert printable("a\x1b[31mb\nc") == "a\\x1b[31mb\\nc"
    assert printable("x" * 40) == "x" * 15 + "…"
