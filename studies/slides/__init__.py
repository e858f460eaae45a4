"""Document 003, slides on evaluation: intervals for a success rate, cross-validation, and the hold-out's dilemma."""

from __future__ import annotations

from studies.pages import Page
from studies.runs import Run

INTRODUCTION = """\
Lecture slides on evaluating classifiers: the error on training data, hold-out, intervals for a success rate from the
normal distribution, cross-validation, leave-one-out. Everything that they print was computed again."""


def study(run: Run) -> Page:
    """The page."""
    from studies.slides import numbers, training

    page = Page("slides", "The slides on evaluation", INTRODUCTION)
    numbers.add(page)
    training.add(page, run)
    return page
