"""The service as the Python of another environment runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import httpx2

from tests.builders.processes.environments import Environment
from tests.builders.processes.site import Site
from tests.builders.season import until


class AddOnSite(Site):
    """An installation of an environment with add-ons; `allowed` are those that it may load."""

    def __init__(self, folder: Path, environment: Environment, allowed: str) -> None:
        super().__init__(folder, PODIUM_ADD_ONS=allowed)
        self._python = environment.python

    def start(self) -> None:
        """Starts the process and waits until it answers."""
        log = self._folder / "server.log"
        with log.open("ab") as sink:
            process: Any = subprocess.Popen(
                [self._python, "-m", "podium.cli", "serve", "--port", str(self.port)],
                env=self._environment(),
                cwd=self._folder,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        self._process = process

        def answers() -> bool:
            assert self.is_running(), log.read_text()[-4000:]
            try:
                return bool(self.client.get("/readyz").status_code == 200)
            except httpx2.TransportError:
                return False

        until(answers)
