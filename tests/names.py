"""What a reader of a message knows: the options of each verb, and the keywords of everything public in Python."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import holdfast as hf
from holdfast.cli import cli
from holdfast.predictions.design import DesignKeywords

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
KEYWORD = re.compile(r"(?<![\w.\-{=/'])([a-z][a-z_]*)=(?![=>])")  # what stands in quotes is a value
PUBLIC_NAME = re.compile(r"(?<![\w.])hf\.(\w+)")
CALL = re.compile(r"(?<![\w.])hf\.(\w+)\(([^()]*)\)")
COMMAND = re.compile(r"(?<![\w./-])holdfast ([a-z][a-z-]+)([^.;:()`]*)")
VERBS = {
    name: {word for option in verb.params for word in (*option.opts, *option.secondary_opts)} | {"--help"}
    for name, verb in cli.commands.items()
}


def keywords_of(public: Any) -> set[str]:
    """The parameters of a function, or of a class and whatever can be called of it."""
    if not inspect.isclass(public):
        return _named(public)
    methods = [value for name, value in inspect.getmembers(public, callable) if name[0] != "_" or name == "__init__"]
    return {name for method in methods for name in _parameters(method)}


def _named(function: Callable[..., Any]) -> set[str]:
    """Its parameters, and those that it takes all at once as `**drawn: Unpack[DesignKeywords]`."""
    parameters = inspect.signature(function).parameters
    drawn = any("DesignKeywords" in str(each.annotation) for each in parameters.values())
    return {*parameters, *(DesignKeywords.__annotations__ if drawn else ())}


def _parameters(method: Callable[..., Any]) -> set[str]:
    try:
        return set(inspect.signature(method).parameters)
    except (TypeError, ValueError):  # of a built-in class
        return set()


def _public() -> Iterator[tuple[str, Any]]:
    import holdfast.learners as learners
    from holdfast.evidence.draws import Ratio
    from holdfast.evidence.pools.pool import Pool
    from holdfast.selection.cores.cores import choose_cores
    from holdfast.training import fit_all

    modules: list[ModuleType] = [hf, hf.testing, hf.displays, learners]
    for module in modules:
        for name in getattr(module, "__all__", ()):
            if callable(value := getattr(module, name)):
                yield name, value
    for value in (choose_cores, Ratio, Pool, fit_all):  # what few need stands in its module
        yield value.__name__, value


@cache
def keywords() -> dict[str, set[str]]:
    """By keyword, the public names that take it."""
    takers: dict[str, set[str]] = {}
    for name, public in _public():
        for keyword in keywords_of(public):
            takers.setdefault(keyword, set()).add(name)
    return takers
