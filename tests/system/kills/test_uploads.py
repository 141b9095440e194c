"""Resumable uploads through kills: what was acknowledged stays, and one file comes out."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.storm.files import storm_files
from tests.builders.storm.storm import GIVE_UP_SECONDS, TOKEN, Server, open_competition

PIECE = 1 << 20
MEBIBYTES = 8
KILL_AFTER = (3,)
"""With how many pieces acknowledged the server is killed while the next one is under way."""

DELAYS = (0.0, 0.05)
"""Seconds after which it is killed while a submission is made of the pieces."""


@pytest.fixture
def server(tmp_path: Path, sqlite_url: str) -> Iterator[Server]:
    server = Server(tmp_path, sqlite_url)
    server.start()
    server.wait_until_ready()
    yield server
    if server.is_running():
        server.kill()


def large_file() -> bytes:
    """A good file that is long: blank lines at its end mean nothing."""
    good = next(file.content for file in storm_files(10, seed=1) if file.status == "scored")
    return good + b"\n" * (MEBIBYTES * PIECE - len(good))


class Sender:
    """A persistent client whose server is killed meanwhile."""

    def __init__(self, server: Server, token: str) -> None:
        self._server = server
        self._token = token
        self.kills = 0

    def insist(self, method: str, path: str, **headers: str) -> dict[str, Any]:
        """A request until it is answered by a server that lives."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while True:
            try:
                status, answer = self._server.ask(method, path, None, self._token, **headers)
                if status < 400:
                    return answer
            except OSError:
                status, answer = 0, {}
            assert time.monotonic() < deadline, (method, path, status, answer)
            time.sleep(0.05)

    def killing_meanwhile(
        self, delay: float, method: str, path: str, body: bytes, **headers: str
    ) -> int:
        """One request during which the server is killed; its status, 0 without an answer."""
        killer = threading.Timer(delay, self._restart)
        killer.start()
        status = self.once(method, path, body, **headers)
        killer.join()
        self._server.wait_until_ready()
        return status

    def once(self, method: str, path: str, body: bytes, **headers: str) -> int:
        """One request; its status, 0 without an answer."""
        try:
            return self._server.ask(method, path, body, self._token, **headers)[0]
        except OSError:
            return 0

    def _restart(self) -> None:
        self._server.kill()
        self.kills += 1
        self._server.start()


def send_all(sender: Sender, upload: str, content: bytes) -> None:
    """Appends piece by piece. What was acknowledged must be there after every kill."""
    acknowledged, kills = 0, list(KILL_AFTER)
    while (offset := sender.insist("GET", upload)["offset"]) < len(content):
        assert offset >= acknowledged
        body = content[offset : offset + PIECE]
        headers = {"Upload_Offset": str(offset)}
        if kills and offset >= kills[0] * PIECE:
            kills.pop(0)
            status = sender.killing_meanwhile(0.01, "PATCH", upload, body, **headers)
        else:
            status = sender.once("PATCH", upload, body, **headers)
        if status == 204:
            acknowledged = offset + len(body)
        else:
            # The hold of the dead ends by itself.
            time.sleep(0.1)
    assert kills == []


def use(sender: Sender, method: str, path: str, upload: str, status: int) -> None:
    """Has a file made of an upload, through kills meanwhile."""
    body = b'{"upload_id": "%s"}' % upload.encode()
    kind = {"Content_Type": "application/json"}
    for delay in DELAYS:
        sender.killing_meanwhile(delay, method, path, body, **kind)
    deadline = time.monotonic() + GIVE_UP_SECONDS
    while sender.once(method, path, body, **kind) != status:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_killed_server_loses_nothing_that_it_acknowledged_of_an_upload(server: Server) -> None:
    content = large_file()
    (token,) = open_competition(server, 1)
    sender = Sender(server, token)
    upload = sender.insist("POST", "/api/v1/uploads", Upload_Length=str(len(content)))["id"]
    send_all(sender, f"/api/v1/uploads/{upload}", content)

    path = "/api/v1/competitions/otto/submissions"
    use(sender, "POST", path, upload, 202)
    assert sender.kills == len(KILL_AFTER) + len(DELAYS)
    deadline = time.monotonic() + GIVE_UP_SECONDS
    while True:
        (submission,) = sender.insist("GET", path)["items"]
        if submission["judged_at"]:
            break
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert submission["sha256"] == hashlib.sha256(content).hexdigest()
    assert submission["status"] == "scored"
    team = sender.insist("GET", "/api/v1/competitions/otto/team")
    assert team["submissions_left_today"] == 999 - 1


def test_a_killed_server_makes_an_organizers_file_of_an_upload_all_the_same(
    server: Server,
) -> None:
    content = large_file()
    open_competition(server, 1)
    sender = Sender(server, TOKEN)
    upload = sender.insist("POST", "/api/v1/uploads", Upload_Length=str(len(content)))["id"]
    send_all(sender, f"/api/v1/uploads/{upload}", content)

    # 201 the first time, and the same file for a client that lost that answer.
    use(sender, "PUT", "/api/v1/admin/competitions/otto/files/a.csv", upload, 200)
    sha256 = hashlib.sha256(content).hexdigest()
    (file,) = sender.insist("GET", "/api/v1/competitions/otto/files")["items"]
    assert (file["sha256"], file["bytes"]) == (sha256, len(content))
    assert sender.insist("GET", f"/api/v1/uploads/{upload}")["file_sha256"] == sha256
