"""A user's value in a sentence or in JSON, made safe to print; plurals; sentences in lines."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from holdfast.errors import cut, visible

WIDTH = 80  # columns of text
LONGEST = 200  # characters that a message quotes of what others wrote
LONGEST_LABEL = 16  # of a label in a table or a sentence


def as_written(value: object) -> str:
    """The value on one line as Python writes it, or its type where it cannot be written."""
    try:
        text = repr(value)
        return visible(text if isinstance(value, str) else " ".join(text.split()))  # an array has a line for each row
    except Exception:  # such as a whole number of 5,000 digits, or what a stranger wrote
        return f"<{type(value).__name__}>"


def shown(value: object, longest: int = 60) -> str:
    """The same, not too long: what was given, in a message."""
    text = as_written(value)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def brief(text: object, limit: int = LONGEST) -> str:
    """The first line that says something, without control characters, cut where it would run on."""
    lines = (line.strip() for line in str(text)[: 50 * limit].splitlines())
    first = "".join(c if c.isprintable() else " " for c in next(filter(None, lines), "no reason given"))
    return first if len(first) <= limit else first[: limit - 3] + "..."


def quoted(value: object, limit: int = 40) -> str:
    """A value as Python writes it, on one line, cut where it would run on."""
    if value is None:
        return "nothing"
    text = as_written(value[:limit] + "..." if isinstance(value, str) and len(value) > limit else value)
    return text if len(text) <= 2 * limit else text[: 2 * limit - 3] + "..."


def listed(names: list[str], limit: int = 240) -> str:
    """Names in their order, as many as fit; the rest is counted."""
    fitting: list[str] = []
    for name in names:
        fitting.append(quoted(name).strip("'"))
        if sum(map(len, fitting)) + 2 * len(fitting) > limit:
            break
    rest = len(names) - len(fitting)
    return ", ".join(fitting) + (f" and {rest:,} more" if rest else "")


def some(values: Collection[object], most: int = 3) -> str:
    """The first few values in quotes, in their order; the rest is counted."""
    shown = [quoted(value) for value in [*values][:most]]
    if len(values) > most:
        return f"{', '.join(shown)} and {len(values) - most:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def printable(text: str, longest: int = LONGEST_LABEL) -> str:
    """Words of others on one line, without anything a terminal would obey, and not too long."""
    return cut(visible(text[: longest + 1]), longest)


def shortened(text: str, longest: int) -> str:
    """The same with the middle left out, for names that begin alike often end apart."""
    plain = visible(text)
    tail = longest // 3
    return plain if len(plain) <= longest else f"{plain[: longest - tail - 1]}…{plain[-tail:]}"


def wrapped(sentence: str, indent: str = "", loose: bool = False) -> str:
    """In lines of 80 columns; no number is parted from its percent sign, or, if `loose`, no name in two."""
    from textwrap import fill

    whole = sentence if loose else re.sub(r"(?<=\d) %", "\xa0%", sentence)
    ends = {"initial_indent": indent, "subsequent_indent": " " * len(indent)}
    lines = fill(whole, WIDTH, break_on_hyphens=not loose, **ends)  # type: ignore[arg-type]  # no other settings
    return lines if loose else lines.replace("\xa0%", " %")


def further(number: int) -> str:
    """The row under a table that is cut, or the sentence under a list."""
    return f"... {number:,} more"


def counted(number: int, what: str) -> str:
    """3 rows; 1 row."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def examples(number: int) -> str:
    return counted(number, "example")


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


def left_out(reason: object) -> str:
    """What a report says of scores that nobody asked for and that do not fit."""
    return f"The scores, found by the names of their columns, were left out. {reason}"


def opening(source: str) -> str:
    """What a source is called at the beginning of a sentence; a file keeps its name."""
    return "T" + source[1:] if source.startswith("the ") else source
