"""One HTTP connection pool: sends requests, repeats what may be repeated, turns problem documents
into errors. Knows no route."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

from podium import errors
from podium.client.durations import in_words, timed_out
from podium.client.proxies import proxy_for
from podium.errors.codes import ErrorCode, ForeignCode

ATTEMPTS = 4
"""Attempts that a repeatable call gets before its failure is reported."""

SILENT_ATTEMPTS = 2
"""Attempts where the server takes the connection and does not answer in time."""

READ_SECONDS = 30.0
"""Seconds to wait for the answer to one attempt of a call that only reads."""

WRITE_SECONDS = 60.0
"""The same for other calls: they are not repeated."""

SLOW_SECONDS = 8.0
"""Seconds without an answer after which `on_slow` is told."""

LONGEST_PAUSE = 10.0
"""Seconds between two attempts at most, whatever the server asks for."""

TURNS = 60
"""Attempts that a download gets while other downloads of the same person block it."""

JOB_SECONDS = 3600.0
"""Seconds to wait for work that takes longer than one request may: the same call joins it."""

ANSWER_SECONDS = 150.0
"""Seconds to wait for one answer to a call that needs a job: more than the server lets a request
wait, unless its operator has set that much higher."""

PATIENCE_SECONDS = 120.0
"""Seconds that a server may be unreachable while the client waits for a score or a rejudging."""

UNTRUSTED = (
    "its certificate is not one that this computer trusts (SSL_CERT_FILE may name a file of more"
    " authorities)"
)

CAUSES = (
    ("Connection refused", "no program listens there"),
    ("Name or service not known", "this name is not known"),
    ("nodename nor servname", "this name is not known"),
    ("No address associated", "this name is not known"),
    ("Temporary failure in name", "names cannot be looked up right now"),
    ("Network is unreachable", "there is no network"),
    ("WRONG_VERSION_NUMBER", "it does not speak HTTPS. The address may begin with http://"),
    ("CERTIFICATE_VERIFY_FAILED", UNTRUSTED),
    ("Server disconnected", "the connection broke"),
    ("Connection reset", "the connection broke"),
    ("Broken pipe", "the connection broke"),
)
"""Parts of what the system says of a failure, and plain words for it."""

KINDS: dict[int, type[errors.PodiumError]] = {
    status: kind
    for kind in (
        errors.BadRequest,
        errors.NotAuthenticated,
        errors.NotAllowed,
        errors.NotFound,
        errors.Gone,
        errors.WrongState,
        errors.PreconditionFailed,
        errors.TooLarge,
        errors.UnsupportedContainer,
        errors.InvalidInput,
    )
    for status in kind.CODE.statuses
}
"""The error for each status; 429 and everything from 500 on carry a time to wait as well."""


def pause(failures: int, *, asked: float = 0) -> None:
    """Waits before the next attempt: longer after each failure, and as long as the server `asked`
    for, in seconds; never longer than `LONGEST_PAUSE`."""
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
    ) -> None:
        """`timeout` is how many seconds a call may wait for its answers, repetitions included; by
        default 30 for each attempt of one that only reads, and 60 for others. `on_slow` gets a
        sentence where a server lets wait."""
        self.url = url.rstrip("/")
        self._timeout, self._on_slow = timeout, on_slow
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=WRITE_SECONDS)

    def close(self) -> None:
        """Closes the open connections."""
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
        they are `PUT` or `DELETE`, which do the same thing twice. Work that goes on is waited for,
        `patience` seconds at most.
        """
        attempts = 1 if method in ("POST", "PATCH") else ATTEMPTS
        send = self._within_timeout(method, path, request)
        response = self.repeated(send, attempts=attempts, patience=patience)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise _not_podium(self.url) from None

    def _within_timeout(
        self, method: str, path: str, request: dict[str, Any]
    ) -> Callable[[], httpx2.Response]:
        """The sending of a request, as often as it is called, within the time that one call has."""
        if "timeout" in request:
            return lambda: self._send(method, path, **request)
        usual = READ_SECONDS if method == "GET" else WRITE_SECONDS
        deadline = None if self._timeout is None else time.monotonic() + self._timeout

        def send() -> httpx2.Response:
            left = usual if deadline is None else min(usual, deadline - time.monotonic())
            try:
                with self._told_if_slow():
                    return self._send(method, path, timeout=max(left, 0.01), **request)
            except errors.Unavailable as failure:
                if self._timeout is None or time.monotonic() < (deadline or 0):
                    raise
                then = "Try again later, or wait longer."
                raise timed_out(f"{self.url} has not answered", self._timeout, then) from failure

        return send

    @contextmanager
    def _told_if_slow(self) -> Iterator[None]:
        """Says once of this connection that the server has not answered for a while."""
        if self._on_slow is None:
            yield
            return
        timer = threading.Timer(SLOW_SECONDS, self._tell_slowness)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _tell_slowness(self) -> None:
        tell, self._on_slow = self._on_slow, None
        if tell is not None:
            tell(f"{self.url} has not answered for {in_words(SLOW_SECONDS)}. Still waiting …")

    def pieces(self, path: str) -> Iterator[bytes]:
        """The body of an answer in pieces, for files that may be large."""
        with self._streamed(path, {}) as response:
            yield from response.iter_bytes()

    def rest(self, path: str, *, start: int, etag: str) -> Iterator[bytes]:
        """The bytes of a stored file from `start` on, in pieces."""
        # Ranges count bytes as they are stored, so nothing on the way may compress them.
        headers = {"Accept-Encoding": "identity"}
        if start:
            headers |= {"Range": f"bytes={start}-", "If-Range": etag}
        with self._streamed(path, headers) as response:
            # A server that ignores ranges sends everything: the known beginning is skipped.
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
        """A good answer whose body is still to come. Where other downloads have to end first, it
        is waited for."""
        turn = 1
        while True:
            request = self._http.build_request(
                "GET",
                path,
                headers=headers,
                timeout=min(READ_SECONDS, self._timeout or READ_SECONDS),
            )
            with self._told_if_slow():
                response = self._http.send(request, stream=True)
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
        """Streams a body once. Reading the answer may take long: the server checks the file."""
        timeout = httpx2.Timeout(60.0, read=600.0)
        return self._send(method, path, content=content, headers=headers, timeout=timeout)

    def repeated(
        self,
        send: Callable[[], httpx2.Response],
        *,
        attempts: int = ATTEMPTS,
        patience: float = JOB_SECONDS,
        on_retry: Callable[[errors.Unavailable], None] | None = None,
    ) -> httpx2.Response:
        """Calls `send` until it answers, at most `attempts` times, waiting longer each time;
        `on_retry` gets the failure before each further one. While the server says that the work
        goes on, for `patience` seconds, the call joins it again and counts as one."""
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
    """The attempts that a call gets after such a failure: a silent server has taken long for each,
    and a time that is over is over."""
    if failure.code == ErrorCode.WAIT_TIMED_OUT:
        return 1
    is_silent = isinstance(failure.__cause__, httpx2.TimeoutException)
    return min(attempts, SILENT_ATTEMPTS) if is_silent else attempts


