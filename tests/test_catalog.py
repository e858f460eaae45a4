"""Finding a method by any of its names, and being told what fits where it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import Bound, find, method, methods
from holdfast.catalog.bound import NEEDS
from holdfast.catalog.measure import implied
from holdfast.claims import Guarantee, Source
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence import Array, Counts, Losses, Sample
from holdfast.evidence.evidence import Need
from holdfast.numerics.limit import Upper
from tests.snapshots import matches, messages

OWN_RANGES = Losses([0.1, 1.5], high=[1, 2])


def test_a_method_is_found_by_each_of_its_names_however_written() -> None:
    for bound in methods():
        for name in (bound.name, *bound.aliases):
            for written in (name, name.upper(), name.lower(), name.replace("-", "_"), f" {name.replace('_', '-')} "):
                assert find(written) is bound
        assert find(bound) is bound


def test_the_surveys_short_names_are_methods() -> None:
    wanted = {"NOR": "normal", "WIL": "wilson", "CP": "clopper-pearson", "BER": "bernstein", "HOE": "hoeffding"}
    wanted |= {"T_HOE": "hoeffding-kl", "CHE": "CHE", "GUT": "GUT", "MAU": "MAU", "CRF": "CRF"}
    assert {short: find(short).name for short in wanted} == wanted


def test_every_method_of_the_contract_is_there() -> None:
    wanted = (
        "clopper-pearson wilson normal agresti-coull jeffreys mid-p blaker chebyshev guttman bernstein maurer-pontil "
        "chernoff hoeffding hoeffding-kl bentkus betting hypergeometric"
    )
    assert set(wanted.split()) <= {bound.name for bound in methods()}


def test_methods_are_listed_once() -> None:
    names = [bound.name for bound in methods()]
    assert len(names) == len(set(names))


def test_an_entry_says_what_the_contract_asks() -> None:
    entry = find("CP")
    assert (entry.name, entry.aliases) == ("clopper-pearson", ("CP", "exact"))
    assert (entry.guarantee, entry.takes) == (Guarantee.FINITE, (Counts,))
    assert entry.source == Source("anguita2012", "(26)")
    assert find("wilson").takes == (Counts, Losses)


def test_an_entry_as_plain_values_is_complete() -> None:
    for entry in (bound.to_dict() for bound in methods()):
        assert entry["summary"].endswith("."), entry["name"]
        assert len(entry["summary"]) > 20, entry["name"]
        assert "\nExamples\n" not in entry["notes"], entry["name"]
        assert ">>>" not in entry["notes"], entry["name"]
        assert len(entry["notes"]) > 40, entry["name"]
        assert entry["takes"], entry["name"]
        assert entry["assumes"], entry["name"]


def test_a_method_may_need_only_what_is_known_and_somebody_says_what_to_do_without() -> None:
    assert {*NEEDS} == {*Need} - {Need.ONE_RANGE}
    assert {bound.needs for bound in methods()} <= {None, *NEEDS}
    with pytest.raises(UnknownName, match="no need named 'valeus'; did you mean 'values'"):

        @method(name="needy", guarantee=Guarantee.HEURISTIC, source=Source("zaki2014", "1"), needs="valeus")
        def _(losses: Losses, delta: Array) -> Upper:  # pragma: no cover
            raise NotImplementedError


# ---- What does not fit


def test_every_misfit_says_what_would_fit() -> None:
    moments, counts = Losses.from_moments(10, 0.2), Counts(1, 10)
    junk: Any = "8 of 30"
    sideways: Any = "left"
    matches(
        "errors_of_catalog",
        messages(
            {
                "find('wilsn')": lambda: find("wilsn"),
                "blaker, upper": lambda: find("blaker")(counts, 0.05, "upper"),
                "blaker, lower": lambda: find("blaker")(counts, 0.05, "lower"),
                "maurer-pontil without a variance": lambda: find("maurer-pontil")(moments),
                "chebyshev with a range for each": lambda: find("chebyshev")(OWN_RANGES),
                "wilson, side left": lambda: find("wilson")(counts, 0.05, sideways),
                "wilson of a string": lambda: find("wilson")(junk),
                "wilson with colour": lambda: find("wilson")(counts, colour=5),
                "hypergeometric without unlabelled": lambda: find("hypergeometric")(counts),
                "hypergeometric with a fraction": lambda: find("hypergeometric")(counts, unlabelled=2.5),
                "hypergeometric with none": lambda: find("hypergeometric")(counts, unlabelled=0),
                "hf.bound of a string": lambda: hf.bound(junk),
            }
        ),
    )


def test_clopper_pearson_refuses_losses_and_names_exactly_what_fits() -> None:
    losses = Losses([0.1, 0.2])
    with pytest.raises(UnfitMethod) as caught:
        hf.bound(losses, "clopper-pearson", side="upper")
    said = str(caught.value)
    assert said.startswith("clopper-pearson takes Counts, not the Losses")
    named = said.partition("choose from ")[2].rstrip(".").split(", ")
    assert named == [bound.name for bound in methods() if bound.fits(losses, "upper")]
    assert {"wilson", "hoeffding", "maurer-pontil"} <= set(named)
    for name in named:
        hf.bound(losses, name, side="upper")


@pytest.mark.parametrize("evidence", [Counts(1, 10), Losses([0.1, 0.2])], ids=["counts", "losses"])
def test_unlabelled_examples_with_another_method_are_refused_naming_the_one_that_fits(evidence: Sample) -> None:
    with pytest.raises(UnfitMethod, match=r"wilson .*unlabelled.* hypergeometric"):
        hf.bound(evidence, "wilson", unlabelled=5)


def test_an_unknown_name_far_from_all_gets_the_list() -> None:
    with pytest.raises(UnknownName) as caught:
        find("nothing like it")
    told = str(caught.value)
    assert len(told) <= 600
    listed, _, rest = told.partition("choose from ")[2].partition(" and ")
    names = listed.split(", ")
    assert names == sorted(bound.name for bound in methods())[: len(names)]
    assert rest == f"{len(methods()) - len(names)} more."


def test_betting_needs_the_values() -> None:
    with pytest.raises(UnfitMethod, match=r"betting needs the values of the losses; give Losses\(x\)\."):
        hf.bound(Losses.from_moments(10, 0.5, 0.1), "betting")
    with pytest.raises(UnfitMethod, match="betting takes Losses"):
        hf.bound(Counts(1, 10), "betting")


@pytest.mark.parametrize("name", [None, 7, "", ["wilson"]])
def test_no_other_exception_for_a_strange_name(name: Any) -> None:
    with pytest.raises(UnknownName):
        find(name)


@pytest.mark.parametrize("side", [None, "UPPER", 1, ["upper"], ""])
def test_no_other_exception_for_a_strange_side(side: Any) -> None:
    with pytest.raises(HoldfastError, match=r"There is no side named|side= of hf\.bound takes 'upper'"):
        hf.bound(Counts(1, 10), side=side)


def test_shapes_that_do_not_match_are_refused() -> None:
    with pytest.raises(HoldfastError):
        hf.bound(Counts([1, 2], 10), delta=[0.1, 0.2, 0.3])
    with pytest.raises(HoldfastError):
        hf.bound(Counts([1, 2], 10), unlabelled=[5, 6, 7])


@pytest.mark.parametrize("side", ["upper", "lower", "both"])
@pytest.mark.parametrize(
    "evidence",
    [Counts(1, 9), Losses([0.1, 0.9]), Losses.from_moments(9, 0.1), Losses.from_moments(9, 0.1, 0.05), OWN_RANGES],
    ids=["counts", "values", "mean", "moments", "own ranges"],
)
def test_what_fits_answers_and_what_does_not_is_refused(evidence: Sample, side: Any) -> None:
    fitting = [bound.name for bound in methods() if bound.fits(evidence, side)]
    assert fitting
    for bound in methods():
        if bound.name in fitting:
            assert bound(evidence, 0.05, side).method == bound.name
        else:
            with pytest.raises(UnfitMethod):
                bound(evidence, 0.05, side)


# ---- From formula to claim, on planted bounds


def planted(name: str, limit: float, **special: Any) -> Bound:
    def formula(losses: Sample, delta: Array) -> Upper:
        """A constant."""
        shape = np.broadcast_shapes(losses.mean.shape, delta.shape)
        return Upper(np.full(shape, limit), np.full(shape, 1 - limit))

    return Bound(name, formula, Guarantee.FINITE, Source("nobody", "nowhere"), takes=(Counts, Losses), **special)


def test_a_limit_that_would_exclude_the_estimate_is_widened_to_it() -> None:
    claim = planted("too-low", 0.2)(Counts(5, 10), side="upper")
    assert 0.5 <= claim.upper <= 0.5 * (1 + 1e-13)


def test_limits_are_rounded_outward_and_never_out_of_range() -> None:
    claim = planted("third", 0.75)(Counts(5, 10))
    assert 0.75 < claim.upper < 0.75 * (1 + 1e-13)
    assert 0.25 * (1 - 1e-13) < claim.lower < 0.25
    exact = planted("exact", 0.75, exact=True)(Counts(5, 10))
    assert (exact.lower, exact.upper) == (0.25, 0.75)
    beyond = planted("beyond", 1.5)(Counts(5, 10))
    assert (beyond.lower, beyond.upper) == (0.0, 1.0)


def test_two_sides_share_delta_unless_the_method_has_its_own_ends() -> None:
    seen: list[float] = []

    def formula(losses: Sample, delta: Array) -> Upper:
        seen.append(float(delta))
        return Upper(losses.mean, losses.complement)

    def make(**special: Any) -> Bound:
        return Bound("spy", formula, Guarantee.FINITE, Source("nobody", "nowhere"), takes=(Counts,), **special)

    make()(Counts(5, 10), 0.1)
    make()(Counts(5, 10), 0.1, "upper")
    make(two_sided=formula)(Counts(5, 10), 0.1)
    make(one_sided=False)(Counts(5, 10), 0.1)
    assert seen == [0.05, 0.1, 0.1, 0.1]  # both ends in one call


def test_too_few_examples_say_nothing() -> None:
    claim = planted("needs-three", 0.6, least=3)(Counts([1, 1], [2, 3]))
    assert claim.upper[0] == 1.0
    assert claim.lower[0] == 0.0
    assert claim.upper[1] < 0.61


def test_two_methods_of_one_name_are_refused() -> None:
    with pytest.raises(HoldfastError, match="Two methods are called 'Wilson'"):

        @method(guarantee=Guarantee.FINITE, source=Source("nobody", "nowhere"), name="Wilson")
        def again(losses: Sample, delta: Array) -> Upper:
            return Upper(losses.mean, losses.complement)

    assert find("wilson").source.key == "anguita2012"


@pytest.mark.parametrize(
    ("measure", "way"),
    [
        ("accuracy", "higher"),
        ("Error Rate", "lower"),
        ("error_rate", "lower"),
        ("ROC-AUC", "higher"),
        ("log_loss", "lower"),
        ("RMSE", "lower"),
        ("f1", "higher"),
        ("prevalence", None),
        ("banana", None),
        ("x" * 10_000, None),
        (None, None),
    ],
)
def test_a_measure_says_which_way_is_better_or_does_not(measure: str | None, way: str | None) -> None:
    assert implied(measure) == way
