"""A thread of the worker that finds the teams tied with the first one, once boards are final.

Several workers may examine the same board at once: they find the same.
"""

from __future__ import annotations

import threading
from pathlib import Path

from podium.application import Application
from podium.boards.service import ties
from podium.boards.service.ties import BoardState, Portion
from podium.core.database.outages import OUTAGES
from podium.jobs.means import Means
from podium.logs import get_logger
from podium.sandbox import Limits
from podium.sandbox.outputs import scratch_folder
from podium.worker.comparing import FILE_BYTES

_log = get_logger("worker")


class TieFinder:
    """Examines final boards whose ties are unknown; `stop` ends a running child."""

    def __init__(self, application: Application, *, scratch: Path) -> None:
        self._application = application
        self._scratch = scratch
        self._is_stopping = threading.Event()
        self._given_up: set[BoardState] = set()
        self._thread = threading.Thread(target=self._go_on, name="ties", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; takes less than a second."""
        self._is_stopping.set()
        self._thread.join(timeout=3)

    def round(self) -> bool:
        """Examines one portion of a board; returns False if there is none."""
        database = self._application.database
        with database.read() as session:
            portion = ties.next_portion(session, besides=self._given_up)
        if portion is None:
            return False
        try:
            found = self._look(portion)
        except Exception:  # noqa: BLE001 - a child that died, hits that are gone
            if self._is_stopping.is_set():
                # We stopped the child ourselves; the next worker examines it again.
                return False
            # No team counts as tied until the board changes.
            _log.exception("ties.not-found", competition=portion.competition_id)
            self._given_up.add(portion.state)
            return True
        with database.write() as session:
            ties.record(session, portion=portion, ties=found)
        return True

    def _go_on(self) -> None:
        pause = self._application.settings.reconcile_seconds
        while not self._is_stopping.wait(pause):
            try:
                if ties.may_be_unsettled(self._application.database):
                    self._settle()
            except Exception as error:  # noqa: BLE001 - a database that is away must not end this
                if not OUTAGES.tell(error):
                    _log.exception("round.failed", part="ties")

    def _settle(self) -> None:
        self._settle_clear_cases()
        while not self._is_stopping.is_set() and self.round():
            self._settle_clear_cases()

    def _settle_clear_cases(self) -> None:
        with self._application.database.read() as session:
            if not ties.has_clear_cases(session):
                return
        with self._application.database.write() as session:
            ties.settle_clear_cases(session)

    def _look(self, portion: Portion) -> list[bool]:
        settings = self._application.settings
        with scratch_folder(self._scratch) as folder:
            means = Means(
                storage=self._application.storage,
                sandbox=self._application.sandbox,
                limits=Limits(
                    memory_bytes=settings.judging_memory_bytes,
                    wall_seconds=settings.judging_seconds,
                    file_bytes=FILE_BYTES,
                ),
                scratch=folder,
                should_stop=self._is_stopping.is_set,
            )
            return ties.look(portion, means)
