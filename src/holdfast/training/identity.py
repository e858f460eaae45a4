"""What a learner is: its parameters and the code that it runs, so that another is told apart from it.

It is the same in every process that holds the same learner. What code reads from elsewhere, such as a file or the
clock, is no part of it. Code is noted as it was loaded, and its files as they lie there: who edits one of them without
loading it again has neither the old learner nor the new.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copyreg import dispatch_table
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.training.files import Files
from holdfast.training.given import fingerprint

SCALARS = (type(None), bool, int, float, complex, str, bytes)
PLAIN = (list, tuple, dict)
LONGEST = 200  # characters of a parameter that is written out
INNER = (
    "__func__",
    "__wrapped__",
    "fget",
    "fset",
    "fdel",
    "func",
    "fn",
    "check",
)  # where what wraps a function keeps it
STATED = ("get_params", "columns", "indptr")  # of estimators, of frames, of sparse matrices


@dataclass
class Identity:
    """The code that is met while values are summed up, by where it comes from."""

    files: Files = field(default_factory=Files)
    functions: dict[str, str] = field(default_factory=dict)
    _digests: dict[int, str] = field(default_factory=dict)
    _met: list[Any] = field(default_factory=list)  # so that no two have the same id

    def code(self) -> dict[str, Any]:
        """What was met so far, ready for JSON; what Python made of functions depends on its version."""
        return {
            "files": dict(sorted(self.files.digests.items())),
            "functions": dict(sorted(self.functions.items())),
            "packages": dict(sorted(self.files.packages.items())),
            "python": "{}.{}".format(*sys.version_info) if self.functions else None,
        }

    def words(self, value: Any) -> str:
        """A parameter for a reader: as Python writes it where that says all, or else its kind and its SHA-256."""
        digest = self.digest(value)
        text = repr(value) if _written_out(value) else ""
        if isinstance(value, np.generic):
            text = f"{type(value).__name__}({value.item()!r})"
        if 0 < len(text) <= LONGEST:
            return text
        name = getattr(value, "__qualname__", None) or type(value).__qualname__
        if callable(getattr(value, "get_params", None)):
            return str(name)  # its parameters stand beside it
        return f"{name} {digest}"

    def digest(self, value: Any) -> str:
        """The SHA-256 of a value, code included."""
        if isinstance(value, SCALARS):
            return _sha(type(value).__name__, repr(value))
        if id(value) not in self._digests:
            self._met.append(value)
            self._digests[id(value)] = "met before"  # by whatever in it leads back to it
            self._digests[id(value)] = _sha(*self._parts(value))
        return self._digests[id(value)]

    def _parts(self, value: Any) -> Iterator[str]:
        """What a value is made of; what cannot be taken apart is known by its class."""
        if isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, FunctionType):
            yield from self._function(value)
        elif isinstance(value, ModuleType):
            self.files.add_module(value.__name__)
            yield value.__name__
        elif isinstance(value, CodeType):
            yield from self._instructions(value)
        else:
            yield self.digest(type(value))
            try:
                yield from [*self._contents(value)]
            except HoldfastError:
                raise
            except Exception:  # a stranger's, who does not show what he holds
                return

    def _contents(self, value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            yield from (self.digest(each) for pair in value.items() for each in pair)
        elif isinstance(value, (list, tuple)):
            yield from map(self.digest, value)
        elif isinstance(value, (set, frozenset)):
            yield from sorted(map(self.digest, value))
        elif isinstance(value, np.ndarray) and value.dtype.hasobject:
            yield self.digest([*value.shape, *value.ravel().tolist()])
        elif isinstance(value, (np.ndarray, np.generic)):
            yield fingerprint(np.asarray(value))
        elif hasattr(value, "indptr") or hasattr(value, "columns"):
            yield fingerprint(value)
        elif value is np.random.mtrand._rand:
            yield "numpy's own generator, which is nowhere the same twice"
        elif isinstance(value, MethodType):
            yield from map(self.digest, (value.__func__, value.__self__))
        elif isinstance(value, partial):
            yield from map(self.digest, (value.func, value.args, value.keywords))
        elif callable(getattr(value, "get_params", None)):
            yield self.digest(value.get_params(deep=False))
        elif hasattr(value, "__dict__"):
            yield self.digest(vars(value))
        else:
            yield from self._reduced(value)

    def _reduced(self, value: Any) -> Iterator[str]:
        """What pickle would keep; of what is written in C, the name."""
        module = getattr(value, "__module__", None)
        if isinstance(module, str):
            self.files.add_module(module)
        registered = dispatch_table.get(type(value))  # as numpy has it, before 2.1, for its functions
        kept = value.__reduce_ex__(2) if registered is None else registered(value)  # fails of what is open or locked
        yield from [f"{module}.{kept}"] if isinstance(kept, str) else map(self.digest, kept[:3])

    def _class(self, kind: type) -> Iterator[str]:
        """Of a class of the user's what it defines, and so of those that it is derived from; of others the name."""
        for base in kind.__mro__:
            yield f"{base.__module__}:{base.__qualname__}"
            if self.files.add_module(base.__module__):
                continue
            typed_in = getattr(sys.modules.get(base.__module__), "__file__", None) is None
            for name, attribute in sorted(vars(base).items()):
                if functions := [*_functions(attribute)]:
                    yield from (name, *map(self.digest, functions))
                elif not name.startswith("__") and (_stated if typed_in else _scalar)(attribute):
                    yield from (name, self.digest(attribute))

    def _function(self, function: FunctionType) -> Iterator[str]:
        """Of a function of the user's what it does, with what it is bound to and calls; of others the name."""
        name = f"{function.__module__}:{function.__qualname__}"
        yield name
        path = Path(function.__code__.co_filename)
        if function.__module__ not in sys.modules and path.is_file():
            self.files.add(path)  # it was run under a name of its own, and forgotten
        elif self.files.add_module(function.__module__ or ""):
            return
        bound = [cell.cell_contents for cell in function.__closure__ or () if not _empty(cell)]
        parts = [
            self.digest(each) for each in (function.__code__, function.__defaults__, function.__kwdefaults__, bound)
        ]
        known, typed_in = function.__globals__, not path.is_file()  # the bytes of a file say what its values are
        for each in sorted(_names(function.__code__) & known.keys()):
            if isinstance(known[each], (type, FunctionType, ModuleType)) or (typed_in and _stated(known[each])):
                parts += [each, self.digest(known[each])]
        digest = _sha(*parts)
        self.functions[name] = _sha(self.functions[name], digest) if name in self.functions else digest
        yield digest

    def _instructions(self, code: CodeType) -> Iterator[str]:
        """What Python made of a function; where it stands in its file does not matter."""
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        yield from (code.co_name, str(code.co_flags), code.co_code.hex(), repr(names))
        yield from map(self.digest, code.co_consts)


