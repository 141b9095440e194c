"""A cache of responses that are the same for everybody: boards are read far more often than they
change.

Only requests without a token and without a cookie are answered from the cache. The end of a write
of this process clears it, unless the write is a minor one. Changes by minor writes and other
processes show later: an entry of `FRESH_SECONDS` is refreshed in the background while it is still
served, and one of `KEPT_SECONDS` is not served any more. So no visitor waits for a board that is
read all the time. Where many ask for an entry that is too old, one of them computes it, and the
others wait for the result. Routes mark the answers that are the same for everybody with
`same_for_everybody`; for those answers `If-None-Match` is evaluated here and nowhere else. Pure
ASGI: a cached response meets no route.

Expensive requests that every visitor may send run one after the other, and few may wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from podium.core.database.engine import Database
from podium.errors import Unavailable
from podium.errors.codes import ErrorCode
from podium.http.middleware.compression import takes_gzip
from podium.http.streaming.downloads import names_tag
from podium.logs import get_logger

FRESH_SECONDS = 0.25
"""Seconds after which a cached response is refreshed in the background."""

KEPT_SECONDS = 1.0
"""Seconds that the writes of another process, and minor ones, may stay unseen."""

MAX_BYTES = 32 << 20
"""Maximum bytes of all cached responses together; the least recently used are removed first."""

ENTRY_BYTES = 2 << 10
"""The cost of a response besides its body and its address, in bytes."""

PERSONAL = frozenset({b"authorization", b"cookie"})
"""Headers that may make a response personal."""

WITHOUT_BODY = frozenset(
    {b"content-length", b"content-type", b"content-disposition", b"content-encoding"}
)
"""Headers of a 200 that a 304 does not repeat."""

_MARK = "same_for_everybody"

_log = get_logger("http")

Key = tuple[str, bytes, bool]
"""Path, query, and whether the answer may be compressed."""

RawHeaders = list[tuple[bytes, bytes]]


def same_for_everybody(request: Request) -> None:
    """Marks the answer of a route, a 200 with an `ETag`, as cacheable: it depends on the address
    and on rows of the database only, for every client that sends neither a token nor a cookie."""
    setattr(request.state, _MARK, True)


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached response, the number of writes before it was computed, and its time (monotonic)."""

    headers: RawHeaders
    body: bytes
    etag: str
    writes: int
    made_at: float


@dataclass(frozen=True, slots=True)
class _Making:
    """A response that is being computed, and the number of writes before that began."""

    writes: int
    is_over: asyncio.Event


