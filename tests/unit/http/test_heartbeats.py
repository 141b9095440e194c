"""Heartbeats of uploads that are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from podium.core.database.engine import Database, WriteSession
from podium.http.streaming.heartbeats import Renewal, heartbeat


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
