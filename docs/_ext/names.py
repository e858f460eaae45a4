"""The directive `names`: public names, one a line, as a table of what they are and then in full."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class Names(SphinxDirective):
    """The argument is the module that offers them."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        module, names = self.arguments[0], [line.strip() for line in self.content if line.strip()]
        home = import_module(module)
        table = [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names), ""]
        entries = [line for name in names for line in _entry(name, getattr(home, name))]
        rst = "\n".join([f".. currentmodule:: {module}", "", *table, *entries])
        return self.parse_text_to_nodes(f"````{{eval-rst}}\n{rst}\n````")


def _entry(name: str, value: object) -> list[str]:
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    if issubclass(value, Exception):
        return [f".. autoexception:: {name}", ""]
    ours = any(base.__module__.startswith("holdfast.streams") for base in value.__mro__[1:])  # and told here only
    return [f".. autoclass:: {name}", "   :members:", *(["   :inherited-members:"] if ours else []), ""]


def _without_footnotes(app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """References stay a list: as footnotes, those of two names on a page would be taken for each other."""
    lines[:] = [re.sub(r"\[(\d+)\]_", r"[\1]", re.sub(r"^\.\. \[(\d+)\] ", r"\1. ", line)) for line in lines]


def _before_napoleon(app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """Words after a colon are not a type, and `hf` is what everybody imports the package as."""
    if what in ("property", "attribute") and lines:
        lines.insert(0, "")
    text = re.sub(r"`hf\.([\w.]+)`", r":py:obj:`hf.\1 <holdfast.\1>`", "\n".join(lines))
    head, title, rest = text.partition("Attributes\n----------\n")
    fields, blank, after = rest.partition("\n\n")
    lines[:] = (head + title + re.sub(r"^(\w+(?:, \w+)*) : ", r"\1\n    ", fields, flags=re.M) + blank + after).split(
        "\n"
    )


def _of_scikit_learn(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: Any) -> bool | None:
    """What scikit-learn adds to every estimator is told there."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.setup_extension("sphinx.ext.autodoc")
    app.add_directive("names", Names)
    app.connect("autodoc-process-docstring", _without_footnotes)
    app.connect("autodoc-process-docstring", _before_napoleon, priority=400)
    app.connect("autodoc-skip-member", _of_scikit_learn)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
