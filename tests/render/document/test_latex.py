"""Reports and decisions for a paper: a table that compiles, and no label that is a command."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import holdfast as hf
from holdfast.render.document.latex import escaped
from tests.needs import require
from tests.results import DECISIONS, REPORTS, result_of
from tests.snapshots import matches

HOSTILE = [r"\input{/etc/passwd}", "50 % & more", "a_b^c~d", "$x$ #1 {y}", "[0pt]", '"<q>" | --']


def environments(latex: str) -> list[str]:
    """What begins and is not ended, innermost last."""
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", latex):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    return opened


def plain(latex: str) -> str:
    """Without what the escapes make: whatever TeX obeys is left."""
    return re.sub(r"\\(textbackslash|textascii\w+|textless|textgreater|textbar|dots)\{\}|\\[%&#$_{}]", "", latex)


@pytest.mark.parametrize("name", [*REPORTS, *DECISIONS])
def test_every_line_is_a_row_of_a_whole_table(name: str) -> None:
    result = result_of(name)
    latex = result.to_latex()
    assert environments(latex) == []
    body = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")].strip().splitlines()[1:]
    leaves = list(result.leaves()) if isinstance(result, hf.Decision) else result.lines
    assert len(body) == len(leaves)
    (columns,) = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", latex)
    for row, leaf in zip(body, leaves, strict=True):
        assert row.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1
        assert leaf.claim.guarantee.sentence in row
    assert "This assumes that" in latex
    assert r"\% confidence" in latex
    assert plain(latex).count("{") == plain(latex).count("}")
    assert plain(latex).count("$") % 2 == 0


def test_latex() -> None:
    told = [result_of(name).to_latex() for name in ("assess-clusters", "compare", "gate-groups")]
    matches("latex", "\n\n".join(told))


def test_labels_are_data() -> None:
    assert escaped("_%&#${}") == r"\_\%\&\#\$\{\}"
    assert escaped("~^\\") == r"\textasciitilde{}\textasciicircum{}\textbackslash{}"
    latex = hf.assess(HOSTILE * 4, HOSTILE[1:] * 4 + HOSTILE[:1] * 4, groups={"g": HOSTILE * 4}).to_latex()
    assert r"\input" not in latex
    for line in latex.splitlines():
        assert not line.lstrip().startswith("[")
        if line.endswith(r"\\"):
            assert "%" not in plain(line)
    assert environments(latex) == []


@pytest.mark.long
def test_it_compiles(tmp_path: Path) -> None:
    require(shutil.which("pdflatex") is not None, "pdflatex is not installed (Debian: texlive-latex-recommended).")
    tables = [result_of(name).to_latex() for name in ("assess-clusters", "compare", "gate-groups")]
    tables.append(hf.assess(HOSTILE * 4, HOSTILE[1:] * 4 + HOSTILE[:1] * 4).to_latex())
    page = "\n".join((r"\documentclass{article}\usepackage{booktabs}\begin{document}", *tables, r"\end{document}"))
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
