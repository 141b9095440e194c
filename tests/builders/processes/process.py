"""The service in a process of its own, its memory from outside, and clients without manners."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.builders.installation import ADMIN_TOKEN
from tests.builders.processes.site import Site

DEADLINE_SECONDS = 3.0
"""Seconds that the service of these tests waits for a client that takes nothing."""

CONNECTIONS = 100
"""Connections that the service lets one address open."""

DOWNLOADS = 32
"""Downloads that the service sends to one account, or to all strangers of an address, at a time."""

MEBIBYTE = 1 << 20

BLOCK = b"10000\r\n" + b"x" * 65536 + b"\r\n"
"""64 KiB as a chunk of a body that says nothing of its length."""


@dataclass
class Sent:
    """The end of a stream: the status of the answer, 0 without one, and the bytes that we could
    send."""

    status: int
    taken: int


class Process(Site):
    """The service, with the number of its process."""

    def __repr__(self) -> str:
        return f"Process({self.port})"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def resident_bytes(self) -> int:
        """Memory that the service's own process holds."""
        return self._status("VmRSS")

    def peak_bytes(self) -> int:
        """The most that it held since `forget_peak`."""
        return self._status("VmHWM")

    def forget_peak(self) -> None:
        """From here on the peak is that of what follows."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def connections(self) -> int:
        """Descriptors of the process that are sockets."""
        found = 0
        for descriptor in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(OSError):
                found += str(descriptor.readlink()).startswith("socket:")
        return found

    def connect(self, *, receives: int | None = None, source: str = "127.0.0.1") -> socket.socket:
        """A connection; `receives` bounds what the system takes in for us unread."""
        connection = socket.socket()
        connection.bind((source, 0))
        if receives is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        connection.settimeout(60)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def ask(
        self, path: str, *, token: str | None = None, receives: int | None = None
    ) -> socket.socket:
        """A connection on which something was asked for, and nothing read yet."""
        lines = [f"GET {path} HTTP/1.1", "Host: podium"]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        connection = self.connect(receives=receives)
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return connection

    def stream(self, method: str, path: str, *, most_bytes: int, lines: str = "") -> Sent:
        """Sends a body without an end, whatever is said to us, up to so many bytes."""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: podium\r\nTransfer-Encoding: chunked\r\n"
            f"Expect: 100-continue\r\n{lines}\r\n"
        )
        taken = 0
        with self.connect() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
            with suppress(OSError):
                connection.sendall(head.encode())
                while taken < most_bytes:
                    connection.sendall(BLOCK)
                    taken += 1 << 16
                connection.sendall(b"0\r\n\r\n")
            return Sent(_status_on(connection), taken)

    def _status(self, name: str) -> int:
        text = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
        assert found is not None
        return int(found[1]) << 10

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {"PODIUM_ADMIN_TOKEN": ADMIN_TOKEN}


def _status_on(connection: socket.socket) -> int:
    """The status of the answer that came; 100 is none. 0 where the connection was reset."""
    raw = b""
    with suppress(OSError):
        while piece := connection.recv(65536):
            raw += piece
            if len(raw) > 1 << 20:
                break
    found = [int(status) for status in re.findall(rb"HTTP/1.1 (\d{3})", raw)]
    return next((status for status in found if status != 100), 0)
