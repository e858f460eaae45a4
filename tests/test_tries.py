"""What counts as a test that tries a method: one that declares it and does reach it."""

from __future__ import annotations

import ast

import pytest

from holdfast.errors import UnknownName
from tests.tries import declared_in, tries

DECLARED = """
from holdfast.bounds.betting import betting
from tests.tries import tries
METHODS = [betting]
def judged(): return METHODS
@tries("betting", how="enumerated")
def test_{}
"""


@pytest.mark.parametrize(
    ("body", "reaches"),
    [
        ("by_its_name(): betting(1)", True),
        ("through_a_list(bound=METHODS): ...", True),
        ("through_what_it_calls(): judged()", True),
        ("by_a_string(): find('betting')", True),
        ("by_the_import_alone(): star(1)", False),
    ],
)
def test_an_import_is_not_enough(body: str, reaches: bool) -> None:
    (trial,) = declared_in(ast.parse(DECLARED.format(body)), "tests/test_x.py")
    assert (trial.method, trial.how, trial.reaches) == ("betting", "enumerated", reaches)
    assert trial.test == f"tests/test_x.py::test_{body.partition('(')[0]}"


def test_unknown_methods_are_refused_where_they_are_declared() -> None:
    with pytest.raises(UnknownName):
        tries("beting", how="enumerated")
