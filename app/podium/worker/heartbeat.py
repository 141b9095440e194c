"""The heartbeat of a judging or job: renews its lease, however long the work takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from podium.application import Application
from podium.core import leases
from podium.core.database.outages import OUTAGES
from podium.core.leases import Lease, LeaseState
from podium.logs import get_logger

_log = get_logger("worker")


class Heartbeat:
    """Renews one lease while its child runs, and says when the child must stop."""

    def __init__(
        self, application: Application, lease: Lease[Any], is_stopping: threading.Event
    ) -> None:
        self.lease_state = LeaseState.OURS
        self._database = application.database
        self._lease = lease
        self._is_stopping = is_stopping
        self._lease_seconds = application.settings.lease_seconds
        # About once a second, so that progress shows and cancellations take effect.
        self._every = min(1.0, self._lease_seconds / 4)
        self._renewed = time.monotonic()
        self._progress = 0.0
        self._renewing = threading.Lock()

    def progressed(self, share: float) -> None:
        """Sets the progress, from 0 to 1, to store with the next renewal."""
        self._progress = share

    def should_stop(self) -> bool:
        """True if the child must end: the process stops, the job was cancelled, or the lease is
        lost. Renews the lease if that is due."""
        self._renew_after(self._every)
        return self._is_stopping.is_set() or self.lease_state is not LeaseState.OURS

    @contextmanager
    def kept_up(self) -> Iterator[None]:
        """Renews the lease from a thread while `should_stop` is not called: a slow bucket may take
        longer than a lease to fetch or store files."""
        is_over = threading.Event()

        def keep_up() -> None:
            while not is_over.wait(self._every):
                self._renew_after(2 * self._every)

        thread = threading.Thread(target=keep_up, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _renew_after(self, seconds: float) -> None:
        with self._renewing:
            if time.monotonic() - self._renewed >= seconds:
                self._renew()

    def _renew(self) -> None:
        try:
            with self._database.write(is_minor=True) as session:
                self.lease_state = leases.renew(
                    session, self._lease, seconds=self._lease_seconds, progress=self._progress
                )
            self._renewed = time.monotonic()
        except SQLAlchemyError as error:
            # The child goes on: if the lease expires meanwhile, the fence rejects its verdict.
            if not OUTAGES.tell(error):
                _log.exception("lease.not-renewed", row=self._lease.row_id)
