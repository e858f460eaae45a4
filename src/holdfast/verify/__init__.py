"""Does a method keep its promise? By enumeration where it can be counted out, by seeded simulation elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from holdfast.catalog import Bound, find
from holdfast.claims import Coverage, Guarantee, Side
from holdfast.errors import UnfitMethod
from holdfast.evidence import Counts, Losses
from holdfast.verify.exact import coverage, coverage_curve, coverage_curves, worst_coverage, worst_coverages
from holdfast.verify.learners import LEARNERS, crossed_coverages, needs_folds
from holdfast.verify.simulated import LAWS, all_sizes, drawn_coverages, laws_for, one_level, pairs, simulated_coverage

__all__ = [
    "LAWS",
    "checks",
    "coverage",
    "coverage_curve",
    "coverage_curves",
    "number_of_checks",
    "promise_kept",
    "simulated_coverage",
    "verify",
    "worst_coverage",
]


def verify(
    method: str | Bound,
    n: int | Iterable[int] = 100,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> list[Coverage]:
    """Every check of this method's promise: by enumeration for counts, by seeded simulation elsewhere.

    Enumeration covers every n given, simulation the smallest and the largest.
    """
    return list(checks(method, n, confidence=confidence, delta=delta, side=side, repeats=repeats, seed=seed))


def checks(
    method: str | Bound,
    n: int | Iterable[int],
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> Iterator[Coverage]:
    """The same, one at a time, for whoever shows progress."""
    bound, level, sizes = find(method), one_level(confidence, delta), all_sizes(n)
    if bound.parameters:
        raise UnfitMethod(f"{bound.name} needs {', '.join(bound.parameters)}; its promise is tested by enumeration.")
    if not {Counts, Losses} & {*bound.takes} and not pairs(bound) and not needs_folds(bound):
        kinds = " or ".join(kind.__name__ for kind in bound.takes)
        raise UnfitMethod(f"{bound.name} takes {kinds}, which no law here draws; the tests try what it promises.")
    if Counts in bound.takes:
        yield from worst_coverages(bound, sizes, level, side)
    for size in _ends(sizes):
        if Losses in bound.takes:
            for law in laws_for(bound):
                yield simulated_coverage(bound, size, law, delta=level, side=side, repeats=repeats, seed=seed)
        elif needs_folds(bound):
            yield from crossed_coverages([bound], size, level, side, repeats, seed)
        elif Counts not in bound.takes:
            yield from drawn_coverages(bound, size, level, side, repeats, seed)


def number_of_checks(method: str | Bound, n: int | Iterable[int]) -> int:
    """How many results `checks` will give."""
    bound, sizes = find(method), all_sizes(n)
    if not {Counts, Losses} & set(bound.takes):
        return len(_ends(sizes)) * (len(LEARNERS) if needs_folds(bound) else len(pairs(bound)))
    return len(sizes) * (Counts in bound.takes) + len(_ends(sizes)) * (Losses in bound.takes) * len(laws_for(bound))


def _ends(sizes: Sequence[int]) -> list[int]:
    """The smallest and the largest: simulation is dear, and promises break first at small n."""
    return sorted({min(sizes), max(sizes)})


def promise_kept(method: str | Bound, results: Iterable[Coverage]) -> bool:
    """Whether nothing speaks against a FINITE promise; other methods promise nothing at a given n."""
    return find(method).guarantee is not Guarantee.FINITE or all(result.kept for result in results)


class _Verb(ModuleType):
    """`holdfast.verify` is both this module and the verb in it: whichever is imported first, it can be called."""

    def __call__(self, *arguments: Any, **options: Any) -> list[Coverage]:
        return verify(*arguments, **options)


sys.modules[__name__].__class__ = _Verb
