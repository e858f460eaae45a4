"""Decisions made by hand, and labels that nobody should have but somebody has."""

from __future__ import annotations

from typing import Any

import holdfast as hf
from holdfast.claims import Side
from holdfast.report import Answer, Decision
from holdfast.report.decision import WORST_FIRST, intersection_union
from holdfast.verbs.gate.decide import caution

ERRORS = {  # of 100, against at most 0.05
    Answer.PROVEN: 0,
    Answer.SUPPORTED: 0,
    Answer.OPEN: 5,
    Answer.NOT_PROVEN: 5,
    Answer.REFUTED: 30,
    Answer.CONTRADICTED: 30,
}
LARGE = (Answer.SUPPORTED, Answer.CONTRADICTED)
HOSTILE = [
    "<script>alert(1)</script>",
    "a & b ]]> c",
    "nul \x00 bell \x07 escape \x1b[31m",
    "😀 emoji 👩‍💻 and ünïcödé",
    "lone \ud800 surrogates \udfff",
    "line\nbreak\r\n::error::injected",
    "\n::stop-commands::forever\n",
    "100 % : sure, really%0A::error::encoded",
    "a | b | c `code` *bold* _it_ [link](http://evil.example) ![image](x) $x$ ~~no~~ @everyone #1",
    "quotes \" and ' both",
    "\u202eright to left\u2028separator\u0085next line\ufffe\uffff",
    "##[error]old style",
    "--> <!-- x -->",
    "-->\\",
    "- a list",
    "1. a list",
    "+ a list",
    "> a quotation",
    "",
    " ",
    "x" * 100_000,
]


def decided(answer: Answer = Answer.PROVEN, label: str | None = None, **more: Any) -> Decision:
    """A decision on whether the error rate, of a class perhaps, is at most 0.05."""
    side: Side = "lower" if ERRORS[answer] > 5 else "upper"
    claim = hf.bound(hf.Counts(ERRORS[answer], 100), "wilson" if answer in LARGE else "clopper-pearson", side=side)
    of = "" if label is None else f" of {label}"
    needed = 1_214 if answer is Answer.OPEN else None
    why = caution(claim.method, claim.guarantee, more.get("accept"))
    given = {"claim": claim, "label": label, "at_most": 0.05, "needed": needed, "caution": why, **more}
    return Decision(answer, f"error-rate{of} at most 0.05", **given)


def together(*parts: Decision, **more: Any) -> Decision:
    """Several conditions that hold, or fail to hold, together."""
    answers = [part.answer for part in parts]
    worst = next(answer for answer in WORST_FIRST if answer in answers)
    return Decision(
        worst, f"{len(parts)} conditions", parts=parts, rule=intersection_union.name, accept=parts[0].accept, **more
    )
