"""A server that is told to stop while an upload is still coming, slowly."""

from __future__ import annotations

import signal
import socket
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from podium.client import Podium
from tests.builders.processes.serving import launch, serving
from tests.builders.season import until
from tests.builders.uploads.server import read_answer

BEGINNING = b"session_type,labels\n4711_clicks,4712"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("pause", [0.2, 600.0], ids=["byte by byte", "silent"])
def test_an_upload_that_is_not_there_in_time_has_to_come_again_and_leaves_nothing(
    tmp_path: Path, pause: float
) -> None:
    with serving(tmp_path) as here, here.organizer() as organizer:
        launch(organizer, "shop", tmp_path)
        token = organizer.create_user("ada")["token"]
        with Podium(here.url, token) as ada:
            ada.create_team("shop", "Ada")
        address = urlsplit(here.url)
        with socket.create_connection((address.hostname or "", address.port or 0)) as connection:
            connection.settimeout(120)
            connection.sendall(
                b"POST /api/v1/competitions/shop/submissions?filename=a.csv HTTP/1.1\r\n"
                b"Host: podium\r\nContent-Length: 1000000\r\n"
                b"Authorization: Bearer %b\r\n\r\n%b" % (token.encode(), BEGINNING)
            )
            until(lambda: _slots(tmp_path) == 1)
            is_over = threading.Event()
            sender = threading.Thread(target=_send_slowly, args=[connection, pause, is_over])
            sender.start()
            here.process.send_signal(signal.SIGTERM)
            answer = read_answer(connection)
            is_over.set()
            sender.join()
        assert answer.status == 503, answer.body
        assert int(answer.headers["retry-after"]) > 0
        assert answer.headers["connection"] == "close"
        assert here.process.wait(timeout=60) == 0
    assert _slots(tmp_path) == 0
    stored = (tmp_path / "data" / "storage").rglob("*")
    assert not [path for path in stored if path.is_file() and BEGINNING in path.read_bytes()]


def _send_slowly(connection: socket.socket, pause: float, is_over: threading.Event) -> None:
    with suppress(OSError):
        while not is_over.wait(pause):
            connection.sendall(b"1")


def _slots(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "data" / "podium.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM quota_slots").fetchone()[0])
