"""Reference values for designs, from an independent implementation: rows, and cases of each kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_HELD = json.loads((Path(__file__).parent / "designs.json").read_text(encoding="utf-8"))
ROWS: dict[str, list[float]] = _HELD["rows"]


def cases(kind: str) -> list[dict[str, Any]]:
    found = [case for case in _HELD["cases"] if case["kind"] == kind]
    assert found, kind
    return found
