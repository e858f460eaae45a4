"""holdfast completion: a script for the shell."""

from __future__ import annotations

import rich_click as click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script: eval "$(holdfast completion bash)"."""
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # click knows all three
    click.echo(script(ctx.find_root().command, {}, "holdfast", "_HOLDFAST_COMPLETE").source())
