"""Lines as they come as cells of the columns wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.sources.lines.line_table import Record, TableReader
from holdfast.sources.table import Header


class Table(TableReader):
    def wanted(self, header: Header) -> list[int]:
        return [header.place("b"), header.place("a")]

    def record(self, cells: list[str]) -> Record:
        return Record(cells, self.line)

    def update(self, rows: Sequence[Any]) -> Mapping[str, Sequence[float]]:
        raise AssertionError("nothing is counted")


def table(**options: Any) -> Table:
    return Table("it", ("a", "b"), **options)


def test_records_out_of_lines_that_come_in_pieces() -> None:
    made = table()
    assert [*made.records(["\ufeffa;b;c", '1;2;"two', 'lines"', "3;4"])] == [["2", "1"]]
    assert made.wrong == "Line 4 of it has 2 cells, and its header 3."
    assert made.complete == 3


def test_an_open_record_is_not_complete() -> None:
    made = table()
    assert [*made.records(["a,b", "1,2", "", '"3'])] == [["2", "1"]]
    assert (made.line, made.complete) == (4, 2)
    made.end()
    assert made.wrong == "A quote in the row that ends on line 4 of it opens and never closes."


def test_objects_of_json() -> None:
    made = table()
    assert [*made.records(['{"a": 1.0, "b": null}', '{"b": "x", "a": [1]}'])] == [["", "1"], ["x", "[1]"]]


@pytest.mark.parametrize("head", [["", '"a",', "b"], ['{"a": 1, "b": 2}', '{"a": 3, "b": 4}']])
def test_the_columns_are_learned_again_and_nothing_is_read_twice(head: list[str]) -> None:
    made = table()
    if head[0]:
        made.restart(head, 9)
        assert [*made.records(['{"a": 5, "b": 6}'])] == [["6", "5"]]
    else:
        made.restart(["", "b|a", "1|2"], 9)
        assert [*made.records(["3|4"])] == [["3", "4"]]
    assert made.complete == made.line == 10


def test_a_header_without_the_names() -> None:
    with pytest.raises(HoldfastError, match="no column named 'b'"):
        [*table().records(["a,c"])]
    with pytest.raises(HoldfastError, match="2 columns named 'a'"):
        [*table(separator="tab").records(["a\ta\tb"])]


def test_what_is_too_long_is_no_row() -> None:
    made = table()
    assert not [*made.records(["a,b", '"' + "x" * 2**20, "y,1"])]
    assert made.wrong == "A quote in the row that reaches line 2 of it opens and never closes."
    made = table()
    assert not [*made.records(["a,b", "x" * 2**18 + ",1"])]
    assert made.wrong == "Line 2 of it has a cell of more than 131,072 characters; is it a text file?"
