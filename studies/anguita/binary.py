"""Section 4.1: 0/1 losses, Figs. 1 to 8."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt
import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Array, Counts
from holdfast.render.charts.look import inline
from holdfast.verify import coverage, coverage_curves
from studies.anguita import figures
from studies.anguita.equations import DELTA, MOST, SIZES, percent
from studies.anguita.figures import WAYS, Figure, clopper_pearson
from studies.anguita.inequalities import law
from studies.anguita.pictures import LOOKS, Extra, panels
from studies.checks import Check, statement
from studies.pages import Page

NAMES = {"NOR": "NOR", "WIL": "WIL", "CP_beta": "CP"}
FINE = np.arange(1, 5001) / 10_000  # error rates up to a half


def told(page: Page) -> None:
    page.section(
        "0/1 losses: Figs. 1 to 8",
        "The curves of Clopper-Pearson need a whole number of errors, n times the empirical error, which it seldom is "
        "in Figs. 1, 3 and 4; the document does not say what it did there. The line below goes through the beta "
        "quantile, which needs no whole number; the dots are the limits that can occur. The reference values have "
        "four conventions, and all four agree with ours.",
    )
    four = [figures.figures()[number] for number in (1, 2, 3, 4)]
    page.picture(
        "limits-binary",
        panels(
            four,
            NAMES,
            "The exact limit is the largest of the three",
            "Upper limit at delta = 5 %. Dots: Clopper-Pearson at the counts that can occur.",
            "upper limit",
            domain=[(0.25, 0.62), (0.0, 0.28), (0.0, 0.8), (0.0, 0.6)],
            extras=[Extra(place, _dots(figure)) for place, figure in enumerate(four) if place in (0, 2)],
        ),
        "Figs. 1 to 4: upper limits of NOR, WIL and CP over the number of examples and over the empirical error.",
    )
    page.check(*(figures.check(number) for number in (1, 2, 3, 4)), *_of_limits())
    page.say(
        "These conventions are for drawing only. On losses that are not 0/1 Clopper-Pearson must not be used so: least "
        "coverage over losses of two values, counted out for n = 1, 5, 10 and 30. Where the sum is rounded up, or goes "
        "into the beta quantile, nothing was found below 95 %, and nothing is proved; Bentkus' bound, which rounds up "
        "and takes delta / e, is.",
    )
    page.table(
        ("n times the mean loss is", *WAYS),
        [["least coverage", *(f"{min(least_of_two_values(way, n) for n in (1, 5, 10, 30)):.3f}" for way in WAYS)]],
    )
    missed = 1 - figures.figures()[7].curves["NOR"][-1]
    short = {n: below_nominal(n) for n in (10, 200)}
    page.say(
        "What the limits are worth shows in their coverage, here counted out exactly. With 200 examples the normal "
        f"approximation still misses an error rate of 1 % in {percent(missed)} of the test sets. Wilson's score is "
        f"below its nominal 95 % at {percent(short[10][0])} of all error rates up to a half for n = 10, by up to "
        f"{100 * short[10][1]:.1f} points, and at {percent(short[200][0])} for n = 200, by up to "
        f"{100 * short[200][1]:.1f}.",
    )
    page.picture(
        "coverage-binary",
        panels(
            [figures.figures()[number] for number in (5, 6, 7, 8)],
            {name: name for name in ("NOR", "WIL", "CP")},
            "Only the exact limit keeps its promise at every error rate",
            "Exact coverage of the upper limit; black: the nominal 95 %.",
            "coverage",
            domain=[(0.6, 1.0), (0.8, 1.0), (0.0, 1.0), (0.8, 1.0)],
            promise=1 - DELTA,
            jagged=True,
        ),
        "Figs. 5 to 8: coverage of NOR, WIL and CP over the true error rate and over the number of examples.",
    )
    page.check(*(figures.check(number) for number in (5, 6, 7, 8)), *_of_coverage())


def _dots(figure: Figure) -> alt.Chart:
    """The limits of whole counts."""
    whole = figures.reference(figure.number)["integer"] == 1
    points = zip(figure.x[whole], figure.curves["CP_beta"][whole], strict=True)
    rows = [{"x": float(x), "y": round(float(y), 4)} for x, y in points]
    thin = rows[:: max(1, len(rows) // 12)]
    return alt.Chart(inline(thin)).mark_circle(color=LOOKS["CP"][0], size=26, opacity=1).encode(x="x:Q", y="y:Q")


def least_of_two_values(way: str, n: int) -> float:
    """The least coverage of Clopper-Pearson on losses that are `low` or `high`, just above each limit it can give."""
    values = np.append(np.arange(21) / 20, 0.999)
    low, high = (each[:, np.newaxis] for each in _pairs(values))
    mean = low + (high - low) * np.arange(n + 1) / n
    limits = np.where(mean < 1, clopper_pearson(np.array(n), np.minimum(mean, 1 - 1e-9), way), 1.0)
    chance = (np.nextafter(limits, 2) - low) / (high - low)  # of the higher loss, at which this limit just misses
    possible = (chance > 0) & (chance < 1)
    weight = law(n, np.where(possible, chance, 0.5))[1]
    covered = limits[:, np.newaxis, :] > limits[..., np.newaxis]
    return float(np.min(np.sum(weight, axis=-1, where=covered), where=possible, initial=1.0))


def _pairs(values: Array) -> tuple[Array, Array]:
    low, high = np.meshgrid(values, values)
    return low[low < high], high[low < high]


def below_nominal(n: int) -> tuple[float, float]:
    """At which part of the error rates up to a half Wilson's coverage is below the nominal one, and how far at most."""
    curve = coverage("WIL", n, FINE, delta=DELTA, side="upper")
    return float(np.mean(curve < 1 - DELTA)), float(1 - DELTA - curve.min())


