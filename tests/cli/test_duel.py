"""holdfast compare --sequential: rows in, a verdict out, the state kept."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.cli.monitor import follow_two
from holdfast.errors import HoldfastError
from holdfast.render.phrases import estimate_and_limits
from holdfast.render.text.answers import brief_line
from holdfast.verbs.stream.duel import Duel, sequential
from tests.render.test_page import Read
from tests.shapes import validate

SHAPE = json.loads((Path(holdfast.__file__).parent / "schemas" / "duel-1.json").read_text(encoding="utf-8"))
NAMES = ("alpha", "beta")

Followed = tuple[int, str, str]  # exit code, standard output, standard error
Follow = Callable[..., Followed]


@pytest.fixture
def follow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Follow:
    """The command's function with this text as standard input, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(text: str | bytes, models: str | None = "alpha,beta", **options: Any) -> Followed:
        given = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = follow_two({"models": models, **options})
        out, err = capsys.readouterr()
        return code, out, err

    return call


def final(out: str) -> dict[str, Any]:
    looks = [json.loads(line) for line in out.splitlines()]
    for look in looks:
        validate(look, SHAPE)
    return looks[-1]


def rows(seed: int, size: int, first: float = 0.9, second: float = 0.8) -> tuple[str, Duel]:
    """Predictions beside the truth, and what one call makes of them."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["cat", "dog"], size)
    right = rng.random(size) < first, rng.random(size) < second
    models = [np.where(ok, truth, np.where(truth == "cat", "dog", "cat")) for ok in right]
    lines = [",".join(row) for row in zip(*models, truth, strict=True)]
    duel = sequential(names=NAMES).update(first=right[0], second=right[1])
    return "\n".join(["alpha,beta,truth", *lines]) + "\n", duel


def test_rows_become_a_verdict(follow: Follow) -> None:
    text, duel = rows(1, 1000)
    code, out, err = follow(text)
    assert (code, err) == (0, "")
    assert out.startswith("alpha is better than beta: it errs less often.\n\nAfter 1,000 examples: ")
    assert "A model is called better once its e-value has reached 40, that is 2/delta." in out
    assert "one may look, and" in out
    assert f"There was enough to tell after {duel.settled_after} examples." in out
    assert max(map(len, out.splitlines())) <= 80
    assert final(follow(text, as_json=True)[1]) == duel.to_dict()


def test_exit_codes(follow: Follow) -> None:
    text, _ = rows(2, 1500)
    assert follow(text)[0] == 0
    assert follow(text, "beta,alpha")[0] == 1
    assert follow(text[: text.index("\n", 300) + 1])[0] == 3
    same = "alpha,beta,truth\n" + "a,a,b\nb,b,b\n" * 1000
    assert follow(same)[0] == 3
    assert follow(same, margin=0.05)[0] == 0
    near, _ = rows(3, 2000, 0.9, 0.9)
    assert follow(near, margin=0.06)[0] == 0


WAYS: list[tuple[str | bytes, dict[str, Any]]] = [
    ("truth,alpha,beta\na,a,b\nb,b,b\nb,a,b\n", {}),
    ("\ufefftruth;extra;beta;alpha\r\na;0;b;a\r\nb;0;b;b\r\nb;0;b;a\r\n\r\n", {}),
    ("beta\talpha\tx\tgold\nb\ta\t\ta\nb\tb\t\tb\nb\ta\t\tb", {}),
    ("alpha|beta|y\na|b|a\nb|b|b\na|b|b\n", {"separator": "|"}),
    ('\n"alpha",beta,mine\n"a","b","a"\n"b",b,b\na,b,b\n\n\n', {"truth": "mine"}),
    ('alpha,beta,text,truth\na,b,"two\nlines, and ""more""",a\nb,b,"",b\na,b,",",b\n', {}),
    ("alpha,beta\n1,0\ntrue,TRUE\n0,1.0\n", {"pass_fail": True}),
    ('{"alpha":"a","beta":"b","y":"a"}\n{"y":"b","alpha":"b","beta":"b"}\n{"y":"b","beta":"b","alpha":"a"}', {}),
    ('{"alpha":1,"beta":2,"y":1.0,"x":"a \\" {"}\n{"alpha":2,"beta":2,"y":2}\n{"alpha":1,"beta":"2","y":2}\n', {}),
    ('{"alpha":true,"beta":false}\n{"alpha":1,"beta":1}\n{"alpha":0,"beta":true}\n', {"pass_fail": True}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options"), WAYS)
def test_ways_to_write_one_won_one_tied_one_lost(follow: Follow, text: str, options: dict[str, Any]) -> None:
    expected = sequential(names=NAMES).update(first=[1, 1, 0], second=[0, 1, 1]).to_dict()
    code, out, err = follow(text, as_json=True, **options)
    assert (code, err) == (3, "")
    assert final(out) == expected
    Path("rows.csv").write_text(text, encoding="utf-8", newline="")
    assert final(follow("", files=("rows.csv",), as_json=True, **options)[1]) == expected
    Path("rows.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert final(follow("", files=["rows.csv.gz"], as_json=True, **options)[1]) == expected


def test_losses_and_their_range(follow: Follow) -> None:
    first, second = [1, 3.5, 2.0], [0, 4.0, 2.0]
    text = "alpha,beta\n1,0\n3.5,4\n2e0,2\n"
    expected = sequential(names=NAMES, losses=True, high=4.0, confidence=0.9).update(first=first, second=second)
    out = follow(text, losses="0,4", confidence="0.9", as_json=True)[1]
    assert final(out) == expected.to_dict()


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", {}, "standard input is empty; its first line should name the columns"),
        ("alpha,beta\n1,0\n", {}, "has no column that looks like the truth; say which with --truth, or --pass-fail"),
        ("alpha,betta,truth\n", {}, "There is no column named 'beta'; did you mean 'betta'?"),
        ("alpha,alpha,beta,truth\n", {}, "has 2 columns named 'alpha'"),
        ("alpha,beta,truth\na,b,a\na,b\n", {}, "Line 3 of standard input has 2 cells, and its header 3. What"),
        ("alpha,beta,truth\na,b,a\n\na,b,b\n", {}, "Line 3 of standard input is empty"),
        ("alpha,beta,truth\na,b,a\na,,b\n", {}, "Line 3 of standard input says nothing in the column 'beta'. Repair"),
        ("alpha,beta,truth\na,,\n", {"missing": "wrong"}, "says nothing in the column 'truth'"),
        ('alpha,beta,truth\na,b,a\n"a,b,b\n', {}, "A quote in the row that ends on line 4 of standard input opens and"),
        ("alpha,beta\n1,2\n", {"pass_fail": True}, "Line 2 of standard input says '2' in the column 'beta', not 0"),
        ("alpha,beta\n1,2\n", {"losses": "0,1"}, "says '2' in the column 'beta', not a loss between 0 and 1."),
        ("alpha,beta\nnan,0\n", {"losses": "0,1"}, "says 'nan' in the column 'alpha'"),
        ('{"alpha":1,"beta":1,"truth":1}\n[1]\n', {}, "Line 2 of standard input is no object of JSON"),
        ('{"alpha":1,"beta":1,"truth":1}\n{"alpha":1,"truth":1}\n', {}, "says nothing in the column 'beta'"),
        ("alpha,beta,truth\n", {"truth": "beta"}, "'beta' cannot be both the truth and a model"),
        ("alpha,beta\n", {"truth": "y", "pass_fail": True}, "--truth goes with columns of predictions"),
        ("", {"models": "alpha"}, "for two models, --models FIRST,SECOND; got 1"),
        ("", {"models": None}, "got 0"),
        ("", {"models": "alpha,alpha"}, "two names to tell the models apart"),
        ("", {"files": ("a", "b")}, "one file, or standard input"),
        ("", {"files": ("nowhere.csv",)}, "Cannot read nowhere.csv: No such file"),
        (b"\x1f\x8b\x08\x00", {}, "standard input does not begin as text does"),
        (b"PAR1\x15\x04", {}, "compare a Parquet or Arrow file without --sequential"),
        ("", {"losses": "1"}, "as LOW,HIGH, such as 0,1; got '1'"),
        ("", {"losses": "1,0"}, "needs low < high"),
        ("", {"losses": "0,1", "pass_fail": True}, "never right or wrong"),
        ("", {"losses": "0,1", "missing": "wrong"}, "cannot be counted as wrong"),
        ("", {"confidence": "95"}, "Did you mean 0.95"),
        ("", {"charts": ("wealth.gif",)}, "ends in none of these"),
        ("", {"charts": ("nowhere/wealth.svg",)}, "there is no folder nowhere"),
    ],
)  # fmt: skip
def test_input_that_cannot_be(follow: Follow, text: str | bytes, options: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError) as refused:
        follow(text, **options)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_answers(follow: Follow) -> None:
    text = "alpha,beta,truth\na,,a\n,b,b\na,b,\nb,b,b\n"
    _, out, err = follow(text, missing="drop", as_json=True)
    assert final(out) == sequential(names=NAMES).update(first=1, second=1).to_dict()
    assert err == "3 rows were left out, for want of a truth or an answer.\n"
    assert "3 rows were left out" in follow(text, missing="drop")[1]
    wrong = text.replace("a,b,\n", "")
    expected = sequential(names=NAMES).update(first=[1, 0, 1], second=[0, 1, 1]).to_dict()
    assert final(follow(wrong, missing="wrong", as_json=True)[1]) == expected
    passes = "alpha,beta\n1,\n,1\n1,1\n"
    assert final(follow(passes, missing="wrong", pass_fail=True, as_json=True)[1]) == expected


