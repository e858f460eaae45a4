"""Reading costs: squares and lists in all their dialects, and hostile files."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.costs import Costs
from holdfast.sources.costs import read_costs
from tests.snapshots import matches

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that messages hold no path of this machine


def read(content: bytes | str, name: str = "costs.csv") -> Costs:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_costs(name)


def refusal(content: bytes | str = b"", name: str = "costs.csv") -> str:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(HoldfastError) as caught:
        read_costs(name)
    message = str(caught.value)
    assert "\n" not in message
    assert "\x1b" not in message
    assert len(message) < 500
    return message


# ---- What can be read


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("predicted \\ actual,ill,well\nill,0,1\nwell,10,0\n", id="as holdfast prints its table"),
        pytest.param("predicted\\actual,ill,well\nill,0,1\nwell,10,0", id="no blanks, no last line break"),
        pytest.param("predicted/truth,ill,well\nill,0,1\nwell,10,0\n", id="a slash and truth"),
        pytest.param("Predicted | True;ill;well\nill;0;1\nwell;10;0\n", id="semicolons and capitals"),
        pytest.param("prediction-actual\till\twell\r\nill\t0\t1\r\nwell\t10\t0\r\n", id="tabs and CRLF"),
        pytest.param('"predicted, actual","ill","well"\n"ill",0,1\n"well","10",0\n', id="quotes"),
        pytest.param("\ufeffpredicted \\ actual,ill,well\nill,0,1\nwell,10,0\n\n\n", id="BOM and blank lines"),
        pytest.param("\npredicted \\ actual,ill,well\nwell,10,0\nill,0,1\n", id="rows in another order"),
        pytest.param("predicted \\ actual,well,ill\nill,1,0\nwell,0,10\n", id="columns in another order"),
        pytest.param("actual \\ predicted,ill,well\nill,0,10\nwell,1,0\n", id="the other way round"),
        pytest.param("predicted \\ actual,ill,well\nill, 0 ,+1.0\nwell,1e1,.0\n", id="ways to write numbers"),
        pytest.param("predicted,actual,cost\nill,ill,0\nill,well,1\nwell,ill,10\nwell,well,0\n", id="a list"),
        pytest.param("cost;Truth;Predicted\n0;ill;ill\n1;well;ill\n10;ill;well\n0;well;well\n", id="a list, any order"),
    ],
)
def test_costs_in_all_their_dialects(content: str) -> None:
    costs = read(content)
    assert costs["ill", "well"] == 1
    assert costs["well", "ill"] == 10
    assert costs["ill", "ill"] == costs["well", "well"] == 0


def test_other_encodings_and_compression() -> None:
    content = "predicted \\ actual,krank,gesünder\nkrank,-2,1\ngesünder,10,0\n"
    for packed in (content.encode("utf-16"), gzip.compress(content.encode())):
        assert read(packed)["gesünder", "krank"] == 10


@pytest.mark.parametrize("kind", ["parquet", "ndjson", "ipc", "ipc_stream"])
def test_files_of_every_kind(kind: str) -> None:
    square = {"predicted \\ actual": ["1", "2"], "1": [0, 10.5], "2": [1, 0]}
    pairs = {"predicted": [1.0, 1.0, 2.0, 2.0], "actual": [1, 2, 1, 2], "cost": [0, 1, 10.5, 0]}
    for columns in (square, pairs):
        getattr(pl.DataFrame(columns, strict=False), f"write_{kind}")("costs")
        costs = read_costs("costs")
        assert (costs.labels, costs["2", "1"], costs["1", "2"]) == (("1", "2"), 10.5, 1)


def test_what_is_missing_in_columns_with_types() -> None:
    def said(columns: dict[str, list[object]]) -> str:
        pl.DataFrame(columns, strict=False).write_parquet("costs.parquet")
        with pytest.raises(HoldfastError) as caught:
            read_costs("costs.parquet")
        return str(caught.value)

    square: dict[str, list[object]] = {"predicted \\ actual": ["a", "b"], "a": [0, None], "b": [1, 0]}
    assert said(square) == "costs.parquet, row 2: a cost should be a number; found ''."
    assert said({**square, "a": [0, float("nan")]}) == "costs.parquet, row 2: a cost should be a number; found 'nan'."
    assert said({"predicted \\ actual": ["a", None], " ": [0, 1]}) == "costs.parquet, header: a label is missing."
    assert said({}) == said({"predicted \\ actual": [], "a": []})
    Path("costs.jsonl").write_text("{}\n{}\n")
    with pytest.raises(HoldfastError, match=r"^costs\.jsonl has a header but no costs below it\."):
        read_costs("costs.jsonl")
    assert said({}).startswith("costs.parquet has a header but no costs below it.")


def test_several_files_are_one_table_and_rows_are_counted_over_all() -> None:
    Path("costs").mkdir()
    header, *rows = ["predicted,actual,cost", "a,a,0", "a,b,1", "b,a,2", "b,b,0"]
    for place, row in enumerate(rows):
        Path(f"costs/{place}.csv").write_text(f"{header}\n{row}\n")
    assert read_costs("costs")["b", "a"] == 2
    Path("costs/2.csv").write_text(f"{header}\nb,a,high\n")
    with pytest.raises(HoldfastError, match=r"^costs, row 3: a cost should be a number; found 'high'\.$"):
        read_costs("costs")


def test_labels_are_taken_as_they_stand() -> None:
    assert read("predicted \\ actual,1, x \n1,0,1\n x ,1,0\n").labels == ("1", " x ")
    assert read('predicted \\ actual,"a,b","c""d"\n"a,b",0,1\n"c""d",1,0\n').labels == ("a,b", 'c"d')


def test_three_classes_that_are_called_like_columns() -> None:
    costs = read("predicted \\ actual,predicted,actual,cost\npredicted,0,1,2\nactual,3,0,5\ncost,6,7,0\n")
    assert costs["actual", "cost"] == 5


def test_what_a_missing_answer_costs_needs_one_edge_only() -> None:
    down = f"predicted \\ actual,a,b\na,0,1\nb,2,0\n{NO_ANSWER},3,4\n"
    across = f"actual \\ predicted,a,b,{NO_ANSWER}\na,0,2,3\nb,1,0,4\n"
    both = f"predicted \\ actual,a,b,{NO_ANSWER}\na,0,1,99\nb,2,0,99\n{NO_ANSWER},3,4,99\n"
    listed = f"predicted,actual,cost\na,a,0\na,b,1\nb,a,2\nb,b,0\n{NO_ANSWER},a,3\n{NO_ANSWER},b,4\n"
    for content in (down, across, both, listed):
        costs = read(content)
        assert costs[NO_ANSWER, "b"] == 4
        assert costs.levels.tolist() == [0, 1, 2, 3, 4]
    assert "along one edge only" in refusal(f"predicted \\ actual,a,b,{NO_ANSWER}\na,0,2,3\nb,1,0,4\n")


def test_the_example_fits_the_example() -> None:
    costs = read_costs(str(EXAMPLES / "costs.csv"))
    assert costs.labels == ("malignant", "benign")
    assert costs.matrix.tolist() == [[0, 1], [10, 0]]


# ---- What cannot: one line that says where and what to do

ROWS = "ill,0,1\nwell,10,0\n"
HOSTILE = {
    "empty": b"",
    "a BOM and nothing else": b"\xef\xbb\xbf",
    "header only": b"predicted \\ actual,ill,well\n",
    "no corner": f",ill,well\n{ROWS}",
    "a corner that says nothing": f"label,ill,well\n{ROWS}",
    "a corner that says half": f"predicted,ill,well\n{ROWS}",
    "a corner that says the same twice": f"predicted \\ prediction,ill,well\n{ROWS}",
    "a corner that says too much": f"rows are predicted not actual,ill,well\n{ROWS}",
    "a bare matrix": "0,1\n10,0\n",
    "a label of one edge": f"predicted \\ actual,ill,healthy\n{ROWS}",
    "fewer rows than columns": "predicted \\ actual,ill,well\nill,0,1\n",
    "more rows than columns": f"predicted \\ actual,ill,well\n{ROWS}dead,1,1\n",
    "a label twice down": "predicted \\ actual,ill,well\nill,0,1\nill,10,0\n",
    "a label twice across": "predicted \\ actual,ill,ill\nill,0,1\nwell,10,0\n",
    "a label without text": "predicted \\ actual,ill, \nill,0,1\n ,10,0\n",
    "an empty cell": "predicted \\ actual,ill,well\nill,0,\nwell,10,0\n",
    "NaN": "predicted \\ actual,ill,well\nill,0,nan\nwell,10,0\n",
    "infinity": "predicted \\ actual,ill,well\nill,0,inf\nwell,10,0\n",
    "a number beyond the floats": "predicted \\ actual,ill,well\nill,0,1e999\nwell,10,0\n",
    "an underscore": "predicted \\ actual,ill,well\nill,0,1_000\nwell,10,0\n",
    "a decimal comma": "predicted \\ actual;ill;well\nill;0;0,5\nwell;10;0\n",
    "money": "predicted \\ actual,ill,well\nill,0,$5\nwell,10,0\n",
    "digits of another script": "predicted \\ actual,ill,well\nill,0,\u0665\nwell,10,0\n",
    "nothing but one cost": "predicted \\ actual,ill,well\nill,2,2\nwell,2,2\n",
    "one class": "predicted \\ actual,ill\nill,2\n",
    "a short row": "predicted \\ actual,ill,well\nill,0,1\nwell,10\n",
    "latin-1": "predicted \\ actual,ill,ges\u00fcnder\nill,0,1\nges\u00fcnder,10,0\n".encode("latin-1"),
    "a quote that never ends": 'predicted \\ actual,ill,well\n"ill,0,1\nwell,10,0\n',
    "binary": bytes(range(256)),
    "terminal codes": "\x1b[31mpredicted,ill,well\nill,0,1\nwell,10,0\n",
    "a huge cell": "predicted \\ actual,ill,well\nill,0,1\nwell," + "9" * 10**5 + "x,0\n",
    "a list with a pair missing": "predicted,actual,cost\nill,ill,0\nill,well,1\nwell,well,0\n",
    "a list with a pair twice": "predicted,actual,cost\nill,ill,0\nill,well,1\nill,well,2\nwell,ill,1\nwell,well,0\n",
    "a list with more columns": "predicted,actual,cost,note\nill,ill,0,x\n",
    "a list with words for costs": "predicted,actual,cost\nill,ill,none\n",
    "a list without a label": "predicted,actual,cost\nill,,0\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line(case: str) -> None:
    assert "costs.csv" in refusal(HOSTILE[case])


def test_every_refusal_of_costs_says_where() -> None:
    matches("errors_of_costs", "\n".join(f"{case}\n  {refusal(content)}" for case, content in HOSTILE.items()))


def test_places_that_hold_no_file() -> None:
    Path("folder").mkdir()
    for name in ("folder", "missing.csv", "x" * 300, "nul\0byte"):
        with pytest.raises(HoldfastError):
            read_costs(name)


def test_too_many_cells_are_refused_before_they_are_read() -> None:
    wide = "predicted \\ actual," + ",".join(map(str, range(1100))) + "\n"
    assert "too many for costs" in refusal(wide + "".join(f"{i}{',1' * 1100}\n" for i in range(1100)))


@pytest.mark.long
def test_files_of_many_labels_are_refused_at_once() -> None:
    tall = "".join(f"{i},1\n" for i in range(50_000))
    assert "along one edge only" in refusal("predicted \\ actual,0\n" + tall)
    assert "Every pair of labels" in refusal("predicted,actual,cost\n" + "".join(f"{i},{i},1\n" for i in range(50_000)))


# ---- Anything at all


LABEL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(str.strip)


@given(
    st.lists(LABEL, min_size=2, max_size=5, unique=True),
    st.floats(-1e6, 1e6),
    st.randoms(use_true_random=False),
    st.booleans(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_what_is_written_is_read(labels: list[str], first: float, random: object, turned: bool) -> None:
    matrix = np.arange(len(labels) ** 2, dtype=float).reshape(len(labels), -1) + first
    if len(np.unique(matrix)) < 2:
        return
    quoted = ['"' + label.replace('"', '""') + '"' for label in labels]
    corner = "actual \\ predicted" if turned else "predicted \\ actual"
    shown = matrix.T if turned else matrix
    lines = [",".join([corner, *quoted])]
    lines += [",".join([name, *(repr(float(cell)) for cell in row)]) for name, row in zip(quoted, shown, strict=True)]
    costs = read("\n".join(lines))
    expected = Costs(matrix, labels, rows="predicted")
    for predicted in labels:
        for actual in labels:
            assert costs[predicted, actual] == expected[predicted, actual]


@given(st.binary(max_size=80) | st.text('predictedactualcost\\,;"\n01-9.e ', max_size=80).map(str.encode))
@example(b"predicted \\ actual,a\na,1")
@example(b"predicted,actual,cost\n")
@example(b"predicted,predicted,actual\na,a,1")
@example(b"cost,cost\n1,2")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_no_bytes_bring_it_down(content: bytes) -> None:
    costs = None
    with suppress(HoldfastError):
        costs = read(content)
    assert costs is None or np.isfinite(costs.matrix).all()
