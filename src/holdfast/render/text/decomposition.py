"""Bias and variance as text: what the loss is made of, and how that changes along a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim
from holdfast.render.numbers import confidence, percent, rounded
from holdfast.render.text.assessment import MOST_DIGITS_OF_THREE, estimate_and_limits, holding, origin, sentences, shown
from holdfast.render.text.crossed import learner_of
from holdfast.render.text.text import BRIEF, COLOUR, Parts, assumptions, empty_table, wrapped

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Report

LONGEST_VALUE = 12  # characters of a value beside three intervals
NAMES = {"expected-loss": "loss", "squared-bias": "bias²", "net-variance": "net variance"}


def decomposition_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    told = report.details["decomposition"]
    parts: Parts = [wrapped(headline(report)), ""]
    parts += [_along(report, told) if told["parameter"] else _once(report), ""]
    parts += sentences("Note", report.details["notes"])
    parts += [holding(report), *assumptions(report.claims), ""]
    parts += sentences("Next", report.details["next"])
    return [*parts, origin(report)]


def headline(report: Report) -> str:
    """What the loss is made of; along a parameter, where it is least."""
    return " ".join(filter(None, where_and_what(report)))


def where_and_what(report: Report) -> tuple[str, str]:
    """Where along a parameter the loss is least, if it was tried along one; and what it is made of."""
    told, by_value = report.details["decomposition"], settings(report)
    group, claims = min(by_value.items(), key=lambda item: _estimate(item[1]["expected-loss"]))
    where = f"The loss is least at {shown(str(group), 60)}:" if told["parameter"] else ""
    say = percent if told["loss"] == "zero-one" else rounded
    loss, digits = _estimate(claims["expected-loss"]), 3
    sets = (
        f"{'there the' if where else 'The'} models that {learner_of(report)} made of {told['rounds']:,} training sets"
    )
    if told["loss"] == "squared":
        bias, variance = (_estimate(claims[name]) for name in ("squared-bias", "variance"))
        return where, (
            f"{sets} have a squared loss of {say(loss, digits, 'nearest')} on average, of which "
            f"{say(bias, digits, 'nearest')} is squared bias and {say(variance, digits, 'nearest')} variance."
        )
    tested = "1 test example" if told["n_test"] == 1 else f"{told['n_test']:,} test examples"
    bias, net = (_estimate(claims[name]) for name in ("bias", "net-variance"))
    adds = (
        f"variance adds {say(net, digits, 'nearest')}" if net >= 0 else f"variance saves {say(-net, digits, 'nearest')}"
    )
    return where, (
        f"{sets} err on {say(loss, digits, 'nearest')} of {tested} on average; their "
        f"vote errs on {say(bias, digits, 'nearest')}, the bias, and {adds}."
    )


def settings(report: Report) -> dict[str | None, dict[str, Claim]]:
    """By the value of the parameter, the claims by their measure."""
    found: dict[str | None, dict[str, Claim]] = {}
    for line in report.whole:
        found.setdefault(line.group, {})[line.measure] = line.claim
    return found


def drawn_measures(told: Mapping[str, Any]) -> tuple[str, ...]:
    """The three that Figure 22.7d of the book draws."""
    return ("expected-loss", "squared-bias" if told["loss"] == "squared" else "bias", "variance")


def value_of(group: str | None, told: Mapping[str, Any]) -> str:
    """The value that a group's lines are about."""
    return str(group).removeprefix(f"{told['parameter']}=")


def _along(report: Report, told: Mapping[str, Any]) -> Table:
    from rich.text import Text

    measures = drawn_measures(told)
    level = confidence(float(report.claims[0].delta))
    titles = [NAMES.get(name, name) for name in measures]
    table = empty_table(shown(told["parameter"]), f"{titles[0]}, {level} interval", *titles[1:])
    for group, claims in settings(report).items():
        cells = (" ".join(estimate_and_limits(claims[name], MOST_DIGITS_OF_THREE)) for name in measures)
        table.add_row(Text(shown(value_of(group, told), LONGEST_VALUE)), *cells)
    return table


def _once(report: Report) -> Table:
    from rich.text import Text

    level = confidence(float(report.claims[0].delta))
    table = empty_table("part", "estimate", f"{level} interval", "method", "holds at")
    table.columns[3].justify = table.columns[4].justify = "left"
    for line in report.whole:
        mark = Text(BRIEF[line.claim.guarantee], style=COLOUR[line.claim.guarantee])
        table.add_row(line.measure, *estimate_and_limits(line.claim), line.claim.method, mark)
    return table


def _estimate(claim: Claim) -> float:
    assert claim.estimate is not None  # there are test examples
    return float(claim.estimate)
