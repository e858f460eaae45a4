"""Document 002: the survey of test error bounds, its table, its twenty figures, its experiment and its appendix."""

from __future__ import annotations

from studies.anguita import algebra, binary, bounded, crossed, figures, simulated, table, today
from studies.pages import Page
from studies.runs import Run

INTRODUCTION = """\
Anguita, Ghelardoni, Ghio and Ridella survey ten upper bounds on the error rate of a classifier from a test set: three
for 0/1 losses, seven for losses in [0, 1]. Here every formula is tried on numbers, the curves of all twenty figures are
computed and compared with values found in other arithmetic (the drawings themselves are lost in the text we have), the
coverage experiments are counted out exactly where they can be, the Monte Carlo is run as it is printed and as it
should have been, and the appendix on cross-validation is shown to be false. The survey's advice for 0/1 losses stands:
Clopper-Pearson. Delta is 5 % throughout and limits are upper limits, as in the document."""


def study(run: Run) -> Page:
    """The page of document 002."""
    page = Page("anguita", "Anguita et al.: a survey of bounds on the test error", " ".join(INTRODUCTION.split()))
    table.told(page, run)
    algebra.told(page, run)
    binary.told(page)
    bounded.told(page)
    simulated.told(page, run)
    today.told(page, run)
    crossed.told(page, run)
    page.section("What is lost", "The drawings of the figures, the draws of the Monte Carlo, and what [32] shows.")
    page.check(figures.LOST)
    return page
