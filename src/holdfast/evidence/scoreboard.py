"""One score of each of several models on each of several data sets, checked once and then trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal, Self, get_args

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.numerics.arrays import Array
from holdfast.wording import listed, opening, quoted

Better = Literal["higher", "lower"]
Missing = Literal["refuse", "drop"]
DIGITS = 12  # of a score that count: what arithmetic does to the digits beyond must neither make nor break a tie


@dataclass(frozen=True, eq=False)
class Scoreboard:
    """The scores of models (across) on data sets (down), and which way is better."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: Array
    better: Better
    measure: str | None = None
    dropped: tuple[str, ...] = ()  # data sets left out because some model has no score there
    assumed: bool = False  # whether nobody said which way is better

    @classmethod
    def of(
        cls,
        scores: Array,
        models: Sequence[str],
        datasets: Sequence[str],
        *,
        better: Better,
        assumed: bool = False,
        measure: str | None = None,
        missing: str = "refuse",
        source: str = "the table",
    ) -> Self:
        """The table, if it is one: a finite score in every cell, or none where data sets may be dropped.

        Examples
        --------
        >>> board = Scoreboard.of(np.array([[0.9, 0.8], [0.7, np.nan]]), ["a", "b"], ["iris", "wine"],
        ...                       better="higher", missing="drop")
        >>> board.datasets, board.dropped
        (('iris',), ('wine',))
        """
        if missing not in get_args(Missing):
            raise HoldfastError(
                f'missing= (--missing) says what to do where a score is missing: "refuse" or "drop"; '
                f"got {quoted(missing)}."
            )
        if better not in get_args(Better):
            raise HoldfastError(
                f'better= (--better) is "higher" or "lower": which scores are better; got {quoted(better)}.'
            )
        values = np.asarray(scores, np.float64)
        rows, columns = len(datasets), len(models)
        if values.shape != (rows, columns):
            raise InvalidEvidence(
                f"The scores should have one row a data set and one column a model, {rows:,} by {columns:,}; "
                f"they have the shape {values.shape}."
            )
        if columns < 2:
            raise InvalidEvidence(
                f"A comparison needs two models or more; {source} has {listed([*models]) or 'none'}. "
                "Say which columns are models with models= (--models)."
            )
        _check_distinct("model", models, source)
        _check_distinct("data set", datasets, source)
        endless = np.argwhere(np.isinf(values))
        if len(endless):
            row, column = endless[0]
            raise InvalidEvidence(
                f"{opening(source)} has an infinite score, of {quoted(models[column])} on {quoted(datasets[row])}; "
                "a score needs to be a finite number."
            )
        whole = np.asarray(~np.isnan(values).any(axis=1))
        if not whole.all() and missing == "refuse":
            raise _holes(values, models, datasets, source)
        if not whole.any():
            reason = "every data set lacks the score of some model" if rows else "it has no data sets"
            raise InvalidEvidence(f"Nothing can be compared: {source} has no full row of scores, for {reason}.")
        kept = tuple(name for name, full in zip(datasets, whole, strict=True) if full)
        dropped = tuple(name for name, full in zip(datasets, whole, strict=True) if not full)
        return cls(tuple(models), kept, values[whole], better, measure, dropped, assumed)

    @property
    def n(self) -> int:
        return len(self.datasets)

    @property
    def pairs(self) -> tuple[Array, Array]:
        """The places of the first and of the second model of every pair."""
        return np.triu_indices(len(self.models), 1)

    @cached_property
    def losses(self) -> Array:
        """The scores turned so that lower is better, to twelve digits of the largest score on the data set."""
        turned = self.scores if self.better == "lower" else -self.scores
        return rounded(turned, np.abs(turned).max(axis=1, keepdims=True))

    @cached_property
    def differences(self) -> Array:
        """Loss of the first minus the second model, a column a pair: negative where the first is better."""
        first, second = self.pairs
        top = np.maximum(np.abs(self.losses[:, first]), np.abs(self.losses[:, second]))
        with np.errstate(over="ignore"):  # the largest numbers that there are: their difference is the largest, too
            gaps = np.nan_to_num(self.losses[:, first] - self.losses[:, second])
        return rounded(gaps, top)

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the table, whatever the order of its rows and columns."""
        across = sorted(range(len(self.models)), key=self.models.__getitem__)
        down = sorted(range(self.n), key=self.datasets.__getitem__)
        digest = sha256(b"holdfast scoreboard 1\n")
        for name in [*(self.models[place] for place in across), *(self.datasets[place] for place in down)]:
            coded = name.encode("utf-8", "surrogatepass")
            digest.update(len(coded).to_bytes(8, "little") + coded)
        digest.update((self.scores[np.ix_(down, across)] + 0.0).astype("<f8").tobytes())  # -0.0 is 0.0
        return digest.hexdigest()


def rounded(values: Array, scale: Array) -> Array:
    """The values to so many decimals that twelve digits of a number as large as `scale` are kept.

    Decimals, not bits: then 0.85 - 0.80 and 0.90 - 0.85 are both 0.05, as people mean them.
    """
    with np.errstate(divide="ignore"):
        decimals = DIGITS - 1 - np.floor(np.log10(scale))
    decimals = np.where(np.isfinite(decimals), decimals, 0.0)
    left, right = 10.0 ** np.clip(decimals, 0, 300), 10.0 ** np.clip(-decimals, 0, 300)
    with np.errstate(over="ignore"):
        nearest = np.rint(values * left / right) / left * right
    return np.where(np.isfinite(nearest) & (np.abs(decimals) <= 300), nearest, values) + 0.0


def _check_distinct(kind: str, names: Sequence[str], source: str) -> None:
    for name, often in Counter(names).most_common(1):
        if often > 1:
            raise InvalidEvidence(
                f"{opening(source)} has {often:,} {kind}s named {quoted(name)}; each should stand there once. "
                "Average or rename them first."
            )
    for name in names:
        if not name.strip():
            raise InvalidEvidence(f"{opening(source)} has a {kind} without a name; name it.")


def _holes(values: Array, models: Sequence[str], datasets: Sequence[str], source: str) -> InvalidEvidence:
    """How many scores are missing, where, and what to do."""
    holes = np.isnan(values)
    row, column = np.argwhere(holes)[0]
    lacking, number = int(holes.any(axis=1).sum()), int(holes.sum())
    scores = "1 score is missing" if number == 1 else f"{number:,} scores are missing"
    worst = int(np.argmax(holes.sum(axis=0)))
    return InvalidEvidence(
        f"{scores} in {source}, on {lacking:,} of {len(datasets):,} data sets (most often that of "
        f"{quoted(models[worst])}; first, that of {quoted(models[column])} on {quoted(datasets[row])}). "
        'Fill them in, leave a model out, or drop these data sets with missing="drop" (--missing drop).'
    )
