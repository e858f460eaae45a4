"""The files that a learner's code is read from: the user's own by their bytes, those of packages by a version."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import resolve_name
from pathlib import Path
from sysconfig import get_path
from types import ModuleType

from holdfast.errors import HoldfastError

PACKAGES = ("site-packages", "dist-packages")
OURS = "holdfast"


@dataclass
class Files:
    """Files by their SHA-256, with whatever of the user's they import, and packages by their versions."""

    digests: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    _read: set[Path] = field(default_factory=set)

    def add_module(self, name: str) -> bool:
        """Note where a module comes from; whether it is of a package, whose version says all of its code."""
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names and top != "__main__":
            return True
        module = sys.modules.get(name)
        path = _file(module)
        if top == OURS or (path is not None and _installed(path)):
            self.packages.setdefault(top, _version(top) or "of no known version")
            return True
        if path is not None:
            self.add(path, _path_in(name, path), getattr(module, "__package__", None))
        return False

    def add(self, path: Path, name: str | None = None, package: str | None = None) -> None:
        """Note a file and, if it is Python, what it imports; those of packages are noted by their versions."""
        path = path.resolve()
        if path in self._read or _installed(path):
            return
        self._read.add(path)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise HoldfastError(
                f"{str(path)!r}, which the estimator depends on, cannot be read: {error.strerror}."
            ) from error
        key = name or path.name
        before = self.digests.get(key, "")  # another file of that name
        self.digests[key] = sha256(before.encode() + content).hexdigest()
        if path.suffix == ".py":
            depth = len(package.split(".")) if package else 0
            root = path.parents[min(depth, len(path.parents) - 1)]
            for imported in dict.fromkeys(_imports(content, package)):
                self._add_import(imported, root)

    def _add_import(self, name: str, root: Path) -> None:
        """What `import` takes: what is loaded, or else what lies beside the file that says so, or is installed."""
        if name.partition(".")[0] == OURS:
            return  # who asks us to train a learner does not thereby make it of us
        if name in sys.modules or name.partition(".")[0] in sys.stdlib_module_names:
            self.add_module(name)
            return
        parent, _, last = name.rpartition(".")
        folders = getattr(sys.modules.get(parent), "__path__", [root.joinpath(*parent.split("."))])
        beside = [Path(folder) / each for folder in folders for each in (f"{last}.py", f"{last}/__init__.py")]
        for path in filter(Path.is_file, beside):
            self.add(path, _path_in(name, path), name if path.stem == "__init__" else parent)
            return
        if not parent and (installed := _version(name)):
            self.packages.setdefault(name, installed)


def _imports(content: bytes, package: str | None) -> Iterator[str]:
    """Every module that a file may import, wherever in it that is said; a name may turn out to be no module."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):  # whoever runs it will be told
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            try:
                origin = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # relative to nothing
                continue
            names = [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: place + 1]) for place in range(len(parts)))


def _file(module: ModuleType | None) -> Path | None:
    path = getattr(module, "__file__", None)
    return Path(path) if isinstance(path, str) and Path(path).is_file() else None


def _path_in(name: str, path: Path) -> str:
    """The file as its module calls it, wherever that was put."""
    if name == "__main__":
        return path.name
    parts = name.split(".")
    return "/".join([*parts, path.name] if path.stem == "__init__" else [*parts[:-1], path.name])


def _installed(path: Path) -> bool:
    """Whether the file belongs to a package that was installed, or to Python."""
    return any(part in PACKAGES for part in path.parts) or path.is_relative_to(get_path("stdlib"))


def _version(package: str) -> str | None:
    """As the package says itself, or else as it was installed; None of what is not there."""
    stated = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(stated, str):
        return stated
    for name in packages_distributions().get(package, [package]):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None
