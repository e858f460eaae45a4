"""What is shown of a comparison: the verdict, then every pair, every model and every test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from holdfast.claims import Claim, Guarantee
from holdfast.render.ci.verdict import foremost, notes_of, verdict
from holdfast.render.outline.parts import (
    Both,
    Column,
    Medium,
    Name,
    Outline,
    Points,
    Room,
    Rows,
    Section,
    Sections,
    Table,
    claims_table,
)
from holdfast.render.outline.significance import tests_in_text, tests_on_page
from holdfast.render.outline.strips import difference
from holdfast.render.phrases import by_cluster, confidence, digits_for, level, opening, p_value, per, percent, rounded
from holdfast.report import Line, Report
from holdfast.report.facts.compared import Compared, Tier, own_lines
from holdfast.report.facts.comparison import ComparisonFacts, DatasetsFacts
from holdfast.report.verdict import spoken
from holdfast.wording import printable

MOST_PAIRS = 20  # in text; all that are told are in the JSON
MOST_AMONG = 12  # models whose pairs are all on the page, 66 of them
MOST_TIERS = Room(20, 100)
NAMED = Room(4, 8)  # models of a tier that are named
MOST_MODELS = Room(20, 100)
MOST_LINES = 120  # of differences in other measures, on the page
SHORT = 14  # characters of two names that leave room for four decimals in text
LONGEST = Room(10, 40)  # characters of a model's name
LONGEST_VERDICT = 1_000
PROVEN = "The verdict and the intervals are right as often as they promise if all of this is true:"
GUIDE = "Nothing here is proven. Even as a guide it needs all of this to be true:"


def comparison(report: Report, facts: Compared) -> Outline:
    """Who is better, and by how much."""
    promise = GUIDE if facts.firmness(report.whole) is Guarantee.HEURISTIC else PROVEN
    sections = partial(_sections, report, facts)
    return with_verdict(report, facts, sections, beside=required(facts), promise=promise)


def _sections(report: Report, facts: Compared, medium: Medium) -> Iterator[Section]:
    among = set(facts.best_first(report.whole)[:MOST_AMONG]) if medium == "page" else None
    yield _pairs(report, facts, among)
    yield from _tiers(facts.tiers)
    yield from _answers(report, facts, among)
    yield from _in_groups(report, facts, among)
    if among is None:
        yield from tests_in_text(facts)
        yield from _own_rates(report, facts)
    else:
        yield _models(report, facts)
        yield from tests_on_page(facts, among)


def with_verdict(report: Report, facts: Compared, sections: Sections, **parts: Any) -> Outline:
    """The outline of whatever compares: its verdict on top."""
    sentence, more = verdict_and_more(report, facts)
    strip = partial(difference, report, facts, measure_in_words(facts))
    return Outline(headline=("", sentence), more=more, sections=sections, strip=strip, loose=True, **parts)


def measure_in_words(facts: Compared) -> str:
    """Of which the page tells differences."""
    return "mean rank" if isinstance(facts, DatasetsFacts) else facts.name_of_measure


# ---- Sentences


def verdict_and_more(report: Report, facts: Compared) -> tuple[str, str]:
    """The verdict; and of two models the interval of their difference, of many how firmly it holds."""
    sentence, line = opening(printable(str(facts.verdict), LONGEST_VERDICT)), facts.deciding_line(report.whole)
    if line is None:
        return sentence, _so(report, facts)
    claim = line.claim
    first, second = spoken((str(line.model), str(line.against)))
    show = percent if claim.measure == "error-rate-difference" else rounded
    digits = digits_for(float(claim.width))
    between = f"between {show(float(claim.lower), digits, 'down')} and {show(float(claim.upper), digits, 'up')}"
    return sentence, (
        f"With {confidence(float(claim.delta))} confidence the {facts.name_of_measure} of {first} minus that of "
        f"{second}{', both of the average cluster,' if by_cluster([claim]) else ''} is {between}; this "
        f"{claim.guarantee.sentence}."
    )


def _so(report: Report, facts: Compared) -> str:
    """With which confidence the verdict is true, and how firmly that holds; nothing where nothing is ruled out."""
    best, outcome = facts.may_be_best, facts.verdict.outcome
    if outcome == "no difference" or (outcome == "not settled" and len(best) in (0, len(facts.models))):
        return ""
    firmly = facts.firmness(report.whole)
    says_so = bool(facts.verdict.about.proviso)  # the verdict itself
    if firmly is Guarantee.HEURISTIC:
        return "" if says_so else f"This {firmly.sentence}."
    so = "the best is among these" if outcome == "not settled" else "this is so"
    return (
        f"With {confidence(facts.delta(report.whole))} confidence {so}{'' if says_so else f'; it {firmly.sentence}'}."
    )


def required(facts: Compared) -> list[Points]:
    """Whether what was required of the first model is proven; a sentence for each other model where there are many."""
    decision = facts.decision
    if decision is None:
        return []
    parts = foremost(decision, MOST_PAIRS)
    rest = sum(1 for _ in decision.leaves()) - len(parts)
    more = [verdict(replace(part, caution=None)) for part in parts] if decision.parts else []
    whole = " ".join([f"Required: {verdict(decision)}", *notes_of(decision)])  # a caution is said once
    return [Points(whole, [*more, *([f"... and {rest:,} more"] if rest else [])])]


# ---- Pairs


def _joint_level(report: Report) -> str:
    return level(report, next(line.claim.delta for line in report.whole if line.against), " joint")


def _pairs(report: Report, facts: Compared, among: set[str] | None) -> Section:
    """Each pair: what tells them apart, the difference in what decides, and what is said of the first."""
    claims, sure = facts.claims_of_pairs(report.whole), _joint_level(report)
    pairs, number = facts.pairs, facts.number_of_pairs
    chosen = pairs[:MOST_PAIRS] if among is None else [pair for pair in pairs if {*pair.models} <= among]
    counts = "" if pairs[0].won is None else "data sets won" if isinstance(facts, DatasetsFacts) else "alone right"
    first = claims[pairs[0].models][0]
    names = [f"{printable(p.first, LONGEST.text)} - {printable(p.second, LONGEST.text)}" for p in chosen]
    digits = Room(4 if max(map(len, names)) <= SHORT else 3, 5)
    columns = [
        Column.words("first - second", "First − second", LONGEST),
        *([Column(counts, css="counts", label=counts)] if counts else []),
        Column(f"difference, {sure}{per(first)}", ("Difference", f"{sure} interval"), digits=digits),
        Column("p", "p", css="chance"),
        Column("first is", "The first is", css="outcome", left_on_page=True),
    ]
    rows = [
        [
            Name(*pair.models),
            *([f"{pair.won:,} : {pair.lost:,}"] if counts else []),
            claims[pair.models][0] if pair.models in claims else "",
            p_value(pair.adjusted_p),
            pair.outcome,
        ]
        for pair in chosen
    ]
    sentence = f"The difference is the {measure_in_words(facts)} of the first minus that of the second"
    if number > len(chosen):
        in_json = f"{len(pairs):,} of all {number:,}" if len(pairs) < number else f"all {number:,}"
        best = f"The {len(chosen)} pairs among the {len(among or ())} models that did best here"
        sentence = f"{best}; {in_json} are in the JSON. {sentence}"
    sentence += "; p-values are corrected for all pairs." if number > 1 else "."
    table = Table(columns, rows, "Each pair", total=number, css="stacks pairs", id="pairs")
    return Section([table], "Each pair", [sentence, *_by(first)])


def _by(claim: Claim) -> tuple[str, Guarantee]:
    return f" Intervals by {claim.method}. ", claim.guarantee


def _tiers(tiers: Sequence[Tier]) -> Iterator[Section]:
    """Of very many models: the tier, how many are in it, and those that did best here."""
    if not tiers:
        return
    columns = [Column.words("tier"), Column("models"), Column.words("the best of them here")]
    rows: Rows = [
        [str(place), f"{len(models):,}", Both(_named(models, 0, ", ..."), _named(models, 1, ", …"))]
        for place, models in tiers
    ]
    sentence = "No model of a tier is shown to beat another one of it, and each is beaten by one of the tier before."
    yield Section([Table(columns, rows, "Tiers", most=MOST_TIERS, css="", id="tiers")], "Tiers", [sentence])


def _named(models: Sequence[str], medium: int, more: str) -> str:
    named = ", ".join(printable(model, LONGEST[medium]) for model in models[: NAMED[medium]])
    return named + more * (len(models) > NAMED[medium])


def _answers(report: Report, facts: Compared, among: set[str] | None) -> Iterator[Section]:
    """Every method's answer about one pair, in every measure; of more pairs, those in the other measures."""
    deciding, one = {id(line) for line in facts.differences(report.whole)}, len(facts.pairs) == 1
    lines = [line for line in report.whole if line.against is not None and (one or id(line) not in deciding)]
    lines = [line for line in lines if line.group is None]
    lines = [line for line in lines if one or among is None or {line.model, line.against} <= among]
    if not lines:
        return
    clusters = by_cluster(report.claims)

    def name(line: Line) -> str:
        over = f", per {line.claim.per}" if clusters else ""
        return _measure(line, ", ", 24) + ("" if one else _whose(line)) + over

    rows = [(Both(_measure(line, " ", 10), name(line)), line.claim) for line in lines]
    table = claims_table(
        rows,
        "Differences",
        f"{_joint_level(report)} interval",
        first="difference in",
        per=clusters,
        before=[] if one else [[Name(str(line.model), line.against)] for line in lines],
        limits={"digits": Room(4 if one else 3, 5)},
        most=Room(MOST_PAIRS, MOST_LINES),
        dense=clusters,
    )
    yield Section([table], "Every method's answer" if facts.number_of_pairs == 1 else "In other measures")


