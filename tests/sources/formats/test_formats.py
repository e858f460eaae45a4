"""A format is one entry: what is registered here and nowhere else is read by every command that reads a table."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from types import SimpleNamespace

import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources import formats
from holdfast.sources.content import Content, Files
from holdfast.sources.formats import FORMATS, Format, endings
from holdfast.sources.table import Table
from tests.cli.test_names import FILES, TREE
from tests.fuzz.trying import Outcome, called

MARK, INSIDE = b"CARDS\n", "deck"


def open_cards(files: Files) -> Table:
    """Rows as cards: a line per cell, which says what it is, and a blank line after each card."""
    cards = []
    for content in files.contents:
        path = content / INSIDE if isinstance(content, Path) and content.is_dir() else content
        text = (path if isinstance(path, bytes) else path.read_bytes()).removeprefix(MARK).decode()
        cards += [dict(line.split("=", 1) for line in card.split("\n")) for card in text.strip("\n").split("\n\n")]
    return Table.of_frame(files.name, pl.DataFrame({name: [card[name] or None for card in cards] for name in cards[0]}))


def as_cards(text: str) -> bytes:
    header, *rows = csv.reader(io.StringIO(text))
    cards = ("".join(f"{name}={cell}\n" for name, cell in zip(header, row, strict=True)) for row in rows)
    return MARK + "\n".join(cards).encode()


def is_a_deck(head: bytes, content: Content) -> bool:
    return isinstance(content, Path) and (content / INSIDE).is_file()


CARDS = Format("cards", open_cards, (".cards",), lambda head, _: head.startswith(MARK))
DECK = Format("deck", open_cards, recognises=is_a_deck, folders=True)
TABLES = {
    **{name: text for name, text in FILES.items() if name.endswith(".csv")},
    "first.csv": "id,truth,predicted\n1,a,a\n2,b,a\n3,a,b\n",
    "second.csv": "id,predicted\n3,a\n1,a\n2,b\n",
}
CALLS = (
    "assess binary.csv --by site",
    "assess binary.csv --positive yes --costs costs.csv",
    "assess gaps.csv --missing drop --cluster patient --max-cluster 9",
    "compare models.csv --models m1,m2 --score p_* --positive y",
    "compare long.csv --model model --id question",
    "compare first.csv second.csv --on id",
    "compare passes.csv --pass-fail",
    "compare datasets.csv --datasets dataset",
    "compare folds.csv --folds fold --measure error-rate",
    "gate binary.csv --at-most 0.3",
    "threshold binary.csv --specificity-at-least 0.2",
    "panel models.csv --models m1,m2,m3 --unlabelled unlabelled.csv",
    "committee models.csv --models m1,m2,m3",
    f"cross-assess {TREE}",
    f"decompose {TREE} --rounds 2",
    f"learning-curve {TREE}",
    "bound --losses losses.csv --column other",
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, CARDS, DECK))


def outcome(call: str, laid: str) -> Outcome:
    for name, text in TABLES.items():
        path = Path(name)
        if laid == "folders":
            path.mkdir()
            path /= INSIDE
        path.write_bytes(text.encode() if laid == "text" else as_cards(text))
    try:
        return called(shlex.split(call))
    finally:
        for name in TABLES:
            rmtree(name) if Path(name).is_dir() else Path(name).unlink()


@pytest.mark.crossing(3)
@pytest.mark.parametrize("call", CALLS)
def test_every_command_that_reads_a_table_reads_it(call: str, registered: None) -> None:
    """By its bytes, which say more than the name; a folder that is a table is read as one."""
    expected = outcome(call, "text")
    assert (expected.code in (0, 1, 3), expected.err) == (True, "")
    assert outcome(call, "files") == expected
    if "--losses" not in call:  # which come from one file, in the order drawn
        assert outcome(call, "folders") == expected


def test_its_files_are_found_in_folders_and_not_taken_for_others(registered: None) -> None:
    Path("runs/deck").mkdir(parents=True)
    for name in ("runs/1.cards", "runs/2.cards"):
        Path(name).write_bytes(as_cards("truth,predicted\na,a\nb,a\n"))
    assert hf.assess(hf.read("runs")).claims[0].n == hf.assess(hf.read("runs/*.cards")).claims[0].n == 4
    Path("damaged.cards").write_text("truth=a")
    with pytest.raises(HoldfastError, match=r"^damaged\.cards is no cards file, though its name says so"):
        hf.read("damaged.cards")
    assert endings()[-1] == ".cards"


def test_it_is_known_in_a_pipe(registered: None, monkeypatch: pytest.MonkeyPatch) -> None:
    content = as_cards("truth,predicted\na,a\nb,a\n")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert hf.assess(hf.read("-")).claims[0].n == 2


def test_without_its_entry_nothing_of_it_is_known() -> None:
    Path("rows.csv").write_bytes(as_cards("truth,predicted\na,a\n"))
    with pytest.raises(HoldfastError, match=r"^rows\.csv has no columns that look like the truth"):
        hf.read("rows.csv")
    assert ".cards" not in endings()


def test_a_format_of_files_is_not_asked_about_folders_nor_the_other_way_round(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("runs").mkdir()
    Path("runs/rows.csv").write_text("truth,predicted\na,a\nb,a\n")

    def never(files: Files) -> Table:
        raise AssertionError

    def is_folder(folder: bool) -> Callable[[bytes, Content], bool]:
        return lambda _, content: (isinstance(content, Path) and content.is_dir()) == folder

    mistaken = [Format("greedy", never, recognises=is_folder(not each), folders=each) for each in (True, False)]
    monkeypatch.setattr(formats, "FORMATS", (*mistaken, *FORMATS))
    assert hf.assess(hf.read("runs")).claims[0].n == 2


# ---- Folders that are tables


def deck(name: str) -> None:
    Path(name).mkdir(parents=True)
    (Path(name) / INSIDE).write_bytes(as_cards("truth,predicted\na,a\nb,a\n"))


def test_folders_that_are_tables_are_found_below_others_and_not_searched(registered: None) -> None:
    deck("logs/one")
    deck("logs/more/two")
    Path("logs/one/inner").mkdir()
    Path("logs/one/inner/rows.csv").write_text("truth,predicted\na,a\n")  # a part of the table, and none itself
    for source in ("logs", "logs/**", ["logs/one", "logs/more/two"]):
        assert hf.assess(hf.read(source)).claims[0].n == 4, source


def test_what_lies_in_a_folder_that_is_a_table_counts_once(registered: None) -> None:
    deck("logs/one")
    Path("beside").symlink_to("logs/one")
    for second in ("logs/one", "beside", "logs/../logs/one"):
        with pytest.raises(HoldfastError, match="its rows would count twice"):
            hf.read(["logs/one", second])
    with pytest.raises(HoldfastError, match=r"^logs/one/deck lies in logs/one, and its rows would count twice"):
        hf.read(["logs/one", "logs/one/deck"])


def test_no_command_writes_into_a_folder_that_it_reads_as_a_table(registered: None) -> None:
    deck("logs/one")
    answer = called(["assess", "logs/one", "--html", "logs/one/deck"])
    assert (answer.code, "would overwrite logs/one" in answer.err) == (2, True)
