"""Groups of rows as they were drawn: laid out or filtered, they say the same."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find_measure
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.tally.designs.divided import Divided, Division
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings

RANDOM = np.random.default_rng(5)
ENTRIES, DRAWS = 600, 40
GROUP = RANDOM.integers(0, 3, ENTRIES)
DIVISION = Division(("a", "b", "c"), GROUP)
LABELS = ("x", "y", "z")
TABLES = ["error-rate", "recall", "precision", "f1", "macro-f1", "mcc", "kappa", "balanced-accuracy", "prevalence"]


def rows(weighed: bool = True) -> Divided:
    weight = RANDOM.random(ENTRIES) + 0.1 if weighed else RANDOM.integers(1, 4, ENTRIES).astype(np.float64)
    truth, predicted = RANDOM.integers(0, 3, (2, ENTRIES))
    count = RANDOM.integers(1, 4, ENTRIES).astype(np.float64) if weighed else None
    draw = RANDOM.integers(0, DRAWS, ENTRIES)
    draws = Draws(np.ones(DRAWS), most=100.0)
    known = {"count": count, "labels": LABELS, "truths": np.arange(3)}
    return Divided(Drawn(draws, draw, weight, truth, predicted, **known), (DIVISION,))


def assert_alike(one: Drawn, other: Drawn, name: str) -> None:
    measure = find_measure(name)
    mine, theirs = dict(readings(measure, one)), dict(readings(measure, other))
    assert mine.keys() == theirs.keys()
    for label, each in mine.items():
        known = theirs[label]
        if isinstance(each, Ratio):
            assert isinstance(known, Ratio)
            assert each.above == pytest.approx(known.above, abs=1e-12)
            assert each.below == pytest.approx(known.below, abs=1e-12)
            assert each.n == known.n
        else:
            assert isinstance(each, Influence)
            assert isinstance(known, Influence)
            assert each.value == pytest.approx(known.value, abs=1e-12)
            assert each.values == pytest.approx(known.values, abs=1e-12)
            assert each.fewest == known.fewest


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weighed", [False, True])
def test_rows_that_are_laid_out_say_what_they_said(name: str, weighed: bool) -> None:
    divided = rows(weighed)
    assert divided.whole.kinds == 9
    assert_alike(divided.whole, divided.rows, name)
    for place, (group, part) in enumerate(divided.parts(DIVISION)):
        assert_alike(part, divided.rows.kept(place == GROUP, group), name)
        assert_alike(divided.rest(DIVISION, place, part), divided.rows.kept(place != GROUP, group), name)


def test_what_is_left_of_a_draw_that_is_all_of_one_group_is_nothing() -> None:
    divided = rows()
    alone = Divided(divided.rows, (Division(("a", "b"), (divided.rows.draw > 2).astype(np.int64)),))
    (division,) = alone.divisions
    for place, (_, part) in enumerate(alone.parts(division)):
        (left,) = (each for _, each in readings(find_measure("error-rate"), alone.rest(division, place, part)))
        assert int(left.n) == (DRAWS - 3 if place == 0 else 3)


def test_rows_with_scores_or_many_labels_stay_as_they_are() -> None:
    divided = rows()
    scored = Divided(divided.rows.at(np.arange(ENTRIES), None))
    assert scored.whole.kinds == 9
    known = {"labels": tuple("abcdefgh"), "truths": np.arange(8)}
    many = Divided(Drawn(divided.rows.draws, divided.rows.draw, divided.rows.weight, GROUP, GROUP, **known))
    assert many.whole is many.rows


def test_what_the_whole_has_besides_a_part_is_read_off_the_other_rows() -> None:
    divided, measure = rows(), find_measure("recall")
    whole = dict(readings(measure, divided.rows))
    for place in range(3):
        part, rest = (dict(readings(measure, divided.rows.kept(w, None))) for w in (place == GROUP, place != GROUP))
        for label, ratio in whole.items():
            left = ratio.without(part[label])
            assert left.above == pytest.approx(rest[label].above, abs=1e-12)
            assert np.array_equal(left.below > 0, rest[label].below > 0)


def test_rounding_beside_far_heavier_rows_is_no_draw_that_is_left() -> None:
    weight, draw = np.array([0.1, 0.7, 0.3, 1e6, 3.3]), np.array([0, 0, 0, 1, 1])
    held = Drawn(Draws(np.ones(2)), draw, weight, value=np.array([1.0, 0.0, 1.0, 1.0, 0.0]))
    whole, part = (each.ratio(each.value) for each in (held, held.kept(draw == 0, "light")))
    assert whole.below[0] != part.below[0]
    assert (whole.without(part).below > 0).tolist() == [False, True]
