"""Whether runs may be compared: the same task, version and data, and the same prompts row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.sources.logs.run import Run
from holdfast.wording import counted, listed, quoted

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
