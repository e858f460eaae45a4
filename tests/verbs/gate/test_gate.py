"""The gate: what it may get wrong, counted out over every outcome; how many more examples; what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, multinomial, norm

import holdfast as hf
from holdfast.catalog import find, measures
from holdfast.claims import SIDES, Claim, Guarantee
from holdfast.errors import HoldfastError, UnfitMethod, addressed
from holdfast.evidence import Contingency, Counts, Forecasts, Losses, Scores
from holdfast.report import Answer, Decision
from holdfast.verbs.assess import assessment
from holdfast.verbs.gate import decide
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.gate import LOOK_AGAIN, gate
from holdfast.verbs.gate.more_data import NEVER, TOO_NEAR, Settling
from tests.shapes import validate
from tests.snapshots import matches, messages

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "decision-1.json").read_text(encoding="utf-8"))
TRUTH = ["fraud"] * 50 + ["fine"] * 950
PREDICTED = ["fraud"] * 47 + ["fine"] * 3 + ["fine"] * 940 + ["fraud"] * 10
PLAIN = [m for m in measures() if m.takes in (Contingency, Scores, Forecasts) and not m.required]
SCORES = [0.9] * 47 + [0.2] * 3 + [0.1] * 940 + [0.6] * 10


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without asking how many more examples are needed, which takes longer than to decide."""
    monkeypatch.setattr(decide, "settling", lambda *_: Settling(None))


# ---- The rule, over every outcome


def outcomes(condition: Condition, n: int, delta: float, method: str = "clopper-pearson") -> tuple[Any, Any]:
    """Which of 0 to n events prove the condition, and which refute it."""
    lower, upper = (find(method)(Counts(np.arange(n + 1), n), delta, side) for side in ("lower", "upper"))
    return condition.decided(lower.lower, upper.upper)


