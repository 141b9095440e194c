"""Retries for recording an outcome while the database is busy or full, and the error codes of a
store that fails for a while."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.database.outages import outage_of
from podium.errors.codes import ErrorCode
from podium.logs import get_logger

STORE_FAILS = frozenset({ErrorCode.STORAGE_ERROR, ErrorCode.STORAGE_FULL})
"""Codes of errors of the whole store, which pass."""

TRIES = 5
"""Tries to record an outcome: it may have taken minutes to compute."""

_log = get_logger("worker")


def write_patiently(application: Application, write: Callable[[WriteSession], object]) -> None:
    """Writes in one transaction, with a few retries. If all fail, the lease expires, and the work
    is done again."""
    for attempt in range(1, TRIES + 1):
        try:
            with application.database.write() as session:
                write(session)
            return
        except SQLAlchemyError as error:
            if (outage := outage_of(error)) is not None:
                _log.warning("outcome.not-written", attempt=attempt, detail=outage)
            else:
                _log.exception("outcome.not-written", attempt=attempt)
            time.sleep(min(attempt, application.settings.lease_seconds / 10))
