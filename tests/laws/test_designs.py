"""Measures, designs and divisions compose: whatever route leads to a number, it is the same number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.bounds.influence import influence
from holdfast.bounds.squares import squares
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.evidence.draws import Draws, Ratio
from tests.laws.designs import (
    CLUSTERS,
    CROSSED,
    DESIGNS,
    DIVISIONS,
    MOST,
    PATIENT,
    REGION,
    ROWS,
    SAMPLES,
    WEIGHT,
    WEIGHTS,
    Key,
    Sample,
    asymptotic,
    claims_of,
    kept,
    sentences_of,
    weights_of,
)
from tests.laws.estimates import BY_SKLEARN, Weighed, expected
from tests.needs import module

FEW = ["error-rate", "recall", "f1", "mcc", "auc", "brier"]  # of every kind of evidence one
SCORED = SAMPLES["scored"]
ONE_STRATUM = [name for name, design in DESIGNS.items() if not {"strata", "sampling"} & {*design}]


@cache
def told(sample: str, design: str, by: str | None = None, method: str | None = None) -> hf.Report:
    """What is said of the rows; with a method, only what is quickly computed."""
    quick = None if (sample, design) == ("binned", "rows") else method  # which are counted
    return SAMPLES[sample].report(DESIGNS[design], by=by, method=quick)


def same(one: Claim, other: Claim) -> bool:
    """Whether two claims have the same estimate and limits, by the same method and from as many draws."""
    numbers = [[np.nan if each is None else each for each in (c.estimate, c.lower, c.upper)] for c in (one, other)]
    close = np.allclose(*np.array(numbers, float), rtol=1e-9, atol=1e-11, equal_nan=True)
    return close and (one.method, one.n) == (other.method, other.n)


def differing(one: Mapping[Key, Claim], other: Mapping[Key, Claim]) -> list[str]:
    """The claims that are not in both, or not the same."""
    pairs = [(key, one.get(key), other.get(key)) for key in {**one, **other}]
    return [f"{key}: {a} | {b}" for key, a, b in pairs if a is None or b is None or not same(a, b)]


def within(designs: Iterable[str]) -> list[Any]:
    """Samples, designs and divisions crossed; a table of three labels, and whole clusters, with the long tests."""
    several = [*designs]
    crossed = [each for each in CROSSED if each[1] in several]
    return [
        pytest.param(sample, design, by, marks=[pytest.mark.long] * (sample == "many" or by == "whole"))
        for sample, design in crossed
        for by in (None, *DIVISIONS)
    ]


WALKED = within(DESIGNS)


# ---- Estimates


@pytest.mark.crossing(14)
@pytest.mark.parametrize(("sample", "design", "by"), WALKED)
def test_estimates_are_those_of_scikit_learn_with_what_rows_weigh(sample: str, design: str, by: str | None) -> None:
    held, report = SAMPLES[sample], told(sample, design, by, method="influence")
    weight, tried = weights_of(DESIGNS[design], held), set()
    for group in (None,) if by is None else (None, *(f"{by}={name}" for name in np.unique(DIVISIONS[by]))):
        where = np.ones(ROWS, bool) if group is None else DIVISIONS[str(by)] == group.partition("=")[2]
        rows = Weighed(weight[where], **kept(held.columns, where))
        for (measure, label, per, _), claim in claims_of(report, group).items():
            if per == "row" and measure != "posterior-loss":
                named = int(label) if label is not None and label.isdigit() else label
                assert claim.estimate == pytest.approx(expected(measure, rows, named), rel=1e-9, abs=1e-12), measure
                tried.add(measure)
    assert tried >= {"scored": {*BY_SKLEARN}, "binned": {"ece", "calibration"}, "many": {"kappa"}}.get(
        sample, {"error-rate", "accuracy"}
    )


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", DESIGNS)
def test_it_is_the_same_whether_asked_for_alone_or_with_all_others(design: str) -> None:
    every = claims_of(told("scored", design, method="influence"))
    for name in FEW:
        of_it = {key: claim for key, claim in every.items() if key[0] == name}
        fits = any(claim.method == "influence" for claim in of_it.values())
        alone = SCORED.report(DESIGNS[design], only=name, method="influence" if fits else None)
        assert of_it
        assert not differing(claims_of(alone), of_it)


@pytest.mark.crossing(5)
@pytest.mark.parametrize("holder", ["polars", "pandas"])
@pytest.mark.parametrize("design", DESIGNS)
def test_neither_the_order_of_rows_nor_who_holds_them_matters(design: str, holder: str) -> None:
    if holder == "pandas":
        for name in ("pandas", "pyarrow"):
            module(name)
    order = np.random.default_rng(1).permutation(ROWS)
    given = {**SCORED.columns, **DESIGNS[design]}
    shuffled = kept(given, order)
    frame = pl.DataFrame({name: each for name, each in shuffled.items() if isinstance(each, np.ndarray)})
    facts = {name: each for name, each in given.items() if name not in frame.columns}
    named = {"clusters": "cluster", "weights": "weight"}
    columns = {named.get(name, name): name for name in frame.columns}
    every = claims_of(told("scored", design, method="influence"))
    for rows in (frame, frame.lazy()) if holder == "polars" else (frame.to_pandas(),):
        read = hf.read(rows, **columns)
        again = hf.assess(read, **SCORED.stated, **facts, method="influence")
        assert not differing(every, claims_of(again))


def test_a_design_is_stated_by_its_names_or_as_one_thing() -> None:
    for design in DESIGNS.values():
        stated = SCORED.report({}, design=hf.Design(**design), only=FEW)
        assert not differing(claims_of(SCORED.report(design, only=FEW)), claims_of(stated))
    weighed = SCORED.report({}, sample_weight=WEIGHT, max_weight=2.0, only=FEW)
    assert not differing(claims_of(SCORED.report(WEIGHTS, only=FEW)), claims_of(weighed))


# ---- The same limits, where the design declares it


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("design", "by"),
    [*((each, "cutting") for each in ONE_STRATUM), ("clusters", "whole"), ("capped clusters", "whole")],
)
def test_a_group_is_its_rows_filtered(design: str, by: str) -> None:
    """Limits too; not within strata of known shares, where those of the population stay."""
    for sample, names in (("scored", FEW), ("graded", None), ("binned", None)):
        more = {} if names is None else {"only": names}
        report = SAMPLES[sample].report(DESIGNS[design], by=by, **more)
        for name in np.unique(DIVISIONS[by]):
            alone = SAMPLES[sample].report(DESIGNS[design], DIVISIONS[by] == name, **more)
            of_group = claims_of(report, f"{by}={name}")
            assert len(of_group) >= (2 if names is None else len(names))
            assert not differing(of_group, of_positive(claims_of(alone)))


@pytest.mark.long
@pytest.mark.parametrize("by", DIVISIONS)
@pytest.mark.parametrize("sample", ["scored", "many"])
@pytest.mark.parametrize("design", ONE_STRATUM)
def test_a_group_is_its_rows_filtered_for_every_measure(sample: str, design: str, by: str) -> None:
    report, names = told(sample, design, by), SAMPLES[sample].names
    for name in np.unique(DIVISIONS[by]):
        alone = SAMPLES[sample].report(DESIGNS[design], DIVISIONS[by] == name, only=names)
        of_group = claims_of(report, f"{by}={name}")
        assert not differing(of_group, of_positive(claims_of(alone)))


def of_positive(claims: Mapping[Key, Claim]) -> dict[Key, Claim]:
    """Each group gets the lines of the positive class, where there is one."""
    return {key: claim for key, claim in claims.items() if key[1] != "0"}


def test_within_strata_of_known_shares_a_group_is_not_its_rows_filtered() -> None:
    """The shares are those of the population, which the group has others of."""
    report = SCORED.report(DESIGNS["clusters, strata"], by="cutting", only="error-rate")
    alone = SCORED.report(DESIGNS["clusters, strata"], DIVISIONS["cutting"] == "x", only="error-rate")
    assert report["error-rate", None, "cutting=x"].estimate != pytest.approx(alone["error-rate"].estimate, rel=1e-6)


@pytest.mark.parametrize("sample", ["scored", "graded", "binned", pytest.param("many", marks=pytest.mark.long)])
def test_clusters_of_at_most_one_row_are_rows(sample: str) -> None:
    names = np.random.default_rng(2).permutation(ROWS)
    for by in (None, "cutting"):
        rows = told(sample, "rows", by) if by else told(sample, "rows")
        clusters = SAMPLES[sample].report({"clusters": names, "max_cluster": 1}, by=by)
        for group in (None,) if by is None else (None, "cutting=x", "cutting=y"):
            assert not differing(without_posteriors(claims_of(rows, group)), claims_of(clusters, group))


def without_posteriors(claims: Mapping[Key, Claim]) -> dict[Key, Claim]:
    """What a model itself expects is said of rows that are draws of their own only."""
    return {key: claim for key, claim in claims.items() if key[0] != "posterior-loss"}


@pytest.mark.crossing(8)
@pytest.mark.parametrize(("sample", "design", "by"), within(name for name in ONE_STRATUM if name != "rows"))
def test_one_stratum_is_none(sample: str, design: str, by: str | None) -> None:
    """What holds at every sample size may be another method's, for nobody says that there is one stratum only."""
    one = {**DESIGNS[design], "strata": np.full(ROWS, "all"), "shares": {"all": 1.0}}
    report = SAMPLES[sample].report(one, by=by, method="influence")
    for group in {line.group for line in report.lines}:
        plain = asymptotic(claims_of(told(sample, design, by, method="influence"), group))
        within = asymptotic(claims_of(report, group))
        assert len(plain) >= 3
        assert [key for key in plain if key not in within] == []
        assert not [key for key, claim in plain.items() if not same_but_n(claim, within[key])]