def segment(name: str) -> str:
    """A name as one part of a path, whatever stands in it."""
    # Dots alone would climb up the path, and quoting leaves them as they are.
    return "%2E" * len(name) if name in (".", "..") else quote(name, safe="")


def unreachable(url: str, failure: Exception) -> errors.Unavailable:
    """The error for a server that did not answer at all, by way of a proxy or without."""
    proxy = proxy_for(url)
    way = f" by way of the proxy {proxy}" if proxy else ""
    return errors.Unavailable(
        f"{url} does not answer{way}: {_cause(failure)}.",
        code=ErrorCode.UNREACHABLE,
        retry_after=1,
        **({"proxy": proxy} if proxy else {}),
    )


def _cause(failure: Exception) -> str:
    """The reason of a broken connection in plain words, where it is one of the common ones."""
    told = str(failure)
    if isinstance(failure, httpx2.TimeoutException):
        return "no answer came in time"
    return next((words for part, words in CAUSES if part in told), told or "the connection broke")


def _not_podium(url: str) -> errors.NotConfigured:
    return errors.NotConfigured(
        f"{url} is not the address of a Podium server. Give the one that its pages begin with."
    )


def error_of(response: httpx2.Response) -> errors.PodiumError:
    """The error that a problem document (or any other refusal) stands for."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    status = response.status_code
    if not isinstance(problem, dict) or "code" not in problem:
        return _foreign_refusal(response)
    code, detail = (
        ForeignCode(problem["code"]),
        problem.get("detail") or f"It is {problem['code']}.",
    )
    facts = {
        "request_id": problem.get("request_id"),
        "problem": problem,
        "path": response.request.url.path,
    }
    if status == 429:
        waiting = _retry_after(response)
        return errors.QuotaExhausted(detail, code=code, retry_after=waiting, **facts)
    kind = KINDS.get(status, errors.Unavailable)
    if issubclass(kind, errors.InvalidInput):
        return kind(
            detail,
            code=code,
            problems=problem.get("errors", ()),
            problem_count=problem.get("error_count"),
            **facts,
        )
    if kind is errors.Unavailable:
        return errors.Unavailable(detail, code=code, retry_after=_retry_after(response), **facts)
    return kind(detail, code=code, **facts)


def _foreign_refusal(response: httpx2.Response) -> errors.PodiumError:
    """The error for an answer that no Podium server gives, but a proxy before it, or another
    program."""
    url = str(response.request.url.copy_with(raw_path=b"/")).rstrip("/")
    status = response.status_code
    if response.has_redirect_location:
        target = response.request.url.join(response.headers["location"])
        there = str(target.copy_with(raw_path=b"/")).rstrip("/")
        return errors.NotConfigured(f"{url} sends us on to {there}. Use that address.")
    if status == 413:
        return errors.TooLarge(
            f"{url} takes no file of this size: a proxy before the server sets the limit."
            " Compress the file, or tell the organizers."
        )
    if status == 429 or status >= 500:
        return errors.Unavailable(
            f"{url} cannot answer right now. Try again in a minute.",
            retry_after=_retry_after(response),
            code=ForeignCode(f"http-{status}"),
            status=status,
        )
    return _not_podium(url)


def _retry_after(response: httpx2.Response) -> int:
    waiting = response.headers.get("retry-after", "")
    return int(waiting) if waiting.isdigit() else 30
