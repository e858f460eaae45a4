"""What is shown of several models together: their average, their spread, the best one, each of them; and their vote."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from holdfast.claims import Claim
from holdfast.render.outline.parts import (
    Column,
    Definitions,
    Medium,
    Name,
    Outline,
    Points,
    Room,
    Section,
    Sentence,
    Table,
    claims_table,
    split,
)
from holdfast.render.phrases import alone, by_cluster, confidence, per, percent, ranged, rounded
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import Certain, CommitteeFacts, PanelFacts
from holdfast.report.facts.kind import Simultaneous
from holdfast.wording import counted, printable

MOST_MODELS = Room(20, 100)  # all of them are in the JSON
MOST_NAMED = 6  # models of a sentence
LONGEST_MODEL = Room(30, 40)
FOUR = Room(4, 5)  # decimals
ROWS = {"average-error-rate": "average error rate", "error-rate-spread": "spread (sd)", "error-rate": "best"}
FIRST = "The first answers; the others show what could be said if less were known."
ASIDE = f"Each interval holds on its own. {FIRST} Taking the narrowest after looking voids the guarantee."


def panel(report: Report, facts: PanelFacts) -> Outline:
    """Several models, and which may be the best."""
    together, chosen = facts.panel, Sentence((selected(report, facts),), "after")
    joint = f"{confidence(float(together.delta))} joint interval"
    return Outline(
        headline=split(_average(report, facts)),
        beside=[chosen],
        sections=partial(_panel, report, facts, joint),
        holding=holding(report, facts),
        notebook=alone(report),
        loose=True,
        promise="The intervals are right as often as they promise if all of this is true:",
    )


def _panel(report: Report, facts: PanelFacts, joint: str, medium: Medium) -> Iterator[Section]:
    yield _summary(report, facts)
    yield from _sets(report, facts, joint, medium)
    yield from _certain(facts.panel.certain)
    place = 0
    while lines := best_first(report, place):
        yield _models(lines, facts, joint, place)
        place += 1
    yield from _groups(report, joint)


def _average(report: Report, facts: PanelFacts) -> str:
    """How often the models err on average, in words for people who do not speak statistics."""
    together, claim = facts.panel, claim_about(report, "average-error-rate")
    where = f" on {these(together.unlabelled)}" if together.unlabelled else ""
    true = "" if together.unlabelled else "true "
    average = "weighted average" if together.weights else "average"
    point = float(claim.width) < 1e-12  # the inputs leave but one value open: what is between the limits is rounding
    within = f"{percent(float(claim.lower), 3, 'nearest')}, for certain" if point else ranged(claim)
    return (
        f"On {counted(together.examples, 'labelled example')} the {len(facts.models):,} models err "
        f"{percent(together.average, 3, 'nearest')} of the time on {average}. With {confidence(float(claim.delta))} "
        f"confidence their {average} {true}error rate{_counted(claim)}{where} is {within}; this "
        f"{claim.guarantee.sentence}."
    )


def _counted(claim: Claim) -> str:
    """What weighs the same, where that is no row."""
    return ", every cluster counted once," if claim.per == "cluster" else ""


def these(number: int) -> str:
    return "this 1 unlabelled input" if number == 1 else f"these {number:,} unlabelled inputs"


def selected(report: Report, facts: PanelFacts) -> str:
    """Which model did best here, what holds of it although it was chosen for that, and which others may be better."""
    together, longest = facts.panel, LONGEST_MODEL.text
    claim = claim_about(report, "error-rate", together.selected)
    also = [model for model in facts.may_be_best if model != together.selected]
    named = ", ".join(printable(model, longest) for model in also[:MOST_NAMED])
    named += f" and {len(also) - MOST_NAMED:,} more" if len(also) > MOST_NAMED else ""
    others = "another model" if len(also) == 1 else f"one of {len(also):,} other models"
    rest = f"The best may as well be {others}: {named}" if also else "Every other model is proven to be worse"
    return (
        f"{printable(together.selected, longest)} did best here: with {confidence(float(together.delta))} confidence, "
        f"although it was chosen for that, its error rate{_counted(claim)} is {ranged(claim)}. {rest}."
    )


def holding(report: Report, facts: PanelFacts) -> str:
    """What holds on its own, and what together."""
    if facts.simultaneous is not None:
        return _together(facts.simultaneous)
    sets, models = len(facts.panel.members or ()), len(facts.models)
    spread = ", the spread" if lines_about(report, "error-rate-spread") else ""
    return (
        f"The average{spread} and the set of those that may be the best each hold with "
        f"{confidence(float(facts.panel.delta))} confidence; so do the intervals of "
        f"{'both' if models == 2 else f'all {models:,}'} models, together, whichever of them is selected"
        f"{f', and the averages of all {sets:,} sets, together, whichever set is' if sets else ''}."
    )


def _together(all_of_it: Simultaneous) -> str:
    return (
        f"All of this holds together with {confidence(float(all_of_it.delta))} confidence: each statement is made at "
        f"{confidence(float(all_of_it.each))}."
    )


def claim_about(report: Report, measure: str, model: str | None = None) -> Claim:
    """The claim about the average, the spread or a model: on the unlabelled inputs, where these are meant."""
    return next(line.claim for line in lines_about(report, measure) if line.model == model)


def lines_about(report: Report, measure: str) -> list[Line]:
    whole = (line for line in report.whole if line.group is None)
    return [line for line in whole if line.measure.removeprefix("unlabelled-") == measure]


def best_first(report: Report, place: int = 0) -> list[Line]:
    """The models' own lines, those with the fewest errors first: of several about a model the first, or another."""
    several: dict[str | None, list[Line]] = {}
    for line in lines_about(report, "error-rate"):
        several.setdefault(line.model, []).append(line)
    lines = [each[place] for each in several.values() if len(each) > place]
    return sorted(lines, key=lambda line: (line.claim.estimate is None, float(line.claim.estimate or 0.0)))