def same_but_n(one: Claim, other: Claim) -> bool:
    """Where strata are known every draw counts, with or without a row of the group."""
    return same(one, Claim(**{**vars(other), "n": one.n})) and other.n >= one.n


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("design", ["clusters", "capped clusters", "clusters, strata"])
def test_weights_that_are_all_one_are_none(sample: str, design: str) -> None:
    """A most of one does not say that all are: what holds at every sample size may be another method's."""
    plain = asymptotic(claims_of(told(sample, design, method="influence")))
    one = {**DESIGNS[design], "weights": np.ones(ROWS), "max_weight": 1.0}
    weighed = asymptotic(claims_of(SAMPLES[sample].report(one, method="influence")))
    assert len(plain) >= 3
    assert not differing(plain, weighed)


def test_rows_that_stand_twice_weigh_two() -> None:
    """As many clusters, which can hold as much: limits of either kind are the same."""
    times = 1 + (np.arange(ROWS) % 3 == 0)
    twice = np.repeat(np.arange(ROWS), times)
    weighed = SCORED.report({**CLUSTERS, "weights": times.astype(float), "max_weight": 2}, only=FEW)
    columns, rows = kept(SCORED.columns, twice), {"clusters": PATIENT[twice], "max_cluster": 2 * MOST}
    assert not differing(claims_of(weighed), claims_of(Sample(columns, SCORED.stated).report(rows, only=FEW)))


