"""What is shown of bias and variance along a parameter, and of a learning curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from holdfast.claims import Claim, Guarantee
from holdfast.render.outline.parts import (
    ANY,
    LEVEL,
    Both,
    Column,
    Medium,
    Name,
    Outline,
    Room,
    Rows,
    Section,
    Table,
    claims_table,
)
from holdfast.render.phrases import LIMITS, alone, confidence, holding, percent, point, rounded
from holdfast.report import Report
from holdfast.report.facts.assessment import Decomposed, DecompositionFacts, LearningFacts, Point
from holdfast.wording import counted, printable

LONGEST_LEARNER = 160  # characters in a sentence
LONGEST_VALUE = Room(12, 60)  # of a parameter, beside three intervals
THREE = Room(3, 3)  # decimals
NAMES = {"expected-loss": "loss", "squared-bias": "bias²", "net-variance": "net variance"}
PROMISE = "Each interval is right as often as it promises if all of this is true:"


def _outline(report: Report, headline: tuple[str, str], section: Callable[[Medium], Section]) -> Outline:
    headline = headline if all(headline) else ("", headline[0] or headline[1])
    return Outline(
        headline=headline,
        sections=lambda medium: [section(medium)],
        holding=holding(report),
        notebook=alone(report),
        promise=PROMISE,
    )


# ---- Bias and variance


def decomposition(report: Report, facts: DecompositionFacts) -> Outline:
    """What the loss is made of, and how that changes along a parameter."""
    along = _along if facts.decomposition.parameter else _once
    return _outline(report, _where_and_what(report, facts), partial(along, report, facts.decomposition))


def _where_and_what(report: Report, facts: DecompositionFacts) -> tuple[str, str]:
    """Where along a parameter the loss is least, if it was tried along one; and what it is made of."""
    setup, by_value = facts.decomposition, settings(report)
    group, claims = min(by_value.items(), key=lambda item: _estimate(item[1]["expected-loss"]))
    where = f"The loss is least at {printable(str(group), 60)}:" if setup.parameter else ""

    def say(name: str) -> str:
        value = abs(_estimate(claims[name])) if name == "net-variance" else _estimate(claims[name])
        return (percent if setup.loss == "zero-one" else rounded)(value, 3, "nearest")

    learner = printable(facts.learner, LONGEST_LEARNER)
    sets = f"{'there the' if where else 'The'} models that {learner} made of {setup.rounds:,} training sets"
    if setup.loss == "squared":
        return where, (
            f"{sets} have a squared loss of {say('expected-loss')} on average, of which {say('squared-bias')} is "
            f"squared bias and {say('variance')} variance."
        )
    adds = "adds" if _estimate(claims["net-variance"]) >= 0 else "saves"
    return where, (
        f"{sets} err on {say('expected-loss')} of {counted(setup.n_test, 'test example')} on average; their vote errs "
        f"on {say('bias')}, the bias, and variance {adds} {say('net-variance')}."
    )


def settings(report: Report) -> dict[str | None, dict[str, Claim]]:
    """By the value of the parameter, the claims by their measure."""
    groups: dict[str | None, dict[str, Claim]] = {}
    for line in report.whole:
        groups.setdefault(line.group, {})[line.measure] = line.claim
    return groups


def drawn_measures(setup: Decomposed) -> tuple[str, ...]:
    """The three that Figure 22.7d of the book draws."""
    return ("expected-loss", "squared-bias" if setup.loss == "squared" else "bias", "variance")


def value_of(group: str | None, setup: Decomposed) -> str:
    """The value that a group's lines are about."""
    return str(group).removeprefix(f"{setup.parameter}=")


