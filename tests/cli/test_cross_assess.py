"""holdfast cross-assess: data and a learner in, claims with their target out; and one line where that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.resampling import SCHEMES
from tests.cli.conftest import Run
from tests.cli.test_cli import parsed, tidy
from tests.snapshots import matches

FLOWERS = str(Path(__file__).parents[2] / "examples" / "flowers.csv")
BAYES = ("--target", "species", "--estimator", "sklearn.naive_bayes:GaussianNB")
LEARNER = """
from sklearn.neighbors import KNeighborsClassifier

class Nearest(KNeighborsClassifier):
    def fit(self, X, y):
        if getattr(Nearest, "broken", False):
            raise RuntimeError("out of neighbours")
        return super().fit(X, y)

def make():
    return Nearest(1)

def broken():
    Nearest.broken = True
    return Nearest(1)
"""


def test_a_file_of_examples(run: Run) -> None:
    answer = run("cross-assess", FLOWERS, *BAYES, "--folds", "5")
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    matches("cli_cross_assess", tidy(answer.out))


@pytest.mark.parametrize("about", ["fold-average", "fold", "refit", "algorithm"])
def test_each_target(run: Run, about: str) -> None:
    answer = run("cross-assess", FLOWERS, *BAYES, "--about", about, "--measure", "error-rate", "--json")
    told = parsed(answer)
    assert told["target"]["name"] == about
    firm = {claim["guarantee"] for claim in told["claims"]}
    assert ("FINITE" in firm) == (about in ("fold-average", "fold"))
    assert len(told["splits"]) == 10


def test_every_scheme_is_named_in_the_help(run: Run) -> None:
    answer = run("cross-assess", "--help")
    said = " ".join(answer.out.replace("│", " ").split())
    assert [scheme for scheme in SCHEMES if scheme not in said] == []


def test_what_was_saved_is_gone_on_with(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    first = run("cross-assess", FLOWERS, *BAYES, "--save", store, "--json")
    kept = sorted(path.name for path in Path(store).iterdir())
    assert "plan.json" in kept
    assert "predictions.parquet" in kept
    again = run("cross-assess", FLOWERS, *BAYES, "--resume", store, "--json")
    assert parsed(first)["claims"] == parsed(again)["claims"]
    assert parsed(again)["notes"][-1] == "10 of 10 splits were fitted earlier."
    other = run("cross-assess", FLOWERS, *BAYES, "--resume", store, "--seed", "1")
    assert other.code == 2
    assert "seed" in other.err
    nothing = run("cross-assess", FLOWERS, *BAYES, "--resume", str(tmp_path / "none"))
    assert (nothing.code, "nothing to go on with" in nothing.err) == (2, True)


def test_a_model_that_was_edited_is_not_the_one_that_was_saved(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)
    words = ("cross-assess", FLOWERS, "--target", "species", "--estimator", "mine.py:make", "--measure", "error-rate")
    assert run(*words, "--save", "run1").code == 0
    again = run(*words, "--save", "run1")
    assert (again.code, again.out) == (2, "")
    told = run(*words, "--resume", "run1")
    assert "10 of 10 splits were fitted earlier." in told.out
    (tmp_path / "mine.py").write_text(LEARNER.replace("return super().fit(X, y)", "return super().fit(X, y[::-1])"))
    stale = run(*words, "--resume", "run1")
    assert (stale.code, stale.out) == (2, "")
    matches("cli_cross_assess_saved", f"{again.err}{stale.err}")


def test_a_learner_of_the_users_own_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)
    named = ("--target", "species", "--estimator", f"{tmp_path / 'mine.py'}:make", "--measure", "error-rate", "--json")
    told = parsed(run("cross-assess", FLOWERS, *named, "--engine", "serial", "--param", "n_neighbors=3"))
    assert told["learner"].endswith("mine.py:make(n_neighbors=3)")
    assert told["estimator"]["parameters"] == {"n_neighbors": 3}


@pytest.mark.long
def test_a_learner_of_the_users_own_file_in_processes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)
    named = ("--target", "species", "--estimator", f"{tmp_path / 'mine.py'}:make", "--measure", "error-rate", "--json")
    told = parsed(run("cross-assess", FLOWERS, *named))
    by_processes = parsed(run("cross-assess", FLOWERS, *named, "--engine", "processes", "--workers", "2"))
    assert by_processes["claims"] == told["claims"]


def test_a_fold_that_fails_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)
    answer = run(
        "cross-assess",
        FLOWERS,
        "--target",
        "species",
        "--estimator",
        f"{tmp_path / 'mine.py'}:broken",
        "--engine",
        "serial",
    )
    assert answer.code == 2
    assert "fold 0" in answer.err
    assert "out of neighbours" in answer.err
    assert "Traceback" not in answer.err


def test_a_page_and_a_picture(run: Run, tmp_path: Path) -> None:
    page, picture = tmp_path / "cross.html", tmp_path / "splits.html"
    answer = run("cross-assess", FLOWERS, *BAYES, "--html", str(page), "--chart", str(picture))
    assert answer.code == 0
    assert "Every line is about the average of the 10 models" in page.read_text()
    assert "Each fold" in page.read_text()
    assert "10 models of GaussianNB were trained" in page.read_text()
    assert "Models of GaussianNB erred on" in picture.read_text()


def test_a_learner_that_prints_leaves_the_answer_alone(run: Run, tmp_path: Path) -> None:
    loud = LEARNER.replace("return super().fit", "print('fitting'); return super().fit") + "\nprint('imported')\n"
    (tmp_path / "mine.py").write_text(loud)
    named = ("--target", "species", "--estimator", f"{tmp_path / 'mine.py'}:make", "--measure", "error-rate", "--json")
    answer = run("cross-assess", FLOWERS, *named, "--folds", "3", "--engine", "serial")
    assert json.loads(answer.out)["learner"].endswith("mine.py:make")
    assert answer.err.split() == ["imported", *["fitting"] * 3]


def test_rows_without_a_label(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("x,species\n" + "1,a\n2,b\n3,\n" * 6)
    refused = run("cross-assess", "some.csv", *BAYES, "--folds", "3")
    assert (refused.code, "--missing drop" in refused.err) == (2, True)
    told = parsed(run("cross-assess", "some.csv", *BAYES, "--folds", "3", "--missing", "drop", "--json"))
    assert sum(row["n_test"] for row in told["splits"]) == 12


MIXED = "age,colour,smokes,class\n" + "".join(
    f"{'' if place % 5 == 0 else 20 + place},{('red', 'blue', '')[place % 3]},{place % 2 == 0},{'ab'[place % 3 == 0]}\n"
    for place in range(60)
)
PIPELINE = """
from sklearn.compose import ColumnTransformer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

