"""What is noted of a learner is the same in every process, and differs where the learner does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import uniform
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from holdfast.sources.estimators import file_of, find_estimator
from holdfast.training.identity import Identity, changes, identity_of

Learned = tuple[dict[str, str], dict[str, Any]]
NAIVE = "from sklearn.naive_bayes import GaussianNB\n"
SCRIPT = """
import json
import numpy as np
from holdfast.training.identity import Identity, identity_of

LIMIT = 3
KINDS = ["a", "b"]

def clip(X, kinds={"a", "b", "c"}):
    return np.minimum(X, LIMIT) if kinds & {*KINDS} or "a" in {"a", "b", "c"} else X

class Learner:
    def get_params(self, deep=True):
        return {"function": clip, "random": np.random.RandomState(3), "labels": {"x", "y", "z"}, "values": np.arange(9)}

print(json.dumps([Identity().digest(Learner()), identity_of(Learner())]))
"""


def typed(source: str, **known: Any) -> Any:
    """What is called `made` in code that was typed in, in no file."""
    names = {"__name__": "typed_in", "GaussianNB": GaussianNB, "np": np, **known}
    exec(compile(source, "<input>", "exec"), names)
    return names["made"]


def differ(first: Any, second: Any) -> bool:
    return Identity().digest(first) != Identity().digest(second)


@pytest.mark.long
def test_another_process_notes_the_same() -> None:
    def told(seed: str) -> bytes:
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(
            command,
            capture_output=True,
            check=True,
            timeout=300,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        )
        return done.stdout

    assert told("1") == told("2")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("made = lambda X: X + 1", "made = lambda X: X + 2"),
        ("made = lambda X: np.sin(X)", "made = lambda X: np.cos(X)"),
        ("made = lambda X, by=1: X", "made = lambda X, by=2: X"),
        ("made = lambda X, *, by=1: X", "made = lambda X, *, by=2: X"),
        ("by = 1\nmade = lambda X: X + by", "by = 2\nmade = lambda X: X + by"),
        ("def inner(X): return X\nmade = lambda X: inner(X)", "def inner(X): return -X\nmade = lambda X: inner(X)"),
        ("made = (lambda by: lambda X: X + by)(1)", "made = (lambda by: lambda X: X + by)(2)"),
        ("made = lambda X: (lambda: 1)()", "made = lambda X: (lambda: 2)()"),
        (
            "class made(GaussianNB):\n def fit(self, X, y): return 1",
            "class made(GaussianNB):\n def fit(self, X, y): return 2",
        ),
        ("class made(GaussianNB):\n much = 1", "class made(GaussianNB):\n much = 2"),
        ("class made(GaussianNB):\n much = [1]", "class made(GaussianNB):\n much = [2]"),
        ("by = np.arange(2)\nmade = lambda X: X @ by", "by = np.arange(2)[::-1]\nmade = lambda X: X @ by"),
        ("class made:\n @property\n def of(self): return 1", "class made:\n @property\n def of(self): return 2"),
        ("class made:\n @staticmethod\n def of(): return 1", "class made:\n @staticmethod\n def of(): return 2"),
    ],
)
def test_code_that_was_typed_in_is_told_apart(first: str, second: str) -> None:
    assert not differ(typed(first), typed(first))
    assert not differ(typed(first), typed(f"\n\n{first}"))  # elsewhere in what was typed
    assert differ(typed(first), typed(second))


class Metric:
    def __init__(self, power: float) -> None:
        self.power = power


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.arange(5000), np.arange(5000) + (np.arange(5000) == 2500)),
        ({"grid": [np.arange(5000)]}, {"grid": [np.arange(5000)[::-1]]}),
        (np.array([None, "a"]), np.array([None, "b"])),
        (pl.DataFrame({"a": range(100)}), pl.DataFrame({"a": range(100, 0, -1)})),
        (Metric(1.0), Metric(2.0)),
        (partial(np.add, 1), partial(np.add, 2)),
        (np.random.RandomState(1), np.random.RandomState(2)),
        (KFold(3, shuffle=True), KFold(3, shuffle=False)),
        ([LogisticRegression(C=c) for c in range(1, 200)], [LogisticRegression(C=c) for c in range(1, 199)]),
        ({1, 2}, {1, 3}),
        (1, True),
        (1.0, 1),
        (np.float32(1), np.float64(1)),
        (np.sin, np.cos),
        (len, max),
    ],
    ids=lambda value: type(value).__name__,
)
def test_parameters_are_told_apart_though_they_read_the_same(first: Any, second: Any) -> None:
    assert not differ(first, first)
    assert differ(first, second)


def test_a_parameter_is_written_out_where_that_says_all() -> None:
    told = [Identity().words(value) for value in (3, "a", [1, (None, True)], np.float64(0.5), GaussianNB())]
    assert told == ["3", "'a'", "[1, (None, True)]", "float64(0.5)", "GaussianNB"]
    for value in (np.arange(3), {1, 2}, [GaussianNB()], len, "long" * 60):
        name, digest = Identity().words(value).split()
        assert (name, len(digest)) == (getattr(value, "__name__", type(value).__name__), 64)


def test_a_law_of_scipy_is_the_same_though_its_generator_is_not() -> None:
    first = Identity().digest(uniform(0, 1))
    before = np.random.get_state()
    np.random.seed(2)
    try:
        assert Identity().digest(uniform(0, 1)) == first != Identity().digest(uniform(0, 2))
    finally:
        np.random.set_state(before)


def test_what_leads_back_to_itself_or_cannot_be_taken_apart_has_an_end() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert not differ(ring, ring)
    with open(__file__, encoding="utf-8") as opened:
        assert not differ(opened, opened)

    class Broken:
        @property
        def __dict__(self) -> Any:  # type: ignore[override]
            raise RuntimeError

    assert not differ(Broken(), Broken())


@pytest.mark.parametrize(
    "behind",
    [
        lambda function: make_pipeline(FunctionTransformer(function), GaussianNB()),
        lambda function: GridSearchCV(make_pipeline(FunctionTransformer(function), GaussianNB()), {}),
        lambda function: make_pipeline(FunctionTransformer(kw_args={"function": function}), GaussianNB()),
    ],
)
def test_a_function_further_in_is_found(behind: Callable[[Any], Any]) -> None:
    before, after = (identity_of(behind(typed(f"made = lambda X: X + {number}"))) for number in (1, 2))
    assert [*changes(before[1], after[1])] == ["the code of typed_in:<lambda> was changed"]


def test_a_file_is_noted_with_what_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_package").mkdir()
    files = {
        "mine.py": f"import beside_a, json, holdfast\n{NAIVE}def make(): return GaussianNB()\n",
        "beside_a.py": "from beside_package import inner\n",
        "beside_package/__init__.py": "",
        "beside_package/inner.py": "def later():\n    from . import lazy\n",
        "beside_package/lazy.py": "LIMIT = 1\n",
        "unrelated.py": "",
    }
    for name, source in files.items():
        (tmp_path / name).write_text(source)
    spec = f"{tmp_path / 'mine.py'}:make"

    def noted() -> dict[str, Any]:
        learner = find_estimator(spec)
        path = file_of(spec)
        assert path is not None
        return identity_of(learner, [path])[1]

    before = noted()
    assert {*before["files"]} == {*files} - {"unrelated.py"}
    assert {*before["packages"]} == {"sklearn"}
    for name in before["files"]:
        (tmp_path / name).write_text(f"{files[name]}# edited\n")
        assert [*changes(before, noted())] == [f"the file {name} was changed"]
        (tmp_path / name).write_text(files[name])
    assert [*changes(before, noted())] == []
    for name in [name for name in sys.modules if name.startswith("beside_")]:
        monkeypatch.delitem(sys.modules, name)


def test_a_module_that_was_edited_but_not_loaded_again_is_what_was_loaded(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    source = NAIVE + "class Mine(GaussianNB):\n    def more(self): return {}\n"
    (tmp_path / "edited_later.py").write_text(source.format(1))
    old = identity_of(find_estimator("edited_later:Mine"))[1]
    (tmp_path / "edited_later.py").write_text(source.format(2))
    stale = identity_of(find_estimator("edited_later:Mine"))[1]
    monkeypatch.delitem(sys.modules, "edited_later")
    (tmp_path / "edited_later.py").write_text(source.format(2) + "\n")
    fresh = identity_of(find_estimator("edited_later:Mine"))[1]
    assert stale["functions"] == old["functions"] != fresh["functions"]
    monkeypatch.delitem(sys.modules, "edited_later")


def test_what_python_made_of_functions_is_compared_within_one_python() -> None:
    before = identity_of(make_pipeline(FunctionTransformer(typed("made = lambda X: X")), GaussianNB()))[1]
    after = {**before, "python": "3.99", "functions": {}}
    assert [*changes(before, after)] == [f"Python was {before['python']} and is 3.99"]
    assert identity_of(GaussianNB())[1]["python"] is None
    assert isinstance(typed("made = lambda X: X"), FunctionType)
