"""A piece of a body is written while the next one comes; nothing is torn down under a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import Request

from podium.errors import BadRequest, Unavailable
from podium.http.streaming.pace import PIECE_BYTES
from podium.http.streaming.uploads import ContentDigest, Received, receive_body
from podium.storage import Stored

PIECE = b"x" * PIECE_BYTES


class Paused:
    """A writer that waits within each piece until it may go on, and takes down what happened."""

    def __init__(self) -> None:
        self.size = 0
        self.events: list[str] = []
        self.began, self.goes_on = threading.Event(), threading.Event()
        self.fails = False

    def write(self, chunk: bytes) -> None:
        self.events.append("begun")
        self.began.set()
        assert self.goes_on.wait(60)
        self.events.append("written")
        if self.fails:
            raise Unavailable("the disk is full")
        self.size += len(chunk)

    def finish(self) -> Stored:
        return Stored("", self.size)

    def abort(self) -> None:
        self.events.append("aborted")


async def began(paused: Paused) -> None:
    assert await asyncio.to_thread(paused.began.wait, 60)


async def received(paused: Paused, messages: list[Callable[[], Awaitable[Any]]]) -> Received:
    waiting = iter(messages)
    coming: list[asyncio.Task[Any]] = []

    async def next_message() -> Any:
        # Who gives up and asks again gets the same message, as from the server.
        if not coming:
            coming.append(asyncio.ensure_future(next(waiting)()))
        message = await asyncio.shield(coming[0])
        coming.clear()
        return message

    request = Request({"type": "http", "method": "POST", "headers": []}, next_message)
    return await receive_body(
        request,
        paused,
        max_bytes=1 << 30,
        deadline_seconds=60,
        min_rate=1,
        digest=ContentDigest(),
    )


def message(body: bytes, *, more: bool = True) -> Callable[[], Awaitable[Any]]:
    async def come() -> Any:
        return {"type": "http.request", "body": body, "more_body": more}

    return come


def test_the_next_piece_comes_while_one_is_written() -> None:
    paused = Paused()

    async def last() -> Any:
        await began(paused)
        assert paused.events == ["begun"]
        paused.goes_on.set()
        return await message(b"y", more=False)()

    found = asyncio.run(received(paused, [message(PIECE), last]))
    assert found.size == paused.size == PIECE_BYTES + 1
    assert paused.events == ["begun", "written"] * 2


def test_a_body_that_is_cut_is_given_up_only_when_no_thread_writes_any_more() -> None:
    paused = Paused()

    async def cut() -> Any:
        await began(paused)
        asyncio.get_running_loop().call_later(0.1, paused.goes_on.set)
        return {"type": "http.disconnect"}

    with pytest.raises(BadRequest):
        asyncio.run(received(paused, [message(PIECE), cut]))
    assert paused.events == ["begun", "written", "aborted"]


def test_a_request_that_is_cancelled_waits_for_its_thread_before_it_gives_up() -> None:
    paused = Paused()

    async def never() -> Any:
        await asyncio.sleep(60)

    async def story() -> None:
        upload = asyncio.ensure_future(received(paused, [message(PIECE), message(PIECE), never]))
        await began(paused)
        upload.cancel()
        await asyncio.sleep(0.1)
        assert not upload.done()
        paused.goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await upload

    asyncio.run(story())
    assert paused.events == ["begun", "written", "aborted"]


@pytest.mark.parametrize("is_last", [False, True])
def test_what_writing_a_piece_raises_arrives(is_last: bool) -> None:
    paused = Paused()
    paused.fails = True
    paused.goes_on.set()
    messages = [message(PIECE, more=not is_last), message(PIECE, more=False)]
    with pytest.raises(Unavailable, match="the disk is full"):
        asyncio.run(received(paused, messages))
    assert paused.events == ["begun", "written", "aborted"]
