"""The study of Zaki and Meira's section 22.3: its page is as committed, agrees with the reference, and can err."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold
from studies.checks import Check, Status
from studies.pages import Page, read_checks
from studies.runs import SHIPPED, Run
from studies.zaki_ensembles import study
from studies.zaki_ensembles.algorithm import Stumps, after_one_round, as_printed, possible_rounds
from studies.zaki_ensembles.conics import ANGLES, FRAME, agree_at_the_centre, curve, distances, line, regions, voted
from studies.zaki_ensembles.counts import Second, boosting_checks, consistent, points, rows, seconds, thirds, vote
from studies.zaki_ensembles.iris import (
    Flowers,
    Iris,
    _seed,
    best_line,
    boosting,
    bootstrapped,
    crossed,
    linear,
    quadratic,
    samples,
)
from studies.zaki_ensembles.printed import ALPHAS, COMBINED, EPSILONS, N
from studies.zaki_ensembles.redrawn import REDRAWN, bagged_checks, effect_checks, seen
from studies.zaki_ensembles.theory import World

from tests.studies.committed import ROOT, committed, reference, told

pytestmark = pytest.mark.long  # a fast version of the whole study


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True))


@pytest.fixture(scope="module")
def iris() -> Iris:
    return Iris.read(SHIPPED / "iris.csv")


@pytest.fixture(scope="module")
def facts() -> dict[tuple[str, str], dict[str, str]]:
    return reference("004")


def said(page: Page, place: str, part: str) -> Check:
    return next(check for check in page.checks if check.place == place and part in f"{check.what} {check.printed}")


# The page


def test_the_committed_page_says_the_same(page: Page) -> None:
    assert told(page.checks, REDRAWN) == committed("zaki_ensembles", REDRAWN)


def test_every_redrawn_value_is_on_the_committed_page() -> None:
    _, checks = read_checks(ROOT / "docs" / "studies" / "zaki_ensembles.json")
    whats = " ".join(f"{check.what} {check.printed}" for check in checks if REDRAWN in check.how)
    assert all(f"loss, K = {models}" in whats for models in (3, 5, 8, 10, 15))
    assert all(f"ε{mark}" in whats for mark in "₁₂₃₄")
    assert "K at which the testing error is least 110" in whats


def test_what_is_wrong_in_the_book(page: Page) -> None:
    wrong = {(check.place, check.printed) for check in page.checks if check.status is Status.DIFFERS}
    assert {place for place, _ in wrong} == {
        "(22.16)",
        "section 22.3.1",
        "Example 22.13",
        "Algorithm 22.5",
        "Example 22.14",
        "Bagging as a Special Case of AdaBoost",
    }
    assert {"0.253", "0.826"} <= {printed for _, printed in wrong}
    assert not {"0.944", "0.935", "0.280"} & {printed for _, printed in wrong}


def test_without_the_data_the_rest_is_still_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("studies.runs.SHIPPED", tmp_path)
    run = Run(fast=True)
    bare = study(run)
    assert run.missing == {"iris.csv"}
    assert "iris.csv was not to be had" in bare.text()
    assert not bare.pictures
    assert said(bare, "Example 22.14", "training error of M²").why == ""
    assert all(REDRAWN not in check.how for check in bare.checks)


# The reference


def test_the_alphas_of_the_reference(facts: dict[Any, dict[str, str]]) -> None:
    line = facts["22.14", "alpha"]
    assert line["printed"] == ",".join(ALPHAS)
    expected = [float(value) for value in line["recomputed"].split(",")]
    assert [vote(float(each)) for each in EPSILONS] == pytest.approx(expected, abs=5e-5)


def test_m2_must_be_m1(page: Page, facts: dict[Any, dict[str, str]]) -> None:
    line = facts["22.14", "M^2 error"]
    check = said(page, "Example 22.14", "training error of M²")
    assert (line["verdict"], line["printed"]) == ("IMPOSSIBLE", check.printed)
    assert check.found == "0.28"
    assert check.status is Status.DIFFERS
    assert "38 errors is the least" in check.why


def test_the_ties_of_the_reference(page: Page, facts: dict[Any, dict[str, str]]) -> None:
    line = facts["22.13", "squared vs 0-1 loss"]
    assert "ties at even K (3 and 1 ties)" in line["note"]
    assert {row.models: row.ties for row in rows() if row.ties} == {8: 3, 10: 1}
    for models, printed, right in ((8, "0.02", "0.080"), (10, "0.027", "0.107")):
        check = said(page, "Example 22.13", f"K = {models}: zero-one loss {printed}")
        assert check.status is Status.DIFFERS
        assert check.found.startswith(f"{printed} with {right}")
        assert f"{float(right):.3g}" in line["recomputed"]


def test_the_bugs_of_the_reference(page: Page, facts: dict[Any, dict[str, str]]) -> None:
    line = facts["Alg 22.5", "while t<K"]
    assert line["verdict"] == "BUG"
    for bug in ("while t < K", "if ε_t = 0", "return {M"):
        assert said(page, "Algorithm 22.5", bug).status is Status.DIFFERS
    assert said(page, "section 22.3.1", "line 5").found.startswith("line 4")


# Counting through


def test_rates_are_whole_numbers_of_points() -> None:
    assert [points(each) for each in COMBINED] == [[42], [38], [11], [7]]
    assert [points(each) for each in EPSILONS] == [[42], [], [], []]


def test_only_the_odd_rows_are_consistent() -> None:
    assert consistent("0.047", "0.187") == ["a tie is given to a class", "a tie is no class, and wrong"]
    assert consistent("0.04", "0.10") == ["a tie is no class, and wrong"]
    assert consistent("0.02", "0.08") == ["a tie is given to a class", "a tie is no class, and wrong"]
    assert consistent("0.02", "0.10") == consistent("0.027", "0.113") == []


def test_the_second_error_is_the_weighted_one() -> None:
    """By the algorithm: weights after a first round with 42 errors of 150, in the order right, wrong."""
    weights = after_one_round(42)
    assert weights[:42].sum() == pytest.approx(0.5)
    for second in seconds():
        assert weights[: second.again].sum() + weights[42 : 42 + second.fresh].sum() == pytest.approx(
            float(second.error)
        )
    assert {second.error for second in seconds()} == {Fraction(461, 1512)}
    assert {second.alone for second, _ in thirds()} == {58}
    assert float(Second(42, 0, 42).error) == 0.5


def test_the_third_error_is_that_of_the_algorithm() -> None:
    """The only second round that can be: 42 errors, then 53 fresh ones and 5 of the old; 11 of the vote of three."""
    first, second = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    sizes = np.array([55, 53, 37, 5])
    weights = np.full(4, 1 / N)
    for wrong in (first, second):  # as line 12 has it, and normalised
        error = sizes[wrong] @ weights[wrong]
        weights = np.where(wrong, weights * (1 - error) / error, weights)
        weights /= sizes @ weights
    every = [
        np.array([third, fresh, 6 - fresh, again]) @ weights
        for third, fresh, again in product(range(56), range(7), range(6))
    ]
    reached = {round(float(error), 12) for error in every if abs(error - 0.174) <= 0.0005}
    assert reached == {round(float(error), 12) for _, error in thirds()}
    assert len(reached) == 12


def test_a_line_that_does_better_explains_nothing() -> None:
    why = {best: check.why for best in (37, 38) for check in boosting_checks(best) if "M²" in check.what}
    assert why[37] == ""
    assert why[38].startswith("38 errors")


# The algorithm as printed, and bagging


def test_as_printed_it_is_the_algorithm_but_for_its_slips() -> None:
    stumps = Stumps(1)
    ended = as_printed(5, stumps.truth, stumps, np.random.default_rng(0))
    assert [*ended.votes] == [1, 2, 3, 4]
    weights = np.full(60, 1 / 60)
    for t, alpha in ended.votes.items():
        wrong = ended.models[t] != stumps.truth
        assert alpha == pytest.approx(np.log((1 - weights[wrong].sum()) / weights[wrong].sum()))
        weights = weights * np.exp(alpha * wrong)
        weights /= weights.sum()
    assert as_printed(1, stumps.truth, stumps, np.random.default_rng(0)).votes == {}


def test_a_model_no_better_than_guessing_is_drawn_again() -> None:
    truth = np.array([1, 1, -1, -1])
    scripts = iter([-truth, np.array([1, 1, 1, -1])])
    ended = as_printed(2, truth, lambda sample: next(scripts), np.random.default_rng(0))
    assert ended.votes == pytest.approx({1: np.log(3)})


def test_no_round_leaves_the_weights_alike() -> None:
    assert [*possible_rounds(5)] == [1, 2]
    assert [*possible_rounds(6)] == [1, 2]
    assert after_one_round(1, 4) == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


# Lines, conics and votes


def scanned(iris: Iris, angles: int = 3000) -> int:
    """The fewest errors among very many directions, at every threshold between two points that are apart."""
    turn = np.linspace(0, np.pi, angles, endpoint=False) + 1e-4
    place = (iris.points @ np.stack([np.cos(turn), np.sin(turn)])).T
    order = np.argsort(place, axis=1, kind="stable")
    positive = (iris.signs > 0)[order]
    nothing = np.zeros((angles, 1), int)
    before = np.hstack([nothing, np.cumsum(positive, axis=1)])
    after = np.hstack([np.cumsum(~positive[:, ::-1], axis=1)[:, ::-1], nothing])
    gap = np.diff(np.take_along_axis(place, order, axis=1), axis=1) > 1e-9
    possible = np.pad(gap, ((0, 0), (1, 1)), constant_values=True)
    wrong = (before + after)[possible]
    return int(min(wrong.min(), (len(iris.signs) - wrong).min()))


def test_the_best_line_is_what_a_scan_of_all_directions_finds(iris: Iris) -> None:
    assert best_line(iris) == scanned(iris) == 38


def clouds() -> Iterator[Iris]:
    """Points anywhere, and on a lattice, where many are in rows and some on top of each other."""
    for seed in range(40):
        draw = np.random.default_rng(seed)
        species = draw.choice(["Iris-versicolor", "Iris-setosa"], 14)
        yield Iris(draw.integers(0, 4, (14, 2)).astype(float) if seed % 4 else draw.normal(size=(14, 2)), species)


def test_the_best_line_of_small_clouds() -> None:
    found = [(best_line(cloud), scanned(cloud, 2000)) for cloud in clouds()]
    assert all(best == scan for best, scan in found)
    assert len({best for best, _ in found}) > 2


def test_three_in_a_row_cannot_be_told_from_the_middle_one() -> None:
    row = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    assert best_line(Iris(row, np.array(["a", "Iris-versicolor", "a"]))) == 1
    assert best_line(Iris(row, np.array(["Iris-versicolor", "Iris-versicolor", "a"]))) == 0
    assert best_line(Iris(row[[0, 0, 1]], np.array(["Iris-versicolor", "a", "a"]))) == 1


def test_a_conic_is_where_the_machine_changes_its_answer(iris: Iris) -> None:
    model = quadratic(1.0).fit(iris.points, iris.signs)
    far = distances(model)
    finite = np.isfinite(far)
    ray = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)[finite]
    assert finite.sum() > 100
    np.testing.assert_allclose(model.decision_function(ray * far[finite, None]), 0, atol=1e-8)
    inside, outside = (model.predict(ray * (shift * far[finite, None])) for shift in (0.99, 1.01))
    assert (inside == -outside).all()


@pytest.mark.parametrize("number", [5, 10])
def test_the_vote_changes_at_the_median(iris: Iris, number: int) -> None:
    models = bootstrapped(iris, quadratic(1.0), samples(np.random.default_rng(0), number, 150))
    assert agree_at_the_centre(models)
    far = voted(models)
    finite = np.isfinite(far) & (far < 10)
    ray = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)[finite]
    total = {s: sum(m.predict(ray * (s * far[finite, None])) for m in models) for s in (0.98, 1.0, 1.02)}
    if number % 2:
        assert (np.sign(total[0.98]) == -np.sign(total[1.02])).mean() > 0.95
    else:
        assert (total[1.0] == 0).mean() > 0.95


def test_curves_stay_in_the_frame_and_lines_are_on_the_boundary(iris: Iris) -> None:
    (left, right), (bottom, top) = FRAME
    model = quadratic(1.0).fit(iris.points, iris.signs)
    drawn = [*curve(distances(model), "c")]
    assert len({row["part"] for row in drawn}) >= 2
    assert all(left <= row["x"] <= right and bottom <= row["y"] <= top for row in drawn)
    straight = linear().fit(iris.points, iris.signs)
    ends = line(straight, "h1")
    assert len(ends) == 2
    np.testing.assert_allclose(straight.decision_function([[e["x"], e["y"]] for e in ends]), 0, atol=2e-3)
    strips = regions(straight.predict)
    area = sum((strip["x2"] - strip["x"]) * (strip["y2"] - strip["y"]) for strip in strips)
    grid = np.random.default_rng(0).uniform((left, bottom), (right, top), (4000, 2))
    assert area / ((right - left) * (top - bottom)) == pytest.approx((straight.predict(grid) > 0).mean(), abs=0.03)


# What is drawn anew


def test_a_sentence_that_is_rarely_so_is_not_called_wrong() -> None:
    assert seen("here", "so", [True] * 2 + [False] * 98, "100 runs").status is Status.AGREES
    assert seen("here", "so", [False] * 100, "100 runs").status is Status.UNKNOWN


def test_ties_cost_one_in_the_squared_loss() -> None:
    found = {str(models): [[3, 3]] * 5 for models in (3, 5, 8, 10, 15)}
    checks = {check.what: check for check in bagged_checks(found)}
    assert checks["squared loss, K = 8"].found.startswith("median 0.1,")
    assert checks["zero-one loss, K = 8"].found.startswith("median 0.02,")


def test_bagging_that_does_not_help_is_said_to() -> None:
    helps = [["machine", 1, 0.1, 0.1, 0.05], ["machine", 15, 0.1, 0.1, 0.04]]
    trees = [["tree", 1, 0.1, 0.1, 0.20], ["tree", 15, 0.1, 0.1, 0.10]]
    assert [check.status for check in effect_checks([*helps, *trees])] == [Status.AGREES] * 2
    assert [check.status for check in effect_checks([*helps, *trees[::-1]])] == [Status.DIFFERS] * 2


def test_flowers_know_their_expected_label(iris: Iris) -> None:
    world = Flowers.like(iris)
    many = world.draw(np.random.default_rng(0), 200_000)
    near = np.linalg.norm(many.points - [1.2, -0.2], axis=1) < 0.1
    expected = world.expected(many.points)
    assert many.signs.mean() == pytest.approx(-1 / 3, abs=0.02)
    assert near.sum() > 500
    assert many.signs[near].mean() == pytest.approx(expected[near].mean(), abs=0.12)
    assert np.corrcoef(many.signs, expected)[0, 1] > 0.9
    assert many.signs.mean() == pytest.approx(expected.mean(), abs=0.01)


def test_folds_test_on_what_did_not_train(iris: Iris) -> None:
    """With one round: the first model of each fold, on its own fifth of the points."""
    run = Run()
    found = crossed(iris, run, 1, rounds=2)
    seed = _seed(run, 50, 0)
    by_hand = []
    for train, test in KFold(5, shuffle=True, random_state=seed).split(iris.points):
        first = boosting(iris.part(train), seed, 1)
        by_hand.append([(first.predict(iris.points[rows]) != iris.signs[rows]).mean() for rows in (train, test)])
    assert [found[name][0][0] for name in ("training", "testing")] == pytest.approx(np.mean(by_hand, axis=0))
    assert len(found["training"][0]) == 2
    assert crossed(iris, Run(seed=1), 1, rounds=2) != found


def test_the_world_is_one_of_probabilities() -> None:
    world = World(5)
    assert world.point.sum() == pytest.approx(1)
    brute = sum(
        world.point[x] * world.training[d] * p * (y - world.model[x, d]) ** 2
        for x, d in product(range(5), range(7))
        for y, p in ((1, world.positive[x]), (-1, 1 - world.positive[x]))
    )
    assert world.loss == pytest.approx(brute)
