"""The main module of a warm process, started as `python -m podium.sandbox.warm.process`.

It loads the modules of the requested tasks, and forks. It receives nothing but names of tasks;
folder and pipes arrive as open descriptors, and it reads none of them. The child reads the task's
arguments, after the fork.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

from podium.sandbox import child
from podium.sandbox.isolation.restrictions import die_with
from podium.sandbox.warm import NEVER
from podium.sandbox.warm.forking import CannotFork, fork_a_sibling
from podium.sandbox.warm.polars_start import PolarsLater

DESCRIPTORS = 4
"""The folder, the answer, the errors, and the reply."""


def main() -> None:
    """Serves the socket whose descriptor is the first argument until it is closed. The other
    arguments are the parent's number, the module of the tasks, and packages to load if they are
    installed."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    die_with(int(sys.argv[2]), ctypes.CDLL(None, use_errno=True))
    # Nothing that is loaded here is garbage, neither now nor in any child.
    gc.disable()
    polars = PolarsLater()
    for package in sys.argv[4:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    while True:
        name, descriptors, _, _ = socket.recv_fds(channel, 256, DESCRIPTORS)
        if not name:
            os._exit(0)
        if len(descriptors) == DESCRIPTORS:
            _load(sys.argv[3], name.decode())
            _fork(descriptors, polars.begin)
        for each in descriptors:
            os.close(each)


def _load(tasks_module: str, name: str) -> None:
    # A failing import fails again in the child, which reports it.
    with contextlib.suppress(Exception):
        tasks: Any = importlib.import_module(tasks_module)
        if name == "describe":
            dict(tasks.TASKS)
        else:
            tasks.TASKS[name]


def _fork(descriptors: list[int], begin: Callable[[], None]) -> None:
    reply = descriptors[-1]
    try:
        gc.freeze()
        process = fork_a_sibling()
    except CannotFork as error:
        os.write(reply, f"{NEVER} {error}\n".encode())
    except OSError as error:
        os.write(reply, f"not now: {error}\n".encode())
    else:
        if process == 0:
            _be_a_child(descriptors, begin)
        os.write(reply, f"{process}\n".encode())


def _be_a_child(descriptors: list[int], begin: Callable[[], None]) -> None:
    """Becomes the child that runs the task; never returns. Once the reply is closed here, the
    parent can kill the whole session."""
    try:
        scratch, answer, errors, reply = descriptors
        os.setsid()
        # In case the warm process ends before it can reply.
        os.write(reply, f"{os.getpid()}\n".encode())
        os.dup2(errors, 2)
        os.fchdir(scratch)
        os.dup2(answer, 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        given = child.taken("task.json")
        os.environ.update(HOME=given["scratch"], TMPDIR=given["scratch"])
        _draw_anew()
        child.carry_out(given | {"answer_to": 3}, begin)
    except BaseException:  # noqa: BLE001 - whatever it is, this is not a warm process any more
        traceback.print_exc()
    finally:
        os._exit(1)


def _draw_anew() -> None:
    """Reseeds NumPy's generator, as the fork has reseeded Python's: otherwise two children would
    draw the same numbers."""
    if numbers := sys.modules.get("numpy.random"):
        numbers.seed()


if __name__ == "__main__":
    main()
