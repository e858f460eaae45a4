"""The whole page of the shipped example: on a light screen, a dark one, a phone, and on paper sheet by sheet.

Needs Chromium, `make browser`, and pypdfium2, which turns the printed sheets into pictures. They go to
docs/gallery, whose README.md shows them: run make_gallery.py afterwards.
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Page, sync_playwright

import holdfast as hf
from pictures import columns, make_small, sheet

GALLERY = Path(__file__).parents[1] / "gallery"
EXAMPLE = GALLERY.parents[1] / "examples" / "predictions.csv"
DESK = {"width": 1200, "height": 900}
PHONE = {"width": 390, "height": 844}
SCREENS: dict[str, tuple[int, dict[str, Any]]] = {  # in how many columns, and what is special
    "light": (3, {"viewport": DESK, "color_scheme": "light"}),
    "dark": (3, {"viewport": DESK, "color_scheme": "dark"}),
    "phone": (6, {"viewport": PHONE, "color_scheme": "light", "is_mobile": True, "has_touch": True}),
    "print": (4, {"viewport": DESK, "color_scheme": "light"}),
}
DRAWN = "() => [...document.querySelectorAll('.chart')].every(chart => chart.querySelector('svg'))"


def main() -> None:
    command = "holdfast assess predictions.csv --positive malignant --operating-point 0.5 --bins 5 --html page.html"
    report = hf.assess(hf.read(EXAMPLE), positive="malignant", operating_point=0.5, bins=5).with_command(command)
    with TemporaryDirectory() as home, sync_playwright() as driver:
        page_file = Path(home) / "report.html"
        report.save(page_file)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (number, options) in SCREENS.items():
            context = browser.new_context(offline=True, reduced_motion="reduce", **options)
            page = context.new_page()
            page.goto(page_file.as_uri())
            page.wait_for_function(DRAWN)
            page.wait_for_timeout(500)  # the pictures take the width there is
            pieces = printed(page) if name == "print" else list(columns(screen(page), number))
            sheet(pieces, number).save(GALLERY / f"{name}.png")
            make_small(GALLERY / f"{name}.png")
            print(f"{name}.png: {(GALLERY / f'{name}.png').stat().st_size // 1000} kB, in {len(pieces)} pieces")
            context.close()
        browser.close()


def screen(page: Page) -> Image.Image:
    """The page from top to bottom."""
    return Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")


def printed(page: Page) -> list[Image.Image]:
    """Every sheet of paper."""
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
    sheets = pypdfium2.PdfDocument(page.pdf(format="A4", margin=margin))
    return [one.render(scale=1.2).to_pil().convert("RGB") for one in sheets]


if __name__ == "__main__":
    main()
