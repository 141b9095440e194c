"""Real `podium` processes that begin at once: a process that has prepared everything forks them.

Importing is most of what a start costs (2 of 3 s of a processor), and putting the routes together
comes next (0.4 s); tests start hundreds. What begins, serves, judges and dies here is a process of
its own in every way but that; the tests of packaging, of the tutorial and of starting itself run
the command as people do.

A process is asked for over a Unix socket, with its arguments, environment, folder and the three
standard streams; the answers are its id and, when it has ended, how.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from tests.places import ROOT

START_SECONDS = 120.0
"""Seconds in which everything must be imported."""


class Forked:
    """A process `python -m podium.cli …`, or of another module, in a session of its own; with the
    members of `subprocess.Popen` that tests use."""

    args: list[str]
    returncode: int | None = None

    def __init__(
        self,
        arguments: list[str],
        *,
        environment: Mapping[str, str],
        cwd: Path,
        stdin: IO[Any] | None = None,
        stdout: IO[Any] | int,
        stderr: IO[Any] | int,
        module: str = "podium.cli",
    ) -> None:
        self.args = arguments
        self._ended = socket.socket(socket.AF_UNIX)
        self._ended.connect(str(_forking()))
        order = {
            "arguments": arguments,
            "environment": dict(environment),
            "cwd": str(cwd),
            "module": module,
        }
        with Path(os.devnull).open("rb") as nothing:
            streams = [stdin or nothing, stdout, stderr]
            descriptors = [one if isinstance(one, int) else one.fileno() for one in streams]
            content = json.dumps(order).encode()
            socket.send_fds(self._ended, [len(content).to_bytes(4, "big")], descriptors)
            self._ended.sendall(content)
            self.pid = int.from_bytes(self._ended.recv(4, socket.MSG_WAITALL), "big")

    def poll(self) -> int | None:
        """Its exit code, minus the signal that ended it, or None while it runs."""
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end. Raises `subprocess.TimeoutExpired`."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Sends a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            self._ended.settimeout(seconds)
            try:
                status = self._ended.recv(4, 0 if seconds == 0.0 else socket.MSG_WAITALL)
            except (BlockingIOError, TimeoutError):
                return None
            assert status, "the process that forks has ended"
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(status, "big"))
            self._ended.close()
        return self.returncode


@cache
def _forking() -> Path:
    """The address of this test process's own forking process."""
    folder = tempfile.TemporaryDirectory(prefix="forks-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    address = Path(folder.name) / "socket"
    forking = subprocess.Popen(
        [sys.executable, "-m", "tests.builders.processes.forking", address],
        cwd=ROOT,
        stdin=subprocess.PIPE,
    )
    # It ends with its standard input.
    atexit.register(forking.communicate)
    deadline = time.monotonic() + START_SECONDS
    while not address.exists():
        assert forking.poll() is None, "the process that forks has ended"
        assert time.monotonic() < deadline, "the process that forks does not begin"
        time.sleep(0.02)
    return address