class ResponseCache:
    """Middleware that serves cached responses, and stores those that routes mark as cacheable."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        database: Database,
        most_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self._database = database
        self._most_bytes = most_bytes
        self.clock = clock
        self._bytes = 0
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._making: dict[Key, _Making] = {}
        self._refreshing: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves `GET` from the cache where it can, and passes every other request on."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        # The number is read first, so that no write in between stays unseen.
        writes, key = self._database.writes, _key(scope)
        known = None if _is_personal(scope) else self._get(key)
        if known is None:
            await self._make(scope, receive, send, writes)
            return
        kept: Kept | None = known
        age = self.clock() - known.made_at
        if known.writes != writes or age >= KEPT_SECONDS:
            kept = await self._made_by_another(key, writes)
        elif age >= FRESH_SECONDS and key not in self._making:
            self._refresh_meanwhile(scope, key, known)
        if kept is not None:
            await _answer(kept, scope, send)
            return
        making = self._announce(key, writes)
        try:
            await self._make(scope, receive, send, writes)
        finally:
            self._end(key, making)

    def _refresh_meanwhile(self, scope: Scope, key: Key, known: Kept) -> None:
        """Starts to refresh an entry in the background while the old one is served."""
        making = self._announce(key, known.writes)
        task = asyncio.create_task(self._refresh(scope, key, known))
        # The event loop itself holds only weak references to tasks.
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)
        # Also where the task was cancelled before it began.
        task.add_done_callback(lambda _: self._end(key, making))

    async def _refresh(self, scope: Scope, key: Key, known: Kept) -> None:
        """Refreshes an entry, and removes it where that fails or gives none."""
        asked = {**scope, "state": dict(scope.get("state", {}))}
        try:
            await self._make(asked, _nothing_more, _unsent, known.writes)
        except Exception as error:  # noqa: BLE001 - the next request makes it, and gets the error
            _log.warning("response.not-refreshed", error=type(error).__name__)
        with self._lock:
            if self._kept.get(key) is known:
                self._bytes -= _size(key, self._kept.pop(key))

    def _announce(self, key: Key, writes: int) -> _Making:
        """Registers a response that is being computed, for which others can wait."""
        making = self._making[key] = _Making(writes, asyncio.Event())
        return making

    def _end(self, key: Key, making: _Making) -> None:
        making.is_over.set()
        if self._making.get(key) is making:
            del self._making[key]

    async def _make(self, scope: Scope, receive: Receive, send: Send, writes: int) -> None:
        await self.app(scope, receive, _CacheableAnswer(self, scope, send, writes).send)

    async def _made_by_another(self, key: Key, writes: int) -> Kept | None:
        """Waits for the response that another request is computing, if it will be new enough."""
        making = self._making.get(key)
        if making is None or making.writes != writes:
            return None
        await making.is_over.wait()
        kept = self._get(key)
        return kept if kept is not None and kept.writes == writes else None

    def keep(self, scope: Scope, kept: Kept) -> None:
        """Caches a response in place of an older one of the same address, unless it is personal."""
        if _is_personal(scope):
            return
        key = _key(scope)
        with self._lock:
            old = self._kept.pop(key, None)
            self._bytes += _size(key, kept) - (_size(key, old) if old else 0)
            self._kept[key] = kept
            while self._bytes > self._most_bytes:
                self._bytes -= _size(*self._kept.popitem(last=False))

    def _get(self, key: Key) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)


@dataclass(slots=True)
class _CacheableAnswer:
    """A response on its way to the client: stored where its route allowed it and it is complete,
    and reduced to a 304 where the client has it."""

    answers: ResponseCache
    scope: Scope
    to_client: Send
    writes: int
    start: Message | None = None

    async def send(self, message: Message) -> None:
        """Passes a message on; holds the head back until the first part of the body."""
        if message["type"] == "http.response.start" and self._may_keep(message):
            self.start = message
            return
        if self.start is None:
            await self.to_client(message)
            return
        start, self.start = self.start, None
        if message.get("more_body", False):
            await self.to_client(start)
            await self.to_client(message)
            return
        headers: RawHeaders = list(start["headers"])
        etag = Headers(raw=headers)["etag"]
        kept = Kept(headers, message["body"], etag, self.writes, self.answers.clock())
        self.answers.keep(self.scope, kept)
        await _answer(kept, self.scope, self.to_client)

    def _may_keep(self, start: Message) -> bool:
        allowed = self.scope.get("state", {}).get(_MARK, False)
        return bool(allowed) and start["status"] == 200


async def _nothing_more() -> Message:
    return {"type": "http.disconnect"}


async def _unsent(message: Message) -> None:
    pass


def _key(scope: Scope) -> Key:
    return scope["path"], scope["query_string"], takes_gzip(scope)


def _is_personal(scope: Scope) -> bool:
    return any(name in PERSONAL for name, _ in scope["headers"])


async def _answer(kept: Kept, scope: Scope, send: Send) -> None:
    asked = [value for name, value in scope["headers"] if name == b"if-none-match"]
    headers, body, status = kept.headers, kept.body, 200
    if asked and names_tag(b",".join(asked).decode("latin-1"), kept.etag.removeprefix("W/")):
        headers = [header for header in headers if header[0] not in WITHOUT_BODY]
        body, status = b"", 304
    # A list of its own: headers of this one request are added when it is sent.
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


def _size(key: Key, kept: Kept) -> int:
    return len(kept.body) + len(key[0]) + len(key[1]) + ENTRY_BYTES


BUSY_SECONDS = 2
"""Seconds after which a refused client may try again."""


class OneAtATime:
    """Lets one request of its kind run, and `most_waiting` wait; each of those occupies a
    thread."""

    def __init__(self, *, most_waiting: int) -> None:
        self._alone = threading.Lock()
        self._seats = threading.BoundedSemaphore(most_waiting + 1)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Waits for its turn. Raises `Unavailable` (`busy`) when too many wait."""
        if not self._seats.acquire(blocking=False):
            raise Unavailable(
                "Too many ask for this right now. Try again shortly.",
                code=ErrorCode.BUSY,
                retry_after=BUSY_SECONDS,
            )
        try:
            with self._alone:
                yield
        finally:
            self._seats.release()
