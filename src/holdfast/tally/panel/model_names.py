"""Which models are meant, by their names or patterns of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from glob import has_magic

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.wording import brief, listed, opening, quoted

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
