"""The pace of a body, with a receiver that decides when bytes come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from fastapi import Request

from podium.errors import TooSlow
from podium.http.streaming.pace import BODIES_AT_A_TIME, PIECE_BYTES, Pace
from podium.http.streaming.uploads import ContentDigest, Received, receive_body
from podium.storage import Stored


class Kept:
    """A writer that keeps its pieces in memory."""

    def __init__(self) -> None:
        self.size = 0
        self.pieces: list[bytes] = []
        self.is_aborted = False

    def write(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self.pieces.append(chunk)

    def finish(self) -> Stored:
        return Stored("", self.size)

    def abort(self) -> None:
        self.is_aborted = True


def receive(kept: Kept, pieces: list[tuple[float, bytes]], **limits: Any) -> Received:
    """Receives pieces, each after so many seconds; the last one ends the body. What is given up to
    be asked again later comes at its time all the same, as from the server."""
    waiting = list(pieces)
    due: list[float] = []

    async def next_message() -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        if not due:
            due.append(loop.time() + waiting[0][0])
        await asyncio.sleep(due[0] - loop.time())
        due.clear()
        _, body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    request = Request({"type": "http", "method": "POST", "headers": []}, next_message)
    wanted: dict[str, Any] = {"max_bytes": 1 << 30, "deadline_seconds": 60, "min_rate": 1000}
    return asyncio.run(receive_body(request, kept, digest=ContentDigest(), **(wanted | limits)))


def test_small_pieces_are_written_together() -> None:
    kept = Kept()
    received = receive(kept, [(0, b"x" * 65536)] * 40)
    assert received.size == kept.size == 40 * 65536
    assert [len(piece) for piece in kept.pieces] == [1 << 20, 1 << 20, 8 * 65536]
    assert not kept.is_aborted


def test_a_body_below_the_least_rate_is_cut_after_the_grace() -> None:
    kept = Kept()
    with pytest.raises(TooSlow) as refusal:
        receive(kept, [(0.1, b"x" * 10)] * 50, grace_seconds=0.5)
    assert refusal.value.code == "upload-too-slow"
    assert kept.is_aborted


def test_a_body_above_the_least_rate_may_take_longer_than_the_grace() -> None:
    kept = Kept()
    assert receive(kept, [(0.1, b"x" * 100_000)] * 8, grace_seconds=0.3).size == 800_000


def test_a_fast_start_does_not_pay_for_silence_beyond_its_rate() -> None:
    kept = Kept()
    with pytest.raises(TooSlow):
        receive(kept, [(0, b"x" * 600), (30, b"y")], grace_seconds=0.1)


class Client:
    """A client whose bytes come when the test says."""

    def __init__(self) -> None:
        self.bytes: asyncio.Queue[bytes] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": await self.bytes.get(), "more_body": True}

    def sends(self, body: bytes) -> None:
        self.bytes.put_nowait(body)


@asynccontextmanager
async def under_way(*pieces: bytes, **limits: float) -> AsyncIterator[tuple[Client, Pace]]:
    """A body of which some pieces were read; with the last one its turn is still its own."""
    client = Client()
    given: dict[str, Any] = {"deadline_seconds": 60.0, "min_rate": 0} | limits
    with Pace(**given) as pace:
        for piece in pieces:
            client.sends(piece)
            await pace.next_piece(client.receive, taken=0)
        yield client, pace


async def reads(client: Client, pace: Pace) -> bytes:
    piece = await pace.next_piece(client.receive, taken=0)
    assert piece is not None
    return piece[0]


@asynccontextmanager
async def all_turns_taken(last: bytes) -> AsyncIterator[None]:
    """As many bodies as may be read at a time, each after this piece."""
    async with AsyncExitStack() as bodies:
        for _ in range(BODIES_AT_A_TIME):
            await bodies.enter_async_context(under_way(last))
        yield


def test_only_so_many_bodies_are_read_at_a_time_and_the_wait_for_others_is_not_the_clients() -> (
    None
):
    async def scenario() -> None:
        async with under_way(deadline_seconds=0.2) as (client, pace):
            async with all_turns_taken(b"x"):
                client.sends(b"abc")
                reading = asyncio.create_task(reads(client, pace))
                # Longer than the client itself would be waited for.
                await asyncio.sleep(0.4)
                assert not reading.done()
            assert await reading == b"abc"

    asyncio.run(scenario())


def test_a_turn_ends_with_a_mebibyte() -> None:
    async def scenario() -> None:
        async with all_turns_taken(bytes(PIECE_BYTES)), under_way() as (client, pace):
            client.sends(b"abc")
            assert await reads(client, pace) == b"abc"

    asyncio.run(scenario())


def test_clients_that_send_nothing_or_byte_by_byte_keep_no_other_from_a_turn() -> None:
    async def drips(client: Client) -> None:
        while True:
            client.sends(b"x")
            await asyncio.sleep(0.001)

    async def scenario() -> None:
        async with AsyncExitStack() as bodies:
            slow = []
            for number in range(3 * BODIES_AT_A_TIME):
                client, pace = await bodies.enter_async_context(under_way())
                slow.append(asyncio.create_task(until_cancelled(client, pace)))
                if number % 2:
                    slow.append(asyncio.create_task(drips(client)))
            client, pace = await bodies.enter_async_context(under_way())
            for _ in range(20):
                client.sends(bytes(PIECE_BYTES))
                assert len(await asyncio.wait_for(reads(client, pace), 20)) == PIECE_BYTES
            for task in slow:
                task.cancel()
            await asyncio.wait(slow)

    asyncio.run(scenario())


async def until_cancelled(client: Client, pace: Pace) -> None:
    while True:
        await reads(client, pace)


def test_without_a_least_rate_a_slow_body_is_only_bound_by_its_deadline() -> None:
    kept = Kept()
    assert receive(kept, [(0.05, b"x")] * 4, min_rate=0, grace_seconds=0.1).size == 4


def test_a_body_waits_for_as_long_as_the_loop_is_late() -> None:
    looked_at: list[float] = []

    async def next_message() -> dict[str, Any]:
        looked_at.append(time.monotonic())
        return {"type": "http.request", "body": b"x", "more_body": False}

    async def meanwhile() -> float:
        with Pace(deadline_seconds=60, min_rate=0) as pace:
            reading = asyncio.ensure_future(pace.next_piece(next_message, taken=0))
            # One step of the loop, in which the body asks for its turn.
            await asyncio.sleep(0)
            time.sleep(0.1)
            free_at = time.monotonic()
            assert await reading == (b"x", False)
        return free_at

    free_at = asyncio.run(meanwhile())
    assert looked_at[0] - free_at > 0.09


def test_a_body_gets_its_turn_on_a_loop_that_is_always_late() -> None:
    async def next_message() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x", "more_body": False}

    async def meanwhile() -> int:
        turns = 0
        with Pace(deadline_seconds=60, min_rate=0) as pace:
            reading = asyncio.ensure_future(pace.next_piece(next_message, taken=0))
            while not reading.done():
                turns += 1
                time.sleep(0.05)
                await asyncio.sleep(0)
            assert await reading == (b"x", False)
        return turns

    assert asyncio.run(meanwhile()) > 1
