"""The schemes by their names: how each of them makes splits, and which options it listens to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError
from holdfast.resampling.plans import Labels, class_codes, count, group_codes, share
from holdfast.resampling.splits import Drawn, Growing, Parts, Splits

STREAM = int.from_bytes(b"rows", "big")  # keeps these draws apart from all others that begin with the same seed


def chance(seed: int, repeat: int = 0) -> np.random.Generator:
    """The draws of one repeat: those of the first do not depend on how many follow."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(STREAM, repeat))))


def dealt(rows: int, parts: int, repeats: int, seed: int, codes: NDArray[Any] | None = None) -> NDArray[Any]:
    """Rows in parts of sizes that differ by one at most; with codes, so do the rows of each code.

    Rows are shuffled, laid out code by code and dealt like cards; which part comes first is drawn as well.
    """
    places = np.empty((repeats, rows), kind(parts))
    for repeat, line in enumerate(places):
        draw = chance(seed, repeat)
        order = draw.permutation(rows)
        if codes is not None:
            order = order[np.argsort(codes[order], kind="stable")]
        line[order] = draw.permutation(parts)[np.arange(rows) % parts]
    return places


def dealt_whole(codes: NDArray[Any], parts: int, repeats: int, seed: int) -> NDArray[Any]:
    """Groups in parts, none of them divided: numbers of groups differ by one at most.

    They are dealt like rows, without a look at their sizes: parts made equal by sizes would be no random samples of
    groups, and what is seen on them would promise nothing.
    """
    return dealt(int(codes.max()) + 1, parts, repeats, seed)[:, codes]


def drawn(rows: int, rounds: int, seed: int, left_out: bool = True, first: int = 0) -> NDArray[Any]:
    """How often each row was drawn when as many rows as there are were drawn with replacement, round by round.

    With `left_out` a round that happens to draw every row is drawn again: there would be nothing to test on.
    """
    counts = np.empty((rounds, rows), np.uint32)
    for number, line in enumerate(counts):
        draw = chance(seed, first + number)
        line[:] = np.bincount(draw.integers(0, rows, rows), minlength=rows)
        while left_out and line.all():
            line[:] = np.bincount(draw.integers(0, rows, rows), minlength=rows)
    return counts.astype(np.min_scalar_type(int(counts.max())))


def kind(parts: int) -> np.dtype[Any]:
    """The smallest whole numbers that tell so many parts apart."""
    return np.min_scalar_type(max(parts - 1, 0))


FOLDS, REPEATS, ROUNDS, TEST_SHARE = 10, 1, 50, 0.3


@dataclass(frozen=True)
class Asked:
    """What splits are to be made of; an option that the scheme does not listen to has its usual value."""

    labels: Labels
    seed: int
    folds: int = FOLDS
    repeats: int = REPEATS
    rounds: int = ROUNDS
    test_share: float = TEST_SHARE
    groups: Any = None
    in_order: bool = False

    @property
    def rows(self) -> int:
        return self.labels.rows


