"""Values that never change, and the one way in which they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Value:
    """Something that is all in its fields, which are set when it is made and never again.

    A subclass is a frozen dataclass. Where what is kept is not what was given, its `__init__` is written out: it checks
    what a user gives and hands the fields to `_set`. Fields that were checked before make a value by `_checked`, or by
    `_with` where most of them are those of another value; neither looks at them again.
    """

    def _set(self, **fields: Any) -> None:
        """Take these for the fields; one that is not set has the default of its class."""
        self.__dict__.update(fields)

    @classmethod
    def _checked(cls, **fields: Any) -> Self:
        """From fields that were checked already."""
        made = object.__new__(cls)
        made.__dict__.update(fields)
        return made

    def _with(self, **changed: Any) -> Self:
        """The same but for these fields; what was derived from the fields is not kept."""
        own = self.__dict__
        return self._checked(**{name: own[name] for name in self.__dataclass_fields__ if name in own} | changed)
