"""Cleanup of the disk of a replica that does not judge, where no worker does it.

The leftovers are files collected for a bucket, or fetched from one, by a process that died in
between.
"""

from __future__ import annotations

import threading

from podium.application import Application
from podium.errors import PodiumError
from podium.logs import get_logger

SWEEP_SECONDS = 3600.0
"""Seconds between two sweeps, and the age from which leftovers are deleted: unfinished files, and
records of jobs in the engine."""

_log = get_logger("worker")


def sweep_until_stopping(application: Application) -> None:
    """Starts a thread that sweeps at once and then repeatedly; it ends with the process."""
    threading.Thread(target=_sweep, args=[application], name="leftovers", daemon=True).start()


def _sweep(application: Application) -> None:
    while True:
        try:
            removed = application.storage.sweep(older_than_seconds=SWEEP_SECONDS)
            _log.info("leftovers.swept", removed=removed)
        except (PodiumError, OSError):
            _log.exception("leftovers.not-swept")
        if application.is_stopping.wait(SWEEP_SECONDS):
            return
