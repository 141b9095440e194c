"""The end of a process that was told to leave, whatever does not answer it."""

from __future__ import annotations

import os
import threading

from app.logs import get_logger

LEAVE_SECONDS = 26.0
"""From the order to the end: requests have 20 s, and judgings 18 s beside them. The rest of half a
minute is for the end itself."""

_log = get_logger("leaving")


def leave_for_certain(seconds: float = LEAVE_SECONDS) -> None:
    """Ends this process after so long, if it has not ended by then; returns at once.

    A thread that waits for a silent bucket or database cannot be stopped, and Python waits for it.
    What it was doing is left as a kill leaves it: leases and holds lapse, files are swept.
    """
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    _log.error("left-in-the-middle", threads=[thread.name for thread in threading.enumerate()])
    os._exit(1)
