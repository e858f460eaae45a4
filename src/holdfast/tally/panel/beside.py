"""What the items of a panel have beside the answers: the groups and strata they are of, and what they weigh."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from glob import has_magic
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers
from holdfast.predictions.coded import Coded, Held, spelled
from holdfast.predictions.design import Design
from holdfast.tally.groups import UNNAMED
from holdfast.tally.labels import ordered
from holdfast.wording import brief, listed, opening, quoted


def beside_answers(held: Held, by: Sequence[str], design: Design, source: str) -> dict[str, Any]:
    """Fields of a sheet, from the columns that rows have for them; groups are called by these names."""
    made: dict[str, Any] = {"design": design}
    if "cluster" in held.columns:
        made["clusters"] = held.labels("cluster").codes.astype(np.int64)
    if "weight" in held.columns:
        made["weights"] = checked_weights(held.numbers("weight"), design, source)
    if "stratum" in held.columns:
        made["strata"], made["stratum_names"] = strata_of(held.labels("stratum"))
    made["groups"] = {name: groups_of(held.labels(f"by_{place}")) for place, name in enumerate(by)}
    return made


def groups_of(column: Coded) -> tuple[tuple[str, ...], Integers]:
    """What the groups are called, in an order that no engine decides, and the place of each row's.

    Examples
    --------
    >>> from holdfast.predictions.arrays import read_labels
    >>> names, places = groups_of(read_labels("country", ["FR", None, "DE"]))
    >>> names, places.tolist()
    (('(none)', 'DE', 'FR'), [2, 0, 1])
    """
    values = [spelled(value) for value in column.distinct]
    names = ordered({*values, *([UNNAMED] if column.missing else [])}, None)
    rank = {value: place for place, value in enumerate(names)}
    return tuple(names), column.placed([rank[value] for value in values], rank.get(UNNAMED, 0))


def strata_of(column: Coded) -> tuple[Integers, tuple[str, ...]]:
    """The place of each row's stratum, -1 where it names none, and what strata are called."""
    values = [spelled(value) for value in column.distinct]
    names = sorted({*values})  # several spellings may be one stratum
    return column.placed([names.index(value) for value in values], -1), tuple(names)


def checked_weights(weights: Array, design: Design, source: str) -> Array:
    """The weights, if all that are there can be some, and none is more than was stated as the most."""
    known = weights[~np.isnan(weights)]
    strange = known[(known < (1.0 if design.inclusion is not None else 0.0)) | ~np.isfinite(known)]
    if strange.size:
        raise InvalidEvidence(
            f"A row of {brief(source, 80)} weighs {strange[0]:g}; weights are finite numbers from 0 on, and chances of "
            "being drawn at most 1."
        )
    if design.max_weight is not None and known.size and known.max() > design.max_weight:
        raise InvalidEvidence(
            f"A row weighs {known.max():g}, more than the {design.max_weight:g} that were stated as the most. The "
            "number must be known before looking; state one that no row can exceed, or none: max_weight= "
            "(--max-weight)."
        )
    if known.size and not known.sum() > 0:
        raise InvalidEvidence(f"The rows of {brief(source, 80)} weigh nothing: there is no row that counts.")
    return weights


MOST_MODELS = 5_000  # beyond it, a column of models is hardly one


def chosen_models(asked: str | Sequence[str] | None, known: Sequence[str], others: Collection[str] = ()) -> list[str]:
    """The names asked for, of those that there are: names with commas between them, patterns such as 'm_*', or a list.

    `others` may be named, but no pattern means them.

    Examples
    --------
    >>> chosen_models("beta,m_*", ["alpha", "beta", "m_1", "m_2"])
    ['beta', 'm_1', 'm_2']
    """
    if asked is None:
        return [*known]
    if isinstance(asked, str):
        asked = [asked] if asked in known or asked in others else [word.strip() for word in asked.split(",")]
    places, chosen = {*known, *others}, dict[str, None]()
    for name in map(str, asked):
        if name in chosen:
            raise HoldfastError(f"The model {quoted(name)} is named twice; a model compared with itself says nothing.")
        if name in places:
            chosen[name] = None
            continue
        if not has_magic(name):
            raise UnknownName("model", name, known)
        found = [each for each in known if fnmatchcase(each, name)]
        if not found:
            raise HoldfastError(f"No model matches the pattern {quoted(name)}; there are {listed([*known])}.")
        chosen |= dict.fromkeys(found)
    return [*chosen]


def check_several(models: Sequence[str], source: str, what: str = "models") -> None:
    """Refuse fewer than two models, or so many that they can hardly be models."""
    if len(models) < 2:
        told = f"only {quoted(models[0])}" if models else "none"
        raise InvalidEvidence(f"A comparison needs at least two {what}; in {brief(source, 120)} there is {told}.")
    if len(models) > MOST_MODELS:
        raise InvalidEvidence(
            f"{opening(brief(source, 120))} has {len(models):,} {what}, such as {quoted(models[0])}; at most "
            f"{MOST_MODELS:,} are compared. Is that the column of models?"
        )
