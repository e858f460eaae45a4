"""Write CHANGELOG.md from changelog.d: `python docs/_make/generate_changelog.py [FILE]`.

The fragments become the section of what is not released yet; sections of versions stay as they are. `make changelog`
shows that section. With `--release VERSION` it is headed by the version and the day, and the fragments are deleted.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
CHANGELOG = ROOT / "CHANGELOG.md"
UNRELEASED = "Unreleased"
INTRODUCTION = """\
# Changelog

What has changed for users, the newest first. [What may change](docs/stability.md) says what to expect within 0.x."""


def fragments() -> list[Path]:
    """The newest first: by the number that a name begins with, then by name."""
    files = [file for file in (ROOT / "changelog.d").glob("*.md") if file.name != "README.md"]
    return sorted(files, key=lambda file: (-_number(file), file.stem))


def _number(file: Path) -> int:
    leading = re.match(r"\d+", file.stem)
    return int(leading[0]) if leading else 0


def section(title: str = UNRELEASED) -> str:
    """What the fragments say, under a title."""
    return "\n".join([f"## {title}\n", *(item(file.read_text(encoding="utf-8")) for file in fragments())])


def item(fragment: str) -> str:
    """A fragment as an item of a list; one that is a list itself stays so, and its heading becomes the item."""
    text = re.sub(r"\A### (.*)\n", r"**\1**\n", fragment.strip())
    if text.startswith("- "):
        return text
    return "- " + re.sub(r"\n(?=.)", "\n  ", text)


def released(changelog: str) -> list[str]:
    """The sections of versions, as one piece."""
    return [piece.strip() for piece in re.findall(r"^## \d.*", changelog, re.MULTILINE | re.DOTALL)]


def page(title: str = UNRELEASED) -> str:
    """The whole page."""
    sections = [section(title)] if fragments() else []
    return "\n\n".join([INTRODUCTION, *sections, *released(CHANGELOG.read_text(encoding="utf-8"))]) + "\n"


def release(version: str) -> None:
    """Head the section by the version and delete the fragments."""
    CHANGELOG.write_text(page(f"{version}, {datetime.now(UTC):%Y-%m-%d}"), encoding="utf-8")
    for file in fragments():
        file.unlink()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--show"]:
            print(section())
        case ["--release", version]:
            release(version)
        case given:
            Path(given[0] if given else CHANGELOG).write_text(page(), encoding="utf-8")