def _in_groups(report: Report, facts: Compared, among: set[str] | None) -> Iterator[Section]:
    """Each pair in each group: the difference there, and what is said of the first."""
    groups = facts.groups if isinstance(facts, ComparisonFacts) and facts.groups else ()
    pairs = [pair for pair in groups if among is None or {pair.first, pair.second} <= among]
    if not pairs:
        return
    claims: dict[tuple[str | None, ...], Claim] = {}
    decided = {line.measure for line in facts.differences(report.whole)}
    for line in report.whole:
        if line.group is not None and line.measure in decided:
            claims.setdefault((line.group, line.model, line.against), line.claim)
    one = len(facts.pairs) == 1
    shown = [(pair, claims[pair.group, pair.first, pair.second]) for pair in pairs]
    columns = [
        Column.words("group", longest=Room(24, 60)),
        *([] if one else [Column.words("first - second", "First − second", LONGEST)]),
        Column("n"),
        Column(f"difference{per(shown[0][1])}", ("Difference", "Interval"), digits=Room(4, 5)),
        Column("first is", "The first is", css="outcome", left_on_page=True),
    ]
    rows = [
        [
            Name(pair.group),
            *([] if one else [Name(pair.first, pair.second)]),
            f"{int(claim.n):,}",
            claim,
            pair.outcome,
        ]
        for pair, claim in shown
    ]
    table = Table(columns, rows, "Groups", most=Room(MOST_PAIRS, MOST_LINES), id="groups")
    yield Section([table], "Each group", [f"The {measure_in_words(facts)} of the first minus that of the second."])


