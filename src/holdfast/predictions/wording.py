"""Words from the outside on one line and not too long, so that a message stays a message."""

from __future__ import annotations

from collections.abc import Collection

from holdfast.wording import as_written

LONGEST = 200  # characters that a message quotes of what others wrote


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
    told: list[str] = []
    for name in names:
        told.append(quoted(name).strip("'"))
        if sum(map(len, told)) + 2 * len(told) > limit:
            break
    rest = len(names) - len(told)
    return ", ".join(told) + (f" and {rest:,} more" if rest else "")


def some(values: Collection[object], most: int = 3) -> str:
    """The first few values in quotes, in their order; the rest is counted."""
    shown = [quoted(value) for value in [*values][:most]]
    if len(values) > most:
        return f"{', '.join(shown)} and {len(values) - most:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def left_out(reason: object) -> str:
    """What a report says of scores that nobody asked for and that do not fit."""
    return f"The scores, found by the names of their columns, were left out. {reason}"


def opening(source: str) -> str:
    """What a source is called at the beginning of a sentence; a file keeps its name."""
    return "T" + source[1:] if source.startswith("the ") else source
