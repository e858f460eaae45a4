"""What each scheme promises of its splits, and what it refuses."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError, UnknownName
from holdfast.resampling import SCHEMES, Plan, plan, redrawn, shares

Y = np.array(list("aaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbccccccccccc"))  # 17, 15 and 11
GROUPS = np.repeat(np.arange(16), [9, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 3, 3])
FOLDED = ["kfold", "stratified", "grouped", "leave-one-out", "5x2"]


def made(scheme: str, **options: Any) -> Plan:
    if scheme == "grouped":
        options = {"folds": 5, "groups": GROUPS} | options
    return plan(scheme, Y, **options)


def parts_of(found: Plan) -> np.ndarray:
    assert found.parts is not None
    return found.parts


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_split_has_the_sizes_that_the_plan_tells(scheme: str) -> None:
    found = made(scheme)
    assert len(found) == found.repeats * found.folds == len(found.n_train) == len(found.n_test)
    for number, (train, test) in enumerate(found):
        assert (len(train), len(test)) == (found.n_train[number], found.n_test[number])
        assert train.dtype == test.dtype == np.int64
        assert 0 <= train.min() <= train.max() < len(Y)
        assert np.all(np.diff(train) >= 0)
        assert np.all(np.diff(test) > 0)
    assert found.disjoint == all(not np.isin(test, train).any() for train, test in found)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_once_says_whether_a_repeat_tests_every_row_exactly_once(scheme: str) -> None:
    found = made(scheme)
    tests = [
        np.concatenate([found.test(r * found.folds + f) for f in range(found.folds)]) for r in range(found.repeats)
    ]
    assert found.once == all(np.array_equal(np.sort(test), np.arange(len(Y))) for test in tests)
    assert found.once == (scheme in [*FOLDED, "resubstitution"])


@pytest.mark.parametrize("scheme", FOLDED)
def test_of_folds_all_that_is_not_tested_on_trains(scheme: str) -> None:
    for train, test in made(scheme):
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(Y)))


@pytest.mark.parametrize("scheme", ["kfold", "stratified", "nested"])
@pytest.mark.parametrize("folds", [3, 7, 10])
def test_sizes_of_folds_differ_by_one_at_most(scheme: str, folds: int) -> None:
    for parts in parts_of(made(scheme, folds=folds, repeats=3)):
        sizes = np.bincount(parts, minlength=folds)
        assert len(sizes) == folds
        assert sizes.max() - sizes.min() == (len(Y) % folds > 0)


@pytest.mark.parametrize("folds", [2, 4, 11])
def test_stratified_folds_hold_each_class_to_within_one(folds: int) -> None:
    for parts in parts_of(made("stratified", folds=folds, repeats=4, seed=3)):
        for label in "abc":
            counts = np.bincount(parts[label == Y], minlength=folds)
            assert counts.max() - counts.min() <= 1


def test_grouped_folds_divide_no_group_and_differ_by_one_group_at_most() -> None:
    found = made("grouped", repeats=20)
    for parts in parts_of(found):
        placed = dict(zip(GROUPS.tolist(), parts.tolist(), strict=True))
        assert [placed[group] for group in GROUPS.tolist()] == parts.tolist()
        numbers = np.bincount([*placed.values()], minlength=5)
        assert numbers.max() - numbers.min() <= 1
    assert len({parts.tobytes() for parts in parts_of(found)}) > 15


def test_the_seed_says_it_all() -> None:
    for scheme in SCHEMES:
        again, other = made(scheme, seed=7), made(scheme, seed=8)
        assert made(scheme, seed=7).fingerprint == again.fingerprint
        certain = scheme in ("resubstitution", "leave-one-out")
        assert (other.fingerprint == again.fingerprint) == certain
        assert again.seed == (None if certain else 7)


@pytest.mark.parametrize("scheme", ["kfold", "stratified", "grouped", "nested", "progressive", "5x2"])
def test_repeats_differ_and_more_of_them_leave_the_first_as_they_are(scheme: str) -> None:
    repeats = None if scheme == "5x2" else 5
    lines = parts_of(made(scheme, repeats=repeats))
    assert len({line.tobytes() for line in lines}) == 5
    if repeats:
        assert np.array_equal(parts_of(made(scheme, repeats=2)), lines[:2])


@pytest.mark.parametrize("scheme", ["monte-carlo", "bootstrap", "bootstrap-all"])
def test_more_rounds_leave_the_first_as_they_are(scheme: str) -> None:
    few, many = made(scheme, rounds=3), made(scheme, rounds=9)
    assert all(np.array_equal(few.train(number), many.train(number)) for number in range(3))
    assert len({many.train(number).tobytes() for number in range(9)}) == 9


@pytest.mark.parametrize("scheme", [name for name, scheme in SCHEMES.items() if scheme.blind])
def test_a_blind_plan_does_not_see_the_labels(scheme: str) -> None:
    permuted = np.random.default_rng(5).permutation(Y)
    found = made(scheme)
    assert found.blind
    options = {"folds": 5, "groups": GROUPS} if scheme == "grouped" else {}
    others = (plan(scheme, labels, **options) for labels in (permuted, len(Y)))
    assert {other.fingerprint for other in others} == {found.fingerprint}


def test_folds_that_looked_at_labels_are_not_blind() -> None:
    permuted = np.random.default_rng(5).permutation(Y)
    found = made("stratified")
    assert (found.blind, found.stratified, found.grouped) == (False, True, False)
    assert found.fingerprint != plan("stratified", permuted).fingerprint
    kept = made("grouped")
    assert (kept.blind, kept.stratified, kept.grouped) == (True, False, True)


def test_where_a_group_goes_does_not_depend_on_its_size() -> None:
    """Groups balanced by size would be no random samples of groups: the largest would never meet the second largest."""
    parts = parts_of(made("grouped", repeats=400))
    together = np.mean(parts[:, 0] == parts[:, -1])
    # 16 groups in parts of 4, 3, 3, 3 and 3: (6 + 4 * 3) / 120 of all pairs, give or take five standard errors.
    assert abs(together - 18 / 120) < 0.09


def test_fresh_needs_blind_folds_and_other_rows_to_test_on() -> None:
    stale = {"resubstitution", "stratified", "bootstrap-all"}
    assert {scheme for scheme in SCHEMES if not made(scheme).fresh} == stale


def test_each_way_to_halve_six_rows_is_equally_likely() -> None:
    trials = 8_000
    ways: dict[bytes, int] = {}
    for parts in parts_of(plan("kfold", 6, folds=2, repeats=trials)):
        ways[parts.tobytes()] = ways.get(parts.tobytes(), 0) + 1
    assert len(ways) == 20
    spread = np.sqrt(trials / 20 * 19 / 20)
    assert max(abs(count - trials / 20) for count in ways.values()) < 5.5 * spread  # chance: 20 times 4e-8


def test_stratified_rows_are_equally_likely_in_every_fold() -> None:
    trials = 6_000
    parts = parts_of(plan("stratified", [0, 0, 0, 0, 1, 1, 1], folds=3, repeats=trials))
    shares = np.stack([(parts == fold).mean(axis=0) for fold in range(3)])
    assert np.abs(shares - 1 / 3).max() < 5.7 * np.sqrt(2 / 9 / trials)


def test_nested_leaves_out_each_fold_and_then_each_pair() -> None:
    found = made("nested", folds=4, repeats=2)
    assert (found.folds, len(found)) == (10, 20)
    assert found.held is not None
    assert found.held.tolist() == [[j, j] for j in range(4)] + [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    for number, (train, test) in enumerate(found):
        repeat, fold = found.place(number)
        assert set(parts_of(found)[repeat][test]) == {*found.held[fold].tolist()}
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(Y)))


def test_progressive_trains_on_all_that_was_tested_before() -> None:
    found = made("progressive", folds=4, repeats=2)
    for number, (train, test) in enumerate(found):
        if number % 4:
            before = np.concatenate([found.train(number - 1), found.test(number - 1)])
            assert np.array_equal(train, np.sort(before))
        assert len(test) in (len(Y) // 5, len(Y) // 5 + 1)
    assert len(found.train(3)) + len(found.test(3)) == len(Y)


def test_progressive_in_order_takes_rows_as_they_come() -> None:
    found = plan("progressive", 10, folds=4, in_order=True)
    assert [found.train(3).tolist(), found.test(3).tolist()] == [[*range(8)], [8, 9]]
    assert found.seed is None
    with pytest.raises(HoldfastError, match="same splits every time; leave repeats= out"):
        plan("progressive", 10, folds=4, in_order=True, repeats=2)


def test_five_by_two_is_two_halves_five_times_over() -> None:
    found = made("5x2", folds=2, repeats=5)
    assert (found.repeats, found.folds) == (5, 2)
    assert np.array_equal(found.train(4), found.test(5))


@pytest.mark.parametrize(("share", "tested"), [(None, 13), (0.5, 22), (0.01, 0), (0.999, 43)])
def test_a_hold_out_tests_on_its_share(share: float | None, tested: int) -> None:
    if tested in (0, 43):
        with pytest.raises(HoldfastError, match="choose another share"):
            made("hold-out", test_share=share)
    else:
        assert made("hold-out", test_share=share).n_test.tolist() == [tested]
        assert made("monte-carlo", test_share=share, rounds=3).n_test.tolist() == [tested] * 3


@pytest.mark.parametrize(("rows", "rounds"), [(2, 4_000), (10, 4_000), (500, 400)])
def test_the_share_of_rows_that_a_bootstrap_draws(rows: int, rounds: int) -> None:
    """Its expectation is 1 - (1 - 1/n)^n, and its variance is that of the number of empty cells of n balls."""
    found = plan("bootstrap-all", rows, rounds=rounds, seed=2)
    share = np.mean([len(np.unique(found.train(number))) for number in range(rounds)]) / rows
    missed, both = (1 - 1 / rows) ** rows, (1 - 2 / rows) ** rows
    variance = (missed + (rows - 1) * both) / rows - missed**2
    assert abs(share - (1 - missed)) < 5.5 * np.sqrt(variance / rounds)


def test_the_limit_is_document_004s() -> None:
    expected = 1 - (1 - 1 / 1e8) ** 1e8
    assert round(expected, 3) == 0.632
    found = plan("bootstrap", 20_000, rounds=50)
    assert np.abs(1 - found.n_test / 20_000 - (1 - 1 / np.e)).max() < 0.015  # nearly 7 standard deviations of one round


def test_a_bootstrap_tests_on_what_it_did_not_draw() -> None:
    found = made("bootstrap", rounds=20)
    for train, test in found:
        assert len(train) == len(Y)
        assert np.array_equal(np.setdiff1d(np.arange(len(Y)), train), test)
    assert plan("bootstrap", 2, rounds=100).n_test.tolist() == [1] * 100  # a round that drew both is drawn again


def test_redrawn_keeps_one_test_part() -> None:
    found = redrawn(Y, rounds=30, test_share=0.25, seed=4)
    first = found.test(0)
    assert (found.scheme, found.repeats, found.folds, len(first), found.disjoint) == ("redrawn", 1, 30, 11, True)
    rest = np.setdiff1d(np.arange(len(Y)), first)
    for train, test in found:
        assert np.array_equal(test, first)
        assert np.isin(train, rest).all()
        assert len(train) == len(rest)
    assert np.array_equal(np.unique(np.concatenate([found.train(number) for number in range(30)])), rest)
    assert np.array_equal(redrawn(Y, rounds=3, test_share=0.25, seed=4).train(2), found.train(2))


def test_shares_grow_within_a_repeat() -> None:
    found = shares(Y, [0.2, 0.5, 0.9], repeats=3, seed=1)
    assert (found.repeats, found.folds) == (3, 3)
    assert found.n_train.reshape(3, 3).tolist() == [[9, 22, 39]] * 3
    for number, (train, test) in enumerate(found):
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(Y)))
        if number % 3:
            assert np.isin(found.train(number - 1), train).all()
    for wrong in ([], [0.5, 0.5], [0.9, 0.1], [0.5, 0.501]):
        with pytest.raises(HoldfastError, match="rising shares"):
            shares(Y, wrong)


def test_the_same_indices_everywhere() -> None:
    """These are kept for good: results stored by others name them."""
    pinned = {
        "kfold": "f311e53aaf0b192e",
        "stratified": "014962fed63c0be4",
        "grouped": "1f8d173243ddc69f",
        "monte-carlo": "ec603ec506c1259f",
        "bootstrap": "3e850c2a178047cc",
        "nested": "4b77431cd76b257f",
        "progressive": "dd614b98f5fa784c",
        "leave-one-out": "4c25201d47d3338d",
    }
    assert {scheme: made(scheme, seed=0).fingerprint[:16] for scheme in pinned} == pinned
    assert redrawn(43, rounds=5).fingerprint[:16] == "e9cf44409042bb10"
    assert shares(43, [0.2, 0.7], repeats=2).fingerprint[:16] == "96c7e096d4f111de"


@pytest.mark.parametrize(
    ("scheme", "options", "told"),
    [
        ("kfold", {"folds": 44}, "44 folds need at least 44 rows; there are 43"),
        ("kfold", {"folds": 1}, "folds must be a whole number, at least 2; got 1"),
        ("kfold", {"folds": 2.5}, "folds must be a whole number"),
        ("kfold", {"folds": True}, "folds must be a whole number"),
        ("kfold", {"repeats": 0}, "repeats must be a whole number, at least 1"),
        ("kfold", {"seed": -1}, "seed must be a whole number, at least 0"),
        ("kfold", {"seed": None}, "seed must be a whole number"),
        ("kfold", {"rounds": 7}, "'kfold' has no use for rounds=7; leave it out. It is for: monte-carlo, boot"),
        ("kfold", {"groups": GROUPS}, "does not keep groups together; use the scheme 'grouped'"),
        ("kfold", {"in_order": True}, "no use for in_order=True"),
        ("5x2", {"folds": 3}, "no use for folds=3"),
        ("nested", {"folds": 2}, "at least 3; got 2"),
        ("stratified", {"folds": 12}, "12 examples of each class; 'c' has 11. Ask for at most 11 folds, the scheme"),
        ("grouped", {}, "Grouped folds need groups="),
        ("grouped", {"groups": GROUPS[:-1]}, "one value a row: 43 rows, groups 42"),
        ("grouped", {"groups": np.arange(43) % 3}, "at least 10 groups; there are 3"),
        ("grouped", {"groups": [None, *range(42)]}, "groups has no value in row 1; fill it in"),
        ("hold-out", {"test_share": 1.5}, "must lie between 0 and 1"),
        ("hold-out", {"test_share": "x"}, "must lie between 0 and 1"),
        ("hold-out", {"test_share": float("nan")}, "must lie between 0 and 1"),
        ("bootstrap", {"rounds": 0}, "rounds must be a whole number"),
        ("progressive", {"folds": 43}, "with 43 folds needs at least 44 rows"),
    ],
)
def test_what_cannot_be_done_is_refused(scheme: str, options: dict[str, Any], told: str) -> None:
    with pytest.raises(HoldfastError, match=told):
        plan(scheme, Y, **options)


def test_too_few_rows_are_refused() -> None:
    for scheme in ("leave-one-out", "5x2", "bootstrap"):
        with pytest.raises(HoldfastError, match=r"at least 2 rows; there is 1\."):
            plan(scheme, ["a"])
    for empty in ([], np.empty(0), 0):
        with pytest.raises(HoldfastError, match="at least"):
            plan("kfold", empty)
    for wrong in ("text", np.zeros((4, 2)), 1.5, True, None):
        with pytest.raises(HoldfastError):
            plan("kfold", wrong)
    with pytest.raises(HoldfastError, match="need the labels"):
        plan("stratified", 40)
    with pytest.raises(HoldfastError, match=r"'rare' has 1\. Ask for the scheme 'kfold'"):
        plan("stratified", ["rare", *"aabb"], folds=2)


def test_a_name_that_is_none_gets_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'stratified'"):
        plan("stratifed", Y)
    assert plan("Leave_One_Out", Y).scheme == "leave-one-out"


def test_usual_values_of_options_never_hurt() -> None:
    """So that a caller may hand on its own defaults."""
    for scheme in SCHEMES:
        kept = made(scheme) if scheme != "grouped" else made(scheme, folds=10)
        groups = GROUPS if scheme == "grouped" else None
        told = plan(scheme, Y, folds=10, repeats=1, groups=groups, in_order=False)
        assert told.fingerprint == kept.fingerprint
    with pytest.raises(HoldfastError, match="no use for test_share"):
        plan("kfold", Y, test_share=0.3)  # nobody hands that on


def test_labels_of_any_plain_kind_are_told_apart() -> None:
    kinds: list[Any] = [Y.tolist(), Y.astype(object), [ord(y) for y in Y], np.array([y == "a" for y in Y])]
    for labels in kinds:
        assert plan("stratified", labels, folds=5).rows == len(Y)
    assert plan("stratified", Y.tolist(), folds=5).fingerprint == made("stratified", folds=5).fingerprint


def test_a_plan_travels_light() -> None:
    found = plan("leave-one-out", 10_000)
    assert len(pickle.dumps(found)) < 100_000
    again = pickle.loads(pickle.dumps(found))
    assert again.fingerprint == found.fingerprint
    assert again.test(9_999).tolist() == [9_999]
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
