"""Document 004, sections 22.1 and 22.2: measures, ROC curves, cross-validation, bootstrap, intervals, paired t-test."""

from __future__ import annotations

from studies.pages import Page
from studies.runs import Run

INTRODUCTION = """\
Chapter 22 of Zaki and Meira's Data Mining and Analysis (2014) on assessing classifiers, sections 22.1 and 22.2, with
their exercises. Every number of Examples 22.1 to 22.11 was computed again; figures 22.1 to 22.6 are drawn anew. What
hangs on a random split was computed on many splits of iris."""


def study(run: Run) -> Page:
    """The page."""
    from studies.zaki_measures import exercises, intervals, iris, ranking, tables

    page = Page("zaki_measures", "Zaki and Meira 22.1 and 22.2: measures and evaluation", INTRODUCTION)
    run.tell("what follows from printed numbers")
    tables.add(page)
    ranking.add(page)
    intervals.add(page, run)
    iris.add(page, run)
    exercises.add(page, run)
    return page
