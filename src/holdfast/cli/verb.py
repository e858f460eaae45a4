"""A command whose options are given once each, but for those that say otherwise, and whose files are apart.

Every command can write its answer as Markdown, and refuses an option that others have with the reason.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import rich_click as click

from holdfast.cli.fault import DEBUG
from holdfast.cli.markdown import MARKDOWN, keep
from holdfast.cli.refusals import reason
from holdfast.cli.targets import check_targets
from holdfast.wording import quoted

SEVERAL = "may be given several times"


class Verb(click.RichCommand):
    """Refuses an option that takes one value and is given two, of which click would take the last in silence."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params += [MARKDOWN, DEBUG]
        for option in self.params:
            if isinstance(option, click.Option) and option.multiple and SEVERAL not in (option.help or SEVERAL):
                option.help = f"{(option.help or '').removesuffix('.')}; {SEVERAL}."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = [*args]  # click's parser takes from the list what it has read
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if (why := reason(self.name, error.option_name)) is None:
                raise
            ctx.fail(f"{self.name} takes no {error.option_name}: {why}.")
        for option, values in self._given(ctx, words):
            if len(values) > 1 and not ctx.resilient_parsing:  # as where words are completed
                ctx.fail(f"{option} is given as {' and as '.join(map(quoted, values))}; it takes one value.")
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        check_targets(self.params, ctx.params)
        keep(ctx)
        return super().invoke(ctx)

    def _given(self, ctx: click.Context, words: list[str]) -> list[tuple[str, list[Any]]]:
        """Every value of each option that takes one."""
        single = [p for p in self.params if isinstance(p, click.Option) and not (p.multiple or p.is_flag or p.count)]
        lenient = copy(self)
        lenient.params = [_several_times(param) if param in single else param for param in self.params]
        values, _, _ = lenient.make_parser(ctx).parse_args(words)
        return [(option.opts[0], values.get(option.name or "", [])) for option in single]


def _several_times(option: click.Option) -> click.Option:
    option = copy(option)
    option.multiple = True
    return option