def _summary(report: Report, facts: PanelFacts) -> Section:
    """The average, the spread and the model selected."""
    chosen, level, title = facts.panel.selected, confidence(float(facts.panel.delta)), "All models together"
    rows = [
        (name + (f": {printable(chosen, 12)}" if measure == "error-rate" else ""), line.claim)
        for measure, name in ROWS.items()
        for line in lines_about(report, measure)
        if line.model in (None, chosen)
    ]
    clusters = by_cluster(claim for _, claim in rows)
    how: dict[str, Any] = {"first": "", "limits": {"digits": FOUR}, "dense": clusters, "per": clusters}
    return Section([claims_table(rows, title, f"estimate, {level} interval", **how)], title)


def _sets(report: Report, facts: PanelFacts, joint: str, medium: Medium) -> Iterator[Section]:
    """The average of each set of models, where several were asked about."""
    lines, members = lines_about(report, "set-average-error-rate"), facts.panel.members or {}
    if not lines:
        return
    if medium == "text":
        average = Column(f"average error rate, {joint}", digits=FOUR)
        columns = [Column.words("set", longest=Room(LONGEST_MODEL.text, 60)), Column("models"), average]
        sizes = (f"{len(members[str(line.label)]):,}" for line in lines)
        rows = [[Name(str(line.label)), size, line.claim] for line, size in zip(lines, sizes, strict=True)]
        yield Section([Table(columns, rows)])
        return
    title = "The average of each set of models"
    sentence = "All of them hold together, so that also the set which is chosen does."
    table = claims_table([(printable(str(line.label), 60), line.claim) for line in lines], title)
    yield Section([table], title, [sentence])


def certain_sentences(certain: Certain) -> list[str]:
    """What the unlabelled inputs say by themselves, whatever their labels are."""
    low, high = (percent(value, 3, way) for value, way in zip(certain.average, ("down", "up"), strict=True))
    return [
        f"The average error rate lies between {low} and {high}.",
        f"The spread is at most {rounded(certain.spread, 4, 'up')}.",
        f"Drawing a model anew for each input, the error rate varies by a standard deviation of "
        f"{rounded(certain.drawing, 4, 'up')}{'' if certain.exact else ' at most'}.",
    ]


def _certain(certain: Certain | None) -> Iterator[Section]:
    if certain is not None:
        title = "Certain from the inputs alone"
        points = Points(f"{title}:", certain_sentences(certain))
        yield Section([points], title, ["Whatever the labels of the unlabelled inputs are:"])


def _models(lines: list[Line], facts: PanelFacts, joint: str, place: int) -> Section:
    best, chosen = {*facts.may_be_best}, facts.panel.selected
    columns = [
        Column.words("model", longest=LONGEST_MODEL),
        Column(("error rate here", joint), ("Error rate here", joint), digits=FOUR),
        Column("may be the best", left_on_page=True),
    ]
    named = (Name(str(line.model), remark="selected" if line.model == chosen else "") for line in lines)
    rows = [[name, line.claim, line.model in best] for name, line in zip(named, lines, strict=True)]
    if place > 0:  # which may be the best is told once
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    first, most = lines[0].claim, MOST_MODELS.page
    some = f", {most} of {len(lines):,}" if len(lines) > most else ""
    sentence = f"The one with the fewest errors here on top{some}. All intervals hold together, by {first.method}. "
    title = "Each model" if place == 0 else f"Each model by {first.method}{per(first)}"
    heading = "" if place == 0 else f"By {first.method}{per(first)}, which {first.guarantee.sentence}"
    table = Table(columns, rows, title, heading=heading, most=MOST_MODELS, id="models" if place == 0 else "")
    return Section([table], title, [sentence, first.guarantee])


