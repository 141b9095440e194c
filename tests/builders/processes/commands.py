"""Runs `podium` as a person does: a process, its exit code, its two outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from tests.builders.processes.forks import Forked
from tests.places import ROOT

PATIENCE_SECONDS = 240
"""Seconds that a command may take. The demo computes for 35 s, and shares two processors with other
tests."""


@dataclass(frozen=True)
class Ran:
    """The exit code of a command and its output."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as JSON. Where there is none, what the command said instead is shown."""
        assert self.out, f"exit code {self.code}: {self.err}"
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
            # However busy the machine is, the server's answers are waited for, and in silence.
            "PODIUM_COMPLETION_SECONDS": "100",
            "PODIUM_SLOW_SECONDS": "100",
            **more,
        }

    def types(self, *arguments: object, stdin: str = "", **environment: str) -> Ran:
        """Runs `podium` with these arguments in the home folder."""
        return ran(
            *arguments, cwd=self.home, environment=self.environment(**environment), stdin=stdin
        )

    def in_shell(self, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
        """Runs a line of a shell that knows `podium`, in an interpreter of its own."""
        known = f'podium() {{ "{sys.executable}" -m podium.cli "$@"; }}\n'
        return subprocess.run(
            ["sh", "-c", known + line],
            cwd=self.home,
            env=self.environment(PYTHONPATH=str(ROOT), **environment),
            capture_output=True,
            timeout=PATIENCE_SECONDS,
        )


def ran(
    *arguments: object,
    cwd: Path,
    environment: Mapping[str, str],
    stdin: str = "",
    module: str = "podium.cli",
) -> Ran:
    """Runs `podium`, or another module, with these arguments and nothing but this environment."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        run = Forked(
            list(map(str, arguments)),
            environment=environment,
            cwd=cwd,
            stdin=given,
            stdout=out,
            stderr=err,
            module=module,
        )
        try:
            run.wait(timeout=PATIENCE_SECONDS)
        finally:
            run.kill()
            code = run.wait()
        return Ran(code, _text(out), _text(err))


def _text(written: IO[bytes]) -> str:
    written.seek(0)
    return written.read().decode()
