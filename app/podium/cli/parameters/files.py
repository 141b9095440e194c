"""Parameters for files that must exist."""

from __future__ import annotations

from typing import Any

import typer


def file_option(about: str, *names: str) -> Any:  # noqa: ANN401 - as Typer's own
    """Declares an option for a file that must exist, perhaps with names of its own."""
    return typer.Option(*names, exists=True, dir_okay=False, help=about)


def file_argument(about: str) -> Any:  # noqa: ANN401 - as Typer's own
    """Declares an argument for a file that must exist."""
    return typer.Argument(exists=True, dir_okay=False, help=about)
