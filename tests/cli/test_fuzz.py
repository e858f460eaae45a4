"""Files of anything at the command line: the right answer, or one short message."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Run

ODD = ["<script>", 'a"b', "x\ny", "é", "🙂", "a,b", " a ", "[red]", "\x1b[31m", "NaN", "null", "-", "0", "1"]
hostile = st.one_of(st.text(max_size=8), st.sampled_from(ODD))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(hostile, hostile), max_size=8), st.sampled_from(",;\t|"))
def test_files_of_hostile_labels(run: Run, tmp_path: Path, rows: list[tuple[str, str]], separator: str) -> None:
    page = io.StringIO()
    table = csv.writer(page, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerows([("truth", "predicted"), *rows])
    (tmp_path / "fuzz.csv").write_bytes(page.getvalue().encode("utf-8", "surrogatepass"))
    answer = run("assess", "fuzz.csv", "--json")
    assert "Traceback" not in answer.err
    if answer.code == 0:
        report = json.loads(answer.out)
        assert report["errors"] == sum(a != b for a, b in rows)
        assert report["provenance"]["rows"] == len(rows)
    else:
        assert (answer.code, answer.out) == (2, "")
        assert len(answer.err) <= 600


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["csv", "parquet", "ndjson", "arrow", "csv.gz", "txt"]))
def test_files_of_anything(run: Run, tmp_path: Path, content: bytes, ending: str) -> None:
    (tmp_path / f"fuzz.{ending}").write_bytes(b"truth,predicted\n" * (ending == "txt") + content)
    answer = run("assess", f"fuzz.{ending}")
    assert answer.code in (0, 2)
    assert "Traceback" not in answer.err
    assert (answer.code == 2) == (answer.out == "")
    assert len(answer.err) <= 600
