"""Write docs/measures.md from the catalog: `python docs/_make/generate_measures.py [FILE]`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from textwrap import fill

from generate_methods import WIDTH, notes
from holdfast.catalog import Measure, measures
from holdfast.evidence import Contingency, Counts, Forecasts, Scores
from holdfast.evidence.costs import Costs
from holdfast.evidence.counts import Samples
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.verbs.asking import Question
from holdfast.verbs.bound import default_methods
from holdfast.verbs.subject import influence_of, with_influence

EXAMPLES = {  # one piece of evidence of each kind that a measure may take
    Contingency: Contingency([[7, 2], [1, 9]], rows="predicted"),
    Scores: Scores([0.1, 0.7, 0.4, 0.9], [False, False, True, True]),
    Forecasts: Forecasts([0.7, 0.2], [0.14, 0.96]),
    Samples: Samples(Counts([1, 0], [3, 3])),
    Margins: Margins([1.5, -0.2]),
    Posteriors: Posteriors([[0.9, 0.1], [0.4, 0.6]], [0, 1], ["0", "1"]),
    Reliability: Reliability.of(Scores([0.1, 0.7, 0.4, 0.9], [False, False, True, True]), 2),
}
STATED = {"costs": Costs([[0, 1, 2], [10, 0, 1], [1, 1, 0]], range(3), rows="predicted"), "classes": range(3), "k": 2}
MANY = Contingency([[7, 2, 1], [1, 9, 0], [0, 2, 5]], rows="predicted")

INTRODUCTION = """\
# Measures

Generated from the catalog by `make docs`; do not edit. `holdfast measures NAME` shows the same entry. Which
[method](methods.md) answers is decided by what the measure is read off, never by the values; the first one named is
what `report[name]` gives."""


def page() -> str:
    """The whole page."""
    cells = [
        (f"[{m.name}](#{m.name})", ", ".join(m.aliases), m.better or "-", m.unit, _range(m), _answers(m))
        for m in measures()
    ]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    titles = "| measure | also called | better | unit | range | answered by |"
    index = "\n".join([titles, "|---|---|---|---|---|---|", *rows])
    return "\n\n".join([INTRODUCTION, index, *(_section(m) for m in measures())]) + "\n"


def _section(measure: Measure) -> str:
    kind = "of each class, read off" if measure.per_class else "read off"
    needed = f"- needs {', '.join(measure.required)}\n" if measure.required else ""
    source = f"- source: [{measure.source}](references.md#{measure.source.key})"
    facts = (
        f"- {kind} {measure.takes.__name__}\n{needed}{_out_of(measure)}{_of_mix(measure)}{_of_labels(measure)}{source}"
    )
    return "\n\n".join([f"## {measure.name}", fill(measure.summary, WIDTH), facts, *notes(measure.narrow)])


def _out_of(measure: Measure) -> str:
    """Who chose the number of trials."""
    if measure.out_of is None:
        return ""
    told = {
        "all": "out of all examples",
        "actual": "out of examples that the truth picks, whatever the model says",
        "predicted": "out of examples that the model picks by what it says",
    }
    return f"- {told[measure.out_of]}\n"


def _of_mix(measure: Measure) -> str:
    """Whether it may be read off examples of which so many of each class were chosen."""
    if measure.takes is Samples:  # of right and wrong answers, whatever their classes
        return ""
    if measure.of_mix == "all":
        return "- depends on how frequent the classes are\n"
    rest = ", unless there are more than two: then on that of the others" if measure.of_mix == "others" else ""
    return f"- does not depend on how frequent the classes are{rest}\n"


def _of_labels(measure: Measure) -> str:
    """What becomes of it where labels were not declared."""
    page = "(concepts.md#labels-that-were-found-and-classes-that-were-not)"
    if measure.of_found is not None:
        return f"- of labels that were [found]{page} among all rows only the {measure.of_found} limit is claimed\n"
    if measure.of_classes is not None:
        where = ", where these are two" if measure.of_classes == "two" else ""
        return f"- depends on [which classes there are]{page}{where}: declare them\n"
    return ""


def _range(measure: Measure) -> str:
    low, high = measure.range
    if high == float("inf"):
        return "any number" if low == -high else f"from {low:g} on"
    return f"{low:g} to {high:.3g}"


def _answers(measure: Measure) -> str:
    """Names and guarantees, those of many classes apart where they differ."""
    told = _told(measure, EXAMPLES[measure.takes])
    many = _told(measure, MANY) if measure.takes is Contingency else told
    return told if told == many else f"{told}; of many classes {many}"


def _told(measure: Measure, example: object) -> str:
    stated = {name: STATED[name] for name in measure.required}
    question = Question(measure, measure(example, **stated))
    if isinstance(example, Contingency):
        question = with_influence(question, partial(influence_of, measure, example, **stated))
    bounds = [bound for evidence in question.each_evidence for bound in default_methods(evidence)]
    return ", ".join(f"{bound.name} ({bound.guarantee})" for bound in bounds)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "measures.md"
    target.write_text(page(), encoding="utf-8")
