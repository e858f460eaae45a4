"""The area of all rows but those of a group, in one walk: that of these rows by themselves."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find_measure
from holdfast.evidence.draws import Draws, Influence
from holdfast.evidence.value import Scale
from holdfast.tally.designs import areas
from holdfast.tally.designs.divided import Divided, Division
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings

RANDOM = np.random.default_rng(6)
ROWS, DRAWS = 500, 25
GROUP = RANDOM.integers(0, 4, ROWS)
DIVISION = Division(("a", "b", "c", "d"), GROUP)


def ranked(digits: int) -> Divided:
    truth = RANDOM.integers(0, 2, ROWS)
    scores = np.round(RANDOM.random(ROWS) + 0.3 * truth, digits)
    weight, draw = RANDOM.choice([0.3, 1.0, 2.5], ROWS), RANDOM.integers(0, DRAWS, ROWS)
    rows = Drawn(Draws(np.ones(DRAWS)), draw, weight, truth, labels=("0", "1"), truths=np.arange(2))
    made = Drawn(**{**vars(rows), "scores": {"1": scores}})
    return Divided(made, (DIVISION,)).by_score


@pytest.mark.parametrize("name", ["auc", "gini"])
@pytest.mark.parametrize("digits", [0, 1, 15])
@pytest.mark.parametrize("block", [32, areas.BLOCK])
def test_the_area_of_others_is_that_of_their_rows(
    name: str, digits: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(areas, "BLOCK", block)
    divided, measure = ranked(digits), find_measure(name)
    (division,) = divided.divisions
    found = areas.areas_of_others(divided.rows, "1", division, Scale(*measure.range))
    assert found is not None
    for place, each in enumerate(found):
        ((_, known),) = readings(measure, divided.rows.kept(division.codes != place, None))
        assert isinstance(known, Influence)
        assert each.value == pytest.approx(known.value, abs=1e-12)
        assert each.values == pytest.approx(known.values, abs=1e-12)
        assert each.leverage == pytest.approx(known.leverage, abs=1e-12)
        assert each.fewest == known.fewest


def test_others_without_a_class_have_no_area() -> None:
    divided = ranked(1)
    rows = divided.rows
    codes = np.where(rows.truth == 1, 0, 1)
    found = areas.areas_of_others(rows, "1", Division(("ill", "well"), codes), Scale(0.0, 1.0))
    assert found is not None
    assert all(np.isnan(each.value) for each in found)


def test_too_many_groups_and_draws_are_read_off_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "MOST", 10)
    divided = ranked(1)
    assert areas.areas_of_others(divided.rows, "1", divided.divisions[0], Scale(0.0, 1.0)) is None