def test_chances_are_weights_of_one_over_them() -> None:
    weighed = {"weights": WEIGHT * 2, "max_weight": 4.0}
    assert not differing(claims_of(told("scored", "chances")), claims_of(SCORED.report(weighed)))


@pytest.mark.parametrize("design", ["capped weights", "clusters, weights", "clusters, strata, weights"])
def test_only_what_weights_are_to_each_other_matters(design: str) -> None:
    stated = {**DESIGNS[design], "weights": WEIGHT * 8, "max_weight": 16.0}
    assert not differing(claims_of(told("scored", design)), claims_of(SCORED.report(stated)))


def test_classes_are_strata_of_which_the_shares_are_the_prevalence() -> None:
    names = np.array(["0", "1"])[SCORED.columns["truth"]]
    strata = SCORED.report({"strata": names, "shares": {"1": 0.2, "0": 0.8}}, method="influence")
    by_class, within = (asymptotic(claims_of(each)) for each in (told("scored", "by class"), strata))
    shared = [key for key in by_class if key in within]
    assert {"mcc", "average-precision", "brier", "log-loss"} <= {key[0] for key in shared}
    assert not [key for key in shared if not same_but_n(by_class[key], within[key])]


def test_shares_are_weights_that_undo_how_many_were_drawn() -> None:
    """The factors are given as weights instead; their most is one, as that of factors is."""
    undo = weights_of(DESIGNS["clusters, strata"], SCORED)
    stated = {**CLUSTERS, "strata": REGION, "weights": undo / undo.max(), "max_weight": 1.0}
    for sample in SAMPLES:
        shares = told(sample, "clusters, strata")
        assert not differing(claims_of(shares), claims_of(SAMPLES[sample].report(stated)))


