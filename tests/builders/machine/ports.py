"""Ports for servers that are told theirs before they begin."""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress

LOWEST, HIGHEST = 10_000, 32_000
"""Below those that systems give to connections: of these, another process may get one before the
server that it was meant for begins."""


def free_ports(number: int) -> list[int]:
    """Different unused ports of this machine, drawn at random, so that tests that run side by side
    do not meet."""
    found: set[int] = set()
    while len(found) < number:
        port = LOWEST + secrets.randbelow(HIGHEST - LOWEST)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.add(port)
    return list(found)
