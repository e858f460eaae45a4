"""What a public function is given is of the kind that its signature names, or is refused in words before any work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, signature
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import HoldfastError
from holdfast.wording import shown

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class AtLeast:
    """The least that a number may be."""

    value: int

    def admits(self, number: Any) -> bool:
        return bool(number >= self.value)

    def __str__(self) -> str:
        return f"a whole number from {self.value} on"


@dataclass(frozen=True)
class OneLabel:
    """One label of whatever kind, and no array of them."""

    def admits(self, value: object) -> bool:
        return not _is_several(value)

    def __str__(self) -> str:
        return "one label"


Label = Annotated[object, OneLabel()]
Seed = Annotated[int, AtLeast(0)]
Times = Annotated[int, AtLeast(1)]

# Of these the verbs say more themselves.
OWN = ("confidence", "delta", "prevalence", "costs", "grid", "operating_point")
COLUMNS = (Any, object, Mapping[str, Any] | None)  # rows and columns, which are checked as they are read
SINGULAR: dict[Any, str] = {bool: "True or False", int: "a whole number", float: "one number", str: "text"}
MADE = {  # how to come by one
    "Sample": "hf.Counts(k, n) or hf.Losses(values)",
    "Scores": "hf.Scores(values, positive)",
    "Panel": "hf.Panel(predictions, truth) or hf.read_models(file)",
    "Path": "a path",
}
PLURAL: dict[Any, str] = {object: "values", int: "whole numbers", float: "numbers", str: "texts"}


def checked(public: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """The function as `hf` offers it: what it is given is held against its signature first.

    Examples
    --------
    >>> def judge(rows: Any, margin: float = 0.0, only: str | Sequence[str] | None = None) -> None: ...
    >>> checked(judge)([1, 2], only=3)
    Traceback (most recent call last):
    holdfast.errors.HoldfastError: only= of hf.judge takes text or a list of texts; got 3.
    """
    expected = signature(public).parameters.values()
    in_order = [
        each.name for each in expected if each.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]

    @cache
    def kinds() -> dict[str, Any]:
        hints = get_type_hints(public, include_extras=True)
        named = [each.name for each in expected if each.kind is not Parameter.VAR_KEYWORD]
        return {name: hints[name] for name in named if name not in OWN and hints.get(name, Any) not in COLUMNS}

    @wraps(public)
    def call(*args: Given.args, **options: Given.kwargs) -> Answer:
        known = kinds()
        for name, value in (*zip(in_order, args, strict=False), *options.items()):
            if name in known:
                check(_public(public), name, value, known[name])
        return public(*args, **options)  # of what is missing or unknown Python tells

    call.__module__ = __name__  # where pickle looks for it again
    return call


def __getattr__(name: str) -> Any:
    """What is public, as it was made here: pickled functions travel by the name of their module."""
    public = import_module("holdfast")
    if name not in public.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(public, name)


def check(taker: str, name: str, value: object, kind: Any) -> None:
    """Refuse what is not of this kind."""
    if not _fits(value, kind):
        raise HoldfastError(f"{name}= of {taker} takes {_words(kind)}; got {shown(value)}.")


def _fits(value: Any, kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if kind in (Any, object):
        return True
    if kind in (None, NoneType):
        return value is None
    if origin in (Union, UnionType):
        return _is_array_like(parts) or any(_fits(value, part) for part in parts)
    if origin is Annotated:
        return _fits(value, parts[0]) and bool(parts[1].admits(value))
    if origin is Literal:  # who takes a name knows best what to say to one that does not exist
        return any(value is part if isinstance(part, bool) else isinstance(value, str) for part in parts)
    if kind in (int, float):
        return _is_number(value, Integral if kind is int else Real)
    if kind is bool:
        return isinstance(value, (bool, np.bool_))
    if origin is Callable or origin is get_origin(Callable[[], None]):
        return callable(value)
    if origin in (Sequence, Iterable, tuple):
        return _is_list(value, origin, parts)
    if origin is Mapping:
        return _is_mapping(value, *parts)
    return not isinstance(origin or kind, type) or isinstance(value, origin or kind)


def _is_array_like(parts: tuple[Any, ...]) -> bool:
    """Whether arrays are meant, which those who take them check as they read them."""
    return set(get_args(ArrayLike)) <= set(parts)


def _is_number(value: Any, kind: Any) -> bool:
    """Whether it is one number that a machine can hold."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, (Real, Decimal) if kind is Real else kind):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_list(value: Any, origin: Any, parts: tuple[Any, ...]) -> bool:
    """Whether there are several values in an order, each of its kind; what comes once only is not looked into."""
    text = isinstance(value, str) and parts[0] is not object  # labels may be the letters of a word
    if text or isinstance(value, (bytes, Mapping, set, frozenset)) or not hasattr(value, "__iter__"):
        return False
    try:
        size = len(value)
    except TypeError:
        return origin is Iterable and not isinstance(value, np.ndarray)
    if origin is tuple and size != len(parts):
        return False
    if parts[0] is Any or origin is tuple:
        return all(map(_fits, value, parts)) if origin is tuple else True
    return all(_fits(each, parts[0]) and (parts[0] is not object or not _is_several(each)) for each in value)


def _is_several(value: Any) -> bool:
    """Whether an element holds others; rows of a table are no labels."""
    return isinstance(value, (list, dict, set)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _is_mapping(value: Any, key: Any, held: Any) -> bool:
    if not (hasattr(value, "keys") and hasattr(value, "__getitem__")):
        return False
    return held is Any or all(_fits(value[name], held) for name in value.keys())  # noqa: SIM118  # a frame has keys too


def _words(kind: Any) -> str:
    """The kind as a sentence names it; that it may be left out goes without saying."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(_words(part) for part in parts if part is not NoneType)
    if origin is Annotated:
        return str(parts[1])
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is tuple:
        return f"{len(parts)} {PLURAL[parts[0]]}"
    if origin in (Sequence, Iterable):
        return f"a list{_of(parts[0])}"
    if origin is Mapping:
        return f"{'values' if parts[1] is Any else _several(parts[1])} by name, as {{'a': ...}}"
    if origin is np.ndarray:
        return "an array"
    if origin in (os.PathLike, Callable):
        return "a path" if origin is os.PathLike else "a function"
    return SINGULAR.get(kind) or MADE.get(getattr(kind, "__name__", "")) or _public(kind)


def _of(kind: Any) -> str:
    return "" if kind in (Any, object) else f" of {_several(kind)}"


def _several(kind: Any) -> str:
    """Several of the kind."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(map(_several, parts))
    if origin in (Sequence, Mapping):
        return "lists" if origin is Sequence else "dictionaries"
    return PLURAL.get(kind) or _public(kind)


def _public(thing: Any) -> str:
    return "hf." + thing.__name__
