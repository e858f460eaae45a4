"""What is inferred holds for all targets together, and says when it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.bounds.binomial import hypergeometric
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions.design import Design
from holdfast.selection.cores.committee import vote
from holdfast.selection.cores.cores import choose_cores
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from holdfast.verbs.panel.infer import core_limits, infer

Table = np.ndarray[Any, Any]


def answers(
    random: np.random.Generator, models: int, inputs: int, alike: float, labels: int = 2
) -> tuple[Table, Table]:
    """A truth, and models that err at 0.2, mostly on the same inputs where they are alike."""
    truth = random.integers(0, labels, inputs)
    luck = np.where(random.random((models, inputs)) < alike, random.random(inputs), random.random((models, inputs)))
    said = np.where(luck < 0.2, (truth + random.integers(1, labels, (models, inputs))) % labels, truth)
    return truth, said


def split(truth: Table, said: Table, labelled: int) -> tuple[Any, dict[str, Table], Table]:
    names = [f"m{place}" for place in range(len(said))]
    panel = panel_of_arrays(truth[:labelled], dict(zip(names, said[:, :labelled], strict=True)))
    return panel, dict(zip(names, said[:, labelled:], strict=True)), truth[labelled:]


@pytest.mark.long
@pytest.mark.parametrize("alike", [0.0, 0.9])
def test_limits_of_all_cores_hold_together(alike: float) -> None:
    """Without the union over cores, independent ones would miss most of the time."""
    random, repeats, delta, misses = np.random.default_rng(6), 250, 0.3, 0
    names = tuple("abcd")
    truth, said = answers(random, 4, 2000, alike)
    chosen = choose_cores(4, training=said)
    for _ in range(repeats):
        order = random.permutation(2000)
        here, there = order[:1000], order[1000:]
        wrong = said != truth
        panel = Panel(names, wrong[:, here])
        lower, upper = core_limits(panel, chosen, Unlabelled(names, ("0", "1"), said[:, there]), delta)
        rates = wrong[:, there].mean(axis=1)
        misses += bool(np.any((rates < lower) | (rates > upper)))
    assert 0 < misses <= delta * repeats + 4.9 * np.sqrt(delta * (1 - delta) * repeats)


@pytest.mark.long
@pytest.mark.parametrize("alike", [0.2, 0.9])
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("labels", [2, 3])
def test_the_vote_is_where_it_was_said_to_be(alike: float, average: bool, labels: int) -> None:
    random, repeats, misses = np.random.default_rng(7), 12, 0
    for _ in range(repeats):
        truth, said = answers(random, 6, 240, alike, labels)
        panel, rest, hidden = split(truth, said, 120)
        chosen = choose_cores(3, validation=said[:, :120], unlabelled=said[:, 120:], average=average)
        target = vote(said[:, 120:], labels)
        claim = infer(target, panel, rest, choose=chosen, delta=0.1)
        misses += not claim.lower <= np.mean(target != hidden) <= claim.upper
        assert claim.guarantee is Guarantee.FINITE
    assert misses <= 8  # more have a chance below 1e-6


def test_each_core_has_the_hypergeometric_limits_at_its_part_of_delta() -> None:
    truth, said = answers(np.random.default_rng(8), 3, 300, 0.5)
    panel, rest, _ = split(truth, said, 100)
    there = unlabelled_of_arrays(panel, rest)
    lower, upper = core_limits(panel, choose_cores(3, training=said), there, 0.06)
    expected = hypergeometric(panel.errors, 0.02, unlabelled=200)
    assert np.array_equal(lower, expected.lower)
    assert np.array_equal(upper, expected.upper)


def test_the_programme_is_within_what_the_nearest_core_says() -> None:
    truth, said = answers(np.random.default_rng(9), 5, 600, 0.5)
    panel, rest, _ = split(truth, said, 300)
    target = vote(said[:, 300:], 2)
    wide, narrow = (infer(target, panel, rest, method=method) for method in ("nearest", "programme"))
    assert wide.lower <= narrow.lower <= narrow.upper < wide.upper
    assert (wide.method, narrow.method) == ("nearest-core", "core-programme")


def test_several_targets_by_row_or_by_name_are_what_each_is_alone() -> None:
    truth, said = answers(np.random.default_rng(10), 4, 200, 0.8)
    panel, rest, _ = split(truth, said[:2], 100)
    targets = said[2:, 100:]
    both = infer(targets, panel, rest)
    named = infer({"x": targets[0], "y": targets[1]}, panel, rest)
    alone = [infer(row, panel, [*rest.values()]) for row in targets]
    assert np.array_equal(both.upper, named.upper)
    assert [each.upper for each in alone] == pytest.approx(both.upper.tolist(), rel=1e-13)  # type: ignore[union-attr]
    assert [each.lower for each in alone] == pytest.approx(both.lower.tolist(), rel=1e-13)  # type: ignore[union-attr]
    assert alone[0].estimate is None


def test_one_side_leaves_the_other_open() -> None:
    truth, said = answers(np.random.default_rng(11), 3, 200, 0.8)
    panel, rest, _ = split(truth, said, 100)
    target, both = said[0, 100:], infer(said[0, 100:], panel, rest)
    upper, lower = infer(target, panel, rest, side="upper"), infer(target, panel, rest, side="lower")
    assert (upper.lower, upper.upper) == (0.0, both.upper)
    assert (lower.lower, lower.upper) == (both.lower, 1.0)
    assert (
        infer(target, panel, rest, side="upper", method="nearest").upper
        <= infer(target, panel, rest, method="nearest").upper
    )


def test_cores_chosen_without_proof_make_claims_without_proof() -> None:
    truth, said = answers(np.random.default_rng(12), 6, 200, 0.8)
    panel, rest, _ = split(truth, said, 100)
    chosen = choose_cores(2, unlabelled=said[:, 100:], unproven=True)
    claim = infer(said[0, 100:], panel, rest, choose=chosen)
    assert claim.guarantee is Guarantee.HEURISTIC
    proven = infer(said[0, 100:], panel, rest, choose=2)
    assert proven.guarantee is Guarantee.FINITE
    assert Assumption.FIXED_CORES in proven.assumes
    assert Assumption.TWO_LABELS in proven.assumes


def test_inputs_of_another_population_are_found_infeasible() -> None:
    random = np.random.default_rng(13)
    truth, said = answers(random, 2, 1000, 1.0)
    said[1] = said[0]
    panel, rest, _ = split(truth, said, 500)
    rest["m1"] = 1 - rest["m0"]
    with pytest.raises(HoldfastError, match="infeasible"):
        infer(rest["m0"], panel, rest)


def test_what_was_read_serves_as_well_as_arrays() -> None:
    truth, said = answers(np.random.default_rng(14), 3, 200, 0.8, labels=4)
    panel, rest, _ = split(truth, said, 100)
    there = unlabelled_of_arrays(panel, rest, said[0, 100:])
    from_arrays, from_file = infer(said[0, 100:], panel, rest), infer(None, panel, there)
    assert (from_arrays.lower, from_arrays.upper) == (from_file.lower, from_file.upper)


def test_what_cannot_be_is_said() -> None:
    truth, said = answers(np.random.default_rng(15), 3, 200, 0.8)
    panel, rest, _ = split(truth, said, 100)
    target: Any = said[0, 100:]
    with pytest.raises(HoldfastError, match="cores= takes"):
        infer(target, said, rest)  # type: ignore[arg-type]
    with pytest.raises(HoldfastError, match="method of inference"):
        infer(target, panel, rest, method="guess")  # type: ignore[arg-type]
    with pytest.raises(HoldfastError, match="side"):
        infer(target, panel, rest, side="left")  # type: ignore[arg-type]
    with pytest.raises(HoldfastError, match="among 4 models"):
        infer(target, panel, rest, choose=choose_cores(2, training=np.eye(4, dtype=int)))
    with pytest.raises(HoldfastError, match="needs the predictions of the target"):
        infer(None, panel, rest)
    averages = choose_cores(1, training=said, average=True)
    with pytest.raises(HoldfastError, match="cores that are models"):
        infer(target, panel, rest, choose=averages, method="nearest")
    clustered = panel_of_arrays(
        truth[:100], {"a": said[0, :100], "b": said[1, :100]}, design=Design(clusters=np.arange(100) // 2)
    )
    with pytest.raises(HoldfastError, match="clusters"):
        infer(target, clustered, {"a": said[0, 100:], "b": said[1, 100:]})
    with pytest.raises(HoldfastError, match="holds no classifiers"):
        infer({}, panel, rest)


def test_rows_of_targets_of_different_lengths_are_refused_in_words() -> None:
    panel, rest, _ = split(*answers(np.random.default_rng(0), 3, 60, 0.5), labelled=50)
    for given in ([[0] * 10, [1] * 9], {"one": [0] * 10, "other": [1] * 9}):
        with pytest.raises(HoldfastError, match="target has 9"):
            infer(given, panel, rest)
    both = infer([[0] * 10, [1] * 10], panel, rest)
    assert np.shape(both.upper) == (2,)
    assert infer([0] * 10, panel, rest).upper == both.upper[0]
