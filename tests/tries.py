"""Which test tries the promise of which method or procedure, and how.

A test says so itself: `@tries("betting-pool", how="enumerated")`, or `@tries(every="finite counts", ...)` for a law
that walks the catalog. The declarations are read off the source, so that the law over them is quick and docs/methods.md
can tell them without running a test.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from holdfast.catalog import Bound, Procedure, find_entry, methods, procedures
from holdfast.claims import Guarantee
from holdfast.evidence import Counts, Losses, Resampled
from holdfast.verify.learners import needs_folds
from holdfast.verify.simulated import pairs

How = Literal["enumerated", "simulated"]
Test = TypeVar("Test", bound=Callable[..., None])
TESTS = Path(__file__).parent


def finite(bound: Bound) -> bool:
    return bound.guarantee is Guarantee.FINITE


def counted(bound: Bound) -> bool:
    return Counts in bound.takes and not bound.parameters


def whole(bound: Bound) -> bool:
    """Whether it takes more than counts or losses."""
    return not {Counts, Losses} & set(bound.takes)


def resampled(bound: Bound) -> bool:
    """Whether it draws again, which takes minutes to simulate."""
    return Resampled in bound.takes


KINDS: dict[str, Callable[[Bound], bool]] = {  # of methods that a law walks
    "finite counts": lambda bound: finite(bound) and counted(bound),
    "soft counts": lambda bound: not finite(bound) and counted(bound),
    "finite losses": lambda bound: finite(bound) and Losses in bound.takes,
    "finite test sets": lambda bound: finite(bound) and whole(bound) and bool(pairs(bound)),
    "soft test sets": lambda bound: whole(bound) and bool(pairs(bound)) and not finite(bound) and not resampled(bound),
    "folds": needs_folds,
    "finite folds": lambda bound: finite(bound) and needs_folds(bound),
}


class Trial(NamedTuple):
    """A test that tries a method."""

    method: str
    how: How
    test: str  # as pytest would call it
    reaches: bool  # whether the method's name can be reached from the test's own code, through what it calls


def of_kind(kind: str) -> list[Bound]:
    """The methods that a law walks."""
    return [bound for bound in methods() if KINDS[kind](bound)]


def tries(*names: str, how: How, every: str | None = None) -> Callable[[Test], Test]:
    """Declare that a test tries the promise of these methods, or of every one of a kind."""
    for name in names:
        find_entry(name)  # a misspelt name is an error here and now
    assert bool(names) != (every is not None), "name the methods, or a kind of them"
    assert every is None or every in KINDS
    return lambda test: test


@cache
def trials() -> dict[str, list[Trial]]:
    """By method or procedure, the tests that try it, in the order of their files."""
    found: dict[str, list[Trial]] = {entry.name: [] for entry in (*methods(), *procedures())}
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "@tries(" in text:
            for trial in declared_in(ast.parse(text), path.relative_to(TESTS.parent).as_posix()):
                found[trial.method].append(trial)
    return found


def declared_in(module: ast.Module, file: str) -> Iterator[Trial]:
    words = {name: _words(node) for node in module.body for name in _defines(node)}
    for node in module.body:
        for call in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "tries":
                assert isinstance(node, ast.FunctionDef)
                stated = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
                names = [find_entry(ast.literal_eval(name)).name for name in call.args]
                reached = _reached(_words(node, without=call), words)
                test = f"{file}::{node.name}"
                yield from (Trial(name, stated["how"], test, bool(_spellings(name) & reached)) for name in names)
                walked = of_kind(stated["every"]) if "every" in stated else []
                yield from (Trial(bound.name, stated["how"], test, True) for bound in walked)


def _spellings(name: str) -> set[str]:
    """The entry's name, and that of a procedure's function, which may be another."""
    entry = find_entry(name)
    return {name.replace("-", "_"), *([entry.steps.__name__] if isinstance(entry, Procedure) else [])}


def _defines(node: ast.stmt) -> list[str]:
    """The names that a statement of a module gives a meaning, imports left out: they say nothing by themselves."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [word.id for target in targets for word in ast.walk(target) if isinstance(word, ast.Name)]


def _words(node: ast.AST, without: ast.AST | None = None) -> set[str]:
    """The names and the strings in some code, spelt as identifiers."""
    skipped = set(ast.walk(without)) if without else set()
    found = set()
    for each in ast.walk(node):
        if each not in skipped:
            if isinstance(each, ast.Name):
                found.add(each.id)
            elif isinstance(each, ast.Attribute):
                found.add(each.attr)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                found.add(each.value.replace("-", "_"))
    return found


def _reached(words: set[str], defined: dict[str, set[str]]) -> set[str]:
    """These words, and those of whatever they stand for in the module, and so on."""
    reached: set[str] = set()
    while words - reached:
        word = (words - reached).pop()
        reached.add(word)
        words = words | defined.get(word, set())
    return reached
