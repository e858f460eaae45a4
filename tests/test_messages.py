"""Every name in a message exists: options in a verb, keywords and names in public Python, each beside the other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import holdfast as hf
from holdfast.errors import PAIR, addressed
from tests.names import CALL, COMMAND, KEYWORD, OPTION, PUBLIC_NAME, VERBS, keywords, keywords_of

ROOT = Path(__file__).parents[1] / "src" / "holdfast"
NO_PROSE = (
    "render/charts",
    "render/notebook.py",
    "render/ci/github.py",
    "render/ci/github.py",
    "render/notebook.py",
    "render/page",
)
TYPED_ONLY = (*("cli/", "testing/plugin.py", "sources/examples.py", "sources/losses.py", "sources/lines/"),)
FOREIGN = {"--completion", "--holdfast-json", "--junit-xml"}  # of the whole command line, and of pytest's
EXAMPLES = {"axis", "max_depth", "journal_mode", "synchronous"}  # parameters of others


class Text(NamedTuple):
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"src/holdfast/{self.file}:{self.line}"


@cache
def texts() -> list[Text]:
    """Every string of the source but docstrings; what is filled in is a VALUE."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if not file.startswith(NO_PROSE):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [Text(file, line, text) for line, text in strings(tree)]
    return found


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    silent: set[int] = set()  # docstrings, parts of other strings, and how a value shows itself
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
        elif isinstance(node, ast.FunctionDef) and node.name == "__repr__":
            silent |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(map(_filled, node.values))


FILLED = "VALUE"  # stands where a text puts in something of the moment


def _filled(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else FILLED


def told(wrong: list[str]) -> str:
    return "\n" + "\n".join(wrong)


def test_every_option_is_one_of_some_verb() -> None:
    known = {option for options in VERBS.values() for option in options}
    wrong = [
        f"{text}: {option} is an option of no verb, in {text.text!r}"
        for text in texts()
        for option in OPTION.findall(text.text)
        if option not in known | FOREIGN
    ]
    assert not wrong, told(wrong)


def test_every_option_is_named_beside_its_keyword_where_python_may_read_it() -> None:
    wrong = []
    for text in texts():
        if text.file.startswith(TYPED_ONLY):
            continue
        for option in OPTION.findall(addressed(text.text)):
            verbs = ", ".join(verb for verb, options in VERBS.items() if option in options)
            wrong.append(f"{text}: write keyword= ({option}), as one of {verbs}; in {text.text!r}")
        for pair in PAIR.finditer(text.text):
            if len(OPTION.findall(pair["typed"])) > 1 and pair["python"][0] != "`":
                wrong.append(f"{text}: one option beside one keyword, not {pair[0]!r}")
    assert not wrong, told(wrong)


def test_what_the_command_line_writes_names_no_keyword() -> None:
    wrong = [
        f"{text}: {keyword}= is Python's, in {text.text!r}"
        for text in texts()
        if text.file.startswith("cli/") and " " in text.text
        for keyword in KEYWORD.findall(re.sub(r"such as \S+", "", text.text))
        if keyword in keywords() and PAIR.search(text.text) is None
    ]
    assert not wrong, told(wrong)


def test_every_keyword_is_one_of_something_public() -> None:
    wrong = [
        f"{text}: {keyword}= is a parameter of nothing public, in {text.text!r}"
        for text in texts()
        if " " in text.text and not text.file.startswith("cli/")
        for keyword in KEYWORD.findall(PAIR.sub(lambda pair: pair["python"], text.text))
        if keyword not in keywords() and keyword not in EXAMPLES
    ]
    assert not wrong, told(wrong)


def test_every_name_is_public_and_takes_what_it_is_given() -> None:
    wrong = []
    for text in texts():
        wrong += [
            f"{text}: hf.{name} is not public"
            for name in PUBLIC_NAME.findall(text.text)
            if name not in hf.__all__ and name != FILLED
        ]
        for name, given in CALL.findall(text.text):
            if name in hf.__all__:
                idle = set(KEYWORD.findall(given)) - keywords_of(getattr(hf, name))
                wrong += [f"{text}: hf.{name} takes no {keyword}=" for keyword in idle]
    assert not wrong, told(wrong)


def test_every_command_exists() -> None:
    wrong = [
        f"{text}: there is no command {verb}, in {text.text!r}"
        for text in texts()
        for verb, _ in COMMAND.findall(text.text)
        if verb not in VERBS and "version of" not in text.text
    ]
    assert not wrong, told(wrong)
