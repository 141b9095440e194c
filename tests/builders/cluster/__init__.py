"""The topology of `docker compose --profile scale` as processes of this machine.

Two API replicas and two workers, each with a data folder of its own as if it were a machine of its
own, on one PostgreSQL and one S3 server; before the replicas the reverse proxy of the compose file
with its very configuration, where the program `caddy` is installed.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.builders.machine.ports import free_ports
from tests.builders.processes.forks import Forked
from tests.places import ROOT

START_SECONDS = 120.0
"""More than any process needs on a machine that is busy with other things."""

LEAVE_SECONDS = 60.0


@dataclass
class Part:
    """One process of the cluster, which can end and be started again. If it `is_forked`, the
    command is the arguments of `podium`."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    log: Path
    is_forked: bool = False
    process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> None:
        """Starts it in a group of its own; returns at once."""
        environment, cwd = {**os.environ, **self.environment}, self.log.parent
        with self.log.open("ab") as log:
            if self.is_forked:
                self.process = Forked(
                    self.command, environment=environment, cwd=cwd, stdout=log, stderr=log
                )
                return
            self.process = subprocess.Popen(
                self.command,
                env=environment,
                cwd=cwd,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Ends it, with all that it started, without a warning."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def leave(self) -> int:
        """Asks it to end, and answers how it ended."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=LEAVE_SECONDS)


@dataclass
class Cluster:
    """Replicas, workers and proxy on a database and a bucket that run already.

    `environment` holds what the bucket's client needs, and settings that are to differ from the
    installation's own. `parts` has the processes by name: api-1, api-2, worker-1, worker-2, proxy.
    """

    folder: Path
    database_url: str
    storage_url: str
    environment: Mapping[str, str] = field(default_factory=dict)
    replicas: int = 2
    workers: int = 2
    is_forked: bool = False
    """Lets replicas and workers begin without importing everything again, for those who measure
    nothing of it."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    parts: dict[str, Part] = field(default_factory=dict)
    addresses: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The address for clients: the proxy, or the first replica where there is none."""
        return self.addresses[-1] if "proxy" in self.parts else self.addresses[0]

    def __enter__(self) -> Cluster:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Starts all parts: both replicas at once migrate the empty database."""
        ports = free_ports(self.replicas + 2)
        for number in range(1, self.replicas + 1):
            port = ports[number - 1]
            serve = ["serve", "--no-worker", "--port", str(port)]
            self._add(f"api-{number}", serve)
            self.addresses.append(f"http://127.0.0.1:{port}")
        for address in self.addresses:
            self.wait_for(f"{address}/healthz")
        for number in range(1, self.workers + 1):
            self._add(f"worker-{number}", ["worker"])
        program = shutil.which("caddy")
        if program is not None:
            self._add_proxy(program, *ports[-2:])
        self.wait_for(f"{self.address}/readyz", workers=self.workers)

    def kill(self) -> None:
        """Ends everything at once."""
        for part in self.parts.values():
            part.kill()

    def wait_for(self, address: str, *, workers: int = 0) -> None:
        """Waits until an address answers with 200, and where workers are asked for, names them."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(address, timeout=10) as answer:
                    if not workers or json.load(answer)["judging"]["workers"] >= workers:
                        return
                    raise OSError(f"fewer than {workers} workers")
            except (OSError, urllib.error.URLError) as error:
                ended = [n for n, p in self.parts.items() if p.process and p.process.poll()]
                if ended or time.monotonic() > deadline:
                    raise AssertionError(f"{address}: {error}\n{self.logs()}") from error
                time.sleep(0.1)

    def logs(self) -> str:
        """The end of what every part has said."""
        return "\n".join(
            f"--- {name}\n{part.log.read_text()[-2000:]}" for name, part in self.parts.items()
        )

    def _add(self, name: str, arguments: list[str]) -> None:
        own = self.folder / name
        own.mkdir(parents=True)
        environment = {
            "PYTHONPATH": str(ROOT),
            "PODIUM_DATA_DIR": str(own / "data"),
            "PODIUM_DATABASE_URL": self.database_url,
            "PODIUM_STORAGE_URL": self.storage_url,
            "PODIUM_ADMIN_TOKEN": self.token,
            "PODIUM_TRUSTED_PROXIES": "127.0.0.1",
            **self.environment,
        }
        program = [] if self.is_forked else [sys.executable, "-m", "podium.cli"]
        command = [*program, *arguments]
        self._started(Part(name, command, environment, own / "log", self.is_forked))

    def _add_proxy(self, program: str, port: int, health_port: int) -> None:
        own = self.folder / "proxy"
        own.mkdir()
        command = proxy_command(program, own, port, self.addresses, health_port=health_port)
        self._started(Part("proxy", command, {"HOME": str(own)}, own / "log"))
        self.addresses.append(f"http://127.0.0.1:{port}")

    def _started(self, part: Part) -> None:
        self.parts[part.name] = part
        part.start()


def proxy_command(
    program: str, own: Path, port: int, addresses: Sequence[str], *, health_port: int
) -> list[str]:
    """Writes into a folder of its own what Caddy needs to stand before these addresses as in the
    compose file, and answers the command that runs it."""
    hosts = [address.removeprefix("http://") for address in addresses]
    told = proxy_configuration(f"127.0.0.1:{port}", hosts, health_port=health_port)
    (own / "Caddyfile").write_text(told)
    return [program, "run", "--adapter", "caddyfile", "--config", str(own / "Caddyfile")]


def proxy_configuration(listens_at: str, hosts: list[str], *, health_port: int) -> str:
    """The file that the compose file gives the proxy, with these addresses in place of its own."""
    text = (ROOT / ".docker" / "Caddyfile").read_text()
    for written, real in (
        ("{$PODIUM_SITE}", f"http://{listens_at}"),
        ("api-1:8000 api-2:8000", " ".join(hosts)),
        (":8081", f":{health_port}"),
    ):
        assert written in text, written
        text = text.replace(written, real)
    return text
