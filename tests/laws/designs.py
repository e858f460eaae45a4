"""Small rows, the designs that they may have been drawn by, and the ways to divide them: what laws of designs walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import holdfast as hf
from holdfast.catalog import measures
from holdfast.claims import Assumption, Claim

ROWS = 90
RANDOM = np.random.default_rng(22)
PATIENT = np.sort(RANDOM.integers(0, 24, ROWS))
REGION = np.array(["north", "south"])[(PATIENT % 3 == 0) * 1]  # patients, and not just rows, are of one
WEIGHT = RANDOM.choice([0.5, 1.0, 2.0], ROWS)
MOST = int(np.bincount(PATIENT).max()) + 1
SHARES = {"north": 0.4, "south": 0.6}
PREVALENCE = {"1": 0.2, "0": 0.8}
DIVISIONS = {
    "cutting": np.array(["x", "y"])[RANDOM.integers(0, 2, ROWS)],  # a patient may have rows of both
    "whole": np.array(["p", "q"])[(PATIENT % 2)],  # all rows of a patient are of one
}


@dataclass(frozen=True)
class Sample:
    """Rows of one kind, and what else is stated of them."""

    columns: Mapping[str, Any]
    stated: Mapping[str, Any] = field(default_factory=dict)

    def report(
        self, drawn: Mapping[str, Any], where: np.ndarray | None = None, by: str | None = None, **more: Any
    ) -> hf.Report:
        """All that they bear as they were drawn, of some of the rows, divided in some way."""
        rows = np.ones(self.size, bool) if where is None else where
        columns, design = kept(self.columns, rows), kept(drawn, rows)
        stated = {**self.stated, **({} if by is None else {"groups": {by: DIVISIONS[by][rows]}})}
        if by is not None and "only" not in more:  # or groups would get a few lines only
            stated["only"] = [name for name in self.names if "prevalence" not in design or name != "prevalence"]
        return hf.assess(**columns, **{**stated, **more}, **design)

    @property
    def size(self) -> int:
        return len(next(iter(self.columns.values())))

    @cached_property
    def names(self) -> list[str]:
        """The measures that they bear, however they were drawn."""
        told = {line.measure for line in self.report({"clusters": PATIENT}).lines}
        return [measure.name for measure in measures() if measure.name in told]


def kept(columns: Mapping[str, Any], where: np.ndarray) -> dict[str, Any]:
    """Whatever is given row by row, of some of the rows; all else as it is."""
    return {name: each[where] if isinstance(each, np.ndarray) else each for name, each in columns.items()}


def _scored() -> Sample:
    score = np.round(RANDOM.random(ROWS), 2)
    truth = (RANDOM.random(ROWS) < score) * 1
    predicted = (score >= 0.45) * 1
    margin = np.where(truth == predicted, 1, -1) * np.round(RANDOM.uniform(0.1, 1, ROWS), 2)
    costs = hf.Costs([[0, 5], [1, 0]], ("0", "1"), rows="predicted")
    columns = {"truth": truth, "predicted": predicted, "score": score, "margin": margin}
    return Sample(columns, {"positive": 1, "labels": [0, 1], "costs": costs, "classes": [0, 1]})


def _many() -> Sample:
    truth = RANDOM.integers(0, 3, ROWS)
    predicted = np.where(RANDOM.random(ROWS) < 0.6, truth, RANDOM.integers(0, 3, ROWS))
    names = np.array(["cat", "dog", "emu"])
    return Sample({"truth": names[truth], "predicted": names[predicted]}, {"labels": [*names]})


def _graded() -> Sample:
    return Sample({"value": RANDOM.choice([1, 2, 3, 4, 5], ROWS, p=[0.1, 0.1, 0.2, 0.3, 0.3])}, {"value_range": (1, 5)})


def _binned() -> Sample:
    score = np.round(RANDOM.random(ROWS), 2)
    truth = (RANDOM.random(ROWS) < score**2) * 1
    stated = {"positive": 1, "labels": [0, 1], "bins": 3, "only": ["ece", "calibration"]}
    return Sample({"truth": truth, "score": score}, stated)


SAMPLES = {"scored": _scored(), "many": _many(), "graded": _graded(), "binned": _binned()}
STRATA = {"strata": REGION, "shares": SHARES}
CLUSTERS = {"clusters": PATIENT, "max_cluster": MOST}
WEIGHTS = {"weights": WEIGHT, "max_weight": 2.0}
DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "clusters": {"clusters": PATIENT},
    "capped clusters": CLUSTERS,
    "weights": {"weights": WEIGHT},
    "capped weights": WEIGHTS,
    "chances": {"inclusion": 0.5 / WEIGHT, "max_weight": 4.0},
    "strata": STRATA,
    "clusters, weights": {**CLUSTERS, **WEIGHTS},
    "clusters, uncapped weights": {**CLUSTERS, "weights": WEIGHT},
    "clusters, strata": {**CLUSTERS, **STRATA},
    "weights, strata": {**WEIGHTS, "strata": REGION},
    "clusters, strata, weights": {**CLUSTERS, **STRATA, **WEIGHTS},
    "by class": {"sampling": "by-class", "prevalence": PREVALENCE},
}


def fits(sample: str, design: str) -> bool:
    """Whether rows of this kind can have been drawn so: classes are drawn from only where there are any."""
    return design != "by class" or sample == "scored"


CROSSED = [(sample, design) for sample in SAMPLES for design in DESIGNS if fits(sample, design)]


def weights_of(design: Mapping[str, Any], sample: Sample) -> np.ndarray:
    """What each row weighs in the end, written out: its own weight, times what undoes how many draws were made."""
    weight = np.asarray(design.get("weights", np.ones(ROWS)), float)
    weight = weight / design.get("inclusion", 1.0)
    if "shares" in design:
        draws = np.arange(ROWS) if "clusters" not in design else PATIENT
        drawn = {name: np.unique(draws[name == REGION]).size for name in SHARES}
        weight = weight * np.array([SHARES[name] / drawn[name] for name in REGION])
    if "prevalence" in design:
        truth = np.asarray(sample.columns["truth"])
        weight = weight * np.array([PREVALENCE[str(each)] / np.sum(truth == each) for each in truth])
    return weight


def sentences_of(design: Mapping[str, Any]) -> tuple[set[Assumption], set[Assumption]]:
    """What every line must say of how the rows were drawn, and what none may."""
    said = {
        Assumption.CLUSTERS: "clusters" in design,
        Assumption.KNOWN_WEIGHTS: "weights" in design,
        Assumption.KNOWN_INCLUSION: "inclusion" in design,
        Assumption.WITHIN_STRATA: "strata" in design,
        Assumption.STATED_SHARES: "shares" in design,
        Assumption.WITHIN_CLASSES: "prevalence" in design,
    }
    said[Assumption.INDEPENDENT] = not {"clusters", "strata", "sampling"} & {*design}
    return {each for each, there in said.items() if there}, {each for each, there in said.items() if not there}


Key = tuple[str, str | None, str, str]  # measure, label, what it is an average over, guarantee


def claims_of(report: hf.Report, group: str | None = None) -> dict[Key, Claim]:
    """The claims about all rows or about a group, but for how far it is from the rest."""
    lines = [line for line in report.lines if line.group == group and not line.measure.endswith("-gap")]
    return {(line.measure, line.label, line.claim.per, str(line.claim.guarantee)): line.claim for line in lines}


def asymptotic(claims: Mapping[Key, Claim]) -> dict[Key, Claim]:
    """Those that rest on what each draw adds."""
    return {key: claim for key, claim in claims.items() if claim.method in ("influence", "best-thresholds")}
