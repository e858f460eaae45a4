"""Document 004, section 22.3: bias and variance, bagging, boosting; its formulas, tables and figures computed again."""

from __future__ import annotations

from studies.checks import unknown
from studies.pages import Page
from studies.runs import Run
from studies.zaki_ensembles import bagging, boosting, theory
from studies.zaki_ensembles.iris import Iris

TITLE = "Zaki and Meira, section 22.3: bias and variance, bagging, boosting"
INTRODUCTION = (
    "Chapter 22 of the book ends with why classifiers err, and what many of them do together: the decomposition of the "
    "squared loss, bagging and AdaBoost, on Iris reduced to two principal components, one species against the two "
    "around it. Formulas are tried on worlds small enough to sum over, algorithms run as printed, printed rates turned "
    "back into numbers of points. The samples of the book are lost; its experiments are run many times on samples "
    "drawn anew, and its values looked for among the results. The measures and tests of sections 22.1 and 22.2 are on "
    "another page."
)
DATA = "iris.csv"


def study(run: Run) -> Page:
    page = Page("zaki_ensembles", TITLE, INTRODUCTION)
    file = run.file(DATA)
    data = None if file is None else Iris.read(file)
    if data is None:
        page.say(f"**{DATA} was not to be had; what needs it is left out.**")
    _decomposition(page, run)
    if data is not None:
        bagging.trade_off(page, run, data)
    bagging.bagging(page, run, data)
    boosting.as_printed(page, run)
    boosting.boosted(page, run, data)
    boosting.special_case(page, run)
    page.section("Questions", "Of the chapter's five questions two are about this section.")
    page.check(*theory.truth_checks(), theory.vote_checks(run.seed)[1])
    page.section("What cannot be checked")
    page.check(
        *(unknown(f"Figure {name}", "curves", what, "the text has captions and no pictures") for name, what in LOST)
    )
    return page


LOST = (
    ("22.7", "decision boundaries for three values of C; bias, variance and loss along C"),
    ("22.8", "decision boundaries of ten classifiers, and of votes of K = 3 to 15"),
    ("22.9", "four hyperplanes and their vote; training and testing error along K"),
)


def _decomposition(page: Page, run: Run) -> None:
    page.section(
        "Expected loss, bias and variance: (22.13) to (22.16)",
        "The formulas are right, but for (22.16), where the text that we have lost a term. Three things should be kept "
        "in mind: “bias” is the bias squared; with a single label for each point, noise cannot be told from it; and "
        "all of it is about the squared loss, which for classes called +1 and -1 is four times the zero-one loss.",
    )
    page.check(*theory.expected_loss_checks(run.seed), *theory.decomposition_checks(run.seed))
