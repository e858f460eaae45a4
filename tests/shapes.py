"""JSON held to the shapes that are published in src/holdfast/schemas/."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator


def validate(value: Any, schema: Any) -> None:
    """Raise unless the value is of this shape; a shape is looked at once, which takes longer than all that follows."""
    _validator(json.dumps(schema, sort_keys=True)).validate(value)


@cache
def _validator(schema: str) -> Draft202012Validator:
    shape = json.loads(schema)
    Draft202012Validator.check_schema(shape)
    return Draft202012Validator(shape)
