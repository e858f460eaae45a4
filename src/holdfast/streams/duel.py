"""Two models on a stream: bets on either of them, and what they prove at every moment."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import exp
from sys import float_info
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import AnyProcedure
from holdfast.claims import Assumption, Claim, PValue, check_delta
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Losses, numbers, shown, whole
from holdfast.streams.bets import DifferenceSequence, PairSequence, paired_bets, sequential_bets
from holdfast.streams.losses import betting_sequence
from holdfast.streams.machine import Batch, StateMachine

SCHEMA = "holdfast/duel-state/2"
Sequence = PairSequence | DifferenceSequence


@dataclass(frozen=True)
class Settings:
    """What a duel was made for; it cannot be changed on the way, or the promise would not hold."""

    names: tuple[str, str] = ("first", "second")
    delta: float = 0.05
    margin: float = 0.0
    low: float = 0.0
    high: float = 1.0
    losses: bool = False
    max_weight: float | None = None  # the most that an example can weigh, where they weigh differently

    def __post_init__(self) -> None:
        if len(self.names) != 2 or not all(isinstance(name, str) and name for name in self.names):
            raise HoldfastError(f"A duel is between two models with a name each; got {shown(self.names)}.")
        if self.names[0] == self.names[1]:
            raise HoldfastError(f"A duel needs two names to tell the models apart; got {shown(self.names[0])} twice.")
        for name in ("delta", "margin", "low", "high"):
            if numbers(name, value := getattr(self, name)).ndim:
                raise HoldfastError(f"A duel takes one number for {name}; got {shown(value)}.")
        check_delta(self.delta)
        if self.max_weight is not None and not 0 < float(numbers("max_weight", self.max_weight)) < np.inf:
            raise HoldfastError(
                "max_weight= (--max-weight), the most that a row can weigh, must be a number above 0; got "
                f"{shown(self.max_weight)}."
            )
        if not (self.low < self.high and np.isfinite(self.high - self.low)):
            raise HoldfastError(f"A duel needs low < high; got {self.low:g} and {self.high:g}.")
        if not self.losses and (self.low, self.high) != (0.0, 1.0):
            raise HoldfastError(
                "low and high are the range of a loss, and this duel counts right answers; for losses "
                "add losses=True (--losses LOW,HIGH)."
            )
        if not 0 <= self.margin < self.range:
            raise HoldfastError(
                f"The margin is a difference too small to matter, from 0 to below {self.range:g}, "
                f"the most there can be; got {self.margin:g}."
            )

    @property
    def range(self) -> float:
        """The most by which one model can be better on an example."""
        return self.high - self.low

    def start(self) -> Sequence:
        """The sequence before the first example."""
        if self.losses or self.max_weight is not None:
            return DifferenceSequence.start(self.delta, self.margin / self.range, self.max_weight is not None)
        return PairSequence(self.delta)

    def batch(
        self, pairs: dict[str, ArrayLike | None], counts: dict[str, ArrayLike | None], weight: ArrayLike | None = None
    ) -> Batch:
        """What was given, checked, one element a look."""
        if (weight is None) != (self.max_weight is None):
            raise HoldfastError(
                "What examples weigh needs the most that one can, known beforehand: give both, max_weight= "
                "(--max-weight) to hf.sequential and the weight of each example to update(first=..., second=..., "
                "weight=...)."
            )
        given = {name for name, value in {**pairs, **counts}.items() if value is not None}
        if given == set(pairs):
            first, second = (self._checked(name, value) for name, value in pairs.items())
            if first.shape != second.shape:
                raise HoldfastError(
                    f"Both models need an answer to each example; got {first.size:,} of the first and "
                    f"{second.size:,} of the second."
                )
            if weight is not None:
                return self._weighted(first - second if self.losses else second - first, weight)
            if self.losses:
                return (first - second,)
            won, lost = (first > second).astype(np.int64), (first < second).astype(np.int64)
            return won, lost, np.ones_like(won)
        if given == set(counts) and not self.losses and weight is None:
            return self._counted(*(whole(name, np.atleast_1d(value)) for name, value in counts.items()))  # type: ignore[arg-type]
        if self.losses:
            raise HoldfastError("This duel compares losses: update(first=..., second=...).")
        raise HoldfastError(
            "This duel compares right answers: update(first=..., second=...), true where each model was right, or "
            "update(won=..., lost=..., n=...). For losses make one with hf.sequential(losses=True)."
        )

    def _weighted(self, gaps: Array, weight: ArrayLike) -> Batch:
        """What the first model lost more on each example, and what it weighs, as parts of the most that one can."""
        most = float(self.max_weight or 1.0)
        each = numbers("weight", np.atleast_1d(np.asarray(weight)).ravel())
        if each.shape != gaps.shape:
            raise HoldfastError(f"Every example needs a weight; got {each.size:,} for {gaps.size:,} examples.")
        if np.any(wrong := ~((each >= 0) & (each <= most))):
            raise HoldfastError(
                f"A row weighs {each[wrong][0]:g}; weights lie from 0 to the {most:g} that were stated as the most, by "
                "max_weight= (--max-weight)."
            )
        return gaps * (each / most), each / most

    def _checked(self, name: str, value: ArrayLike | None) -> Array:
        """One number an example: losses as a part of their range, or 1 where the model was right and 0 else."""
        values = np.atleast_1d(np.asarray(value)).ravel()
        if self.losses:
            return Losses(values, self.low, self.high).values
        right = numbers(name, values)
        if wrong := right[(right != 0) & (right != 1)].tolist():
            raise HoldfastError(f"{name} must be 1 where the model was right and 0 where it was not; got {wrong[0]:g}.")
        return right

    def _counted(self, won: Array, lost: Array, n: Array) -> Batch:
        try:
            won, lost, n = np.broadcast_arrays(won, lost, n)
        except ValueError:
            raise HoldfastError(
                f"won, lost and n need one number a look each; got {won.size:,}, {lost.size:,} and {n.size:,}."
            ) from None
        if np.any(over := won + lost > n):
            place = int(np.argmax(over))
            raise HoldfastError(
                f"won and lost are different examples of the n; got {won.flat[place]:,} and {lost.flat[place]:,} of "
                f"{n.flat[place]:,}."
            )
        return won.ravel(), lost.ravel(), n.ravel()


class EValue(NamedTuple):
    """Evidence that the first model is better, and that the second is; 1 is none, and 2/delta settles it."""

    first: float
    second: float


class History(NamedTuple):
    """E-values after n examples each, at no more than some 1,000 of the looks and at the last."""

    n: list[int]
    first: list[float]
    second: list[float]


class DuelState(StateMachine):
    """The bets of a duel, and when they settled it; `hf.Duel` says in words what follows from them."""

    _settings, _schema, _older = Settings, SCHEMA, ("holdfast/duel-state/1",)
    _moments = ("settled_after", "changed_after")
    settings: Settings
    _sequence: Sequence
    settled_after: int | None = None  # examples

    @property
    def settled(self) -> bool:
        """Whether there has been a verdict other than "not settled"."""
        return self.settled_after is not None

    def update(
        self,
        *,
        first: ArrayLike | None = None,
        second: ArrayLike | None = None,
        won: ArrayLike | None = None,
        lost: ArrayLike | None = None,
        n: ArrayLike | None = None,
        weight: ArrayLike | None = None,
    ) -> Self:
        """Take in more of the stream, and look.

        Parameters
        ----------
        first, second
            For one example or several, in the order in which they came: whether each model was right (true or 1), or
            what each one's loss was. There is a look after each.
        won, lost, n
            Instead: how many examples only the first model got right, how many only the second, and how many there
            were in all; with arrays there is a look after each element.
        weight
            What each example weighs, beside first and second, where `max_weight` says what it can at most.
        """
        return self._take(
            self.settings.batch({"first": first, "second": second}, {"won": won, "lost": lost, "n": n}, weight),
            settled_after=self._settles,
            changed_after=lambda sequence: bool(sequence.contradictory),
        )

    def _settles(self, sequence: Sequence) -> bool:
        most, margin = self.settings.range, self.settings.margin
        return most * sequence.upper < margin or most * sequence.lower > -margin

    @property
    def e_value(self) -> EValue:
        """Evidence for "the first model is better" and for "the second is", at this moment."""
        return EValue(*map(_e, self._sequence.logs))

    @property
    def p_value(self) -> PValue:
        """Of "both are equally good": 2 over the largest e-value there ever was; it only falls."""
        equal = "have the same mean loss" if self.settings.losses else "err equally often"
        value, most = sequential_bets(self._sequence), max(self._sequence.peaks)
        return sequential_bets.p_value(value, f"both models {equal}", _e(most))

    @property
    def claim(self) -> Claim:
        """The difference, first minus second, between the limits of all looks so far."""
        sequence, settings = self._sequence, self.settings
        weighed = settings.max_weight is not None
        procedure: AnyProcedure = betting_sequence if settings.losses or weighed else paired_bets
        lower, upper = (-1.0, 1.0) if self.changed else procedure(sequence)
        made = procedure.claim(
            measure="mean-loss-difference" if settings.losses else "error-rate-difference",
            estimate=settings.range * sequence.mean if sequence.n else None,
            lower=settings.range * lower,
            upper=settings.range * upper,
            delta=settings.delta,
            side="both",
            n=sequence.n,
        )
        more = (Assumption.KNOWN_WEIGHTS, Assumption.CAPPED_WEIGHTS) if weighed else ()
        return replace(made, assumes=(*made.assumes, *more))

    @property
    def history(self) -> History:
        """How the e-values came about, for a chart."""
        track = self._sequence.track
        n, (first, second) = track.n.tolist(), track.logs.tolist()
        if n and n[-1] < self.n:
            n, first, second = [*n, self.n], [*first, self._sequence.logs[0]], [*second, self._sequence.logs[1]]
        return History(n, [*map(_e, first)], [*map(_e, second)])

    def _resume(self, state: dict[str, Any]) -> None:
        known = {"max_weight": None, **state["settings"]}  # which early states do not say
        if known.keys() != asdict(self.settings).keys() or type(self.settings.losses) is not bool:
            raise ValueError("these are not the settings of a duel")
        super()._resume(state)
        if (self.settled, self.changed) != (self._settles(self._sequence), self._sequence.contradictory):
            raise ValueError("its limits say otherwise than when it was settled, or changed")


def _e(log: float) -> float:
    """An e-value; those beyond the floats are told as the largest of them."""
    return exp(log) if log < 709 else float_info.max
