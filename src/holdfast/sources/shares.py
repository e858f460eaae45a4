"""How frequent each stratum of a population is, from a table."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import spelled
from holdfast.sources.opening import open_table
from holdfast.wording import listed, quoted

SHARES = ("share", "shares", "proportion", "fraction")
STRATA = ("stratum", "strata", "name")
MOST = 100_000  # strata


def read_shares(path: str | PathLike[str]) -> dict[str, float]:
    r"""The shares in a file of two columns: stratum and share.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("stratum,share\nnorth,0.3\nsouth,0.7\n")
    ...     file.flush()
    ...     read_shares(file.name)
    {'north': 0.3, 'south': 0.7}
    """
    table = open_table(Path(path))
    names, places = table.header.names, [table.header.called(words) for words in (STRATA, SHARES)]
    if len(names) != 2 or not (places[0] or places[1]):
        there = listed([*names]) or "none"
        raise HoldfastError(f"{table.name} should have two columns, stratum and share; it has {there}.")
    if table.height > MOST:
        raise HoldfastError(f"{table.name} has {table.height:,} rows, too many for strata.")
    of_shares = places[1][0] if places[1] else 1 - places[0][0]
    shares: dict[str, float] = {}
    for row, (stratum, share) in enumerate(zip(table.values(1 - of_shares), table.values(of_shares), strict=True)):
        where = f"{table.name}, {table.where(row)}"
        name = "" if stratum is None else spelled(stratum)
        if name in shares or not name:
            what = f"the stratum {quoted(name)} stands a second time" if name else "a stratum has no name"
            raise HoldfastError(f"{where}: {what}.")
        try:
            shares[name] = float(share)
        except (TypeError, ValueError):
            raise HoldfastError(f"{where}: a share should be a number; found {quoted(share)}.") from None
    return shares
