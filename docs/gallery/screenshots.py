"""Pictures of the page of the shipped example: on a light screen, a dark one, a phone and paper."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

import holdfast as hf

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "predictions.csv"
DESK = {"width": 1200, "height": 2400}
PICTURES: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESK, "color_scheme": "light"},
    "dark": {"viewport": DESK, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 2400}, "color_scheme": "light", "is_mobile": True},
    "print": {"viewport": {"width": 718, "height": 2400}, "color_scheme": "light"},  # A4 within margins of 1 cm
}
DRAWN = "() => [...document.querySelectorAll('.chart')].every(chart => chart.querySelector('svg'))"


def main() -> None:
    report = hf.assess(
        hf.read(EXAMPLE),
        positive="malignant",
        operating_point=0.5,
        bins=5,
        command="holdfast assess predictions.csv --positive malignant --operating-point 0.5 --bins 5 --html page.html",
    )
    with TemporaryDirectory() as home, sync_playwright() as driver:
        page_file = Path(home) / "report.html"
        report.save(page_file)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, options in PICTURES.items():
            context = browser.new_context(offline=True, reduced_motion="reduce", **options)
            page = context.new_page()
            if name == "print":
                page.emulate_media(media="print")
            page.goto(page_file.as_uri())
            page.wait_for_function(DRAWN)
            written = page.screenshot(path=HERE / f"{name}.png")
            print(f"{name}.png: {len(written) // 1000} kB")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
