"""holdfast monitor: results from standard input, as they come."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.following import Following
from holdfast.cli.options import json_option, tell_nobody
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.verbs.monitor import Monitor, Settings

Row = tuple[float, int]  # a loss and 1, or errors and n

OUTCOMES = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}


@click.command(cls=Verb)
@click.option("--state", metavar="FILE", help="Where the state is kept; an existing one is resumed.")
@click.option("--at-most", type=float, help="The rate or mean loss meant to hold; alarm once it is proven larger.")
@click.option("--at-least", type=float, help="The same from below; alarm once it is proven smaller.")
@click.option("--correct", is_flag=True, help="A 1 in the input means right, not an error.")
@click.option("--losses", is_flag=True, help="The input is one loss a line.")
@click.option("--low", type=float, help="Smallest value the loss can take.  [default: 0]")
@click.option("--high", type=float, help="Largest value the loss can take.  [default: 1]")
@click.option("--confidence", help="Confidence that no claim is ever wrong.  [default: 0.95]")
@click.option("--every", type=click.IntRange(min=1), help="Print the claim after every so many rows.")
@json_option
def monitor(
    state: str | None,
    at_most: float | None,
    at_least: float | None,
    correct: bool,
    losses: bool,
    low: float | None,
    high: float | None,
    confidence: str | None,
    every: int | None,
    as_json: bool,
) -> int:
    """Follow the error rate, or a mean loss, row by row from standard input.

    A row is 0 or 1, where 1 is an error, or errors,n for a batch. The limits hold at every moment. Stops with exit
    code 1 once a limit is proven broken, or once the rate is proven to have changed.

    cut -d, -f3 log.csv | holdfast monitor --correct --at-most 0.05 --state monitor.json
    """
    from holdfast.claims import chance_of_error
    from holdfast.verbs.monitor import Monitor, Settings

    asked: dict[str, Any] = {
        "delta": None if confidence is None else float(chance_of_error(confidence)),
        "at_most": at_most,
        "at_least": at_least,
        "low": low,
        "high": high,
        "losses": losses or None,
        "correct": correct or None,
    }
    if sys.stdin is None:
        raise HoldfastError("Standard input is closed, and the rows come from there; feed them to it.")
    if state is not None and Path(state).exists():
        watched = Monitor.load(state, **asked)
    else:
        watched = Monitor(Settings(**{name: value for name, value in asked.items() if value is not None}))
    following = _Following(watched, state, every, as_json)
    try:
        following.follow(sys.stdin.buffer, _Reader(watched.settings))
    except KeyboardInterrupt:
        following.save()
        raise
    except BrokenPipeError:  # nobody reads on, but the exit code tells whether there was an alarm
        tell_nobody()
    return 1 if following.over else 0


class _Following(Following["Monitor"]):
    what = "monitor"

    def updated(self, watched: Monitor, rows: list[Row]) -> Monitor:
        values, sizes = [value for value, _ in rows], [n for _, n in rows]
        return watched.update(losses=values) if watched.settings.losses else watched.update(errors=values, n=sizes)

    def end(self, watched: Monitor) -> int | None:
        return min((after for after in (watched.alarm_after, watched.changed_after) if after is not None), default=None)

    def size(self, row: Row) -> int:
        return row[1]

    def show(self, full: bool = False) -> None:
        from holdfast.render.text import as_text, claim_parts

        monitor = self.watched
        if self.as_json:
            click.echo(json.dumps(monitor.to_dict(), ensure_ascii=False, allow_nan=False))
        elif full:
            notes = [part for note in monitor.notes for part in ("", note)]
            click.echo(as_text(f"After {monitor.n:,} examples:", *claim_parts(monitor.claim), *notes))
        else:
            click.echo(f"{monitor.n:,}: {monitor.claim}")


class _Reader:
    """Lines as rows; the first may be a header. An empty line is a missing value, unless nothing follows it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.line, self.started, self.empty = 0, False, 0
        self.wrong: str | None = None  # what is wrong with the line at which reading ended

    def rows(self, lines: list[str]) -> list[Row]:
        """What the lines say, up to one that is no row."""
        from holdfast.evidence import shown

        found = []
        for text in map(str.strip, lines):
            self.line += 1
            if not text:
                self.empty = self.empty or (self.line if self.started else 0)
                continue
            if self.empty:
                self.wrong = f"Line {self.empty} of the input is empty; drop or repair missing values."
                break
            row = self._row(text.removeprefix("\ufeff"))
            if row is not None:
                found.append(row)
            elif self.started or _begins_with_a_number(text):
                self.wrong = f"Line {self.line} of the input is {shown(text)}; {self._wanted}"
                break
            self.started = True
        return found

    def end(self) -> None:
        """Nothing is left open from line to line."""

    def _row(self, text: str) -> Row | None:
        if self.settings.losses:
            loss = _number(text)
            return (loss, 1) if loss is not None and self.settings.low <= loss <= self.settings.high else None
        if (outcome := OUTCOMES.get(text.lower())) is not None:
            return (1 - outcome if self.settings.correct else outcome), 1
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
            return None
        events, n = int(parts[0]), int(parts[1])
        return ((n - events if self.settings.correct else events), n) if events <= n else None

    @property
    def _wanted(self) -> str:
        if self.settings.losses:
            low, high = self.settings.low, self.settings.high
            return (
                f"a row is one loss between {low:g} and {high:g}. "
                "Give the loss's own range as --low and --high, or repair the value."
            )
        one, several = ("right", "right") if self.settings.correct else ("an error", "errors")
        return f"a row is 0 or 1, where 1 is {one}, or {several},n such as 3,100."


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _begins_with_a_number(text: str) -> bool:
    return _number(text.partition(",")[0]) is not None
