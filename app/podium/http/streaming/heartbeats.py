"""Heartbeats of uploads: leases that are renewed while their bytes arrive, or wait to be read.

All uploads under way are renewed in one transaction. Separate ones would make the disk sync as
often as there are uploads, just while it takes their bytes, and block all other writers.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeAlias

from anyio.lowlevel import RunVar

from podium.core.database.engine import Database, WriteSession
from podium.http.threads import in_writing_thread
from podium.logs import get_logger

Renewal: TypeAlias = Callable[[WriteSession], object]
"""Renews the lease of one upload."""

_heartbeats: RunVar[dict[tuple[Database, float], _Heartbeat]] = RunVar("heartbeats")

_log = get_logger("http")


@asynccontextmanager
async def heartbeat(
    database: Database, renew: Renewal, *, every_seconds: float
) -> AsyncIterator[None]:
    """Calls `renew` in a writing thread at intervals while the block runs, however slow the body.

    A call that fails is logged and repeated: only the lease that it renews decides the effect of an
    interruption.
    """
    one = _heartbeat_of(database, every_seconds)
    one.begin(renew)
    try:
        yield
    finally:
        await one.end(renew)


class _Heartbeat:
    """The renewals of all uploads with one interval, which run as long as there are any."""

    def __init__(self, database: Database, every_seconds: float) -> None:
        self._database = database
        self._every_seconds = every_seconds
        # In the order in which they began, which is that in which others lock their rows.
        self._renewals: dict[Renewal, None] = {}
        self._task: asyncio.Task[None] | None = None

    def begin(self, renew: Renewal) -> None:
        """Adds an upload, and starts the task with the first one."""
        self._renewals[renew] = None
        if self._task is None:
            self._task = asyncio.create_task(self._go_on())

    async def end(self, renew: Renewal) -> None:
        """Removes an upload, and stops the task with the last one."""
        del self._renewals[renew]
        if not self._renewals and self._task is not None:
            task, self._task = self._task, None
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(self._every_seconds)
            try:
                await in_writing_thread(partial(self._renew_all, list(self._renewals)))
            except Exception as error:  # noqa: BLE001 - the next heartbeat tries again
                _log.warning("heartbeat.failed", error=type(error).__name__)

    def _renew_all(self, renewals: list[Renewal]) -> None:
        with self._database.write(is_minor=True) as session:
            for renew in renewals:
                renew(session)


def _heartbeat_of(database: Database, every_seconds: float) -> _Heartbeat:
    """Finds or creates the heartbeat of this event loop."""
    try:
        heartbeats = _heartbeats.get()
    except LookupError:
        heartbeats = {}
        _heartbeats.set(heartbeats)
    return heartbeats.setdefault((database, every_seconds), _Heartbeat(database, every_seconds))
