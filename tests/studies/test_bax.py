"""The study of document 001: its checks stand as committed, agree with the facts we began from, and can fail."""

from __future__ import annotations

import json
import re
from math import comb, exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studies.bax import study, told
from studies.bax.exact import laws, miss_of_test, samples, worst_share
from studies.bax.jury import SETS, limits, missed_often, outcome
from studies.bax.luck import best_of_trees
from studies.bax.rates import direct, epsilon
from studies.bax.today import single
from studies.bax.variance import general_share, largest_changes
from studies.checks import Status
from studies.pages import Page
from studies.runs import Run

from holdfast.evidence.pools.averages import certain
from holdfast.evidence.pools.spread import drawing_variance
from tests.studies import committed

pytestmark = pytest.mark.long  # a fast version of the whole study

HERE = Path(__file__).parents[1]
REFERENCE = json.loads((HERE / "reference" / "bax_reference.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True))


def cases(kind: str) -> list[Any]:
    return [pytest.param(case["in"], case["out"], id=case["id"]) for case in REFERENCE if case["kind"] == kind]


def test_the_checks_are_those_that_are_committed(page: Page) -> None:
    assert committed.told(page.checks) == committed.committed("bax")


def test_what_differs_is_what_the_facts_say(page: Page) -> None:
    wrong = [check.place for check in page.checks if check.status is Status.DIFFERS]
    assert wrong == ["(2)", "(33)", "Abstract, 5"]
    assert all(check.why for check in page.checks if check.status is Status.DIFFERS)


def test_every_equation_is_looked_at(page: Page) -> None:
    named: set[int] = set()
    for check in page.checks:
        for first, last in re.findall(r"\((\d+)\)(?: to \((\d+)\))?", check.place):
            named |= {*range(int(first), int(last or first) + 1)}
    assert named == {*range(1, 35)}


@pytest.mark.parametrize(("given", "wanted"), cases("bax"))
def test_the_formulas_are_those_of_the_reference(given: dict[str, Any], wanted: dict[str, float]) -> None:
    eps, d, rest, models = (given[name] for name in ("eps", "d", "dprime", "M"))
    for name, count in (("conf_single_eq8", 1), ("conf_uniform_eq12", models)):
        missed = 4 * count * exp(-(eps**2) * min(d, rest) / 2)
        assert 1 - missed == pytest.approx(wanted[name], rel=1e-12)
        if missed > 0:
            assert epsilon(missed, min(d, rest), count) == pytest.approx(eps, rel=1e-12)
    missed = 2 * exp(-2 * eps**2 / (1 / d + 1 / rest))
    assert 1 - models * missed == pytest.approx(wanted["conf_direct_hoeffding"], rel=1e-12)
    if missed > 0:
        assert direct(missed, d, rest) == pytest.approx(eps, rel=1e-12)
    free, kept = largest_changes(eps)
    assert (free, kept) == pytest.approx((wanted["var_halfwidth_eq33"], wanted["var_halfwidth_sharp"]), rel=1e-9)


@pytest.mark.parametrize(("given", "wanted"), cases("bax_eps"))
def test_the_reach_is_that_of_the_reference(given: dict[str, Any], wanted: dict[str, float]) -> None:
    assert epsilon(given["delta"], given["D"], given["M"]) == pytest.approx(wanted["eps"], rel=1e-12)


@pytest.mark.parametrize(("given", "wanted"), cases("bax_p"))
def test_what_inputs_alone_say_is_that_of_the_reference(given: dict[str, Any], wanted: dict[str, float]) -> None:
    said = np.array([[place < round(10 * p) for p in given["p"]] for place in range(10)]).astype(int)
    assert drawing_variance(said, 2)[0] == pytest.approx(wanted["variance_eq19"])
    least, most = certain(said, 2)
    assert (least.mean(), most.mean()) == pytest.approx((wanted["avg_lo_eq24"], wanted["avg_hi_eq24"]))


@pytest.mark.parametrize(
    ("case", "row"),
    [
        ((1000, 1000, 50), ["0.0936", "0.0607", "[0.0320, 0.0710]"]),
        ((1000, 200, 50), ["0.2093", "0.1052", "[0.0200, 0.0850]"]),
        ((200, 1000, 10), ["0.2093", "0.1052", "[0.0220, 0.0930]"]),
        ((500, 500, 0), ["0.1324", "0.0859", "[0.0000, 0.0100]"]),
    ],
)
def test_one_model_from_validation_to_test(case: tuple[int, int, int], row: list[str]) -> None:
    """The table of the reference facts, section 1.3."""
    assert single(*case)[1:] == row


def test_chances_are_counted_in_full() -> None:
    for law in laws(2, 4):
        rates, chance = samples(law, 5)
        assert chance.sum() == pytest.approx(1)
        assert chance @ rates == pytest.approx([law[2] + law[3], law[1] + law[3]])


def test_a_reach_that_is_too_short_is_found_out() -> None:
    def apart(here: np.ndarray, there: np.ndarray) -> np.ndarray:
        return np.abs(there - here).max(axis=-1)

    assert worst_share(apart, lambda delta: 0.3 * epsilon(delta, 8, 2), 8, 8) > 1
    assert worst_share(apart, lambda delta: epsilon(delta, 8, 2), 8, 8) < 1
    assert miss_of_test(100, 100, 0.5, direct(0.05, 100, 100) / 2) > 0.05


def test_no_factor_m_is_needed_where_m_is_large() -> None:
    assert general_share(1000, 10**6) < general_share(1000, 2) < 1


def test_no_claim_hangs_on_the_hidden_labels() -> None:
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 120).astype(str)
    names = ["a", "b", "c", "forest"]
    said = {name: np.where(draw.random(120) < 0.2, np.where(y == "1", "0", "1"), y) for name in names}
    hidden = np.arange(60, 120)
    other = y.copy()
    other[hidden] = np.where(y[hidden] == "1", "0", "1")
    shown = {name: each[:60] for name, each in said.items()}
    once, again = (outcome(shown, labels[:60], said, labels, hidden) for labels in (y, other))
    assert [each[:2] for each in once.values()] == [each[:2] for each in again.values()]
    for name in ("vote: tested directly", "average: today", "unseen: programme", "best: today"):
        assert once[name][2] == pytest.approx(1 - again[name][2])
        assert once[name][2] < 0.5


def test_misses_on_both_sides_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studies.bax.jury.MANY", 20_000)
    wrong = np.arange(200) < 100
    lower, upper = limits(100, 100, 0.05)
    here = np.arange(101)
    outside = ((100 - here) / 100 < lower - 1e-12) | ((100 - here) / 100 > upper + 1e-12)
    exact = sum(comb(100, k) * comb(100, 100 - k) for k in here[outside].tolist()) / comb(200, 100)
    assert 0.01 < exact < 0.05
    assert missed_often(wrong, np.random.default_rng(0)) == pytest.approx(exact, abs=5 * sqrt(exact / 20_000))


def test_what_held_is_counted() -> None:
    held = {"vote: x": (0.1, 0.3, 0.2), "best: y": (1.0, 1.0, 1.0)}
    missed = {"vote: x": (0.1, 0.3, 0.31), "best: y": (1.0, 1.0, 0.0)}
    rows = told([held, missed, held])
    assert [row[-1] for row in rows] == ["2 of 3", "2 of 3"]
    assert rows[0][2:5] == ["[0.100, 0.300]", "0.200", "0.200"]


def test_the_best_of_many_was_lucky() -> None:
    """Not by chance: 400 cuts, of which the plain interval misses more than a fifth and the other next to none."""
    found = best_of_trees(Run(fast=True), SETS[-1])
    assert found["the best tree, as if it were the only one"][1] > 0.2
    assert found["the best tree, at a 200th of delta"][1] < 0.03
    assert found["the best tree, by Eq. 12"][1] == 0


def test_missing_data_are_said_to_be_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("studies.runs.SHIPPED", tmp_path)
    run = Run(fast=True)
    assert best_of_trees(run, SETS[0]) == {}
    assert run.missing == {"letter_do.csv"}
