"""What a threshold shall prove: one rate of at least so much, or the least expected cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.errors import HoldfastError
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.costs import Costs
from holdfast.wording import listed

COST = "cost"


@dataclass(frozen=True)
class Wish:
    """What shall be proven."""

    word: str  # sensitivity, specificity, precision or cost
    at_least: float = 0.0
    costs: Costs | None = None
    candidates: Array | None = None  # the only thresholds that come into question

    @property
    def condition(self) -> str:
        return f"{self.word} at least {self.at_least:.15g}" if self.costs is None else "least expected cost"

    @property
    def of_classes(self) -> bool:
        """Whether it changes with how frequent the classes are."""
        return self.word in ("precision", COST)


def wish_for(rates: dict[str, float | None], costs: Costs | None, candidates: Sequence[float] | Array | None) -> Wish:
    """The one thing that was asked for."""
    given = {word: value for word, value in rates.items() if value is not None}
    if costs is not None and not isinstance(costs, Costs):
        raise HoldfastError(
            f"costs= takes hf.Costs(matrix, labels, rows=...) or hf.read_costs(file); got {shown(costs)}."
        )
    words = [*given, *([COST] if costs is not None else [])]
    if len(words) != 1:
        raise HoldfastError(
            "Say what the threshold shall prove: one of sensitivity, specificity and precision at least ..., or costs= "
            f"(--costs) for the least expected cost; got {' and '.join(words) or 'nothing'}. Two at once would need a "
            "compromise that only you can make."
        )
    tried = None if candidates is None else _thresholds(candidates)
    if costs is not None:
        return Wish(COST, costs=costs, candidates=tried)
    ((word, value),) = given.items()
    number = numbers(f"{word} at least", value)
    if number.ndim or not 0 < number < 1:
        hint = f" Did you mean {float(number) / 100:g}?" if not number.ndim and 1 < number < 100 else ""
        raise HoldfastError(f"{word} at least must be one number strictly between 0 and 1; got {shown(value)}.{hint}")
    return Wish(word, float(number), candidates=tried)


def _thresholds(given: Sequence[float] | Array) -> Array:
    tried = numbers("candidates", given)
    if tried.ndim != 1 or not tried.size:
        raise HoldfastError(f"candidates needs one threshold or more, in a row; got {shown(given)}.")
    return tried


def two_labels(wish: Wish, label: str, classes: Sequence[str]) -> tuple[str, str]:
    """The class and the other one, which costs are about."""
    assert wish.costs is not None
    named = [wish.costs.labels[place] for place in wish.costs.truths]
    others = [name for name in dict.fromkeys((*classes, *named)) if name != label]
    if label not in named or len(others) != 1 or len(named) != 2:
        raise HoldfastError(
            f"A threshold says {label} or not: its costs are those of two labels, {label} and one other. The data hold "
            f"{listed([*classes])}, the costs are given for {listed(named)}."
        )
    return label, others[0]
