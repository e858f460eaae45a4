"""What a duel says at a moment, as a report: for its page, for a notebook, and for whoever reads reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from holdfast.report import Line, Report
from holdfast.report.facts.comparison import DuelFacts, Sequential
from holdfast.report.facts.pair import DecidingTest, Pair
from holdfast.report.verdict import spoken
from holdfast.verbs.compare.advice import by_interval
from holdfast.verbs.gate.more_data import REASONABLE

if TYPE_CHECKING:
    from holdfast.verbs.stream.duel import Duel

BESIDE = {"better": 0, "worse": 1}  # which of the two models may then alone be the best


def report_of(duel: Duel, fingerprint: str, notes: Sequence[str] = ()) -> Report:
    """The claim, the verdict and the evidence as they are now; `fingerprint` is that of all that the duel knows."""
    look = duel.look
    verdict, p = look.verdict, look.p_value
    first, second = names = duel.settings.names
    pair = Pair(
        first=first,
        second=second,
        won=look.won,
        lost=look.lost,
        test=p.test,
        p=p.p,
        adjusted_p=p.p,
        rule=verdict.rule,
        outcome=verdict.outcome,
        verdict=str(verdict),
    )
    facts = DuelFacts(
        models=names,
        verdict=verdict,
        margin=duel.settings.margin,
        test=DecidingTest(test=p.test, null=p.null, guarantee=p.guarantee, source=p.source),
        pairs=(pair,),
        may_be_best=(names[BESIDE[verdict.outcome]],) if verdict.outcome in BESIDE else names,
        sequential=Sequential(
            measure="mean-loss" if duel.settings.losses else "error-rate",
            e_value=look.e_value,
            needed=2 / duel.settings.delta,
            settled_after=duel.settled_after,
            changed_after=duel.changed_after,
        ),
        notes=(*look.warnings, *notes),
        next=tuple(_next(duel)),
    )
    line = Line(duel.claim, model=first, against=second)
    history = duel.history._asdict()  # as it is now: the duel goes on
    return Report.of([line], facts, seen={"wealth": partial(dict, history)}, rows=duel.n, fingerprint=fingerprint)


def _next(duel: Duel) -> Iterator[str]:
    """What to do now: to stop or to go on, which a duel always allows."""
    outcome, saved = duel.verdict.outcome, "`duel.save(FILE), Duel.load(FILE)` (`--state FILE`)"
    if duel.changed:
        return
    if outcome == "not settled":
        needed = by_interval(duel.claim, duel.settings.margin, duel.settings.delta / 2) if duel.n else None
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
