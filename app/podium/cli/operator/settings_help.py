"""The list of all settings below the help of `podium serve`, and a reference to it in that of the
other commands for operators."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from typer.core import TyperCommand

WHERE_SETTINGS_ARE = (
    "Settings such as PODIUM_DATA_DIR and PODIUM_DATABASE_URL are environment variables, the same"
    " as the server's. `podium serve --help` lists all."
)
"""Ends the help of a command that reads the settings and does not list them."""


class CommandWithSettings(TyperCommand):
    """A command whose help ends with the environment variables that it reads."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - names of Typer's own
        """Prints the help like any command's, and then the settings."""
        super().format_help(ctx, formatter)
        if find_spec("pydantic_settings") is not None:
            _print_settings()


def _print_settings() -> None:
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    from podium.cli.operator.described_settings import described_settings

    rows = Table.grid(padding=(0, 1))
    for setting in described_settings():
        text = Text(setting.meaning).append(f" [{setting.form}]", "dim")
        rows.add_row(Text(setting.variable, "bold cyan"), text)
    title = "Settings (environment variables)"
    Console().print(Panel(rows, title=title, title_align="left", border_style="dim"))
