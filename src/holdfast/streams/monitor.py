"""Limits for an error rate or a mean loss on a stream, which hold at every moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.bounds.sequential import CountSequence, beta_binomial
from holdfast.claims import Claim, check_delta
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses, numbers, shown
from holdfast.streams.losses import LossSequence, betting_sequence
from holdfast.streams.machine import Batch, StateMachine, check_counts

SCHEMA = "holdfast/monitor/2"
LOOK = "holdfast/look/1"

Sequence = CountSequence | LossSequence


@dataclass(frozen=True)
class Settings:
    """What a monitor was made for; it cannot be changed on the way, or the promise would not hold."""

    delta: float = 0.05
    at_most: float | None = None
    at_least: float | None = None
    low: float = 0.0
    high: float = 1.0
    losses: bool = False
    correct: bool = False  # that the rows it reads say 1 for right, and not for an error

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in ("delta", "at_most", "at_least", "low", "high")}
        for name, value in given.items():
            if value is not None and numbers(name, value).ndim:
                raise HoldfastError(f"A monitor takes one number for {name}; got {shown(value)}.")
        check_delta(self.delta)
        if not (self.low < self.high and np.isfinite(self.high - self.low)):
            raise HoldfastError(f"A monitor needs low < high; got {self.low:g} and {self.high:g}.")
        if not self.losses and (self.low, self.high) != (0.0, 1.0):
            raise HoldfastError(
                "low and high are the range of a loss, and this monitor counts errors; for losses add "
                "losses=True (--losses)."
            )
        if self.losses and self.correct:
            raise HoldfastError("A loss is never right or wrong: leave out losses, or correct.")
        for name in ("at_most", "at_least"):
            limit = given[name]
            if limit is not None and not self.low <= limit <= self.high:
                raise HoldfastError(
                    f"{name}= (--{name.replace('_', '-')}) must lie between {self.low:g} and {self.high:g}, "
                    f"where the {self.subject} lies; got {limit:g}."
                )
        if self.at_most is not None and self.at_least is not None and self.at_least > self.at_most:
            raise HoldfastError(f"Nothing is at most {self.at_most:g} and at least {self.at_least:g}: swap the two.")

    @property
    def subject(self) -> str:
        return "mean loss" if self.losses else "error rate"

    def units(self, share: float) -> float:
        return self.low + (self.high - self.low) * share

    def start(self) -> Sequence:
        """The sequence before the first example."""
        made = LossSequence.start if self.losses else CountSequence
        at_most, at_least = (
            end if limit is None else (limit - self.low) / (self.high - self.low)
            for limit, end in ((self.at_most, 1.0), (self.at_least, 0.0))
        )
        return made(self.delta, at_most, at_least)


class MonitorState(StateMachine):
    """Limits for an error rate or a mean loss on a stream, as narrow as they have ever been.

    `claim` holds at every moment: one may look after each example and stop at will.
    `alarm` is true once a limit is proven broken: while the rate stays within the limit, steadily or not, the chance
    of ever seeing it is at most delta / 2. It weighs all examples since the start, so that after a long good time a
    bad one is first seen by `changed`: true once no rate fits all examples any more; the claim is then the whole range.
    """

    _settings, _schema, _older = Settings, SCHEMA, ("holdfast/monitor/1",)
    _moments = ("alarm_after", "changed_after")
    settings: Settings
    _sequence: Sequence
    alarm_after: int | None = None  # examples

    @property
    def alarm(self) -> bool:
        return self.alarm_after is not None

    def update(
        self, *, errors: ArrayLike | None = None, n: ArrayLike | None = None, losses: ArrayLike | None = None
    ) -> Self:
        """Take in more of the stream, and look.

        Parameters
        ----------
        errors, n
            How many errors in how many examples; with arrays there is a look after each element.
        losses
            One loss or several, in the order in which they came; there is a look after each.
        """
        return self._take(
            self._batch(errors, n, losses),
            alarm_after=lambda sequence: bool(sequence.broken),
            changed_after=lambda sequence: bool(sequence.contradictory),
        )

    def _batch(self, errors: ArrayLike | None, n: ArrayLike | None, losses: ArrayLike | None) -> Batch:
        """What was given, checked, one element a look."""
        if self.settings.losses and losses is not None and errors is None and n is None:
            return (Losses(np.atleast_1d(losses).ravel(), self.settings.low, self.settings.high).values,)
        if not self.settings.losses and losses is None and errors is not None and n is not None:
            counts = Counts(np.atleast_1d(errors), np.atleast_1d(n))
            return counts.k.ravel(), counts.n.ravel()
        if self.settings.losses:
            raise HoldfastError(
                "This monitor follows losses: update(losses=...). For counts make one with hf.monitor()."
            )
        raise HoldfastError(
            "This monitor counts errors: update(errors=..., n=...). For losses make one with hf.monitor(losses=True)."
        )

    @property
    def claim(self) -> Claim:
        """What may be said at this moment."""
        sequence, settings = self._sequence, self.settings
        if isinstance(sequence, CountSequence):
            last = beta_binomial(Counts(sequence.k, sequence.n), settings.delta)
            lower, upper = (0.0, 1.0) if self.changed else (sequence.lower, sequence.upper)
            return replace(last, lower=lower, upper=upper)
        lower, upper = (0.0, 1.0) if self.changed else betting_sequence(sequence)
        return betting_sequence.claim(
            measure="mean-loss",
            estimate=settings.units(sequence.mean) if sequence.n else None,
            lower=settings.units(lower),
            upper=settings.units(upper),
            delta=settings.delta,
            side="both",
            n=sequence.n,
        )

    def _resume(self, state: dict[str, Any]) -> None:
        check_counts(state["sequence"])
        super()._resume(state)