@dataclass(frozen=True)
class Scheme:
    """What it does, in a line; how it does it; and which options it listens to."""

    told: str
    make: Callable[[Asked], Splits]
    takes: tuple[str, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()  # options with the one value that they can have
    stratified: bool = False
    grouped: bool = False
    random: bool = True

    @property
    def blind(self) -> bool:
        """Whether the labels have no say in who tests what."""
        return not self.stratified


def resubstitution(asked: Asked) -> Splits:
    return Drawn(np.ones((1, asked.rows), np.uint8), np.ones(asked.rows, np.bool_))


def monte_carlo(asked: Asked) -> Splits:
    return _parted(asked, count("rounds", asked.rounds, 1))


def hold_out(asked: Asked) -> Splits:
    return _parted(asked, 1)


def _parted(asked: Asked, rounds: int) -> Splits:
    """Rows in two parts, the second of which tests."""
    number = share("test_share= (--test-share)", asked.test_share, asked.rows)
    steps = np.arange(asked.rows) < number
    return Parts(ordered(steps.astype(np.uint8), rounds, asked.seed), np.array([[1, 1]]))


def k_fold(asked: Asked) -> Splits:
    folds = _folds(asked)
    return Parts(dealt(asked.rows, folds, asked.repeats, asked.seed), _each(folds))


def stratified(asked: Asked) -> Splits:
    folds = _folds(asked)
    return Parts(dealt(asked.rows, folds, asked.repeats, asked.seed, class_codes(asked.labels, folds)), _each(folds))


def grouped(asked: Asked) -> Splits:
    folds = _folds(asked)
    return Parts(
        dealt_whole(group_codes(asked.groups, asked.rows, folds), folds, asked.repeats, asked.seed), _each(folds)
    )


def leave_one_out(asked: Asked) -> Splits:
    rows = _enough(asked.rows, 2, "Leave-one-out")
    return Parts(np.arange(rows, dtype=kind(rows))[np.newaxis], _each(rows))


def five_by_two(asked: Asked) -> Splits:
    return Parts(dealt(_enough(asked.rows, 2, "5x2"), 2, 5, asked.seed), _each(2))


def nested(asked: Asked) -> Splits:
    """Of each repeat first the folds one by one, then every pair of them."""
    folds = _folds(asked, least=3)
    held = np.concatenate([_each(folds), np.stack(np.triu_indices(folds, 1), axis=1)])
    return Parts(dealt(asked.rows, folds, asked.repeats, asked.seed), held)


def bootstrap(asked: Asked) -> Splits:
    rows = _enough(asked.rows, 2, "A bootstrap that tests on the rows left out")
    return Drawn(drawn(rows, count("rounds", asked.rounds, 1), asked.seed))


def bootstrap_all(asked: Asked) -> Splits:
    samples = drawn(asked.rows, count("rounds", asked.rounds, 1), asked.seed, left_out=False)
    return Drawn(samples, np.ones(asked.rows, np.bool_))


def progressive(asked: Asked) -> Splits:
    """Blocks of sizes that differ by one at most: the first trains only."""
    blocks = count("folds", asked.folds, 1)
    rows = _enough(asked.rows, blocks + 1, f"Progressive validation with {blocks:,} folds")
    if asked.in_order and asked.repeats > 1:
        raise HoldfastError(
            "Rows taken in their order give the same splits every time; leave repeats= (--repeats) out."
        )
    steps = np.arange(rows) * (blocks + 1) // rows
    parts = steps[np.newaxis].astype(kind(blocks + 1)) if asked.in_order else ordered(steps, asked.repeats, asked.seed)
    start = np.arange(1, blocks + 1)
    return Growing(parts, start, start + 1)


def ordered(steps: NDArray[Any], lines: int, seed: int) -> NDArray[Any]:
    """The steps given to rows in random order, on each line another."""
    parts = np.empty((lines, len(steps)), kind(int(steps.max()) + 1))
    for number, line in enumerate(parts):
        line[chance(seed, number).permutation(len(steps))] = steps
    return parts


def _each(folds: int) -> NDArray[Any]:
    return np.repeat(np.arange(folds, dtype=kind(folds)), 2).reshape(folds, 2)


def _folds(asked: Asked, least: int = 2) -> int:
    folds = count("folds", asked.folds, least)
    if folds > asked.rows:
        raise HoldfastError(f"{folds:,} folds need at least {folds:,} rows; there are {asked.rows:,}. Ask for fewer.")
    return folds


def _enough(rows: int, least: int, who: str) -> int:
    if rows < least:
        raise HoldfastError(f"{who} needs at least {least:,} rows; there {'is' if rows == 1 else 'are'} {rows:,}.")
    return rows


SCHEMES = {
    "resubstitution": Scheme("train and test on all rows: hopelessly optimistic", resubstitution, random=False),
    "hold-out": Scheme("train on some rows, test on the others, once", hold_out, ("test_share",)),
    "kfold": Scheme("each fold is tested on by what the others trained", k_fold, ("folds", "repeats")),
    "stratified": Scheme("folds with equal shares of every class", stratified, ("folds", "repeats"), stratified=True),
    "grouped": Scheme("folds that divide no group", grouped, ("folds", "repeats", "groups"), grouped=True),
    "leave-one-out": Scheme("each row is tested on by what all others trained", leave_one_out, random=False),
    "monte-carlo": Scheme("a hold-out again and again, each time drawn anew", monte_carlo, ("rounds", "test_share")),
    "bootstrap": Scheme("train on rows drawn with replacement, test on those never drawn", bootstrap, ("rounds",)),
    "bootstrap-all": Scheme(
        "train on rows drawn with replacement, test on all rows: optimistic", bootstrap_all, ("rounds",)
    ),
    "5x2": Scheme("two halves, five times over", five_by_two, fixed=(("folds", 2), ("repeats", 5))),
    "nested": Scheme("folds left out one by one, then two by two", nested, ("folds", "repeats")),
    "progressive": Scheme(
        "each block is tested on by what all before it trained", progressive, ("folds", "repeats", "in_order")
    ),
}
