"""EDGE: the command `podium`. Participants speak HTTP through `client`, operators use `bootstrap`.

Modules here import only the standard library and Typer at their top; everything heavy is imported
inside the command that needs it, so that `--help` answers at once. Results go to standard output,
everything else to standard error.
"""

from __future__ import annotations

import gc

from app.cli.commands import build
from app.cli.outcome import reported


def main() -> None:
    """Runs the command line; ends the process with the exit code of `outcome`."""
    # Starting makes many objects that stay: looking for garbage among them is a tenth of its time.
    gc.set_threshold(10_000)
    with reported():
        build()(prog_name="podium")
