"""Write docs/references.md from references.bib and the catalog: `python docs/_make/generate_references.py [FILE]`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import fill
from unicodedata import normalize

from holdfast import measures, methods, procedures

DOCS = Path(__file__).parents[1]
WIDTH = 118
ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "v": "\u030c", "c": "\u0327"}
INTRODUCTION = """\
# References

Generated from [references.bib](references.bib) by `make docs`; do not edit. Every claim names its source: a key of this
list and a place in that work. Under each work stands what is computed from it."""


def page() -> str:
    """The whole page, in the order of the keys."""
    entries = read((DOCS / "references.bib").read_text(encoding="utf-8"))
    sections = [_section(key, entries[key]) for key in sorted(entries, key=str.lower)]
    return "\n\n".join([INTRODUCTION, *sections]) + "\n"


def read(bibliography: str) -> dict[str, dict[str, str]]:
    """The fields of every entry, by its key."""
    found = {}
    for key, body in re.findall(r"^@\w+\{([^,]+),\n(.*?)^\}", bibliography, re.MULTILINE | re.DOTALL):
        fields = re.findall(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$(?=\s*\w+\s*=|\s*\Z)", body, re.MULTILINE | re.DOTALL)
        found[key] = {name.lower(): _plain(value) for name, value in fields}
    return found


def _plain(text: str) -> str:
    """LaTeX's accents, dashes and quotation marks as characters."""
    accent = r"\\([`'^~\"]|[vc](?![a-zA-Z]))\s*\{?(\w)\}?"
    text = re.sub(accent, lambda found: normalize("NFC", found[2] + ACCENTS[found[1]]), text)
    for written, meant in (("``", "“"), ("''", "”"), ("--", "–"), ("\\&", "&"), ("~", " ")):
        text = text.replace(written, meant)
    return " ".join(re.sub(r"[{}]", "", text).split())


def _section(key: str, fields: dict[str, str]) -> str:
    entries = [*methods(), *procedures()]
    used = [f"[{entry.name}](methods.md#{entry.name.lower()})" for entry in entries if entry.source.key == key]
    used += [f"[{measure.name}](measures.md#{measure.name})" for measure in measures() if measure.source.key == key]
    parts = [f"## {key}", _wrapped(_cited(fields))]
    if used:
        parts.append(_wrapped("Used by " + ", ".join(used) + "."))
    return "\n\n".join(parts)


def _cited(fields: dict[str, str]) -> str:
    where = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or fields.get("institution", "")
    issue = f" {fields['volume']}" if "volume" in fields else ""
    issue += f"({fields['number']})" if "number" in fields and issue else ""
    pages = f", pp. {fields['pages']}" if "pages" in fields else ""
    place = f" *{where}*{issue}{pages}." if where else ""
    head = f"{_authors(fields.get('author', ''))} ({fields.get('year', 'no year')})."
    return f"{head} {_ended(fields['title'])}{place}{_more(fields)}"


def _more(fields: dict[str, str]) -> str:
    note = f" {fields['note'].rstrip('.')}." if "note" in fields else ""
    doi = f" doi:{fields['doi']}." if "doi" in fields else ""
    eprint = f" arXiv:{fields['eprint']}." if "eprint" in fields else ""
    return note + doi + eprint


def _authors(names: str) -> str:
    *first, last = names.split(" and ")
    return f"{'; '.join(first)} and {last}" if first else last


def _ended(title: str) -> str:
    return title if title.endswith(("?", "!", ".")) else f"{title}."


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "references.md"
    target.write_text(page(), encoding="utf-8")
