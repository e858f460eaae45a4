"""holdfast ledger: open the ledger of a test set, show it, verify it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import busy, command_line, in_order, json_option, show, telling
from holdfast.cli.pictures import Output, checked
from holdfast.cli.verb import Database, Kept, Picture, Read, Verb, Written
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.verbs.ledger.ledger import Ledger

ACTIONS = ("open", "show", "verify")
TAKES = {  # beside LEDGER, --key and --json
    "open": ("truth_file", "truth", "id_", "gates", "promotions", "spend", "confidence", "separator"),
    "show": ("page", "charts", "rate"),
    "verify": ("head", "truth_file", "truth", "id_", "separator"),
}


ledger_option = in_order(
    click.option(
        "--ledger",
        type=Database(),
        metavar="FILE|ADDRESS",
        help="Write this look down in the ledger of the test set, a file or postgresql://...",
    ),
    click.option("--key", type=Read(), metavar="FILE", help="The key of the ledger.  [default: TRUTH-FILE.key]"),
)


def given_ledger(address: str | None, key: str | None, truth_file: str | None, file: str | None) -> Ledger | None:
    """The ledger that was named; its key lies beside the labels unless another file is named."""
    if address is None:
        if key is not None:
            raise HoldfastError("--key is the key of a ledger: give --ledger.")
        return None
    from holdfast.verbs.ledger.ledger import Ledger

    return Ledger(address, key=key, truth_file=truth_file or file, command=command_line())


def rows_known_by(columns: dict[str, Any], kept: Ledger | None) -> None:
    """Have the rows read with the ids that the ledger knows them by."""
    on = columns.get("on")
    if kept is not None and kept.by_id and columns["id"] is None:
        if on is None:
            raise HoldfastError("The ledger knows rows by their ids: name the column by --on.")
        columns["id"] = on
    if kept is not None and columns["truth_file"] is None:
        columns["on"] = None


@click.command(cls=Verb)
@click.argument("action", type=click.Choice(ACTIONS), metavar="open|show|verify")
@click.argument("ledger", type=Database(), metavar="FILE|ADDRESS")
@click.option("--truth-file", type=Read(), metavar="FILE", help="open, verify: the file of the labels.")
@click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]")
@click.option("--id", "id_", metavar="COLUMN", help="The column that rows are known by.  [default: their position]")
@click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]")
@click.option("--gates", type=int, metavar="K", help="open: how many gates are planned.")
@click.option(
    "--promotions", type=int, metavar="M", help="open: how many of them may be proven and followed by others."
)
@click.option(
    "--spend", type=float, metavar="SHARE", help="open, instead: the share of what is left that a gate spends."
)
@click.option("--confidence", help="open: that nothing false is ever called proven.  [default: 0.95]")
@click.option("--key", type=Kept(), metavar="FILE", help="The key of the rows.  [default: TRUTH-FILE.key]")
@click.option("--head", metavar="HASH", help="verify: the hash of an entry, kept elsewhere, that must be there.")
@click.option(
    "--rate", type=float, metavar="RATE", help="show: the error rate of which a limit is told.  [default: 0.05]"
)
@click.option("--html", "page", type=Written(), metavar="FILE", help="show: write all of it as one page.")
@click.option(
    "--chart",
    "charts",
    type=Picture(),
    metavar="FILE",
    multiple=True,
    help="show: draw limits.svg or levels.svg.",
)
@json_option
def ledger(action: str, ledger: str, as_json: bool, key: str | None, **given: Any) -> int:
    """One test set, many looks: open its ledger, show where it stands, verify that nothing was changed.

    holdfast ledger open tests.db --truth-file truth.csv --id id --gates 100 --promotions 3

    holdfast ledger show tests.db --html ledger.html

    holdfast ledger verify tests.db --head HASH --truth-file truth.csv --id id
    """
    from holdfast.ledger.chain import Broken
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.ledger.ledger import Ledger

    stated = {name: value for name, value in given.items() if value not in (None, ())}
    for name in stated:
        if name not in TAKES[action]:
            option = {"id_": "id", "page": "html", "charts": "chart"}.get(name, name).replace("_", "-")
            raise HoldfastError(f"--{option} says nothing to `holdfast ledger {action}`; leave it out.")
    stated["id"] = stated.pop("id_", None)
    if action == "open":
        if "truth_file" not in stated:
            raise HoldfastError("A ledger commits to labels: name their file by --truth-file.")
        with busy("Reading and hashing"):
            Ledger.open(ledger, key=key, **stated)
        made = Ledger(ledger, key=key, truth_file=stated["truth_file"])
        show(made.show().with_command(command_line()), as_json)
        return 0
    if action == "show":
        output = Output(as_json, given["page"], checked(given["page"], given["charts"], Kind.LEDGER))
        report = Ledger(ledger).show(given["rate"] if given["rate"] is not None else 0.05)
        output.answer(report)
        return 0
    known = Ledger(ledger, key=key)
    try:
        with busy("Verifying"):
            sentences = known.verify(stated.pop("head", None), **stated)
    except Broken as broken:
        _tell(False, [str(broken)], known, as_json)
        return 1
    _tell(True, sentences, known, as_json)
    return 0


def _tell(holds: bool, sentences: list[str], known: Ledger, as_json: bool) -> None:
    from holdfast.wording import json_text, wrapped

    with telling():
        if as_json:
            click.echo(json_text({"holds": holds, "said": sentences, "head": known.head}, indent=2))
            return
        click.echo("\n".join(map(wrapped, sentences)))
        click.echo(f"Head {known.head}")