def test_a_state_is_resumed_and_gives_what_one_run_gives(follow: Follow) -> None:
    text, duel = rows(4, 3000)
    header, _, body = text.partition("\n")
    cut = body.index("\n", 9000) + 1
    follow(f"{header}\n{body[:cut]}", state="two.json", margin=0.02)
    second = follow(f"{header}\n{body[cut:]}", state="two.json", as_json=True)
    whole = follow(text, state="one.json", margin=0.02, as_json=True)
    assert final(second[1]) == final(whole[1])
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert Duel.load("one.json").history == duel.history
    with pytest.raises(HoldfastError, match=r"made for margin = 0.02; asked was margin = 0.5"):
        follow(text, state="one.json", margin=0.5)
    with pytest.raises(HoldfastError, match="asked was models"):
        follow(text, "beta,alpha", state="one.json")
    with pytest.raises(HoldfastError, match="made for losses = False"):
        follow(text, state="one.json", losses="0,1")


def test_what_came_before_a_bad_line_is_kept(follow: Follow) -> None:
    with pytest.raises(HoldfastError, match=r"is counted, 2 rows, and kept in duel\.json"):
        follow("alpha,beta\n1,0\n0,0\nx,1\n1,1\n", pass_fail=True, state="duel.json")
    assert Duel.load("duel.json").to_dict() == sequential(names=NAMES).update(first=[1, 0], second=[0, 0]).to_dict()


