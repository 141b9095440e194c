"""The pace of a body, with a receiver that decides when bytes come."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import Request

from podium.errors import TooSlow
from podium.http.streaming.uploads import Received, heartbeat, receive_body
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
    """Receives pieces, each after so many seconds; the last one ends the body."""
    waiting = list(pieces)

    async def next_message() -> dict[str, Any]:
        seconds, body = waiting.pop(0)
        await asyncio.sleep(seconds)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    request = Request({"type": "http", "method": "POST", "headers": []}, next_message)
    wanted: dict[str, Any] = {"max_bytes": 1 << 30, "deadline_seconds": 60, "min_rate": 1000}
    return asyncio.run(receive_body(request, kept, **(wanted | limits)))


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


def test_heartbeats_come_while_nothing_else_does_and_survive_a_failing_one() -> None:
    sent: list[int] = []

    def send() -> None:
        sent.append(1)
        if len(sent) == 1:
            raise ConnectionError("the database hiccups")

    async def wait() -> None:
        async with heartbeat(send, every_seconds=0.05):
            while len(sent) < 3:
                await asyncio.sleep(0.01)

    asyncio.run(wait())
    assert len(sent) >= 3
