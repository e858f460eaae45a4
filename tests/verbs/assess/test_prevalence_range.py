"""A range of prevalences: the worst over it is at one of its ends, and its limits keep their promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.binomial import clopper_pearson
from holdfast.catalog import find_measure
from holdfast.claims import SIDES, Assumption, Guarantee, Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Counts
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design, mixes_of
from holdfast.report import Line
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.assess.class_mix import at_the_worst

RANGE = (0.03, 0.3)
INNER = np.linspace(*RANGE, 7)[1:-1]
RATE = np.linspace(0.02, 0.98, 49)
Key = tuple[str, str | None, str | None, str]


# ---- The limits of the worst of several


def ends_of(name: str, counts: list[Counts]) -> Question:
    first, *others = (Question(find_measure(name), each) for each in counts)
    return Question(first.measure, first.evidence, ends=tuple(others))


def worst(name: str, counts: list[Counts], side: Side = "both", delta: float = 0.05) -> hf.Claim:
    (line,) = Inquiry(np.array(delta), side).lines([ends_of(name, counts)])
    return line.claim


def test_the_worst_of_two_keeps_its_promise_and_only_the_better_limit_shares_delta() -> None:
    n, delta = 20, 0.05
    each = range(n + 1)
    claims = [[worst("error-rate", [Counts(i, n), Counts(j, n)], delta=delta) for j in each] for i in each]
    lower, upper = (np.array([[getattr(claim, end) for claim in row] for row in claims]) for end in ("lower", "upper"))
    alone = np.array([clopper_pearson(Counts(k, n), delta / 2, side="lower").lower for k in each])
    misses = []
    for p in RATE:
        law = binom.pmf(each, n, p)
        joint = np.outer(law, law)
        assert joint[upper < p].sum() <= delta / 2
        assert joint[lower > p].sum() <= delta / 2
        misses.append(joint[np.maximum.outer(alone, alone) > p].sum())
    assert max(misses) > delta / 2  # of limits that did not share it
    above = clopper_pearson(Counts(7, n), delta / 2, side="upper").upper
    assert claims[7][3].upper == pytest.approx(above, rel=1e-12)
    below = clopper_pearson(Counts(7, n), delta / 4, side="lower").lower
    assert claims[3][7].lower == pytest.approx(below, rel=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_of_what_is_better_high_the_least_is_the_worst(side: Side) -> None:
    errors = worst("error-rate", [Counts(3, 40), Counts(9, 40), Counts(5, 40)], side)
    mirrored: Side = {"upper": "lower", "lower": "upper"}.get(side, side)  # type: ignore[assignment]  # a side again
    right = worst("accuracy", [Counts(37, 40), Counts(31, 40), Counts(35, 40)], mirrored)
    assert (right.estimate, right.lower, right.upper) == pytest.approx((31 / 40, 1 - errors.upper, 1 - errors.lower))
    assert (errors.side, errors.delta, right.side) == (side, 0.05, mirrored)


def test_a_part_of_delta_is_shared_like_the_whole() -> None:
    counts = [Counts(3, 40), Counts(9, 40)]
    question = Question(**{**vars(ends_of("error-rate", counts)), "share": 0.1})
    (line,) = Inquiry(np.array(0.05), "both").lines([question])
    alone = worst("error-rate", counts, delta=0.005)
    assert (line.claim.lower, line.claim.upper, line.claim.delta) == (alone.lower, alone.upper, alone.delta)


def test_nothing_is_known_of_the_worst_where_nothing_is_known_of_an_end() -> None:
    claim = worst("error-rate", [Counts(9, 40), Counts(0, 0)])
    assert (claim.estimate, claim.upper) == (None, 1.0)
    assert claim.lower > 0.0  # one of the ends is as bad, and so the worst


# ---- The worst over a range, from rows


def rows(labels: str = "ab", size: int = 240, seed: int = 0) -> dict[str, Any]:
    """Classes whose members are told apart with more or less luck, in clusters of one class, with weights."""
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.integers(0, len(labels), size))
    guess = np.where(rng.random(size) < 0.55 + 0.1 * truth, truth, rng.integers(0, len(labels), size))
    names = np.array([*labels])
    made: dict[str, Any] = {"truth": names[truth].tolist(), "predicted": names[guess].tolist()}
    if len(labels) == 2:
        made["score"] = np.clip(0.3 + 0.3 * (truth == 0) + rng.normal(0, 0.15, size), 0.01, 0.99)
    made["clusters"] = [f"{truth[i]}-{rng.integers(0, 30)}" for i in range(size)]
    made["weights"] = rng.integers(1, 4, size)
    made["groups"] = {"ward": np.array(["north", "south"])[rng.integers(0, 2, size)]}
    return made


def claims_of(report: hf.Report) -> dict[Key, hf.Claim]:
    def key(line: Line) -> Key:
        return line.measure, line.label, line.group, str(line.claim.guarantee)

    return {key(line): line.claim for line in report.lines}


DESIGNS = {
    "rows": (),
    "groups": ("groups",),
    "clusters": ("clusters", "groups"),
    "capped": ("clusters",),
    "weights": ("weights",),
    "all": ("clusters", "weights", "groups"),
}


@pytest.mark.parametrize("labels", ["ab", "abc"])
@pytest.mark.parametrize("design", DESIGNS)
def test_nowhere_within_the_range_is_anything_worse_than_claimed(design: str, labels: str) -> None:
    made = rows(labels)
    kept = {name: made[name] for name in ("truth", "predicted", "score", *DESIGNS[design]) if name in made}
    kept |= {"max_cluster": 40} if design == "capped" else {}
    kept |= {"max_weight": 3} if "weights" in DESIGNS[design] else {}
    kept |= {"positive": "a"} if labels == "ab" else {}
    if "groups" in kept and design != "groups":
        kept["only"] = ["error-rate", "precision", "f1", "brier"] if labels == "ab" else ["accuracy", "precision", "f1"]
    rest = {"b": 0.2} if labels == "abc" else {}

    def at(share: float | tuple[float, float], **more: Any) -> hf.Report:
        return hf.assess(**kept, **more, sampling="by-class", prevalence={"a": share, **rest})

    whole = claims_of(at(RANGE))
    ends, inner = [claims_of(at(share)) for share in RANGE], [claims_of(at(share)) for share in INNER]
    claimed = [key for key, claim in whole.items() if Assumption.STATED_RANGE in claim.assumes]
    assert {"error-rate", "precision", "accuracy"} & {key[0] for key in claimed}
    sides: tuple[Side, ...] = ("lower", "upper")
    alone = {
        (side, part): [claims_of(at(share, side=side, delta=part)) for share in RANGE]
        for side in sides
        for part in (0.025, 0.0125)
    }
    for key, claim in whole.items():
        measure = find_measure(key[0].removesuffix("-gap"))
        if key not in claimed:
            assert not measure.depends_on_mix(len(labels))
            assert (claim.estimate, claim.lower, claim.upper) == pytest.approx(
                tuple(getattr(ends[0][key], name) for name in ("estimate", "lower", "upper")), rel=1e-12
            )
            continue
        worse = min if measure.better == "higher" else max
        estimates = [end[key].estimate for end in ends]
        assert claim.estimate == pytest.approx(worse(estimates), rel=1e-12)
        for each in inner:
            assert worse(each[key].estimate, claim.estimate + 1e-12 * (1 if worse is max else -1)) == pytest.approx(
                claim.estimate
            )
        for side in sides:
            facing_the_bad = (side == "lower") == (measure.better == "higher")
            limits = [getattr(end[key], side) for end in alone[side, 0.025 if facing_the_bad else 0.0125]]
            assert getattr(claim, side) == pytest.approx(worse(limits), rel=1e-9, abs=1e-12), (key, side)
        assert claim.delta == 0.05
        assert Assumption.STATED_PREVALENCE not in claim.assumes


def test_all_pairs_of_rates_at_a_small_size() -> None:
    """Every outcome of seven rows of each class: the worst precision, and the worst error rate, are covered."""
    n, delta, share = 7, 0.2, (0.2, 0.6)
    hits, alarms = (each.ravel() for each in np.meshgrid(range(n + 1), range(n + 1)))
    limits: dict[str, list[tuple[float, float]]] = {"precision": [], "error-rate": []}
    for hit, alarm in zip(hits, alarms, strict=True):
        taken = ["a"] * hit + ["b"] * (n - hit) + ["a"] * alarm + ["b"] * (n - alarm)
        data = Predictions.from_arrays(["a"] * n + ["b"] * n, taken)
        report = hf.assess(data, only=[*limits], prevalence={"a": share}, positive="a", labels=["a", "b"], delta=delta)
        firm = [line.claim for line in report.lines if line.claim.guarantee is Guarantee.FINITE and line.label != "b"]
        assert {claim.measure for claim in firm} == {*limits}
        for claim in firm:
            limits[claim.measure].append((claim.lower, claim.upper))  # type: ignore[arg-type]  # one of each
    at: Mapping[str, Array] = {name: np.array(each) for name, each in limits.items()}
    for recall in np.linspace(0, 1, 21):
        for false_alarm in np.linspace(0, 1, 21):
            law = binom.pmf(hits, n, recall) * binom.pmf(alarms, n, false_alarm)
            errors = max(p * (1 - recall) + (1 - p) * false_alarm for p in share)
            _covered(at["error-rate"], law, errors, delta)
            if recall + false_alarm > 0:
                precision = min(p * recall / (p * recall + (1 - p) * false_alarm) for p in share)
                _covered(at["precision"], law, precision, delta)


def _covered(limits: Array, law: Array, truth: float, delta: float) -> None:
    slip = 1e-12
    assert law[limits[:, 0] > truth + slip].sum() <= delta / 2 + slip
    assert law[limits[:, 1] < truth - slip].sum() <= delta / 2 + slip


def test_what_need_not_be_worst_at_an_end_is_left_out_and_refused_by_name() -> None:
    made = rows()
    kept = {name: made[name] for name in ("truth", "predicted")}
    report = hf.assess(**kept, prevalence={"a": RANGE})
    (note,) = (note for note in report.details["notes"] if note.startswith("Left out"))
    assert "mcc" in note
    assert "at one frequency of each class" in note
    assert not {"mcc", "kappa", "macro-f1"} & {line.measure for line in report.lines}
    for name in ("mcc", "macro-f1"):
        with pytest.raises(HoldfastError, match=rf"Left out: {name}, of which it is not known that"):
            hf.assess(**kept, prevalence={"a": RANGE}, only=[name])
        assert hf.assess(**kept, prevalence={"a": 0.1}, only=[name]).lines


def test_a_measure_that_is_no_ratio_over_the_classes_is_not_asked_at_the_ends() -> None:
    kappa, recall = find_measure("kappa"), find_measure("recall")
    each = [[Question(kappa, Counts(1, 9)), Question(recall, Counts(2, 9), ("a",))] for _ in RANGE]
    questions, notes, *_ = at_the_worst(each, 2)
    assert [(question.name, question.ends) for question in questions] == [("recall", ())]
    assert "kappa" in notes[0]


def test_several_ranges_are_worst_at_one_of_their_corners() -> None:
    made = rows("abc")
    kept = {name: made[name] for name in ("truth", "predicted")}
    ranges = {"a": (0.1, 0.4), "b": (0.2, 0.3)}
    whole = claims_of(hf.assess(**kept, prevalence=ranges))
    corners = [claims_of(hf.assess(**kept, prevalence={"a": a, "b": b})) for a in ranges["a"] for b in ranges["b"]]
    for key in (("error-rate", None, None, "FINITE"), ("precision", "c", None, "FINITE")):
        estimates = [corner[key].estimate for corner in corners]
        assert whole[key].estimate == (max if key[0] == "error-rate" else min)(estimates)  # type: ignore[type-var]  # known
    with pytest.raises(HoldfastError, match="leaves nothing for 'c'"):
        hf.assess(**kept, prevalence={"a": (0.1, 0.7), "b": (0.2, 0.3)})


def test_costs_are_worst_at_an_end() -> None:
    made = rows()
    costs = hf.Costs([[0, 1], [10, 0]], ["a", "b"], rows="predicted")
    kept = {name: made[name] for name in ("truth", "predicted")} | {"costs": costs, "only": ["expected-cost"]}
    (worse,) = hf.assess(**kept, prevalence={"a": RANGE}).claims
    ends = [hf.assess(**kept, prevalence={"a": share}).claims[0] for share in RANGE]
    assert worse.estimate == pytest.approx(max(float(end.estimate) for end in ends if end.estimate is not None))
    assert worse.upper == pytest.approx(max(end.upper for end in ends))
    assert worse.lower < max(end.lower for end in ends)


@pytest.mark.parametrize("share", [(0.3, 0.03), (0.1, 0.1), (0.1,), (0.1, 0.2, 0.3), ("a", "b"), (0.1, True)])
def test_ranges_that_are_none(share: Any) -> None:
    made = rows()
    with pytest.raises(HoldfastError, match="goes from a lower to a higher one"):
        hf.assess(made["truth"], made["predicted"], prevalence={"a": share})


def test_so_many_ranges_are_refused_before_anything_is_counted() -> None:
    labels = [f"class {i}" for i in range(40)]
    with pytest.raises(HoldfastError, match=r"gives ranges for 39 classes, .* it takes 4 at most"):
        hf.assess(labels, labels, prevalence=dict.fromkeys(labels[1:], (0.01, 0.02)))
    assert len(mixes_of(dict.fromkeys(labels[:4], (0.01, 0.02)))) == 16


def test_a_design_at_each_end() -> None:
    design = Design(sampling="by-class", prevalence={"a": RANGE})
    assert [end.prevalence for end in design.at_each_end] == [{"a": share} for share in RANGE]
    fixed = Design(sampling="by-class", prevalence={"a": 0.1})
    assert [end.prevalence for end in fixed.at_each_end] == [{"a": 0.1}]
    assert [end.prevalence for end in Design().at_each_end] == [None]


# ---- What a reader is told


def test_the_report_says_that_it_is_about_the_worst() -> None:
    made = rows()
    report = hf.assess(made["truth"], made["predicted"], made["score"], positive="a", prevalence={"a": RANGE})
    text = " ".join(str(report).split())
    assert "the true error rate at the worst of the frequencies stated is between" in text
    assert "a 0.03 to 0.3, b 0.7 to 0.97. It only rises or only falls with each" in text
    assert "each class is as frequent as was stated, or somewhere in the range stated" in text
    again = hf.Report.from_json(report.to_json())
    assert str(again) == str(report)


def test_frequencies_of_clusters_are_said_to_be_those() -> None:
    made = rows()
    kept = {name: made[name] for name in ("truth", "predicted", "clusters")}
    for share in (0.1, RANGE):
        notes = hf.assess(**kept, prevalence={"a": share}).details["notes"]
        assert notes[0].endswith("They are those of clusters, which are what was drawn.")


# ---- Gates


def test_a_gate_decides_by_the_worst_on_either_side() -> None:
    made = rows()
    kept = {"truth": made["truth"], "predicted": made["predicted"], "positive": "a", "prevalence": {"a": RANGE}}
    (claim,) = (c for c in hf.assess(**kept, only=["error-rate"], delta=0.1).claims if c.measure == "error-rate")
    asked = {"measure": "error-rate"}
    proven = hf.gate(**kept, **asked, at_most=claim.upper + 0.001)
    refuted = hf.gate(**kept, **asked, at_most=claim.lower - 0.001)
    between = hf.gate(**kept, **asked, at_most=(claim.lower + claim.upper) / 2)
    assert [each.answer.value for each in (proven, refuted, between)] == ["proven", "refuted", "not enough data"]
    assert "error rate at the worst of the frequencies stated is at most" in " ".join(str(proven).split())
    assert "error-rate, at worst" in str(proven)


def test_a_gate_of_groups_and_clusters_at_a_range() -> None:
    made = rows()
    kept = {name: made[name] for name in ("truth", "predicted", "clusters", "groups")}
    gate = hf.gate(**kept, measure="error-rate", at_most=0.9, prevalence={"a": RANGE}, max_cluster=40)
    assert {leaf.group for leaf in gate.leaves()} == {"ward=north", "ward=south"}
    assert all(leaf.claim is not None and Assumption.STATED_RANGE in leaf.claim.assumes for leaf in gate.leaves())


@pytest.mark.parametrize("only", [None, "precision", "error-rate"])
def test_a_difference_is_asked_for_at_one_frequency(only: str | None) -> None:
    made = rows()
    models = {"new": made["predicted"], "old": made["truth"]}
    with pytest.raises(HoldfastError, match="a difference of two models need not be worst where the range ends"):
        hf.compare(made["truth"], models, prevalence={"a": RANGE}, positive="a", only=only)
