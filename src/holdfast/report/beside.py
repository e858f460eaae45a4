"""What a report says of a line besides its claim: who is better and with which p-value, and what was counted for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.report.facts.compared import Compared
from holdfast.report.facts.comparison import DuelFacts
from holdfast.report.facts.kind import Facts
from holdfast.report.facts.panel import CommitteeFacts, PanelFacts
from holdfast.report.facts.scored import DatasetsFacts, FoldsFacts
from holdfast.report.facts.training import LearningFacts

if TYPE_CHECKING:
    from holdfast.report import Line
    from holdfast.report.facts.pair import SignificanceTest

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
    found = (bins.get(str(line.label)) if line.measure == "calibration" else None for line in lines)
    return [{} if each is None else {"mean_score": each.mean_score, "positives": each.positives} for each in found]


def _of_comparison(lines: Sequence[Line], facts: Compared) -> Iterator[Columns]:
    pairs, decided = _of_pairs(facts), _decided(lines)
    for line in lines:
        if line.against is None:
            yield {"may_be_best": line.model in facts.may_be_best}
        else:
            pair = str(line.model), line.against
            yield pairs.get(pair, {}) if decided[pair] == line.measure else {}


def _decided(lines: Sequence[Line]) -> dict[tuple[str, str], str]:
    """In which measure each pair is decided on: the one that is told first."""
    told: dict[tuple[str, str], str] = {}
    for line in lines:
        if line.against is not None:
            told.setdefault((str(line.model), line.against), line.measure)
    return told


def _of_pairs(facts: Compared) -> dict[tuple[str, str], Columns]:
    """By the names of its models, what is said of each pair: of each test that was made, by the name of the test."""
    found: dict[tuple[str, str], Columns] = {}
    if isinstance(facts, DatasetsFacts):
        for test in (test for test in facts.tests if test.first is not None):
            found.setdefault((str(test.first), str(test.second)), {}).update(_of_test(test))
        for belief in facts.practical:
            named = {name: value for name, value in belief.to_dict().items() if name not in NAMES}
            found[belief.first, belief.second] |= _flat("practical", named)
    else:
        for pair in facts.pairs:
            beside = {name: value for name, value in pair.to_dict().items() if name not in (*NAMES, *WITHIN)}
            for test in pair.tests or ():
                beside |= _flat(test.test, test.to_dict())
            beside |= _flat("posterior", pair.posterior.to_dict() if pair.posterior else {})
            found[pair.models] = beside | _flat("sequential", _sequential(facts))
    kind = "rank" if isinstance(facts, DatasetsFacts) else "mean"
    if isinstance(facts, (DatasetsFacts, FoldsFacts)):
        for (first, second), beside in found.items():
            beside |= {f"model.{kind}": facts.means[first], f"against.{kind}": facts.means[second]}
    return found


def _sequential(facts: Compared) -> Mapping[str, Any]:
    return facts.sequential.to_dict() if isinstance(facts, DuelFacts) else {}


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
    found: Columns = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= _flat(f"{prefix}.{name}", value)
        elif name not in WORDS:
            found[f"{prefix}.{name}"] = value
    return found
