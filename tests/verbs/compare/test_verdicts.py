from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from holdfast.bounds.paired import paired_fisher
from holdfast.claims import Claim
from holdfast.evidence.pairs.paired import Paired
from holdfast.report.verdict import Verdict, spoken
from holdfast.verbs.compare.verdicts import by_interval, by_test, may_be_best, not_parted, of_many, unbeaten

UNDECIDED = ("not settled", "no difference", "equivalent")
TURNED = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}


def claim(lower: float, upper: float) -> Claim:
    return replace(paired_fisher(Paired(1, 1, 10)), estimate=(lower + upper) / 2, lower=lower, upper=upper)


def test_a_test_decides_at_delta_and_not_above_it() -> None:
    assert by_test("a", "b", -0.1, 0.05, 0.05, "mcnemar-exact", same=False).outcome == "better"
    assert by_test("a", "b", 0.1, 0.05, 0.05, "mcnemar-exact", same=False).outcome == "worse"
    assert by_test("a", "b", -0.1, 0.0500001, 0.05, "mcnemar-exact", same=False).outcome == "not settled"


def test_identical_models_show_no_difference() -> None:
    verdict = by_test("a", "b", 0.0, 1.0, 0.05, "mcnemar-exact", same=True)
    assert verdict.outcome == "no difference"
    assert "no difference seen" in verdict
    assert "p = 1" in verdict


def test_models_that_lose_as_often_as_they_win_are_not_settled() -> None:
    assert by_test("a", "b", 0.0, 1.0, 0.05, "mcnemar-exact", same=False).outcome == "not settled"


def test_a_p_value_just_above_delta_is_printed_above_it() -> None:
    assert "0.050004" in by_test("a", "b", -0.1, 0.050004, 0.05, "mcnemar-exact", same=False)


@pytest.mark.parametrize(
    ("lower", "upper", "outcome"),
    [
        (-0.009, 0.009, "equivalent"),
        (0.001, 0.009, "equivalent"),
        (-0.05, -0.001, "better"),
        (0.001, 0.05, "worse"),
        (-0.05, 0.009, "not inferior"),
        (-0.009, 0.05, "not superior"),
        (-0.05, 0.05, "not settled"),
        (-0.05, 0.01, "not settled"),  # the margin itself is too much
        (-0.01, 0.009, "not inferior"),
    ],
)
def test_an_interval_decides_by_where_it_lies(lower: float, upper: float, outcome: str) -> None:
    assert by_interval("a", "b", claim(lower, upper), 0.01).outcome == outcome


def test_without_a_margin_an_interval_decides_by_zero_alone() -> None:
    assert by_interval("a", "b", claim(-0.1, -0.01), 0.0).outcome == "better"
    assert by_interval("a", "b", claim(-0.1, 0.0), 0.0).outcome == "not settled"


def every_verdict() -> list[Verdict]:
    grid = [-0.05, -0.01, -0.005, 0.0, 0.005, 0.01, 0.05]
    intervals = [by_interval("a", "b", claim(x, y), m) for x, y, m in product(grid, grid, (0.0, 0.01)) if x <= y]
    tests = [
        by_test("a", "b", d, p, 0.05, "mcnemar-exact", same=False) for d, p in product((-0.1, 0.0, 0.1), (0.01, 0.9))
    ]
    same = by_test("a", "b", 0.0, 1.0, 0.05, "mcnemar-exact", same=True)
    many = [of_many("abc", best, [tests[0]], "mcnemar-exact") for best in ("a", "ab", "abc")]
    alike = [by_interval(a, b, claim(-0.005, 0.005), 0.01) for a, b in ("ab", "ac", "bc")]
    margins = [of_many("abc", "abc", alike, "tango"), of_many("abcd", "abc", alike, "tango")]
    parted = not_parted("a", "b", "tango", 0.01)
    return [*intervals, *tests, same, *many, of_many("abc", "abc", [same], "mcnemar-exact"), *margins, parted]


def test_an_undecided_verdict_says_so_and_a_decided_one_does_not() -> None:
    for verdict in every_verdict():
        assert verdict.decided != any(words in verdict for words in UNDECIDED), verdict
        assert verdict.to_dict()["sentence"] == str(verdict)


