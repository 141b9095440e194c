"""Heartbeats of uploads that are under way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from podium.core.database.engine import Database, WriteSession
from podium.http.streaming.heartbeats import Renewal, heartbeat
from podium.http.threads import in_upload_thread


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database(sqlite_url)
    yield database
    database.close()


def collecting(met: list[WriteSession]) -> Renewal:
    return met.append


def test_heartbeats_come_while_nothing_else_does_and_survive_a_failing_one(
    database: Database,
) -> None:
    sent: list[int] = []

    def send(_: WriteSession) -> None:
        sent.append(1)
        if len(sent) == 1:
            raise ConnectionError("the database hiccups")

    async def wait() -> None:
        async with heartbeat(database, send, every_seconds=0.05):
            while len(sent) < 3:
                await asyncio.sleep(0.01)

    asyncio.run(wait())
    assert len(sent) >= 3


def test_uploads_that_wait_for_others_are_renewed_all_the_same(database: Database) -> None:
    renewed: list[WriteSession] = []
    goes_on = threading.Event()

    async def wait() -> None:
        waiting = [
            asyncio.ensure_future(in_upload_thread(partial(goes_on.wait, 60))) for _ in range(20)
        ]
        try:
            async with asyncio.timeout(60):
                async with heartbeat(database, collecting(renewed), every_seconds=0.05):
                    while len(renewed) < 2:
                        await asyncio.sleep(0.01)
            assert not any(each.done() for each in waiting)
        finally:
            goes_on.set()
        await asyncio.gather(*waiting)

    asyncio.run(wait())


def test_all_uploads_are_renewed_in_one_transaction_and_none_after_its_end(
    database: Database,
) -> None:
    ada: list[WriteSession] = []
    bob: list[WriteSession] = []

    async def wait() -> None:
        async with heartbeat(database, ada.append, every_seconds=0.05):
            async with heartbeat(database, collecting(bob), every_seconds=0.05):
                while len(bob) < 2:
                    await asyncio.sleep(0.01)
            ended = len(bob)
            seen = len(ada)
            while len(ada) < seen + 3:
                await asyncio.sleep(0.01)
            # One call may have been under way.
            assert len(bob) <= ended + 1

    asyncio.run(wait())
    assert any(one is other for one in ada for other in bob)
