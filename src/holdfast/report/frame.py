"""A report or a decision as a frame: one row for each claim, with every number that is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.report.facts.assessment import AssessmentFacts, CommitteeFacts, LearningFacts, PanelFacts
from holdfast.report.facts.compared import Compared
from holdfast.report.facts.comparison import DatasetsFacts, DuelFacts, FoldsFacts
from holdfast.report.facts.kind import Facts

if TYPE_CHECKING:
    import polars as pl

    from holdfast.report import Block, Line, Report
    from holdfast.report.decision import Decision
    from holdfast.report.facts.compared import SignificanceTest


Columns = dict[str, Any]
NAMES = ("first", "second")  # of a pair, which its line says as model and against
WITHIN = ("tests", "posterior")
WORDS = ("null", "source", "test")  # of a test, that are the same for every pair


def facts_beside(lines: Sequence[Line], facts: Facts) -> list[Columns]:
    """One mapping for each line, in their order; of most lines there is nothing but the claim."""
    if isinstance(facts, Compared):
        return [*_of_comparison(lines, facts)]
    if isinstance(facts, LearningFacts):
        return [point.to_dict() for point in facts.learning_curve.points]
    if isinstance(facts, (PanelFacts, CommitteeFacts)):
        models = {name: dict(_of_model(name, facts)) for name in facts.models}
        return [models.get(str(line.model), {}) for line in lines]
    calibration = facts.calibration if isinstance(facts, AssessmentFacts) else None
    bins = {each.bin: each for each in calibration.bins} if calibration else {}
    of_lines = (bins.get(str(line.label)) if line.measure == "calibration" else None for line in lines)
    return [{} if each is None else {"mean_score": each.mean_score, "positives": each.positives} for each in of_lines]


def _of_comparison(lines: Sequence[Line], facts: Compared) -> Iterator[Columns]:
    pairs = _of_pairs(facts)
    # Each pair is decided on in the measure that is told first.
    decided = {(str(line.model), line.against): line.measure for line in reversed(lines) if line.against is not None}
    for line in lines:
        if line.against is None:
            yield {"may_be_best": line.model in facts.may_be_best}
        else:
            pair = str(line.model), line.against
            yield pairs.get(pair, {}) if decided[pair] == line.measure else {}


def _of_pairs(facts: Compared) -> dict[tuple[str, str], Columns]:
    """By the names of its models, what is said of each pair: of each test that was made, by the name of the test."""
    columns: dict[tuple[str, str], Columns] = {}
    sequential = facts.sequential.to_dict() if isinstance(facts, DuelFacts) else {}
    if isinstance(facts, DatasetsFacts):
        for test in (test for test in facts.tests if test.first is not None):
            columns.setdefault((str(test.first), str(test.second)), {}).update(_of_test(test))
        for belief in facts.practical:
            named = {name: value for name, value in belief.to_dict().items() if name not in NAMES}
            columns[belief.first, belief.second] |= _flat("practical", named)
    else:
        for pair in facts.pairs:
            beside = {name: value for name, value in pair.to_dict().items() if name not in (*NAMES, *WITHIN)}
            for test in pair.tests or ():
                beside |= _flat(test.test, test.to_dict())
            beside |= _flat("posterior", pair.posterior.to_dict() if pair.posterior else {})
            columns[pair.models] = beside | _flat("sequential", sequential)
    kind = "rank" if isinstance(facts, DatasetsFacts) else "mean"
    if isinstance(facts, (DatasetsFacts, FoldsFacts)):
        for (first, second), beside in columns.items():
            beside |= {f"model.{kind}": facts.means[first], f"against.{kind}": facts.means[second]}
    return columns


def _of_test(test: SignificanceTest) -> Columns:
    columns = _flat(test.test, {name: value for name, value in test.to_dict().items() if name not in NAMES})
    if test.outcome is None:
        return columns
    decides = {"test": test.test, "p": test.p, "adjusted_p": test.adjusted, "outcome": test.outcome}
    return columns | decides


def _of_model(name: str, facts: PanelFacts | CommitteeFacts) -> Iterator[tuple[str, Any]]:
    """What is said of a model by itself."""
    if isinstance(facts, PanelFacts):
        yield "may_be_best", name in facts.may_be_best
    weights = facts.panel.weights if isinstance(facts, PanelFacts) else facts.committee.weights
    if weights is not None:
        yield "weight", weights.get(name)


def _flat(prefix: str, values: Mapping[str, Any]) -> Columns:
    """Numbers and words under their names, those within another mapping as outer.inner."""
    columns: Columns = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            columns |= _flat(f"{prefix}.{name}", value)
        elif name not in WORDS:
            columns[f"{prefix}.{name}"] = value
    return columns


NUMBERS = ("estimate", "lower", "upper", "n")  # of a claim, that differ from group to group
WHOSE = ("measure", "model", "against", "label", "group")
TYPES = {  # whatever the values, of which there may be none
    **dict.fromkeys(("estimate", "lower", "upper", "delta", "at_most", "at_least"), float),
    **dict.fromkeys(("n", "needed", "sequential.settled_after", "sequential.changed_after"), int),
}
CLAIMED = ("estimate", "lower", "upper", "delta", "side", "n", "per", "method", "guarantee", "source")


def report_frame(report: Report) -> pl.DataFrame:
    """The lines in their order; what is said of some lines only stands in columns that others leave empty."""
    import polars as pl

    facts = facts_beside(report.whole, report.facts)
    known = [line.to_dict() for line in report.whole]
    shown = (*WHOSE, *CLAIMED)
    rows = [{name: row.get(name) for name in (*shown, *({"worst_coverage"} & row.keys()))} for row in known]
    frames = [_frame(shown, [{**row, **more} for row, more in zip(rows, facts, strict=True)])]
    frames += [_of_block(block, frames[0].schema) for block in report.blocks]
    return pl.concat(frames, how="diagonal")


def _of_block(block: Block, schema: pl.Schema) -> pl.DataFrame:
    """Whole columns at once: there may be very many groups."""
    import polars as pl

    shared = block[0].to_dict()
    frame = pl.DataFrame({**{name: np.asarray(getattr(block.claim, name)) for name in NUMBERS}, "group": block.groups})
    rest = [
        pl.lit(shared.get(name), schema[name]).alias(name) for name in (*WHOSE, *CLAIMED) if name not in frame.columns
    ]
    return frame.with_columns(pl.col("estimate").fill_nan(None), *rest).select(*WHOSE, *CLAIMED)


def decision_frame(decision: Decision) -> pl.DataFrame:
    """Each condition, in each group: the claim that decides on it, and the one on the other side."""
    rows = [
        {
            "condition": leaf.condition,
            "answer": str(leaf.answer),
            **{name: getattr(leaf, name) for name in ("label", "group", "at_most", "at_least", "needed")},
            "decides": decides,
            **{name: value for name, value in claim.to_dict().items() if name != "assumes"},
        }
        for leaf in decision.leaves()
        for decides, claim in ((True, leaf.claim), (False, leaf.other))
        if claim is not None
    ]
    first = ["condition", "answer", "measure", "label", "group", "at_most", "at_least", "decides", *CLAIMED, "needed"]
    return _frame(first, rows)


def _frame(first: Sequence[str], rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """These columns, then whichever others the rows have, each of one type whatever its values."""
    import polars as pl

    names = list(dict.fromkeys([*first, *(name for row in rows for name in row)]))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame({name: pl.Series(name, values, _type(name, values)) for name, values in columns.items()})


def _type(name: str, values: Iterable[Any]) -> pl.DataType:
    import polars as pl

    kinds = {TYPES[name]} if name in TYPES else {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pl.Boolean()
    if kinds and all(issubclass(kind, (int, np.integer)) for kind in kinds):
        return pl.Int64()
    return pl.Float64() if kinds and all(issubclass(kind, (int, float, np.number)) for kind in kinds) else pl.String()