def every_count() -> tuple[Array, Array]:
    """Each number of errors below n, for every n up to the figures' largest."""
    sizes = np.arange(1, MOST + 1)
    return np.concatenate([np.arange(size) for size in sizes]), np.repeat(sizes, sizes)


def _of_limits() -> Iterator[Check]:
    one, two, three, four = (figures.figures()[number].curves for number in (1, 2, 3, 4))
    apart = [np.abs(curves["WIL"] - curves["CP_beta"]) for curves in (one, two)]
    near = max(float(each[SIZES >= 50].max()) for each in apart)
    yield statement(
        "4.1, Figs. 1, 2",
        "WIL and CP give similar limits",
        near < 0.015,
        f"at most {max(each.max() for each in apart):.3f} apart, from n = 50 on at most {near:.3f}",
    )
    tighter = all(np.all((c["NOR"] < c["WIL"]) & (c["NOR"] < c["CP_beta"])) for c in (one, two))
    half = three["NOR"][-1] - three["WIL"][-1]
    yield statement(
        "4.1, Figs. 1, 2",
        "NOR always outperforms WIL and CP",
        bool(tighter),
        f"all n of both figures; not so at an empirical error of 50 % (Fig. 3), where NOR is {half:.3f} above WIL",
    )
    zero = float(np.abs(two["NOR"]).max())
    yield statement("4.1, Fig. 2", "with no error NOR is 0 % for every n", zero == 0, "`normal`, n = 10 to 200")
    k, n = every_count()
    exact, score = (np.asarray(find(name)(Counts(k, n), DELTA, "upper").upper) for name in ("CP", "WIL"))
    always = bool(np.all(exact > score))
    for place, said in (
        ("4.1, Fig. 3", "when n is small, CP is sometimes looser than WIL"),
        ("4.3", "WIL sometimes outperforms CP"),
    ):
        yield statement(
            place,
            said,
            not always,
            f"all {k.size:,} pairs of n up to {MOST} and fewer errors than n: CP is above WIL by "
            f"{np.min(exact - score):.4f} or more",
            right="always",
            why="Wilson's limit is not held back by any guarantee.",
        )
    reach = [max(float(np.ptp([c[name][at] for name in NAMES])) for at in range(101)) for c in (three, four)]
    yield statement(
        "4.1, Fig. 4",
        "as n increases the three tend to similar values",
        reach[1] < reach[0] / 4,
        f"the three are at most {reach[0]:.2f} apart at n = 10, {reach[1]:.3f} at n = 200",
    )
    missed = {n: float(coverage("NOR", n, [1 / n], delta=DELTA, side="upper")[0]) for n in (200, 10_000)}
    yield statement(
        "4.1, Fig. 4",
        "then the binomial distribution can be safely approximated by a normal one",
        min(missed.values()) >= 1 - DELTA - 0.01,
        f"at an error rate of 1/n NOR covers {missed[200]:.3f} for n = 200 and {missed[10_000]:.3f} for n = 10,000",
        right="not where errors are few, at any n",
        why="What must be large is the number of errors, not of examples.",
    )


