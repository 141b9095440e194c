"""Uploads that wait for a slow store leave the threads to everybody else."""

from __future__ import annotations

import asyncio
import threading

from fastapi.concurrency import run_in_threadpool

from app.errors import Unavailable
from app.storage import Stored
from app.web.uploads import FINISHING_AT_ONCE, finished

WAITING = 60
"""More than there are threads for everything else (40)."""


class Slow:
    """A file whose store takes its time."""

    size = 0

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, chunk: bytes) -> None:
        """Nothing is written here."""

    def finish(self) -> Stored:
        with self._store.lock:
            self._store.busy += 1
            self._store.busiest = max(self._store.busiest, self._store.busy)
            if self._store.busy == FINISHING_AT_ONCE:
                self._store.is_full.set()
        assert self._store.goes_on.wait(60)
        with self._store.lock:
            self._store.busy -= 1
        return Stored("00" * 32, 0)

    def abort(self) -> None:
        """There is nothing to remove."""


class Store:
    """How many files are finished at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_full, self.goes_on = threading.Event(), threading.Event()
        self.busy = self.busiest = 0


def test_many_uploads_on_their_last_way_take_few_threads_and_none_of_the_others() -> None:
    store = Store()

    async def everybody() -> None:
        uploads = [asyncio.create_task(finished(Slow(store))) for _ in range(WAITING)]
        try:
            assert await asyncio.to_thread(store.is_full.wait, 60)
            async with asyncio.timeout(60):
                assert await run_in_threadpool(lambda: "answered") == "answered"
            assert not any(upload.done() for upload in uploads)
        finally:
            store.goes_on.set()
        assert await asyncio.gather(*uploads) == [Stored("00" * 32, 0)] * WAITING

    asyncio.run(everybody())
    assert store.busiest == FINISHING_AT_ONCE


def test_what_the_store_raises_arrives() -> None:
    class Failing(Slow):
        def finish(self) -> Stored:
            raise Unavailable("away")

    async def send() -> str:
        try:
            await finished(Failing(Store()))
        except Unavailable as error:
            return error.detail
        return "no error"

    assert asyncio.run(send()) == "away"
