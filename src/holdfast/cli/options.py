"""Options that several commands share, and how an answer is printed."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from math import isfinite
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.shell_completion import CompletionItem

from holdfast.errors import HoldfastError, visible
from holdfast.wording import quoted

if TYPE_CHECKING:
    from holdfast.render.kinds import Answer


class MethodName(click.ParamType):  # type: ignore[type-arg]  # takes none before click 8.4
    """A name of the catalog, completed from it."""

    name = "method"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from holdfast.catalog import methods

        return [CompletionItem(m.name, help=m.summary) for m in methods() if m.name.startswith(incomplete)]


class EntryName(MethodName):
    """A name that some output prints: of a method, or of a procedure that cannot be chosen as one."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from holdfast.catalog import procedures

        followed = [CompletionItem(p.name, help=p.summary) for p in procedures() if p.name.startswith(incomplete)]
        return super().shell_complete(ctx, param, incomplete) + followed


MOST_SIZES = 100_000


class Sizes(click.ParamType):  # type: ignore[type-arg]  # takes none before click 8.4
    """Numbers of examples: 50, 10,20,50 or 10..200."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        if isinstance(value, list):
            return value
        sizes: Sequence[int] = ()
        with suppress(ValueError):
            if ".." in value:
                first, last = value.split("..")
                sizes = range(int(first), int(last) + 1)
            else:
                sizes = [int(part) for part in value.split(",")]
        if not sizes or min(sizes[0], sizes[-1]) < 1 or len(sizes) > MOST_SIZES:
            self.fail(f"{value!r} is no number of examples; write 50, or 10,20,50, or 10..200.", param, ctx)
        return list(sizes)


def listed(option: str, given: str | None) -> list[float]:
    """The numbers of an option that takes several, such as 1,5,10; those that are whole are so in Python too."""
    values: list[float] = []
    with suppress(ValueError):
        values = [float(part) for part in given.split(",")] if given else []
    if given and not (values and all(map(isfinite, values))):
        raise HoldfastError(f"{option} takes numbers with commas between them; got {given!r}.")
    return [int(value) if value.is_integer() else value for value in values]


def is_number(given: str) -> bool:
    """Whether it is a number, and no column."""
    try:
        float(given)
    except ValueError:
        return False
    return True


def by_name(option: str, pairs: Iterable[Sequence[str]]) -> dict[str, str]:
    """What is given for each name; of two values for one name, none is dropped in silence."""
    values: dict[str, str] = {}
    for name, value in pairs:
        if name and name in values:  # without a name it is no pair, which whoever reads the pairs says
            twice = f"as {quoted(values[name])} and as {quoted(value)}"
            raise HoldfastError(f"{option} names {quoted(name)} twice, {twice}; give it once.")
        values[name] = value
    return values


MODEL_PARTS = "MODEL=PART, such as alpha=0.5"


def parts_by_name(option: str, form: str, given: Sequence[str]) -> dict[str, float]:
    """The part of each name, where an option takes pairs of this form, such as alpha=0.5."""
    by_name(option, (pair.rpartition("=")[::2] for pair in given))
    parts = {}
    for pair in given:
        name, _, part = pair.rpartition("=")
        if not (name and is_number(part)):
            raise HoldfastError(f"{option} takes {form}; got {pair!r}.")
        parts[name] = float(part)
    return parts


class Labels(click.ParamType):  # type: ignore[type-arg]  # takes none before click 8.4
    """Labels with commas between them."""

    name = "labels"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        labels = value if isinstance(value, list) else [label.strip() for label in value.split(",")]
        if not all(labels):
            self.fail(f"{value!r} names a label without a name; write them as no,yes.", param, ctx)
        return labels


Command = Callable[..., Any]
confidence_option = click.option(
    "--confidence", default="0.95", show_default=True, help="Confidence of the statement as a whole."
)
together_option = click.option(
    "--simultaneous", is_flag=True, help="Make all of it hold together, not each on its own."
)
looks_option = click.option(
    "--looks",
    type=int,
    default=1,
    metavar="K",
    help="At how many sizes of a growing test set this is asked, all told.",
)
side_option = click.option(
    "--side",
    type=click.Choice(["upper", "lower", "both"]),
    default="both",
    show_default=True,
    help="Which limits to claim.",
)
method_option = click.option("--method", type=MethodName(), help="A name from `holdfast methods`.")
labels_option = click.option(
    "--labels",
    type=Labels(),
    metavar="LABEL,...",
    help="All labels there are, in this order.  [default: those that occur]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def in_order(*options: Command) -> Callable[[Command], Command]:
    """Several options as one decorator, which help shows in this order."""

    def with_options(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def taken(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """These options out of all that a command was given, which then are the others."""
    return {name: given.pop(name) for name in names}


def _refuse_order(context: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        raise HoldfastError(
            "--order is for losses that are given one by one, as in `holdfast bound --losses FILE --order drawn`, and "
            "for clusters, as in `holdfast assess FILE --cluster COLUMN --order drawn`: here rows are counted wherever "
            "they live, and no order is kept. Leave it out; the methods that answer unless others are named need none."
        )


# An option that is known elsewhere, and says nothing where rows are counted in no order.
no_order = click.option("--order", hidden=True, expose_value=False, callback=_refuse_order)


def command_line() -> str:
    """The call as it was made, for the provenance."""
    words = shlex.join(["holdfast", *sys.argv[1:]])
    return words.encode(errors="replace").decode()  # a file name may be bytes that are no text


def busy(message: str) -> AbstractContextManager[object]:
    """A sign of life on standard error while a verb works, where somebody watches."""
    from rich.console import Console

    return Console(stderr=True).status(message)


def show(answer: Answer, as_json: bool) -> None:
    """Print the answer for a machine, a person or a pull request, and write it for the latter if a file is named."""
    from holdfast.cli.verb import markdown_is_printed, write_markdown
    from holdfast.render.kinds import parts_of
    from holdfast.render.text.layout import console_of, printed

    with telling():
        if as_json:
            click.echo(answer.to_json())
        elif markdown_is_printed():
            click.echo(answer.to_markdown())
        else:
            console = console_of(safe_box=True)
            if not console.is_terminal:
                console.width = 80
            for part in printed(parts_of(answer)):
                console.print(part)
    write_markdown(answer)


def tell(sentence: str) -> None:
    """A line beside the answer, on standard error; names in it are those of others, and printed as such."""
    click.echo(visible(sentence), err=True)


def renamed(old: str, new: str, value: str, other: str | None) -> str:
    """What was given by the old name of an option; it still reads, with a note, unless the new one is given too."""
    if other is not None:
        raise HoldfastError(f"{new} is what {old} is called now; give one of them.")
    tell(f"{old} is called {new} now; the old name will go.")
    return value


@contextmanager
def telling() -> Iterator[None]:
    """Where an answer is printed: if its reader leaves half-way, the exit code is still that of the answer."""
    try:
        yield
    except (BrokenPipeError, SystemExit):  # the latter is how rich says so
        tell_nobody()


def tell_nobody() -> None:
    """From now on what is printed goes nowhere, and so does what still waits to be."""
    with suppress(AttributeError, OSError, ValueError):  # what is closed, or no stream of the system, has no reader
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
