"""Estimators by the name of where they are: what the user named is run, and nothing else."""

from __future__ import annotations

import inspect
import sys
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb
from types import ModuleType
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.sources.content import told
from holdfast.wording import brief, quoted

EXAMPLE = "sklearn.tree:DecisionTreeClassifier, or model.py:make_model"
NEEDED = ("fit", "predict", "get_params", "set_params")
INFINITE = {"inf": float("inf"), "-inf": float("-inf")}


def find_estimator(spec: str, parameters: Mapping[str, Any] | Iterable[str] = ()) -> Any:
    """The classifier that "module:name" or "file.py:name" names, with the parameters given.

    Parameters
    ----------
    spec
        A class, which is made without arguments; a function, which is called without any and returns an estimator; or
        an estimator, used as it is. The module or the file is run, as by an import.
    parameters
        By name; or as text, "max_depth=3", whose value is read as Python writes it and else stays text.

    Notes
    -----
    A file is run under a name of its own and then forgotten, so that what it defines travels to worker processes by
    value: they need not find the file. What it imports they must find, as this process must.

    Examples
    --------
    >>> find_estimator("sklearn.tree:DecisionTreeClassifier", ["max_depth=3", "criterion=entropy"])
    DecisionTreeClassifier(criterion='entropy', max_depth=3)
    """
    place, colon, name = spec.rpartition(":")
    if not (place and colon and name.isidentifier()):
        raise HoldfastError(f"An estimator is named as MODULE:NAME or FILE.py:NAME, as {EXAMPLE}; got {quoted(spec)}.")
    of_file = _is_file(place)
    module = _of_file(Path(place)) if of_file else _imported(place)
    with _told(f"Looking up {name} in {place}"):
        names = [each for each in dir(module) if not each.startswith("_")]
        if not hasattr(module, name):
            raise UnknownName(f"attribute of {place if of_file else brief(place, 60)}", name, names)
        found = getattr(module, name)
    made = _made(found, spec)
    _check(made, spec)
    return _with_parameters(made, parameters if isinstance(parameters, Mapping) else read_parameters(parameters))


def file_of(spec: str) -> Path | None:
    """The file that an estimator that was found is made in; none where its module has no file."""
    place = spec.rpartition(":")[0]
    path = place if _is_file(place) else getattr(sys.modules.get(place), "__file__", None)
    return None if path is None else Path(path)


def _is_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place or "\\" in place


