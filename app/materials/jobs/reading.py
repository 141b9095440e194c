"""Children that work for organizers: one at a time; a long reading goes on in the background.

A child may use the memory of a judging, so two at a time in one process would be too many.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from podium.application import Application
from podium.core.access import Actor
from podium.errors import Unavailable
from podium.errors.codes import ErrorCode
from podium.logs import get_logger
from podium.materials.service import ground_truth_reading
from podium.materials.service.ground_truth_reading import Outcome, Reading
from podium.sandbox import Limits, Sandbox
from podium.sandbox.answers import OUR_FAULT, error_for, not_isolated
from podium.sandbox.leavings import scratch_folder
from podium.storage import Storage

FILE_BYTES = 64 << 30
"""Bytes that a reading or probing child may write into its scratch folder."""

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
        except Exception as error:  # noqa: BLE001 - a thread's end: nothing above would log it
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


def require_isolation(application: Application) -> None:
    """Raises `Unavailable` where this machine cannot isolate what reads an upload."""
    if application.sandbox.refusal() is not None:
        raise error_for(not_isolated().problem)


class Means(TypedDict):
    """What services that have a child work for an organizer are given for it."""

    storage: Storage
    sandbox: Sandbox
    limits: Limits
    scratch: Path


@contextmanager
def means_in_request(application: Application) -> Iterator[Means]:
    """The means of a child in a thread that answers requests, once it is this one's turn. Raises
    `Unavailable` when too many wait, and where nothing can be isolated."""
    require_isolation(application)
    if not _seats.acquire(blocking=False):
        raise Unavailable("Too many files are being read. Try again shortly.", code=ErrorCode.BUSY)
    try:
        with alone(), _means(application) as means:
            yield means
    finally:
        _seats.release()


def scratch_root(application: Application) -> Path:
    """Where passing files lie that nobody else can read: on the disk of the data, because one may
    have to hold as much as an upload."""
    root = application.settings.data_dir.absolute() / "scratch"
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return root


@contextmanager
def _means(application: Application) -> Iterator[Means]:
    """The scratch folder is gone after the block."""
    settings = application.settings
    limits = Limits(
        memory_bytes=settings.judging_retry_memory_bytes,
        wall_seconds=settings.judging_seconds,
        file_bytes=FILE_BYTES,
    )
    with scratch_folder(scratch_root(application)) as folder:
        yield Means(
            storage=application.storage,
            sandbox=application.sandbox,
            limits=limits,
            scratch=folder,
        )


def _read(application: Application, actor: Actor, upload_id: str) -> None:
    with application.database.read() as session:
        reading = ground_truth_reading.prepare(session, upload_id=upload_id)
    outcome = _outcome(application, reading)
    with application.database.write() as session:
        ground_truth_reading.record(session, actor=actor, reading=reading, outcome=outcome)


def _outcome(application: Application, reading: Reading) -> Outcome:
    try:
        with _means(application) as means:
            return ground_truth_reading.read(reading, **means)
    except Exception as error:  # noqa: BLE001 - whatever it is, the reading ends with a verdict
        _log.error("reading failed", upload=reading.upload_id, exc_info=error)
        return OUR_FAULT
