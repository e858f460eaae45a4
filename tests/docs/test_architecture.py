"""The page on how it is built: its drawing follows the imports, and its walks are those that are taken."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.cli import main

DOCS = Path(__file__).parents[2] / "docs"
HOUSE = str(DOCS.parent / "src" / "holdfast") + "/"
ROWS = "truth,predicted\n" + "a,a\nb,b\na,b\n" * 20


def taken(walk: Callable[[], object]) -> list[str]:
    """The files whose functions are called, in the order of the calls."""
    visited: list[str] = []

    def seen(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(HOUSE) and frame.f_code.co_name != "<module>":
            visited.append(file.removeprefix(HOUSE))

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return visited


def called(*words: str) -> None:
    with pytest.raises(SystemExit):
        main([*words])


def cross_assessed() -> str:
    features = np.random.default_rng(0).normal(size=(60, 2))
    learner = DecisionTreeClassifier(max_depth=1, random_state=0)
    return str(hf.cross_assess(learner, features, (features[:, 0] > 0).astype(int)).report)


def walks(file: Path) -> dict[str, Callable[[], object]]:
    return {
        "assess": lambda: called("assess", str(file), "--positive", "a"),
        "compare": lambda: hf.compare(["a", "b"] * 20, {"one": ["a"] * 40, "two": ["a", "b"] * 19 + ["b", "b"]}),
        "gate": lambda: called("gate", str(file), "--at-most", "0.5"),
        "cross_assess": cross_assessed,
    }


@pytest.mark.parametrize("verb", ["assess", "compare", "gate", "cross_assess"])
def test_a_walk_is_taken_as_the_page_has_it(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "_make"))
    steps = next(each.steps for each in runpy.run_path(str(DOCS / "_make" / "walks.py"))["WALKS"] if each.verb == verb)
    file = tmp_path / "rows.csv"
    file.write_text(ROWS, encoding="utf-8")
    visited = iter(taken(walks(file)[verb]))
    for step in steps:
        assert step.file in visited, step.file  # reads on to the next visit: later steps come after it


@pytest.mark.long
def test_the_drawing_is_that_of_the_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = DOCS / "_make" / "generate_architecture.py"
    monkeypatch.setattr(sys, "argv", [script.name, str(tmp_path / "page.md")])
    monkeypatch.syspath_prepend(str(DOCS / "_make"))
    runpy.run_path(str(script), run_name="__main__")
    drawn = (tmp_path / "rooms.svg").read_text(encoding="utf-8")
    assert drawn == (DOCS / "pictures" / "rooms.svg").read_text(encoding="utf-8"), "run make docs"
