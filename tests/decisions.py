"""Decisions made by hand, and labels that nobody should have but somebody has."""

from __future__ import annotations

from typing import Any

import holdfast as hf
from holdfast.report import Answer, Decision

ERRORS = {Answer.PROVEN: 0, Answer.OPEN: 5, Answer.REFUTED: 30}  # of 100, against at most 0.05
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
    side = "lower" if answer is Answer.REFUTED else "upper"
    claim = hf.bound(hf.Counts(ERRORS[answer], 100), "clopper-pearson", side=side)
    of = "" if label is None else f" of {label}"
    needed = 1_214 if answer is Answer.OPEN else None
    given = {"claim": claim, "label": label, "at_most": 0.05, "needed": needed, **more}
    return Decision(answer, f"error-rate{of} at most 0.05", **given)


def together(*parts: Decision, **more: Any) -> Decision:
    """Several conditions that hold, or fail to hold, together."""
    answers = [part.answer for part in parts]
    worst = next(answer for answer in (Answer.REFUTED, Answer.OPEN, Answer.PROVEN) if answer in answers)
    return Decision(worst, f"{len(parts)} conditions", parts=parts, **more)
