"""CHANGELOG.md is made of the fragments in changelog.d, and keeps what was released."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import MAKE, ROOT, text


@pytest.fixture
def changelog(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(MAKE))
    return import_module("generate_changelog")


@pytest.fixture
def folder(changelog: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, with three fragments and one version."""
    (tmp_path / "changelog.d").mkdir()
    for name, fragment in {
        "README.md": "# How to write one",
        "3-old.md": "Counts are bounded.\nAnd losses.\n",
        "12-listed.md": "- One thing.\n- Another one.\n",
        "12-headed.md": "### Folds\n\n- Learners are trained.\n",
    }.items():
        (tmp_path / "changelog.d" / name).write_text(fragment, encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n- Stale.\n\n## 0.0.1, 2020-01-01\n\n- Born.\n"
    )
    monkeypatch.setattr(changelog, "ROOT", tmp_path)
    monkeypatch.setattr(changelog, "CHANGELOG", tmp_path / "CHANGELOG.md")
    return tmp_path


SECTION = """
- **Folds**

  - Learners are trained.
- One thing.
- Another one.
- Counts are bounded.
  And losses.

## 0.0.1, 2020-01-01

- Born.
"""


def test_the_changelog_is_that_of_the_fragments(changelog: Any) -> None:
    assert text(ROOT / "CHANGELOG.md") == changelog.page(), "run make docs"


def test_fragments_become_a_list_with_the_newest_first(changelog: Any, folder: Path) -> None:
    assert changelog.page().partition("## Unreleased\n")[2] == SECTION


def test_a_release_heads_the_section_and_leaves_no_fragment(changelog: Any, folder: Path) -> None:
    changelog.release("0.0.2")
    written = text(folder / "CHANGELOG.md")
    assert written.partition("## 0.0.2, ")[2].partition("\n")[2] == SECTION
    assert "Unreleased" not in written
    assert changelog.page() == written
    assert [file.name for file in (folder / "changelog.d").iterdir()] == ["README.md"]
