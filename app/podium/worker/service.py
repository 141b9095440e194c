"""A worker as a whole: takes jobs, sends heartbeats, and dispatches unattended rows again.

The same code runs in `podium serve`, beside the web server, and alone in `podium worker`.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial

from podium.application import Application
from podium.competitions.service.deletion import remove_deleted
from podium.core.database.outages import OUTAGES
from podium.jobs import leases, starting
from podium.judging.service import rounds
from podium.logs import get_logger
from podium.operations.service import workers
from podium.operations.service.workers import HEARTBEAT_SECONDS
from podium.rejudging.service.rounds import RejudgingRounds
from podium.submissions.service import quota, retention
from podium.submissions.service.retention import remove_ended
from podium.worker.cleanup import SWEEP_SECONDS
from podium.worker.holding import LeaseHolder
from podium.worker.jobs import JobRunner
from podium.worker.judging import Judge
from podium.worker.scratch import ScratchFolder, remove_those_of_the_dead
from podium.worker.ties import TieFinder

LAST_VERDICTS_SECONDS = 2.0
"""Seconds that stopping waits for verdicts whose time has nearly come."""

UPLOADS_SECONDS = 60.0
"""Seconds between two removals of ended uploads and expired jobs."""


_log = get_logger("worker")


class Service:
    """A worker process: it begins judgings and jobs, sends heartbeats, and drains at shutdown."""

    def __init__(self, application: Application) -> None:
        settings = application.settings
        self.worker_id = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._application = application
        shared = settings.data_dir.absolute() / "scratch" / "judgings"
        remove_those_of_the_dead(shared)
        # Left by killed backups; the next backup would remove them as well.
        remove_those_of_the_dead(shared.with_name("backups"))
        self._scratch = ScratchFolder(shared, self.worker_id)
        holder = LeaseHolder(application, self.worker_id, self._scratch.path)
        self._is_stopping = holder.is_stopping
        self._judge, self._jobs = Judge(holder), JobRunner(holder)
        self._reconcilers = [
            reconciler(
                application.database, application.queue, lease_seconds=settings.lease_seconds
            )
            for reconciler in (rounds.reconciler, starting.reconciler)
        ]
        self._rejudgings = RejudgingRounds(application.database, application.queue)
        self._due: dict[str, float] = {}
        with application.database.write(is_minor=True) as session:
            workers.register(session, worker_id=self.worker_id)
        self._rounds = threading.Thread(target=self._go_round, name="judging-rounds", daemon=True)
        self._house = threading.Thread(target=self._keep_house, name="housekeeping", daemon=True)
        self._stop_taking = application.queue.run_worker(
            self._judge.judge,
            partial(self._judge.judge, is_private=True),
            self._jobs.run,
            worker_id=self.worker_id,
            slots=settings.judging_slots,
            private_slots=settings.private_slots,
        )
        self._rounds.start()
        self._house.start()
        self._ties = TieFinder(application, scratch=self._scratch.path)
        _log.info("worker.started", worker=self.worker_id, slots=settings.judging_slots)

    def stop(self) -> None:
        """Returns unfinished work to the queue and signs off; takes less than 30 seconds."""
        if self._is_stopping.is_set():
            return
        self._is_stopping.set()
        self._stop_taking()
        self._judge.wait(LAST_VERDICTS_SECONDS)
        self._rounds.join(timeout=3)
        self._house.join(timeout=1)
        self._ties.stop()
        # If this fails, the worker counts as silent, and its leases expire.
        self._guarded(self._sign_off)
        self._scratch.remove()
        _log.info("worker.stopped", worker=self.worker_id)

    def _sign_off(self) -> None:
        with self._application.database.write(is_minor=True) as session:
            workers.end(session, worker_id=self.worker_id)

    def _go_round(self) -> None:
        settings = self._application.settings
        while not self._is_stopping.wait(settings.reconcile_seconds):
            self._now_and_then(HEARTBEAT_SECONDS, self._stamp)
            for reconciler in self._reconcilers:
                self._guarded(reconciler.round)
            self._guarded(self._rejudgings.round)
            self._guarded(self._release_lapsed)

    def _keep_house(self) -> None:
        # In a thread of its own: a store that is large, slow or silent must not stop heartbeats or
        # delay judgings.
        while not self._is_stopping.wait(self._application.settings.reconcile_seconds):
            self._now_and_then(UPLOADS_SECONDS, self._remove_uploads)
            self._now_and_then(UPLOADS_SECONDS, self._forget_jobs)
            self._now_and_then(SWEEP_SECONDS, self._sweep)
            self._guarded(self._remove_competitions)

    def _now_and_then(self, seconds: float, act: Callable[[], object]) -> None:
        if time.monotonic() >= self._due.get(act.__name__, 0.0):
            self._due[act.__name__] = time.monotonic() + seconds
            self._guarded(act)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - a database that is away must not end the rounds
            if not OUTAGES.tell(error):
                _log.exception("round.failed", part=act.__name__)

    def _stamp(self) -> None:
        with self._application.database.write(is_minor=True) as session:
            workers.heartbeat(session, worker_id=self.worker_id)
        OUTAGES.end()

    def _release_lapsed(self) -> None:
        if not quota.is_uploading(self._application.database):
            return
        with self._application.database.write(is_minor=True) as session:
            quota.release_lapsed(session)

    def _remove_uploads(self) -> None:
        remove_ended(self._application.database, self._application.storage)

    def _forget_jobs(self) -> None:
        with self._application.database.write(is_minor=True) as session:
            leases.forget_ended(session)

    def _remove_competitions(self) -> None:
        remove_deleted(self._application.database, stopping=self._is_stopping)

    def _sweep(self) -> None:
        self._application.storage.sweep(older_than_seconds=SWEEP_SECONDS)
        self._application.queue.forget_ended(older_than_seconds=SWEEP_SECONDS)
        with self._application.database.write(is_minor=True) as session:
            workers.forget_silent(session)
        self._tidy()

    def _tidy(self) -> None:
        settings, database = self._application.settings, self._application.database
        with database.read() as session:
            if not workers.is_oldest(session, worker_id=self.worker_id):
                # One worker is enough; two could remove what the other has just set aside.
                return
        if settings.keep_submission_days:
            with database.write() as session:
                retention.drop_old_files(session, keep_days=settings.keep_submission_days)
        retention.tidy(database, self._application.storage)


def start(application: Application) -> Service:
    """Starts a worker in threads of this process; returns once it takes jobs."""
    return Service(application)
