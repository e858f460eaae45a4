"""Groups: each is what assessing its rows alone would say, and together they hold together."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.bounds.strata import fisher
from holdfast.catalog import find
from holdfast.combine import bonferroni, sayable, sidak
from holdfast.evidence import Counts, Difference
from holdfast.verbs.assess.groups import MOST_GAPS, OfGroups
from holdfast.verify.simulated import outcome
from tests.snapshots import matches

ROWS = 300
RANDOM = np.random.default_rng(8)
TRUTH = RANDOM.choice(["fraud", "fine"], ROWS, p=[0.3, 0.7])
PREDICTED = np.where(RANDOM.random(ROWS) < 0.85, TRUTH, RANDOM.choice(["fraud", "fine"], ROWS))
COUNTRY, DEVICE = RANDOM.choice(["DE", "FR", "IT"], ROWS), RANDOM.choice(["phone", "desk"], ROWS)
EVERY = ["error-rate", "recall", "precision", "f1", "mcc", "balanced-accuracy", "macro-f1"]


def report(**more: Any) -> hf.Report:
    return hf.assess(TRUTH, PREDICTED, positive="fraud", groups={"country": COUNTRY, "device": DEVICE}, **more)


def test_each_group_is_what_its_own_rows_say() -> None:
    told = report(only=EVERY)
    for country in ("DE", "FR", "IT"):
        for device in ("desk", "phone"):
            own = (country == COUNTRY) & (device == DEVICE)
            alone = hf.assess(TRUTH[own], PREDICTED[own], positive="fraud", only=EVERY)
            for name in EVERY:
                claim = told[name, None, f"country={country}, device={device}"]
                assert claim.to_dict() == alone[name].to_dict()


def test_by_default_a_group_gets_its_error_rate_and_the_positive_class() -> None:
    measures = {line.measure for line in report().lines if line.group is not None}
    assert measures == {f"{name}{gap}" for name in ("error-rate", "precision", "recall") for gap in ("", "-gap")}
    passed = hf.assess(correct=TRUTH == PREDICTED, groups={"country": COUNTRY})
    assert {line.measure for line in passed.lines if line.group} == {"error-rate", "error-rate-gap"}


def test_what_is_not_said_of_groups_is_told() -> None:
    asked: dict[str, Any] = {"positive": "fraud", "groups": {"g": DEVICE}}
    told = hf.assess(TRUTH, PREDICTED, RANDOM.random(ROWS), only=["posterior-loss", "f1"], **asked)
    assert {block.claim.measure for block in told.blocks} == {"f1"}
    assert [note for note in told.details["notes"] if note.startswith("Not said of each group: posterior-loss.")]
    alone = hf.assess(TRUTH, score=RANDOM.random(ROWS), **asked)
    assert not alone.blocks
    assert [note for note in alone.details["notes"] if note.startswith("Nothing is said of each group: that takes")]


@pytest.mark.parametrize("name", ["auc", "gini", "average-precision", "ks", "log-loss", "brier"])
def test_scores_are_said_of_each_group_too(name: str) -> None:
    score = np.random.default_rng(9).random(ROWS)
    told = hf.assess(TRUTH, PREDICTED, score, positive="fraud", groups={"g": DEVICE}, only=[name])
    phones = DEVICE == "phone"
    alone = hf.assess(TRUTH[phones], PREDICTED[phones], score[phones], positive="fraud", only=[name])
    of_group = [line.claim for line in told.lines if (line.measure, line.group) == (name, "g=phone")]
    assert [claim.to_dict() for claim in of_group] == [line.claim.to_dict() for line in alone.lines]
    assert not [note for note in told.details["notes"] if note.startswith("Not said of each group")]


def test_a_gap_is_the_difference_to_all_other_rows() -> None:
    wrong, own = TRUTH != PREDICTED, COUNTRY == "DE"
    told = hf.assess(TRUTH, PREDICTED, groups={"country": COUNTRY})["error-rate-gap", None, "country=DE"]
    assert told.estimate == pytest.approx(wrong[own].mean() - wrong[~own].mean())
    gap = Difference.of(Counts(wrong[own].sum(), own.sum()), Counts(wrong[~own].sum(), (~own).sum()))
    assert (told.lower, told.upper) == (fisher(gap).lower, fisher(gap).upper)


def test_five_lucky_cases_prove_little() -> None:
    told = hf.assess([0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 0], groups={"g": [*"aaaaab"]})
    assert told["error-rate", None, "g=a"].upper == pytest.approx(0.5218, abs=1e-4)
    assert told["error-rate", None, "g=b"].lower == pytest.approx(0.025)


def test_other_divisions() -> None:
    told = report(by=["country", ("device", "country")])
    names = {line.group for line in told.lines}
    assert {"country=DE", "device=phone, country=DE"} <= names
    assert not [name for name in names if name and name.startswith("device=phone") and "country" not in name]
    assert len({line.group for line in report(by=["device"]).lines} - {None}) == 2


def test_a_missing_group_is_told_with_the_near_miss() -> None:
    with pytest.raises(hf.HoldfastError, match="did you mean 'country=DE, device=desk'"):
        report()["error-rate", None, "country=DE, device=desks"]
    with pytest.raises(hf.HoldfastError, match="not asked for each group"):
        report()["kappa", None, "country=DE, device=desk"]


def test_together_each_statement_gets_its_part() -> None:
    told = report(simultaneous=True, only=["error-rate", "recall"], labels=["fine", "fraud"])
    statements = 1 + 2 + 4  # the whole: error rate, two recalls; of groups: two measures with a gap each
    each = sayable(bonferroni(0.05, statements))
    assert told.details["simultaneous"] == {"delta": 0.05, "each": float(each)}
    own = (COUNTRY == "FR") & (DEVICE == "desk")
    wrong = Counts(int(np.sum(TRUTH[own] != PREDICTED[own])), int(own.sum()))
    claim = told["error-rate", None, "country=FR, device=desk"]
    assert claim.lower == hf.bound(wrong, delta=float(sayable(sidak(each, 6)))).lower
    gap = told["error-rate-gap", None, "country=FR, device=desk"]
    assert float(gap.delta) == float(sayable(bonferroni(each, 6)))
    assert float(told["error-rate"].delta) == float(each)


def test_without_groups_all_lines_hold_together() -> None:
    told = hf.assess(TRUTH, PREDICTED, simultaneous=True, labels=["fine", "fraud"])
    assert float(told["kappa"].delta) == float(sayable(bonferroni(0.05, len(told.lines))))


@pytest.mark.long
def test_groups_jointly_cover() -> None:
    """1,000 groups of 1 to 50 rows, some of them nearly perfect: all intervals at once, and, beside, each alone."""
    random = np.random.default_rng(2)
    n = random.integers(1, 51, 1000)
    rates = random.choice([0.0, 0.001, 0.03, 0.3, 0.5, 0.97, 1.0], 1000)
    names = [str(place) for place in range(1000)]
    bound, repeats, missed, alone = find("clopper-pearson"), 400, 0, 0
    for _ in range(repeats):
        asked = OfGroups("error-rate", bound, Counts(random.binomial(n, rates), n), names)
        for together in (True, False):
            claim = asked.answer(np.asarray(0.05), "both", together).claim
            outside = bool(np.any((claim.lower > rates) | (claim.upper < rates)))
            missed, alone = missed + (outside and together), alone + (outside and not together)
    assert outcome(bound, 1000, 0.05, "both", 0.0, "1,000 groups", missed, repeats).kept
    assert missed > 0  # some rates sit where the intervals are nearly tight: not one statement is too many
    assert alone == repeats


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_a_difference_covers_at_every_pair_of_rates(side: Any) -> None:
    """By enumeration of all outcomes of two small groups."""
    m, n = 7, 4
    k, j = np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij")
    claim = fisher(Difference.of(Counts(k, m), Counts(j, n)), 0.2, side)
    grid = np.array([0.0, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.62, 0.8, 0.95, 0.999, 1.0])
    worst = 1.0
    for p in grid:
        for q in grid:
            chance = _binomial(m, p)[:, None] * _binomial(n, q)
            covers = (claim.lower <= p - q) & (p - q <= claim.upper)
            worst = min(worst, float(np.sum(chance * covers)))
    assert 0.8 - 1e-12 <= worst < 0.97


def _binomial(n: int, p: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    from math import comb

    return np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])


def test_very_many_groups_are_not_set_against_the_rest() -> None:
    groups = np.arange(2 * (MOST_GAPS + 1)) // 2
    told = hf.assess(correct=np.ones(groups.size, bool), groups={"user": groups})
    assert {block.claim.measure for block in told.blocks} == {"error-rate"}
    assert told.to_frame().height == len(told.lines) == len(told.whole) + MOST_GAPS + 1


def test_a_frame_has_a_row_for_each_line() -> None:
    told = report(simultaneous=True)
    frame = told.to_frame()
    assert frame.to_dicts() == [{name: line.to_dict().get(name) for name in frame.columns} for line in told.lines]


def test_the_text_of_groups() -> None:
    matches("assess_groups", str(report(simultaneous=True, only=["error-rate", "recall"])))


def test_by_takes_one_name_and_each_column_and_division_once() -> None:
    one, *others = (report(by=by).with_command("as told") for by in ("country", ["country"], ["country"] * 2))
    assert [other.to_json() for other in others] == [one.to_json()] * 2
    for by in ([("country", "country")], [()]):
        with pytest.raises(hf.errors.HoldfastError, match="one column or several different ones"):
            report(by=by)


def test_groups_are_called_by_their_names_in_refusals() -> None:
    with pytest.raises(hf.errors.HoldfastError, match="the group 'country' has 2"):
        hf.assess(TRUTH, PREDICTED, groups={"country": ["DE", "FR"]})
    with pytest.raises(hf.errors.HoldfastError, match="takes columns by their names"):
        hf.assess(TRUTH, PREDICTED, groups=COUNTRY)  # type: ignore[arg-type]
    assert hf.assess(TRUTH, PREDICTED, groups={2024: COUNTRY})["error-rate", None, "2024=DE"]  # type: ignore[dict-item]
    with pytest.raises(hf.errors.HoldfastError, match="both truth and a column of groups"):
        hf.read(pl.DataFrame({"truth": TRUTH, "predicted": PREDICTED}), by="truth")


def test_a_gap_belongs_to_a_group() -> None:
    with pytest.raises(hf.errors.HoldfastError, match=r"report\['error-rate-gap', None, 'country=DE'\]"):
        report(by="country")["error-rate-gap"]


def test_a_notebook_says_which_group_and_makes_no_more_lines_than_it_shows() -> None:
    told = hf.assess(correct=[1, 0] * 5_000, groups={"<b>": np.arange(10_000)})
    page = told._repr_html_()
    assert ">&lt;b&gt;=1</td>" in page  # the worst come first, and the second row is wrong
    assert "Of 10,000 groups the 5 worst are shown" in page
    assert repr(told) == "<Report of 10002 claims>"
    assert "lines" not in vars(told)
