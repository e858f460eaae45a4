from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.render.kinds import parts_of
from holdfast.render.text.layout import as_text
from holdfast.verbs.compare.datasets import compare_datasets
from tests.snapshots import matches


def report(n: int = 14, k: int = 5, **asked: Any) -> Any:
    generator = np.random.default_rng(3)
    shift = np.linspace(0, 0.06, k)
    scores = np.round(generator.uniform(0.6, 0.9, (n, 1)) + shift + generator.normal(0, 0.02, (n, k)), 3)
    names = ["naive Bayes", "SVM", "C4.5", "forest", "1-NN", *(f"m{place}" for place in range(5, k))][:k]
    return compare_datasets(dict(zip(names, scores.T.tolist(), strict=True)), **{"better": "higher", **asked})


def text(made: Any) -> str:
    return as_text(*parts_of(made))


def test_ranks_as_text() -> None:
    matches("ranks", text(report(rope=0.01, samples=2000)))


def test_two_models_as_text() -> None:
    matches("ranks-two", text(report(n=4, k=2, better=None, measure="accuracy")))


def test_no_line_is_wider_than_a_terminal() -> None:
    for made in (report(k=12), report(n=130, k=3), report(n=1, k=2)):
        assert max(map(len, text(made).split("\n"))) <= 80


def test_long_tables_are_cut_and_counted() -> None:
    told = text(report(n=10, k=62, rope=0.1, samples=100))
    assert "... 2 more" in told
    assert "... 1,861 more" in told


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    made = compare_datasets(
        {"\x1b[31mred": np.arange(9.0), "[bold]x[/bold]" * 9: np.arange(9.0) + 1}, better="lower", measure="a\nb"
    )
    told = text(made)
    assert "\x1b" not in told
    assert "[bold]" in told
