"""The best that anybody can do against a rule of levels: backward induction over all data sets of a small size.

A law says how likely each kind of row is, and a kind says which models err on it. Whoever plays knows the law, and of
the data only what gates have answered. A gate is passed by at most `e` errors of a model, which takes the level
P(Bin(n, c) <= e) for a claim of "error rate at most c". Claims of a rate just below a model's own are false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, factorial, prod
from typing import Any

State = Any
Moves = Callable[[State], float]  # the most that a gate may spend
After = Callable[[State, float, bool], State]


@dataclass(frozen=True)
class Rule:
    """What a gate may spend in a state, and which state follows."""

    first: State
    most: Moves
    after: After


@dataclass(frozen=True)
class Law:
    """Kinds of rows with their chances; each kind says of every model whether it errs."""

    kinds: tuple[tuple[tuple[int, ...], float], ...]
    n: int

    @cached_property
    def sets(self) -> list[tuple[float, tuple[int, ...]]]:
        """Each data set by its chance and the errors of every model."""
        found = []
        models = len(self.kinds[0][0])
        for counts in _counts(self.n, len(self.kinds)):
            ways = factorial(self.n) / prod(map(factorial, counts))
            chance = ways * prod(p**k for k, (_, p) in zip(counts, self.kinds, strict=True))
            errors = [sum(k * errs[m] for k, (errs, _) in zip(counts, self.kinds, strict=True)) for m in range(models)]
            found.append((chance, tuple(errors)))
        return found

    def rate(self, model: int) -> float:
        return sum(p * errs[model] for errs, p in self.kinds)

    @property
    def models(self) -> range:
        return range(len(self.kinds[0][0]))


def best(law: Law, rule: Rule, gates: int) -> float:
    """The largest chance of a false claim called proven, over all strategies of so many gates."""
    sets = law.sets
    chances = [chance for chance, _ in sets]
    passing = {
        (model, e): sum(1 << i for i, (_, errors) in enumerate(sets) if errors[model] <= e)
        for model, e in product(law.models, range(law.n))
    }
    # A false claim is of a rate just below the model's own: then this is the least level that accepts e errors. A true
    # one may be of any higher rate, so that it accepts e errors at any level below the one that accepts e + 1 too.
    false = [(passing[m, e], _tail(e, law.n, law.rate(m))) for m, e in passing if law.rate(m) > 0]
    true = [(passing[m, e], _tail(e + 1, law.n, law.rate(m))) for m, e in passing]
    weights: dict[int, float] = {}
    known: dict[tuple[int, State, int], float] = {}

    def weight(mask: int) -> float:
        if mask not in weights:
            weights[mask] = sum(chance for i, chance in enumerate(chances) if mask >> i & 1)
        return weights[mask]

    def value(mask: int, state: State, left: int) -> float:
        if not left or not mask:
            return 0.0
        key = (mask, state, left)
        if key in known:
            return known[key]
        most, top = rule.most(state), 0.0
        for accepted, level in false:
            if level <= most:
                asked = weight(mask & accepted) + value(mask & ~accepted, rule.after(state, level, False), left - 1)
                top = max(top, asked)
        for accepted, highest in [] if left == 1 else true:
            for spent in (most / 4, most / 2, 3 * most / 4, most):
                if 0 < spent < highest:
                    asked = value(mask & accepted, rule.after(state, spent, True), left - 1)
                    asked += value(mask & ~accepted, rule.after(state, spent, False), left - 1)
                    top = max(top, asked)
        known[key] = top
        return top

    return value((1 << len(sets)) - 1, rule.first, gates)


def laws(n: int, chances: Sequence[float]) -> Iterator[Law]:
    """Two models that err together, apart, or never, as likely as these chances make of it; either may come first."""
    for both, first, second in product(chances, repeat=3):
        if first <= second and both + first + second < 1:
            rest = 1 - both - first - second
            yield Law((((1, 1), both), ((1, 0), first), ((0, 1), second), ((0, 0), rest)), n)


def coins(n: int, inputs: int) -> Law:
    """Labels that are tossed for each row, and every model that there is of so few inputs: all of them are guessing."""
    models = [*product((0, 1), repeat=inputs)]
    kinds = [tuple(int(model[x] != y) for model in models) for x in range(inputs) for y in (0, 1)]
    return Law(tuple((errs, 1 / len(kinds)) for errs in kinds), n)


def _tail(e: int, n: int, p: float) -> float:
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))


def _counts(n: int, kinds: int) -> Iterator[tuple[int, ...]]:
    if kinds == 1:
        yield (n,)
        return
    for k in range(n + 1):
        for rest in _counts(n - k, kinds - 1):
            yield (k, *rest)
