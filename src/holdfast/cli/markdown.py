"""--markdown, which every command has: the answer as a comment on a pull request, in a file or in place of the text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from holdfast.cli.targets import Written
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.render.kinds import Answer

NAME = "markdown"
PRINTED = "-"


class Document(Written):
    """A file that is replaced, or - for standard output."""

    def path(self, given: str) -> str | None:
        return None if given == PRINTED else given


MARKDOWN = click.Option(
    ["--markdown", NAME],
    type=Document(),
    metavar="FILE",
    help="Write the answer as a comment for a pull request, too; - prints it instead.",
)


def keep(context: click.Context) -> None:
    """Take the option from what the command is called with, for whoever prints its answer."""
    target: str | None = context.params.pop(NAME, None)
    if target == PRINTED and context.params.get("as_json"):
        raise HoldfastError("Both --json and --markdown - are printed; leave one out, or name a file for the latter.")
    if target not in (None, PRINTED) and not (folder := Path(target).parent).is_dir():
        raise HoldfastError(f"Cannot write {target}: there is no folder {folder}.")
    context.meta[__name__] = target


def target() -> str | None:
    """The file that was named, or - for standard output; None where nobody asked for any."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(__name__)


def printed(beside: str = "") -> bool:
    """Whether Markdown is printed in place of text, which does not go with an option that prints more."""
    if target() == PRINTED and beside:
        raise HoldfastError(f"{beside} prints more than --markdown - does; name a file for the latter.")
    return target() == PRINTED


def write(answer: Answer) -> None:
    """Write the file, if one was named, and say so."""
    from holdfast.cli.options import tell
    from holdfast.files import write_whole

    if (file := target()) not in (None, PRINTED):
        assert file is not None
        write_whole(file, f"{answer.to_markdown()}\n".encode(errors="backslashreplace"))
        tell(f"Markdown written to {file}")
