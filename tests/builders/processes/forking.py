"""The process that imports everything and forks others, as `forks` asks it to."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import podium.cli
import podium.main

IMPORTED = (
    "podium.bootstrap",
    "podium.worker.service",
    "podium.client",
    "podium.operations",
    "podium.sandbox.tasks.hits",
    "podium.sandbox.tasks.judging",
    "podium.sandbox.tasks.launches",
    "podium.sandbox.tasks.materials",
    "podium.sandbox.tasks.segments",
    "tests.builders.storm.odd_server",
    "uvicorn",
)


LEFT_OUT = {"podium.cli.__main__", "podium.cli.offline.experimenting"}
"""The first runs, and the second brings NumPy, which starts threads."""


def main(address: Path) -> None:
    """Answers orders until standard input ends; the others live on."""
    commands = {each.name for each in pkgutil.walk_packages(podium.cli.__path__, "podium.cli.")}
    for name in (*IMPORTED, *sorted(commands - LEFT_OUT)):
        importlib.import_module(name)
    podium.main.all_routes()
    gc.collect()
    gc.freeze()
    asked: dict[int, socket.socket] = {}
    woken, waking = os.pipe()
    for descriptor in (woken, waking):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    listener = socket.socket(socket.AF_UNIX)
    # Its name appears when it can be asked.
    unnamed = address.with_suffix(".new")
    listener.bind(str(unnamed))
    listener.listen(64)
    unnamed.rename(address)
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), woken, listener], [], [])
        if sys.stdin.fileno() in ready:
            return
        if woken in ready:
            os.read(woken, 4096)
            _report(asked)
        if listener in ready:
            connection, _ = listener.accept()
            pid = _forked(connection)
            asked[pid] = connection
            connection.sendall(pid.to_bytes(4, "big"))
        _report(asked)


def _report(asked: dict[int, socket.socket]) -> None:
    """Tells of those that have ended."""
    while asked:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        connection = asked.pop(pid)
        # The one who asked may be gone.
        with suppress(OSError):
            connection.sendall(status.to_bytes(4, "big"))
        connection.close()


def _forked(connection: socket.socket) -> int:
    head, streams, _, _ = socket.recv_fds(connection, 4, 3)
    content = connection.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
    begun, beginning = os.pipe()
    pid = os.fork()
    if pid == 0:
        # A signal to its session may follow as soon as its id is known.
        os.setsid()
        os.close(beginning)
        _run(json.loads(content), streams)
    os.close(beginning)
    os.read(begun, 1)
    os.close(begun)
    for descriptor in streams:
        os.close(descriptor)
    return pid


def _run(order: dict[str, Any], streams: list[int]) -> None:
    """Becomes the process that was asked for; does not return."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for own, given in enumerate(streams):
        os.dup2(given, own)
    os.closerange(3, 4096)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["cwd"])
    sys.argv = [order["module"], *order["arguments"]]
    gc.unfreeze()
    os._exit(_ended(order["module"]))


def _ended(module: str) -> int:
    """Runs a module and ends as the interpreter does: its exit code."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code: Any = 0
    except SystemExit as error:
        code = error.code
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
            code = 1
    except BaseException:  # noqa: BLE001 - whatever ends it, as the interpreter reports it
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return int(code or 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
