"""`python -m studies`: what it writes, and what it says when it cannot."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from studies.checks import number
from studies.pages import Page
from studies.runs import Run

from studies import __main__ as studies


def sample(run: Run) -> Page:
    page = Page("sample", "A sample", "What it is about.")
    run.tell("counting")
    page.check(number("1", "a rate", "0.5", run.kept("rate", lambda: 0.7), "counted", "a slip"))
    return page


@pytest.fixture(autouse=True)
def only_a_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = ModuleType("studies.sample")
    module.study = sample  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "studies.sample", module)
    monkeypatch.setattr(studies, "STUDIES", ("sample",))
    monkeypatch.setattr(studies, "ROOT", tmp_path)


def test_pages_checks_and_errata_are_written_and_nothing_is_left_behind(tmp_path: Path) -> None:
    assert studies.main(["--out", str(tmp_path / "docs" / "studies")]) == 0
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert written == ["docs/errata.md", "docs/studies/sample.json", "docs/studies/sample.md"]
    assert "| 1 | a rate | 0.5 | 0.7 | counted | a slip |" in (tmp_path / "docs" / "errata.md").read_text("utf-8")


def test_a_fast_run_leaves_the_errata_alone(tmp_path: Path) -> None:
    assert studies.main(["sample", "--fast", "--out", str(tmp_path / "studies")]) == 0
    assert not (tmp_path / "errata.md").exists()


@pytest.mark.parametrize(
    ("words", "said"), [(["simple"], "there is no study 'simple'"), (["--data", "nowhere"], "is no directory")]
)
def test_what_is_not_there_is_named(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        studies.main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
