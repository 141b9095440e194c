"""A real `podium serve` process with a launched competition and many teams."""

from __future__ import annotations

import asyncio
import os
import signal
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from tests.builders.machine.ports import free_ports
from tests.builders.processes.forks import Forked

TOKEN = "the-administrator-of-the-last-minute"
API = "/api/v1"

TRUTH = b"".join(
    b'{"session": %d, "labels": {"clicks": %d, "carts": [%d, 7], "orders": [%d]}}\n'
    % (session, session, session + 1, session + 2)
    for session in range(100, 160)
)

FILE = "session_type,labels\n" + "".join(
    f"{session}_{kind},{session} 7\n"
    for session in range(100, 160)
    for kind in ("clicks", "carts", "orders")
)


@dataclass
class Service:
    """One process that serves and judges, and how to ask it."""

    address: str
    process: Forked
    log: Path
    teams: list[str] = field(default_factory=list)

    def ask(self, method: str, path: str, token: str = TOKEN, **given: Any) -> Any:
        """One request that must succeed: its document."""
        headers = {"Authorization": f"Bearer {token}"}
        url = f"{self.address}{API}{path}"
        answer = httpx2.request(method, url, headers=headers, timeout=120, verify=False, **given)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def all_at_once(self, requests: list[dict[str, Any]]) -> Burst:
        """Sends all requests at the same moment, each on a connection of its own, and meanwhile
        asks for the board and for health again and again."""
        return asyncio.run(_burst(self.address, requests))


@dataclass
class Burst:
    """The answers to a burst: statuses of the requests, and seconds of every look meanwhile."""

    statuses: list[int]
    documents: list[Any]
    looks: list[float]
    refused_looks: list[int]


async def _burst(address: str, requests: list[dict[str, Any]]) -> Burst:
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=address, timeout=180, limits=limits) as client:
        looks: list[float] = []
        refused: list[int] = []
        is_over = asyncio.Event()

        async def look(path: str) -> None:
            while not is_over.is_set():
                begun = time.monotonic()
                answer = await client.get(path)
                looks.append(time.monotonic() - begun)
                if not answer.is_success:
                    refused.append(answer.status_code)
                await asyncio.sleep(0.05)

        lookers = [
            asyncio.create_task(look(path))
            for path in ("/healthz", f"{API}/competitions/otto/leaderboard", "/competitions/otto")
        ]
        answers = await asyncio.gather(*(client.request(**request) for request in requests))
        is_over.set()
        await asyncio.gather(*lookers)
    documents = [answer.json() if answer.content else None for answer in answers]
    return Burst([answer.status_code for answer in answers], documents, looks, refused)


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def service(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """A process with the competition `otto` open and sixty teams in it, on both databases."""
    (port,) = free_ports(1)
    folder = tmp_path_factory.mktemp("service")
    log = folder / "log"
    environment = {
        **os.environ,
        "PODIUM_DATA_DIR": str(folder / "data"),
        "PODIUM_DATABASE_URL": _database_url(request),
        "PODIUM_ADMIN_TOKEN": TOKEN,
        "PODIUM_MIN_FREE_BYTES": "0",
    }
    with log.open("wb") as out:
        process = Forked(
            ["serve", "--port", str(port)],
            environment=environment,
            cwd=folder,
            stdout=out,
            stderr=out,
        )
    service = Service(f"http://127.0.0.1:{port}", process, log)
    try:
        _wait(service)
        _open(service)
        yield service
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _database_url(request: pytest.FixtureRequest) -> str:
    """An empty database: SQLite's is made in the data folder."""
    if request.param == "sqlite":
        return ""
    server = sa.make_url(request.getfixturevalue("postgres_server_url"))
    name = f"last_minute_{uuid.uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    return server.set(database=name).render_as_string(hide_password=False)


def _wait(service: Service) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            if httpx2.get(f"{service.address}/readyz", timeout=10).is_success:
                return
        except httpx2.TransportError:
            pass
        assert service.process.poll() is None, service.log.read_text()
        assert time.monotonic() < deadline, service.log.read_text()
        time.sleep(0.1)


def _open(service: Service) -> None:
    admin = "/admin/competitions"
    settings = {"split": {"public_fraction": 0.5}, "daily_limit": 100}
    body = {"slug": "otto", "title": "OTTO", "preset": "otto", **settings}
    service.ask("POST", admin, json=body)
    service.ask("POST", f"{admin}/otto/ground-truth", content=TRUTH)
    service.ask("POST", f"{admin}/otto/launch")
    for number in range(60):
        token = service.ask("POST", "/admin/users", json={"name": f"person {number}"})["token"]
        path = "/competitions/otto/teams"
        service.ask("POST", path, token, json={"name": f"Team {number}"})
        service.teams.append(token)
