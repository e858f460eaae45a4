"""What a state remembers of its input, and how much."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.files import progress
from holdfast.files.progress import Place, Progress, short

PLACE = Place(10, "a" * 64, 3, 7)


def test_what_is_kept_comes_back() -> None:
    some = Progress().after((PLACE,), [short("a"), short("b")])
    assert Progress.of(some.to_dict()) == some
    assert Progress.of({}) == Progress()
    assert Progress().to_dict() == {}  # a state of rows that came from elsewhere says nothing of an input


def test_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_IDS", 3)
    monkeypatch.setattr(progress, "MOST_FILES", 2)
    some = Progress()
    for number in range(5):
        some = some.after((*some.files, Place(number, "a" * 64, 0, 7)), [short(str(number))])
    assert [place.bytes for place in some.files] == [3, 4]
    assert [*some.ids] == [short(str(number)) for number in (2, 3, 4)]
    assert some.forgotten == 2
    assert Progress.of(some.to_dict()) == some


@pytest.mark.parametrize(
    "change",
    [
        {"files": [{}]},
        {"files": [{"bytes": -1, "sha256": "a" * 64, "rows": 0, "inode": 1}]},
        {"files": [{"bytes": 1, "sha256": "a", "rows": 0, "inode": 1}]},
        {"files": [{"bytes": 1, "sha256": "a" * 64, "rows": 0.5, "inode": 1}]},
        {"ids": "AAAA"},
        {"ids": "?"},
        {"ids": 1},
        {"forgotten_ids": -1},
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any]) -> None:
    kept = Progress().after((PLACE,), [short("a")]).to_dict()["input"]
    with pytest.raises((TypeError, ValueError)):
        Progress.of({"input": {**kept, **change}})
