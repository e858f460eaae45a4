"""Is A better than B? Asked of a stream, as often as one likes, and answered as soon as the data allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from math import ceil
from typing import Any

from holdfast.claims import chance_of_error
from holdfast.errors import HoldfastError
from holdfast.evidence import shown
from holdfast.report import Line, Report
from holdfast.report.facts.compared import DecidingTest, Pair, SignificanceTest
from holdfast.report.facts.comparison import DuelFacts, EValues, Sequential
from holdfast.report.look import DuelLook
from holdfast.report.verdict import ERRORS, Subject, Verdict, spoken
from holdfast.streams.duel import DuelState, Settings
from holdfast.streams.machine import digest
from holdfast.verbs.compare.advice import needed_by_interval
from holdfast.verbs.compare.verdicts import by_interval, not_parted
from holdfast.verbs.gate.more_data import REASONABLE
from holdfast.verbs.provenance import called
from holdfast.wording import examples

BESIDE = {"better": 0, "worse": 1}  # which of the two models may then alone be the best


def _next(duel: Duel) -> Iterator[str]:
    """What to do now: to stop or to go on, which a duel always allows."""
    outcome, saved = duel.verdict.outcome, "`duel.save(FILE), Duel.load(FILE)` (`--state FILE`)"
    if duel.changed:
        return
    if outcome == "not settled":
        needed = needed_by_interval(duel.claim, duel.settings.margin, duel.settings.delta / 2) if duel.n else None
        if needed is not None and needed <= REASONABLE:
            total = max(ceil(needed), duel.n + 1)
            yield (
                f"If {' and '.join(spoken(duel.settings.names))} differ as they seem to, about {total:,} examples in "
                f"all, {total - duel.n:,} more, would probably settle it."
            )
        yield f"Go on, and look as often as you like: nothing need be stated beforehand ({saved})."
    elif outcome == "no difference":
        yield f"Only examples that the two treat differently tell them apart; go on until some do ({saved})."
    else:
        yield (
            "One may stop here. One may go on too, and look again: that any verdict on the way is ever wrong keeps its "
            f"chance of {100 * duel.settings.delta:g} % at most ({saved})."
        )


class Duel(DuelState):
    """Two models on a stream of examples: evidence for either, an interval of their difference, and a verdict.

    Made by `hf.sequential`. All of it holds at every moment: one may look after each example and stop at will. The
    rule: the difference of error rates, or of mean losses, first minus second, is refuted to be m or more once bets
    against it have multiplied by 2/delta, and so is m or less; the interval holds what is not refuted, and the
    verdict says on which side of 0, and of the margin, it lies. So a model is called better as soon as its e-value
    has reached 2/delta; both directions together err with a chance of at most delta, over all looks there will ever be.
    """

    @property
    def verdict(self) -> Verdict:
        """Who is better, or that it is not settled, by where the interval lies."""
        (first, second), margin = self.settings.names, self.settings.margin
        about = Subject("mean-loss") if self.settings.losses else ERRORS
        verdict = by_interval(first, second, self.claim, margin, about)
        unseen = verdict.outcome == "not settled" and self.n and self._sequence.alike
        return not_parted(first, second, verdict.rule, margin, about) if unseen else verdict

    @property
    def look(self) -> DuelLook:
        """All that may be said at this moment."""
        return DuelLook(
            claim=self.claim,
            models=self.settings.names,
            margin=self.settings.margin,
            won=getattr(self._sequence, "won", None),
            lost=getattr(self._sequence, "lost", None),
            e_value=EValues(*self.e_value),
            p_value=SignificanceTest.of(self.p_value),
            verdict=self.verdict,
            settled_after=self.settled_after,
            changed_after=self.changed_after,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the verdict should know, in sentences."""
        return self.look.notes

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the notes that say why the examples may not be what is assumed."""
        return self.look.warnings

    @property
    def news(self) -> tuple[str, ...]:
        """Those of the warnings without which the verdict cannot be understood."""
        return self.look.news

    def to_dict(self) -> dict[str, Any]:
        """What may be said, and what has happened; the JSON Schema in `holdfast/schemas/` describes it."""
        return self.look.to_dict()

    def __str__(self) -> str:
        from holdfast.render.text.answers import duel_line

        look = self.look
        notes = [note for note in look.notes if note not in look.news]
        return "\n".join([*look.news, self.verdict, duel_line(look), str(self.claim), *notes])

    def __repr__(self) -> str:
        return f"<Duel after {examples(self.n)}: {self.verdict}>"

    def report(self, notes: Sequence[str] = ()) -> Report:
        """What may be said at this moment as a report, with its charts; its fingerprint is of all the duel knows."""
        look = self.look
        verdict, p = look.verdict, look.p_value
        first, second = names = self.settings.names
        pair = Pair.of(names, verdict, won=look.won, lost=look.lost, test=p.test, p=p.p, adjusted_p=p.p)
        facts = DuelFacts(
            models=names,
            verdict=verdict,
            margin=self.settings.margin,
            test=DecidingTest(test=p.test, null=p.null, guarantee=p.guarantee, source=p.source),
            pairs=(pair,),
            may_be_best=(names[BESIDE[verdict.outcome]],) if verdict.outcome in BESIDE else names,
            sequential=Sequential(
                measure="mean-loss" if self.settings.losses else "error-rate",
                e_value=look.e_value,
                needed=2 / self.settings.delta,
                settled_after=self.settled_after,
                changed_after=self.changed_after,
            ),
            notes=(*look.warnings, *notes),
            next=tuple(_next(self)),
        )
        line = Line(self.claim, model=first, against=second)
        history = self.history._asdict()  # as it is now: the duel goes on
        report = Report.of(
            [line], facts, seen={"wealth": partial(dict, history)}, rows=self.n, fingerprint=digest(self._state())
        )
        given = asdict(self.settings)
        call = called(sequential, given, without=() if self.settings.losses else ("low", "high"))
        return report.with_command(call)

    def to_html(self) -> str:
        """One self-contained page: the verdict, how the evidence grew, and what it rests on."""
        from holdfast.render.page import page_html

        return page_html(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()


def sequential(
    *,
    margin: float = 0.0,
    confidence: float | str | None = None,
    delta: float | None = None,
    losses: bool = False,
    low: float = 0.0,
    high: float = 1.0,
    names: tuple[str, str] = ("first", "second"),
    max_weight: float | None = None,
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
    max_weight
        Where examples weigh differently, the most that one can, known beforehand; `update` is then told the weight of
        each, and the difference is that of the weighted rates.

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
    return Duel(Settings(tuple(names), float(level), margin, low, high, losses, max_weight))  # type: ignore[arg-type]
