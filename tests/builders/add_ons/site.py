"""The service as the Python of another environment runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import IO

from tests.builders.processes.environments import Environment
from tests.builders.processes.site import Site


class AddOnSite(Site):
    """An installation of an environment with add-ons; `allowed` are those that it may load."""

    def __init__(self, folder: Path, environment: Environment, allowed: str) -> None:
        super().__init__(folder, PODIUM_ADD_ONS=allowed)
        self._python = environment.python

    def _begun(self, command: list[str], sink: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self._python, "-m", "podium.cli", *command],
            env=self._environment(),
            cwd=self._folder,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
        )
