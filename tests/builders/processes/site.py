"""`podium serve` in a process of its own, with a worker, as an operator would run it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import IO, Any

import httpx2

from tests.builders.installation import ADMIN_TOKEN, Installation, Person
from tests.builders.processes.forks import Forked
from tests.builders.season import FINAL, until
from tests.places import ROOT


class Site(Installation):
    """An installation in another process: there are no collaborators to reach, only HTTP. In
    settings `{address}` stands for that of the site."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._settings = {
            name: value.replace("{address}", self.address) for name, value in settings.items()
        }
        self.client: Any = httpx2.Client(base_url=self.address, timeout=240)
        self._process: Forked | subprocess.Popen[bytes] | None = None

    def __repr__(self) -> str:
        return f"Site({self.address})"

    @property
    def address(self) -> str:
        """The address of the site."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database_url(self) -> str:
        """The database, for what no route can do."""
        return f"sqlite:///{self._folder / 'data' / 'podium.sqlite3'}"

    def start(self) -> None:
        """Starts the process and waits until it answers; a second time on the same data."""
        log = self._folder / "server.log"
        with log.open("ab") as sink:
            self._process = self._begun(["serve", "--port", str(self.port)], sink)

        def answers() -> bool:
            assert self.is_running(), log.read_text()[-4000:]
            try:
                return bool(self.client.get("/readyz").status_code == 200)
            except httpx2.TransportError:
                return False

        until(answers)

    def _begun(self, command: list[str], sink: IO[bytes]) -> Forked | subprocess.Popen[bytes]:
        environment = self._environment()
        return Forked(command, environment=environment, cwd=ROOT, stdout=sink, stderr=sink)

    def is_running(self) -> bool:
        """True if the process has not ended."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """`kill -9` for the server and everything that it started."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=60)

    def stop(self) -> None:
        """An orderly end; what does not end is killed."""
        self.client.close()
        if self._process is None or not self.is_running():
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()

    def enters(self, slug: str, name: str, **members: Any) -> Person:
        """A new user in a team of their own."""
        person = self.person(name)
        body = {"name": f"Team {name}", **members}
        answer = person.post(f"/competitions/{slug}/teams", json=body)
        assert answer.status_code == 201, answer.text
        return person

    def sends(self, person: Person, slug: str, content: bytes, name: str = "a.csv") -> str:
        """Sends a file that is accepted: the submission's id."""
        way = f"/competitions/{slug}/submissions"
        answer = person.post(way, params={"filename": name}, content=content)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def judged(self, person: Person, submission_id: str) -> Any:
        """Waits for a verdict: the submission as the person sees it."""
        path = f"/submissions/{submission_id}"
        until(lambda: person.get(path).json()["status"] in FINAL)
        return person.get(path).json()

    def acts(self, slug: str, act: str, **members: Any) -> Any:
        """An act of the administrator's that must succeed."""
        answer = self.admin.post(f"/admin/competitions/{slug}/{act}", json=members)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    def _environment(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if name[:7] != "PODIUM_"},
            "PODIUM_DATA_DIR": str(self._folder / "data"),
            "PODIUM_ADMIN_TOKEN": ADMIN_TOKEN,
            "PODIUM_MIN_FREE_BYTES": "0",
            "PODIUM_RECONCILE_SECONDS": "0.5",
            **self._settings,
        }
