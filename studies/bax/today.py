"""How much narrower today's versions are: the tables of document 001's bounds beside ours, 95 % everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from holdfast.catalog import find
from holdfast.claims import Claim
from holdfast.combine import bonferroni
from holdfast.evidence import Counts
from holdfast.evidence.pools.averages import average_on
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.pool import Pool
from holdfast.evidence.pools.spread import Spread, spread, spread_on
from studies.bax.exact import miss_of_test
from studies.bax.rates import direct, epsilon
from studies.pages import Page

DELTA = 0.05
SINGLE = ((1000, 1000, 50), (1000, 200, 50), (200, 1000, 10), (500, 500, 0))  # labelled, unlabelled, errors
MODELS = (1, 10, 100, 1000)
TWICE = ("bax-difference", "hoeffding-difference")
RATES = (0.01, 0.05, 0.25, 0.5)


def tables(page: Page) -> None:
    page.say(
        "**What (8) promises, and what happens.** The chance that two independent samples of 1,000 are ε apart, "
        "counted out. Eq. 8 takes ε so large that the 5 % that it may miss are hardly touched; Hoeffding's "
        "inequality for a difference of means, under the same assumptions, is narrower by a third, and still far from "
        "sharp."
    )
    page.table(("bound", "ε", *(f"chance of a miss at π = {rate}" for rate in RATES)), misses())
    page.say(
        "**One model, from validation to test: Eq. 8.** The error rate on these d' inputs, with k errors on d labelled "
        "examples. `hypergeometric` is exact and needs only that chance decided which examples were labelled."
    )
    page.table(("d, d', k", "Eq. 8: ±", "difference of means: ±", "hypergeometric"), [single(*case) for case in SINGLE])
    page.say(
        "**All of M models at once: Eq. 12.** 1,000 labelled examples with 50 errors of the model at hand, 1,000 "
        "unlabelled; at delta / M."
    )
    page.table(("M", "Eq. 12: ±", "hypergeometric"), [uniform(models) for models in MODELS])
    page.say(
        "**The average of M models: Eq. 20.** 50 models on 1,000 labelled and 1,000 unlabelled inputs, drawn with a "
        "seed. The average loss is one loss, whatever M is; betting on it uses that it varies little, and the "
        "unlabelled inputs make a part of it certain."
    )
    page.table(
        ("models", "their average", "Eq. 20: ±", "betting-pool", "certain from inputs: Eq. 24", "truth"),
        [average(*case) for case in (("much alike", 0.9), ("alike", 0.6), ("hardly alike", 0.2))],
    )
    seen, rest, truth = drawn(50, 0.6)
    true = float((rest.predicted != truth).mean(axis=1).std())
    page.say(
        "**The spread over 50 models: Eq. 34.** 1,000 labelled and 1,000 unlabelled inputs. The standard deviation of "
        f"the 50 error rates is {float(spread(seen).deviation):.4f} on the labelled ones and {true:.4f} on the others. "
        "Document 001 doubts that better than Eq. 34 can be had in the general case; (a) to (e) have no factor M at "
        "all."
    )
    page.table(("method", "about", "standard deviation", "variance"), spreads(seen, rest))


def misses() -> Iterator[list[str]]:
    for name, reach in (("Eq. 8", epsilon(DELTA, 1000)), ("difference of means", direct(DELTA, 1000, 1000))):
        yield [name, f"{reach:.4f}", *(_chance(miss_of_test(1000, 1000, rate, reach)) for rate in RATES)]


def _chance(chance: float) -> str:
    return f"{100 * chance:.1g} %" if chance >= 1e-6 else "less than 0.0001 %"


def single(d: int, rest: int, k: int) -> list[str]:
    pool, exact = Pool(Counts(k, d), rest), find("hypergeometric")(Counts(k, d), DELTA, unlabelled=rest)
    return [f"{d}, {rest}, {k}", *(_reach(find(name)(pool, DELTA)) for name in TWICE), _ends(exact)]


def uniform(models: int) -> list[str]:
    each = float(bonferroni(DELTA, models))
    counts = Counts(50, 1000)
    exact = find("hypergeometric")(counts, each, unlabelled=1000)
    return [f"{models:,}", _reach(find("bax-difference")(Pool(counts, 1000), each)), _ends(exact)]


def average(name: str, alike: float) -> list[str]:
    seen, rest, truth = drawn(50, alike)
    pool = average_on(seen, rest)
    known = Pool(average_on(seen, rest.n).sample, rest.n)
    claims = find("bax-difference")(known, DELTA), find("betting-pool")(pool, DELTA)
    wrong = float(np.mean(rest.predicted != truth))
    certain = f"[{float(pool.low):.4f}, {float(pool.high):.4f}]"
    return [name, f"{float(known.mean):.4f}", _reach(claims[0]), _ends(claims[1]), certain, f"{wrong:.4f}"]


def spreads(seen: Panel, rest: Unlabelled) -> list[list[str]]:
    """The variance over models of their error rates: as printed, with the right constant, and without a factor M."""
    pool, found = spread_on(seen, rest), spread(seen)
    certainly = float(np.sqrt(pool.most))
    return [
        ["Eq. 34, as printed", "test inputs", *_spread("bax-spread", pool)],
        ["Eq. 34 with its sharp constant", "test inputs", *_spread("bax-spread-sharp", pool)],
        ["exact limits of all models, widest spread within", "test inputs", *_spread("spread-boxes", pool)],
        ["(a) pairs of examples, Hoeffding", "population", *_spread("hoeffding-pairs", found)],
        ["(b) bounded differences", "population", *_spread("bounded-differences", found)],
        ["(c) certain, from disagreements", "test inputs", f"[0, {certainly:.4f}]", f"[0, {certainly**2:.4f}]"],
        ["(d) random split, Markov", "test inputs", *_spread("spread-markov", pool)],
        ["(e) random split, McDiarmid", "test inputs", *_spread("spread-partition", pool)],
        ["(d) or (e), as the inputs decide", "test inputs", *_spread("spread-pool", pool)],
    ]


def drawn(
    models: int, alike: float, d: int = 1000, rest: int = 1000, rate: float = 0.12
) -> tuple[Panel, Unlabelled, np.ndarray]:
    """Two-class models that err together on hard inputs: the more so the more `alike` they are."""
    draw = np.random.default_rng([models, round(100 * alike)])
    hard, own = draw.normal(size=d + rest), draw.normal(size=(models, d + rest))
    skill = np.quantile(hard, 1 - rate) + draw.normal(0, 0.08, models)
    wrong = np.sqrt(alike) * hard + np.sqrt(1 - alike) * own > skill[:, None]
    truth = draw.integers(0, 2, d + rest)
    said = np.where(wrong, 1 - truth, truth)
    names = tuple(f"m_{place:02}" for place in range(models))
    seen = Panel(names, wrong[:, :d], ("0", "1"), truth[:d], said[:, :d], rows=d)
    return seen, Unlabelled(names, ("0", "1"), said[:, d:]), truth[d:]


def _spread(name: str, evidence: Spread) -> list[str]:
    claim = find(name)(evidence, DELTA)
    lower, upper = float(claim.lower), float(claim.upper)
    return [f"[{lower:.4f}, {upper:.4f}]", f"[{lower**2:.4f}, {upper**2:.4f}]"]


def _reach(claim: Claim) -> str:
    """How far the limits are from the estimate: both as far, before they meet 0 or 1."""
    assert claim.estimate is not None
    return f"{max(float(claim.upper) - float(claim.estimate), float(claim.estimate) - float(claim.lower)):.4f}"


def _ends(claim: Claim) -> str:
    return f"[{float(claim.lower):.4f}, {float(claim.upper):.4f}]"
