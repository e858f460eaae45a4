"""The page of a comparison: the verdict on top, then every pair, every model and every test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.claims import Claim, Guarantee
from holdfast.render.numbers import UNKNOWN, digits_for, percent, rounded
from holdfast.render.page.cells import BADGE, cut
from holdfast.render.page.frame import framed
from holdfast.render.page.headline import scale_end
from holdfast.render.page.tables import Row
from holdfast.render.standings import (
    Pair,
    beliefs_of,
    best_first,
    better_of,
    deciding_test,
    differences_of,
    firmness,
    named_measure,
    number_of_pairs,
    own_lines,
    pairs_of,
    tests_of,
    tiers_of,
    told_line,
)
from holdfast.render.text.assessment import estimate_and_limits
from holdfast.render.text.comparison import p_value, required, verdict_and_more
from holdfast.render.text.text import by_cluster, per

if TYPE_CHECKING:
    from holdfast.report import Report

MOST_AMONG = 12  # models whose pairs are all shown, 66 of them
MOST_MODELS = 100
MOST_TIERS, MOST_OF_TIER = 100, 8
MOST_LINES = 120  # of differences in other measures
LONGEST_MODEL = 40


def comparison_html(report: Report) -> str:
    """What a comparison says, in the frame of every page."""
    verdict, more = verdict_and_more(report)
    pairs, order = pairs_of(report), best_first(report)
    among = set(order[:MOST_AMONG])
    shown = [pair for pair in pairs if pair.first in among and pair.second in among]
    return framed(
        "comparison.html",
        report,
        ("", verdict),
        data={},
        more=more,
        required=required(report),
        strip=strip_of(report),
        proven=firmness(report) is not Guarantee.HEURISTIC,
        measure="mean rank" if "ranks" in report.details else named_measure(report),
        together="joint " if "simultaneous" in report.details else "",
        number=number_of_pairs(report),
        listed=len(pairs),
        tiers=[*_tiers(report)],
        among=len(among),
        counted=_counted(report, pairs),
        pairs=[_pair(pair) for pair in shown],
        method=_method(shown[0].claims),
        answers=[*_answers(report, among)],
        models=_models(report, order),
        tests=[*_tests(report)],
        each=_each(report, among),
        beliefs=_beliefs(report, among),
    )


class Side(NamedTuple):
    """Who is better where the strip goes on."""

    place: str
    anchor: str
    said: str


def strip_of(report: Report) -> dict[str, Any] | None:
    """Of two models, the difference on a scale with no difference in its middle; places in percent of the width."""
    line = told_line(report)
    if line is None:
        return None
    claim, margin = line.claim, float(report.details.get("margin") or 0.0)
    lower, upper = float(claim.lower), float(claim.upper)
    rate = claim.measure == "error-rate-difference"
    far = max(abs(lower), abs(upper), margin)
    top = scale_end(far) if rate else far or 1.0

    def at(value: float) -> str:
        return f"{50 + 50 * value / top:.3f}"

    show, digits = percent if rate else rounded, digits_for(upper - lower)
    estimate = None if claim.estimate is None else float(claim.estimate)
    first, second = (cut(name, 24) for name in (line.model, line.against))
    higher = better_of(report) == "higher"
    left, right = (second, first) if higher else (first, second)
    return {
        "start": at(lower),
        "width": f"{50 * (upper - lower) / top:.3f}",
        "estimate": None if estimate is None else at(estimate),
        "middle": show(estimate, digits, "nearest"),
        "told": [show(lower, digits, "down"), show(upper, digits, "up")],
        "shade": (at(-margin), f"{100 * margin / top:.3f}") if margin else None,
        "ticks": [
            ("0", "start", f"-{100 * top:g} %" if rate else f"-{top:.3g}"),
            ("50", "middle", "0"),
            ("100", "end", f"{100 * top:g} %" if rate else f"{top:.3g}"),
        ],
        "sides": [Side("0", "start", f"← {left} better"), Side("100", "end", f"{right} better →")],
        "about": f"{first} minus {second}",
    }


def _counted(report: Report, pairs: Sequence[Pair]) -> str:
    """What the two numbers of a pair count, where it has them."""
    if not pairs or pairs[0].won is None:
        return ""
    return "Data sets won" if "ranks" in report.details else "Alone right"


def _method(claims: Sequence[Claim]) -> tuple[str, tuple[str, str]] | None:
    return (claims[0].method, BADGE[claims[0].guarantee]) if claims else None


def _pair(pair: Pair) -> dict[str, Any]:
    claim = pair.claims[0] if pair.claims else None
    estimate, limits = ("", "") if claim is None else estimate_and_limits(claim)
    return {
        "first": cut(pair.first, LONGEST_MODEL),
        "second": cut(pair.second, LONGEST_MODEL),
        "counts": "" if pair.won is None else f"{pair.won:,} : {pair.lost:,}",
        "estimate": estimate,
        "limits": limits,
        "p": p_value(pair.p),
        "outcome": pair.outcome,
    }


def _tiers(report: Report) -> Iterator[tuple[str, str, str]]:
    """Of very many models: the tier, how many are in it, and those that did best here."""
    for place, models in tiers_of(report)[:MOST_TIERS]:
        named = ", ".join(cut(model, LONGEST_MODEL) for model in models[:MOST_OF_TIER])
        yield str(place), f"{len(models):,}", named + (", …" if len(models) > MOST_OF_TIER else "")


def _answers(report: Report, among: set[str]) -> Iterator[Row]:
    """Every method's answer about one pair, in every measure; of more pairs, those in the other measures."""
    deciding = {id(line) for line in differences_of(report)}
    one, clusters = len(report.details["models"]) == 2, by_cluster(report.claims)
    told = 0
    for place, line in enumerate(report.whole):
        if line.against is None or not (one or (id(line) not in deciding and {line.model, line.against} <= among)):
            continue
        name = line.measure.removesuffix("-difference") + (f", {cut(line.label, 24)}" if line.label else "")
        if not one:
            name += f": {cut(line.model, 24)} − {cut(line.against, 24)}"
        name += f", per {line.claim.per}" if clusters else ""
        told += 1
        if told > MOST_LINES:
            return
        yield Row(place, name, "", *estimate_and_limits(line.claim), line.claim)


