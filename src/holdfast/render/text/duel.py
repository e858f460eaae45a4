"""Two models on a stream, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.claims import Claim
from holdfast.render.outline.parts import VERDICT, Parts, Sentence
from holdfast.render.phrases import e_value, estimate_and_limits, opening, significant
from holdfast.render.text.text import claim_parts, source_of
from holdfast.report.verdict import spoken
from holdfast.wording import examples

if TYPE_CHECKING:
    from holdfast.report.look import DuelLook, Look


COLUMNS = 100  # of a look among many
MOST_DIGITS = 4


def duel_line(look: DuelLook) -> str:
    """What has been seen and how strong the evidence is, of what `Duel.to_dict` gives."""
    first, second = _e_values(look)
    p = significant(look.p_value.p, 2, "up")
    return f"After {examples(int(look.claim.n))}: {_seen(look)}e-values {first} and {second}, p = {p}"


def brief_line(look: DuelLook) -> str:
    """A look among many, in a line of at most 100 columns: what was seen, the evidence, and the difference."""
    estimate, limits = estimate_and_limits(look.claim, MOST_DIGITS)
    first, second = _e_values(look)
    told = f"e-values {first} and {second}; {estimate} {limits}"
    lines = (f"After {examples(int(look.claim.n))}: {seen}{told}" for seen in (_seen(look), ""))
    return next((line for line in lines if len(line) <= COLUMNS), f"{look.claim.n:,}: {told}")


def _seen(look: DuelLook) -> str:
    return "" if look.won is None else f"{look.won:,} won, {look.lost:,} lost, "


def _e_values(look: DuelLook) -> tuple[str, str]:
    return e_value(look.e_value.first), e_value(look.e_value.second)


def duel_parts(look: DuelLook, left_out: str = "") -> Parts:
    """What has happened, the verdict, what it rests on, and the difference; and which rows were left out."""
    claim, news = look.claim, look.news
    enough = e_value(2 / float(claim.delta))
    needed = f"A model is called better once its e-value has reached {enough}, that is 2/delta."
    notes = [note for note in (*look.notes, left_out) if note and note not in news]
    first, second = spoken(look.models)
    subject = f"the {claim.measure.replace('-', ' ')}, {first} minus {second}"
    parts: Parts = [
        *(Sentence((note,), loose=True) for note in news),
        Sentence((opening(look.verdict),), VERDICT, loose=True),
        Sentence((duel_line(look), needed), loose=True),
    ]
    difference = withdrawn(claim, f"{subject},") if news else claim_parts(claim, f"T{subject[1:]}:")
    return [*parts, *difference, *(Sentence((note,), loose=True) for note in notes)]


def withdrawn(claim: Claim, subject: str) -> Parts:
    """What is left of a claim after a change, which is nothing: no interval is dressed up as one."""
    estimate, _ = estimate_and_limits(claim, MOST_DIGITS)
    seen = f"Over all {examples(int(claim.n))} {subject} was {estimate}; its limits are {claim.lower:g} and "
    said = f"{seen}{claim.upper:g}, all that it can be, and say nothing."
    return [Sentence((said,), loose=True), source_of(claim)]


def monitor_parts(look: Look) -> Parts:
    """What has happened, and then what may be claimed."""
    claim = look.claim
    news: Parts = [Sentence((note,), loose=True) for note in look.notes]
    if look.changed_after is not None:
        return [*news, *withdrawn(claim, f"the {claim.measure.replace('-', ' ')}")]
    return [*news, *claim_parts(claim, f"After {examples(int(claim.n))}:")]
