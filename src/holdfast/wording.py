"""Words from outside, made safe to print: whatever a terminal would obey, or take for another line, is spelled out."""

from __future__ import annotations

import json


def visible(text: str) -> str:
    r"""The text on one line, every sign that cannot be seen spelled out.

    Those are control characters, escapes among them, breaks of lines and paragraphs, signs that turn the direction of
    writing, and halves of characters.

    Examples
    --------
    >>> print(visible("a\x1b[31m b\n c\u202ed"))
    a\x1b[31m b\n c\u202ed
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def visible_lines(text: str) -> str:
    """The same of a text that has several lines, which it keeps."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def as_written(value: object) -> str:
    """The value on one line as Python writes it, or its type where it cannot be written."""
    try:
        text = repr(value)
        return visible(text if isinstance(value, str) else " ".join(text.split()))  # an array has a line for each row
    except Exception:  # such as a whole number of 5,000 digits, or what a stranger wrote
        return f"<{type(value).__name__}>"


def json_text(value: object, indent: int | None = None) -> str:
    r"""The value as JSON that is safe to print: what cannot be seen is escaped, what can be read stays as it is.

    Examples
    --------
    >>> print(json_text({"é": "\x9b1m"}))
    {"é": "\u009b1m"}
    """
    lines = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False).split("\n")
    return "\n".join(line if line.isprintable() else _escaped(line) for line in lines)


def _escaped(line: str) -> str:
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
