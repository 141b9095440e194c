"""What runs in the child: walls first, then one act, then one line of JSON. Never imported by
the server; started as `python -m podium.sandbox.child`.

Everything that can happen here becomes one message, or the end of the process, which the parent
reads from the exit status.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.sandbox.isolation.walls import WallsMissing, die_with, limit, raise_walls, require_walls

REPORT_CHARACTERS = 4000

INPUTS = ("file", "published", "truth", "before", "items", "hits", "sessions")
"""Arguments of an order that name files which the child may read, one or a list."""


def main() -> None:
    """Runs the order that the file named by the first argument holds."""
    order = json.loads(Path(sys.argv[1]).read_bytes())
    Path(sys.argv[1]).unlink()
    walls = _raise_walls(order)
    say = _Messages(order["answer_to"])
    try:
        if order["act"] == "describe":
            if order["arguments"]["is_whole"]:
                importlib.import_module(order["acts_module"])
            say.message(document={"status": "described", "walls": walls})
        else:
            if not order["is_weak_allowed"]:
                require_walls(walls)
            acts: Any = importlib.import_module(order["acts_module"])
            say.message(ready=walls)
            say.message(document=acts.ACTS[order["act"]](say.progress, **order["arguments"]))
    except WallsMissing as error:
        say.message(death="no-walls", report=str(error))
    except MemoryError:
        say.message(death="memory", report="Python ran out of memory.")
    except BaseException as error:  # noqa: BLE001 - a panic of Polars is a BaseException
        say.message(death=_death_of(error), report=_report(error))
    # Without this, threads of libraries could keep the process from ending.
    os._exit(0)


def _raise_walls(order: Mapping[str, Any]) -> dict[str, str]:
    libc = ctypes.CDLL(None, use_errno=True)
    die_with(order["parent"], libc)
    limit(**order["limits"])
    given = [order["arguments"][name] for name in INPUTS if order["arguments"].get(name)]
    readable = [Path(path) for one in given for path in (one if isinstance(one, list) else [one])]
    # The package of the acts is found before the folder around it can no longer be read.
    importlib.import_module(order["acts_module"].partition(".")[0])
    return raise_walls(
        libc,
        readable=[*map(Path, order["libraries"]), *readable],
        scratch=Path.cwd(),
        user=order["user"],
        parent=order["parent"],
        landlock_at_most=order["landlock_at_most"],
    )


class _Messages:
    """Lines of JSON on the inherited pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._said = 0.0

    def message(self, **content: Any) -> None:
        line = memoryview(json.dumps(content).encode() + b"\n")
        while line:
            line = line[os.write(self._descriptor, line) :]

    def progress(self, share: float) -> None:
        # A message every percent is enough, and can never fill the pipe for long.
        if share >= self._said + 0.01:
            self._said = share
            self.message(progress=share)


def _death_of(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return "memory"
    return "crash" if type(error).__name__ == "PanicException" else "our-error"


def _report(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-REPORT_CHARACTERS:]


if __name__ == "__main__":
    main()
