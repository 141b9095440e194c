"""The end of a process that was asked to stop, even if something in it does not respond."""

from __future__ import annotations

import os
import threading

from podium.logs import get_logger

LEAVE_SECONDS = 26.0
"""Seconds from the request to stop to the end of the process: requests have 20 s, judgings 18 s at
the same time. What remains of half a minute is a margin."""

LOOK_SECONDS = 1.0
"""Seconds until a process notices a request to stop, in the worst case."""

_log = get_logger("worker")


def wait_until(stopping: threading.Event) -> None:
    """Waits in the main thread until a signal handler sets the event.

    Python runs handlers in the main thread and between two of its steps. A signal that arrives just
    before the thread begins to wait, or in another thread, does not wake it: so the wait ends now
    and then.
    """
    while not stopping.wait(LOOK_SECONDS):
        pass


def exit_for_certain(seconds: float = LEAVE_SECONDS) -> None:
    """Returns at once; ends this process after so many seconds, unless it has ended by then.

    A thread that waits for a silent bucket or database cannot be stopped, and Python waits for it.
    Its work is left as after a kill: leases and holds expire, files are swept.
    """
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    _log.error("process.left-midway", threads=[thread.name for thread in threading.enumerate()])
    os._exit(1)
