"""A version's own program: its server, its worker, and what they answer over HTTP."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import sqlalchemy as sa

from tests.builders.processes.forks import Forked

ADMIN_TOKEN = "the-administrator-of-frozen-installations"

API = "/api/v1"

LEASE_SECONDS = 90
"""So long that no worker takes what another one held, until everything is frozen."""

AFTERWARDS = {"PODIUM_LEASE_SECONDS": "5", "PODIUM_RECONCILE_SECONDS": "2"}
"""Settings under which what was left behind is soon looked for. Several installations are opened at
a time: each looks no more often than it needs to."""

ENVIRONMENT = {
    "PODIUM_ADMIN_TOKEN": ADMIN_TOKEN,
    "PODIUM_MIN_FREE_BYTES": "0",
    "PODIUM_RECONCILE_SECONDS": "0.2",
    "PODIUM_LEASE_SECONDS": str(LEASE_SECONDS),
    # No upload shall ever be too old.
    "PODIUM_UPLOAD_KEEP_SECONDS": "1000000000",
    "PODIUM_ORGANIZER_METRICS": "on",
    "PODIUM_PRIVATE_SLOTS": "1",
    "PODIUM_SIGNUP": "approval",
}


@dataclass
class Program:
    """The command `podium` of a version, empty for that of today, and the data folder and database
    that it works on."""

    command: list[str | Path]
    folder: Path
    database_url: str = ""
    running: dict[str, subprocess.Popen[bytes] | Forked] = field(default_factory=dict)
    stopped: list[int] = field(default_factory=list)
    """Children that stand still; they go with whatever is killed next."""
    url: str = ""
    client: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=120))

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    def serve(self, *options: str, **settings: str) -> None:
        """Starts `podium serve` on a free port, and waits until it answers."""
        output = self.folder / "serve.out"
        with output.open("wb") as written:
            self._start("serve", "serve", "--port", "0", *options, output=written, **settings)
        until(lambda: b"Podium answers at " in output.read_bytes() or self._has_ended("serve"))
        line = output.read_text().partition("Podium answers at ")[2]
        self.url = line.split()[0]

    def work(self, *, slots: int, **settings: str) -> None:
        """Starts `podium worker`."""
        self._start("worker", "worker", PODIUM_JUDGING_SLOTS=str(slots), **settings)

    def kill(self, name: str) -> None:
        """`kill -9` for a process and all that it has started."""
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while self.stopped:
            with suppress(ProcessLookupError):
                os.kill(self.stopped.pop(), signal.SIGKILL)

    def stop(self, name: str) -> None:
        """Asks a process to end, and waits for it."""
        process = self.running.pop(name)
        process.terminate()
        assert process.wait(timeout=60) == 0, self._log(name)

    def abandon(self) -> None:
        """Kills whatever runs."""
        for name in list(self.running):
            with suppress(ProcessLookupError):
                self.kill(name)
        self.client.close()

    def ask(self, method: str, path: str, token: str | None = ADMIN_TOKEN, **given: Any) -> Any:
        """The answer to a request; the path stands below `/api/v1`."""
        headers = dict(given.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        where = self.url + ("" if path.startswith("/openapi") else API) + path
        return self.client.request(method, where, headers=headers, **given)

    def good(self, method: str, path: str, token: str | None = ADMIN_TOKEN, **given: Any) -> Any:
        """The document that is answered to a request that must succeed."""
        answer = self.ask(method, path, token, **given)
        assert answer.status_code in (200, 201, 202, 204), (method, path, answer.text)
        return answer.json() if answer.content else None

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the database, which is only looked at."""
        url = self.database_url or f"sqlite:///{self.data / 'podium.sqlite3'}"
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(sa.text(query))]

    def stored(self, sha256: str) -> Path:
        """The path of a stored file."""
        (found,) = self.data.rglob(sha256)
        return found

    def _start(self, name: str, *arguments: str, output: Any = None, **settings: str) -> None:
        given = ENVIRONMENT | {"PODIUM_DATA_DIR": str(self.data), **settings}
        if self.database_url:
            given["PODIUM_DATABASE_URL"] = self.database_url
        environment = {"PATH": os.environ["PATH"], "POLARS_MAX_THREADS": "1", **given}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = self._begun(list(arguments), environment, output or log, log)

    def _begun(
        self, arguments: list[str], environment: Mapping[str, str], output: Any, log: Any
    ) -> subprocess.Popen[bytes] | Forked:
        if not self.command:
            return Forked(
                arguments, environment=environment, cwd=self.folder, stdout=output, stderr=log
            )
        return subprocess.Popen(
            [*self.command, *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=log,
            start_new_session=True,
        )

    def _has_ended(self, name: str) -> bool:
        assert self.running[name].poll() is None, self._log(name)
        return False

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()[-4000:]


def until(condition: Callable[[], object], *, seconds: float = 120) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def children_of(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # After the name, which may hold anything, come the state and the parent.
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found
