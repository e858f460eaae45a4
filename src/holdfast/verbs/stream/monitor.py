"""Is it still good enough? Limits on a stream that one may look at whenever one likes."""

from __future__ import annotations

from typing import Any

from holdfast.claims import chance_of_error
from holdfast.errors import HoldfastError
from holdfast.evidence import shown
from holdfast.report.look import Look
from holdfast.streams.monitor import MonitorState, Settings


class Monitor(MonitorState):
    """Limits for an error rate or a mean loss on a stream, as narrow as they have ever been.

    Made by `hf.monitor`. `claim` holds at every moment: one may look after each example and stop at will.
    `alarm` is true once a limit is proven broken: while the rate stays within the limit, steadily or not, the chance
    of ever seeing it is at most delta / 2. It weighs all examples since the start, so that after a long good time a
    bad one is first seen by `changed`: true once no rate fits all examples any more; the claim is then the whole range.
    """

    @property
    def look(self) -> Look:
        """All that may be said at this moment."""
        return Look(
            claim=self.claim,
            at_most=self.settings.at_most,
            at_least=self.settings.at_least,
            alarm_after=self.alarm_after,
            changed_after=self.changed_after,
            broken="above" if self._sequence.broken == "above" else "below",
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the claim should know, in sentences."""
        return self.look.notes

    def to_dict(self) -> dict[str, Any]:
        """The claim and what has happened; the JSON Schema in `holdfast/schemas/` describes it."""
        return self.look.to_dict()

    def __str__(self) -> str:
        return "\n".join([*self.notes, str(self.claim), f"after {self.n:,} examples"])

    def __repr__(self) -> str:
        return f"<Monitor{', alarm' * self.alarm}{', changed' * self.changed} after {self.n:,} examples: {self.claim}>"


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
