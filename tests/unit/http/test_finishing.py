"""Uploads that wait for a slow store leave the threads to everybody else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.errors import Unavailable
from podium.http.streaming.uploads import ContentDigest, Received, finished, receive_body
from podium.http.threads import MOST, ThreadResource, in_upload_thread, in_writing_thread
from podium.storage import Stored

WAITING = 60
"""More than there are threads for everything else (40)."""


class Slow:
    """A file whose store takes its time."""

    size = 0

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, chunk: bytes) -> None:
        self._wait()

    def finish(self) -> Stored:
        self._wait()
        return Stored("00" * 32, 0)

    def _wait(self) -> None:
        with self._store.lock:
            self._store.busy += 1
            self._store.busiest = max(self._store.busiest, self._store.busy)
            if self._store.busy == self._store.most:
                self._store.is_full.set()
        assert self._store.goes_on.wait(60)
        with self._store.lock:
            self._store.busy -= 1

    def abort(self) -> None:
        """There is nothing to remove."""


class Store:
    """A store that counts how many files are written or finished at a time, and at which number
    that is enough."""

    def __init__(self, most: int = MOST[ThreadResource.STORE]) -> None:
        self.most = most
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
    assert store.busiest == MOST[ThreadResource.STORE]


def test_many_uploads_that_wait_for_a_busy_disk_take_few_threads_and_none_of_the_others() -> None:
    store = Store(MOST[ThreadResource.DISK])

    async def whole_body() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x", "more_body": False}

    def upload() -> Awaitable[Received]:
        request = Request({"type": "http", "method": "POST", "headers": []}, whole_body)
        return receive_body(
            request,
            Slow(store),
            max_bytes=10,
            deadline_seconds=3600,
            min_rate=1,
            digest=ContentDigest(),
        )

    async def everybody() -> None:
        uploads = [asyncio.ensure_future(upload()) for _ in range(WAITING)]
        try:
            assert await asyncio.to_thread(store.is_full.wait, 60)
            async with asyncio.timeout(60):
                assert await run_in_threadpool(lambda: "answered") == "answered"
            assert not any(upload.done() for upload in uploads)
        finally:
            store.goes_on.set()
        assert [each.size for each in await asyncio.gather(*uploads)] == [1] * WAITING

    asyncio.run(everybody())
    assert store.busiest == MOST[ThreadResource.DISK]


def test_uploads_that_begin_at_once_keep_no_short_write_waiting() -> None:
    has_begun, goes_on = threading.Event(), threading.Event()

    def begin() -> bool:
        has_begun.set()
        return goes_on.wait(60)

    async def everybody() -> None:
        uploads = [asyncio.ensure_future(in_upload_thread(begin)) for _ in range(WAITING)]
        try:
            assert await asyncio.to_thread(has_begun.wait, 60)
            async with asyncio.timeout(60):
                assert await in_writing_thread(lambda: "written") == "written"
            assert not any(upload.done() for upload in uploads)
        finally:
            goes_on.set()
        assert all(await asyncio.gather(*uploads))

    asyncio.run(everybody())


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
