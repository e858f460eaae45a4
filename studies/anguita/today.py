"""What is known now: Bentkus, and betting, on the laws that the figures leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import altair as alt
import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Array, Counts, Losses
from holdfast.render.charts.look import LIGHT, finished, inline
from studies.anguita.equations import DELTA, z
from studies.checks import Check, statement
from studies.pages import Page
from studies.runs import Run

Draw = Callable[[np.random.Generator, tuple[int, int]], Array]
LAWS: dict[str, tuple[str, Draw, float, float]] = {  # as the reference calls it: in words, draws, mean, deviation
    "Bern(.01)": ("0/1, mean 1 %", lambda g, shape: (g.random(shape) < 0.01) * 1.0, 0.01, np.sqrt(0.0099)),
    "Bern(.25)": ("0/1, mean 25 %", lambda g, shape: (g.random(shape) < 0.25) * 1.0, 0.25, np.sqrt(0.1875)),
    ".95 atom0+.05U": (
        "95 % are 0",
        lambda g, shape: np.where(g.random(shape) < 0.95, 0.0, g.random(shape)),
        0.025,
        np.sqrt(0.05 / 3 - 0.025**2),
    ),
    "Beta(2,8)": ("beta(2, 8)", lambda g, shape: g.beta(2, 8, shape), 0.2, np.sqrt(0.16 / 11)),
    "Beta(10,30)": ("beta(10, 30)", lambda g, shape: g.beta(10, 30, shape), 0.25, np.sqrt(0.1875 / 41)),
    "U(.2,.3)": ("uniform on 20 to 30 %", lambda g, shape: g.uniform(0.2, 0.3, shape), 0.25, 0.1 / np.sqrt(12)),
}
BOUNDS = ("HOE", "T_HOE", "BER", "CRF", "CHE", "GUT", "MAU", "bentkus", "mixture", "betting")
OLD = ("HOE", "T_HOE", "BER", "CRF", "CHE", "GUT")  # from more than fifty years before the document
REPEATS = {100: 1500, 1000: 300, 10_000: 60}
FEW = {100: 120, 1000: 12}
DRAWN = {"HOE": "#d55e00", "T_HOE": "#a8558a", "MAU": "#4d5a66", "bentkus": "#8a7000", "betting": "#0072b2"}

Found = dict[str, dict[str, dict[str, float]]]  # law, n, bound: slack in normal slacks


def told(page: Page, run: Run) -> None:
    page.section(
        "The conclusions, with what is known now",
        "The document ends: the methods of more than fifty years ago are still the best. For 0/1 losses that stands, "
        "for ever: Clopper-Pearson (1934) is the least limit that grows with the errors and holds. For other losses "
        "it stood on the largest variance only, and it has fallen. Bentkus' inequality, which the document cites and "
        "leaves out, pays a factor e in delta to treat any losses as if they were 0/1. Betting (Waudby-Smith and "
        "Ramdas, 2024) learns the variance as it goes and comes near to what the normal approximation promises and "
        "does not keep; where a sample has too few different values to be shuffled by their own hash, as 0/1 losses "
        "have, it gives way to a mixture of bets. These are for Clopper-Pearson anyway.",
        "The slack, limit less mean loss, as a multiple of the normal approximation's 1.645 standard errors, on "
        f"average over seeded samples, at n = {' / '.join(f'{n:,}' for n in _repeats(run))}:",
    )
    found: Found = {
        law: run.kept(f"anguita: tightness on {law}", partial(slacks, law, run))
        for law in run.steps("tightness, law", LAWS)
    }
    page.table(
        ("bound", *(LAWS[law][0] for law in LAWS)),
        [[name, *(_cell(found[law], name) for law in LAWS)] for name in (*BOUNDS, "CP")],
    )
    page.picture(
        "tightness",
        _chart(found),
        "Slack of five bounds on six laws at n = 1,000, in multiples of the normal approximation's.",
    )
    page.check(*_checks(found))


def _repeats(run: Run) -> dict[int, int]:
    return FEW if run.fast else REPEATS


def slacks(law: str, run: Run) -> dict[str, dict[str, float]]:
    """The mean slack of each bound over samples of the law, in slacks of the normal approximation."""
    _, draw, _, deviation = LAWS[law]
    found = {}
    for n, repeats in _repeats(run).items():
        values = draw(np.random.default_rng([run.seed, n, *law.encode()]), (repeats, n))
        losses, unit = Losses(values), z(DELTA) * deviation / np.sqrt(n)
        limits = {name: np.asarray(find(name)(losses, DELTA, "upper").upper) for name in BOUNDS}
        if law.startswith("Bern"):
            limits["CP"] = np.asarray(find("CP")(Counts(values.sum(axis=1).astype(int), n), DELTA, "upper").upper)
        found[str(n)] = {name: float(np.mean(each - values.mean(axis=1)) / unit) for name, each in limits.items()}
    return found


def _cell(found: dict[str, dict[str, float]], name: str) -> str:
    return " / ".join(f"{by_name[name]:.2f}" if name in by_name else "–" for by_name in found.values())


def _chart(found: Found) -> alt.LayerChart:
    rows = [
        {"law": LAWS[law][0], "bound": name, "slack": round(found[law]["1000"][name], 3)}
        for law in LAWS
        for name in DRAWN
    ]
    order = [words for words, *_ in LAWS.values()]
    y = alt.Y("law:N", sort=order, title=None, axis=alt.Axis(domain=False, ticks=False, grid=True, labelLimit=200))
    x = alt.X(
        "slack:Q",
        title="slack, in multiples of the normal approximation's (logarithmic)",
        scale=alt.Scale(type="log", domain=[0.9, 30], nice=False),
        axis=alt.Axis(values=[1, 1.5, 2, 3, 5, 10, 20], grid=False),
    )
    scale = alt.Scale(domain=list(DRAWN), range=list(DRAWN.values()))
    shapes = alt.Scale(domain=list(DRAWN), range=["triangle-down", "square", "triangle-up", "diamond", "circle"])
    dots = (
        alt.Chart(inline(rows))
        .mark_point(filled=True, size=95, opacity=0.9)
        .encode(x=x, y=y, color=alt.Color("bound:N", scale=scale), shape=alt.Shape("bound:N", scale=shapes))
    )
    one = alt.Chart(inline([{"slack": 1}])).mark_rule(color=LIGHT["text"], strokeWidth=1).encode(x="slack:Q")
    return finished(
        alt.layer(one, dots),
        "The less the losses vary, the more the bounds of 1963 give away",
        "Upper limits at delta = 5 %, n = 1,000; black: the normal approximation, which guarantees nothing.",
        width=470,
        height=230,
    )


def _checks(found: Found) -> Iterator[Check]:
    calm = found["Beta(10,30)"]["1000"]
    rest = {law: by["1000"] for law, by in found.items() if not law.startswith("Bern")}
    ahead = [min(by[name] for name in OLD) / by["betting"] for by in rest.values()]
    yield statement(
        "5",
        "generally speaking, the Hoeffding approach of Eq. (44) guarantees the tightest estimate",
        calm["T_HOE"] <= min(calm["MAU"], calm["bentkus"]),
        f"n = 1,000 losses of beta(10, 30), seeded: slack of T_HOE {calm['T_HOE']:.1f}, of MAU, which it was compared "
        f"with, {calm['MAU']:.1f} times the normal one",
        right="only where the losses vary as much as 0/1 losses do",
        why="The comparison set s^2 to its largest value.",
    )
    yield statement(
        "5",
        "the methods that appeared more than fifty years ago are still the best ones",
        max(ahead) <= 1,
        f"n = 1,000, the four laws that are not 0/1, seeded: the slack of the best of them is {min(ahead):.1f} to "
        f"{max(ahead):.0f} times that of betting",
        right="for 0/1 losses Clopper-Pearson is; for others betting is tighter, on all four laws tried",
        why="True of what was compared: the largest variance, and neither Bentkus nor betting.",
    )
