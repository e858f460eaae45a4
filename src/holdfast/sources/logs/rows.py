"""Samples one by one, as most tools keep them, made into a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import spelled
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.run import UNSCORED, Run
from holdfast.sources.logs.scores import Scores, kind_of
from holdfast.wording import quoted


def mapping(value: Any, what: str, source: str) -> dict[str, Any]:
    """A value that holds others by their names."""
    if not isinstance(value, dict):
        raise HoldfastError(f"{source} should hold fields in {what}; found {quoted(value)}. It may be damaged.")
    return value


def sequence(value: Any, what: str, source: str) -> list[Any]:
    """A value that holds others in their order."""
    if not isinstance(value, list):
        raise HoldfastError(f"{source} should hold a list of {what}; found {quoted(value)}. It may be damaged.")
    return value


def text(value: Any) -> str | None:
    """A value as text; None where there is none."""
    return None if value is None or isinstance(value, (dict, list)) else str(value)


LONGEST_GROUP = 200  # characters of a value that may name a group


class Row(NamedTuple):
    """One sample: the question, its score as the log has it, and why there is none."""

    id: str
    value: Any
    reason: str = UNSCORED  # why it has no score, where it has none
    groups: Mapping[str, Any] = {}
    repeat: int = 1
    prompt: Any = None


def run_of(
    rows: Sequence[Row],
    asked: Asked,
    *,
    names: Sequence[str] = (),
    headline: str | None = None,
    right_or_wrong: bool = False,
    longest: int = LONGEST_GROUP,
    **known: Any,
) -> Run:
    """The run of these samples, and what else is known of it: the names of all scores, and of the log's own headline.

    A value that is longer than the `longest` names no group.
    """
    chosen = known["score_name"]
    known = {"others": tuple(name for name in names if name != chosen), "by_headline": chosen == headline, **known}
    scores = Scores.of([row.value for row in rows], chosen, known["source"], right_or_wrong, asked.graded)
    lacking = (scores.numbers != scores.numbers).tolist()
    keys = [*dict.fromkeys(key for row in rows for key in row.groups)]
    groups = {key: [group_name(row.groups.get(key), longest) for row in rows] for key in keys}
    prompts = [row.prompt for row in rows]
    return Run(
        ids=[row.id for row in rows],
        repeats=[row.repeat for row in rows],
        scores=scores,
        errors=[row.reason if none else None for row, none in zip(rows, lacking, strict=True)],
        groups={key: column for key, column in groups.items() if any(each is not None for each in column)},
        prompts=None if all(each is None for each in prompts) else prompts,
        **known,
    )


def group_name(value: Any, longest: int = LONGEST_GROUP) -> str | None:
    """A value as the name of a group; long texts, lists and mappings are none."""
    if value is None or isinstance(value, (dict, list)):
        return None
    name = spelled(value)
    return name if len(name) <= longest else None


def is_number(value: Any) -> bool:
    """Whether a cell may be a score: a number, true or false, a word for either, or nothing."""
    return kind_of(value) in ("number", "logical", "word", "nothing") and not (
        isinstance(value, str) and kind_of(value) == "number"
    )
