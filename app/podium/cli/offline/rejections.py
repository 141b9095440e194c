"""The end of a command for a file that the scorer rejects."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from podium.cli.outcome import Exit, report_rejection
from podium.scoring.problems import FileRejected


@contextmanager
def rejections_of(file: Path) -> Iterator[None]:
    """Ends the command with every problem's line if the file is rejected in the block."""
    try:
        yield
    except FileRejected as refusal:
        report_rejection(str(file), refusal.rejection.to_dict())
        raise typer.Exit(Exit.REJECTED) from None
