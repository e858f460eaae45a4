"""Document 002 as the study finds it: its checks as committed, its curves as in other arithmetic, its learner."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from studies.anguita import binary, crossed, equations, figures, gauss, inequalities, simulated, study, today
from studies.anguita.equations import BOUNDED, DELTA, TABLE, limit
from studies.checks import Check, Status
from studies.pages import Page
from studies.runs import Run

import holdfast as hf
from holdfast.verify import coverage
from tests.studies.committed import committed, told

pytestmark = pytest.mark.long  # a fast version of the whole study

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "reference"


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True))


def rows(name: str) -> list[dict[str, str]]:
    with (REFERENCE / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def found(page: Page, place: str, words: str) -> Check:
    (only,) = [check for check in page.checks if check.place == place and words in check.printed]
    return only


# ---- The page


def test_every_check_is_the_committed_one(page: Page) -> None:
    """None hangs on how much is drawn: what is drawn stands in how we know, not in what is found."""
    assert told(page.checks) == committed("anguita")


def test_what_is_wrong_is_named_and_nothing_else(page: Page) -> None:
    wrong = {check.place for check in page.checks if check.status is Status.DIFFERS}
    for place in ("(8)", "(9)", "(11)", "(20)-(22)", "(23)", "(28)", "(39)", "(41)", "(44)", "(50)", "(51)", "Table 1"):
        assert place in wrong
    right = {check.place for check in page.checks if check.status is Status.AGREES}
    for place in ("(10)", "(19)", "(20), (34), (35)", "(20), (37), (38)", "(43)", "(45), (46)", "(47), (48)"):
        assert place in right
        assert place not in wrong


def test_all_twenty_figures_are_compared_and_agree(page: Page) -> None:
    for number in range(1, 21):
        (check,) = [each for each in page.checks if each.place == f"Fig. {number}"]
        assert check.status is Status.AGREES


def test_the_pictures_are_few_and_all_have_words(page: Page) -> None:
    assert len(page.pictures) == 8
    text = page.text()
    for file, chart in page.pictures.items():
        assert file in text
        assert chart.to_dict()["title"]["text"]


def test_numbers_that_were_worked_out_before(page: Page) -> None:
    assert found(page, "(20)-(22)", "0.1408").found.startswith("0.1603")
    assert "27 % (n = 10) to 34 % (n = 200)" in found(page, "5", "even if rarely").found
    of_folds = found(page, "(51)", "the average of the folds").found
    assert "9.5 % (2 folds), 20.4 % (5 folds), 31.5 % (10 folds)" in of_folds
    assert "MAU 0.337, T_HOE 0.364" in found(page, "4.2, Figs. 11, 12", "every value of n").how
    assert "32 % to 46 %" in found(page, "4.2", "normal distribution").how
    assert "1.81 times" in found(page, "(41)", "Maurer").how


# ---- Table 1, and the figures


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.short)
def test_the_printed_formulas_are_the_methods_but_for_wilsons(row: equations.Row) -> None:
    n, mean = np.array([10.0, 40.0, 200.0]), np.array([0.2, 0.25, 0.05])
    given = row.printed(n, mean, mean * (1 - mean), DELTA)
    ours = figures.limit_of(row.short, n, mean)
    if row.short == "WIL":
        assert np.all(np.abs(given - ours) > 0.005)
        given = equations.wil(n, mean, mean, DELTA)
    assert given == pytest.approx(ours, abs=1e-12)


def test_a_delta_off_by_a_millionth_is_noticed_in_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    figures.figures.cache_clear()
    for module in (equations, figures):
        monkeypatch.setattr(module, "DELTA", DELTA * (1 + 1e-6))
    try:
        shifted = figures.figures()
        for number in (*range(1, 5), *range(9, 13), *range(17, 21)):
            assert figures.off(shifted[number]) > figures.NEAR
    finally:
        figures.figures.cache_clear()


def test_the_coverage_of_another_method_is_noticed() -> None:
    for number in (5, 6, 7, 8):
        figure = figures.figures()[number]
        swapped = {"NOR": figure.curves["WIL"], "WIL": figure.curves["NOR"], "CP": figure.curves["CP"]}
        other = figures.Figure(number, figure.caption, figure.across, figure.x, swapped)
        assert figures.off(figure) < figures.NEAR < 0.01 < figures.off(other)


def test_points_elsewhere_do_not_agree() -> None:
    figure = figures.figures()[3]
    moved = figures.Figure(3, figure.caption, figure.across, figure.x + 0.001, figure.curves)
    assert figures.off(moved) == np.inf


def test_clopper_pearson_of_sums_that_are_not_whole() -> None:
    least = {way: min(binary.least_of_two_values(way, n) for n in (1, 10)) for way in figures.WAYS}
    assert least["floor"] == 0.0
    assert 0.90 < least["round"] < 0.92  # .903 was found among more losses
    assert min(least["ceil"], least["beta"]) >= 0.95 - 1e-9


# ---- Normal losses


def test_what_lies_outside_is_as_often_as_another_simulation_found() -> None:
    for number, (n, rate) in simulated.AXES.items():
        other = figures.reference(number)
        exact = gauss.outside(n, rate)
        error = np.sqrt(exact * (1 - exact) / figures.DRAWS[number]) + 1e-3
        assert np.all(np.abs(exact - other["frac_mean_out"]) < 5 * error)
        single = np.broadcast_to(gauss.outside(1, rate), exact.shape)
        assert single == pytest.approx(other["frac_x_out"], abs=0.005)
        for name, curve in gauss.as_printed(n, rate).items():
            error = np.sqrt(np.maximum(curve * (1 - curve), 1e-4) / figures.DRAWS[number])
            assert np.all(np.abs(curve - other[f"{name}_raw"]) < 5 * error)


def test_drawing_and_computing_agree() -> None:
    for n, rate in ((10, 0.3), (200, 0.05), (10, 0.01)):
        drawn = gauss.drawn(n, rate, 20_000, np.random.default_rng(3))
        exact = gauss.as_printed(n, rate)
        for name in ("T_HOE", "CRF"):
            assert drawn[name] == pytest.approx(float(exact[name]), abs=0.018)
        assert drawn["HOE"] == pytest.approx(float(gauss.with_mean_cut("HOE", n, rate)), abs=0.01)


def test_the_coverage_with_the_mean_cut_by_hand() -> None:
    least = 0.3 - np.sqrt(np.log(1 / DELTA) / 20)  # of the mean, for HOE at n = 10
    assert least < 0
    assert float(gauss.with_mean_cut("HOE", 10, 0.3)) == 1.0
    least = 0.45 - np.sqrt(np.log(1 / DELTA) / 20)
    wanted = stats.norm.sf(least, 0.45, np.sqrt(0.45 * 0.55 / 10))
    assert float(gauss.with_mean_cut("HOE", 10, 0.45)) == pytest.approx(wanted, abs=1e-9)


def test_two_points_of_0_and_1_are_the_coverage_of_counts() -> None:
    rates = np.array([0.07, 0.26, 0.41])
    for name in BOUNDED:
        counted = coverage(name, 30, rates, delta=DELTA, side="upper")
        assert simulated.two_points(name, 30, 0.0, 1.0, rates) == pytest.approx(counted, abs=1e-12)


def test_two_points_elsewhere_by_drawing() -> None:
    losses = np.where(np.random.default_rng(8).random((20_000, 12)) < 0.3, 0.55, 0.45)
    limits = limit("NOR", 12, losses.mean(axis=1), losses.var(axis=1))  # which falls short, so that s^2 shows
    share = float(np.mean(limits >= 0.48 - 1e-12))
    assert share < 0.95
    exact = simulated.two_points("NOR", 12, 0.45, 0.55, np.array([0.3]))
    assert float(exact[0]) == pytest.approx(share, abs=0.015)


def test_the_law_of_a_count() -> None:
    share, chance = inequalities.law(9, 0.3)
    assert chance == pytest.approx(stats.binom.pmf(np.arange(10), 9, 0.3), abs=1e-14)
    assert share @ chance == pytest.approx(0.3)


# ---- Today's bounds


def test_the_slacks_are_those_of_the_reference() -> None:
    names = {"BENTKUS": "bentkus", "BET c=.75": "betting"}
    ours = {law: today.slacks(law, Run(fast=True)) for law in today.LAWS}
    compared = 0
    for row in rows("anguita_tightness.csv"):
        name, law, n = names.get(row["bound"], row["bound"]), row["dist"], int(row["n"])
        if n not in today.FEW or (name == "betting" and law.startswith("Bern")):
            continue  # of 0/1 values betting is answered by a mixture
        # The reference bets with a cap of .75 and an order of its own; few samples were drawn here.
        room = 0.35 if name == "betting" else {100: 0.04, 1000: 0.12}[n]
        assert ours[law][str(n)][name] == pytest.approx(float(row["ratio"]), rel=room), (law, n, name)
        compared += 1
    assert compared == 2 * (6 * 8 + 4 + 2)


def test_the_laws_have_the_means_and_deviations_that_are_told() -> None:
    for _, draw, mean, deviation in today.LAWS.values():
        values = draw(np.random.default_rng(1), (400, 500))
        assert values.mean() == pytest.approx(mean, abs=6 * deviation / np.sqrt(values.size))
        assert values.std() == pytest.approx(deviation, rel=0.02)


# ---- Eq. 51


def test_the_counterexamples_are_those_of_the_reference() -> None:
    """For NOR and WIL ours may fail more often: their limits lie so low that a larger rate suits the learner."""
    compared = 0
    for row in rows("anguita_eq51.csv"):
        failing = crossed.failure(row["bound"], int(row["k"]), int(row["m"]))
        if row["bound"] in ("NOR", "WIL"):
            best = (1 - 1 / int(row["k"])) ** (int(row["k"]) - 1)  # of k q (1 - q)^(k - 1), at q = 1 / k
            assert float(row["max_fail"]) - 1e-6 <= failing <= best + 1e-12
            assert failing == pytest.approx(best, abs=1e-12) or row["k"] == "2" or row["m"] == "1"
        else:
            assert failing == pytest.approx(float(row["max_fail"]), abs=6e-6)
        compared += 1
    assert compared == 96


def test_it_fails_among_good_models_too() -> None:
    chance, rate = crossed.failure_of_good_models(2, 1000)
    assert (chance, rate) == pytest.approx((0.064431916, 0.49248325), abs=1e-6)


def test_the_simulated_learner_fails_as_computed() -> None:
    covered = crossed._simulated(3000, 11)
    exact = crossed.failure("CP", 10, 20)
    assert 1 - covered["averaged-folds"] == pytest.approx(exact, abs=5 * np.sqrt(0.22 / 3000))
    assert all(covered[name] == 1.0 for name in crossed.VALID)


def test_the_unstable_learner_by_drawing() -> None:
    generator = np.random.default_rng(5)
    rare = generator.random((20_000, crossed.FOLDS * crossed.SIZE)) < crossed.RARE
    first, rest = rare[:, : crossed.SIZE], rare[:, crossed.SIZE :]
    says_rare = rest.sum(axis=1) % 2 == 1
    errors = np.sum(first != says_rare[:, np.newaxis], axis=1)
    of_all = np.where(rare.sum(axis=1) % 2 == 1, 1 - crossed.RARE, crossed.RARE)
    upper = hf.bound(hf.Counts(errors, crossed.SIZE), "CP", delta=DELTA, side="upper").upper
    assert crossed.misses_of_all() == pytest.approx(float(np.mean(upper < of_all)), abs=0.02)
