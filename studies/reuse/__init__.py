"""Our own study: what becomes of a test set that is asked again, and what the ledger and ease.ml/ci ask for it."""

from __future__ import annotations

from studies.pages import Page
from studies.runs import Run

INTRODUCTION = """\
A test set that has judged one model judges the next one too, and whoever makes the next one has heard the answer. Blum
and Hardt (2015) turn that into an attack: guess, keep the guesses that score well, and let them vote. Here it is played
against three ways of counting looks, on labels that are tossed, so that no model is better than guessing and every
claim that one is, is false. Then what the guarantee costs, beside the sample sizes of ease.ml/ci (Renggli et al.,
2019)."""


def study(run: Run) -> Page:
    """The page."""
    from studies.reuse import attack, cost

    page = Page("reuse", "One test set, many looks", INTRODUCTION)
    attack.add(page, run)
    cost.add(page)
    return page
