"""The conditions of a gate, from a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.sources.content import BOM, readable, told
from holdfast.wording import brief, quoted

LARGEST = 2**20  # bytes; whoever has more conditions has the wrong file
TABLES = "condition"
# A key of a hundred parts, bare or quoted: each makes a table in a table, and tomllib walks them all for each part.
MOST_PARTS = re.compile(r"""^[ \t]*\[{0,2}[ \t]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""", re.MULTILINE)
NUMBER, WORD, WORDS, LABEL = (int, float), (str,), (str, list), (str, int, float, bool)
# What may stand above the conditions, and of what kinds; in words where it is something else.
SETTINGS: dict[str, tuple[type, ...]] = {
    "confidence": (int, float, str),
    "delta": NUMBER,
    "looks": (int,),
    "sequential": (bool,),
    "operating_point": NUMBER,
    "positive": LABEL,
    "labels": (list,),
    "method": WORD,
    "accept": WORD,
    "simultaneous": (bool,),
    "missing": WORD,
    "by": WORDS,
    "baseline": WORD,
    "margin": NUMBER,
    "on": WORD,
}
KEYS: dict[str, tuple[type, ...]] = {
    "measure": WORD,
    "label": LABEL,
    "at_most": NUMBER,
    "at_least": NUMBER,
    "name": WORD,
    "by": WORDS,
    "group": WORD,
    "baseline": WORD,
    "margin": NUMBER,
    "each_at_least": NUMBER,
}
CALLED = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}


def read_conditions(path: str | PathLike[str]) -> dict[str, Any]:
    r"""What the file asks of a gate: its conditions and settings, as keywords of `gate`.

    Each condition is a table `[[condition]]` with the keys measure, label, at_most or at_least, and perhaps a name.
    With by, a column or a list of those that are crossed, it shall hold in each of their groups, and with group, such
    as "country=FR", in that one. In place of a limit may stand margin, how much worse than a baseline the model may be,
    and baseline, the file of that one's answers.

    each_at_least, in place of a limit, is what each question's own chance to be answered right shall be at least.

    Above them may stand confidence or delta, looks or sequential, operating_point, positive, labels, method, accept,
    simultaneous, missing, and by, baseline, margin and on, the column that names the item in both files, for the
    conditions that do not say them themselves.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "gate.toml")
    ...     _ = path.write_text("looks = 5\n[[condition]]\nmeasure = 'error-rate'\nat_most = 0.05\n")
    ...     read_conditions(path)
    {'looks': 5, 'conditions': [{'measure': 'error-rate', 'at_most': 0.05}]}
    """
    name = told(Path(path))
    with readable(name), Path(path).open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise HoldfastError(f"{name} is larger than {LARGEST:,} bytes; a file of conditions is a page or two.")
    given = _parsed(content, name)
    tables = given.pop(TABLES, None)
    if tables is None and not given:
        raise HoldfastError(f"{name} is empty; write a table {EXAMPLE} for each condition.")
    _check(given, SETTINGS, "setting", name, others=[TABLES])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, Mapping) for table in tables):
        raise HoldfastError(f"{name} holds no conditions; write a table {EXAMPLE} for each, its name in two brackets.")
    for number, table in enumerate(tables, 1):
        _check(table, KEYS, "key", f"{name}, condition {number}")
    return {**given, "conditions": tables}


EXAMPLE = '[[condition]] with measure = "error-rate" and at_most = 0.05'


def _parsed(content: bytes, name: str) -> dict[str, Any]:
    try:
        text = content.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        raise HoldfastError(f"{name} is not in UTF-8 (byte {error.start + 1}); save it so.") from None
    if MOST_PARTS.search(text):
        raise HoldfastError(f"{name} is no TOML that could be read: it is nested too deeply.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise HoldfastError(f"{name} is no TOML that could be read: it is nested too deeply.") from None
    except ValueError as error:  # what tomllib says, or Python of a number with too many digits
        raise HoldfastError(f"{name} is not valid TOML: {brief(error)}.") from None


def _check(
    table: Mapping[str, Any],
    known: Mapping[str, tuple[type, ...]],
    kind: str,
    where: str,
    others: list[str] | None = None,
) -> None:
    for key, value in table.items():
        if key not in known:
            try:
                raise UnknownName(kind, key, [*known, *(others or ())])
            except UnknownName as error:
                raise HoldfastError(f"{where}: {error}") from None
        if not isinstance(value, known[key]) or (isinstance(value, bool) and bool not in known[key]):
            wanted = " or ".join(CALLED[each] for each in known[key] if each is not int or float not in known[key])
            raise HoldfastError(f"{where}: {key} should be {wanted}; got {quoted(value)}.")
        if isinstance(value, list) and key == "by" and not all(isinstance(name, str) for name in value):
            raise HoldfastError(f"{where}: by should name columns of groups; got {quoted(value)}.")
