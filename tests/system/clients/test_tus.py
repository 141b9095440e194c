"""Clients of tus that were written for other servers."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from podium.client import Podium
from tests.builders.processes.environments import Environment
from tests.system.clients.conftest import HERE, Node, Served

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(600)]

SIZE = 10 << 16


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Ten pieces of the size that both clients send, and a bit."""
    file = tmp_path / "large.csv"
    file.write_bytes(b"".join(b"%015d\n" % number for number in range(SIZE // 16)) + b"end")
    return file


def _entered(served: Served, name: str) -> str:
    """The token of a new account in a team of its own."""
    token = served.token(name)
    with Podium(served.installation.url, token) as podium:
        podium.create_team("shop", f"Team {name}")
    return token


def _submitted(served: Served, token: str, url: str, file: Path) -> None:
    """Submits the upload at this address, and compares what has come."""
    with Podium(served.installation.url, token) as podium:
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        body = {"upload_id": url.rpartition("/")[2], "filename": file.name, "sha256": sha256}
        made = podium.connection.json("POST", "/api/v1/competitions/shop/submissions", json=body)
    assert (made["sha256"], made["bytes"]) == (sha256, SIZE + 3)


def test_tuspy_uploads_and_resumes(
    environment: Environment, served: Served, large: Path, tmp_path: Path
) -> None:
    token = _entered(served, "tuspy")
    ran = subprocess.run(
        [
            *(environment.python, HERE / "python" / "tus", served.installation.url),
            *(token, large, tmp_path / "memory.json"),
        ],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    first, second, url = ran.stdout.split()
    assert (first, second) == ("0", str(SIZE // 2 + 1))
    _submitted(served, token, url, large)


def test_tus_js_client_uploads_and_resumes(node: Node, served: Served, large: Path) -> None:
    token = _entered(served, "tus-js-client")
    printed = json.loads(node.runs("node", "tus.mjs", served.installation.url, token, large))
    assert (printed["isSame"], printed["first"], printed["second"]) == (True, 6 << 16, SIZE + 3)
    _submitted(served, token, printed["url"], large)
