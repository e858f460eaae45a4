"""A name that is nearly right is answered with the right one; all other names with the list."""

from __future__ import annotations

import pytest

from holdfast.errors import HoldfastError, InvalidEvidence, UnfitMethod, UnknownName

KNOWN = ["wilson", "CP", "clopper-pearson", "mid-p", "WIL"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wilsn", "wilson"),
        ("Willson", "wilson"),
        ("clopper_person", "clopper-pearson"),
        ("CLOPPER-PEARSON", "clopper-pearson"),
        ("midp", "mid-p"),
        ("wli", "WIL"),
    ],
)
def test_a_near_miss_gets_one_hint(typed: str, meant: str) -> None:
    error = UnknownName("method", typed, KNOWN)
    assert str(error) == f"There is no method named {typed!r}; did you mean {meant!r}?"


def test_a_far_miss_gets_the_list_once_and_in_order() -> None:
    error = UnknownName("side", "sideways", ["upper", "lower", "both", "upper"])
    assert str(error) == "There is no side named 'sideways'; choose from both, lower, upper."


@pytest.mark.parametrize("given", [None, 3, 2.5, ["wilson"], b"wilson", ""])
def test_a_name_may_be_anything(given: object) -> None:
    assert f"There is no method named {str(given)!r}; " in str(UnknownName("method", given, KNOWN))


@pytest.mark.parametrize("kind", [InvalidEvidence, UnfitMethod, UnknownName])
def test_whoever_catches_value_errors_catches_ours(kind: type[Exception]) -> None:
    assert issubclass(kind, HoldfastError)
    assert issubclass(HoldfastError, ValueError)


def test_a_name_with_line_breaks_is_told_in_one_line() -> None:
    error = UnknownName("column", "a\nb", ["first\nsecond", "third"])
    assert "\n" not in str(error)
