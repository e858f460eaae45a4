"""What is in these logs, what can be claimed from them, and what is missing or not comparable?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.arguments import check
from holdfast.errors import HoldfastError
from holdfast.report import Report
from holdfast.report.facts.listing import ExaminationFacts, ExaminedRun, ExaminedScore
from holdfast.sources.content import Files
from holdfast.sources.formats import LOG, format_of
from holdfast.sources.logs.asked import Asked, SeveralThings
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.models.of_logs import differences
from holdfast.sources.opening import files_of, names_files
from holdfast.verbs.provenance import recorded
from holdfast.wording import counted, listed, quoted, shown

CONFIDENCE = 0.95  # of what is said of the least error rate that can be proven
MOST_READ = 400  # combinations of tasks, filters and scores that are looked at


@recorded(without=("source",))
def doctor(source: Any, *, task: str | None = None, partial: bool = False) -> Report:
    """What is in logs of evaluations, what can be claimed from them, and what is missing or not comparable.

    Parameters
    ----------
    source
        The path of a log, a pattern or a folder; or a list of them.
    task
        The only task to look at.
    partial
        Whether runs that did not finish are looked at as far as they came.
    """
    check("doctor", "task", task, str | None)
    check("doctor", "partial", partial, bool)
    if not names_files(source):
        raise HoldfastError(f"doctor takes paths of logs of evaluations; got {shown(source)}.")
    several = not isinstance(source, (str, PathLike)) and len(source) > 1
    only = source[0] if isinstance(source, (list, tuple)) and len(source) == 1 else source
    files = files_of(only, None, Asked(task=task, partial=partial))
    for content, name in zip(files.contents, files.names, strict=True):
        if format_of(content, name) is not LOG:
            raise HoldfastError(f"{name} is no log of an evaluation that is known.")
    look = _Look()
    look.at(files)
    if not look.runs:
        raise HoldfastError(look.problems[0])
    examined = [_examined(runs) for runs in look.by_run()]
    facts = ExaminationFacts(
        runs=tuple(examined),
        claimable=tuple(dict.fromkeys(_claimable(runs[0]) for runs in look.by_run())),
        problems=tuple(dict.fromkeys([*look.problems, *_lost(look.runs), *_unlike(look.beside(several))])),
        notes=tuple(dict.fromkeys(note for run in look.runs for note in run.notes)),
        next=tuple(_next(files, look.by_run())),
    )
    return Report.of([], facts)


@dataclass
class _Look:
    """All that can be read of some logs: each task, filter and score in turn, and why the rest cannot."""

    runs: list[Run] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    read: int = 0

    def at(self, files: Files) -> None:
        """Whatever there are several of is looked at one by one."""
        self.read += 1
        if self.read > MOST_READ:
            return
        try:
            runs = runs_of(files)
        except SeveralThings as several:
            for name in several.names:
                self.at(files._replace(asked=files.asked.naming(several.kind, name)))
            return
        except HoldfastError as error:
            self.problems.append(str(error))
            return
        self.runs += runs
        for option, name in dict.fromkeys((run.option, other) for run in runs for other in run.others):
            if getattr(files.asked, option) is None:
                try:
                    self.runs += runs_of(files._replace(asked=files.asked.naming(option, name)))
                except HoldfastError as error:
                    self.problems.append(str(error))

    def by_run(self) -> list[list[Run]]:
        """The scores of each run together, the one that is taken first."""
        by_run: dict[tuple[str, str, str], list[Run]] = {}
        for run in self.runs:
            by_run.setdefault((run.source, run.task, run.model), []).append(run)
        return [*by_run.values()]

    def beside(self, several: bool) -> list[list[Run]]:
        """Of each task and score the runs that may be compared; of several logs that share none, all."""
        alike_by: dict[tuple[str, str], list[Run]] = {}
        for run in self.runs:
            alike_by.setdefault((run.task, run.score_name), []).append(run)
        alike = [runs for runs in alike_by.values() if len(runs) > 1]
        return alike if alike or not several else [[runs[0] for runs in self.by_run()]]


def _examined(runs: Sequence[Run]) -> ExaminedRun:
    first = runs[0]
    return ExaminedRun(
        log=first.source,
        tool=first.tool,
        version=first.version,
        task=first.task,
        model=first.model,
        samples=len(first.ids),
        questions=first.questions,
        clusters=_clusters(first),
        cluster=first.cluster,
        groups=first.divisions,
        scores=tuple(
            ExaminedScore(
                name=run.score_name,
                kind=_kind(run),
                scored=len(run.ids) - sum(run.missing.values()),
                missing=run.missing,
                taken=run.by_headline or len(runs) == 1,
            )
            for run in runs
        ),
    )


def _kind(run: Run) -> str:
    if run.values is None:
        return "right or wrong"
    if run.values.levels:
        return f"one of {listed([f'{level:g}' for level in run.values.levels])}"
    return "a number"


def _clusters(run: Run) -> int | None:
    return None if run.cluster not in run.groups else len({*run.groups[str(run.cluster)]})


def _claimable(run: Run) -> str:
    """What can be proven at best: no method that holds at every sample size does better without a single error."""
    clusters = _clusters(run)
    draws, what = (run.questions, "question") if clusters is None else (clusters, "cluster")
    least = 1.0 - (1.0 - CONFIDENCE) ** (1.0 / draws)
    repeats = len(run.ids) / run.questions
    again = "" if repeats == 1 else f"; that each was asked {repeats:.3g} times makes it no more"
    return (
        f"{quoted(run.task)}: what counts are {counted(draws, what)}{again}. Even without a single error no error rate "
        f"below {100 * least:.2g} % could be proven with {100 * CONFIDENCE:g} % confidence."
    )


def _lost(runs: Sequence[Run]) -> Iterator[str]:
    """Samples without a score: scores with the same denominator together."""
    names_by: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        if run.missing:
            names_by.setdefault((run.source, f"{run.counts()} ({run.lost()})"), []).append(run.score_name)
    for (source, counts), names in names_by.items():
        yield f"{Path(source).name}, by {listed(names)}: {counts}."


def _unlike(each: Sequence[Sequence[Run]]) -> Iterator[str]:
    """Runs that cannot be compared, and questions that only one of two has."""
    for runs in each:
        for other in runs[1:]:
            for reason in differences(runs[0], other):
                yield f"{Path(runs[0].source).name} and {Path(other.source).name} cannot be compared: {reason}."
            alone = [{*runs[0].ids} - {*other.ids}, {*other.ids} - {*runs[0].ids}]
            for run, ids in zip((runs[0], other), alone, strict=True):
                if ids:
                    yield f"{counted(len(ids), 'question')} of {quoted(run.task)} only {Path(run.source).name} has."


def _next(files: Files, each: Sequence[Sequence[Run]]) -> Iterator[str]:
    """The command that asks of the logs what they can answer."""
    first = each[0][0]
    option = "" if first.by_headline or not first.others else _flag(first.option, first.score_name.split(",")[0])
    option += "".join(_flag(name, str(value)) for name in ("filter", "split") if (value := getattr(first.asked, name)))
    task = "" if len({runs[0].task for runs in each}) == 1 else _flag("task", first.task)
    missing = _flag("missing", "wrong") if any(runs[0].missing for runs in each) else ""
    models = {runs[0].model for runs in each if runs[0].task == first.task}
    verb = "compare" if len(models) > 1 else "assess"
    logs = " ".join(files.names) if len(files.names) <= 2 else files.name
    yield f"holdfast {verb} {logs}{task}{option}{missing}"


def _flag(name: str, value: str) -> str:
    return f" --{name} {value}"
