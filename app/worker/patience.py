"""Writing down how long work ended, although the database may be busy or full just then."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.logs import get_logger

TRIES = 5
"""An outcome that took minutes is worth some patience."""

_log = get_logger("worker")


def write_patiently(application: Application, write: Callable[[WriteSession], object]) -> None:
    """Writes in one transaction, a few times if need be. Where it never succeeds the lease ends by
    itself, and the work is done again."""
    for attempt in range(1, TRIES + 1):
        try:
            with application.database.write() as session:
                write(session)
            return
        except SQLAlchemyError:
            _log.exception("verdict.not-written", attempt=attempt)
            time.sleep(min(attempt, application.settings.lease_seconds / 10))