def _models(report: Report, order: Sequence[str]) -> dict[str, Any]:
    """Each model by itself, the best here first, and whether it may be the best."""
    details, own = report.details, {line.model: line.claim for line in own_lines(report)}
    means: Mapping[str, float] = details.get("ranks") or details.get("folds", {}).get("means", {})
    rows = [
        {
            "name": cut(model, LONGEST_MODEL),
            "told": _own(own.get(model), means.get(model), 2 if "ranks" in details else 4),
            "best": model in details["may_be_best"],
        }
        for model in order[:MOST_MODELS]
    ]
    first: Claim | None = own.get(order[0])
    title = (
        "mean rank"
        if "ranks" in details
        else named_measure(report)
        if first is None
        else first.measure.replace("-", " ") + per(first)
    )
    return {
        "title": title if first is not None or "ranks" in details else f"mean {title}",
        "method": _method([] if first is None else [first]),
        "rows": rows,
        "number": len(order),
    }


def _own(claim: Claim | None, mean: float | None, digits: int) -> tuple[str, str]:
    return estimate_and_limits(claim) if claim is not None else (rounded(mean, digits, "nearest"), "")


def _tests(report: Report) -> Iterator[dict[str, Any]]:
    """Each test that was made: what it asks, how firmly it holds, and on whose word; the deciding one first."""
    deciding = deciding_test(report)
    found = {test["test"]: test for test in (deciding, *tests_of(report))}
    for name, test in found.items():
        yield {
            "test": name,
            "null": test["null"],
            "badge": BADGE[Guarantee(test["guarantee"])],
            "source": test["source"],
            "p": p_value(test["p"]) if "p" in test and "first" not in test else "",
        }


def _each(report: Report, among: set[str]) -> dict[str, Any] | None:
    """Of each pair its p-values by every test, where several were made."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    tests = [test for test in tests_of(report) if "first" in test]
    for test in tests:
        if {test["first"], test["second"]} <= among:
            p = test.get("adjusted", test["p"])
            found.setdefault((test["first"], test["second"]), {})[test["test"]] = UNKNOWN if p is None else p_value(p)
    if not found:
        return None
    rows = [
        (cut(first, LONGEST_MODEL), cut(second, LONGEST_MODEL), list(p.values()))
        for (first, second), p in found.items()
    ]
    return {"names": list(next(iter(found.values()))), "rows": rows, "corrected": "adjusted" in tests[0]}


def _beliefs(report: Report, among: set[str]) -> dict[str, Any] | None:
    """Bayes' answer: how probably either model is better by more than what matters."""
    told = [belief for belief in beliefs_of(report) if {belief.first, belief.second} <= among]
    if not told:
        return None
    rows = [
        (
            cut(belief.first, LONGEST_MODEL),
            cut(belief.second, LONGEST_MODEL),
            [percent(share, 3, "nearest") for share in belief.shares],
        )
        for belief in told
    ]
    return {"rope": f"{told[0].rope:g}", "rows": rows}
