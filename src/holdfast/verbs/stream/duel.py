"""Is A better than B? Asked of a stream, as often as one likes, and answered as soon as the data allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import exp
from pathlib import Path
from sys import float_info
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from holdfast.bounds.streams import betting_sequence
from holdfast.catalog import AnyProcedure
from holdfast.claims import Claim, PValue, chance_of_error
from holdfast.comparisons.bets import DifferenceSequence, PairSequence, paired_bets, sequential_bets
from holdfast.errors import HoldfastError
from holdfast.evidence import shown
from holdfast.files import WAIT
from holdfast.files.progress import Progress
from holdfast.report import Report
from holdfast.report.verdict import ERRORS, Subject, Verdict
from holdfast.verbs.compare.verdicts import by_interval, not_parted
from holdfast.verbs.provenance import called
from holdfast.verbs.stream.duel_settings import Settings
from holdfast.verbs.stream.first_look import first_look
from holdfast.verbs.stream.state import (
    Versions,
    check_moments,
    check_unchanged,
    damaged,
    digest,
    read_state,
    write_state,
)

SCHEMA = "holdfast/duel-state/2"
OLDER = ("holdfast/duel-state/1",)  # they say nothing of the input
LOOK = "holdfast/duel/1"


class EValue(NamedTuple):
    """Evidence that the first model is better, and that the second is; 1 is none, and 2/delta settles it."""

    first: float
    second: float


class History(NamedTuple):
    """E-values after n examples each, at no more than some 1,000 of the looks and at the last."""

    n: list[int]
    first: list[float]
    second: list[float]


class Duel:
    """Two models on a stream of examples: evidence for either, an interval of their difference, and a verdict.

    Made by `hf.sequential`. All of it holds at every moment: one may look after each example and stop at will. The
    rule: the difference of error rates, or of mean losses, first minus second, is refuted to be m or more once bets
    against it have multiplied by 2/delta, and so is m or less; the interval holds what is not refuted, and the
    verdict says on which side of 0, and of the margin, it lies. So a model is called better as soon as its e-value
    has reached 2/delta; both directions together err with a chance of at most delta, over all looks there will ever be.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sequence = settings.start()
        self.settled_after: int | None = None  # examples
        self.changed_after: int | None = None
        self.versions: Versions = {}  # what it knows of files that it was loaded from, or saved to
        self.progress = Progress()  # what was read of which input, where holdfast itself reads it

    @property
    def n(self) -> int:
        return self._sequence.n

    @property
    def settled(self) -> bool:
        """Whether there has been a verdict other than "not settled"."""
        return self.settled_after is not None

    @property
    def changed(self) -> bool:
        """Whether no difference fits all examples any more."""
        return self.changed_after is not None

    def update(
        self,
        *,
        first: ArrayLike | None = None,
        second: ArrayLike | None = None,
        won: ArrayLike | None = None,
        lost: ArrayLike | None = None,
        n: ArrayLike | None = None,
    ) -> Duel:
        """Take in more of the stream, and look.

        Parameters
        ----------
        first, second
            For one example or several, in the order in which they came: whether each model was right (true or 1), or
            what each one's loss was. There is a look after each.
        won, lost, n
            Instead: how many examples only the first model got right, how many only the second, and how many there
            were in all; with arrays there is a look after each element.
        """
        batch = self.settings.batch({"first": first, "second": second}, {"won": won, "lost": lost, "n": n})
        before, after = self._sequence, self._sequence.after(*batch)
        settled, changed = self.settled_after, self.changed_after
        if settled is None and self._settles(after):
            settled = first_look(before, batch, self._settles).n
        if changed is None and after.contradictory:
            changed = first_look(before, batch, lambda sequence: sequence.contradictory).n
        # All at once: whoever interrupts finds the duel before the update or after it.
        self.__dict__.update(_sequence=after, settled_after=settled, changed_after=changed)
        return self

    def _settles(self, sequence: PairSequence | DifferenceSequence) -> bool:
        most, margin = self.settings.range, self.settings.margin
        return most * sequence.upper < margin or most * sequence.lower > -margin

    # ---- What may be said at this moment

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
        procedure: AnyProcedure = betting_sequence if settings.losses else paired_bets
        lower, upper = (-1.0, 1.0) if self.changed else procedure(sequence)
        return procedure.claim(
            measure="mean-loss-difference" if settings.losses else "error-rate-difference",
            estimate=settings.range * sequence.mean if sequence.n else None,
            lower=settings.range * lower,
            upper=settings.range * upper,
            delta=settings.delta,
            side="both",
            n=sequence.n,
        )

    @property
    def verdict(self) -> Verdict:
        """Who is better, or that it is not settled, by where the interval lies."""
        (first, second), margin = self.settings.names, self.settings.margin
        about = Subject("mean-loss") if self.settings.losses else ERRORS
        found = by_interval(first, second, self.claim, margin, about)
        unseen = found.outcome == "not settled" and self.n and self._sequence.alike
        return not_parted(first, second, found.rule, margin, about) if unseen else found

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the verdict should know, in sentences."""
        settled = self.settled_after
        return (*([] if settled is None else [f"There was enough to tell after {_examples(settled)}."]), *self.warnings)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the notes that say why the examples may not be what is assumed."""
        if self.changed_after is not None:
            return (
                f"After {_examples(self.changed_after)} no difference fits all of them: it has changed on the way, or "
                "the examples are not independent. Nothing can be claimed, and the limits are those of the whole "
                "range; start anew.",
            )
        if self.n and not self._sequence.lower <= self._sequence.mean <= self._sequence.upper:
            return ("The estimate lies outside of limits proven earlier: the difference may have changed.",)
        return ()

    @property
    def news(self) -> tuple[str, ...]:
        """Those of the warnings without which the verdict cannot be understood."""
        return self.warnings if self.changed else ()

    @property
    def history(self) -> History:
        """How the e-values came about, for a chart."""
        track = self._sequence.track
        n, (first, second) = track.n.tolist(), track.logs.tolist()
        if n and n[-1] < self.n:
            n, first, second = [*n, self.n], [*first, self._sequence.logs[0]], [*second, self._sequence.logs[1]]
        return History(n, [*map(_e, first)], [*map(_e, second)])

    def to_dict(self) -> dict[str, Any]:
        """What may be said, and what has happened; the JSON Schema in `holdfast/schemas/` describes it."""
        sequence = self._sequence
        counts = {name: getattr(sequence, name, None) for name in ("won", "lost")}
        happened = {name: getattr(self, name) for name in ("settled", "settled_after", "changed", "changed_after")}
        return {
            "schema": LOOK,
            **self.claim.to_dict(),
            "models": list(self.settings.names),
            "margin": self.settings.margin,
            **counts,
            "e_value": self.e_value._asdict(),
            "p_value": self.p_value.to_dict(),
            "verdict": self.verdict.to_dict(),
            **happened,
        }

    def __str__(self) -> str:
        from holdfast.render.text.duel import duel_line

        notes = [note for note in self.notes if note not in self.news]
        return "\n".join([*self.news, self.verdict, duel_line(self.to_dict()), str(self.claim), *notes])

    def __repr__(self) -> str:
        return f"<Duel after {_examples(self.n)}: {self.verdict}>"

    def report(self, command: str | None = None, notes: Sequence[str] = ()) -> Report:
        """What may be said at this moment as a report, with its charts; its fingerprint is of all the duel knows."""
        from holdfast.verbs.stream.duel_report import report_of

        given = asdict(self.settings)
        made = called(sequential, given, without=() if self.settings.losses else ("low", "high"))
        return report_of(self, command or made, digest(self._state()), notes)

    def to_html(self) -> str:
        """One self-contained page: the verdict, how the evidence grew, and what it rests on."""
        from holdfast.render.page import page_html

        return page_html(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    # ---- On disk

    def save(self, path: str | Path, *, wait: float = WAIT) -> None:
        """Write the state as JSON, whole or not at all; `Duel.load` goes on exactly where this one is.

        A file that is there is replaced only if it holds what this duel was loaded from, or saved there last: so
        nobody undoes what somebody else has counted. While another process holds the file, it waits for `wait`
        seconds at most.
        """
        write_state(path, self._state() | self.progress.to_dict(), self, wait)

    def _state(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "settings": asdict(self.settings),
            "sequence": self._sequence.to_dict(),
            "settled_after": self.settled_after,
            "changed_after": self.changed_after,
        }

    @classmethod
    def load(cls, path: str | Path, **asked: Any) -> Duel:
        """The duel saved there; what is `asked` of its settings, other than None, must be what it was made for."""
        state, versions = read_state(path, SCHEMA, OLDER)
        try:
            settings = Settings(**{**state["settings"], "names": tuple(state["settings"]["names"])})
            made = cls(settings)
            made._resume(state)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise damaged(path, SCHEMA, str(error)) from None
        check_unchanged(path, SCHEMA, settings, asked)
        made.versions = versions
        return made

    def _resume(self, state: dict[str, Any]) -> None:
        """All that was kept; a ValueError where it cannot be true at once."""
        if state["settings"].keys() != asdict(self.settings).keys() or type(self.settings.losses) is not bool:
            raise ValueError("these are not the settings of a duel")
        sequence = self._sequence.resumed(state["sequence"])
        settled, changed = state["settled_after"], state["changed_after"]
        check_moments(sequence.n, settled_after=settled, changed_after=changed)
        if (settled is not None, changed is not None) != (self._settles(sequence), sequence.contradictory):
            raise ValueError("its limits say otherwise than when it was settled, or changed")
        self.progress = Progress.of(state)
        self._sequence, self.settled_after, self.changed_after = sequence, settled, changed


def sequential(
    *,
    margin: float = 0.0,
    confidence: float | str | None = None,
    delta: float | None = None,
    losses: bool = False,
    low: float = 0.0,
    high: float = 1.0,
    names: tuple[str, str] = ("first", "second"),
) -> Duel:
    """Compare two models on examples as they come in, looking as often as one likes.

    Parameters
    ----------
    margin
        A difference too small to matter: with one, "not inferior" and "equivalent" are verdicts too.
    confidence, delta
        One of the two: the chance that any verdict or interval, at whatever moment, is ever wrong is at most delta.
    losses
        Whether `update` is given losses and not whether the models were right.
    low, high
        The range of the loss.
    names
        What the two models are called.

    Examples
    --------
    >>> duel = sequential(names=("new", "old")).update(won=15, lost=5, n=200)
    >>> print(duel)
    Which of new and old is better is not settled.
    After 200 examples: 15 won, 5 lost, e-values 6.35 and 0.0856, p = 0.32
    -0.050 [-0.128, 0.018], paired-bets, 95 %, holds at every sample size
    >>> print(duel.update(won=25, lost=5, n=300).verdict)
    new is better than old: it errs less often.
    >>> print(sequential(losses=True).update(first=[0.1, 0.2] * 40, second=[0.4, 0.3] * 40).verdict)
    first is better than second: its mean loss is lower.
    """
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError(f"A duel has one confidence; got {shown(delta)}.")
    if not isinstance(names, (tuple, list)):
        raise HoldfastError(f"A duel is between two models with a name each; got {shown(names)}.")
    return Duel(Settings(tuple(names), float(level), margin, low, high, losses))  # type: ignore[arg-type]


def _examples(n: int) -> str:
    return "1 example" if n == 1 else f"{n:,} examples"


def _e(log: float) -> float:
    """An e-value; those beyond the floats are told as the largest of them."""
    return exp(log) if log < 709 else float_info.max
