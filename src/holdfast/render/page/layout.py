"""An outline as what the template of a page shows, cell by cell; and where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.render.outline.parts import LEVEL, Both, Column, Fold, Name, Part, Section, Table
from holdfast.render.phrases import BEFORE, estimate_and_limits
from holdfast.report import Report
from holdfast.report.facts.kind import Kind
from holdfast.wording import printable

BADGE = {
    Guarantee.FINITE: ("finite", "every sample size"),
    Guarantee.ASYMPTOTIC: ("asymptotic", "large samples only"),
    Guarantee.HEURISTIC: ("heuristic", "no proof"),
}
Places = Mapping[int, int]  # by identity of a claim, its line in the report


class Cell(NamedTuple):
    """One cell: its words, and behind them the limits of an estimate, or a remark; or a badge."""

    words: str = ""
    css: str = ""
    label: str = ""
    line: int | None = None  # where other confidences of this limit are found
    beside: str = ""
    badge: tuple[str, str] | None = None


def laid_out(section: Section, places: Places) -> dict[str, Any]:
    """The section as the template shows it."""
    intro = [BADGE[each] if isinstance(each, Guarantee) else each for each in section.intro]
    return {"title": section.title, "intro": intro, "parts": [_part(part, places) for part in section.parts]}


def _part(part: Part, places: Places) -> dict[str, Any]:
    kind = type(part).__name__.lower()
    if not isinstance(part, Table):
        return {"kind": kind, "it": part, "badge": BADGE}
    columns = [(column, _titles(column)) for column in part.columns if column.page != ""]
    rows = [
        [cell for column, value in zip(part.columns, row, strict=True) for cell in _cells(column, value, places)]
        for row in part.rows[: part.most.page]
    ]
    heads = [Cell(title, _classes(column, own=column.css == "wraps")) for column, titles in columns for title in titles]
    return {"kind": kind, "it": part, "heads": heads, "rows": rows, "fold": part.fold and _fold(part.fold)}


def _fold(fold: Fold) -> dict[str, Any]:
    badge = None if fold.claim is None else BADGE[fold.claim.guarantee]
    return {**fold._asdict(), "badge": badge}


def _titles(column: Column) -> tuple[str, ...]:
    if column.page is None:
        title = str(column.title)
        return (title[:1].upper() + title[1:],)
    return column.page if isinstance(column.page, tuple) else (column.page,)


def _classes(column: Column, place: int = 0, own: bool = True) -> str:
    css = column.css[place] if isinstance(column.css, tuple) else column.css
    number = "number" * (column.number and not column.left_on_page)
    return " ".join(filter(None, [number, css if own else ""]))


def _cells(column: Column, value: Any, places: Places) -> Iterator[Cell]:
    """The cell, or of a claim with two titles both."""
    if column.page == "":
        return
    value = value.page if isinstance(value, Both) else value
    css = _classes(column, own=column.css != "wraps")
    if isinstance(value, Claim):
        estimate, limits = estimate_and_limits(value, column.digits.page)
        limits = BEFORE[column.one_sided][value.side] + limits
        if not isinstance(column.page, tuple):
            yield Cell(estimate, css, beside=limits)
            return
        yield Cell(estimate, css, column.label)
        switched = LEVEL in column.page[1]
        yield Cell(limits, _classes(column, 1), line=places.get(id(value)) if switched else None)
    elif isinstance(value, Name):
        names = [printable(name, column.longest.page) for name in (value.first, value.second) if name is not None]
        yield Cell(" − ".join(names), css, beside=value.remark)
    elif isinstance(value, Guarantee):
        yield Cell(badge=BADGE[value])
    elif isinstance(value, bool):
        yield Cell(_titles(column)[0].lower() if value else "", "more" if value else "")
    elif column.css == "outcome":
        yield Cell(value, f"outcome {value.replace(' ', '-')}")
    else:
        yield from [Cell(value, css, column.label)] * (2 if isinstance(column.page, tuple) else 1)


BROKEN_BY = {
    Assumption.INDEPENDENT: "several rows of the same patient, user or text, or examples gathered at another time or "
    "place than the model will work in",
    Assumption.FIXED_MODEL: "choosing the model, its threshold or its features by how they did on these examples",
    Assumption.FIXED_MODELS: "adding, dropping or training models after seeing how they did on these examples",
    Assumption.PRIOR_WEIGHTS: "prior weights, or models, that were chosen by how they did on these examples",
    Assumption.FIXED_THRESHOLD: "choosing the operating point by how well it did on these examples",
    Assumption.SEPARATE_SAMPLES: "asking both models the same questions, or questions about the same texts: compare in "
    "pairs then",
    Assumption.FIXED_PLAN: "trying methods until one pleases, or adding examples until the result does",
    Assumption.KNOWN_RANGE: "reading the range off the largest loss that was seen",
    Assumption.KNOWN_LEVELS: "levels that were read off the values seen",
    Assumption.OWN_RANGES: "ranges that were set after the losses were seen",
    Assumption.DRAWN_ORDER: "rows that were sorted, grouped or picked after they were drawn",
    Assumption.SHUFFLED: "changing rows until the order turns out well",
    Assumption.ANY_TIME: "changing the method or the confidence after the first result",
    Assumption.CLUSTERS: "clusters that share a source: two passages of one book, two patients of one family",
    Assumption.CAPPED_CLUSTERS: "a cap that was read off the largest cluster seen",
    Assumption.KNOWN_WEIGHTS: "weights that were estimated from these rows, or that depend on what the model said",
    Assumption.CAPPED_WEIGHTS: "a cap that was read off the largest weight seen",
    Assumption.KNOWN_INCLUSION: "chances of being drawn that were estimated from these rows, or rows that could not "
    "have been drawn at all",
    Assumption.WITHIN_STRATA: "picking the easy, or the hard, examples of a stratum",
    Assumption.STATED_SHARES: "using the model where the strata are more or less frequent than stated",
    Assumption.FIXED_SAMPLES: "sampling a question until an answer is right, or more often where it was wrong: then "
    "limits for pass@k may all be false",
    Assumption.OWN_SAMPLES: "answers that were cached, or samples that saw each other",
    Assumption.WITHIN_CLASSES: "picking the easy, or the hard, examples of a class",
    Assumption.STATED_PREVALENCE: "using the model where the classes are more or less frequent than stated",
    Assumption.STATED_RANGE: "using the model where a class is more or less frequent than the ends of its range",
    Assumption.FIXED_BINS: "bins that these scores chose",
    Assumption.EXCHANGEABLE: "labelling the examples that looked interesting",
    Assumption.SAME_FOLDS: "numbers of two models that come from different splits of the data",
    Assumption.NORMAL_FOLDS: "one fold that stands far apart from the others",
    Assumption.RELATED_FOLDS: "folds that are more alike than their shares of the examples say",
    Assumption.UNRELATED_FOLDS: "cross-validation itself: any two of its training sets overlap",
    Assumption.REBUILT: "centring or scaling the features by all examples, or picking features by their labels",
    Assumption.TRAINED_APART: "features, thresholds or parameters that were chosen on all examples beforehand, and "
    "copies of one example in two folds",
    Assumption.RANDOM_FOLDS: "stratified folds, or folds that were made again until they looked right",
    Assumption.STABLE: "learners that a single example turns around, such as full trees and nearest neighbours",
    Assumption.ONE_MODEL: "cross-validation itself: every fold has a model of its own",
    Assumption.EVERY_FOLD: "a learner that notices unlucky folds: then it fails 31 times in 100, at a nominal 5",
    Assumption.FIXED_CORES: "validating the classifiers that did best, or that looked alike on the unlabelled inputs",
    Assumption.EVERY_CLASS: "a class so rare that none of these examples is of it",
    Assumption.TWO_LABELS: "a third label that turns up among the unlabelled inputs",
    Assumption.NESTED: "learners that change their ways as the training set grows",
    Assumption.RANDOM_DATASETS: "data sets that were picked because a model does well on them",
}

OF_SEVERAL = ("average-error-rate", "vote-error-rate", "target-error-rate")  # models


def assumed(report: Report) -> dict[str, list[tuple[str, str]]]:
    """What the headline rests on, and what the other claims need besides; each with what would break it."""
    claims, first = report.claims, first_assumed(report.claims)
    rest = [sentence for sentence in dict.fromkeys(s for c in claims for s in c.assumes) if sentence not in first]
    parts = {"first": first, "rest": rest}
    return {key: [(str(s), BROKEN_BY.get(s, "")) for s in sentences] for key, sentences in parts.items()}


def first_assumed(claims: Sequence[Claim]) -> tuple[Assumption, ...]:
    """What the sentence at the top rests on."""
    if claims and claims[0].measure.removeprefix("unlabelled-") in OF_SEVERAL:
        return claims[0].assumes
    return next((c.assumes for c in claims if c.measure == "error-rate"), claims[0].assumes if claims else ())


def methods(report: Report) -> Iterator[dict[str, Any]]:
    """Each method that answered: for which measures, on whose word, and what it takes for granted."""
    rows = [(c.method, c.measure, c) for c in report.claims]
    rows += [(f"band of the {printable(name, 60)} curve", curve.y_is, curve) for name, curve in report.curves.items()]
    entries: dict[tuple[str, Guarantee, str], tuple[dict[str, None], dict[Assumption, None]]] = {}
    for method, measure, claim in rows:
        measures, sentences = entries.setdefault((method, claim.guarantee, str(claim.source)), ({}, {}))
        measures[measure] = None
        sentences.update(dict.fromkeys(claim.assumes))
    first = first_assumed(report.claims)
    for (method, guarantee, source), (measures, sentences) in entries.items():
        alike = set(first) <= set(sentences)
        yield {
            "alike": alike,
            "method": method,
            "badge": BADGE[guarantee],
            "source": source,
            "measures": ", ".join(measures),
            "assumes": [str(sentence) for sentence in sentences if not (alike and sentence in first)],
        }


def provenance(report: Report) -> list[tuple[str, str]]:
    known = dict(report.provenance)
    titles = {
        "fingerprint": "State, SHA-256" if report.kind is Kind.DUEL else "Data, SHA-256",
        "examples": "Examples",
        "rows": "Rows",
        "version": "Holdfast",
        "command": "Command",
        "seed": "Seed",
    }
    first = [(title, known.pop(key)) for key, title in titles.items() if key in known]
    rest = [(key.capitalize(), value) for key, value in known.items()]
    return [(title, f"{value:,}" if title in ("Examples", "Rows") else str(value)) for title, value in (*first, *rest)]