def read_parameters(pairs: Iterable[str]) -> dict[str, Any]:
    """Parameters from text: each "name=value", the value as Python writes it, or else the text itself.

    Examples
    --------
    >>> read_parameters(["max_depth=3", "kernel=rbf", "p=inf", "bootstrap=False"])
    {'max_depth': 3, 'kernel': 'rbf', 'p': inf, 'bootstrap': False}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip()
        if not (name and equals):
            raise HoldfastError(f"A parameter is given as NAME=VALUE, as max_depth=3; got {quoted(pair)}.")
        if name in found:
            raise HoldfastError(f"The parameter {quoted(name)} is given twice; give it once.")
        found[name] = _value(text.strip())
    return found


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return INFINITE.get(text, text)


def _of_file(path: Path) -> ModuleType:
    """The file as a module that nobody else can import."""
    if path.suffix != ".py":
        raise HoldfastError(
            f"{told(path)} is no Python file; name one that makes the estimator, as model.py:make_model. "
            "Saved models are not read: loading one runs whatever is in it."
        )
    if not path.is_file():
        names = [each.name for each in path.parent.glob("*.py")] if path.parent.is_dir() else []
        near = get_close_matches(path.name, names, n=1)
        hint = f"; did you mean {quoted(near[0])}?" if near else "."
        raise HoldfastError(f"There is no file {told(path)}{hint}")
    name = f"estimator_file_{path.stem}"
    spec = spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there while they are made
    try:
        with _told(f"Running {told(path)}", path):
            spec.loader.exec_module(module)
    finally:
        sys.modules.pop(name, None)
    return module


def _imported(name: str) -> ModuleType:
    try:
        with _told(f"Importing {name}"):
            return import_module(name)
    except _NotThere as missing:
        if missing.module is None or not f"{name}.".startswith(f"{missing.module}."):
            raise
        if Path(f"{name}.py").is_file():
            raise HoldfastError(
                f"There is no module named {quoted(name)}; for the file, write {name}.py:NAME."
            ) from None
        parent, _, last = missing.module.rpartition(".")
        inside = getattr(sys.modules.get(parent), "__path__", []) if parent else None
        known = [each.name for each in iter_modules(inside) if not each.name.startswith("_")]
        if parent:
            raise UnknownName(f"module in {parent}", last, known or ["(it holds none)"]) from None
        raise UnknownName("module", last, known, ["those that are installed"]) from None


class _NotThere(HoldfastError):
    """An import that failed because a module is missing, and which."""

    def __init__(self, message: str, module: str | None) -> None:
        super().__init__(message)
        self.module = module


@contextmanager
def _told(doing: str, path: Path | None = None) -> Iterator[None]:
    """Say in one line what went wrong in the user's code; a module may raise whatever it likes, or exit."""
    try:
        yield
    except (HoldfastError, KeyboardInterrupt):
        raise
    except ModuleNotFoundError as error:
        advice = "" if path is None else " Install it; or, if it lies beside the file, set PYTHONPATH to that folder."
        raise _NotThere(
            f"{brief(doing, 120)} failed{_line(error, path)}: {brief(error)}.{advice}", error.name
        ) from None
    except BaseException as error:
        said = f"{type(error).__name__}: {brief(error)}" if str(error) else type(error).__name__
        raise HoldfastError(f"{brief(doing, 120)} failed{_line(error, path)}: {said}.") from None


def _line(error: BaseException, path: Path | None) -> str:
    """Where in the file it happened."""
    if path is None:
        return ""
    here = str(path.resolve())
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == here]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return "" if line is None else f" in line {line}"


def _made(found: Any, spec: str) -> Any:
    """An estimator from a class, a function or one that is there already."""
    if not inspect.isclass(found) and (hasattr(found, "fit") or not callable(found)):
        return found
    try:
        needed = [
            each.name
            for each in inspect.signature(found).parameters.values()
            if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        ]
    except (TypeError, ValueError):  # some that are written in C do not say
        needed = []
    if needed:
        raise HoldfastError(
            f"{brief(spec, 120)} cannot be made without {', '.join(needed)}; write a function without arguments that "
            "makes it, in a file of yours, and name that one: model.py:make_model."
        )
    with _told(f"Calling {spec}"):
        return found()


def _check(estimator: Any, spec: str) -> None:
    kind, called = type(estimator).__name__, brief(spec, 120)
    if inspect.isclass(estimator):
        raise HoldfastError(f"{called} returns the class {estimator.__name__}; let it return one made from it.")
    if lacking := [name for name in NEEDED if not callable(getattr(estimator, name, None))]:
        advice = "" if "fit" in lacking else " Derive it from sklearn.base.ClassifierMixin and BaseEstimator."
        raise HoldfastError(
            f"{called} is no estimator that can be trained: {kind} has no {' and no '.join(lacking)}.{advice}"
        )
    tags = getattr(estimator, "__sklearn_tags__", None)
    with _told(f"Asking what {spec} is"):
        sort = tags().estimator_type if callable(tags) else getattr(estimator, "_estimator_type", None)
    if sort not in (None, "classifier"):
        raise HoldfastError(f"{called} is a {sort.replace('_', ' ')}, and what is trained here are classifiers.")


def _with_parameters(estimator: Any, parameters: Mapping[str, Any]) -> Any:
    kind = type(estimator).__name__
    with _told(f"Asking {kind} for its parameters"):
        known = sorted(estimator.get_params())
    for name in parameters:
        if name not in known:
            raise UnknownName(f"parameter of {kind}", name, known or ["(it has none)"])
    with _told(f"Setting the parameters of {kind}"):
        return estimator.set_params(**parameters)
