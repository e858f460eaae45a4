"""What a report says of a line besides its claim: who is better and with which p-value, and what was counted for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.report import Line

Facts = dict[str, Any]
NAMES = ("first", "second")  # of a pair, which its line says as model and against
WORDS = ("null", "source")  # of a test, that are the same for every pair


def facts_beside(lines: Sequence[Line], details: Mapping[str, Any]) -> list[Facts]:
    """One mapping for each line, in their order; of most lines there is nothing but the claim."""
    pairs, decided = _of_pairs(details), _decided(lines, details)
    models = {name: dict(_of_model(name, details)) for name in details.get("models", ())}
    bins = {each["bin"]: each for each in details.get("calibration", {}).get("bins", ())}
    points = details.get("learning_curve", {}).get("points", ())
    facts: list[Facts] = []
    for place, line in enumerate(lines):
        if line.against is not None:
            pair = line.model, line.against
            facts.append(pairs.get(pair, {}) if decided[pair] == line.measure else {})
        elif line.measure == "calibration":
            facts.append({name: bins[line.label][name] for name in ("mean_score", "positives")})
        elif points:
            facts.append(dict(points[place]))
        else:
            facts.append(models.get(str(line.model), {}))
    return facts


def _decided(lines: Sequence[Line], details: Mapping[str, Any]) -> dict[tuple[Any, Any], str]:
    """In which measure each pair is decided on: the verdict's, else the one that is told first."""
    measure = getattr(details.get("verdict"), "measure", None)
    told: dict[tuple[Any, Any], list[str]] = {}
    for line in lines:
        told.setdefault((line.model, line.against), []).append(line.measure)
    asked = (measure, f"{measure}-difference")
    return {pair: next((name for name in names if name in asked), names[0]) for pair, names in told.items()}


def _of_pairs(details: Mapping[str, Any]) -> dict[tuple[Any, Any], Facts]:
    """By the names of its models, what is said of each pair: of each test that was made, by the name of the test."""
    found: dict[tuple[Any, Any], Facts] = {}
    for pair in details.get("pairs", ()):
        beside = found.setdefault((pair["first"], pair["second"]), {})
        beside |= {name: value for name, value in pair.items() if name not in (*NAMES, "tests", "posterior")}
        for test in pair.get("tests", ()):
            beside |= _flat(test["test"], test)
        beside |= _flat("posterior", pair.get("posterior", {}))
        beside |= _flat("sequential", details.get("sequential", {}))
    for test in details.get("tests", ()):
        if "first" in test:
            beside = found.setdefault((test["first"], test["second"]), {})
            beside |= _flat(test["test"], {name: value for name, value in test.items() if name not in NAMES})
            if "outcome" in test:  # the test that decides
                told = {"test": test["test"], "p": test["p"], "adjusted_p": test["adjusted"]}
                beside |= {**told, "outcome": test["outcome"]}
    for belief in details.get("practical", ()):
        named = {name: value for name, value in belief.items() if name not in NAMES}
        found.setdefault((belief["first"], belief["second"]), {}).update(_flat("practical", named))
    for kind, values in (("mean", details.get("folds", {}).get("means")), ("rank", details.get("ranks"))):
        if values:
            for (first, second), beside in found.items():
                beside |= {f"model.{kind}": values[first], f"against.{kind}": values[second]}
    return found


def _of_model(name: str, details: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is said of a model by itself."""
    if "may_be_best" in details:
        yield "may_be_best", name in details["may_be_best"]
    weights = details.get("panel", details.get("committee", {})).get("weights")
    if weights is not None:
        yield "weight", weights.get(name)


def _flat(prefix: str, values: Mapping[str, Any]) -> Facts:
    """Numbers and words under their names, those within another mapping as outer.inner."""
    found: Facts = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= _flat(f"{prefix}.{name}", value)
        elif name not in (*WORDS, "test"):
            found[f"{prefix}.{name}"] = value
    return found
