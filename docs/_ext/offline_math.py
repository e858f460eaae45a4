"""Equations as MathML, which browsers draw by themselves: no script, no fonts, no network.

docutils translates; the few commands that it spells otherwise are respelled here. What it cannot translate is a
warning, which ends a strict build.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

RESPELLED = {
    r"\\(big|Big)(?![a-zA-Z])": r"\\\1l",  # a large delimiter, whichever side it stands on
    r"\\dots(?![a-zA-Z])": r"\\ldots",
    r"\\textstyle(?![a-zA-Z])": "",
}
APART = '<mo stretchy="false">|</mo>'
BAR = '<mo stretchy="false" lspace="0" rspace="0">|</mo>'  # around a number, not between two
LOG = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(tex: str, *, block: bool) -> str:
    """The equation; GitHub's backticks within dollars are no part of it."""
    tex = tex.strip()
    if not block and tex.startswith("`") and tex.endswith("`"):
        tex = tex[1:-1]
    for pattern, spelling in RESPELLED.items():
        tex = re.sub(pattern, spelling, tex)
    return str(tex2mathml(tex, as_block=block)).replace(APART, BAR)


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(_drawn(node, block=False))
    raise nodes.SkipNode


def _block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="equation">{_drawn(node, block=True)}</div>\n')
    raise nodes.SkipNode


def _drawn(node: nodes.Element, *, block: bool) -> str:
    try:
        return mathml(node.astext(), block=block)
    except MathError as error:
        LOG.warning("an equation cannot be drawn: %s: %s", error, node.astext(), location=node)
        return ""
