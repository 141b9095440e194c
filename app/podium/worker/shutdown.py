"""The end of a process that was told to leave, whatever does not answer it."""

from __future__ import annotations

import os
import threading

from podium.logs import get_logger

LEAVE_SECONDS = 26.0
"""From the order to the end: requests have 20 s, and judgings 18 s beside them. The rest of half a
minute is for the end itself."""

LOOK_SECONDS = 1.0
"""Seconds until a process notices the order to stop, in the worst case."""

_log = get_logger("worker")


def wait_until(told: threading.Event) -> None:
    """Waits in the main thread for what a signal's handler sets.

    Python runs handlers in the main thread and between two of its steps. A signal that comes right
    before the thread begins to wait, or to another thread, does not wake this one: so the wait ends
    now and then.
    """
    while not told.wait(LOOK_SECONDS):
        pass


def exit_for_certain(seconds: float = LEAVE_SECONDS) -> None:
    """Ends this process after so long, if it has not ended by then; returns at once.

    A thread that waits for a silent bucket or database cannot be stopped, and Python waits for it.
    What it was doing is left as a kill leaves it: leases and holds lapse, files are swept.
    """
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    _log.error("process.left-midway", threads=[thread.name for thread in threading.enumerate()])
    os._exit(1)
