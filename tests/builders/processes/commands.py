"""Runs `podium` as a person does: a process, its exit code, its two outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.places import ROOT


@dataclass(frozen=True)
class Ran:
    """The exit code of a command and its output."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Person:
    """A user with a home of their own, in which caches and configuration lie."""

    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing of the test's own environment but the path."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "COLUMNS": "200",
            **more,
        }

    def types(self, *arguments: object, stdin: str = "", **environment: str) -> Ran:
        """Runs `podium` with these arguments in the home folder."""
        run = subprocess.run(
            [sys.executable, "-m", "podium.cli", *map(str, arguments)],
            cwd=self.home,
            env=self.environment(PYTHONPATH=str(ROOT), **environment),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Ran(run.returncode, run.stdout, run.stderr)