@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_swapping_turns_the_outcome_round(margin: float) -> None:
    grid = [-0.05, -0.01, -0.005, 0.0, 0.005, 0.01, 0.05]
    for lower, upper in product(grid, grid):
        if lower <= upper:
            there, back = (by_interval("a", "b", claim(*ends), margin) for ends in ((lower, upper), (-upper, -lower)))
            assert back.outcome == TURNED.get(there.outcome, there.outcome)


def test_the_set_of_the_best_shares_delta_among_the_others() -> None:
    beaten = np.ones((3, 3))
    beaten[0, 1] = 0.025
    assert may_be_best(beaten, 0.05).tolist() == [True, False, True]
    beaten[0, 1] = 0.0251
    assert may_be_best(beaten, 0.05).all()


def test_many_models_of_which_one_is_left_are_decided() -> None:
    verdict = of_many(["a", "b", "c"], ["b"], [], "mcnemar-exact")
    assert (verdict.outcome, verdict.models) == ("better", ("b",))
    assert "or c" in of_many(["a", "b", "c"], ["b", "c"], [], "mcnemar-exact")


def test_beaten_is_whoever_a_verdict_calls_the_worse_one() -> None:
    far, near = claim(-0.05, -0.001), claim(-0.005, -0.001)
    pairs = [by_interval("a", "b", near, 0.01), by_interval("a", "c", far, 0.01), by_interval("b", "c", far, 0.01)]
    assert unbeaten("abc", pairs) == ["a", "b"]
    assert unbeaten("abc", [by_interval("c", "a", claim(0.001, 0.05), 0.01)]) == ["a", "b"]
    verdict = of_many("abc", ["a", "b"], pairs, "tango")
    assert (verdict.outcome, verdict.margin, verdict.models) == ("equivalent", 0.01, ("a", "b"))
    assert "a and b are equivalent within the margin of 0.01" in verdict
    settled = [by_interval("a", "b", claim(-0.05, 0.05), 0.01), *pairs[1:]]
    assert of_many("abc", ["a", "b"], settled, "tango").outcome == "not settled"


# ---- What models are called


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (("alpha", "beta"), ["alpha", "beta"]),
        (("a\x1b[31m\n", "b\u202e"), ["a\\x1b[31m\\n", "b\\u202e"]),
        (("x" * 40, "x" * 41), ["x" * 40, "x" * 39 + "…"]),
        (("x" * 50, "x" * 51), ["the first model", "the second model"]),  # cut alike
        (("not settled", "beta"), ["the first model", "beta"]),
        (("a", "No Difference at all"), ["a", "the second model"]),
        (("a", "equivalent", "model 2"), ["a", "the model 2", "model 2"]),
        (("x" * 40 + "equivalent", "b"), ["x" * 39 + "…", "b"]),  # what is cut off is not said
    ],
)
def test_what_models_are_called(models: tuple[str, ...], told: list[str]) -> None:
    assert spoken(models) == told


@pytest.mark.parametrize("name", [*UNDECIDED, "NOT SETTLED", "x" * 10_000, "a\nb\x00"])
def test_no_name_makes_a_decided_verdict_look_undecided(name: str) -> None:
    decided = [
        by_test(name, "b", -0.1, 0.01, 0.05, "mcnemar-exact", same=False),
        by_test("b", name, -0.1, 0.01, 0.05, "mcnemar-exact", same=False),
        by_interval(name, "b", claim(-0.5, -0.1), 0.0),
        by_interval(name, "b", claim(0.1, 0.5), 0.05),
        by_interval(name, "b", claim(-0.5, 0.01), 0.05),
        by_interval(name, "b", claim(-0.01, 0.5), 0.05),
        of_many([name, "b", "c"], [name], [], "mcnemar-exact"),
    ]
    for verdict in decided:
        assert verdict.decided
        assert not any(word in verdict.lower() for word in UNDECIDED)
        assert name in verdict.models  # as it was given
        assert verdict.isprintable()
        assert len(verdict) < 200
    open_ones = [
        by_test(name, "b", 0.0, 1.0, 0.05, "mcnemar-exact", same=True),
        of_many([name, "b"], [name, "b"], [], "mcnemar-exact"),
    ]
    for verdict in open_ones:
        assert any(word in verdict for word in UNDECIDED)
        assert verdict.isprintable()
        assert len(verdict) < 200
