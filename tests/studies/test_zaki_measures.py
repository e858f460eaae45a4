"""The study of Zaki and Meira's sections 22.1 and 22.2: its page is as committed, and agrees with the reference."""

from __future__ import annotations

import numpy as np
import pytest
from studies.checks import Check, Status
from studies.pages import Page
from studies.runs import SHIPPED, Run
from studies.zaki_measures import study
from studies.zaki_measures.bayes import posteriors, weights
from studies.zaki_measures.intervals import covered
from studies.zaki_measures.iris import add as add_iris
from studies.zaki_measures.redrawn import Iris, Redrawn

from holdfast.resampling import plan
from tests.studies.committed import committed, reference, told

pytestmark = pytest.mark.long  # a fast version of the whole study

DRAWN = "of them are as low or lower"  # hangs on how many splits are drawn


@pytest.fixture(scope="module")
def page() -> Page:
    return study(Run(fast=True))


@pytest.fixture(scope="module")
def iris() -> Iris:
    return Iris.read(SHIPPED / "iris.csv")


def found(page: Page, place: str, what: str) -> Check:
    return next(check for check in page.checks if (check.place, check.what) == (place, what))


def said(page: Page, place: str, part: str) -> Check:
    return next(check for check in page.checks if check.place == place and part in check.printed)


def test_the_committed_page_says_the_same(page: Page) -> None:
    assert told(page.checks, DRAWN) == committed("zaki_measures", DRAWN)
    assert len(page.checks) == len(committed("zaki_measures"))


def test_what_is_wrong_in_the_book(page: Page) -> None:
    """The lines of the reference that are not right are those that the study finds wrong."""
    wrong = {check.place for check in page.checks if check.status is Status.DIFFERS}
    assert {"Example 22.4", "Example 22.6", "Example 22.7", "Example 22.10", "Example 22.11", "Table 22.7"} <= wrong
    assert {"(22.11), (22.12)", "Algorithm 22.4"} <= wrong
    assert wrong.isdisjoint({"Example 22.1", "Example 22.2", "Example 22.3", "Example 22.5", "Example 22.9"})


def test_the_reference_values(page: Page) -> None:
    rows = reference("004")
    assert found(page, "Example 22.4", "AUC").found in rows["22.4", "AUC"]["recomputed"]
    assert said(page, "22.1.1", "1 to r").found == f"the sum runs to {rows['F formula', 'upper limit']['recomputed']}"
    for example in ("22.7", "22.11"):
        name = "variance by (22.4)" if example == "22.7" else "variance of the differences"
        assert found(page, f"Example {example}", name).found in rows[example, "variance"]["recomputed"]
    assert found(page, "Example 22.11", "Z").found.rstrip("0") in rows["22.11", "Z"]["recomputed"]
    law = rows["Eq 22.11-22.12", "t law"]["note"]
    for value in (
        f"{covered(5, 0.95, 't', 0):.2%}",
        f"{covered(5, 0.99, 't', 0):.2%}",
        f"{covered(5, 0.95, 'z', 0):.1%}",
    ):
        assert value in law
    for freedom, right in zip((1, 2), rows["Table 22.7", "t"]["recomputed"].split(", "), strict=True):
        value = float(found(page, "Table 22.7", f"t, degrees of freedom {freedom}").found)
        assert f"{value:.4f}" == right
    text = page.text()
    assert "| Q5 | AUC | 0.56" in text
    assert "| Q2 (b) | accuracy | 0.2 |" in text
    assert "0.333 and 0.333" in text


def test_what_cannot_be_checked_is_named(page: Page) -> None:
    assert found(page, "Q4", "error rates of six hyperplanes and their interval").status is Status.UNKNOWN


def test_the_overlap_is_not_why_the_bootstrap_varies_less(page: Page) -> None:
    assert said(page, "Example 22.8", "variance lower").status is Status.DIFFERS
    assert said(page, "Example 22.8", "mean lower").status is Status.AGREES


@pytest.mark.parametrize("naive", [True, False])
def test_our_bayes_classifiers_are_those_of_scikit_learn(iris: Iris, naive: bool) -> None:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB

    splits = plan("kfold", iris.species, folds=5, repeats=2, seed=3)
    trains, _ = weights(splits)
    logs = posteriors(iris.sepals, iris.codes, trains, naive)
    ours = np.exp(logs - np.logaddexp.reduce(logs, axis=-1, keepdims=True))
    for place, (train, _) in enumerate(splits):
        model = GaussianNB(var_smoothing=0) if naive else QuadraticDiscriminantAnalysis()
        theirs = model.fit(iris.sepals[train], iris.codes[train]).predict_proba(iris.sepals)
        # Theirs divides covariances by n - 1, ours as the book by n: one part in forty.
        np.testing.assert_allclose(ours[place], theirs, atol=1e-9 if naive else 0.03)


def test_the_components_are_those_of_the_book(iris: Iris) -> None:
    own = iris.components[iris.species == "versicolor"]
    assert own.mean(axis=0) == pytest.approx([-0.532, -0.246], abs=0.005)
    assert iris.components.var(axis=0) == pytest.approx([4.197, 0.241], abs=0.001)


def test_the_redrawn_values_are_those_of_the_reference(iris: Iris) -> None:
    """Within what so few splits allow: five standard errors and more."""
    anew = Redrawn(Run(fast=True), iris)
    assert anew.folds["full"].mean() == pytest.approx(0.2297, abs=0.01)
    assert (anew.folds["naive"] - anew.folds["full"]).mean() == pytest.approx(-0.011, abs=0.011)
    assert anew.bootstrapped["all"].mean() == pytest.approx(0.2115, abs=0.005)
    assert anew.bootstrapped["all"].var(axis=1).mean() == pytest.approx(4.4e-4, abs=1.5e-4)
    assert np.mean(anew.binary["naive"][:, 2] <= 0.775) < 0.02


def test_without_the_data_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(fast=True)
    monkeypatch.setattr(run, "file", lambda name: None)
    page = Page("zaki_measures", "", "")
    add_iris(page, run)
    assert [(check.how, check.status) for check in page.checks] == [("iris.csv is missing", Status.UNKNOWN)]