def test_looks_now_and_then(follow: Follow) -> None:
    text, _ = rows(5, 25)
    out = follow(text, every=10)[1]
    assert [line.split(":")[0] for line in out.splitlines()[:2]] == ["After 10 examples", "After 20 examples"]
    assert [json.loads(line)["n"] for line in follow(text, every=10, as_json=True)[1].splitlines()] == [10, 20, 25]
    assert [json.loads(line)["n"] for line in follow(text, every=5, as_json=True)[1].splitlines()][-2:] == [20, 25]


@pytest.mark.parametrize("n", [1, 400, 10**6, 10**12])
def test_a_look_among_many_fits_in_100_columns(n: int) -> None:
    some = sequential(names=("x" * 900, "y")).update(won=n // 3, lost=n // 5, n=n)
    line = brief_line(some.look)
    assert len(line) <= 100
    assert line.startswith(f"After {n:,} example")
    assert ("After 1 example:" in line) == (n == 1)
    assert line.endswith(" ".join(estimate_and_limits(some.claim, 4)))
    assert (f"{n // 3:,} won" in line) == (n <= 400)  # where there is no room, the e-values are worth more


def test_a_change_ends_it_at_its_row(follow: Follow) -> None:
    text = "alpha,beta\n" + "1,0\n1,1\n" * 300 + "0,1\n" * 2000
    code, out, _ = follow(text, pass_fail=True, as_json=True)
    assert code == 3
    assert final(out)["changed"] is True
    assert 600 < final(out)["changed_after"] == final(out)["n"] < 2600
    out = follow(text, pass_fail=True)[1]
    assert out.startswith(
        f"After {final(follow(text, pass_fail=True, as_json=True)[1])['n']} examples no difference fits"
    )
    assert "its limits are -1 and 1, all that it can be, and say nothing." in " ".join(out.split())
    assert "confidence" not in out


def test_a_picture(follow: Follow) -> None:
    text, _ = rows(6, 300)
    _, _, err = follow(text, charts=("wealth.html", "mine.html:wealth"))
    assert err == "Chart written to wealth.html\nChart written to mine.html\n"
    assert "alpha is better" in Path("wealth.html").read_text(encoding="utf-8")


def test_a_page(follow: Follow) -> None:
    text, duel = rows(6, 300)
    gaps = text + "cat,,cat\n"
    _, _, err = follow(gaps, page="duel.html", charts=("wealth.html",), missing="drop")
    assert err == "Page written to duel.html\nChart written to wealth.html\n"
    page = Read(Path("duel.html").read_text(encoding="utf-8"))
    assert page.visible.startswith(str(duel.verdict))
    assert "1 row" in page.visible
    assert "holdfast" in page.visible.split("Command")[1]
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"page": "duel.pdf"}, "The page is written as .html; got duel.pdf"),
        ({"page": "no/duel.html"}, "there is no folder no"),
        ({"page": "a.html", "charts": ("a.html:wealth",)}, "a.html would be written twice"),
        ({"charts": ("wealth.txt",)}, "A chart is written as"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_first_row(
    follow: Follow, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(HoldfastError, match=said):
        follow("alpha,beta\n1,0\n", pass_fail=True, state="duel.json", **given)
    assert not Path("duel.json").exists()
