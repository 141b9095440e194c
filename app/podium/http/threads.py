"""Threads for blocking work of requests, separated by what they may wait for.

Each kind is few, so that a kind that waits does not block the others: readers do not wait for
writers, nor any of them for a slow store. All other work, reading above all, runs in the
framework's own threads (`run_in_threadpool`), of which none may write to the database.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from enum import StrEnum
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar


class ThreadResource(StrEnum):
    """The resource that a thread may wait for."""

    DATABASE_WRITE = "database-write"
    """Another writer: on SQLite the only one at a time, on PostgreSQL those of the same rows."""
    UPLOAD = "upload"
    """The database for writes with which an upload begins and ends."""
    STORE = "store"
    """A disk that syncs or a bucket, and the rows that follow."""
    ARCHIVE = "archive"
    """All files and rows of a competition, which take minutes, or another archive's turn."""
    DISK = "disk"
    """The disk that stores pieces of bodies."""


MOST = {
    ThreadResource.DATABASE_WRITE: 8,
    ThreadResource.UPLOAD: 2,
    ThreadResource.STORE: 8,
    ThreadResource.ARCHIVE: 6,
    ThreadResource.DISK: 8,
}
"""Threads of each kind. Fifty uploads ask a disk for no more than eight do, and 120 writers hold no
more than eight of the database's connections, whatever they wait for. Of archives, five are for
those that are created or restored and those that wait for their turn; one refuses the rest."""

kind_of_thread: ContextVar[ThreadResource | None] = ContextVar("kind_of_thread", default=None)
"""The kind of the running thread; None outside of these."""

T = TypeVar("T")

_limiters: RunVar[dict[ThreadResource, CapacityLimiter]] = RunVar("limiters")


async def in_writing_thread(work: Callable[[], T]) -> T:
    """Runs a short write to the database: it begins and commits in there. Requests wait for their
    turn in the order in which they came, and occupy no thread meanwhile. Raises what `work`
    raises."""
    return await _in_thread(ThreadResource.DATABASE_WRITE, work)


async def in_upload_thread(work: Callable[[], T]) -> T:
    """Runs the writes with which an upload begins and ends: sixty that come at once, and take
    seconds anyway, do not delay short writes. Raises what `work` raises."""
    return await _in_thread(ThreadResource.UPLOAD, work)


async def with_store(work: Callable[[], T]) -> T:
    """Runs work for which a store may be slow, with the rows that belong to it. Raises what `work`
    raises."""
    return await _in_thread(ThreadResource.STORE, work)


async def with_archive(work: Callable[[], T]) -> T:
    """Exports or imports a whole competition. Raises what `work` raises."""
    return await _in_thread(ThreadResource.ARCHIVE, work)


async def on_disk(work: Callable[[], T]) -> T:
    """Writes a piece of a body to the local disk. Raises what `work` raises."""
    return await _in_thread(ThreadResource.DISK, work)


async def _in_thread(kind: ThreadResource, work: Callable[[], T]) -> T:
    def work_as() -> T:
        # The thread has a copy of the context, so that nothing has to be reset.
        kind_of_thread.set(kind)
        return work()

    return await to_thread.run_sync(work_as, limiter=_limiter(kind))


def _limiter(kind: ThreadResource) -> CapacityLimiter:
    """Finds or creates the limiter of this event loop's threads for one kind."""
    try:
        limiters = _limiters.get()
    except LookupError:
        limiters = {kind: CapacityLimiter(most) for kind, most in MOST.items()}
        _limiters.set(limiters)
    return limiters[kind]
