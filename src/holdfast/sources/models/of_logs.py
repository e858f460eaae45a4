"""The answers of several models from logs of evaluations: whether the runs may be compared, and joined by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design
from holdfast.predictions.grading import Values
from holdfast.sources.content import told
from holdfast.sources.formats import LOG, format_of
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.reading import runs_of, table_of_runs
from holdfast.sources.logs.run import Run
from holdfast.sources.models.model_columns import Several
from holdfast.sources.opening import files_of, matching, names_files
from holdfast.sources.selection import read_predictions
from holdfast.tally.panel.baseline import MODELS
from holdfast.tally.panel.beside import chosen_models
from holdfast.tally.panel.long_tables import panel_of_rows
from holdfast.wording import counted, listed, quoted


def runs_in(source: Any, asked: Asked) -> tuple[list[Run], list[str]] | None:
    """The runs in the logs that are named, and what they are called; None where these are no logs."""
    if isinstance(source, Mapping):
        return _by_name(source, asked)
    if not names_files(source):
        return None
    given = [source] if isinstance(source, (str, PathLike)) else [*source]
    if "-" in given:
        return None
    paths = [file for path in map(Path, given) for file in matching(path, told(path))]
    if not all(path.is_file() for path in paths):  # a pipe is read once, by whoever reads it
        return None
    kinds = [format_of(path, told(path)) is LOG for path in paths]
    if not any(kinds):
        return None
    if not all(kinds):
        log, other = (told(paths[kinds.index(each)]) for each in (True, False))
        raise HoldfastError(
            f"{log} is the log of an evaluation and {other} is none that is known; compare logs of one tool."
        )
    runs = runs_of(files_of(source, None, asked))
    return runs, named_apart(runs)


def _by_name(source: Mapping[Any, Any], asked: Asked) -> tuple[list[Run], list[str]] | None:
    """The same where each log stands under the name of its model."""
    paths = [*source.values()]
    if not all(isinstance(path, (str, PathLike)) for path in paths):
        return None
    each = [runs_in(path, asked) for path in paths]
    if any(one is None for one in each):
        return None
    found = [one[0] for one in each if one is not None]
    if several := [str(path) for path, runs in zip(paths, found, strict=True) if len(runs) > 1]:
        raise HoldfastError(f"{several[0]} holds several runs; give logs of several models by their paths alone.")
    return [run for runs in found for run in runs], [*map(str, source)]


def panel_against(rows: Predictions, baseline: Any) -> Panel:
    """The panel of a model and the one before it, of which this is a log, read as that of the model was."""
    (new,) = rows.runs
    before = runs_in(baseline, replace(new.asked, models=()))
    if before is None:
        raise HoldfastError(f"{new.source} is the log of an evaluation: give that of the model before, too.")
    if len(before[0]) != 1:
        raise HoldfastError(
            f"The baseline is one run; {listed([run.source for run in before[0]])} hold {len(before[0]):,}."
        )
    values = rows.values if new.values is not None else None
    how: dict[str, Any] = {"by": rows.group_names, "missing": rows.missing, "design": rows.design}
    return panel_of_logs([new, *before[0]], MODELS, cluster=new.cluster, values=values, **how)


def panel_of_logs(
    runs: Sequence[Run],
    names: Sequence[str],
    *,
    models: str | Sequence[str] | None = None,
    by: Sequence[str] = (),
    cluster: str | None = None,
    values: Values | None = None,
    missing: Missing = "refuse",
    design: Design | None = None,
) -> Panel:
    """The panel of runs on the same questions; several samples of a question count as one, by their share."""
    if models is not None:
        chosen = chosen_models(models, names)
        places = [[*names].index(name) for name in chosen]
        runs, names = [runs[place] for place in places], chosen
    if len(runs) < 2:
        raise HoldfastError(
            f"A comparison needs at least two models; {listed([run.source for run in runs])} holds one run."
        )
    refuse_incomparable(runs)
    table = table_of_runs(runs, listed([run.source for run in runs], 120), names)
    drawn = table.declared.get("cluster") if cluster is None else cluster
    beside = {} if drawn is None else {"cluster": drawn}
    beside |= {f"by_{place}": name for place, name in enumerate(by)}
    graded = {"value": "value"} if table.credit is not None else {}
    correct = None if graded else "correct"
    finder = Several("id", None, None, correct, None, beside, "model", [*names], **graded)
    credit = values if values is not None else table.credit or Values()
    rows = read_predictions(table, finder, missing, None, design or Design(), credit)
    panel = panel_of_rows(rows, models=[*names])
    notes = dict.fromkeys([*remarks(runs), *(note for run in runs for note in run.notes)])
    return panel._with(logs=rows.logs, notes=(*panel.notes, *notes))


NAMED = 3  # questions that a message names


def refuse_incomparable(runs: Sequence[Run]) -> None:
    """Refuse runs that did not answer the same, and say in what they differ."""
    for other in runs[1:]:
        if reasons := [*differences(runs[0], other)]:
            raise HoldfastError(
                f"{runs[0].source} and {other.source} cannot be compared: {'; '.join(reasons)}. A difference between "
                "them would not be one between the models."
            )


def differences(one: Run, other: Run) -> Iterator[str]:
    """In what two runs differ that must be the same, one sentence each."""
    if one.tool != other.tool:
        yield f"one is a log of {one.tool} and the other of {other.tool}"
        return
    if one.score_name != other.score_name:
        yield f"their scores are {quoted(one.score_name)} and {quoted(other.score_name)}"
    for what in dict.fromkeys([*one.alike, *other.alike]):
        first, second = one.alike.get(what), other.alike.get(what)
        if first != second and not (first is None or second is None):
            yield f"the {what} is {quoted(first)} in the first and {quoted(second)} in the second"
    if one.prompts is None or other.prompts is None:
        return
    known = {id_: prompt for id_, prompt in zip(one.ids, one.prompts, strict=True) if prompt is not None}
    both = [(id_, known[id_] == prompt) for id_, prompt in zip(other.ids, other.prompts, strict=True) if id_ in known]
    unlike = [*dict.fromkeys(id_ for id_, same in both if not same)]
    if unlike:
        number = len({id_ for id_, _ in both})
        have = "has" if len(unlike) == 1 else "have"
        yield (
            f"of the {counted(number, 'question')} in both, {len(unlike):,} {have} another {one.asked_of}, such as "
            f"{listed([each[:24] for each in unlike[:NAMED]])}"
        )


def remarks(runs: Sequence[Run]) -> Iterator[str]:
    """In what runs of one task were set otherwise: that may be the models' own, and may be another question."""
    for other in runs[1:]:
        one = runs[0]
        unlike = [
            f"{name} ({quoted(one.settings.get(name))} and {quoted(other.settings.get(name))})"
            for name in dict.fromkeys([*one.settings, *other.settings])
            if one.settings.get(name) != other.settings.get(name)
        ]
        if unlike:
            yield (
                f"{one.source} and {other.source} ran with other arguments of the task: {listed(unlike)}. Where these "
                "change what is asked, a difference is not one between the models."
            )


def named_apart(runs: Sequence[Run]) -> list[str]:
    """What each run is called: by its model, or where two are of one model by its file."""
    models = [run.model for run in runs]
    if len({*models}) == len(models):
        providers = {model.rpartition("/")[0] for model in models}  # which says nothing where all have the same
        return [model.rpartition("/")[2] for model in models] if len(providers) == 1 else models
    paths = [Path(run.source) for run in runs]
    for depth in range(1, max(len(path.parts) for path in paths) + 1):
        names = ["/".join([*path.parts[-depth:-1], path.name.removesuffix(path.suffix)]) for path in paths]
        if len({*names}) == len(names):
            return names
        both = [f"{model} ({name})" for model, name in zip(models, names, strict=True)]
        if len({*both}) == len(both):
            return both
    twice = next(name for name in both if both.count(name) > 1)
    same = [path for path, name in zip(paths, both, strict=True) if name == twice]
    raise HoldfastError(
        f"{listed([path.name for path in same])} in {quoted(str(same[0].parent), 200)} may be one run in two forms: "
        "their names do not tell them apart, and their model is the same. Name one file for each run."
    )
