"""Is it still good enough? Limits on a stream that one may look at whenever one likes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.bounds.sequential import CountSequence, beta_binomial
from holdfast.bounds.streams import LossSequence, betting_sequence
from holdfast.claims import Claim, chance_of_error, check_delta
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses, numbers, shown
from holdfast.files import WAIT
from holdfast.files.progress import Progress
from holdfast.verbs.stream.first_look import Batch, first_look
from holdfast.verbs.stream.state import (
    Versions,
    check_counts,
    check_moments,
    check_unchanged,
    damaged,
    read_state,
    write_state,
)

SCHEMA = "holdfast/monitor/2"
OLDER = ("holdfast/monitor/1",)  # they say nothing of the input
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


class Monitor:
    """Limits for an error rate or a mean loss on a stream, as narrow as they have ever been.

    Made by `hf.monitor`. `claim` holds at every moment: one may look after each example and stop at will.
    `alarm` is true once a limit is proven broken: while the rate stays within the limit, steadily or not, the chance
    of ever seeing it is at most delta / 2. It weighs all examples since the start, so that after a long good time a
    bad one is first seen by `changed`: true once no rate fits all examples any more; the claim is then the whole range.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sequence = settings.start()
        self.alarm_after: int | None = None  # examples
        self.changed_after: int | None = None
        self.versions: Versions = {}  # what it knows of files that it was loaded from, or saved to
        self.progress = Progress()  # what was read of which input, where holdfast itself reads it

    @property
    def n(self) -> int:
        return self._sequence.n

    @property
    def alarm(self) -> bool:
        return self.alarm_after is not None

    @property
    def changed(self) -> bool:
        return self.changed_after is not None

    def update(
        self, *, errors: ArrayLike | None = None, n: ArrayLike | None = None, losses: ArrayLike | None = None
    ) -> Monitor:
        """Take in more of the stream, and look.

        Parameters
        ----------
        errors, n
            How many errors in how many examples; with arrays there is a look after each element.
        losses
            One loss or several, in the order in which they came; there is a look after each.
        """
        batch = self._batch(errors, n, losses)
        before, after = self._sequence, self._sequence.after(*batch)
        alarm, changed = self.alarm_after, self.changed_after
        if alarm is None and after.broken:
            alarm = first_look(before, batch, lambda sequence: bool(sequence.broken)).n
        if changed is None and after.contradictory:
            changed = first_look(before, batch, lambda sequence: sequence.contradictory).n
        # All at once: whoever interrupts finds the monitor before the update or after it.
        self.__dict__.update(_sequence=after, alarm_after=alarm, changed_after=changed)
        return self

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the claim should know, in sentences."""
        said, settings, subject = [], self.settings, self.settings.subject
        if self.alarm_after is not None:
            limit = (
                f"above {settings.at_most:g}" if self._sequence.broken == "above" else f"below {settings.at_least:g}"
            )
            said.append(f"Alarm after {self.alarm_after:,} examples: the {subject} is {limit}.")
        if self.changed_after is not None:
            said.append(
                f"After {self.changed_after:,} examples no {subject} fits all of them: it has changed on the way, or "
                "the examples are not independent. Nothing can be claimed, and the limits are those of the whole "
                "range; start a new monitor."
            )
        elif self.n and not self._sequence.lower <= self._sequence.mean <= self._sequence.upper:
            said.append(f"The estimate lies outside of limits proven earlier: the {subject} may have changed.")
        return tuple(said)

    def to_dict(self) -> dict[str, Any]:
        """The claim and what has happened; the JSON Schema in `holdfast/schemas/` describes it."""
        happened = {name: getattr(self, name) for name in ("alarm", "alarm_after", "changed", "changed_after")}
        limits = {"at_most": self.settings.at_most, "at_least": self.settings.at_least}
        return {"schema": LOOK, **self.claim.to_dict(), **limits, **happened}

    def __str__(self) -> str:
        return "\n".join([*self.notes, str(self.claim), f"after {self.n:,} examples"])

    def __repr__(self) -> str:
        return f"<Monitor{', alarm' * self.alarm}{', changed' * self.changed} after {self.n:,} examples: {self.claim}>"

    # ---- On disk

    def save(self, path: str | Path, *, wait: float = WAIT) -> None:
        """Write the state as JSON, whole or not at all; `Monitor.load` goes on exactly where this one is.

        A file that is there is replaced only if it holds what this monitor was loaded from, or saved there last: so
        nobody undoes what somebody else has counted. While another process holds the file, it waits for `wait`
        seconds at most.
        """
        state = {
            "schema": SCHEMA,
            "settings": asdict(self.settings),
            "sequence": self._sequence.to_dict(),
            "alarm_after": self.alarm_after,
            "changed_after": self.changed_after,
        }
        write_state(path, state | self.progress.to_dict(), self, wait)

    @classmethod
    def load(cls, path: str | Path, **asked: Any) -> Monitor:
        """The monitor saved there; what is `asked` of its settings, other than None, must be what it was made for."""
        state, versions = read_state(path, SCHEMA, OLDER)
        try:
            settings = Settings(**state["settings"])
            made = cls(settings)
            check_counts(state["sequence"])
            made._sequence = made._sequence.resumed(state["sequence"])
            made.alarm_after, made.changed_after = state["alarm_after"], state["changed_after"]
            check_moments(made.n, alarm_after=made.alarm_after, changed_after=made.changed_after)
            made.progress = Progress.of(state)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise damaged(path, SCHEMA, str(error)) from None
        check_unchanged(path, SCHEMA, settings, asked)
        made.versions = versions
        return made


def monitor(
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    at_most: float | None = None,
    at_least: float | None = None,
    low: float = 0.0,
    high: float = 1.0,
    losses: bool = False,
) -> Monitor:
    """Follow an error rate, or a mean loss, as results come in, and raise an alarm when a limit is proven broken.

    Parameters
    ----------
    confidence, delta
        One of the two: the chance that any of all claims, at whatever moment, is ever wrong is at most delta.
    at_most, at_least
        What is meant to hold; the alarm is raised once the opposite is proven.
    low, high
        The range of the loss.
    losses
        Whether `update` is given losses and not counts of errors.

    Examples
    --------
    >>> print(monitor(confidence=0.95).update(errors=3, n=100))
    0.030 [0.001, 0.114], beta-binomial, 95 %, holds at every sample size
    after 100 examples
    >>> monitor(at_most=0.05).update(errors=3, n=100).update(errors=40, n=100).alarm
    True
    >>> print(monitor(losses=True).update(losses=[0.1, 0.3, 0.2] * 30))
    0.2000 [0.1708, 0.2513], betting-sequence, 95 %, holds at every sample size
    after 90 examples
    """
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError(f"A monitor has one confidence; got {shown(delta)}.")
    return Monitor(Settings(float(level), at_most, at_least, low, high, losses))
