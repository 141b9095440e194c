"""A worker in a process of its own that stops between the end of a child and its verdict, as if
the machine slept; its settings come from the environment.

It stops while no thread of it is in a transaction: on SQLite one that was stopped in the middle
of writing keeps everybody else from writing, and what is tried here is another thing.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import Pool

from podium.bootstrap import build
from podium.logs import configure_logs
from podium.settings import Settings
from podium.worker import files
from podium.worker.attempt import Attempt
from podium.worker.service import start

GIVES_WAY_SECONDS = 1.0

run = files.run_child
begins = threading.Lock()
in_transactions: set[int] = set()


@event.listens_for(Engine, "begin", insert=True)
def entered(connection: Connection) -> None:
    """Counts a connection from before its transaction begins."""
    with begins:
        in_transactions.add(id(connection.connection.dbapi_connection))


@event.listens_for(Pool, "checkin")
def left(connection: Any, record: Any) -> None:
    """Counts it no longer once it was given back, when its transaction has ended."""
    in_transactions.discard(id(connection))


def run_and_pause(attempt: Attempt) -> files.JudgingResult:
    """Does what the worker does, and then waits until it is woken."""
    result = run(attempt)
    while not paused():
        # Another transaction may have to come first.
        time.sleep(0.01)
    return result


def paused() -> bool:
    """Stops the process if all transactions end soon; then true once it was woken."""
    with begins:
        until = time.monotonic() + GIVES_WAY_SECONDS
        while in_transactions:
            if time.monotonic() > until:
                return False
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGSTOP)
        return True


if __name__ == "__main__":
    configure_logs(json=True)
    files.run_child = run_and_pause
    start(build(Settings()))
    threading.Event().wait(240)