def _groups(report: Report, joint: str) -> Iterator[Section]:
    """Each group of examples: what was said first of each model there."""
    first: dict[tuple[str | None, str | None], Line] = {}
    for line in report.whole:
        if line.group is not None:
            first.setdefault((line.group, line.model or line.label), line)
    if not first:
        return
    title, clusters = "Each group of examples", by_cluster(line.claim for line in first.values())
    columns = [
        Column.words("group", longest=Room(24, 60)),
        Column.words("model" if any(line.model for line in first.values()) else "way", longest=LONGEST_MODEL),
        *([Column.words("per", "")] if clusters else []),
        Column(("error rate", joint), ("Error rate", joint), digits=FOUR),
        Column.words("method", css="method"),
        Column.words("holds at"),
    ]
    rows = [
        [
            Name(str(group)),
            Name(str(who)),
            *([line.claim.per] if clusters else []),
            *(line.claim, line.claim.method, line.claim.guarantee),
        ]
        for (group, who), line in first.items()
    ]
    yield Section([Table(columns, rows, title, most=MOST_MODELS, dense=True)], title)


# ---- The vote


def committee(report: Report, facts: CommitteeFacts) -> Outline:
    """What each method can say about a vote, side by side, and what each of them needs to know."""
    return Outline(
        headline=split(_vote(report, facts)),
        sections=partial(_committee, report, facts),
        holding=ASIDE if facts.simultaneous is None else f"{_together(facts.simultaneous)} {FIRST}",
        notebook=alone(report),
        loose=True,
        promise="The first interval is right as often as it promises if all of this is true:",
    )


def _committee(report: Report, facts: CommitteeFacts, medium: Medium) -> Iterator[Section]:
    yield from _tables(report, facts)
    yield from _groups(report, f"{confidence(float(facts.committee.delta))} limits")
    needs = [(way, facts.committee.ways[way]) for way in dict.fromkeys(str(line.label) for line in report.whole)]
    if medium == "text":
        yield Section([Points("Each way:", [f"{way}: {need}" for way, need in needs])])
        return
    yield Section([Definitions([(way, None, "", [("", need)]) for way, need in needs])], "What each way needs")
    members = ", ".join(printable(model, LONGEST_MODEL.page) for model in facts.models[: MOST_MODELS.page])
    yield Section([Sentence((members,))], "The members")


def _vote(report: Report, facts: CommitteeFacts) -> str:
    """What the first method says, in words for people who do not speak statistics."""
    voting, claim, who = facts.committee, report.whole[0].claim, voters(facts)
    where = f"of {these(voting.unlabelled or 0)}" if about_inputs(claim) else "of all such examples"
    observation = ""
    if claim.estimate is not None:
        share = percent(float(claim.estimate), 3, "nearest")
        observation = f"{who} errs on {share} of {counted(voting.examples, 'labelled example')}. "
        who = "it"
    elif not voting.target:
        who = who[0].lower() + who[1:]
    where = f"{where}{_counted(claim).removesuffix(',')}"
    sentence = f"{who} errs on {ranged(claim)} {where}"
    return f"{observation}With {confidence(float(claim.delta))} confidence {sentence}; this {claim.guarantee.sentence}."


def voters(facts: CommitteeFacts) -> str:
    """The vote, or the classifier that was asked about."""
    voting = facts.committee
    return printable(voting.target, 30) if voting.target else f"The {voting.vote} vote of {len(facts.models):,} models"


def about_inputs(claim: Claim) -> bool:
    """Whether the claim is about the unlabelled inputs at hand, not about a population."""
    return claim.measure.startswith("unlabelled-")


def _tables(report: Report, facts: CommitteeFacts) -> Iterator[Section]:
    """The lines about the unlabelled inputs, and those about the population."""
    title = ("estimate", f"{confidence(float(facts.committee.delta))} limits")
    limits = {"digits": FOUR, "one_sided": "words"}
    for here, where in ((True, f"On {these(facts.committee.unlabelled or 0)}"), (False, "On all such examples")):
        whole = (line for line in report.whole if line.group is None)
        rows = [(str(line.label), line.claim) for line in whole if about_inputs(line.claim) is here]
        if rows:
            clusters = by_cluster(claim for _, claim in rows)
            how: dict[str, Any] = {"limits": limits, "heading": where, "dense": clusters, "per": clusters}
            table = claims_table(rows, where, title, first="way", **how)
            yield Section([table], where)
