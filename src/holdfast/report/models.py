"""Claims about several models: each belongs to one of them, or to a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError, UnknownName

if TYPE_CHECKING:
    from holdfast.report import Line


def claim_of(lines: Sequence[Line], models: Sequence[str], measure: str, who: object, label: object) -> Claim:
    """The guaranteed claim about a model, or about a pair of them as a tuple; swapped, it is mirrored."""
    about = [line for line in lines if line.measure == measure]
    paired = any(line.against is not None for line in about)
    named = _named(who, models, paired, measure)
    found = [line for line in about if named in (None, _whose(line)) and _fits(line, label)]
    swapped = [line for line in about if named is not None and named == _whose(line)[::-1] and _fits(line, label)]
    if len({(_whose(line), line.label) for line in found}) > 1:
        example = about[0]
        asked = (example.model, example.against) if paired else example.model
        of = f", {example.label!r}" if example.label is not None else ""
        owner = "a pair of models" if paired else "a model"
        raise HoldfastError(f"{measure} belongs to {owner}: ask for report[{measure!r}, {asked!r}{of}].")
    claims = [line.claim for line in found] or [mirrored(line.claim) for line in swapped]
    if not claims and named is not None and not any({*named} == {*_whose(line)} for line in about):
        raise HoldfastError(
            "Of so many models not all pairs are told, and this one is not: ask for its counts and its p-value in "
            'report.views["pairs"], or compare fewer models.'
        )
    if not claims:
        groups = [line.group for line in about if line.group is not None]
        known = [line.label for line in about if line.label is not None]
        raise UnknownName("group" if groups else "class", label, [*dict.fromkeys(groups or known)])
    return next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), claims[0])


def _whose(line: Line) -> tuple[str | None, ...]:
    return (line.model,) if line.against is None else (line.model, line.against)


def _fits(line: Line, label: object) -> bool:
    """Whether it is of this class or group; of all examples, where none is named."""
    return line.group is None if label is None else str(label) in (line.label, line.group)


def _named(who: object, models: Sequence[str], paired: bool, measure: str) -> tuple[str | None, ...] | None:
    """The model or models asked for, as they are called."""
    if who is None:
        return None
    names = tuple(str(name) for name in who) if isinstance(who, (tuple, list)) else (str(who),)
    for name in names:
        if name not in models:
            raise UnknownName("model", name, models)
    if len(names) != (2 if paired else 1):
        wanted = f"({models[0]!r}, {models[1]!r})" if paired else repr(models[0])
        raise HoldfastError(
            f"{measure} belongs to {'two models' if paired else 'one model'}: ask for report[{measure!r}, {wanted}]."
        )
    return names


def mirrored(claim: Claim) -> Claim:
    """The difference the other way round."""
    estimate = None if claim.estimate is None else 0.0 - float(claim.estimate)  # never a negative nothing
    return replace(claim, estimate=estimate, lower=0.0 - float(claim.upper), upper=0.0 - float(claim.lower))
