"""Children that work for organizers: one at a time; a long reading goes on in the background.

A child may use the memory of a judging, so two at a time in one process would be too many.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from app.application import Application
from app.domain.permissions import Actor
from app.errors import Unavailable
from app.logs import get_logger
from app.sandbox import Limits
from app.services import ground_truth_reading
from app.services.ground_truth_reading import Outcome, Reading
from app.services.sandbox_answers import OUR_FAULT

FILE_BYTES = 64 << 30
"""Largest file that a reading or probing child may write into its scratch folder."""

MOST_WAITING = 8
"""Requests that may wait for their turn; each keeps a thread from everybody else."""

_one_at_a_time = threading.Lock()
_seats = threading.BoundedSemaphore(MOST_WAITING)
_log = get_logger("web.reading")


def start_reading(application: Application, *, actor: Actor, upload_id: str) -> Future[None]:
    """Starts to read an accepted upload; the future ends when its row says how it went."""
    done: Future[None] = Future()

    def read_and_tell() -> None:
        try:
            with alone():
                _read(application, actor, upload_id)
        except Exception as error:
            _log.error("ground truth stays unread", upload=upload_id, exc_info=error)
        finally:
            done.set_result(None)

    threading.Thread(target=read_and_tell, name=f"read-{upload_id}", daemon=True).start()
    return done


@contextmanager
def alone() -> Iterator[None]:
    """Waits until no other child of an organizer's runs in this process."""
    with _one_at_a_time:
        yield


@contextmanager
def alone_in_request() -> Iterator[None]:
    """The same in a thread that answers requests. Raises `Unavailable` when too many wait."""
    if not _seats.acquire(blocking=False):
        raise Unavailable("Too many files are being read. Try again shortly.", code="busy")
    try:
        with alone():
            yield
    finally:
        _seats.release()


def sandbox_limits(application: Application) -> Limits:
    """What a child may use that works for an organizer."""
    settings = application.settings
    return Limits(
        memory_bytes=settings.judging_retry_memory_bytes,
        wall_seconds=settings.judging_seconds,
        file_bytes=FILE_BYTES,
    )


@contextmanager
def scratch_folder(application: Application) -> Iterator[Path]:
    """A folder that nobody else can read, gone after the block; on the disk of the data, because
    it may have to hold as much as an upload."""
    parent = application.settings.data_dir.absolute() / "scratch"
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        yield Path(folder)


def _read(application: Application, actor: Actor, upload_id: str) -> None:
    with application.database.read() as session:
        reading = ground_truth_reading.prepare(session, upload_id=upload_id)
    outcome = _outcome(application, reading)
    with application.database.write() as session:
        ground_truth_reading.record(session, actor=actor, reading=reading, outcome=outcome)


def _outcome(application: Application, reading: Reading) -> Outcome:
    try:
        with scratch_folder(application) as scratch:
            return ground_truth_reading.read(
                reading,
                storage=application.storage,
                sandbox=application.sandbox,
                limits=sandbox_limits(application),
                scratch=scratch,
            )
    except Exception as error:
        _log.error("reading failed", upload=reading.upload_id, exc_info=error)
        return OUR_FAULT