def by_name():
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(ColumnTransformer([("colour", encoder, ["colour"])]), GaussianNB())
"""


@pytest.mark.parametrize(
    "verb", [("cross-assess", "--folds", "2"), ("decompose", "--rounds", "2"), ("learning-curve", "--shares", "0.5")]
)
def test_what_is_prepared_is_said_and_a_pipeline_is_left_alone(
    run: Run, tmp_path: Path, verb: tuple[str, str, str]
) -> None:
    (tmp_path / "mixed.csv").write_text(MIXED)
    (tmp_path / "mine.py").write_text(PIPELINE)
    asked = (verb[0], "mixed.csv", *verb[1:], "--target", "class", "--engine", "serial")
    mine = (*asked, "--estimator", f"{tmp_path / 'mine.py'}:by_name")
    bayes = (*asked, "--estimator", "sklearn.naive_bayes:GaussianNB")
    assert parsed(run(*mine, "--json"))["prepared"] is None
    assert parsed(run(*bayes, "--json"))["prepared"] == {"one_hot": ["colour"], "median": ["age"]}
    said = " ".join(run(*bayes).out.split())
    assert "Text column colour was one-hot encoded and missing values of age imputed by the median" in said
    refused = run(*bayes, "--prepare", "none")
    assert refused.code == 2
    assert "--prepare auto encodes and imputes" in refused.err


def test_choosing_inside(run: Run) -> None:
    tree = ("--target", "species", "--estimator", "sklearn.tree:DecisionTreeClassifier", "--param", "random_state=0")
    one = parsed(run("cross-assess", FLOWERS, *tree, "--grid", "max_depth=1", "--inner", "3", "--json"))
    many = parsed(run("cross-assess", FLOWERS, *tree, "--grid", "max_depth=1,2,4", "--inner", "3", "--json"))
    assert sum(row["errors"] for row in many["splits"]) < sum(row["errors"] for row in one["splits"])
    assert json.dumps(many["resampling"]) == json.dumps(one["resampling"])


@pytest.mark.parametrize(
    "arguments",
    [
        (*BAYES[:2],),
        (*BAYES, "--folds", "1"),
        (*BAYES, "--folds", "1000"),
        (*BAYES, "--scheme", "grouped"),
        (*BAYES, "--scheme", "kfolds"),
        (*BAYES, "--max-group", "5"),
        (*BAYES, "--about", "fold", "--fold", "10"),
        (*BAYES, "--fold", "3"),
        (*BAYES, "--inner", "3"),
        (*BAYES, "--save", "one", "--resume", "other"),
        (*BAYES, "--grid", "depth"),
        (*BAYES, "--grid", "var_smoothin=1,2"),
        (*BAYES, "--engine", "dusk"),
        (*BAYES, "--chart", "fold.svg"),
        ("--target", "specie", "--estimator", "sklearn.naive_bayes:GaussianNB"),
        ("--target", "species", "--estimator", "sklearn.naive_bayes:GaussianNBB"),
        ("--target", "species", "--estimator", "sklearn.linear_model:LinearRegression"),
    ],
)
def test_what_cannot_be_is_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run("cross-assess", FLOWERS, *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("holdfast: ")
    assert len(answer.err.splitlines()) == 1


def test_the_most_rows_of_a_group_make_claims_about_the_average_row(run: Run) -> None:
    rows = ["x,clinic,ill"] + [f"{place * 37 % 101},{place // 10},{int(place * 37 % 101 > 50)}" for place in range(200)]
    Path("clinics.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = ("clinics.csv", "--target", "ill", "--estimator", "sklearn.naive_bayes:GaussianNB", "--folds", "4")
    grouped = (*asked, "--scheme", "grouped", "--group", "clinic", "--measure", "error-rate", "--json")
    plain, capped = (parsed(run("cross-assess", *grouped, *more)) for more in ((), ("--max-group", "12")))
    assert next((claim["per"], claim["method"]) for claim in plain["claims"]) == ("cluster", "fold-bets")
    assert {claim.get("per", "row") for claim in capped["claims"]} == {"row"}
    assert [claim["method"] for claim in capped["claims"]] == ["fold-bets", "influence"]
    small = run("cross-assess", *grouped, "--max-group", "9")
    assert (small.code, small.out) == (2, "")
    assert "more than the 9" in small.err
