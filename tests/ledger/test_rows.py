"""Rows are known by keyed hashes: under any name, in any order, as part of others; and not to who has no key."""

from __future__ import annotations

import pytest

from holdfast.ledger.rows import Key, changed, committed, fingerprint, overlap, root_of

KEY, OTHER = Key(b"k" * 32), Key(b"o" * 32)
IDS, TRUTHS = [str(i) for i in range(100)], ["ab"[i % 2] for i in range(100)]
ROWS = committed(KEY, IDS, TRUTHS)


@pytest.mark.parametrize(
    ("ids", "same", "missing", "more", "twice"),
    [
        (IDS[::-1], 100, 0, 0, 0),
        (IDS[:40], 40, 60, 0, 0),
        ([*IDS, "new", "newer"], 100, 0, 2, 0),
        ([*IDS, "3", "3"], 100, 0, 0, 2),
        (["x", "y"], 0, 100, 2, 0),
    ],
)
def test_subsets_supersets_and_duplicates_are_counted(
    ids: list[str], same: int, missing: int, more: int, twice: int
) -> None:
    found = overlap(KEY, ROWS, ids)
    assert (found.same, found.missing, found.more, found.twice) == (same, missing, more, twice)
    assert found.exact == (missing == more == twice == 0)


def test_a_changed_label_is_known_to_the_holder_of_the_key() -> None:
    assert changed(KEY, ROWS, IDS, TRUTHS) == 0
    assert changed(KEY, ROWS, IDS, ["b", "a", *TRUTHS[2:]]) == 2
    assert changed(KEY, ROWS, IDS, [None, *TRUTHS[1:]]) == 1
    assert changed(KEY, ROWS, ["new"], ["a"]) == 0  # of rows that are not committed nothing is known


def test_another_key_recognises_nothing() -> None:
    assert overlap(OTHER, ROWS, IDS).same == 0
    theirs = committed(OTHER, IDS, TRUTHS)
    assert not theirs.keys() & ROWS.keys()
    assert not {*theirs.values()} & {*ROWS.values()}
    assert root_of(theirs) != root_of(ROWS)


def test_what_is_kept_tells_no_label_apart() -> None:
    """Neither equal labels nor equal ids have equal hashes of rows, and no label is empty or split otherwise."""
    assert len({*ROWS.values()}) == 100
    assert KEY.row("ab", "c") != KEY.row("a", "bc")
    assert KEY.row("a", None) != KEY.row("a", "")
    assert KEY.place("a") != KEY.row("a", None)


def test_the_root_is_of_all_rows_in_any_order() -> None:
    assert root_of(committed(KEY, IDS[::-1], TRUTHS[::-1])) == root_of(ROWS)
    assert root_of(committed(KEY, IDS[1:], TRUTHS[1:])) != root_of(ROWS)


def test_the_fingerprint_of_predictions_is_that_of_rows_in_any_order() -> None:
    first = fingerprint({"id": ["1", "2"], "predicted": ["a", "b"]})
    assert first == fingerprint({"predicted": ["b", "a"], "id": ["2", "1"]})
    assert first != fingerprint({"id": ["1", "2"], "predicted": ["b", "a"]})
    assert first != fingerprint({"id": ["1", "2"], "guessed": ["a", "b"]})
