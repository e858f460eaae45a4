"""Laws over the whole catalog: a method that is added is tested by standing in it."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast import evidence
from holdfast.catalog import Bound, methods
from holdfast.evidence import Counts, Losses
from tests.laws import promises
from tests.tries import counted, finite, of_kind, trials, tries, whole

CATALOG = methods()
COUNTED = [bound for bound in CATALOG if counted(bound)]
LOSSES = [bound for bound in CATALOG if Losses in bound.takes]
LARGEST_N = int(os.environ.get("HOLDFAST_LARGEST_N", "300"))  # 1000 takes some ten minutes
BIBLIOGRAPHY = Path(__file__).parents[2] / "docs" / "references.bib"


def named(bounds: list[Bound]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bound", bounds, ids=[bound.name for bound in bounds])


@tries(every="finite counts", how="enumerated")
@named(of_kind("finite counts"))
def test_a_finite_promise_is_kept_at_every_rate(bound: Bound) -> None:
    assert promises.broken_promises(bound, range(1, 41)) == []


@pytest.mark.long
@tries(every="finite counts", how="enumerated")
@named(of_kind("finite counts"))
def test_a_finite_promise_is_kept_at_every_rate_and_size(bound: Bound) -> None:
    assert promises.broken_promises(bound, range(41, 101)) == []
    assert promises.broken_promises(bound, range(101, LARGEST_N + 1), (0.05,)) == []
    others = [delta for delta in promises.DELTAS if delta != 0.05]
    for turn, delta in enumerate(others):
        assert promises.broken_promises(bound, range(101 + turn, LARGEST_N + 1, len(others)), (delta,)) == []


@pytest.mark.long
@tries(every="finite losses", how="simulated")
@named(of_kind("finite losses"))
def test_a_finite_promise_is_kept_on_nasty_losses_in_larger_samples(bound: Bound) -> None:
    slow = {"star": ((100,), 100), "mixture": ((10, 200), 700), "betting": ((10, 200), 1200)}  # one bet after the other
    slow["squares"] = ((10, 200), 100)  # one sample after the other; tests/bounds enumerates
    sizes, repeats = slow.get(bound.name, ((10, 200, 500), 2000))
    if bound.name in slow:  # of which the quick law has tried few samples
        assert promises.broken_simulations(bound, (2, 30), {"star": 40, "squares": 60}.get(bound.name, 600)) == []
    assert promises.broken_simulations(bound, sizes, repeats, seed=1) == []


@tries(every="soft counts", how="enumerated")
@named(of_kind("soft counts"))
def test_the_softness_of_an_asymptotic_promise_is_real(bound: Bound) -> None:
    assert promises.is_soft(bound)


@tries(every="finite losses", how="simulated")
@named(of_kind("finite losses"))
def test_a_finite_promise_is_kept_on_nasty_losses(bound: Bound) -> None:
    # Those that bet take an example after the other, hence their time; the long law tries them more often.
    repeats = {"star": 15, "squares": 10, "betting": 200, "mixture": 200}.get(bound.name, 2000)
    assert promises.broken_simulations(bound, (2, 30), repeats) == []


@named(COUNTED)
def test_more_events_never_lower_a_limit(bound: Bound) -> None:
    assert promises.not_monotone_in_k(bound) == []


@named(COUNTED)
def test_more_confidence_never_narrows_an_interval(bound: Bound) -> None:
    assert promises.not_monotone_in_delta(bound) == []


@named([bound for bound in COUNTED if bound.lower is None])
def test_the_mirrored_sample_has_mirrored_limits(bound: Bound) -> None:
    assert promises.not_mirrored(bound) == []


@named(COUNTED)
def test_limits_stay_in_range_and_include_the_estimate(bound: Bound) -> None:
    assert promises.not_within_range(bound) == []


@tries(every="finite test sets", how="simulated")
@named(of_kind("finite test sets"))
def test_a_finite_promise_is_kept_on_whole_test_sets(bound: Bound) -> None:
    # One ranking at a time, where tables come in stacks; and a region is looked at in many cells.
    slow = bound.name.startswith(("auc", "ks", "fisher-region"))
    assert promises.broken_drawings(bound, (7,) if slow else (7, 40), repeats=50 if slow else 400) == []


@pytest.mark.long
@tries(every="finite test sets", how="simulated")
@named(of_kind("finite test sets"))
def test_a_finite_promise_is_kept_on_larger_test_sets(bound: Bound) -> None:
    ranked = bound.name.startswith("auc")  # one ranking at a time, where tables come in stacks
    slow = ranked or bound.name in ("ks-band", "fisher-region")
    sizes, repeats = ((15, 200), 250) if slow else ((15, 100, 300), 2000)
    assert promises.broken_drawings(bound, sizes, repeats, seed=1) == []


@tries(every="finite folds", how="simulated")
@named(of_kind("finite folds"))
def test_a_finite_promise_is_kept_whatever_the_learner(bound: Bound) -> None:
    assert promises.broken_trainings(bound, (12, 100), repeats=300) == []


@pytest.mark.long
@tries(every="finite folds", how="simulated")
@named(of_kind("finite folds"))
def test_a_finite_promise_is_kept_whatever_the_learner_on_more_data_sets(bound: Bound) -> None:
    # At n = 200 docs/cross-validation.md tries them, on 4,000 data sets.
    assert promises.broken_trainings(bound, (20, 500), repeats=1000, seed=1) == []


@named([bound for bound in CATALOG if finite(bound)])
def test_every_finite_promise_is_tried_by_a_test_that_says_so(bound: Bound) -> None:
    assert trials()[bound.name], "declare with @tries which test tries its promise, and how"


def test_what_a_test_says_that_it_tries_it_does_reach() -> None:
    """Declared and imported is not enough: the method must be named by the test, or by what the test calls."""
    assert [trial for found in trials().values() for trial in found if not trial.reaches] == []


@named([bound for bound in CATALOG if not bound.parameters and not whole(bound)])
def test_no_data_say_nothing(bound: Bound) -> None:
    assert promises.speaks_without_data(bound) == []


@named([bound for bound in LOSSES if bound.two_sided is None and bound.lower is None and not bound.parameters])
def test_an_interval_is_two_limits_at_half_of_delta(bound: Bound) -> None:
    losses = Losses(np.random.default_rng(4).beta(1, 4, 60))
    both, upper, lower = bound(losses, 0.05), bound(losses, 0.025, "upper"), bound(losses, 0.025, "lower")
    assert (both.lower, both.upper) == pytest.approx((lower.lower, upper.upper), rel=1e-13)


@named(COUNTED)
def test_an_array_gives_what_its_elements_give(bound: Bound) -> None:
    k, n = np.array([0, 1, 5, 9, 10]), np.array([3, 10, 10, 10, 10])
    together = bound(Counts(k, n), 0.05)
    alone = [bound(Counts(a, b), 0.05) for a, b in zip(k, n, strict=True)]
    assert together.lower.tolist() == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper.tolist() == pytest.approx([claim.upper for claim in alone], rel=1e-13)


@named([bound for bound in LOSSES if Counts in bound.takes])
def test_counts_and_the_same_0_1_losses_agree(bound: Bound) -> None:
    counts, losses = bound(Counts(3, 20), 0.05), bound(Losses([1.0] * 3 + [0.0] * 17), 0.05)
    assert (losses.lower, losses.upper) == pytest.approx((counts.lower, counts.upper), rel=1e-13)


@named(CATALOG)
def test_every_method_is_documented(bound: Bound) -> None:
    text = inspect.getdoc(bound.upper) or ""
    assert re.match(r"[^\n]+\.\n\nNotes\n-----\n", text), "one plain sentence, then Notes"
    assert "Examples\n--------\n>>> " in text
    assert bound.source.place
    assert f"{{{bound.source.key}," in BIBLIOGRAPHY.read_text(encoding="utf-8")


@named(CATALOG)
def test_every_methods_examples_run(bound: Bound) -> None:
    # doctest collects functions only, and these have become catalog entries.
    module = sys.modules[bound.upper.__module__]
    names = {**vars(evidence), **vars(module)}
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(bound.upper) or "", names, bound.name, None, None)
    assert example.examples
    report: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not report, "".join(report)
