"""holdfast compare --sequential: two models on rows as they come, in one pass and constant memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.answers import Answers, Row
from holdfast.cli.following import Following
from holdfast.cli.inputs import source_of, state_held
from holdfast.cli.options import command_line, listed, tell
from holdfast.cli.pictures import checked, write
from holdfast.errors import HoldfastError
from holdfast.wording import json_text, visible

if TYPE_CHECKING:
    from holdfast.verbs.stream.duel import Duel

EXIT = {"better": 0, "not inferior": 0, "equivalent": 0, "worse": 1}
OPEN = 3


def follow(
    files: Sequence[str] = (),
    *,
    models: str | None = None,
    truth: str | None = None,
    labels: Sequence[str] | None = None,
    pass_fail: bool = False,
    losses: str | None = None,
    margin: float | None = None,
    confidence: str | None = None,
    state: str | None = None,
    wait: float | None = None,
    growing: bool = False,
    as_new: bool = False,
    id_: str | None = None,
    every: int | None = None,
    missing: str | None = None,
    separator: str | None = None,
    page: str | None = None,
    charts: Sequence[str] = (),
    as_json: bool = False,
) -> int:
    """Follow the rows of a file, or of standard input, and tell which of two models is better.

    The first row names the columns: the truth beside those of the two models' predictions, or with `pass_fail` two
    columns of 0 and 1, or with `losses`, LOW,HIGH, two columns of losses in that range. What is None is taken from the
    state, or its default. Returns the exit code: 0 once the first model is better, not inferior or equivalent within
    the margin, 1 once the second is better, 3 while that is not settled.
    """
    from holdfast.claims import chance_of_error
    from holdfast.sources.formats.content import STANDARD_INPUT, told

    names = tuple(name.strip() for name in (models or "").split(",") if name.strip())
    if len(names) != 2:
        raise HoldfastError(f"A stream is followed for two models, --models FIRST,SECOND; got {len(names)}.")
    if len(files) > 1:
        raise HoldfastError(f"A stream is one file, or standard input (-); got {len(files)} files.")
    if pass_fail and losses is not None:
        raise HoldfastError("A loss is never right or wrong: leave out --losses, or --pass-fail.")
    pictures = checked(page, charts, only="wealth")
    low, high = _range(losses)
    asked: dict[str, Any] = {
        "names": names,
        "delta": None if confidence is None else float(chance_of_error(confidence)),
        "margin": margin,
        "losses": None if losses is None else True,
        "low": low,
        "high": high,
    }
    source = files[0] if files else "-"
    name = STANDARD_INPUT if source == "-" else told(Path(source))
    with state_held(state, wait):
        duel = _loaded(state, asked)
        reader = Answers(duel.settings, name, truth, pass_fail, missing or "refuse", separator, id_, labels)
        stream = source_of(source, name, duel, state, follow=growing, as_new=as_new, ids=id_ is not None)
        following = _Following(duel, state, every, as_json)
        following.reader = reader
        following.run(stream, reader)
        duel = following.watched
    if page is not None or pictures:
        left_out = [reader.left_out] if reader.left_out else []
        write(duel.report(command_line(), left_out), page, pictures)
    return EXIT.get(duel.verdict.outcome, OPEN)


def _loaded(state: str | None, asked: dict[str, Any]) -> Duel:
    """The duel kept there, or a new one."""
    from holdfast.verbs.stream.duel import Duel
    from holdfast.verbs.stream.duel_settings import Settings

    if state is not None and Path(state).exists():
        return Duel.load(state, **asked)
    return Duel(Settings(**{name: value for name, value in asked.items() if value is not None}))


def _range(losses: str | None) -> tuple[float | None, float | None]:
    ends = listed("--losses", losses)
    if losses is not None and len(ends) != 2:
        raise HoldfastError(f"--losses takes the range of the loss as LOW,HIGH, such as 0,1; got {losses!r}.")
    return (float(ends[0]), float(ends[1])) if ends else (None, None)


class _Following(Following["Duel"]):
    elsewhere = ", or compare a Parquet or Arrow file without --sequential, or with --looks"
    reader: Answers

    def updated(self, watched: Duel, rows: list[Row]) -> Duel:
        return watched.update(first=[first for first, _ in rows], second=[second for _, second in rows])

    def end(self, watched: Duel) -> int | None:
        return watched.changed_after  # nothing can be claimed any more

    def news(self, before: Duel) -> bool:
        return before.verdict.outcome != self.watched.verdict.outcome and not self.over

    def announce(self) -> None:
        from holdfast.render.text.duel import opening

        if self.as_json:
            self.show()
        else:
            click.echo(visible(opening(self.watched.verdict)))

    def show(self, full: bool = False) -> None:
        from holdfast.render.text.duel import brief_line, duel_parts
        from holdfast.render.text.text import as_text

        duel, look, left_out = self.watched, self.watched.to_dict(), self.reader.left_out
        if self.as_json:
            click.echo(json_text(look))
            if full and left_out:
                tell(left_out)
        elif full:
            notes = [note for note in (*duel.notes, left_out) if note and note not in duel.news]
            click.echo(as_text(*duel_parts(look, duel.claim, notes, duel.news)))
        elif not self.over:  # what has happened is told in full
            click.echo(visible(brief_line(look, duel.claim)))
