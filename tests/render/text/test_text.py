"""What people read, pinned: every kind of text, never wider than a page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import find, find_procedure, methods, procedures
from holdfast.claims import Coverage, Guarantee
from holdfast.evidence import Counts, Losses
from holdfast.render.outline.parts import Sentence
from holdfast.render.phrases import claim_sentence as headline
from holdfast.render.text.answers import method_parts, methods_parts, procedure_parts
from holdfast.render.text.layout import as_text
from holdfast.render.text.text import bounds_parts, claim_parts, coverage_parts, plan_parts
from holdfast.wording import wrapped
from tests.snapshots import matches

VALUES = [0.1, 0.3, 0.2, 0.2, 0.1, 0.4, 0.2, 0.3, 0.1, 0.2] * 3
CLAIMS: dict[str, Any] = {
    "counts": lambda: hf.bound(Counts(8, 30)),
    "counts, upper": lambda: hf.bound(Counts(8, 30), side="upper"),
    "counts, lower": lambda: hf.bound(Counts(8, 30), side="lower"),
    "no errors": lambda: hf.bound(Counts(0, 100), side="upper"),
    "nothing but errors": lambda: hf.bound(Counts(10, 10)),
    "no data": lambda: hf.bound(Counts(0, 0)),
    "very many": lambda: hf.bound(Counts(123_456_789, 10**9), confidence="0.999999999999"),
    "rare among very many": lambda: hf.bound(Counts(3, 10**9), side="upper"),
    "asymptotic": lambda: hf.bound(Counts(8, 30), "wilson", confidence=0.9),
    "unlabelled": lambda: hf.bound(Counts(50, 1000), unlabelled=1000),
    "losses": lambda: hf.bound(Losses(VALUES)),
    "losses in units": lambda: hf.bound(Losses([-3.0, 12.0, 50.0] * 10, low=-100, high=100), "hoeffding"),
    "own ranges": lambda: hf.bound(Losses([0.1, 1.5], high=[1, 2])),
    "moments": lambda: hf.bound(Losses.from_moments(1000, 0.1, 0.02), side="upper"),
}
PLANS: dict[str, Any] = {
    "no errors": lambda: hf.plan(at_most=0.05),
    "acceptance": lambda: hf.plan(at_most=0.05, expect=0.03, power=0.9),
    "half-width": lambda: hf.plan(half_width=0.05),
    "half-width, expecting": lambda: hf.plan(half_width=0.05, expect=0.1, power=0.8, confidence=0.99),
}


def fits_the_page(text: str) -> str:
    for line in text.split("\n"):
        assert len(line) <= 80, line
        assert line == line.rstrip(), repr(line)
        assert "\x1b" not in line
    return text


@pytest.mark.parametrize("case", CLAIMS)
def test_a_claim_in_full_fits_the_page(case: str) -> None:
    claim = CLAIMS[case]()
    fits_the_page(as_text(*claim_parts(claim)))
    assert str(claim).count("\n") == 0
    for sentence in claim.assumes:
        assert " ".join(str(sentence).split()) in " ".join(as_text(*claim_parts(claim)).split())


def test_claims() -> None:
    told = [f"# {case}\n{as_text(*claim_parts(make()))}\n" for case, make in CLAIMS.items()]
    matches("text_claims", "\n".join(told))


def test_claims_of_arrays() -> None:
    few = hf.bound(Counts([0, 3, 0], [0, 10, 10]), delta=[0.05, 0.05, 0.01])
    many = hf.bound(Counts(np.arange(15), 1000), side="upper")
    grid = hf.bound(Counts([[1], [2]], [10, 20]), side="lower")
    empty = hf.bound(Counts([], 10))
    matches("text_arrays", "\n\n".join(str(claim) for claim in (few, many, grid, empty)))
    assert str(many).endswith("\n... and 5 more")
    assert str(empty) == ""


def test_every_bound() -> None:
    told = [
        as_text(*bounds_parts(hf.every_bound(Counts(8, 30)))),
        as_text(*bounds_parts(hf.every_bound(Losses(VALUES), side="upper", confidence=0.9))),
    ]
    matches("text_every_bound", fits_the_page("\n\n".join(told)))
    assert "Choosing the narrowest after looking voids the guarantee" in " ".join(told[0].split())
    assert str(hf.every_bound(Counts(8, 30))) == told[0]


def test_plans() -> None:
    told = [f"# {case}\n{as_text(*plan_parts(make()))}\n" for case, make in PLANS.items()]
    matches("text_plans", fits_the_page("\n".join(told)))
    assert str(PLANS["no errors"]()) == as_text(*plan_parts(PLANS["no errors"]()))


def test_verification() -> None:
    simulated = [
        Coverage("betting", n, 0.05, "both", 1 - missed / 300, 0.5, "beta(.1, .1)", missed, 300)
        for n, missed in ((5, 0), (100, 2))
    ]
    counted = Coverage("hoeffding", 10, 0.05, "both", 0.99175432, 0.470531)
    broken = [Coverage("liar", n, 0.05, "upper", 0.9 - n / 1000, 0.25, kept=False) for n in (10, 20)]
    told = {
        "one size": coverage_parts(hf.verify("clopper-pearson", 20), Guarantee.FINITE),
        "many sizes": coverage_parts(hf.verify("blaker", range(1, 101)), Guarantee.FINITE),
        "asymptotic": coverage_parts(hf.verify("agresti-coull", [10, 20, 30]), Guarantee.ASYMPTOTIC),
        "simulated too": coverage_parts([counted, *simulated], Guarantee.FINITE),
        "simulated only": coverage_parts(simulated, Guarantee.FINITE),
        "broken": coverage_parts(broken, Guarantee.FINITE),
    }
    shown = [f"# {case}\n{as_text(*parts)}\n" for case, parts in told.items()]
    matches("text_verification", fits_the_page("\n".join(shown)))


def test_of_sizes_that_rounding_alone_tells_apart_the_smallest_is_named() -> None:
    alike = [Coverage("blaker", n, 0.05, "both", 0.95 + excess, 0.05) for n, excess in ((3, 1e-3), (7, 2e-16), (9, 0))]
    assert "at n = 7," in as_text(*coverage_parts(alike, Guarantee.FINITE))


def test_the_catalog() -> None:
    catalog = [[entry.to_dict() for entry in entries] for entries in (methods(), procedures())]
    text = fits_the_page(as_text(*methods_parts(*catalog)))
    matches("text_methods", text)
    for bound in (*methods(), *procedures()):
        for name in (bound.name, *bound.aliases):
            assert name in text


@pytest.mark.parametrize("bound", methods(), ids=lambda bound: bound.name)
def test_an_entry_of_the_catalog_fits_the_page(bound: Any) -> None:
    text = fits_the_page(as_text(*method_parts(bound.to_dict())))
    assert text.startswith(bound.name)
    assert ">>>" not in text
    assert str(bound.source) in text


@pytest.mark.parametrize("procedure", procedures(), ids=lambda procedure: procedure.name)
def test_a_procedure_of_the_catalog_fits_the_page(procedure: Any) -> None:
    text = fits_the_page(as_text(*procedure_parts(procedure.to_dict())))
    assert text.startswith(procedure.name)
    assert ">>>" not in text
    assert str(procedure.source) in text
    assert all(name in text for name in procedure.rests_on)


def test_two_procedures_of_the_catalog() -> None:
    matches(
        "text_procedure",
        "\n\n".join(as_text(*procedure_parts(find_procedure(name).to_dict())) for name in ("fixed-sequence", "holm")),
    )


def test_two_entries_of_the_catalog() -> None:
    told = [as_text(*method_parts(find(name).to_dict())) for name in ("clopper-pearson", "hypergeometric")]
    matches("text_method", "\n\n".join(told))


def test_square_brackets_are_not_taken_for_markup() -> None:
    assert as_text(Sentence(("[bold]0.1[/bold]",))) == "[bold]0.1[/bold]"


@pytest.mark.parametrize("case", ["counts", "no errors", "rare among very many", "very many", "losses"])
def test_a_sentence_never_promises_more_than_the_claim(case: str) -> None:
    claim = CLAIMS[case]()
    words = headline(claim).rstrip(".").replace(" %", "%").split()
    shown = [float(word[:-1]) / 100 if word.endswith("%") else float(word) for word in words if word[0].isdigit()][1:]
    if claim.side != "upper":
        assert shown.pop(0) <= claim.lower * (1 + 1e-12)
    if claim.side != "lower":
        assert shown.pop(0) >= claim.upper * (1 - 1e-12)
    assert not shown


def test_huge_and_tiny_units_can_be_printed() -> None:
    for high in (1e-300, 1e-9, 1e9, 1e30, 1e300):
        claim = hf.bound(Losses([0.0, high], low=0, high=high))
        assert "squares" in str(claim)
        assert "With 95 %" in as_text(*claim_parts(claim))


def test_a_number_keeps_its_percent_sign() -> None:
    for start in range(60, 80):
        lines = wrapped("x" * start + " 100.0 % and more").split("\n")
        assert not any(line.startswith("%") for line in lines)
        assert " ".join(lines) == "x" * start + " 100.0 % and more"
