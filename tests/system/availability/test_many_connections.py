"""One address that opens connection after connection leaves some for everybody else."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack

import pytest

from tests.builders.processes.process import CONNECTIONS, Process

pytestmark = pytest.mark.xdist_group("availability")

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: podium\r\n\r\n"


def _answers(connection: socket.socket) -> bool:
    try:
        connection.sendall(HEALTH)
        return connection.recv(15).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def test_one_address_has_only_so_many_connections(process: Process) -> None:
    with ExitStack() as open_ones:
        mine = [open_ones.enter_context(process.connect()) for _ in range(CONNECTIONS + 50)]
        answered = sum(_answers(connection) for connection in mine)
        # Other tests may have left some that are not closed yet.
        assert CONNECTIONS - 20 <= answered <= CONNECTIONS
        with process.connect(source="127.0.0.2") as another:
            assert _answers(another)
    deadline = time.monotonic() + 60
    while True:
        with process.connect() as again:
            if _answers(again):
                return
        assert time.monotonic() < deadline
