"""A server that is killed again and again, and clients that do not give up."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.builders.processes.forks import Forked
from tests.builders.storm.files import TRUTH, File, Truth, labels
from tests.places import ROOT

TOKEN = "storm-administrator-token-0123456789abcdef0123456789"
GIVE_UP_SECONDS = 150


class Address:
    """A port of this machine where an installation answers."""

    patience_seconds = 30.0
    """For each answer."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] | None = None,
        token: str = TOKEN,
        **headers: str,
    ) -> tuple[int, dict[str, Any]]:
        """One request on a connection of its own: status and JSON. Raises OSError when it broke."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=self.patience_seconds
        )
        try:
            sent = {"Authorization": f"Bearer {token}"} | {
                name.replace("_", "-"): value for name, value in headers.items()
            }
            connection.request(method, path, body=body, headers=sent)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"{}")
        except (http.client.HTTPException, json.JSONDecodeError) as broken:
            raise ConnectionError(str(broken)) from broken
        finally:
            connection.close()

    def make(self, path: str, **members: Any) -> dict[str, Any]:
        """A JSON request of the administrator that must succeed."""
        body = json.dumps(members).encode()
        status, answer = self.ask("POST", path, body, Content_Type="application/json")
        assert status in (200, 201), answer
        return answer


class Server(Address):
    """The server process with everything that it starts; the same data through every kill."""

    def __init__(self, folder: Path, database_url: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            super().__init__(free.getsockname()[1])
        self._log = folder / "server.log"
        self._environment = {
            **os.environ,
            "PODIUM_DATA_DIR": str(folder / "data"),
            "PODIUM_DATABASE_URL": database_url,
            "PODIUM_ADMIN_TOKEN": TOKEN,
            "PODIUM_MIN_FREE_BYTES": "0",
            "PODIUM_LEASE_SECONDS": "3",
            "PODIUM_UPLOAD_LEASE_SECONDS": "3",
            "PODIUM_RECONCILE_SECONDS": "0.5",
            "PODIUM_JUDGING_SLOTS": "2",
            "PODIUM_JUDGING_SECONDS": "8",
            "PODIUM_REJECTED_PER_HOUR": "1000",
        }
        self._process: Forked | None = None

    def start(self) -> None:
        """Starts the process group; returns at once."""
        with self._log.open("ab") as log:
            self._process = Forked(
                [str(self.port)],
                module="tests.builders.storm.odd_server",
                environment=self._environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )

    def wait_until_ready(self) -> None:
        """Waits until requests are answered."""
        deadline = time.monotonic() + 60
        while True:
            try:
                status, _ = self.ask("GET", "/healthz")
                if status == 200:
                    return
            except OSError:
                # The server does not listen yet.
                pass
            assert time.monotonic() < deadline, self._log.read_text()[-4000:]
            time.sleep(0.05)

    def kill(self) -> None:
        """`kill -9` for the whole process group."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """An orderly end."""
        self._signal(signal.SIGTERM)

    def is_running(self) -> bool:
        """True if the process has not ended yet."""
        return self._process is not None and self._process.poll() is None

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, number)
        self._process.wait(timeout=40)


def open_competition(
    server: Address, teams: int, *, truth: Truth = TRUTH, daily_limit: int = 999
) -> list[str]:
    """Makes and launches `otto` with a ground truth; answers a participant's token per team."""
    path = "/api/v1/admin/competitions"
    server.make(path, slug="otto", title="OTTO", preset="otto", daily_limit=daily_limit)
    path = "/api/v1/admin/competitions/otto/ground-truth"
    status, answer = server.ask("POST", path, labels(truth))
    assert status == 201, answer
    server.make("/api/v1/admin/competitions/otto/launch")
    tokens = []
    for number in range(teams):
        token = server.make("/api/v1/admin/users", name=f"person {number}")["token"]
        body = json.dumps({"name": f"Team {number}"}).encode()
        path = "/api/v1/competitions/otto/teams"
        status, answer = server.ask("POST", path, body, token, Content_Type="application/json")
        assert status == 201, answer
        tokens.append(token)
    return tokens


class Clients:
    """One thread per team; each sends its files and insists on a 202 for every one.

    The files are spread over the storm, a share of them after each kill, so that every kill meets
    files on their way, queued and judged.
    """

    def __init__(
        self, server: Server, tokens: Sequence[str], files: Sequence[File], *, kills: int
    ) -> None:
        self.kills_so_far = 0
        self._kills = kills
        self.acknowledged: dict[str, str] = {}
        self.complaints: list[str] = []
        self.broken = 0
        self._server = server
        self._threads = [
            threading.Thread(target=self._send_all, args=(token, files[number :: len(tokens)]))
            for number, token in enumerate(tokens)
        ]

    def start(self) -> None:
        """Begins to send."""
        for thread in self._threads:
            thread.start()

    def are_done(self) -> bool:
        """True if every file was acknowledged, or its client gave up."""
        return not any(thread.is_alive() for thread in self._threads)

    def _send_all(self, token: str, files: Sequence[File]) -> None:
        chance = random.Random(token)
        for number, file in enumerate(files):
            while self.kills_so_far < number * self._kills // len(files):
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 1.0))
            deadline = time.monotonic() + GIVE_UP_SECONDS
            while not self._is_acknowledged(file, token):
                if time.monotonic() > deadline:
                    self.complaints.append(f"{file.key} was never acknowledged")
                    return
                time.sleep(0.1)

    def _is_acknowledged(self, file: File, token: str) -> bool:
        path = "/api/v1/competitions/otto/submissions?filename=x.csv"
        try:
            status, answer = self._server.ask(
                "POST", path, file.content, token, Idempotency_Key=file.key
            )
        except OSError:
            self.broken += 1
            return False
        if status == 202:
            self.acknowledged[file.key] = answer["id"]
            return True
        # 409: the server was killed while it received this file, and has not noticed yet.
        if status not in (409, 429, 500, 503):
            self.complaints.append(f"{file.key}: {status} {answer}")
            return True
        return False


def rage(server: Server, clients: Clients, *, kills: int, seed: int) -> None:
    """Kills and restarts at random moments, every fourth time before the server answers."""
    chance = random.Random(seed)
    for number in range(kills):
        if number % 4 == 3:
            time.sleep(chance.uniform(0.1, 1.0))
        else:
            server.wait_until_ready()
            time.sleep(chance.uniform(0.2, 2.0))
        server.kill()
        clients.kills_so_far += 1
        server.start()
    server.wait_until_ready()
    while not clients.are_done():
        time.sleep(0.1)
