"""The slides' intervals for a success rate: how the printed ones came about, and what such an interval promises."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from scipy.special import ndtr

import holdfast as hf
from holdfast.bounds.binomial import normal_quantile
from holdfast.evidence import Counts
from holdfast.numerics.binomial import binomial_tail
from studies.checks import Check, number, statement
from studies.pages import Page
from studies.slides import pictures

Z_TABLE = [
    ("0.001", "3.09"),
    ("0.005", "2.58"),
    ("0.01", "2.33"),
    ("0.05", "1.65"),
    ("0.1", "1.28"),
    ("0.2", "0.84"),
    ("0.4", "0.25"),
]
EIGHTY = [(750, 1000, ("73.2", "76.7")), (75, 100, ("69.1", "80.1"))]  # in per cent
NINETY = (70, 100, ("0.624", "0.776"))


def rounded_before(z: bool, error: bool) -> tuple[Decimal, Decimal]:
    """The 90 % interval of 70 in 100, the quantile or the standard error rounded before they are used."""
    k, n, _ = NINETY
    share = Decimal(k) / n
    quantile, deviation = Decimal(float(normal_quantile(np.asarray(0.05)))), (share * (1 - share) / n).sqrt()
    quantile = cut(cut(quantile, 3), 2) if z else quantile
    deviation = cut(deviation, 3) if error else deviation
    return cut(share - quantile * deviation, 3), cut(share + quantile * deviation, 3)


def cut(value: float | Decimal, digits: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def add(page: Page) -> None:
    page.section(
        "Intervals: how the numbers came about",
        "The slides derive one interval, p' ± z sqrt(p'q'/N). Their two examples at 80 % are not made by it: they are "
        "Wilson's, with the variance at the unknown p. The third, at 90 %, is made by it, from rounded numbers. An "
        "interval that keeps its promise at every p is Clopper and Pearson's.",
    )
    page.table(("successes", "confidence", "printed", "as derived (normal)", "Wilson", "Clopper-Pearson"), _compared())
    page.check(*_quantiles(), *_examples(), *_moments())
    _promise(page)


def _compared() -> Iterator[tuple[str, ...]]:
    cases = [(*case, "0.8", 100) for case in EIGHTY] + [(*NINETY, "0.9", 1)]
    for k, n, printed, confidence, unit in cases:
        ends = []
        for method in ("normal", "wilson", "clopper-pearson"):
            claim = hf.bound(Counts(k, n), method, confidence=confidence)
            ends.append(
                f"[{unit * claim.lower:.{4 if unit == 1 else 2}f}, {unit * claim.upper:.{4 if unit == 1 else 2}f}]"
            )
        yield f"{k} of {n}", f"{100 * float(confidence):.0f} %", f"[{', '.join(printed)}]", *ends


def _quantiles() -> Iterator[Check]:
    for tail, printed in Z_TABLE:
        z = float(normal_quantile(np.asarray(float(tail))))
        yield number(
            "z table", f"z for {100 * float(tail):g} %", printed, z, "normal quantile", f"rounded twice: {z:.3f} first"
        )
    listed = np.array([float(z) for _, z in Z_TABLE])
    within = float(ndtr(1.65) - ndtr(-1.65))
    yield number("Estimating p", "Pr[-1.65 <= X <= 1.65] in percent", "90", 100 * within, "normal distribution")
    yield statement(
        "Estimating p",
        "Pr[-z <= X <= z] = 1 - 2 Pr[X >= z]",
        bool(np.allclose(ndtr(listed) - ndtr(-listed), 1 - 2 * ndtr(-listed))),
        "all seven lines of the table",
    )


def _examples() -> Iterator[Check]:
    for k, n, printed in EIGHTY:
        claim, wilson = (hf.bound(Counts(k, n), name, confidence="0.8") for name in ("normal", "wilson"))
        place = f"{k} of {n} at 80 %"
        yield number(place, "estimated success rate in percent", "75", 100 * k / n, "counted")
        for what, text, found, other in zip(
            ("lower", "upper"), printed, (claim.lower, claim.upper), (wilson.lower, wilson.upper), strict=True
        ):
            why = f"it is Wilson's limit, {100 * other:.2f}, which the slides do not derive"
            yield number(
                place, f"{what} limit in percent", text, 100 * float(found), "the interval that they derive", why
            )
    k, n, printed = NINETY
    claim, place = hf.bound(Counts(k, n), "normal", confidence="0.9"), "70 of 100 at 90 %"
    yield number(place, "standard error", ".046", np.sqrt(0.7 * 0.3 / 100), "sqrt(.7 x .3 / 100)")
    same = [str(limit) for limit in rounded_before(z=True, error=True)] == [*printed]
    why = "z and the standard error were rounded before they were used" if same else "not known"
    for what, text, found in zip(("lower", "upper"), printed, (claim.lower, claim.upper), strict=True):
        yield number(place, f"{what} limit", text, float(found), "p' ± z sqrt(p'q'/N), nothing rounded on the way", why)


def _moments() -> Iterator[Check]:
    p = np.linspace(0, 1, 101)
    q = 1 - p
    steps = [(1 - p) ** 2 * p + (0 - p) ** 2 * q, q**2 * p + p**2 * q, p * q * (p + q), p * q]
    alike = all(np.allclose(step, steps[-1]) for step in steps)
    yield statement("Mean and variance", "of one trial: mean p, variance pq, in four steps", alike, "101 rates")
    n = 7
    k = np.arange(n + 1)
    ways = np.array([1, 7, 21, 35, 35, 21, 7, 1])
    chances = ways * p[:, None] ** k * q[:, None] ** (n - k)
    mean = chances @ (k / n)
    variance = chances @ (k / n) ** 2 - mean**2
    right = bool(np.allclose(mean, p) and np.allclose(variance, p * q / n))
    yield statement("Mean and variance", "of the rate in N trials: mean p, variance pq/N", right, "N = 7, every count")
    far = {size: _from_normal(size, 0.75) for size in (10, 100, 1000)}
    yield statement(
        "Estimating p",
        "when N is big, the rate in N trials is nearly normal",
        far[10] > far[100] > far[1000],
        "largest distance of the distributions at p = 0.75: "
        + ", ".join(f"{distance:.3f} for N = {size:,}" for size, distance in far.items()),
    )


def _from_normal(n: int, p: float) -> float:
    """How far the distribution of a rate is from the normal one, at most."""
    k = np.arange(n + 1)
    normal = ndtr((k / n - p) / np.sqrt(p * (1 - p) / n))
    at = binomial_tail(k, n, p, 1 - p)
    return float(np.maximum(np.abs(at - normal), np.abs(np.append(0.0, at[:-1]) - normal)).max())


def _promise(page: Page) -> None:
    rates = np.linspace(0.8, 0.999, 400)
    methods = ("normal", "wilson", "clopper-pearson")
    curves = hf.coverage_curves(methods, [100], 1 - rates, confidence="0.9")
    worst = {name: hf.worst_coverage(name, 100, confidence="0.9").coverage for name in methods}
    at = float(hf.coverage("normal", 100, [0.03], confidence="0.9")[0])
    page.section(
        "What an interval promises",
        "With confidence C %, the summary says, p is in the interval. For the interval it derives that is not so: at "
        f"100 trials and 90 % it covers a success rate of 97 % in only {100 * at:.1f} % of all test sets, and the "
        "nearer p is to 1, the rarer. Wilson's comes near the promise on average, Clopper and Pearson's keeps it.",
    )
    page.picture(
        "coverage",
        pictures.coverage(rates, {name: found[0] for name, found in curves.items()}, 0.9),
        "How often each 90 % interval covers the true success rate, with 100 trials, by enumeration of all counts",
    )
    low, high = (float(text) / 100 for text in EIGHTY[1][2])
    inside = {p: float(low <= p <= high) for p in (0.65, 0.7, 0.75, 0.8, 0.85)}
    bigger = [hf.bound(Counts(k, n), "wilson", confidence="0.8") for k, n, _ in EIGHTY]
    drawn = np.random.default_rng(3).binomial(100, 0.7, 2000) / 100
    page.check(
        statement(
            "75 of 100 at 80 %",
            "the probability that p is in [69.1, 80.1] is 0.8",
            all(abs(chance - 0.8) < 0.05 for chance in inside.values()),
            f"p is fixed: it is in or not, {', '.join(f'{p:g}: {chance:g}' for p, chance in inside.items())}",
            right="of intervals so made from many test sets, about 80 % contain p",
            why="what is random is the interval",
        ),
        statement(
            "750 of 1000 at 80 %",
            "the bigger N, the more confident we are",
            bool(bigger[0].delta < bigger[1].delta),
            "both intervals have 80 % confidence; their widths are "
            + " and ".join(f"{100 * claim.width:.1f} points" for claim in bigger),
            right="as confident, of a narrower interval",
            why="confidence taken for precision",
        ),
        statement(
            "Estimating p",
            "(S_N - p') / sqrt(p'q'/N) has mean 0 and variance 1",
            bool(np.isclose(((drawn - drawn) / np.sqrt(drawn * (1 - drawn) / 100)).var(), 1, atol=0.2)),
            "p' is S_N, so that it is always 0",
            right=f"(S_N - p) / sqrt(pq/N); 2,000 draws have variance {((drawn - 0.7) / np.sqrt(0.0021)).var():.2f}",
            why="the estimate was put for the truth on both sides",
        ),
        statement(
            "Estimating p",
            "S_N is in [0.624, 0.776] with 90 %, so that p, its mean, is in it too",
            0.9 * 0.63 + 0.1 * 0.0 >= 0.624,
            f"a variable that is 0.63 with 90 % and else 0 has mean {0.9 * 0.63:g}",
            right="the interval is for p: the inequality about S_N - p is solved for p",
            why="S_N stands for p in the equations that are solved",
        ),
        statement(
            "Summary",
            "with confidence C %, p is in p' ± z sqrt(p'q'/N)",
            worst["normal"] >= 0.9,
            f"least coverage at N = 100 and 90 %: {100 * worst['normal']:.1f} %, Wilson {100 * worst['wilson']:.1f} %, "
            f"Clopper-Pearson {100 * (worst['clopper-pearson']):.1f} %",
            right="only as N grows; an exact interval holds at every N",
            why="an approximation taken for the truth",
        ),
    )
