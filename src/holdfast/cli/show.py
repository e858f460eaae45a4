"""holdfast show: what a command wrote as JSON, as it would have been printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from holdfast.cli.options import json_option
from holdfast.cli.options import show as print_answer
from holdfast.cli.pictures import Output, checked, picture_options
from holdfast.cli.verb import Read, Verb, markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.render.kinds import Answer


@click.command(cls=Verb)
@click.argument("file", type=Read())
@picture_options("forest.svg, differences.png")
@json_option
def show(file: str, page: str | None, charts: tuple[str, ...], as_json: bool) -> None:
    """Print again what a command wrote with --json, as it would have printed it without; - for standard input.

    Of several looks at a stream all but the last are told in a line each. Curves, and whatever else JSON does not
    hold, are not drawn again.

    holdfast show report.json --html report.html
    """
    from holdfast.render.kinds import parts_of, report_of
    from holdfast.render.text.layout import as_text
    from holdfast.report.look import DuelLook, Look

    *earlier, last = _answers(file)
    if isinstance(last, (Look, DuelLook)) and (page is not None or charts):
        raise HoldfastError("A look at a stream has no page and no pictures; leave out --html and --chart.")
    pictures = [] if isinstance(last, (Look, DuelLook)) else checked(page, charts, report_of(last).kind)
    try:
        for look in earlier if not markdown_is_printed() else ():
            click.echo(look.to_json() if as_json else _brief(look))
        if isinstance(last, (Look, DuelLook)):
            text = last.to_markdown() if markdown_is_printed() else as_text(*parts_of(last))
            click.echo(last.to_json() if as_json else text)
            write_markdown(last)
        else:
            print_answer(last, as_json)
            Output(as_json, page, pictures).write(last)
    except (HoldfastError, OSError):
        raise
    except Exception as error:  # of JSON that is well formed, but was changed: its parts do not fit together
        raise HoldfastError(
            f"{_name(file)} cannot be shown: what it says does not fit together ({type(error).__name__})."
        ) from None


def _answers(file: str) -> list[Answer]:
    """What the file holds: one answer, or looks at a stream, one per line."""
    from holdfast.report.look import DuelLook, Look
    from holdfast.report.reading import answer_from
    from holdfast.sources.content import content_of, inflated, readable, standard_input

    with readable(_name(file)):
        content = standard_input() if file == "-" else content_of(Path(file))
        text = inflated(content if isinstance(content, bytes) else content.read_bytes())
    lines = [line for line in text.split(b"\n") if line.strip()]
    several = len(lines) > 1 and lines[0].rstrip().endswith(b"}")
    try:
        answers = [answer_from(each) for each in (lines if several else [text])]
    except HoldfastError as error:
        raise HoldfastError(f"{_name(file)} cannot be shown. {error}") from None
    if several and not all(isinstance(each, (Look, DuelLook)) for each in answers):
        raise HoldfastError(f"{_name(file)} holds {len(lines):,} answers; show one at a time.")
    return answers


def _name(file: str) -> str:
    from holdfast.sources.content import STANDARD_INPUT, told

    return STANDARD_INPUT.capitalize() if file == "-" else told(Path(file))


def _brief(answer: Answer) -> str:
    """One look among several."""
    from holdfast.errors import visible
    from holdfast.render.text.answers import brief_line
    from holdfast.report.look import DuelLook, Look

    if isinstance(answer, Look):
        return f"{answer.claim.n:,}: {answer.claim}"
    assert isinstance(answer, DuelLook)  # of others there is but one
    return visible(brief_line(answer))
