"""A pool of HTTP connections: sends requests, repeats those that are safe to repeat, turns problem
documents into errors. Knows no routes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

from podium import errors
from podium.client.durations import in_words, timed_out
from podium.client.refusals import error_of, not_podium, unreachable
from podium.errors.codes import ErrorCode

ATTEMPTS = 4
"""Attempts of a repeatable call before its failure is raised."""

SILENT_ATTEMPTS = 2
"""Attempts if the server accepts the connection and does not answer in time."""

UPLOAD_SECONDS = 600.0
"""Seconds to wait for the answer to an upload, whose file the server checks meanwhile."""

READ_SECONDS = 30.0
"""Seconds to wait for the answer to one attempt of a call that only reads."""

WRITE_SECONDS = 60.0
"""Seconds to wait for the answer to any other call; these are not repeated."""

SLOW_SECONDS = 8.0
"""Seconds without an answer after which `on_slow` is called."""

LATER = "Try again later, or wait longer."

MAY_BE_THERE = "The file may have arrived all the same: look before you send it again."

LONGEST_PAUSE = 10.0
"""The maximum seconds between two attempts, whatever the server asks for."""

TURNS = 60
"""Attempts of a download while other downloads of the same person block it."""

JOB_SECONDS = 3600.0
"""Seconds to wait for work that takes longer than one request may: repeating the call joins it."""

ANSWER_SECONDS = 150.0
"""Seconds to wait for one answer to a call that needs a job: longer than the server lets a request
wait, unless its operator has raised that a lot."""

PATIENCE_SECONDS = 120.0
"""Seconds for which the server may be unreachable while the client waits for a score or a
rejudging."""


def pause(failures: int, *, asked: float = 0) -> None:
    """Sleeps before the next attempt: longer after each failure, and at least the seconds that the
    server `asked` for, but never longer than `LONGEST_PAUSE`."""
    time.sleep(min(max(0.25 * 2**failures, asked), LONGEST_PAUSE))


class Connection:
    """Requests to one installation on behalf of one token, or anonymous without one."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float | None = None,
        on_slow: Callable[[str], None] | None = None,
        slow_seconds: float = SLOW_SECONDS,
    ) -> None:
        """Opens no connection yet. `timeout` is the seconds that a call may wait for its answers,
        repetitions included; by default 30 for each attempt of one that only reads, and 60 for
        others. `on_slow` gets a sentence when a server has not answered for `slow_seconds`."""
        self.url = url.rstrip("/")
        self._timeout, self._on_slow, self._slow_seconds = timeout, on_slow, slow_seconds
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=WRITE_SECONDS)

    def close(self) -> None:
        """Closes the pooled connections. No request may follow."""
        self._http.close()

    def json(
        self,
        method: str,
        path: str,
        *,
        patience: float = JOB_SECONDS,
        **request: Any,
    ) -> Any:  # noqa: ANN401 - JSON
        """Sends a request and returns the answer's JSON (None without a body).

        Reading calls are repeated after a network failure or a 503; writing calls are not, unless
        they are `PUT` or `DELETE`, which are safe to repeat. If the server is still working, the
        call waits for at most `patience` seconds.
        """
        attempts = 1 if method in ("POST", "PATCH") else ATTEMPTS
        send = self._within_timeout(method, path, request)
        response = self.repeated(send, attempts=attempts, patience=patience)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise not_podium(self.url) from None

    def _within_timeout(
        self, method: str, path: str, request: dict[str, Any]
    ) -> Callable[[], httpx2.Response]:
        """Returns a function that sends the request; all its calls together stay within the time of
        one call."""
        if "timeout" in request:
            return lambda: self._send(method, path, **request)
        usual = READ_SECONDS if method == "GET" else WRITE_SECONDS
        deadline = None if self._timeout is None else time.monotonic() + self._timeout

        def send() -> httpx2.Response:
            left = usual if deadline is None else min(usual, deadline - time.monotonic())
            try:
                with self._reporting_slowness():
                    return self._send(method, path, timeout=max(left, 0.01), **request)
            except errors.Unavailable as failure:
                if self._timeout is None or time.monotonic() < (deadline or 0):
                    raise
                raise timed_out(f"{self.url} has not answered", self._timeout, LATER) from failure

        return send

    @contextmanager
    def _reporting_slowness(self) -> Iterator[None]:
        """Reports once per connection that the server has not answered for a while."""
        if self._on_slow is None:
            yield
            return
        timer = threading.Timer(self._slow_seconds, self._report_slowness)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _report_slowness(self) -> None:
        report, self._on_slow = self._on_slow, None
        if report is not None:
            waited = in_words(self._slow_seconds)
            report(f"{self.url} has not answered for {waited}. Still waiting …")

    def pieces(self, path: str) -> Iterator[bytes]:
        """Yields the body of an answer in pieces, for files that may be large."""
        with self._streamed(path, {}) as response:
            yield from response.iter_bytes()

    def rest(self, path: str, *, start: int, etag: str) -> Iterator[bytes]:
        """Yields the bytes of a stored file from `start` on, in pieces."""
        # Ranges count stored bytes, so the body must not be compressed on the way.
        headers = {"Accept-Encoding": "identity"}
        if start:
            headers |= {"Range": f"bytes={start}-", "If-Range": etag}
        with self._streamed(path, headers) as response:
            # A server that ignores ranges sends everything: skip the known beginning.
            known = 0 if response.status_code == 206 else start
            for piece in response.iter_raw():
                if len(piece) > known:
                    yield piece[known:]
                known = max(0, known - len(piece))

    @contextmanager
    def _streamed(self, path: str, headers: dict[str, str]) -> Iterator[httpx2.Response]:
        try:
            with closing(self._in_turn(path, headers)) as response:
                yield response
        except httpx2.TransportError as failure:
            raise unreachable(self.url, failure) from failure

    def _in_turn(self, path: str, headers: dict[str, str]) -> httpx2.Response:
        """Returns a successful answer whose body has not been read. If other downloads have to end
        first, waits for them."""
        turn = 1
        while True:
            with (
                self._limited(httpx2.Timeout(READ_SECONDS), LATER) as timeout,
                self._reporting_slowness(),
            ):
                request = self._http.build_request("GET", path, headers=headers, timeout=timeout)
                response = self._opened(request)
            if response.is_success:
                return response
            with closing(response):
                response.read()
            failure = error_of(response)
            if (
                failure.code not in (ErrorCode.STILL_RUNNING, ErrorCode.TOO_MANY_DOWNLOADS)
                or turn == TURNS
            ):
                raise failure
            turn += 1
            pause(0, asked=getattr(failure, "retry_after", 0))

    def _opened(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return self._http.send(request, stream=True)
        except httpx2.TransportError as failure:
            raise unreachable(self.url, failure) from failure

    def download(self, path: str, to: Path) -> None:
        """Writes the body of an answer to a file, which appears only once it is complete."""
        partial = to.with_name(to.name + ".part")
        try:
            with partial.open("wb") as sink:
                for piece in self.pieces(path):
                    sink.write(piece)
            partial.replace(to)
        finally:
            partial.unlink(missing_ok=True)

    def upload(
        self, method: str, path: str, content: Iterator[bytes], headers: dict[str, str]
    ) -> httpx2.Response:
        """Streams a body once. The wait for the answer begins when the whole body is sent."""
        usual = httpx2.Timeout(WRITE_SECONDS, read=UPLOAD_SECONDS)
        with ExitStack() as waiting, self._limited(usual, MAY_BE_THERE) as timeout:

            def body() -> Iterator[bytes]:
                yield from content
                waiting.enter_context(self._reporting_slowness())

            return self._send(method, path, content=body(), headers=headers, timeout=timeout)

    @contextmanager
    def _limited(self, usual: httpx2.Timeout, then: str) -> Iterator[httpx2.Timeout]:
        """Yields the timeouts of one attempt, none longer than the connection's own; if that one
        has passed, the error says so, and what to do `then`."""
        most = self._timeout or math.inf
        shortest, read = min(usual.write or most, most), min(usual.read or most, most)
        try:
            yield httpx2.Timeout(shortest, read=read)
        except errors.Unavailable as failure:
            silence = failure.__cause__
            waited = read if isinstance(silence, httpx2.ReadTimeout) else shortest
            if not isinstance(silence, httpx2.TimeoutException) or waited != self._timeout:
                raise
            raise timed_out(f"{self.url} has not answered", self._timeout, then) from failure

    def repeated(
        self,
        send: Callable[[], httpx2.Response],
        *,
        attempts: int = ATTEMPTS,
        patience: float = JOB_SECONDS,
        on_retry: Callable[[errors.Unavailable], None] | None = None,
    ) -> httpx2.Response:
        """Calls `send` until it succeeds, at most `attempts` times, with longer and longer pauses;
        `on_retry` gets the failure before each further attempt. While the server reports that the
        work goes on, for at most `patience` seconds, the call joins it again, which does not count
        as an attempt."""
        deadline = time.monotonic() + patience
        failures = 0
        while True:
            try:
                return send()
            except errors.Unavailable as failure:
                if failure.code != ErrorCode.STILL_RUNNING or time.monotonic() > deadline:
                    failures += 1
                if failures >= _attempts(failure, attempts):
                    raise
                if on_retry is not None and failure.code != ErrorCode.STILL_RUNNING:
                    on_retry(failure)
                asked = failure.retry_after if failure.code != ErrorCode.UNREACHABLE else 0
                pause(failures, asked=asked)

    def _send(self, method: str, path: str, **request: Any) -> httpx2.Response:
        try:
            response = self._http.request(method, path, **request)
        except httpx2.TransportError as failure:
            raise unreachable(self.url, failure) from failure
        if not response.is_success:
            raise error_of(response)
        return response


def _attempts(failure: errors.Unavailable, attempts: int) -> int:
    """Returns the attempts of a call that fails in this way: fewer if the server was silent,
    because each attempt has taken long, and one if the time is over."""
    if failure.code == ErrorCode.WAIT_TIMED_OUT:
        return 1
    is_silent = isinstance(failure.__cause__, httpx2.TimeoutException)
    return min(attempts, SILENT_ATTEMPTS) if is_silent else attempts


def segment(name: str) -> str:
    """Quotes a name as one segment of a path, whatever it contains."""
    # Segments of dots alone would climb up the path, and `quote` leaves dots unchanged.
    return "%2E" * len(name) if name in (".", "..") else quote(name, safe="")