def _of_coverage() -> Iterator[Check]:
    drawn = [figures.figures()[number].curves for number in (5, 6, 7, 8)]
    least = {name: min(float(curves[name].min()) for curves in drawn) for name in ("NOR", "WIL", "CP")}
    yield statement(
        "4.1, Figs. 5-8",
        "CP is the only guaranteed bound; WIL and NOR fall below the nominal confidence, even when n is increased",
        least["CP"] >= 1 - DELTA > max(float(drawn[1][name].min()) for name in ("NOR", "WIL")),
        f"least coverage in the figures: CP {least['CP']:.4f}, WIL {least['WIL']:.3f}, NOR {least['NOR']:.3f}",
    )
    nothing = coverage_curves(("NOR", "WIL", "CP"), SIZES, [0.0], delta=DELTA, side="upper")
    full = all(np.all(curve == 1) for curve in nothing.values())
    yield statement("footnote 4", "at L = 0 % all three cover for every n", bool(full), "enumeration, n = 10 to 200")
    small = float(drawn[2]["WIL"].min())
    two = coverage_curves(["WIL"], SIZES, [0.02], delta=DELTA, side="upper")["wilson"]
    yield statement(
        "4.1, Fig. 7",
        "WIL is a valuable alternative when the true L is small",
        small >= 1 - DELTA,
        f"at L = 1 % it never falls below {small:.2f} up to n = 200; at 2 % it does, to {two.min():.3f}",
    )
    short = {n: below_nominal(n) for n in (10, 200)}
    yield statement(
        "5",
        "the coverage probability of WIL falls, even if rarely, below the nominal confidence",
        max(part for part, _ in short.values()) < 0.1,
        f"5,000 error rates from 0 to 50 %: by up to {100 * short[10][1]:.1f} points for n = 10 and "
        f"{100 * short[200][1]:.1f} for n = 200",
        right=f"at {percent(short[10][0])} (n = 10) to {percent(short[200][0])} (n = 200) of all error rates",
    )
    large = coverage("WIL", 10_000, np.geomspace(1e-4, 0.5, 2000), delta=DELTA, side="upper")
    yield statement(
        "4.3",
        "WIL could fall below the nominal value, at least when n is small",
        short[10][1] > 0,
        f"least coverage {1 - DELTA - short[10][1]:.3f} at n = 10, {1 - DELTA - short[200][1]:.3f} at n = 200 and "
        f"still {large.min():.3f} at n = 10,000",
    )
    most = float(drawn[3]["CP"].mean())
    yield statement(
        "5",
        "Clopper-Pearson can be conservative, as its coverage is larger than nominal",
        most > 1 - DELTA,
        f"{most:.3f} on average in Fig. 8. Yet its worst is 0.9500 (Table 1): no smaller limit that grows with the "
        "errors keeps the promise",
    )
