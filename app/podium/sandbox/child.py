"""The main module of a child: isolation first, then one task, then one line of JSON. The server
never imports it; it is started as `python -m podium.sandbox.child`, or forked by a warm process.

Whatever happens here becomes one message, or the end of the process, which the parent reads from
the exit status.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, get_args

from podium.add_ons import Group, contributed
from podium.sandbox.inputs import open_inputs
from podium.sandbox.isolation.restrictions import (
    NotIsolated,
    die_with,
    isolate,
    limit,
    require_isolation,
    stand_back,
)

REPORT_CHARACTERS = 4000


def main() -> None:
    """Runs the task in the file that the first argument names."""
    # Modules are not garbage: looking for garbage among them took a fourteenth of the start.
    gc.disable()
    carry_out(taken(sys.argv[1]))


def taken(path: str) -> dict[str, Any]:
    """Reads the file of a task, and deletes it."""
    given: dict[str, Any] = json.loads(Path(path).read_bytes())
    Path(path).unlink()
    return given


def carry_out(given: Mapping[str, Any], begin: Callable[[], None] = lambda: None) -> NoReturn:
    """Isolates this process, runs the task, reports its answer or failure, and exits. Once
    everything is isolated, `begin` starts what a warm process has deferred."""
    isolation = _isolated(given)
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        # They were needed for the start only, and reveal paths.
        del os.environ[name]
    say = _Messages(given["answer_to"])
    try:
        begin()
        if given["task"] == "describe":
            if given["arguments"]["is_whole"]:
                dict(importlib.import_module(given["tasks_module"]).TASKS)
                for group in get_args(Group):
                    contributed(group)
            say.message(document={"status": "described", "isolation": isolation})
        else:
            if not given["is_weak_allowed"]:
                require_isolation(isolation)
            tasks: Any = importlib.import_module(given["tasks_module"])
            run = tasks.TASKS[given["task"]]
            gc.freeze()
            gc.enable()
            say.message(ready=isolation)
            say.message(document=run(say.progress, given["arguments"]))
    except NotIsolated as error:
        say.message(failure="not-isolated", report=str(error))
    except MemoryError:
        say.message(failure="memory", report="Python ran out of memory.")
    except BaseException as error:  # noqa: BLE001 - a panic of Polars is a BaseException
        report = "".join(traceback.format_exception(error))[-REPORT_CHARACTERS:]
        say.message(failure=_failure_of(error), report=report)
    # Otherwise threads of libraries could keep the process alive.
    os._exit(0)


def _isolated(given: Mapping[str, Any]) -> dict[str, str]:
    libc = ctypes.CDLL(None, use_errno=True)
    die_with(given["parent"], libc)
    limit(**given["limits"])
    if given["in_background"]:
        stand_back()
    # Imports the package of the tasks while the folder around it is still readable.
    importlib.import_module(given["tasks_module"].partition(".")[0])
    open_inputs(given["inputs"])
    return isolate(
        libc,
        readable=map(Path, given["libraries"]),
        scratch=Path(given["scratch"]),
        user=given["user"],
        passages=given["passages"],
        closed=given["closed"],
        parent=given["parent"],
        landlock_at_most=given["landlock_at_most"],
        most_threads=given["most_threads"],
    )


class _Messages:
    """Sends lines of JSON over the inherited pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._reported = 0.0

    def message(self, **content: Any) -> None:
        line = memoryview(json.dumps(content).encode() + b"\n")
        while line:
            line = line[os.write(self._descriptor, line) :]

    def progress(self, share: float) -> None:
        # One message per percent is enough, and cannot fill the pipe for long.
        if share >= self._reported + 0.01:
            self._reported = share
            self.message(progress=share)


def _failure_of(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return "memory"
    return "crash" if type(error).__name__ == "PanicException" else "our-error"


if __name__ == "__main__":
    main()
