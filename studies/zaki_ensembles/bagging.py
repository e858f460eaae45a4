"""The page's sections on the trade-off along C, and on bagging."""

from __future__ import annotations

import numpy as np

import holdfast as hf
from studies.pages import Page
from studies.runs import Run
from studies.zaki_ensembles import charts, counts, iris, redrawn, theory
from studies.zaki_ensembles.iris import Iris, kept
from studies.zaki_ensembles.printed import BAGGED, BOOTSTRAPS, C_GRID, N


def trade_off(page: Page, run: Run, data: Iris) -> None:
    page.section(
        "The trade-off along C: Example 22.12, Figure 22.7",
        "Ten bootstrap samples, a support vector machine with the kernel (x · z)² on each, and C from 0.01 to 100. "
        "With this kernel the decision is x'Ax + b: each boundary is a conic about the origin, here the ellipses and "
        "hyperbolas that fence the middle species in. Bold is the vote of all ten.",
    )
    drawn = iris.samples(np.random.default_rng([run.seed, 10]), BOOTSTRAPS, len(data.signs))
    shown = {f"C = {c:g}": iris.bootstrapped(data, iris.quadratic(c), drawn) for c in C_GRID[::2]}
    page.picture(
        "boundaries",
        charts.boundaries(
            data,
            shown,
            "From straight fences to ellipses: boundaries for three values of C",
            f"Quadratic kernel, {BOOTSTRAPS} bootstrap samples (thin) and their vote (bold).",
        ),
        "Figures 22.7a to 22.7c, drawn anew: boundaries of ten machines for C = 0.01, 1 and 100.",
    )
    found = kept(run, "spreads", data, iris.spreads)
    page.picture(
        "trade-off",
        charts.spread(
            found,
            "Bias falls with C; the loss hardly changes from C = 1 on",
            [
                f"Ten bootstrap samples, redrawn {len(found)} times: median, and where 95 % of them lie.",
                "Tested on all 150 points, as in the book.",
            ],
        ),
        "Figure 22.7d, drawn anew: loss, squared bias and variance along C.",
    )
    variance = np.median(np.array(found)[..., 2], axis=0)
    if variance[0] > variance[1]:
        page.say(
            f"The variance does not rise all along: it is {variance[0]:.3f} at C = {C_GRID[0]:g} and {variance[1]:.3f} "
            f"at C = {C_GRID[1]:g}. With the smallest C the boundaries hardly differ, but they run through the thick "
            "of the points, where a small shift changes many answers."
        )
    page.check(*redrawn.spread_checks(data, found))
    report = hf.decompose(
        iris.quadratic(1.0),
        data.points,
        data.signs,
        loss="squared",
        parameter="C",
        values=list(C_GRID),
        rounds=10 if run.fast else 50,
        seed=run.seed,
    )
    losses = [report["expected-loss", None, f"C={c}"] for c in C_GRID]
    apart = max(float(each.lower) for each in losses) > min(float(each.upper) for each in losses)
    page.say(
        "The book tests on the very points that the samples were drawn from, so that about 63 % of them were seen in "
        "training. `holdfast decompose` keeps a third of the points apart, trains on samples of the others, and says "
        f"how far each number can be trusted: the limits of the loss at different C {'do not all' if apart else 'all'} "
        "overlap."
    )
    page.picture(
        "decomposed",
        report.charts["decomposition"],
        "The same on points that no model has seen, with 95 % limits.",
    )


def bagging(page: Page, run: Run, data: Iris | None) -> None:
    page.section(
        "Bagging: Example 22.13, Figure 22.8",
        "The table has two columns that must be in the ratio 1 to 4, since a wrong sign costs (±2)² = 4 and a right "
        "one nothing. For K = 8 and K = 10 they are not. What is left over is 3/150 and 1/150: with an even number of "
        "models some points are tied, their sign is 0, and the two columns take it differently.",
    )
    page.table(
        ("K", "wrong", "tied", "zero-one loss, a tie right", "… by a coin", "… wrong", "squared loss, sign(0) = 0"),
        [_row(row) for row in counts.rows()],
    )
    page.say(
        "Only if a tie counts as right is K = 8 the best by the zero-one loss. holdfast's MajorityBagging gives a tie "
        "to the first class, and both losses then keep their ratio."
    )
    page.check(theory.vote_checks(run.seed)[0], *counts.bagging_checks())
    if data is None:
        return
    draw = np.random.default_rng([run.seed, 11])
    panels = {
        f"K = {models}": iris.bootstrapped(data, iris.quadratic(1.0), iris.samples(draw, models, len(data.signs)))
        for models, _, _ in BAGGED
    }
    ten = {"ten models and their vote, K = 10": panels["K = 10"]}
    page.picture(
        "bagging",
        charts.boundaries(
            data, ten, "The vote smooths what single models make of their samples", "Quadratic kernel, C = 1."
        ),
        "Figure 22.8a, drawn anew: ten boundaries and that of their vote.",
    )
    page.picture(
        "votes",
        charts.combined(
            data,
            panels,
            "Votes of 3 to 15 models are much alike",
            "Quadratic kernel, C = 1, bootstrap samples of their own for each K.",
        ),
        "Figure 22.8b, drawn anew: boundaries of votes for K = 3 to 15.",
    )
    found = kept(run, "bagged", data, iris.bagged)
    redraws = len(found["3"])
    page.picture(
        "losses",
        charts.losses(
            found,
            "The printed losses are such as come up",
            [f"Larger dots: more frequent among {redraws} redraws, ties counted as right.", "Diamonds: as printed."],
        ),
        "Zero-one loss on the training points by number of models, redrawn, and as printed.",
    )
    page.check(*redrawn.bagged_checks(found))
    _effect(page, run, data)


def _row(row: counts.Row) -> list[object]:
    rates = [f"{row.errors(tie) / N:.3f}" for tie in (0.0, 0.5, 1.0)]
    return [row.models, row.wrong, row.ties, *rates, f"{(4 * row.wrong + row.ties) / N:.3f}"]


def _effect(page: Page, run: Run, data: Iris) -> None:
    """Bagging reduces the variance, and leaves the bias."""
    found = kept(run, "effects", data, iris.effects)
    page.say(
        "What bagging does to bias and variance shows where training sets are not scarce: in a world like Iris, each "
        "species a normal cloud with the mean and the spread of its 50 flowers. There the noise is known too, and all "
        "three terms of (22.16) stand apart."
    )
    rows = [[name, number, *(f"{part:.3f}" for part in (sum(parts), *parts))] for name, number, *parts in found]
    page.table(("learner", "models", "expected squared loss", "noise", "squared bias", "variance"), rows)
    page.check(*redrawn.effect_checks(found))
