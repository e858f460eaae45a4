"""Document 001, "Validation of Average Error Rate Over Classifiers", beside what may be said today.

`python studies/bax.py` prints the tables of studies/bax.md; `python studies/bax.py --write` writes them there. Every
number is computed here, at 95 % confidence; what is simulated has a seed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill

import numpy as np

from holdfast.catalog import find
from holdfast.claims import Claim
from holdfast.combine import bonferroni
from holdfast.evidence import Counts
from holdfast.evidence.panel import Panel
from holdfast.evidence.pool import Pool
from holdfast.evidence.spread import Spread
from holdfast.evidence.unlabelled import Unlabelled
from holdfast.measures.panel import average_on
from holdfast.measures.spread import spread, spread_on

PAGE = Path(__file__).with_suffix(".md")
DELTA = 0.05
SINGLE = ((1000, 1000, 50), (1000, 200, 50), (200, 1000, 10), (500, 500, 0))  # labelled, unlabelled, errors
MODELS = (1, 10, 100, 1000)
INTRODUCTION = """\
# Document 001, beside what may be said today

Written by `python studies/bax.py --write`; do not edit. Bax bounds error rates on d' test inputs from d validation
examples by Hoeffding's inequality, twice. The same may be had narrower, under weaker assumptions: 95 % everywhere."""


def page() -> str:
    return "\n\n".join([INTRODUCTION, *_sections()]) + "\n"


def _sections() -> Iterator[str]:
    yield _section(
        "One model, from validation to test: Eq. 8",
        "The error rate on these d' inputs, with k errors on d labelled examples. `hypergeometric` is exact and needs "
        "only that chance decided which examples were labelled.",
        ("d, d', k", "Eq. 8: ±", "difference of means: ±", "hypergeometric"),
        [_single(*case) for case in SINGLE],
    )
    yield _section(
        "All of M models at once: Eq. 12",
        "1,000 labelled examples with 50 errors of the model at hand, 1,000 unlabelled; at delta / M.",
        ("M", "Eq. 12: ±", "hypergeometric"),
        [_uniform(models) for models in MODELS],
    )
    yield _section(
        "The average of M models: Eq. 20",
        "50 models on 1,000 labelled and 1,000 unlabelled inputs, drawn with a seed. The average loss is one loss, "
        "whatever M is; betting on it uses that it varies little, and the unlabelled inputs make a part of it certain.",
        ("models", "their average", "Eq. 20: ±", "betting-pool", "certain from inputs: Eq. 24", "truth"),
        [_average(*case) for case in (("much alike", 0.9), ("alike", 0.6), ("hardly alike", 0.2))],
    )
    yield from _of_spread()


def _single(d: int, rest: int, k: int) -> list[str]:
    pool, exact = Pool(Counts(k, d), rest), find("hypergeometric")(Counts(k, d), DELTA, unlabelled=rest)
    return [f"{d}, {rest}, {k}", *(_reach(find(name)(pool, DELTA)) for name in TWICE), _ends(exact)]


TWICE = ("bax-difference", "hoeffding-difference")


def _uniform(models: int) -> list[str]:
    each = float(bonferroni(DELTA, models))
    counts = Counts(50, 1000)
    exact = find("hypergeometric")(counts, each, unlabelled=1000)
    return [f"{models:,}", _reach(find("bax-difference")(Pool(counts, 1000), each)), _ends(exact)]


def _average(name: str, alike: float) -> list[str]:
    seen, rest, truth = drawn(50, alike)
    pool = average_on(seen, rest)
    known = Pool(average_on(seen, rest.n).sample, rest.n)
    claims = find("bax-difference")(known, DELTA), find("betting-pool")(pool, DELTA)
    wrong = float(np.mean(rest.predicted != truth))
    certain = f"[{float(pool.low):.4f}, {float(pool.high):.4f}]"
    return [name, f"{float(known.mean):.4f}", _reach(claims[0]), _ends(claims[1]), certain, f"{wrong:.4f}"]


def _of_spread() -> Iterator[str]:
    """The variance over models of their error rates: as printed, with the right constant, and without a factor M."""
    seen, rest, truth = drawn(50, 0.6)
    pool, found = spread_on(seen, rest), spread(seen)
    true = float((rest.predicted != truth).mean(axis=1).std())
    certainly = float(np.sqrt(pool.most))
    rows = [
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
    yield _section(
        "The spread over 50 models: Eq. 34",
        f"1,000 labelled and 1,000 unlabelled inputs. The standard deviation of the 50 error rates is "
        f"{float(found.deviation):.4f} on the labelled ones and {true:.4f} on the others. Document 001 doubts that "
        "better than Eq. 34 can be had in the general case; (a) to (e) have no factor M at all.",
        ("method", "about", "standard deviation", "variance"),
        rows,
    )


def _spread(name: str, evidence: Spread) -> list[str]:
    claim = find(name)(evidence, DELTA)
    lower, upper = float(claim.lower), float(claim.upper)
    return [f"[{lower:.4f}, {upper:.4f}]", f"[{lower**2:.4f}, {upper**2:.4f}]"]


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


def _reach(claim: Claim) -> str:
    """How far the limits are from the estimate: both as far, before they meet 0 or 1."""
    assert claim.estimate is not None
    return f"{max(float(claim.upper) - float(claim.estimate), float(claim.estimate) - float(claim.lower)):.4f}"


def _ends(claim: Claim) -> str:
    return f"[{float(claim.lower):.4f}, {float(claim.upper):.4f}]"


def _section(title: str, words: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([f"## {title}", "", fill(words, 120), "", *lines])


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