def _measure(line: Line, comma: str, longest: int) -> str:
    label = f"{comma}{printable(line.label, longest)}" if line.label else ""
    return line.measure.removesuffix("-difference") + label


def _whose(line: Line) -> str:
    return f": {printable(str(line.model), 24)} − {printable(str(line.against), 24)}"


# ---- Models


def _own_rates(report: Report, facts: Compared) -> Iterator[Section]:
    """In text: each model's own error rate, the lowest first, so that it holds whichever model is selected."""
    own = own_lines(report.whole)
    if own:
        lowest = sorted(own, key=lambda line: (line.claim.estimate is None, line.claim.estimate))[: MOST_MODELS.text]
        rows = [[Name(str(line.model)), line.claim, line.model in facts.may_be_best] for line in lowest]
        yield Section([Table(_columns(facts, own[0].claim), rows)])


def _columns(facts: Compared, claim: Claim | None) -> list[Column]:
    name = Column.words("model", longest=Room(30, LONGEST.page))
    estimate = Column(None, f"mean {facts.name_of_measure}".capitalize())
    if claim is not None:
        title = claim.measure.replace("-", " ") + per(claim)
        text = f"{claim.measure}{per(claim)}", "interval"
        estimate = Column(text, (title.capitalize(), "Interval"), digits=Room(4, 5))
    inside = printable(facts.verdict.about.inside, SHORT)
    return [name, estimate, Column(f"may be the best{inside}", "May be the best", left_on_page=True)]


def _models(report: Report, facts: Compared) -> Section:
    """On the page: each model by itself, or its mean, the best here on top."""
    own, order = {line.model: line.claim for line in own_lines(report.whole)}, facts.best_first(report.whole)
    first, digits = next(iter(own.values()), None), 2 if isinstance(facts, DatasetsFacts) else 4
    means = {} if own else {model: rounded(facts.means.get(model), digits, "nearest") for model in order}
    rows = [[Name(m), own.get(m, means.get(m, "")), m in facts.may_be_best] for m in order[: MOST_MODELS.page]]
    some = f", {len(rows)} of {len(order):,}" if len(order) > len(rows) else ""
    table = Table(_columns(facts, first), rows, "Each model", id="models")
    return Section([table], "Each model", [f"The best here on top{some}.", *([] if first is None else _by(first))])
