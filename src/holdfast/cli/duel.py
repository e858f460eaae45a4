"""holdfast compare --sequential: two models on rows as they come, in one pass and constant memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.monitor import follow as follow_stream
from holdfast.cli.monitor import notice, state_held
from holdfast.cli.options import command_line, listed, tell
from holdfast.cli.pictures import Output, checked
from holdfast.cli.verb import markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError
from holdfast.wording import visible

EXIT = {"better": 0, "not inferior": 0, "equivalent": 0, "worse": 1}
OPEN = 3
UNFIXED = "and a stream that may stop anywhere fixes no such number. Compare once, without --sequential."
# Why a stream does not take an option: what mathematics says, and what to do instead.
NOT_ON_STREAMS = {
    "cluster": "rows of a cluster depend on each other, and a bet is settled only once its cluster is whole. Give a "
    "row per cluster: the mean loss of each model in it, by --losses 0,1, and how many rows it holds by --weight, with "
    "the most that one can as --max-weight; without weights each cluster counts once.",
    "max_cluster": "a stream takes a row per cluster: the mean loss of each model in it, by --losses 0,1, and how many "
    "rows it holds by --weight, with the most that one can as --max-weight.",
    "inclusion": "a row counts for one over its chance: give that in a column, by --weight, and the most by "
    "--max-weight.",
    "strata": f"known shares are undone by how many rows were drawn of each stratum, {UNFIXED}",
    "strata_shares": f"known shares are undone by how many rows were drawn of each stratum, {UNFIXED}",
    "sampling": f"how frequent classes are is undone by how many rows were drawn of each, {UNFIXED}",
    "prevalence": f"how frequent classes are is undone by how many rows were drawn of each, {UNFIXED}",
    "by": "every group is a stream of its own. Follow the rows of each with a --state of its own, at a --confidence "
    "that gives each an equal part of what may go wrong if all are to hold together.",
    "simultaneous": "a stream has one claim, which holds at all times. Several streams hold together if each has an "
    "equal part of what may go wrong, by --confidence.",
    "looks": "a stream may be looked at as often as one likes. Leave it out.",
    "score": "what is read off scores ranks rows against each other, and a bet is on one row at a time. Give columns "
    "of what each probability lost, by --losses LOW,HIGH; compare AUC without --sequential, with --looks.",
    "only": "a bet is on what one row adds: on right and wrong, or on a loss, by --losses LOW,HIGH. Compare other "
    "measures without --sequential, with --looks.",
    "value": "a stream is told what answers lose. Give what each falls short by, with --losses LOW,HIGH.",
    "unpaired": "a bet is on two answers to the same row, and rows of one model alone have none. Compare without "
    "--sequential.",
}


def refuse_on_streams(option: click.Parameter) -> None:
    """Refuse an option that has no meaning on a stream, with the reason."""
    if (reason := NOT_ON_STREAMS.get(option.name or "")) is not None:
        raise HoldfastError(f"{option.opts[0]} cannot be asked beside --sequential: {reason}")


def follow(stated: Mapping[str, Any]) -> int:
    """Follow the rows of a file, or of standard input, and tell which of two models is better.

    The first row names the columns: the truth beside those of the two models' predictions, or with `pass_fail` two
    columns of 0 and 1, or with `losses`, LOW,HIGH, two columns of losses in that range. What is not stated is taken
    from the state, or its default. Returns the exit code: 0 once the first model is better, not inferior or equivalent
    within the margin, 1 once the second is better, 3 while that is not settled.
    """
    from holdfast.claims import chance_of_error
    from holdfast.render.phrases import opening
    from holdfast.render.text.decision import brief_line, duel_parts
    from holdfast.render.text.layout import as_text
    from holdfast.report.facts.kind import Kind
    from holdfast.sources.content import STANDARD_INPUT, told
    from holdfast.sources.lines.answers import Answers
    from holdfast.sources.lines.following import Following, open_lines
    from holdfast.streams.machine import kept
    from holdfast.verbs.stream.duel import Duel

    given: Mapping[str, Any] = defaultdict(lambda: None, stated)
    files, losses, page = given["files"] or (), given["losses"], given["page"]
    weight, growing, state, id_ = given["weight"], given["growing"], given["state"], given["id_"]
    every, missing, as_json = given["every"], given["missing"] or "refuse", given["as_json"]
    names = tuple(name.strip() for name in (given["models"] or "").split(",") if name.strip())
    if len(names) != 2:
        raise HoldfastError(f"A stream is followed for two models, --models FIRST,SECOND; got {len(names)}.")
    if len(files) > 1:
        raise HoldfastError(f"A stream is one file, or standard input (-); got {len(files)} files.")
    if given["pass_fail"] and losses is not None:
        raise HoldfastError("A loss is never right or wrong: leave out --losses, or --pass-fail.")
    pictures = checked(page, given["charts"] or (), Kind.DUEL, only="wealth")
    low, high = _range(losses)
    settings: dict[str, Any] = {
        "names": names,
        "delta": None if given["confidence"] is None else float(chance_of_error(given["confidence"])),
        "margin": given["margin"],
        "losses": None if losses is None else True,
        "low": low,
        "high": high,
        "max_weight": given["max_weight"],
    }
    if weight is None and given["max_weight"] is not None:
        raise HoldfastError("--max-weight speaks of weights: give --weight too.")
    file = files[0] if files else "-"
    name = STANDARD_INPUT if file == "-" else told(Path(file))

    if every is not None or growing:
        markdown_is_printed(beside="--follow" if growing else "--every")

    def show(full: bool) -> None:
        look, left_out = following.watched.look, reader.left_out
        if as_json:
            click.echo(look.to_json())
            if full and left_out:
                tell(left_out)
        elif full:
            click.echo(look.to_markdown() if markdown_is_printed() else as_text(*duel_parts(look, left_out)))
        elif not following.over:  # what has happened is told in full
            click.echo(visible(brief_line(look)))

    def news(before: Duel) -> None:
        verdict = following.watched.verdict
        if growing and before.verdict.outcome != verdict.outcome and not following.over:  # somebody waits for it
            show(False) if as_json else click.echo(visible(opening(verdict)))

    with state_held(state, given["wait"]):
        machine = kept(Duel, state, settings)
        if (weight is None) != (machine.settings.max_weight is None):
            raise HoldfastError(
                "A stream of weighted rows needs --weight, and --max-weight: without the most that a row can weigh, "
                "known beforehand, no bet on it is safe."
            )
        answers = given["truth"], bool(given["pass_fail"]), missing, given["separator"], id_, given["labels"], weight
        reader = Answers(machine.settings, name, *answers)
        way = {"follow": bool(growing), "as_new": bool(given["as_new"]), "ids": id_ is not None}
        source = open_lines(file, name, machine, state, notice, **way)
        following = Following(machine, ("changed_after",), state, every, notice)  # then nothing can be claimed any more
        follow_stream(following, source, reader, show, as_json=bool(as_json), until_told=bool(growing), news=news)
    duel = following.watched
    write_markdown(duel.look)
    if page is not None or pictures:
        left_out = [reader.left_out] if reader.left_out else []
        Output(bool(as_json), page, pictures).write(duel.report(left_out).with_command(command_line()))
    return EXIT.get(duel.verdict.outcome, OPEN)


def _range(losses: str | None) -> tuple[float | None, float | None]:
    ends = listed("--losses", losses)
    if losses is not None and len(ends) != 2:
        raise HoldfastError(f"--losses takes the range of the loss as LOW,HIGH, such as 0,1; got {losses!r}.")
    return (float(ends[0]), float(ends[1])) if ends else (None, None)