@pytest.mark.parametrize("delta", [0.05, 0.2])
def test_limits_are_those_of_what_each_draw_adds_at_the_delta_asked_for(delta: float) -> None:
    """Errors and rows of each patient by their weights, summed up here; no patient can weigh more than the caps say."""
    wrong = SCORED.columns["truth"] != SCORED.columns["predicted"]
    names, place = np.unique(PATIENT, return_inverse=True)
    above, below = (np.bincount(place, WEIGHT * each) for each in (wrong, np.ones(ROWS)))
    ratio = Ratio(above, below, Draws(np.ones(names.size), most=2.0 * MOST))
    claims = claims_of(SCORED.report(DESIGNS["clusters, weights"], only="error-rate", delta=delta))
    for method, guarantee in ((squares, "FINITE"), (influence, "ASYMPTOTIC")):
        claim, alone = claims["error-rate", None, "row", guarantee], method(ratio, delta)
        assert same(claim, alone)
        assert claim.delta == delta


@pytest.mark.parametrize("design", DESIGNS)
def test_a_model_differs_from_itself_by_nothing(design: str) -> None:
    columns = SCORED.columns
    twice = [{"a": columns[name], "b": columns[name]} for name in ("predicted", "score")]
    for by in (None, "cutting"):
        groups = {} if by is None else {"groups": {by: DIVISIONS[by]}, "by": by}
        report = hf.compare(columns["truth"], *twice, only=FEW, positive=1, **groups, **DESIGNS[design])
        differences = [line for line in report.lines if line.against == "b"]
        assert {line.measure for line in differences} == {f"{name}-difference" for name in FEW}
        for line in differences:
            assert line.claim.estimate == 0, line.measure
            assert line.claim.lower == pytest.approx(-line.claim.upper), line.measure
            assert line.claim.upper > 0, line.measure
        assert {pair.p for pair in report.facts.pairs} == {1.0}
        assert {pair.outcome for pair in report.facts.pairs} == {"no difference"}


# ---- What is assumed


@pytest.mark.parametrize(("sample", "design", "by"), WALKED)
def test_every_line_says_how_the_rows_were_drawn(sample: str, design: str, by: str | None) -> None:
    stated = DESIGNS[design]
    must, never = sentences_of(stated)
    for line in told(sample, design, by, method="influence").lines:
        assumed = {*line.claim.assumes}
        if design != "by class":
            assert must <= assumed, line.measure
        assert not (never - {Assumption.INDEPENDENT}) & assumed, line.measure
        if "clusters" in stated or "strata" in stated:
            assert Assumption.INDEPENDENT not in assumed, line.measure


@pytest.mark.crossing(7)
@pytest.mark.parametrize(("sample", "design"), [each for each in CROSSED if each[0] != "many"])
def test_nothing_holds_at_every_sample_size_without_the_caps_that_it_needs(sample: str, design: str) -> None:
    stated, report = DESIGNS[design], told(sample, design)
    weighed = bool({"weights", "inclusion"} & {*stated})
    needed = {Assumption.CAPPED_CLUSTERS: "clusters" in stated, Assumption.CAPPED_WEIGHTS: weighed}
    known = {Assumption.CAPPED_CLUSTERS: "max_cluster" in stated, Assumption.CAPPED_WEIGHTS: "max_weight" in stated}
    caps = {each for each, there in needed.items() if there}
    finite = [line for line in report.lines if line.claim.guarantee is Guarantee.FINITE and line.claim.per == "row"]
    assert bool(finite) == all(known[cap] for cap in caps)
    for line in report.lines:
        said = {Assumption.CAPPED_CLUSTERS, Assumption.CAPPED_WEIGHTS} & {*line.claim.assumes}
        assert said == (caps if line in finite else set()), line.measure


def test_the_average_cluster_needs_no_cap_and_is_said_where_clusters_weigh_the_same() -> None:
    for design in DESIGNS:
        averages = [line for line in told("scored", design).lines if line.claim.per == "cluster"]
        assert bool(averages) == (design == "clusters")
        assert all(line.claim.guarantee is Guarantee.FINITE for line in averages)
