"""Runs `podium` in this process: for commands of which neither a crash nor a signal matters."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from typer.main import get_command

from podium.cli.commands import build
from podium.cli.reporting import reported


@dataclass(frozen=True)
class Typed:
    """The exit code of a command and its output."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as JSON. Where there is none, what the command said instead is shown."""
        assert self.out.startswith("{"), f"exit code {self.code}: {self.out}{self.err}"
        return json.loads(self.out)


def typed(*arguments: object) -> Typed:
    """Runs `podium` with these arguments; what it does not foresee, it raises."""
    words = list(map(str, arguments))
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["podium", *words]
    try:
        with redirect_stdout(out), redirect_stderr(err), reported():
            ended = _podium()(words, prog_name="podium", standalone_mode=False)
        code = ended if isinstance(ended, int) else 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.argv = before
    return Typed(code, out.getvalue(), err.getvalue())


@lru_cache(1)
def _podium() -> Any:
    """The command with all others, which takes longer to make than to run."""
    return get_command(build())
