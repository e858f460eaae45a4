"""Estimators by name: what was named is run, what goes wrong is said in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from holdfast.errors import HoldfastError
from holdfast.sources.estimators import find_estimator, read_parameters
from tests.needs import module
from tests.snapshots import matches, messages

OWN = '''
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

OFFSET = 1


@dataclass
class Settings:
    depth: int = 3


class Constant(ClassifierMixin, BaseEstimator):
    def __init__(self, place=0):
        self.place = place

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.place + OFFSET])


class Duck:
    """Has all that is needed, and knows nothing of scikit-learn."""

    def fit(self, X, y): return self
    def predict(self, X): return [0] * len(X)
    def get_params(self, deep=True): return {}
    def set_params(self, **params): return self


class Half:
    def fit(self, X, y): return self
    def predict(self, X): return [0] * len(X)


def make_model():
    return DecisionTreeClassifier(max_depth=Settings().depth)


ready = DecisionTreeClassifier(max_depth=2)
number = 3


def broken():
    raise RuntimeError("no licence\\nfor this")


def needy(depth, *, leaves, seed=0): ...
def gives_class(): return DecisionTreeClassifier
def gives_number(): return 3
def regressor(): return LinearRegression()
def leaves_early(): raise SystemExit


if __name__ == "__main__":
    raise SystemExit("this is for running the file, not for reading it")
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_a_class_a_function_or_an_estimator_of_a_module_or_a_file(own: Path) -> None:
    assert isinstance(find_estimator("sklearn.tree:DecisionTreeClassifier"), DecisionTreeClassifier)
    assert find_estimator(f"{own}:make_model").max_depth == 3
    assert find_estimator(f"{own}:ready").max_depth == 2
    assert type(find_estimator(f"{own}:Constant")).__name__ == "Constant"
    assert type(find_estimator(f"{own}:Duck")).__name__ == "Duck"
    assert type(find_estimator("holdfast.learners:SetCoveringMachine")).__name__ == "SetCoveringMachine"


def test_parameters_are_set(own: Path) -> None:
    assert find_estimator(f"{own}:make_model", {"max_depth": 7}).max_depth == 7
    assert find_estimator(f"{own}:Constant", ["place = 1"]).place == 1
    nested = find_estimator("holdfast.learners:ResamplingAdaBoost", {"estimator": DecisionTreeClassifier()})
    assert nested.set_params(estimator__max_depth=4).estimator.max_depth == 4


def test_a_file_named_from_its_own_folder(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])  # pytest lets Python look here
    assert find_estimator("own.py:ready").max_depth == 2
    with pytest.raises(HoldfastError, match=r"There is no module named 'own'; for the file, write own.py:NAME."):
        find_estimator("own:ready")


def test_nothing_is_left_behind(own: Path) -> None:
    path, modules = [*sys.path], {*sys.modules}
    model = find_estimator(f"{own}:Constant")
    assert sys.path == path
    assert {*sys.modules} - modules == set()
    assert not [name for name in sys.modules if name.endswith("_own")]
    other = own.with_name("other.py")
    other.write_text(OWN.replace("OFFSET = 1", "OFFSET = 2"))
    x, y = load_iris(return_X_y=True)
    assert clone(model).fit(x, y).predict(x[:1]) == [1]
    assert find_estimator(f"{other}:Constant").fit(x, y).predict(x[:1]) == [2]
    assert model.fit(x, y).predict(x[:1]) == [1]


def test_what_a_file_defines_travels_by_value(own: Path) -> None:
    """With the numbers that its methods look up, and by no name that a worker would have to import."""
    packed = module("cloudpickle").dumps(find_estimator(f"{own}:Constant"))
    assert b"OFFSET" in packed
    assert b"OFFSET" not in module("cloudpickle").dumps(find_estimator("holdfast.learners:DecisionList"))


@pytest.mark.long
def test_what_a_file_defines_works_where_the_file_is_not(own: Path) -> None:
    cloudpickle = module("cloudpickle")
    model = find_estimator(f"{own}:Constant", {"place": 0})
    packed = cloudpickle.dumps(model)
    own.unlink()
    code = (
        f"import pickle\nmodel = pickle.loads({packed!r})\n"
        "print(model.fit([[0], [1]], ['a', 'b']).predict([[5], [6]]).tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=own.parent, check=True)
    assert done.stdout.strip() == "['b', 'b']"


def _fitted(model: Any, x: Any, y: Any) -> Any:
    return model.fit(x, y).predict(x)


@pytest.mark.long
def test_what_a_file_defines_works_in_worker_processes(own: Path) -> None:
    x, y = load_iris(return_X_y=True)
    model = find_estimator(f"{own}:Constant")
    found = Parallel(n_jobs=2)(delayed(_fitted)(clone(model), x, y) for _ in range(4))
    np.testing.assert_array_equal(found, np.ones((4, 150)))


WRONG = (
    "DecisionTreeClassifier",
    "sklearn.tree:",
    ":make_model",
    "sklearn.tree:Decision Tree",
    "sklern.tree:DecisionTreeClassifier",
    "sklearn.tre:DecisionTreeClassifier",
    "sklearn.tree:DecisonTreeClassifier",
    "sklearn.linear_model:LinearRegression",
    "sklearn.ensemble:VotingClassifier",
    "sklearn.cluster:KMeans",
    "sklearn.model_selection:train_test_split",
    "math:sqrt",
    "math:pi",
    "{own}:make_modle",
    "{own}:number",
    "{own}:broken",
    "{own}:needy",
    "{own}:gives_class",
    "{own}:gives_number",
    "{own}:regressor",
    "{own}:leaves_early",
    "{own}:Half",
    "{folder}/onw.py:make_model",
    "{folder}/nowhere/own.py:make_model",
    "{folder}/model.pkl:model",
    "{folder}/syntax.py:model",
    "{folder}/divides.py:model",
    "{folder}/exits.py:model",
    "{folder}/imports.py:model",
)
PARAMETERS = (["max_dept=3"], ["max_depth"], ["=3"], ["max_depth=3", "max_depth=4"])


def test_messages(own: Path) -> None:
    folder = own.parent
    (folder / "syntax.py").write_text("x = 1\ndef model(:\n")
    (folder / "divides.py").write_text("def bad():\n    return 1 / 0\n\n\nbad()\n")
    (folder / "exits.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "imports.py").write_text("\nimport surely_not_there\n")
    (folder / "model.pkl").write_bytes(b"\x80\x04")
    cases = {spec: lambda spec=spec: find_estimator(spec.format(own=own, folder=folder)) for spec in WRONG}
    for pairs in PARAMETERS:
        cases[f"parameters {pairs}"] = lambda pairs=pairs: find_estimator("sklearn.tree:DecisionTreeClassifier", pairs)
    found = messages(cases)
    matches("errors_of_named_estimators", found.replace(str(folder), "FOLDER"))


def test_a_saved_model_is_never_loaded(own: Path) -> None:
    evil = own.with_name("evil.pkl")
    evil.write_bytes(b"cbuiltins\nexec\n(S'raise SystemError'\ntR.")
    with pytest.raises(HoldfastError, match="Saved models are not read"):
        find_estimator(f"{evil}:model")


def test_values_are_read_as_python_writes_them() -> None:
    written = ["a=1", "b=0.5", "c=None", "d=rbf", "e='3'", "f=(1, 2)", "g=-inf", "h=a=b", "i=", "j=__import__('os')"]
    found = read_parameters(written)
    assert found == {
        "a": 1,
        "b": 0.5,
        "c": None,
        "d": "rbf",
        "e": "3",
        "f": (1, 2),
        "g": float("-inf"),
        "h": "a=b",
        "i": "",
        "j": "__import__('os')",
    }


def test_whatever_a_file_raises_is_told_but_an_interruption_goes_on(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("class Odd(BaseException): pass\nraise Odd('strange')\n")
    with pytest.raises(HoldfastError, match="line 2: Odd: strange"):
        find_estimator(f"{tmp_path / 'odd.py'}:x")
    (tmp_path / "stop.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        find_estimator(f"{tmp_path / 'stop.py'}:x")