def _along(report: Report, setup: Decomposed, medium: Medium) -> Section:
    """A row for each value of the parameter: in text with the three main parts of the loss, on the page with all."""
    by_value, level = settings(report), confidence(float(report.claims[0].delta))
    parameter, first = str(setup.parameter), next(iter(by_value.values()))
    measures = drawn_measures(setup) if medium == "text" else [*first]
    titles = [NAMES.get(name, name) for name in measures]
    columns = [Column.words(printable(parameter), printable(parameter, 60), LONGEST_VALUE)]
    columns += [Column(title, title.capitalize(), digits=THREE) for title in titles]
    columns[1] = Column(f"{titles[0]}, {level} interval", titles[0].capitalize(), digits=THREE)
    rows = [[Name(value_of(group, setup)), *(of[name] for name in measures)] for group, of in by_value.items()]
    return _each(report, "Each value", Table(columns, rows), first.values())


def _each(report: Report, title: str, table: Table, claims: Iterable[Claim]) -> Section:
    """The table under its title, with which method answers for which measures."""
    groups: dict[str, tuple[list[str], Guarantee]] = {}
    for claim in claims:
        measures, _ = groups.setdefault(claim.method, ([], claim.guarantee))
        measures.append(NAMES.get(claim.measure, claim.measure.replace("-", " ")))
    intro: list[str | Guarantee] = [f"{LEVEL} {LIMITS[report.claims[0].side]}s"]
    for place, (method, (names, guarantee)) in enumerate(groups.items()):
        intro += [f"{'; ' if place else ' '}of the {', '.join(names)} by {method} ", guarantee]
    table = replace(table, name=title, most=ANY, css="short", id="along")
    return Section([table], title, intro)


def _once(report: Report, setup: Decomposed, medium: Medium) -> Section:
    level, title = confidence(float(report.claims[0].delta)), "What the loss is made of"
    rows = [(Both(line.measure, NAMES.get(line.measure, line.measure)), line.claim) for line in report.whole]
    return Section([claims_table(rows, title, ("estimate", f"{level} interval"), first="part", dense=False)], title)


def _estimate(claim: Claim) -> float:
    assert claim.estimate is not None  # there are test examples
    return float(claim.estimate)


# ---- Learning curves


def learning_curve(report: Report, facts: LearningFacts) -> Outline:
    """What more training bought, and what it cost in certainty."""
    curve = facts.learning_curve
    first, last = report.whole[0].claim, report.whole[-1].claim
    errs = f"{printable(facts.learner, LONGEST_LEARNER)} errs{' on average' * (curve.repeats > 1)}"
    one, other = (percent(point(claim), 3, "nearest") for claim in (first, last))
    begun = f"Trained on {share_of(curve.points[0])} of the rows {errs} on {one} of the others"
    headline = (f"{begun}.", "")
    if len(curve.points) > 1:
        headline = (
            f"{begun}; on {share_of(curve.points[-1])}, on {other}.",
            _certainty(first, last),
        )
    limits = f"{confidence(float(first.delta))} {LIMITS[first.side]}"
    columns = [
        Column("trained on", left_on_page=True),
        Column("rows"),
        Column("tested on"),
        Column(("error rate", limits), "Error rate", digits=THREE, one_sided="signs"),
        Column("width", ""),
        Column.words("holds at", ""),
    ]
    sizes = ((share_of(point), f"{point.n_train:,}", f"{point.n_test:,}") for point in curve.points)
    claims = [line.claim for line in report.whole]
    rows: Rows = [[*size, c, _width(c), c.guarantee] for size, c in zip(sizes, claims, strict=True)]
    return _outline(report, headline, lambda medium: _each(report, "Each share", Table(columns, rows), claims[:1]))


def _certainty(first: Claim, last: Claim) -> str:
    if first.side == "both":
        widths = [percent(float(claim.width), 3, "up").removesuffix(" %") for claim in (first, last)]
        return f"The interval goes from {widths[0]} to {widths[1]} points: what trains cannot test."
    way = "up" if first.side == "upper" else "down"
    limits = [percent(float(getattr(claim, first.side)), 3, way) for claim in (first, last)]
    return f"The {first.side} limit goes from {limits[0]} to {limits[1]}: what trains cannot test."


def share_of(point: Point) -> str:
    """The share that trained, in percent."""
    return f"{100 * point.train_share:g} %"


def _width(claim: Claim) -> str:
    return rounded(float(claim.width), THREE.text, "up") if claim.side == "both" else ""
