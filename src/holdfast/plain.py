"""Frozen dataclasses as JSON: every field is a key, and what is read back is of the kind that its field declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from holdfast.errors import HoldfastError
from holdfast.wording import shown

LEFT_OUT = "left out"
LARGEST = 2**53  # number that anything is counted up to

Reader = Callable[[Any], Any]


@dataclass(frozen=True)
class Between:
    """Numbers from one end to another; without the ends, only those strictly between."""

    low: float
    high: float
    ends: bool = True

    def __contains__(self, number: Any) -> bool:
        return bool(self.low <= number <= self.high and (self.ends or self.low < number < self.high))

    def __str__(self) -> str:
        if self.high == LARGEST:
            return f"a whole number from {self.low:g} on"
        words = "from {:g} to {:g}" if self.ends else "between {:g} and {:g}"
        return f"a number {words.format(self.low, self.high)}"


Count = Annotated[int, Between(0, LARGEST)]
Number = Annotated[int, Between(1, LARGEST)]  # of things of which there is at least one
Rate = Annotated[float, Between(0, 1)]
Share = Annotated[float, Between(0, 1, ends=False)]
Kind = TypeVar("Kind")
Absent = Annotated[Kind | None, LEFT_OUT]  # a field whose key JSON leaves out where there is nothing to say


class Plain:
    """A dataclass whose fields are keys of JSON, in their order; or `json_keys` are, properties among them."""

    json_keys: ClassVar[tuple[str, ...]] = ()
    later: ClassVar[tuple[str, ...]] = ()  # those that early versions did not write

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        kinds: dict[str, Any] = _kinds(type(self))  # type: ignore[arg-type]  # classes have a hash
        known = {name: (getattr(self, name), kind) for name, kind in kinds.items()}
        return {name: plain(value) for name, (value, kind) in known.items() if value is not None or not _absent(kind)}

    @classmethod
    def from_dict(cls, value: Any) -> Self:
        """What `to_dict` gave, checked."""
        kinds: dict[str, Any] = _kinds(cls)  # type: ignore[arg-type]  # classes have a hash
        values = read_keys(kinds, value, [name for name, kind in kinds.items() if name in cls.later or _absent(kind)])
        own = {each.name for each in fields(cls)}  # type: ignore[arg-type]  # whoever is one is a dataclass
        result = cls(**{name: each for name, each in values.items() if name in own})
        for name in values.keys() - own:
            if values[name] != (true := getattr(result, name)):
                raise Unreadable(f"takes {shown(true)}, as all else says; got {shown(values[name])}", f".{name}")
        return result


@cache
def _kinds(result: Any) -> dict[str, Any]:
    """By its name, the kind of each key."""
    hints = get_type_hints(result, include_extras=True)
    names = getattr(result, "json_keys", ()) or [each.name for each in fields(result)]
    return {name: hints.get(name) or get_type_hints(getattr(result, name).fget)["return"] for name in names}


def _absent(kind: Any) -> bool:
    return get_origin(kind) is Annotated and LEFT_OUT in get_args(kind)


def plain(value: Any) -> Any:
    """Lists, dictionaries, text and numbers only."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


# ---- And back


class Unreadable(HoldfastError):
    """A value that is not of the kind that belongs in its place, such as claims[3].lower."""

    def __init__(self, complaint: str, place: str = "") -> None:
        super().__init__(f"{place.removeprefix('.') or 'it'} {complaint}")
        self.complaint, self.place = complaint, place


def read(kind: Any, value: Any) -> Any:
    """The value of JSON as one of this kind; it is said where it is not.

    Examples
    --------
    >>> read(tuple[Count, ...], [1, 2])
    (1, 2)
    >>> read(Mapping[str, tuple[Count, ...]], {"n": [1, -2]})
    Traceback (most recent call last):
    holdfast.plain.Unreadable: n[1] takes a whole number from 0 on; got -2
    """
    return _reader(kind)(value)


def read_keys(kinds: Mapping[str, Any], value: Any, optional: Collection[str] = ()) -> dict[str, Any]:
    """What stands under each key, of its kind; unknown keys are refused, for what they say would be lost."""
    if not isinstance(value, Mapping):
        raise _wrong(Mapping, value)
    if unknown := [name for name in value if name not in kinds]:
        raise Unreadable(f"has {shown(unknown[0])}, which this version does not know")
    if missing := [name for name in kinds if name not in value and name not in optional]:
        raise Unreadable(f"has no {missing[0]}")
    return {name: _at(f".{name}", _reader(kinds[name]), one) for name, one in value.items()}


def _at(place: str, reader: Reader, value: Any) -> Any:
    try:
        return reader(value)
    except Unreadable as error:
        raise Unreadable(error.complaint, place + error.place) from None


@cache
def _reader(kind: Any) -> Reader:
    origin, parts = get_origin(kind), get_args(kind)
    if hasattr(kind, "from_dict"):
        own: Reader = kind.from_dict
        return own
    if kind is Any:
        return lambda value: value
    if origin in (Union, UnionType):
        return _either(kind, [_reader(part) for part in parts if part is not NoneType], NoneType in parts)
    if origin is tuple:
        return _list(kind, _reader(parts[0]), None if parts[-1] is Ellipsis else len(parts))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(kind, _reader(parts[1]))
    if _absent(kind) or origin is ClassVar:
        return _reader(parts[0])
    if origin is Annotated:
        return _leaf(kind, lambda value: BASIC[parts[0]](value) and value in parts[1])
    if origin is Literal:
        return _leaf(kind, lambda value: isinstance(value, str) and value in parts)
    if issubclass(kind, Enum):
        named = {each.value: each for each in kind}
        return _leaf(kind, lambda value: isinstance(value, str) and value in named, named.__getitem__)
    return _leaf(kind, BASIC[kind]) if kind in BASIC else lambda value: kind(**read_keys(_kinds(kind), value))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


BASIC: dict[Any, Callable[[Any], bool]] = {
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    int: _is_whole,
    float: lambda value: (isinstance(value, float) and isfinite(value)) or (_is_whole(value) and abs(value) <= LARGEST),
}
WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}


def _wrong(kind: Any, value: Any) -> Unreadable:
    return Unreadable(f"takes {_in_words(kind)}; got {shown(value)}")


def _in_words(kind: Any) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join("null" if part is NoneType else _in_words(part) for part in parts)
    if origin in (Annotated, Literal):
        return str(parts[1]) if origin is Annotated else " or ".join(map(repr, parts))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(repr(each.value) for each in kind)
    return WORDS.get(kind) or ("a list" if origin is tuple else "an object")


def _leaf(kind: Any, fits: Callable[[Any], bool], result: Reader = lambda value: value) -> Reader:
    def reader(value: Any) -> Any:
        if not fits(value):
            raise _wrong(kind, value)
        return result(value)

    return reader


def _either(kind: Any, readers: list[Reader], or_nothing: bool) -> Reader:
    def reader(value: Any) -> Any:
        if value is None and or_nothing:
            return None
        if len(readers) == 1:
            return readers[0](value)  # which knows best what is wrong inside
        for each in readers:
            try:
                return each(value)
            except Unreadable:
                continue
        raise _wrong(kind, value)

    return reader


def _list(kind: Any, each: Reader, size: int | None) -> Reader:
    def reader(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)) or size not in (None, len(value)):
            raise _wrong(kind, value)
        return tuple(_at(f"[{place}]", each, one) for place, one in enumerate(value))

    return reader


def _mapping(kind: Any, each: Reader) -> Reader:
    def reader(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(kind, value)
        return {name: _at(f".{name}", each, one) for name, one in value.items()}

    return reader
