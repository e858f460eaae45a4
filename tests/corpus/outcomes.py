"""What came out of several hundred commands and calls, so that a change of arrangement is seen to change no answer.

The commands are those of README and docs, and every example of tests/cli/test_names.py as it is, with each of its
options, as JSON and as a page; the calls are those of tests/results.py. Text is compared to the letter, numbers in JSON
to 1e-12.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import holdfast as hf
from holdfast import cli
from holdfast.render.page import page_html
from tests.cli.test_names import CALLS, FILES, options_of, words
from tests.docs.pages import PAGES, ROOT, commands
from tests.docs.test_pages import SHELL
from tests.fuzz.trying import called
from tests.render.test_page import Read
from tests.results import DECISIONS, OTHERS, REPORTS

STORE = Path(__file__).parent / "outcomes.json.gz"
Outcomes = dict[str, Any]
# What a clock or a machine decides.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
DATA = re.compile(r"data-[0-9a-f]{32}")
WANDERING = re.compile(rf"\d+(?:\.\d+)? (?:s|ms|seconds)\b|/tmp/\S+|0x[0-9a-f]{{6,}}|[0-9a-f]{{64}}|{TIME.pattern}")


def recorded() -> Outcomes:
    """Every outcome, made now."""
    return dict([*_of_pages(), *_of_examples(), *_of_calls()])


def _of_pages() -> Iterator[tuple[str, Any]]:
    with _desk() as folder:
        (folder / "examples").symlink_to(ROOT / "examples")
        for page in PAGES:
            for command in commands(page):
                if command.words.startswith("holdfast ") and not SHELL & set(re.sub(r"'[^']*'", "", command.words)):
                    yield _outcome(shlex.split(command.words, comments=True)[1:])


def _of_examples() -> Iterator[tuple[str, Any]]:
    for verb, calls in CALLS.items():
        for place, call in enumerate(calls):
            given = [verb, *shlex.split(call)]
            options = options_of(verb) if place == 0 else []
            named = {option.opts[0] for option in options_of(verb)}
            extras = [[], *(words(option)[0] for option in options if option.opts[0] not in given)]
            extras += [[word] for word in ("--json",) if word in named and place]
            extras += [["--html", "page.html"]] if "--html" in named and place else []
            for extra in extras:
                with _desk() as folder:
                    for name, content in FILES.items():
                        (folder / name).write_text(content, encoding="utf-8")
                    yield _outcome([*given, *extra])


def _outcome(arguments: list[str]) -> tuple[str, Any]:
    code, out, err = called(arguments)
    outcome = {"code": code, "err": _still(err), **_read(out)}
    pages = [word for word in arguments if word.endswith(".html") and Path(word).is_file()]
    if pages:
        outcome["page"] = _page(Path(pages[0]).read_text(encoding="utf-8"))
    return f"holdfast {shlex.join(arguments)}", outcome


def _of_calls() -> Iterator[tuple[str, Any]]:
    for name, call in {**REPORTS, **DECISIONS, **OTHERS}.items():
        result = call()
        outcome = {"text": _still(str(result)), "repr": _still(repr(result))}
        if hasattr(result, "to_dict"):
            outcome["json"] = json.loads(json.dumps(result.to_dict(), default=str))
        if isinstance(result, hf.Report):
            outcome["page"] = _page(page_html(result))
        if hasattr(result, "_repr_html_"):
            outcome["notebook"] = _still(result._repr_html_() or "")
        yield f"hf: {name}", outcome


def _read(out: str) -> dict[str, Any]:
    """Standard output as JSON, or as several lines of it, or as text."""
    out = TIME.sub("2000-01-01T00:00:00Z", out)
    try:
        return {"json": json.loads(out)} if out[:1] in "[{" and out else {"text": _still(out)}
    except ValueError:
        try:
            return {"json": [json.loads(line) for line in out.splitlines()]}
        except ValueError:
            return {"text": _still(out)}


def _page(html: str) -> dict[str, Any]:
    page = Read(html)
    names: dict[str, str] = {}  # of data, which follow from the last places of numbers: numbered instead
    data = DATA.sub(lambda name: names.setdefault(name[0], f"data-{len(names)}"), json.dumps(page.data))
    return {"text": _still(page.visible), "data": json.loads(data)}


def _still(text: str) -> str:
    return WANDERING.sub("…", text)


@contextmanager
def _desk() -> Iterator[Path]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Where two outcomes differ: text in any letter, numbers beyond 1e-12."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if key in before and key in after:
                yield from differences(before[key], after[key], f"{where} {key}")
            else:
                yield f"{where} {key}: {'new' if key in after else 'gone'}"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{where}[{place}]")
    elif isinstance(before, float) and isinstance(after, (int, float)):
        if not math.isclose(before, after, rel_tol=1e-12, abs_tol=1e-12):
            yield f"{where}: {before!r} became {after!r}"
    elif isinstance(before, str) and isinstance(after, str):
        if _still(before) != _still(after):
            place = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
            near = slice(max(0, place - 40), place + 60)
            yield f"{where}: {before[near]!r} became {after[near]!r}"
    elif before != after:
        yield f"{where}: {str(before)[:80]} became {str(after)[:80]}"


def store(outcomes: Outcomes) -> None:
    text = json.dumps(outcomes, sort_keys=True, indent=0)
    STORE.write_bytes(gzip.compress(text.encode("utf-8", "surrogatepass"), 9, mtime=0))


def stored() -> Outcomes:
    return json.loads(gzip.decompress(STORE.read_bytes()).decode("utf-8", "surrogatepass"))


assert set(CALLS) == set(cli.cli.commands)