def changes(held: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """What became of the code since it was noted, in words; functions only where their files say nothing."""
    files = [*_changed(held["files"], here["files"], "the file {} was changed", "the file {} is new")]
    yield from files
    for name in sorted(held["packages"].keys() | here["packages"].keys()):
        before, now = (each["packages"].get(name, "not used") for each in (held, here))
        if before != now:
            yield f"the package {name} was {before} and is {now}"
    if held["python"] != here["python"] and held["python"] and here["python"]:
        yield f"Python was {held['python']} and is {here['python']}"
    elif not files:
        yield from _changed(held["functions"], here["functions"], "the code of {} was changed", "the code of {} is new")


def _changed(held: Mapping[str, str], here: Mapping[str, str], changed: str, new: str) -> Iterator[str]:
    for name in sorted(held.keys() | here.keys()):
        if held.get(name) != here.get(name):
            yield (new if name not in held else changed).format(name)


def _functions(attribute: Any) -> Iterator[FunctionType]:
    """The functions of a class's attribute: itself, or those that it wraps."""
    if isinstance(attribute, FunctionType):
        yield attribute
    elif not isinstance(attribute, type):
        for name in INNER:
            with suppress(Exception):  # a stranger's
                if isinstance(inner := getattr(attribute, name, None), FunctionType):
                    yield inner


def _names(code: CodeType) -> set[str]:
    """The names that a function may look up among globals, and what is defined in it too."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return {*code.co_names}.union(*map(_names, inner))


def _written_out(value: Any) -> bool:
    """Whether Python writes all of the value, and each time the same."""
    if type(value) in PLAIN:
        return all(map(_written_out, [*value.keys(), *value.values()] if isinstance(value, dict) else value))
    return type(value) in SCALARS


def _scalar(value: Any) -> bool:
    return isinstance(value, SCALARS)


def _stated(value: Any) -> bool:
    """Whether a value that code uses is one that somebody stated, rather than what it keeps as it goes."""
    return _written_out(value) or isinstance(value, np.ndarray) or any(hasattr(value, name) for name in STATED)


def _empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True


def _sha(*parts: str) -> str:
    digest = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(content)} ".encode() + content)
    return digest.hexdigest()


def identity_of(learner: Any, depends_on: Iterable[Path] = ()) -> tuple[dict[str, str], dict[str, Any]]:
    """The parameters of a learner, further in too, in words; and the code that it and they are made of."""
    identity = Identity()
    for path in depends_on:
        identity.files.add(Path(path))
    whole = identity.digest(learner)  # of what does not show its parameters too
    parameters = {name: identity.words(value) for name, value in sorted(learner.get_params(deep=True).items())}
    return parameters, {"whole": whole, **identity.code()}
