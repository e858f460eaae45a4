"""Sections 4.2 and 4.3: how tight the bounds for losses in [0, 1] are, Figs. 9 to 12 and 17 to 20."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Counts
from studies.anguita import figures
from studies.anguita.binary import every_count
from studies.anguita.equations import BOUNDED, DELTA, NEAR, SHARES, SIZES, limit, percent
from studies.anguita.figures import clopper_pearson
from studies.anguita.pictures import panels
from studies.checks import Check, statement
from studies.pages import Page

EXPLICIT = ("GUT", "CHE", "HOE", "MAU", "CRF", "BER")  # all but T_HOE; that BER is explicit, the document overlooked


def told(page: Page) -> None:
    page.section(
        "Losses in [0, 1]: Figs. 9 to 12",
        "The figures set the sample variance to the largest that a mean allows. So they compare the bounds where only "
        "0/1 losses are, for which Clopper-Pearson exists, and hide what a bound that looks at the variance is good "
        "for.",
    )
    page.picture(
        "limits-bounded",
        panels(
            [figures.figures()[number] for number in (9, 10, 11, 12)],
            {name: name for name in ("T_HOE", "HOE", "GUT", "BER", "CRF", "CHE", "MAU")},
            "With the largest variance, the implicit Hoeffding bound is the tightest",
            "Upper limit at delta = 5 %, not cut at 100 %.",
            "upper limit",
            domain=[(0.25, 1.0), (0.0, 1.0), (0.0, 1.0), (0.0, 0.8)],
        ),
        "Figs. 9 to 12: upper limits of the seven bounds for losses in [0, 1], with the largest sample variance.",
    )
    page.check(*(figures.check(number) for number in (9, 10, 11, 12)), *_of_seven())
    page.section(
        "Bounds for losses in [0, 1] on 0/1 losses: Figs. 17 to 20",
        "Clopper-Pearson wins, as the document says, and by theory: no other limit that grows with the number of "
        "errors keeps its promise and is smaller anywhere.",
    )
    page.picture(
        "limits-both",
        panels(
            [figures.figures()[number] for number in (17, 18, 19, 20)],
            {"WIL": "WIL", "CP_beta": "CP", "T_HOE": "T_HOE"},
            "On 0/1 losses nothing that is guaranteed is tighter than Clopper-Pearson",
            "Upper limit at delta = 5 %. Without errors CP and T_HOE are the same.",
            "upper limit",
            domain=[(0.0, 0.28), (0.25, 0.66), (0.0, 0.9), (0.0, 0.7)],
        ),
        "Figs. 17 to 20: upper limits of WIL, CP and T_HOE over the number of examples and over the empirical error.",
    )
    page.check(*(figures.check(number) for number in (17, 18, 19, 20)), *_on_counts())


def _of_seven() -> Iterator[Check]:
    n, mean = np.meshgrid(SIZES.astype(float), SHARES)
    found = {name: limit(name, n, mean) for name in BOUNDED}
    others = np.min([found[name] for name in BOUNDED if name != "T_HOE"], axis=0)
    yield statement(
        "4.2, Figs. 9-12",
        "T_HOE provides the tightest estimate (over what is drawn)",
        bool(np.all(found["T_HOE"] < others)),
        f"n = 10 to 200, empirical errors to 50 %, the largest s^2: ahead by {np.min(others - found['T_HOE']):.5f} or "
        "more",
    )
    at = {name: float(limit(name, 100, 0.25, 0.0)) for name in ("MAU", "T_HOE")}
    tiny = {name: float(limit(name, 5, 0.6)) for name in ("GUT", "T_HOE")}
    yield statement(
        "4.2, Figs. 11, 12",
        "T_HOE provides the tightest estimations for every value of n and of the empirical error",
        at["T_HOE"] <= at["MAU"] and tiny["T_HOE"] <= tiny["GUT"],
        f"n = 100, every loss 25 %: MAU {at['MAU']:.3f}, T_HOE {at['T_HOE']:.3f}; n = 5, mean loss 60 %, the largest "
        f"s^2: GUT {tiny['GUT']:.3f}, T_HOE {tiny['T_HOE']:.3f}",
        right="only with the largest s^2, and up to 50 %",
        why="s^2 was set to its largest value, which only 0/1 losses have.",
    )
    near = float(np.max(figures.figures()[9].curves["HOE"] - figures.figures()[9].curves["T_HOE"]))
    how = f"at most {near:.3f} above T_HOE at a mean loss of 25 %"
    yield statement("4.2, Fig. 9", "HOE guarantees an acceptable performance", near < 0.01, how)
    same = float(np.abs(limit("T_HOE", SIZES, np.zeros(SIZES.shape)) - (1 - DELTA ** (1 / SIZES))).max())
    rest = [figures.figures()[10].curves[name] for name in BOUNDED if name != "T_HOE"]
    best = same < NEAR and bool(np.all(figures.figures()[10].curves["T_HOE"] < np.min(rest, axis=0)))
    yield statement("4.2, Fig. 10", "without errors T_HOE is (46), and optimal", best, "n = 10 to 200, all seven")
    ahead = {size: found["CRF"][:, size - 10] < found["HOE"][:, size - 10] for size in (10, 200)}
    yield statement(
        "4.2",
        "CRF is effective, especially when n is large and the empirical error small",
        bool(ahead[200][0] and not ahead[10].any()),
        f"at n = 200 it is below HOE up to an empirical error of {percent(SHARES[ahead[200]].max(), 1)}, at n = 10 "
        "never",
    )
    first = np.argmin([found[name] for name in EXPLICIT], axis=0)
    part = {name: float(np.mean(first == place)) for place, name in enumerate(EXPLICIT)}
    yield statement(
        "5",
        "Guttman's and the conventional Hoeffding bound are the valuable paper-and-pencil alternatives",
        part["GUT"] + part["HOE"] > 0.75,
        f"tightest of the explicit ones at {percent(part['HOE'])} (HOE), {percent(part['GUT'])} (GUT), "
        f"{percent(part['BER'])} (BER, which is explicit too) and {percent(part['CRF'], 1)} (CRF) of the points of "
        "the figures",
    )
    sinking = all(bool(np.all(np.diff(found[name], axis=1) < 0)) for name in BOUNDED)
    yield statement("1.1", "the unluckiness factor decreases as n increases", sinking, "all seven, n = 10 to 200")
    slack = {name: float(limit(name, 10**6, 0.25) - 0.25) for name in (*BOUNDED, "NOR")}
    yield statement(
        "4.1",
        "as n increases, the bounds tend to be characterised by a similar performance",
        max(slack.values()) < 1.1 * min(slack.values()),
        f"n = 1,000,000, a mean loss of 25 %: the slack of CHE is {slack['CHE'] / slack['NOR']:.1f} times that of "
        f"NOR, that of HOE {slack['HOE'] / slack['NOR']:.1f} and that of T_HOE {slack['T_HOE'] / slack['NOR']:.1f} "
        "times",
        right="the limits meet, but their slacks keep their ratios",
        why="All slacks tend to 0; twice the slack still costs four times the examples.",
    )


def _on_counts() -> Iterator[Check]:
    n, mean = SIZES, np.zeros(SIZES.shape)
    off = float(np.abs(limit("T_HOE", n, mean) - clopper_pearson(n, mean, "floor")).max())
    yield statement("4.3, Fig. 17", "without errors CP and T_HOE perform identically", off < NEAR, "n = 10 to 200")
    k, n = every_count()
    exact, others = (np.asarray(find(name)(Counts(k, n), DELTA, "upper").upper) for name in ("CP", "T_HOE"))
    some = k > 0
    yield statement(
        "4.3, Fig. 18",
        "CP becomes tighter than T_HOE as the empirical error increases",
        bool(np.all(exact[some] < others[some])),
        f"all {int(some.sum()):,} pairs of n up to 200 and 0 < k < n: by {np.min((others - exact)[some]):.4f} or more",
    )
    rigorous = {name: np.asarray(find(name)(Counts(k, n), DELTA, "upper").upper) for name in BOUNDED}
    best = all(bool(np.all(exact <= found * (1 + NEAR))) for found in rigorous.values())
    for place, said in (
        ("3, 4.3", "on 0/1 losses Clopper-Pearson is superior to all bounds of scenario 2"),
        ("5", "so using these bounds there is not recommended"),
    ):
        yield statement(
            place, said, best, f"all {k.size:,} pairs of n up to 200 and k < n: none of the seven is smaller"
        )
    gaps = {
        n: float(limit("T_HOE", n, 0.25) - clopper_pearson(np.array(n), np.array(0.25), "round")) for n in (20, 200)
    }
    ratio = {
        n: float((limit("T_HOE", n, 0.25) - 0.25) / (clopper_pearson(np.array(n), np.array(0.25), "round") - 0.25))
        for n in (20, 200)
    }
    yield statement(
        "4.3, Fig. 20",
        "as n increases the gap between CP and T_HOE decreases",
        gaps[200] < gaps[20],
        f"at 25 % from {gaps[20]:.3f} (n = 20) to {gaps[200]:.3f} (n = 200); yet T_HOE's slack grows from "
        f"{ratio[20]:.2f} to {ratio[200]:.2f} times CP's",
    )
