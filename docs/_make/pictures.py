"""Long pictures side by side on one sheet, in few colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

GAP = 24
GROUND = (128, 134, 140)
COLOURS = 128  # nobody misses the others here, and the file is a fraction of the size


def columns(picture: Image.Image, number: int) -> Iterator[Image.Image]:
    """A long picture in about so many pieces from top to bottom, cut where nothing is drawn."""
    pixels = np.asarray(picture)
    blank = (pixels == pixels[:, :1]).all(axis=(1, 2))
    height, top = -(-picture.height // number), 0
    while top < picture.height:
        bottom = min(top + height, picture.height)
        while bottom < picture.height and not blank[bottom - 10 : bottom + 10].all():
            bottom += 1
        yield picture.crop((0, top, picture.width, bottom))
        top = bottom


def sheet(pieces: Sequence[Image.Image], in_a_row: int) -> Image.Image:
    """The pieces beside each other, as many in a row as asked."""
    wide, high = max(piece.width for piece in pieces), max(piece.height for piece in pieces)
    across, down = min(in_a_row, len(pieces)), -(-len(pieces) // in_a_row)
    whole = Image.new("RGB", (across * (wide + GAP) + GAP, down * (high + GAP) + GAP), GROUND)
    for place, piece in enumerate(pieces):
        row, column = divmod(place, in_a_row)
        whole.paste(piece, (GAP + column * (wide + GAP), GAP + row * (high + GAP)))
    return whole


def make_small(picture: Path) -> None:
    """Keep few colours."""
    with Image.open(picture) as drawn:
        few = drawn.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(picture, optimize=True)
