"""A mutant is planted while its module is imported, in a process of its own: no file is ever changed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "holdfast"


class Mutant(NamedTuple):
    """A mistake somebody might make."""

    what: str
    file: str  # below src/holdfast
    line: str  # or lines, as they stand there, once
    instead: str
    caught_by: str  # tests, as pytest takes them, with a space between

    @property
    def module(self) -> str:
        return ".".join(["holdfast", *Path(self.file).with_suffix("").parts]).removesuffix(".__init__")

    @property
    def tests(self) -> list[str]:
        return [f"tests/{each}" for each in self.caught_by.split()]

    def planted(self) -> str:
        """The module with the mistake."""
        text = (SOURCE / self.file).read_text(encoding="utf-8")
        assert text.count(self.line) == 1, f"{self.file} has {self.line!r} {text.count(self.line)} times"
        return text.replace(self.line, self.instead)

    @property
    def number(self) -> int:
        """Of the line."""
        text = (SOURCE / self.file).read_text(encoding="utf-8")
        return text[: text.index(self.line)].count("\n") + 1


class Planting(MetaPathFinder):
    """Hands out one module with a mistake, and leaves all others to whoever comes next."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        file = SOURCE / self.mutant.file
        within = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(fullname, str(file), self.mutant)
        return importlib.util.spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=within)


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, mutant: Mutant) -> None:
        super().__init__(fullname, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """Compiled now: what was compiled before has no mistake, and this must not be found by anybody later."""
        return compile(self.mutant.planted(), self.path, "exec", dont_inherit=True)


def plant(mutant: Mutant) -> None:
    """From now on, in this process; none of ours may have been imported before."""
    assert not [name for name in sys.modules if name == "holdfast" or name.startswith("holdfast.")]
    sys.meta_path.insert(0, Planting(mutant))
