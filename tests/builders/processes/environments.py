"""Environments of their own, into which uv installs what a test names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builders.processes.commands import Ran
from tests.places import ROOT

UV = Path(sys.executable).with_name("uv")

UNREACHABLE = re.compile(r"error sending request|dns error|Could not connect|Failed to fetch")
"""Messages of uv where the package index cannot be reached."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment without an installer of its own."""

    folder: Path

    @classmethod
    def empty(cls, folder: Path) -> Environment:
        """One with nothing but Python's standard library."""
        venv.create(folder, with_pip=False)
        return cls(folder)

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def install(self, *requirements: str, constraints: Iterable[str]) -> None:
        """Installs these within the constraints; skips the test where no index can be reached."""
        limits = self.folder / "constraints.txt"
        limits.write_text("\n".join(constraints))
        ended = self._uv("install", "--constraint", str(limits), *requirements)
        if ended.returncode and UNREACHABLE.search(ended.stderr):
            pytest.skip("the package index cannot be reached")
        assert ended.returncode == 0, ended.stderr[-2000:]

    def complaints(self) -> str:
        """The requirements that are missing or do not fit; empty where all packages fit."""
        ended = self._uv("check")
        return "" if ended.returncode == 0 else ended.stderr

    def _uv(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [UV, "pip", *arguments, "--system-certs", "--python", self.python],
            capture_output=True,
            text=True,
            timeout=560,
        )

    @property
    def packages(self) -> set[str]:
        """The names of what is installed."""
        found = self.folder.glob("lib/python3*/site-packages/*.dist-info")
        return {path.name.partition("-")[0].lower() for path in found}

    @property
    def megabytes(self) -> float:
        """The size of what is installed, without what Python compiles of it."""
        files = (self.folder / "lib").rglob("*")
        sizes = (path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc")
        return sum(sizes) / 1e6

    def types(self, home: Path, *arguments: object, stdin: str = "", **environment: str) -> Ran:
        """Runs its `podium` in this folder."""
        run = subprocess.run(
            [self.folder / "bin" / "podium", *map(str, arguments)],
            cwd=home,
            env={"PATH": os.environ["PATH"], "HOME": str(home), "COLUMNS": "200", **environment},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Ran(run.returncode, run.stdout, run.stderr)


def locked() -> list[str]:
    """The versions of the lock, as constraints."""
    lock = (ROOT / "requirements.lock").read_text()
    return [found[0] for found in re.finditer(r"^[a-z0-9._-]+==[^\\\n]+", lock, re.MULTILINE)]
