"""All statements of a report at once, where it is chance that says of how many labels."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import exp, log

import numpy as np
import pytest

import holdfast as hf
from holdfast.evidence import Array
from holdfast.verbs.jointly import OF_NUMBER, Statements, at_each_look, labels_on_average


def occupied(blocks: int, draws: int) -> Array:
    """The chance of each number of different blocks, where each draw is one of equally likely ones."""
    number, chance = np.arange(blocks + 1), np.zeros(blocks + 1)
    chance[0] = 1.0
    for _ in range(draws):
        stays = chance * number / blocks
        chance = stays + np.concatenate(([0.0], (chance - stays)[:-1]))
    return chance


@pytest.mark.parametrize("delta", [0.2, 0.05, 0.005])
@pytest.mark.parametrize("in_draw", [1, 2, 5])
def test_the_number_of_labels_on_average_is_bounded(delta: float, in_draw: int) -> None:
    """By enumeration: labels come in blocks, which a draw holds whole, so that their number varies the most."""
    for blocks, draws in product((1, 2, 3, 10, 50, 400), (1, 2, 5, 20, 100)):
        chance = occupied(blocks, draws)
        number = in_draw * np.arange(blocks + 1)
        bounds = np.array([labels_on_average(int(found), delta, in_draw) for found in number])
        assert chance @ (bounds < chance @ number) <= delta


def test_its_closed_form_is_no_less_than_what_it_stands_for() -> None:
    for z, delta in product((0.01, 0.5, 1.0, 1.5, 20.0, 1e4), (0.5, 0.05, 1e-3, 1e-9)):
        mu = labels_on_average(1, delta, 1 / z) * z  # one label of which a draw holds 1 / z is z draws' worth
        assert exp(-mu + z + z * log(mu / z)) <= delta * (1 + 1e-9)


def test_delta_is_shared_by_the_labels_that_there_are_on_average_and_not_by_those_found() -> None:
    """The level that a union over all labels of the population needs is kept, however many happen to occur."""
    labels, n, delta = 30, 20, 1e-5
    expected = labels * (1 - (1 - 1 / labels) ** n)
    rng = np.random.default_rng(1)
    for _ in range(10):
        truth = rng.integers(labels, size=n).astype(str)
        found = hf.assess(truth, truth, only="recall", delta=delta, simultaneous=True)
        assert found.details["simultaneous"]["each"] <= (1 - OF_NUMBER) * delta / expected
        known = [str(label) for label in range(labels)]
        declared = hf.assess(truth, truth, only="recall", delta=delta, simultaneous=True, labels=known)
        assert declared.details["simultaneous"]["each"] == pytest.approx(delta / labels, rel=0.01)


def test_limits_that_are_not_nested_are_paid_for_at_every_level_that_may_be_used() -> None:
    """All levels that are no larger than the one that holds, summed, for every number of labels that there may be."""
    statements, delta = Statements(3, 2, 4, 1, draws=100), 0.05
    levels = {
        float(statements.among(found, 100).each(delta)): statements.among(found, 100).labels(delta)
        for found in range(1, 202)
    }
    assert len(levels) <= 9  # powers of two up to 256
    for average in levels.values():
        valid = [level for level, labels in levels.items() if labels >= average]
        nested = max(valid) * (3 + 4 * average)
        assert nested + sum(valid) * (2 + average) <= (1 - OF_NUMBER) * delta
    scored = {"truth": ["a", "b"] * 20, "predicted": ["a", "b", "b", "a"] * 10, "score": [0.2, 0.7] * 20}
    losses, rates = (
        hf.assess(**scored, positive="b", simultaneous=True, only=only).details["simultaneous"]["each"]
        for only in (["recall", "log-loss"], ["recall", "error-rate"])
    )
    assert losses < 0.6 * rates


def test_no_report_holds_a_false_line_more_often_than_promised() -> None:
    """By enumeration of all samples: truth and prediction are each of three labels, alike in six of ten rows."""
    n, delta = 3, 0.5
    names = ["recall", "precision", "prevalence", "f1", "false-positive-rate"]
    reports = {}
    for cells in combinations_with_replacement(range(9), n):
        rows = ["abc"[cell // 3] for cell in cells], ["abc"[cell % 3] for cell in cells]
        reports[cells] = hf.assess(*rows, only=names, delta=delta, simultaneous=True)
    for shares in ((0.5, 0.3, 0.2), (0.9, 0.05, 0.05), (0.6, 0.39, 0.01)):
        share = np.array(shares)
        joint = 0.6 * np.diag(share) + 0.4 * np.outer(share, share[::-1])  # truth, predicted
        hits, actual, predicted = np.diagonal(joint), joint.sum(axis=1), joint.sum(axis=0)
        true = {"recall": hits / actual, "precision": hits / predicted, "prevalence": actual}
        true |= {"f1": 2 * hits / (actual + predicted), "false-positive-rate": (predicted - hits) / (1 - actual)}
        wrong = 0.0
        for cells, report in reports.items():
            values = [(line.claim, true[line.measure]["abc".index(str(line.label))]) for line in report.whole]
            missed = any(not claim.lower <= value <= claim.upper for claim, value in values)
            wrong += _chance(cells, joint.ravel()) * missed
        assert wrong <= delta


def _chance(cells: tuple[int, ...], shares: Array) -> float:
    """Of these rows in any order."""
    orders = 6 // np.prod([[1, 1, 2, 6][cells.count(cell)] for cell in {*cells}])
    return float(orders * np.prod(shares[list(cells)]))


def test_what_is_about_no_label_is_shared_as_ever() -> None:
    assert Statements(10).each(0.05) == 0.005
    report = hf.assess(correct=[1, 0] * 20, simultaneous=True)
    assert report.details["simultaneous"]["each"] == 0.05 / len(report.whole)
    assert not [note for note in report.details["notes"] if "hold together whichever" in note]


def test_labels_that_somebody_named_are_no_labels_found() -> None:
    truth = ["a", "b"] * 20
    each = {}
    for name, options in {"found": {}, "named": {"positive": "a"}, "declared": {"labels": "ab"}}.items():
        report = hf.assess(truth, truth, only=["recall", "error-rate"], simultaneous=True, **options)
        each[name] = report.details["simultaneous"]["each"]
        told = [note for note in report.details["notes"] if "hold together whichever labels occur" in note]
        assert bool(told) is (name != "declared")
    assert each["found"] > each["named"]  # the label that is not named is one of those found all the same
    assert each["declared"] == pytest.approx(0.05 / 3, rel=0.01)


def test_clusters_hold_more_labels_than_rows_do() -> None:
    truth = ["a", "b"] * 20
    options = {"only": "recall", "simultaneous": True, "clusters": np.arange(40) // 2}
    each = [hf.assess(truth, truth, max_cluster=cap, **options).details["simultaneous"]["each"] for cap in (2, 4)]
    assert each[0] > each[1]


def test_other_levels_hold_together_too() -> None:
    truth = ["a", "b", "c"] * 20
    narrow, wide = (
        hf.assess(truth, truth, only="recall", simultaneous=True, confidence=level) for level in (0.95, 0.99)
    )
    assert narrow.views["levels"]["claims"]["0.99"] == wide.views["levels"]["claims"]["0.99"]


def test_looks_have_equal_parts_of_delta() -> None:
    assert [at_each_look(0.05, looks) for looks in (1, 3, 4)] == [0.05, 0.0166, 0.0125]  # said in three digits
    for looks in (0, 1.5, True, "2", 10**7):
        with pytest.raises(hf.HoldfastError, match="looks must be a whole number"):
            at_each_look(0.05, looks)
