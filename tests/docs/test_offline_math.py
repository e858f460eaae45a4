"""Equations become MathML when the site is built; what cannot is found here before a build fails on it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

from tests.docs.pages import DOCS, ROOT, WRITTEN, text
from tests.needs import module

Drawn = Callable[..., str]


@pytest.fixture
def mathml(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    module("sphinx")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    monkeypatch.delitem(sys.modules, "offline_math", raising=False)
    drawn: Drawn = module("offline_math").mathml
    return drawn


def test_every_equation_can_be_drawn(mathml: Drawn) -> None:
    blocks = [
        tex for page in WRITTEN for tex in re.findall(r"^```math\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL)
    ]
    inline = [tex for page in WRITTEN for tex in re.findall(r"\$(`[^`]+`)\$", text(page))]
    inline += [
        tex for file in (ROOT / "src").rglob("*.py") for tex in re.findall(r":math:`([^`]+)`", file.read_text("utf-8"))
    ]
    assert len(blocks) > 60
    assert len(inline) > 60
    for tex in blocks:
        assert mathml(tex, block=True).startswith("<math")
    for tex in inline:
        assert "`" not in mathml(tex, block=False)


def test_commands_that_docutils_spells_otherwise(mathml: Drawn) -> None:
    assert 'minsize="1.623em"' in mathml(r"\Big( x \Big)", block=True)
    assert "…" in mathml(r"1, \dots, n", block=False)
    assert mathml("`x`", block=False) == mathml("x", block=False)
    assert mathml("|x|", block=False).count('lspace="0"') == 2


def test_what_cannot_be_drawn_is_an_error(mathml: Drawn) -> None:
    with pytest.raises(module("docutils.utils.math").MathError, match="nosuchthing"):
        mathml(r"\nosuchthing{x}", block=True)