@pytest.mark.parametrize("n", [1, 59, 500])
@pytest.mark.parametrize("limit", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("delta", [0.05, 0.2])
@pytest.mark.parametrize("way", ["at_most", "at_least"])
def test_either_answer_is_false_with_at_most_delta_at_the_limit(n: int, limit: float, delta: float, way: str) -> None:
    proven, refuted = outcomes(Condition.checked(**{way: limit}), n, delta)
    chances = binom.pmf(np.arange(n + 1), n, limit)  # a hair beyond it the one answer is false, a hair before the other
    assert chances[proven].sum() <= delta
    assert chances[refuted].sum() <= delta
    assert not np.any(proven & refuted)
    if n == 500:  # nor is the promise kept by saying nothing
        assert chances[proven].sum() > delta / 2
        assert chances[refuted].sum() > delta / 2


def test_a_limit_that_is_just_reached_is_kept() -> None:
    least, most = [0.1, 0.2, 0.3, 0.5, 0.6], [0.3, 0.5, 0.6, 0.9, 0.9]
    proven, refuted = Condition.checked(at_most=0.5).decided(least, most)
    assert proven.tolist() == [True, True, False, False, False]
    assert refuted.tolist() == [False, False, False, False, True]
    proven, refuted = Condition.checked(at_least=0.5).decided(least, most)
    assert proven.tolist() == [False, False, False, True, True]
    assert refuted.tolist() == [True, False, False, False, False]


@pytest.mark.crossing(3)
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("asked", [{"at_most": 0.3}, {"at_least": 0.3}, {"at_most": 0.0}, {"at_least": 1.0}])
@pytest.mark.parametrize("looking", [{}, {"looks": 4}, {"sequential": True}])
def test_the_gate_goes_by_the_rule(asked: dict[str, Any], looking: dict[str, Any]) -> None:
    n, delta = 40, 0.1
    method = "beta-binomial" if "sequential" in looking else "clopper-pearson"
    proven, refuted = outcomes(Condition.checked(**asked), n, delta / looking.get("looks", 1), method)
    for k in range(n + 1):
        answer = gate(Counts(k, n), delta=delta, **asked, **looking).answer
        assert (answer is Answer.PROVEN, answer is Answer.REFUTED) == (proven[k], refuted[k]), k


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("way", ["at_least", "at_most"])
def test_recall_over_every_number_of_examples_of_the_class(way: str) -> None:
    # 16 examples, each of the class with chance 0.6 and then found with a chance that is the limit; the labels of two
    # more, of which nothing depends, are there so that both are known.
    n, share, limit, delta = 16, 0.6, 0.7, 0.2
    chance = dict.fromkeys(Answer, 0.0)
    for actual in range(n + 1):
        for found in range(actual + 1):
            truth = ["fraud"] * actual + ["fine"] * (n + 2 - actual)
            predicted = ["fraud"] * found + ["fine"] * (n - found) + ["fraud", "fine"]
            decision = gate(truth, predicted, measure="recall", label="fraud", delta=delta, **{way: limit})
            assert decision.answer is by_scipy(found, actual, way, limit, delta)
            chance[decision.answer] += binom.pmf(actual, n, share) * binom.pmf(found, actual, limit)
    assert delta / 4 < chance[Answer.PROVEN] <= delta
    assert delta / 4 < chance[Answer.REFUTED] <= delta


def by_scipy(k: int, n: int, way: str, limit: float, delta: float) -> Answer:
    """The answer by scipy's tails."""
    few, many = binom.cdf(k, n, limit), binom.sf(k - 1, n, limit)
    proving, refuting = (few, many) if way == "at_most" else (many, few)
    return Answer.PROVEN if proving <= delta else Answer.REFUTED if refuting <= delta else Answer.OPEN


# ---- Looking again as data grow


def ever(sizes: Sequence[int], rate: float, hits: Callable[[int], NDArray[Any]]) -> float:
    """The chance that at any of these sizes the count is one of `hits(n)`: the counts that are not go on."""
    total, alive, before = 0.0, np.ones(1), 0
    for n in sizes:
        alive = np.convolve(alive, binom.pmf(np.arange(n - before + 1), n - before, rate))
        hit = hits(n)
        total, alive, before = total + float(alive[hit].sum()), np.where(hit, 0.0, alive), n
    return total


@pytest.mark.parametrize("limit", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("answer", [0, 1], ids=["proven", "refuted"])
@pytest.mark.parametrize("way", ["at_most", "at_least"])
def test_ten_looks_keep_what_plain_looks_break(limit: float, answer: int, way: str) -> None:
    sizes, delta, condition = range(50, 501, 50), 0.05, Condition.checked(**{way: limit})
    declared, plain = (
        ever(sizes, limit, lambda n, each=each: outcomes(condition, n, each)[answer])  # type: ignore[misc]
        for each in (delta / len(sizes), delta)
    )
    assert declared <= delta < plain


def test_the_figure_that_the_note_tells() -> None:
    condition = Condition.checked(at_most=0.05)
    chance = ever(range(100, 2001, 100), 0.05, lambda n: outcomes(condition, n, 0.05)[0])
    assert chance == pytest.approx(0.1793, abs=5e-5)
    assert "20 plain looks, one every 100 examples" in LOOK_AGAIN
    assert "a limit of 5 % that is just missed 18 % of" in LOOK_AGAIN


def boundaries(condition: Condition, sizes: NDArray[Any], delta: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each size the most events that prove "at most", and the fewest that refute it, by bisection."""
    found = []
    for answer in (0, 1):
        low, high = np.full(sizes.shape, -1), sizes + 1
        while np.any(high - low > 1):
            middle = (low + high) // 2
            inside = Counts(np.clip(middle, 0, sizes), sizes)
            lower, upper = (find("beta-binomial")(inside, delta, side) for side in ("lower", "upper"))
            hit = condition.decided(lower.lower, upper.upper)[answer]
            few = hit if answer == 0 else ~hit
            low, high = np.where(few, middle, low), np.where(few, high, middle)
        found.append(low if answer == 0 else high)
    return found[0], found[1]


@pytest.mark.long
@pytest.mark.parametrize("limit", [0.05, 0.3])
def test_two_thousand_looks_in_sequence(limit: float) -> None:
    sizes, delta, condition = np.arange(1, 2001), 0.05, Condition.checked(at_most=limit)
    most, fewest = boundaries(condition, sizes, delta)
    for n in (300, 2000):  # the gate stands at the very same places
        decisions = [
            gate(Counts(k, n), at_most=limit, sequential=True).answer
            for k in (most[n - 1], most[n - 1] + 1, fewest[n - 1] - 1, fewest[n - 1])
        ]
        assert decisions == [Answer.PROVEN, Answer.OPEN, Answer.OPEN, Answer.REFUTED]
    proven = ever(sizes.tolist(), limit, lambda n: np.arange(n + 1) <= most[n - 1])
    refuted = ever(sizes.tolist(), limit, lambda n: np.arange(n + 1) >= fewest[n - 1])
    assert delta / 4 < proven <= delta
    assert delta / 4 < refuted <= delta


# ---- Several conditions, and groups


@pytest.mark.usefixtures("hurried")
def test_conditions_that_depend_on_each_other() -> None:
    # All tables of 7 rows; error rate, recall and precision are each exactly at their limit, so that each is false a
    # hair beyond it. The whole, the refutations and the list are wrong at most delta of the time, each on its own.
    n, delta = 7, 0.3
    cells = np.array([0.3, 0.2, 0.2, 0.3])  # actual and predicted: yes yes, yes no, no yes, no no
    asked = [
        {"at_most": 0.4},
        {"measure": "recall", "label": "yes", "at_least": 0.6},
        {"measure": "precision", "label": "yes", "at_most": 0.6},
    ]
    whole = some = refuted = listed = 0.0
    everything = np.array([c for c in product(range(n + 1), repeat=4) if sum(c) == n and sum(c[:3])])
    for counts in everything:  # but all "no", in which case nothing is known of the class
        truth, predicted = (np.repeat(labels, counts) for labels in (["yes", "yes", "no", "no"], ["yes", "no"] * 2))
        decision, chance = gate(truth, predicted, conditions=asked, delta=delta), multinomial.pmf(counts, n, cells)
        answers = {part.answer for part in decision.parts}
        assert decision.answer is next(a for a in (Answer.REFUTED, Answer.OPEN, Answer.PROVEN) if a in answers)
        whole += chance * (decision.answer is Answer.PROVEN)
        some += chance * (Answer.PROVEN in answers)
        refuted += chance * (Answer.REFUTED in answers)
        listed += chance * bool(decision.hold_together)
    assert whole <= delta
    assert delta / 8 < refuted <= delta
    assert delta / 8 < listed <= delta < some  # a part that is proven holds on its own, not together with others


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("number", [2, 5])
def test_the_whole_is_tested_at_the_whole_delta(number: int) -> None:
    # One condition is just missed, the others hold for sure: all are called proven as often as that one is.
    n, limit, delta, chance = 60, 0.2, 0.1, 0.0
    for errors in range(n + 1):
        right = np.concatenate([np.arange(n) >= errors, np.ones(n * (number - 1), bool)])
        decision = gate(correct=right, groups={"g": np.arange(n * number) // n}, at_most=limit, delta=delta)
        chance += binom.pmf(errors, n, limit) * (decision.answer is Answer.PROVEN)
    alone = binom.pmf(np.arange(n + 1), n, limit)[outcomes(Condition.checked(at_most=limit), n, delta)[0]].sum()
    assert delta / 2 < chance == pytest.approx(alone)
    assert chance <= delta


def test_all_of_five_are_proven_as_often_as_they_can_be() -> None:
    # Five limits of 5 %, each kept with an error rate of 2.5 % on 600 examples of its own: all are proven with a chance
    # of .66, where with a fifth of delta each they would be with one of .24.
    n, number, limit, rate = 600, 5, 0.05, 0.025
    chances = [
        binom.pmf(np.arange(n + 1), n, rate)[outcomes(Condition.checked(at_most=limit), n, delta)[0]].sum() ** number
        for delta in (0.05, 0.05 / number)
    ]
    most, fewer = (np.flatnonzero(outcomes(Condition.checked(at_most=limit), n, d)[0])[-1] for d in (0.05, 0.01))
    assert fewer < most
    right = np.tile(np.arange(n) >= most, number)
    for asked in (
        {"groups": {"g": np.arange(n * number) // n}, "at_most": limit},
        {"conditions": [{"at_most": limit}] * number},
    ):
        decision = gate(correct=right, **asked)
        assert decision.answer is Answer.PROVEN
        assert decision.rule == "intersection-union"
    assert chances == pytest.approx([0.658, 0.239], abs=5e-4)


def test_what_each_of_several_conditions_has_of_delta() -> None:
    asked = [Condition("error-rate", at_most=0.05), {"measure": "recall", "label": "fraud", "at_least": 0.5}]
    decision = gate(TRUTH, PREDICTED, conditions=asked, looks=5, confidence=0.9)
    assert [part.claim.delta for part in decision.parts if part.claim] == pytest.approx([0.02, 0.02])
    assert [part.other.delta for part in decision.parts if part.other] == pytest.approx([0.01, 0.01])
    assert (decision.answer, decision.delta) == (Answer.PROVEN, pytest.approx(0.1))
    assert bool(decision)
    assert (decision.condition, decision.hold_together) == ("all 2 conditions together", None)
    assert [part.condition for part in decision.parts] == [
        "error-rate at most 0.05",
        "recall of fraud at least 0.5",
    ]


def test_refutations_share_delta() -> None:
    # 3 of 20 speak against at most 0.05 at 7.6 %: enough for one condition at 10 %, not for one of two.
    assert 0.05 < binom.sf(2, 20, 0.05) < 0.1
    assert gate(Counts(3, 20), at_most=0.05, delta=0.1).answer is Answer.REFUTED
    two = gate(Counts(3, 20), conditions=[{"at_most": 0.05}, {"at_most": 0.9}], delta=0.1)
    assert (two.answer, two.exit_code) == (Answer.OPEN, 3)
    assert two.hold_together == ("error-rate at most 0.9",)
    first = gate(Counts(9, 20), conditions=[{"at_most": 0.05}, {"at_most": 0.29}], delta=0.1)
    assert [part.answer for part in first.parts] == [Answer.REFUTED] * 2  # by Holm: the second at all of delta
    assert [part.claim.delta for part in first.parts if part.claim] == [0.05, 0.1]


@pytest.mark.usefixtures("hurried")
def test_no_group_is_called_what_it_is_not() -> None:
    # Two groups of 10 rows and one of 4, all at the limit: every outcome, the two alike in order of their errors.
    n, limit, delta = (10, 10, 4), 0.4, 0.15
    names = np.repeat(["a", "b", "c"], n)
    whole = refuted = listed = alone = 0.0
    for errors in product(*(range(size + 1) for size in n)):
        if errors[0] > errors[1]:
            continue
        chance = (1 + (errors[0] < errors[1])) * np.prod(binom.pmf(errors, n, limit))
        right = np.concatenate([np.arange(size) >= number for size, number in zip(n, errors, strict=True)])
        decision = gate(correct=right, groups={"country": names}, at_most=limit, delta=delta)
        answers = {part.answer for part in decision.parts}
        whole += chance * (decision.answer is Answer.PROVEN)
        refuted += chance * (Answer.REFUTED in answers)
        listed += chance * bool(decision.hold_together)
        alone += chance * (Answer.PROVEN in answers)
    assert whole <= delta
    assert delta / 4 < refuted <= delta
    assert delta / 4 < listed <= delta
    assert alone > delta  # a group that is proven is so on its own


def test_groups_that_hold_together_are_listed_by_holm() -> None:
    errors, size = {"de": 9, "es": 17, "fr": 2, "it": 40, "pt": 12}, 400
    names = np.repeat(list(errors), size)
    right = np.concatenate([np.arange(size) >= number for number in errors.values()])
    decision = gate(correct=right, groups={"country": names}, at_most=0.05)
    proofs = {name: binom.cdf(number, size, 0.05) for name, number in errors.items()}
    assert proofs["fr"] < 0.05 / 5 < proofs["pt"] < 0.05 < proofs["es"]
    assert proofs["de"] < 0.05 / 4 < 0.05 / 3 < proofs["pt"]
    answers = {part.group: part.answer for part in decision.parts}
    assert answers == {
        "country=de": Answer.PROVEN,
        "country=es": Answer.OPEN,
        "country=fr": Answer.PROVEN,
        "country=it": Answer.REFUTED,
        "country=pt": Answer.PROVEN,
    }
    levels = {part.group: part.claim.delta for part in decision.parts if part.claim}
    assert levels == pytest.approx({**dict.fromkeys(answers, 0.05), "country=it": 0.05 / 5})
    assert decision.hold_together == ("error-rate at most 0.05, country=de", "error-rate at most 0.05, country=fr")
    told = " ".join(str(decision).split())
    assert "not both together): error-rate at most 0.05, country=de; error-rate at most 0.05, country=fr." in told
    assert "The groups are those that occur in these rows" in told
    assert decision.answer is Answer.REFUTED
    assert decision.needed is None
    open_one = next(part for part in decision.parts if part.answer is Answer.OPEN)
    assert open_one.needed == hf.plan(at_most=0.05, expect=17 / 400, delta=0.05).n - 400


def test_the_family_is_every_condition_in_every_group() -> None:
    groups = {"half": np.arange(1000) % 2}
    asked = [{"at_most": 0.05}, {"measure": "recall", "label": "fraud", "at_least": 0.97}]
    decision = gate(TRUTH, PREDICTED, conditions=asked, groups=groups)
    leaves = list(decision.leaves())
    assert [leaf.claim.delta for leaf in leaves if leaf.claim] == [0.05] * 4
    assert [leaf.other.delta for leaf in leaves if leaf.other] == [0.05 / 4] * 4
    assert decision.hold_together == ("error-rate at most 0.05, half=0", "error-rate at most 0.05, half=1")
    validate(json.loads(decision.to_json()), SHAPE)


def test_groups_of_a_class_crossed_and_in_sequence() -> None:
    names, kinds = np.arange(1000) % 2, np.arange(1000) % 4 < 2
    crossed = {"half": names, "kind": kinds}
    asked: dict[str, Any] = {"measure": "recall", "label": "fraud", "at_least": 0.5}
    decision = gate(TRUTH, PREDICTED, groups=crossed, **asked, sequential=True)
    assert len(decision.parts) == 4
    for part in decision.parts:
        assert part.claim is not None
        assert part.claim.method == "beta-binomial"
        assert part.condition.startswith("recall of fraud at least 0.5, half=")
    whole = gate(TRUTH, PREDICTED, **asked, groups={"all": ["x"] * 1000})
    alone = gate(TRUTH, PREDICTED, **asked)
    assert whole.parts[0].claim is not None
    assert alone.claim is not None
    assert whole.parts[0].claim.lower == pytest.approx(alone.claim.lower)
    f1 = gate(TRUTH, PREDICTED, measure="f1", label="fraud", at_least=0.7, groups={"all": ["x"] * 1000})
    assert f1.answer is gate(TRUTH, PREDICTED, measure="f1", label="fraud", at_least=0.7).answer is Answer.PROVEN


def test_groups_by_f1_are_tested_on_its_own_scale() -> None:
    # An F1 of 1/2 is a share of 1/3. 17 of 30 shared are enough at a third of delta, 15 of 30 only at delta.
    assert binom.sf(16, 30, 1 / 3) < 0.05 / 3 < 0.025 < binom.sf(14, 30, 1 / 3) < 0.05
    truth, predicted, names = [], [], []
    for name, shared in (("a", 17), ("b", 15), ("c", 10)):
        truth += ["yes"] * 30 + ["no"] * 10
        predicted += ["yes"] * shared + ["no"] * (40 - shared)
        names += [name] * 40
    decision = gate(truth, predicted, measure="f1", label="yes", at_least=0.5, groups={"g": names})
    assert [part.answer for part in decision.parts] == [Answer.PROVEN, Answer.PROVEN, Answer.OPEN]
    assert decision.hold_together == ("f1 of yes at least 0.5, g=a",)


def test_groups_without_an_example_of_the_class_are_open() -> None:
    names = ["with"] * 100 + ["without"] * 900
    decision = gate(TRUTH, PREDICTED, measure="recall", label="fraud", at_least=0.5, groups={"part": names})
    assert [part.answer for part in decision.parts] == [Answer.PROVEN, Answer.OPEN]
    assert decision.answer is Answer.OPEN
    assert decision.needed is None  # nobody can tell how rare they are


@pytest.mark.parametrize(("asked", "answer"), [({"at_most": 0.0}, "refuted"), ({"at_most": 1.0}, "proven")])
def test_groups_and_a_limit_at_the_end(asked: dict[str, Any], answer: str) -> None:
    right = [False] + [True] * 19
    decision = gate(correct=right, groups={"half": ["a"] * 10 + ["b"] * 10}, **asked)
    assert decision.parts[0].answer == decision.answer == answer
    if answer == "refuted":
        assert decision.parts[1].answer is Answer.OPEN


def test_very_many_groups_are_told_by_the_worst() -> None:
    rows = np.arange(6000)
    right = rows % 6 != 0  # in group 0 all are wrong, elsewhere none
    decision = gate(correct=right | (rows >= 600), groups={"g": np.where(right, rows // 6 + 1, 0)}, at_most=0.5)
    assert len(decision.parts) == 1000
    assert [part.group for part in decision.parts if part.answer is Answer.REFUTED] == []
    wrong = gate(correct=right, groups={"g": np.where(right, rows // 4 + 1, 0)}, at_most=0.5)
    assert [part.group for part in wrong.parts if part.answer is Answer.REFUTED] == ["g=0"]
    assert len(wrong.parts) == 1000
    assert "Of 1,501 groups it is proven in 0 and refuted in 1" in wrong.notes[0]


# ---- How many more


@pytest.mark.parametrize(
    ("counts", "asked", "expected"),
    [
        (Counts(4, 100), {"at_most": 0.05}, {"at_most": 0.05, "expect": 0.04}),
        (Counts(8, 100), {"at_most": 0.05}, {"at_most": 0.95, "expect": 0.92}),
        (Counts(0, 20), {"at_most": 0.05}, {"at_most": 0.05, "expect": 0.0}),
        (Counts(60, 100), {"at_least": 0.55}, {"at_most": 0.45, "expect": 0.4}),
        (Counts(50, 100), {"at_least": 0.55}, {"at_most": 0.55, "expect": 0.5}),
    ],
)
def test_more_examples_come_from_the_plan(counts: Counts, asked: dict[str, Any], expected: dict[str, Any]) -> None:
    decision = gate(counts, **asked)
    assert decision.answer is Answer.OPEN
    assert decision.needed == hf.plan(**expected).n - counts.n
    looked = gate(counts, **asked, looks=10)
    assert looked.needed == hf.plan(**expected, delta=0.005).n - counts.n


def test_more_examples_would_probably_do() -> None:
    rate = 0.08
    decision = gate(Counts(8, 100), at_most=0.05)
    assert decision.needed is not None
    n = 100 + decision.needed
    _, refuted = outcomes(Condition.checked(at_most=0.05), n, 0.05)
    assert binom.pmf(np.arange(n + 1), n, rate)[refuted].sum() >= 0.9
    short = n - 60
    _, refuted = outcomes(Condition.checked(at_most=0.05), short, 0.05)
    assert binom.pmf(np.arange(short + 1), short, rate)[refuted].sum() < 0.9


def test_a_sequence_needs_more() -> None:
    plain, sequential = gate(Counts(4, 100), at_most=0.05), gate(Counts(4, 100), at_most=0.05, sequential=True)
    assert plain.needed is not None
    assert sequential.needed is not None
    assert plain.needed < sequential.needed
    n = 100 + sequential.needed
    proven, _ = outcomes(Condition.checked(at_most=0.05), n, 0.05, "beta-binomial")
    assert binom.pmf(np.arange(n + 1), n, 0.04)[proven].sum() >= 0.9


@pytest.mark.long
def test_far_away_the_normal_answer_will_do() -> None:
    decision = gate(Counts(480, 10_000), at_most=0.05)
    assert decision.needed is not None
    assert decision.needed + 10_000 == pytest.approx(hf.plan(at_most=0.05, expect=0.048).n, rel=0.02)


def test_what_no_number_of_examples_settles() -> None:
    for counts, asked, note in (
        (Counts(5, 100), {"at_most": 0.05}, TOO_NEAR),
        (Counts(5, 100), {"at_least": 0.05}, TOO_NEAR),
        (Counts(49_999, 1_000_000), {"at_most": 0.05}, TOO_NEAR),
        (Counts(0, 100), {"at_most": 0.0}, NEVER),
        (Counts(100, 100), {"at_least": 1.0}, NEVER),
    ):
        decision = gate(counts, **asked)
        assert (decision.answer, decision.needed) == (Answer.OPEN, None)
        assert note in decision.notes


def test_a_measure_of_some_rows_needs_many_more_of_all() -> None:
    decision = gate(TRUTH, PREDICTED, measure="recall", label="fraud", at_least=0.9)
    own = hf.plan(at_most=0.1, expect=0.06).n - 50
    assert decision.needed == own * 20  # one row in twenty is of the class
    assert f"about {own} more of that kind" in decision.notes[0]
    unseen = gate(["fine"] * 20 + ["fraud"], ["fine"] * 21, measure="precision", label="fraud", at_least=0.9)
    assert unseen.needed is None
    assert "it takes at least 29 of them" in unseen.notes[0]


def test_f1_is_planned_on_its_own_scale() -> None:
    decision = gate(TRUTH, PREDICTED, measure="f1", label="fraud", at_least=0.85)
    assert decision.answer is Answer.OPEN
    share, limit = 47 / 60, 0.85 / 1.15
    own = hf.plan(at_most=1 - limit, expect=1 - share).n - 60
    assert decision.needed == -(-own * 1000 // 60)


@pytest.mark.parametrize("side", [1, -1])
def test_what_is_extrapolated_does(side: int) -> None:
    values = np.random.default_rng(8).beta(2, 8, 100)
    limit = float(values.mean()) + side * 0.012
    decision = gate(Losses(values), at_most=limit)
    assert (decision.answer, decision.claim and decision.claim.method) == (Answer.OPEN, "squares")
    assert decision.needed is not None
    times = 1 + -(-decision.needed // 100)
    assert 3 < times < 40
    wanted = Answer.PROVEN if side > 0 else Answer.REFUTED
    assert gate(Losses(np.tile(values, times)), at_most=limit).answer is wanted


@pytest.mark.parametrize(("limit", "side"), [(0.06, "upper"), (0.02, "lower")])
def test_what_is_extrapolated_goes_by_the_limit_that_must_move(limit: float, side: Any) -> None:
    sample = Losses(np.repeat([0.0, 0.5], [92, 8]))  # their mean is 0.04, and the limits lie askew about it
    claim = hf.bound(sample, side=side)
    slack = claim.upper - 0.04 if side == "upper" else 0.04 - claim.lower
    times = (slack / 0.02 * (1 + norm.isf(0.1) / norm.isf(0.05))) ** 2
    assert gate(sample, at_most=limit).needed == pytest.approx(100 * times - 100, abs=1.01)


# ---- Clusters, costs and whatever else an assessment takes


def test_a_gate_decides_on_the_average_cluster_and_says_so() -> None:
    sizes = np.tile([1, 1, 1, 7], 100)
    clusters = np.repeat(np.arange(400), sizes)
    correct = ~np.isin(clusters, np.arange(3, 400, 20))  # twenty large clusters are wrong throughout
    decision = gate(correct=correct, clusters=clusters, at_most=0.11)
    assert decision.answer is Answer.PROVEN
    assert decision.claim is not None
    assert decision.claim.estimate == 20 / 400
    assert (decision.to_dict()["claim"]["per"], decision.claim.guarantee) == ("cluster", Guarantee.FINITE)
    told = " ".join(str(decision).split())
    assert "with 95 % confidence the error rate of the average cluster is at most" in told
    capped = gate(correct=correct, clusters=clusters, max_cluster=7, at_most=0.11)
    assert capped.claim is not None
    assert (capped.claim.per, capped.claim.estimate) == ("row", 140 / 1000)
    assert not capped
    two = gate(
        correct=correct,
        clusters=clusters,
        conditions=[{"measure": "error-rate", "at_most": 0.11}, {"measure": "accuracy", "at_least": 0.8}],
    )
    assert "error-rate at most 0.11, per cluster" in str(two)
    with pytest.raises(UnfitMethod, match="bca would not decide: a gate goes by the error-rate of the average cluster"):
        gate(correct=correct, clusters=clusters, at_most=0.11, method="bca")


def test_clusters_are_what_counts() -> None:
    clusters = np.arange(1000) // 10
    decision = gate(TRUTH, PREDICTED, clusters=clusters, max_cluster=10, at_most=0.015)
    assert (decision.answer, decision.claim and decision.claim.n) == (Answer.OPEN, 100)
    assert decision.needed is not None
    assert decision.needed % 10 == 0
    assert f"It would take about {decision.needed // 10:,} more clusters" in decision.notes[0]
    told = str(decision)
    assert "on 100 clusters; the" in " ".join(told.split())
    read = gate(hf.Predictions.from_arrays(TRUTH, PREDICTED, clusters=clusters), max_cluster=10, at_most=0.015)
    assert read.needed == decision.needed


def test_costs_and_prevalences() -> None:
    costs = hf.Costs([[0, 1], [10, 0]], ["fraud", "fine"], rows="predicted")
    assert gate(TRUTH, PREDICTED, measure="expected-cost", costs=costs, at_most=0.5).answer is Answer.PROVEN
    stated: dict[str, Any] = {"sampling": "by-class", "prevalence": {"fraud": 0.5, "fine": 0.5}}
    balanced = gate(TRUTH, PREDICTED, measure="accuracy", at_least=0.98, **stated)
    assert balanced.claim is not None
    assert balanced.claim.estimate == pytest.approx((47 / 50 + 940 / 950) / 2)
    with pytest.raises(TypeError, match="max_clusters"):
        gate(TRUTH, PREDICTED, at_most=0.5, max_clusters=10)


# ---- Measures, labels, methods, provenance


@pytest.mark.crossing(4)
@pytest.mark.parametrize("entry", PLAIN, ids=lambda entry: entry.name)
def test_every_measure_can_be_asked_for(entry: hf.Measure) -> None:
    low, high = entry.range
    report = hf.assess(TRUTH, PREDICTED, SCORES, positive="fraud", only=entry.name)
    estimate = report[entry.name].estimate
    assert isinstance(estimate, float)
    options: dict[str, Any] = {"measure": entry.name, "positive": "fraud"}
    easy = gate(TRUTH, PREDICTED, SCORES, at_most=estimate + 0.9 * (high - estimate), **options)
    hard = gate(TRUTH, PREDICTED, SCORES, at_least=estimate + 0.9 * (high - estimate), **options)
    guarantee = report[entry.name].guarantee
    words = {
        Guarantee.FINITE: (Answer.PROVEN, Answer.REFUTED),
        Guarantee.ASYMPTOTIC: (Answer.SUPPORTED, Answer.CONTRADICTED),
    }.get(guarantee, (Answer.OPEN, Answer.OPEN))
    assert easy.answer in (words[0], Answer.OPEN)
    assert hard.answer in (words[1], Answer.OPEN)
    assert (easy.answer is Answer.OPEN) == (hard.answer is Answer.OPEN)
    validate(json.loads(easy.to_json()), SHAPE)
    assert (easy.caution is None) == (guarantee is Guarantee.FINITE)
    assert guarantee.sentence in (easy.caution or guarantee.sentence)
    assert low <= easy.claim.lower <= easy.claim.upper <= high


def test_the_limits_are_the_ones_of_the_report() -> None:
    for side, asked in (("upper", {"at_most": 0.05}), ("lower", {"at_least": 0.01})):
        assert side in SIDES
        claim = gate(TRUTH, PREDICTED, **asked).claim
        told = hf.assess(TRUTH, PREDICTED, side=side)["error-rate"]
        assert claim is not None
        assert (claim.lower, claim.upper, claim.side) == (told.lower, told.upper, told.side)


def test_the_claim_is_the_one_that_decides() -> None:
    proven, refuted, undecided = (gate(Counts(k, 200), at_most=0.05) for k in (3, 30, 9))
    assert [d.answer for d in (proven, refuted, undecided)] == [Answer.PROVEN, Answer.REFUTED, Answer.OPEN]
    sides = [(d.claim.side, d.other.side) for d in (proven, refuted, undecided) if d.claim and d.other]
    assert sides == [("upper", "lower"), ("lower", "upper"), ("upper", "lower")]


def test_the_class_asked_about() -> None:
    named = gate(TRUTH, PREDICTED, measure="recall", label="fraud", at_least=0.8)
    positive = gate(TRUTH, PREDICTED, measure="recall", positive="fraud", at_least=0.8)
    assert named.label == positive.label == "fraud"
    assert named.condition == positive.condition == "recall of fraud at least 0.8"
    numbers = gate([1, 0, 1, 0] * 20, [1, 0, 1, 0] * 20, measure="recall", at_least=0.8)
    assert (numbers.label, numbers.answer) == ("1", Answer.PROVEN)
    spelled = gate([1, 0, 1, 0] * 20, [1, 0, 1, 0] * 20, measure="recall", label=1.0, at_least=0.8)
    assert spelled.label == "1"


def test_one_of_very_many_classes() -> None:
    labels = [f"c{i}" for i in range(300)] * 3
    decision = gate(labels, labels, measure="recall", label="c250", at_least=0.2)
    assert (decision.label, decision.answer) == ("c250", Answer.PROVEN)


@pytest.mark.parametrize(("errors", "answer", "code"), [(0, Answer.SUPPORTED, 0), (25, Answer.CONTRADICTED, 1)])
def test_what_holds_for_large_n_decides_where_that_is_accepted(errors: int, answer: Answer, code: int) -> None:
    alone, accepted = (
        gate(Counts(errors, 50), at_most=0.06, method="wilson", accept=accept) for accept in (None, "large-n")
    )
    assert alone.claim is not None
    assert alone.claim.method == "wilson"
    assert (alone.answer, alone.exit_code, bool(alone)) == (answer, 3, False)
    assert (accepted.answer, accepted.exit_code, bool(accepted)) == (answer, code, code == 0)
    told = " ".join(str(alone).split())
    assert told.startswith(f"{answer}: with 95 % confidence the error rate is at ")
    assert 'wilson holds only as the sample grows, so that it decides only where accept="large-n" says so' in told
    assert "wilson holds only as the sample grows, which was accepted: the answer may be" in " ".join(
        str(accepted).split()
    )
    for decision in (alone, accepted):
        validate(json.loads(decision.to_json()), SHAPE)
    in_groups = gate(
        correct=np.arange(100) % 50 >= errors,
        groups={"g": np.arange(100) // 50},
        at_most=0.06,
        method="wilson",
        accept="large-n",
    )
    assert (in_groups.answer, in_groups.exit_code) == (answer, code)


@pytest.mark.parametrize("limit", [0.05, 0.9])
def test_what_comes_without_proof_never_decides(limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def unproven(*given: Any, **asked: Any) -> Claim:
        return replace(hf.bound(*given, **asked), guarantee=Guarantee.HEURISTIC)

    monkeypatch.setattr("holdfast.verbs.gate.gate.bound", unproven)
    decision = gate(Counts(30, 100), at_most=limit, accept="large-n")
    assert (decision.answer, decision.exit_code, decision.needed) == (Answer.OPEN, 3, None)
    assert "clopper-pearson comes without proof, so that it decides nothing." in " ".join(str(decision).split())


def test_a_whole_is_as_firm_as_its_weakest_part() -> None:
    asked = [{"at_most": 0.05}, {"measure": "weighted-f1", "at_least": 0.5}, {"measure": "accuracy", "at_least": 0.9}]
    alone, accepted = (gate(TRUTH, PREDICTED, conditions=asked, accept=accept) for accept in (None, "large-n"))
    assert [part.answer for part in alone.parts] == [Answer.PROVEN, Answer.SUPPORTED, Answer.PROVEN]
    assert (alone.answer, alone.exit_code) == (Answer.SUPPORTED, 3)
    assert (accepted.answer, accepted.exit_code) == (Answer.SUPPORTED, 0)
    assert alone.hold_together == ("error-rate at most 0.05", "accuracy at least 0.9")
    told = " ".join(str(alone).split())
    soft = alone.parts[1].claim
    assert soft is not None
    assert f"weighted-f1 at least 0.5 {soft.method} large n" in told
    assert "accuracy at least 0.9 clopper-pearson every n" in told
    contrary = gate(TRUTH, PREDICTED, conditions=[{"at_most": 0.05}, {"measure": "weighted-f1", "at_most": 0.5}])
    assert (contrary.answer, contrary.exit_code) == (Answer.CONTRADICTED, 3)
    refuted = gate(TRUTH, PREDICTED, conditions=[{"at_most": 0.001}, {"measure": "weighted-f1", "at_most": 0.5}])
    assert (refuted.answer, refuted.exit_code) == (Answer.REFUTED, 1)


def test_predictions_from_hf_read() -> None:
    import polars as pl

    frame = pl.DataFrame({"truth": TRUTH, "predicted": PREDICTED, "land": ["a", "b"] * 500})
    whole = gate(hf.read(frame), at_most=0.05)
    assert whole.provenance["rows"] == 1000
    assert whole.provenance["fingerprint"] == hf.assess(TRUTH, PREDICTED).provenance["fingerprint"]
    assert [part.group for part in gate(hf.read(frame, by="land"), at_most=0.05).parts] == ["land=a", "land=b"]


def test_provenance_and_notes() -> None:
    plain, ten, sequence = (
        gate(TRUTH, PREDICTED, at_most=0.05, **looking) for looking in ({}, {"looks": 10}, {"sequential": True})
    )
    assert plain.provenance["command"] == "holdfast.gate(error-rate at most 0.05)"
    assert ten.provenance["looks"] == 10
    assert sequence.provenance["sequential"] is True
    assert addressed(LOOK_AGAIN) in plain.notes
    assert addressed(LOOK_AGAIN) not in (*ten.notes, *sequence.notes)
    assert any("at most 10 looks" in note for note in ten.notes)
    for decision in (plain, ten, sequence):
        validate(json.loads(decision.to_json()), SHAPE)
    dropped = gate(["a", None, "b"], ["a", "b", "b"], at_most=0.9, missing="drop")
    assert any("1 row" in note for note in dropped.notes)


def test_a_limit_that_asks_nothing_is_told_of() -> None:
    decision = gate(Counts(3, 10), at_most=1.0)
    assert decision.answer is Answer.PROVEN
    assert "whatever the data" in decision.notes[0]


def test_nothing_known() -> None:
    decision = gate(Counts(0, 0), at_most=0.05)
    assert (decision.answer, decision.needed) == (Answer.OPEN, None)
    assert "it takes at least 59 of them" in decision.notes[0]


def test_exit_codes() -> None:
    assert [answer.exit_code for answer in Answer] == [0, 3, 1, 3, 3, 3]
    assert [Decision(answer, "x", accept="large-n").exit_code for answer in Answer] == [0, 0, 1, 1, 3, 3]


# ---- Refusals


def test_every_refusal_says_what_to_do() -> None:
    def ask(*data: Any, **asked: Any) -> Callable[[], Decision]:
        return lambda: gate(*(data or (TRUTH, PREDICTED)), **asked)

    several = [{"measure": "recall", "label": "fraud", "at_least": 0.9}, {"measure": "error-rate", "at_mst": 0.1}]
    calls = {
        "no limit": ask(),
        "both limits": ask(at_most=0.1, at_least=0.05),
        "unknown measure": ask(measure="eror-rate", at_most=0.1),
        "unknown label": ask(measure="recall", label="fruad", at_least=0.9),
        "no label": ask(measure="recall", at_least=0.9),
        "a label for all": ask(label="fraud", at_most=0.1),
        "a limit in percent": ask(at_most=5),
        "a limit below": ask(at_least=-0.1),
        "a limit of mcc": ask(measure="mcc", at_least=-1.5),
        "a limit that is no number": ask(at_most=float("nan")),
        "a limit in words": ask(at_most="0.05"),
        "two limits in one": ask(at_most=[0.1, 0.2]),
        "no looks": ask(at_most=0.1, looks=0),
        "half a look": ask(at_most=0.1, looks=2.5),
        "looks and sequence": ask(at_most=0.1, looks=3, sequential=True),
        "a sequence of no counts": ask(measure="mcc", at_least=0.5, sequential=True),
        "a sequence of losses": ask(Losses([0.1, 0.2]), at_most=0.5, sequential=True),
        "a sequence by another method": ask(at_most=0.5, sequential=True, method="wilson"),
        "scores that are not there": ask(measure="auc", at_least=0.9),
        "a method for something else": ask(measure="recall", label="fraud", at_least=0.9, method="delong"),
        "something else to accept": ask(at_most=0.5, accept="largen"),
        "no conditions": ask(conditions=[]),
        "a path": ask(conditions="gate.toml"),
        "conditions and a limit": ask(conditions=several, at_most=0.5),
        "a wrong key": ask(conditions=several),
        "no mapping": ask(conditions=["error-rate"]),
        "several confidences": ask(at_most=0.5, delta=[0.1, 0.2]),
        "many samples": ask(Counts([1, 2], 10), at_most=0.5),
        "recall of counts": ask(Counts(1, 10), measure="recall", at_most=0.5),
        "losses out of range": ask(Losses([1.0, 2.0], 0, 10), at_most=11),
        "mean loss of labels": ask(measure="mean-loss", at_most=0.5),
        "columns beside counts": ask(Counts(1, 10), PREDICTED, at_most=0.5),
        "columns beside rows": ask(hf.Predictions.from_arrays(TRUTH, PREDICTED), PREDICTED, at_most=0.5),
        "groups without a label": ask(measure="recall", at_least=0.5, groups={"g": TRUTH}),
        "groups of an unknown label": ask(measure="recall", label="x", at_least=0.5, groups={"g": TRUTH}),
        "groups by class": ask(at_most=0.5, groups={"g": TRUTH}, sampling="by-class"),
        "a sequence of clusters": ask(at_most=0.5, clusters=TRUTH, sequential=True),
        "a sequence of weights": ask(at_most=0.5, weights=np.ones(1000), sequential=True),
    }
    matches("errors_of_gate", messages(calls))


JUNK = [None, "x", {}, object(), 10**400, 1j]


@pytest.mark.parametrize(
    ("name", "junk"),
    [(name, junk) for name in ("at_most", "looks", "measure", "conditions") for junk in JUNK],
)
def test_no_other_exception_for_strange_arguments(name: str, junk: Any) -> None:
    asked = {} if name == "conditions" else {"at_most": 0.5}
    with pytest.raises(HoldfastError):
        gate(Counts(3, 10), **{**asked, name: junk})


def test_numpy_counts_looks_too() -> None:
    decision = gate(Counts(3, 200), at_most=0.05, looks=np.int64(3))
    assert json.loads(decision.to_json())["provenance"]["looks"] == 3


def test_limits_are_told_as_they_were_given() -> None:
    assert str(gate(Counts(3, 200), at_most=-0.0).condition) == "error-rate at most 0"
    with pytest.raises(HoldfastError, match=r"a limit of 1\.0000001 says nothing"):
        gate(Counts(3, 200), at_most=1.0000001)


def test_a_long_condition_makes_no_long_message() -> None:
    with pytest.raises(HoldfastError) as told:
        gate(Counts(3, 200), conditions=["y" * 5000])
    assert len(str(told.value)) <= 600


def test_costs_bound_their_limit_and_must_be_asked_about() -> None:
    costs = hf.Costs([[0, 1], [5, 0]], ["a", "b"], rows="predicted")
    truth, predicted = [*"ab" * 20], [*"ab" * 20]
    assert hf.gate(truth, predicted, measure="expected-cost", at_most=5, costs=costs)
    with pytest.raises(hf.HoldfastError, match="expected-cost lies between 0 and 5; a limit of 7 says nothing"):
        hf.gate(truth, predicted, measure="expected-cost", at_most=7, costs=costs)
    with pytest.raises(hf.HoldfastError, match="not asked about; leave them out"):
        hf.gate(truth, predicted, at_most=0.2, costs=costs)


def test_the_rows_are_counted_once_for_all_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, planned = [], []
    count = assessment.tally
    monkeypatch.setattr(assessment, "tally", lambda *given, **named: counted.append(1) or count(*given, **named))
    settling = decide.settling
    monkeypatch.setattr(decide, "settling", lambda *given: planned.append(given[-1]) or settling(*given))
    monkeypatch.setattr(decide, "MOST_PLANNED", 5)
    truth = np.arange(400) % 2
    predicted = np.where(np.arange(400) % 11 == 0, 1 - truth, truth)
    conditions = [{"measure": "error-rate", "at_most": 0.05 + 0.01 * i} for i in range(10)]
    hf.gate(truth, predicted, conditions=conditions)
    assert len(counted) == 1
    assert planned
    assert not any(planned)  # of so many, what each still needs is not enumerated
    planned.clear()
    hf.gate(truth, predicted, conditions=conditions[3:8])
    assert all(planned)
    counted.clear()
    hf.gate(truth, predicted, conditions=conditions, clusters=np.arange(400) // 4)
    assert len(counted) == 1
