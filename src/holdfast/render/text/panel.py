"""What is said of several models together, as text: their average, their spread, the best one, and each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim
from holdfast.render.numbers import UNKNOWN, confidence, percent, rounded
from holdfast.render.text.assessment import estimate_and_limits, origin, ranged, sentences, shown
from holdfast.render.text.text import BRIEF, COLOUR, WIDTH, Parts, assumptions, empty_table

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Line, Report

MOST_MODELS = 20  # on the screen; all of them are in the JSON
MOST_NAMED = 6  # models of a sentence
LONGEST_MODEL = 30
NAMES = {
    "average-error-rate": "average error rate",
    "error-rate-spread": "spread (sd)",
    "error-rate": "best",
}


def panel_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [fill(headline(report), WIDTH), "", fill(selected(report), WIDTH), "", _summary(report), ""]
    parts += [*_sets(report), *_certain(report), _models(report), ""]
    parts += sentences("Note", report.details["notes"])
    parts += [fill(holding(report), WIDTH), *assumptions(report.claims), ""]
    parts += sentences("Next", report.details["next"])
    return [*parts, origin(report)]


def headline(report: Report) -> str:
    """How often the models err on average, in words for people who do not speak statistics."""
    told, claim = report.details["panel"], claim_about(report, "average-error-rate")
    where = f" on {these(told['unlabelled'])}" if told["unlabelled"] else ""
    true = "" if told["unlabelled"] else "true "
    average = "weighted average" if told["weights"] else "average"
    within = f"{percent(float(claim.lower), 3, 'nearest')}, for certain" if _is_a_point(claim) else ranged(claim)
    return (
        f"On {so_many(told['examples'], 'labelled example')} the {len(report.details['models']):,} models err "
        f"{percent(told['average'], 3, 'nearest')} of the time on {average}. With {confidence(float(claim.delta))} "
        f"confidence their {average} {true}error rate{where} is {within}; this {claim.guarantee.sentence}."
    )


def _is_a_point(claim: Claim) -> bool:
    """Whether the inputs leave but one value open: what is between the limits then is rounding."""
    return float(claim.width) < 1e-12


def so_many(number: int, what: str) -> str:
    """3 examples; 1 example."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def these(number: int) -> str:
    return "this 1 unlabelled input" if number == 1 else f"these {number:,} unlabelled inputs"


def selected(report: Report) -> str:
    """Which model did best here, what holds of it although it was chosen for that, and which others may be better."""
    told, best = report.details["panel"], report.details["may_be_best"]
    claim = claim_about(report, "error-rate", told["selected"])
    whole = confidence(float(told["delta"]))
    also = [model for model in best if model != told["selected"]]
    named = ", ".join(shown(model, LONGEST_MODEL) for model in also[:MOST_NAMED])
    named += f" and {len(also) - MOST_NAMED:,} more" if len(also) > MOST_NAMED else ""
    others = "another model" if len(also) == 1 else f"one of {len(also):,} other models"
    rest = f"The best may as well be {others}: {named}" if also else "Every other model is proven to be worse"
    return (
        f"{shown(told['selected'], LONGEST_MODEL)} did best here: with {whole} confidence, although it was chosen for "
        f"that, its error rate is {ranged(claim)}. {rest}."
    )


def claim_about(report: Report, measure: str, model: str | None = None) -> Claim:
    """The claim about the average, the spread or a model: on the unlabelled inputs, where these are meant."""
    return next(line.claim for line in lines_about(report, measure) if line.model == model)


def lines_about(report: Report, measure: str) -> list[Line]:
    return [line for line in report.whole if line.measure.removeprefix("unlabelled-") == measure]


def summary_rows(report: Report) -> list[tuple[str, Claim]]:
    """The average, the spread and the model selected, each with a name."""
    chosen = report.details["panel"]["selected"]
    return [
        (name + (f": {shown(chosen, 12)}" if measure == "error-rate" else ""), line.claim)
        for measure, name in NAMES.items()
        for line in lines_about(report, measure)
        if line.model in (None, chosen)
    ]


def best_first(report: Report) -> list[Line]:
    """The models' own lines, those with the fewest errors first."""
    return sorted(lines_about(report, "error-rate"), key=lambda line: (line.claim.estimate is None, _seen(line)))


def _seen(line: Line) -> float:
    return 0.0 if line.claim.estimate is None else float(line.claim.estimate)


def holding(report: Report) -> str:
    """What holds on its own, and what together."""
    sets, models = len(report.details["panel"]["members"] or ()), len(report.details["models"])
    return (
        f"The average, the spread and the set of those that may be the best each hold with "
        f"{confidence(float(report.details['panel']['delta']))} confidence; so do the intervals of "
        f"{'both' if models == 2 else f'all {models:,}'} models, together, whichever of them is selected"
        f"{f', and the averages of all {sets:,} sets, together, whichever set is' if sets else ''}."
    )


def _summary(report: Report) -> Table:
    from rich.text import Text

    level = confidence(float(report.details["panel"]["delta"]))
    table = empty_table("", f"estimate, {level} interval", "method", "holds at")
    table.columns[2].justify = table.columns[3].justify = "left"
    for name, claim in summary_rows(report):
        mark = Text(BRIEF[claim.guarantee], style=COLOUR[claim.guarantee])
        table.add_row(Text(name), " ".join(estimate_and_limits(claim, 4)), claim.method, mark)
    return table


def _sets(report: Report) -> Parts:
    """The average of each set of models, where several were asked about."""
    from rich.text import Text

    lines = lines_about(report, "set-average-error-rate")
    if not lines:
        return []
    level, members = confidence(float(report.details["panel"]["delta"])), report.details["panel"]["members"]
    table = empty_table("set", "models", f"average error rate, {level} joint interval")
    for line in lines[:MOST_MODELS]:
        told = " ".join(estimate_and_limits(line.claim, 4))
        table.add_row(Text(shown(str(line.label), LONGEST_MODEL)), f"{len(members[line.label]):,}", told)
    if len(lines) > MOST_MODELS:
        table.add_row(f"... {len(lines) - MOST_MODELS:,} more")
    return [table, ""]


def certain_sentences(certain: Mapping[str, Any] | None) -> Sequence[str]:
    """What the unlabelled inputs say by themselves, whatever their labels are."""
    if not certain:
        return []
    low, high = (percent(value, 3, way) for value, way in zip(certain["average"], ("down", "up"), strict=True))
    told = [f"The average error rate lies between {low} and {high}."]
    told.append(f"The spread is at most {rounded(certain['spread'], 4, 'up')}.")
    if certain.get("drawing") is not None:
        told.append(
            f"Drawing a model anew for each input, the error rate varies by a standard deviation of "
            f"{rounded(certain['drawing'], 4, 'up')}{'' if certain['exact'] else ' at most'}."
        )
    return told


def _certain(report: Report) -> Parts:
    return sentences("Certain from the inputs alone", certain_sentences(report.details["panel"].get("certain")))


def _models(report: Report) -> Table:
    from rich.text import Text

    lines, best = best_first(report), {*report.details["may_be_best"]}
    level = confidence(float(report.details["panel"]["delta"]))
    table = empty_table("model", "error rate here", f"{level} joint interval", "may be the best")
    for line in lines[:MOST_MODELS]:
        estimate, limits = estimate_and_limits(line.claim, 4)
        name = Text(shown(str(line.model), LONGEST_MODEL))
        table.add_row(name, estimate or UNKNOWN, limits, "yes" if line.model in best else "")
    if len(lines) > MOST_MODELS:
        table.add_row(f"... {len(lines) - MOST_MODELS:,} more")
    return table
