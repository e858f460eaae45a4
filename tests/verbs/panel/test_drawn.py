"""Models on examples that come in clusters, with weights or in strata: as `assess` has it of each, and the promise."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.combine import sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.selection.cores.committee import largest_c_bound, vote
from holdfast.verify.simulated import BY_CHANCE

DRAW = np.random.default_rng(11)
PAGES = np.repeat(np.arange(60), DRAW.integers(1, 6, 60))
ROWS = PAGES.size
TRUTH = DRAW.integers(0, 2, ROWS)
HARD = (DRAW.random(60) < 0.3)[PAGES]
ANSWERS = {
    name: np.where(DRAW.random(ROWS) < np.where(HARD, 0.5, rate), 1 - TRUTH, TRUTH)
    for name, rate in (("ant", 0.05), ("bee", 0.1), ("cow", 0.5))
}
WEIGHTS = DRAW.choice([1.0, 2.0, 4.0], ROWS)
COUNTRY = DRAW.choice(["FR", "DE"], ROWS)
SITE = np.where(PAGES < 25, "north", "south")  # of whole pages
DESIGNS: dict[str, dict[str, Any]] = {
    "clusters": {"clusters": PAGES},
    "clusters of at most five": {"clusters": PAGES, "max_cluster": 5},
    "weights": {"weights": WEIGHTS},
    "weights of at most four": {"weights": WEIGHTS, "max_weight": 4.0},
    "chances": {"inclusion": 1 / WEIGHTS, "max_weight": 4.0},
    "strata": {"strata": COUNTRY, "shares": {"FR": 0.2, "DE": 0.8}},
    "clusters in strata": {"clusters": PAGES, "max_cluster": 5, "strata": SITE, "shares": {"north": 0.5, "south": 0.5}},
    "by class": {"sampling": "by-class", "prevalence": {"1": 0.1}},
}
each_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def claims(report: hf.Report, measure: str, **about: Any) -> list[Claim]:
    lines = (line for line in report.lines if line.measure == measure)
    return [line.claim for line in lines if all(getattr(line, name) == value for name, value in about.items())]


def same(found: list[Claim], expected: list[Claim]) -> None:
    """Of the same things, by the same methods, with the same numbers."""
    known = {(claim.method, claim.per): claim for claim in expected}
    assert found
    for claim in found:
        other = known[claim.method, claim.per]
        assert (claim.lower, claim.estimate, claim.upper) == pytest.approx((other.lower, other.estimate, other.upper))
        assert claim.guarantee is other.guarantee


# ---- What assess says of each


@each_design
def test_each_model_has_the_limits_of_assess_at_its_part_of_delta(design: dict[str, Any]) -> None:
    report = hf.panel(TRUTH, ANSWERS, **design, delta=0.06)
    for name, said in ANSWERS.items():
        alone = hf.assess(TRUTH, said, **design, delta=0.02, only="error-rate")
        found = claims(report, "error-rate", model=name, group=None)
        same(found, claims(alone, "error-rate", group=None))
        assert all(Assumption.FIXED_MODELS in claim.assumes for claim in found)
        own = {*found[0].assumes} - {Assumption.FIXED_MODELS}
        assert own == {*claims(alone, "error-rate", group=None)[0].assumes} - {Assumption.FIXED_MODEL}


@pytest.mark.parametrize("design", [design for design in DESIGNS.values() if "sampling" not in design])
def test_the_average_is_that_of_the_share_of_models_that_err(design: dict[str, Any]) -> None:
    """Grades of each class are none of `assess`."""
    report = hf.panel(TRUTH, ANSWERS, **design, share={"ant": 1, "cow": 3})
    right = 0.25 * (ANSWERS["ant"] == TRUTH) + 0.75 * (ANSWERS["cow"] == TRUTH)
    same(claims(report, "average-error-rate"), claims(hf.assess(value=right, **design), "error-rate"))
    rates = [report["error-rate", name].estimate for name in ("ant", "cow")]
    assert report["average-error-rate"].estimate == pytest.approx(0.25 * rates[0] + 0.75 * rates[1])


@each_design
def test_the_vote_has_the_limits_of_assess(design: dict[str, Any]) -> None:
    said = vote(np.array([*ANSWERS.values()]), 2)
    report = hf.committee(TRUTH, ANSWERS, **design, groups={"country": COUNTRY})
    alone = hf.assess(TRUTH, said, **design, groups={"country": COUNTRY}, only="error-rate")
    for group in (None, "country=DE", "country=FR"):
        found = claims(report, "vote-error-rate", label="tested directly", group=group)
        same(found, claims(alone, "error-rate", group=group))
    direct = report["vote-error-rate", None, "tested directly"]
    assert direct.estimate == pytest.approx(alone["error-rate"].estimate)


@pytest.mark.parametrize("design", [{}, {"clusters": PAGES, "max_cluster": 5}, {"weights": WEIGHTS, "max_weight": 4}])
def test_a_group_is_its_rows_by_themselves(design: dict[str, Any]) -> None:
    report = hf.panel(TRUTH, ANSWERS, **design, groups={"country": COUNTRY}, delta=0.06)
    here = COUNTRY == "FR"
    rows = {name: value[here] if np.ndim(value) else value for name, value in design.items()}
    for name, said in ANSWERS.items():
        alone = hf.assess(TRUTH[here], said[here], **rows, delta=0.02, only="error-rate")
        same(claims(report, "error-rate", model=name, group="country=FR"), claims(alone, "error-rate"))
    assert report["error-rate", "ant", "country=FR"].estimate == pytest.approx(
        float(np.average(ANSWERS["ant"][here] != TRUTH[here], weights=rows.get("weights")))
    )


def test_groups_are_crossed_or_divide_as_is_said() -> None:
    groups = {"country": COUNTRY, "site": SITE}
    crossed = hf.panel(TRUTH, ANSWERS, groups=groups)
    apart = hf.panel(TRUTH, ANSWERS, groups=groups, by=["country", "site"])
    assert {line.group for line in crossed.lines if line.group} == {
        f"country={country}, site={site}" for country in ("DE", "FR") for site in ("north", "south")
    }
    assert {line.group for line in apart.lines if line.group} == {
        *("country=DE", "country=FR", "site=north", "site=south")
    }
    with pytest.raises(UnknownName, match="continent"):
        hf.panel(TRUTH, ANSWERS, groups=groups, by="continent")


def test_weights_that_are_all_one_change_no_estimate() -> None:
    plain = hf.panel(TRUTH, ANSWERS)
    weighed = hf.panel(TRUTH, ANSWERS, weights=np.ones(ROWS), max_weight=1.0)
    for name in ANSWERS:
        assert weighed["error-rate", name].estimate == pytest.approx(plain["error-rate", name].estimate)
    assert weighed["average-error-rate"].estimate == pytest.approx(plain["average-error-rate"].estimate)


def test_sets_of_models_share_delta_under_a_design_too() -> None:
    design = {"clusters": PAGES, "max_cluster": 5}
    report = hf.panel(TRUTH, ANSWERS, **design, sets={"insects": ["ant", "bee"], "all": "*"}, delta=0.05)
    right = 0.5 * (ANSWERS["ant"] == TRUTH) + 0.5 * (ANSWERS["bee"] == TRUTH)
    alone = hf.assess(value=right, **design, delta=0.025)
    same(claims(report, "set-average-error-rate", label="insects"), claims(alone, "error-rate"))


def test_a_panel_that_was_read_keeps_its_design() -> None:
    several = hf.Panel(ANSWERS, TRUTH, design=hf.Design(clusters=PAGES), groups={"country": COUNTRY})
    by_names = hf.panel(TRUTH, ANSWERS, clusters=PAGES, max_cluster=5, groups={"country": COUNTRY})
    report = several.report(max_cluster=5)
    assert [line.to_dict() for line in report.lines] == [line.to_dict() for line in by_names.lines]
    capped = hf.Panel(ANSWERS, TRUTH, design=hf.Design(clusters=PAGES, max_cluster=5))
    same([capped.average()], claims(by_names, "average-error-rate"))
    best = capped.best()
    assert best.model == by_names.details["panel"]["selected"]
    assert best.may_be_best == (*by_names.details["may_be_best"],)
    same([best.claim], claims(by_names, "error-rate", model=best.model, group=None))


# ---- The vote by its members


def test_ways_by_the_members_follow_from_their_average() -> None:
    design = {"clusters": PAGES, "max_cluster": 5}
    report = hf.committee(TRUTH, ANSWERS, **design)
    wrong = np.mean([said != TRUTH for said in ANSWERS.values()], axis=0)
    mean, square = (
        hf.assess(value=1 - each, **design, side="upper", only="error-rate")["error-rate"] for each in (wrong, wrong**2)
    )
    by_way = {line.label: line.claim for line in report.lines}
    assert by_way["factor two"].upper == pytest.approx(min(2 * mean.upper, 1))
    assert by_way["tandem"].upper == pytest.approx(min(4 * square.upper, 1))
    first = hf.assess(value=1 - wrong, **design, delta=0.025, only="error-rate")["error-rate"]
    second = hf.assess(value=1 - wrong**2, **design, delta=0.025, side="upper", only="error-rate")["error-rate"]
    worst = largest_c_bound(*(np.asarray(end) for end in (first.lower, first.upper, second.upper)))
    assert by_way["C-bound"].upper == pytest.approx(float(worst))
    assert by_way["C-bound"].delta == by_way["tandem"].delta == 0.05
    assert all(line.claim.guarantee is Guarantee.FINITE for line in report.lines if line.claim.method != "influence")


def test_without_a_cap_ways_by_the_members_are_no_firmer_than_their_average() -> None:
    report = hf.committee(TRUTH, ANSWERS, weights=WEIGHTS)
    assert {line.claim.guarantee for line in report.lines} == {Guarantee.ASYMPTOTIC}
    assert any("Nothing is said of weighted rows" in note for note in report.details["notes"])


# ---- The promise


def all_or_nothing(draw: np.random.Generator, pages: int, models: int) -> tuple[Any, dict[str, Any], Any]:
    """Pages of one or six rows, on which a model is right or wrong throughout; large ones are wrong more often."""
    sizes = np.where(draw.random(pages) < 0.5, 6, 1)
    page = np.repeat(np.arange(pages), sizes)
    rate = np.where(sizes == 6, 0.4, 0.1)
    truth = np.zeros(page.size, np.int64)
    return truth, {f"m{m}": (draw.random(pages) < rate)[page].astype(np.int64) for m in range(models)}, page


TRUE_RATE = (0.5 * 6 * 0.4 + 0.5 * 0.1) / 3.5  # of the average row


@pytest.mark.long
def test_all_error_rates_hold_together_whoever_is_selected() -> None:
    draw, runs, delta = np.random.default_rng(3), 120, 0.2
    missed = by_row = 0
    for _ in range(runs):
        truth, answers, page = all_or_nothing(draw, 40, 4)
        report = hf.panel(truth, answers, clusters=page, max_cluster=6, delta=delta)
        firm = [c for c in claims(report, "error-rate") if c.guarantee is Guarantee.FINITE]
        assert len(firm) == 4
        missed += not all(claim.lower <= TRUE_RATE <= claim.upper for claim in firm)
        plain = claims(hf.panel(truth, answers, delta=delta), "error-rate")
        by_row += not all(claim.lower <= TRUE_RATE <= claim.upper for claim in plain)
    assert missed <= binom.isf(BY_CHANCE, runs, delta) < by_row


def test_the_best_is_seldom_dropped_and_the_worst_soon() -> None:
    """All models are as good as each other: that some one of them is dropped is delta / (M - 1) for each rival."""
    draw, runs, delta = np.random.default_rng(4), 30, 0.2
    dropped = 0
    for _ in range(runs):
        truth, answers, page = all_or_nothing(draw, 40, 3)
        answers["bad"] = np.ones_like(truth)
        kept = hf.panel(truth, answers, clusters=page, max_cluster=6, delta=delta).details["may_be_best"]
        dropped += "m0" not in kept
        assert "bad" not in kept
    assert dropped <= binom.isf(BY_CHANCE, runs, delta)


def test_a_model_is_out_if_another_is_better_at_its_part_of_delta() -> None:
    draw, delta, out = np.random.default_rng(9), 0.1, 0
    for _ in range(8):
        truth, answers, page = all_or_nothing(draw, 40, 3)
        design = {"clusters": page, "max_cluster": 6}
        beaten = set()
        for pair in combinations(answers, 2):
            # Either end of an interval at twice that part is a limit at it.
            claim = hf.compare(truth, {name: answers[name] for name in pair}, **design, delta=delta)
            gap = claim["error-rate-difference"]
            beaten |= {pair[0]} if gap.lower > 0 else {pair[1]} if gap.upper < 0 else set()
        kept = hf.panel(truth, answers, **design, delta=delta).details["may_be_best"]
        assert {*kept} == {*answers} - beaten
        out += len(beaten)
    assert out > 0


def test_a_cap_is_stated_and_not_read_off_the_pages() -> None:
    few, many = (hf.panel(TRUTH, ANSWERS, clusters=PAGES, max_cluster=most)["error-rate", "ant"] for most in (5, 20))
    assert many.upper - many.lower > 1.2 * (few.upper - few.lower)
    with pytest.raises(HoldfastError, match="more than the 4"):
        hf.panel(TRUTH, ANSWERS, clusters=PAGES, max_cluster=4)
    with pytest.raises(HoldfastError, match="more than the 3"):
        hf.panel(TRUTH, ANSWERS, weights=WEIGHTS, max_weight=3)


# ---- What no theorem bears


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: hf.panel(TRUTH, ANSWERS, clusters=PAGES, unlabelled=ANSWERS), "exchanged with the unlabelled inputs"),
        (lambda: hf.committee(TRUTH, ANSWERS, weights=WEIGHTS, unlabelled=ANSWERS), "draws with weights"),
        (lambda: hf.committee(TRUTH, ANSWERS, clusters=PAGES, share=[1, 2, 3], fitted=True), "PAC-Bayes"),
        (lambda: hf.Panel(ANSWERS, TRUTH, design=hf.Design(clusters=PAGES)).spread(), "bounded differences"),
        (
            lambda: hf.Panel(ANSWERS, TRUTH, design=hf.Design(clusters=PAGES)).average(share=[1, 2, 3], fitted=True),
            "PAC-Bayes",
        ),
        (
            lambda: hf.infer(
                ANSWERS["ant"], hf.Panel(ANSWERS, TRUTH, design=hf.Design(strata=COUNTRY, weights=WEIGHTS)), ANSWERS
            ),
            "draws with weights and strata",
        ),
        (lambda: hf.panel(TRUTH, ANSWERS, sampling="by-class"), "state that by prevalence="),
        (lambda: hf.committee(TRUTH, ANSWERS, sampling="by-class"), "state that by prevalence="),
        (lambda: hf.panel(TRUTH, ANSWERS, max_cluster=5), "give clusters="),
        (lambda: hf.panel(TRUTH, ANSWERS, max_weight=5), "give weights="),
        (lambda: hf.panel(TRUTH, ANSWERS, shares={"ant": 1.0}), "What models weigh is share="),
        (lambda: hf.committee(TRUTH, ANSWERS, groups={"c": COUNTRY}, share=[1, 2, 3], fitted=True), "leave groups="),
    ],
)
def test_what_is_refused_says_which_theorem_is_missing(ask: Any, why: str) -> None:
    with pytest.raises(HoldfastError, match=why):
        ask()


def test_the_spread_is_left_out_and_said_why() -> None:
    report = hf.panel(TRUTH, ANSWERS, clusters=PAGES)
    assert not claims(report, "error-rate-spread")
    assert any("bounded differences" in note for note in report.details["notes"])
    assert "the spread" not in str(report)
    assert "every cluster counted once" in " ".join(str(report).split())


# ---- The old name


def test_the_old_name_of_shares_still_reads_and_says_so() -> None:
    new = hf.panel(TRUTH, ANSWERS, share={"ant": 2, "bee": 1})
    for old in ({"ant": 2, "bee": 1}, [2, 1, 0]):
        with pytest.warns(DeprecationWarning, match="called share= now"):
            report = hf.panel(TRUTH, ANSWERS, weights=old)
        assert report["average-error-rate"].to_dict() == new["average-error-rate"].to_dict()
    with pytest.warns(DeprecationWarning, match="called share= now"):
        assert hf.committee(TRUTH, ANSWERS, weights={"ant": 2}).command == "holdfast.committee(share={'ant': 2})"
    with pytest.raises(HoldfastError, match="Give share= alone"):
        hf.panel(TRUTH, ANSWERS, weights={"ant": 2}, share={"ant": 2})


def test_delta_of_models_is_shared_as_it_can_be_said() -> None:
    report = hf.panel(TRUTH, ANSWERS, clusters=PAGES)
    assert {claim.delta for claim in claims(report, "error-rate")} == {float(sayable(0.05 / 3))}
