"""Document 001, "Validation of Average Error Rate Over Classifiers": every equation, and a committee on real data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studies.bax import pictures, rates, today, variance
from studies.bax.jury import DELTA, MANY, SETS, UNSEEN, Outcome, outcomes
from studies.bax.luck import CUTS, SHOWN, TREES, best_of_trees
from studies.pages import Page
from studies.runs import Run

INTRODUCTION = """\
Document 001 (Bax, 1997) bounds the average and the variance of test error rates over several classifiers, from d
validation examples and d' test inputs. It prints formulas and no data, so each formula is held against chances counted
out exactly, against an enumeration of all labels, or against the right formula. Its bounds are valid; two slips are in
it, and one doubt that has been lifted since. Then: how much narrower the same may be had today, and what all this is
worth on real data, where eleven models vote on inputs whose labels are hidden."""


def study(run: Run) -> Page:
    page = Page("bax", "Bax: average error rate over classifiers", INTRODUCTION)
    run.tell("equations")
    page.section("One classifier: (1) to (8)")
    page.check(*rates.one_classifier())
    page.section("All classifiers at once: (9) to (12)")
    page.check(*rates.all_classifiers())
    page.section("A classifier drawn for each example: (13) to (19)")
    page.check(*rates.a_draw_for_each_example())
    page.section("The average: (20) to (24)")
    page.check(*rates.the_average())
    page.section("The variance: (25) to (34)")
    page.check(*variance.spread_of_rates())
    page.picture(
        "variance",
        pictures.change_of_variance(),
        "Eq. 33 takes ε + ε² for the largest change of the variance; with rates in [0, 1] it is ε − ε².",
    )
    page.section("What it says in words")
    page.check(*variance.conclusions())
    run.tell("tables")
    page.section("How much narrower it can be had today")
    today.tables(page)
    page.picture(
        "reach",
        pictures.reaches(),
        "How far a 95 % limit lies above the estimate: by Eq. 8, by Hoeffding's inequality for a difference, exactly.",
    )
    _committee(page, run)
    return page


def _committee(page: Page, run: Run) -> None:
    page.section(
        "A committee on real data",
        f"Twelve scikit-learn models are trained on a small part of the data. Eleven of them are validated and vote; "
        f"the twelfth, a {UNSEEN}, is never validated. The rest of the data is cut at random into a validation part, "
        "whose labels are shown, and a test part, whose labels are hidden. All claims are about this very test part "
        f"and are made at {100 * (1 - DELTA):.0f} % by `hf.panel`, `hf.committee` and `hf.infer`; then the hidden "
        "labels are looked at. This is repeated: each claim should hold in at least 95 of 100 cuts.",
    )
    for data in SETS[-1:] if run.fast else SETS:
        found, missed = outcomes(run, data)
        if not found:
            page.say(f"`{data.name}.csv` was not to be had, so that nothing is said of it here.")
            continue
        page.say(
            f"**{data.title[0].upper()}{data.title[1:]}** ({data.words}; `{data.name}`, {data.train} training "
            f"examples). Limits and truth of the first cut, the median width of the limits over {len(found)} cuts, and "
            "in how many of them the claim held."
        )
        page.table(("about", "method", "says", "truth", "median width", "held"), told(found))
        page.say(
            f"Testing the vote directly is a matter of counting, so that it can be looked at more closely: in {MANY:,} "
            f"cuts for each training part it is missed in {100 * missed:.1f} %."
        )
        name = f"vote-{data.name.replace('_', '-')}"
        caption = f"Upper limits for the error rate of the vote over {len(found)} cuts of {data.name}, and the truth."
        page.picture(name, pictures.of_vote(found, data.title), caption)
    page.say(*LESSONS)
    _luck(page, run)


def _luck(page: Page, run: Run) -> None:
    cuts = CUTS // 10 if run.fast else CUTS
    page.section(
        "The best of many",
        f"A forest of {TREES} trees, trained on the same parts; {SHOWN} labels of the rest are shown, and the tree "
        f"that errs least on them is selected. How often is what is then claimed of all other inputs wrong? {cuts:,} "
        "cuts, 95 % confidence.",
    )
    found = {data.title: best_of_trees(run, data) for data in (SETS[-1:] if run.fast else SETS)}
    rows = [
        [title, claim, f"{width:.3f}", f"{100 * missed:.1f} %"]
        for title, claims in found.items()
        for claim, (width, missed) in claims.items()
    ]
    page.table(("data", "claim", "median width", "missed"), rows)
    page.say(
        "The plain interval of the tree that did best is wrong many times as often as it says: the tree was chosen for "
        f"its luck. At a {TREES}th of delta it holds, whichever tree is selected, and is still far narrower than Eq. "
        "12."
    )


ABOUT = {"vote": "the vote", "best": "the model selected", "average": "the average", "spread": "the spread"}
LESSONS = (
    "What to take from it. Where labels are there, test the vote itself. Where a member is far better than the vote, "
    "as with noughts and crosses, the limits of that member and what both say on the inputs tell as much; which way to "
    "go must be settled before looking. Of a model that nobody validated the linear programme says more than Eq. 12 "
    "says of one that somebody did. The average is told best of all, and the unlabelled inputs do a part of the work. "
    "Factor two, the C-bound and tandem losses are for weights that saw the labels; beside the others they say little.",
)


def told(found: Sequence[Outcome]) -> list[list[str]]:
    """A row for each claim: what it said first, how wide it is, and how often it held."""
    rows = []
    for name, (lower, upper, truth) in found[0].items():
        about, method = name.split(": ", 1)
        every = np.array([each[name] for each in found])
        within = (every[:, 0] - 1e-12 <= every[:, 2]) & (every[:, 2] <= every[:, 1] + 1e-12)
        held = f"{int(within.sum())} of {len(found)}"
        about = ABOUT.get(about, f"the {UNSEEN}, never validated")
        if lower == upper == 1.0:  # a yes or no
            rows.append([about, method, "yes", "yes" if truth else "no", "–", held])
            continue
        width = float(np.median(every[:, 1] - every[:, 0]))
        rows.append([about, method, f"[{lower:.3f}, {upper:.3f}]", f"{truth:.3f}", f"{width:.3f}", held])
    return sorted(rows, key=lambda row: [*ORDER].index(row[0]))


ORDER = (*ABOUT.values(), f"the {UNSEEN}, never validated")
