"""Ends the processes that a killed test run leaves behind: servers, databases, browsers.

Everything that a run starts inherits its name in the environment. A process that watches a pipe
notices the end of the process that began the run, whatever ended it, and then ends all that has the
name.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path

NAME = "TESTS_OF_PODIUM"


def run() -> str:
    """The name of this run, which begins with the first process that asks for it."""
    if NAME not in os.environ:
        os.environ[NAME] = uuid.uuid4().hex[:12]
        command = [sys.executable, __file__, os.environ[NAME]]
        watching = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        # Where this process ends well, it waits until nothing is left.
        atexit.register(watching.communicate)
    return os.environ[NAME]


def folder_of(name: str) -> Path:
    """The folder of a run for what processes of another user share, too; it goes with the run. Not
    in pytest's own, which the next run of pytest closes to all but its own user."""
    return Path(tempfile.gettempdir()) / f"podium-tests-{name}"


def _end(name: str) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        # It may have ended meanwhile, or belong to another user.
        with suppress(OSError):
            environment = (process / "environ").read_bytes().split(b"\0")
            if f"{NAME}={name}".encode() in environment and int(process.name) != os.getpid():
                os.kill(int(process.name), signal.SIGKILL)
    shutil.rmtree(folder_of(name), ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.read()
    _end(sys.argv[1])
