"""Parses a connection's bytes into requests: one head, its body, its answer, then the next.

The HTTP server's protocol passes all bytes to its parser at once, and answers in turn all requests
found in them. Here a head is checked first (`heads`), its size is limited, and the bytes after a
complete request stay unparsed until that is answered: a client can neither have thousands of
requests wait in memory, nor have one be read out of another's rest.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import httptools
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from podium.errors.codes import ErrorCode, OurCode
from podium.http.errors import problem_document
from podium.http.middleware import heads
from podium.logs import get_logger

HEAD_BYTES = 64 << 10
"""Longest request head that is waited for, and the most between two pieces of a body in chunks."""

PAST_COUNTING = "Content-Length overflow"
"""The parser's reason for a length of more than 64 bits."""

_log = get_logger("http")


class StrictRequests(HttpToolsProtocol):
    """Reads requests by the grammar, one after the other, and refuses with a problem document."""

    _unread = b""
    """Bytes of an incomplete head, or those after a request that is not answered yet."""
    _searched = 0
    _line: heads.RequestLine | None = None
    """The request line of the head that the parser is shown right now."""
    _is_in_body = False
    _left: int | None = None
    """Bytes until the end of the body; None where it is chunked."""
    _between = 0
    """Bytes of a body in chunks since the last one that belongs to its content."""

    def data_received(self, data: bytes) -> None:
        """Buffers and parses bytes from the connection."""
        self._unset_keepalive_if_required()
        self._unread = self._unread + data if self._unread else data
        self._read_on()

    def on_response_complete(self) -> None:
        """Parses the next request after an answer."""
        super().on_response_complete()
        if self._unread and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self._read_on()

    @property
    def awaits_head(self) -> bool:
        """True while there is at most a part of a head."""
        return not self._is_in_body and not self._is_answering()

    @property
    def has_begun(self) -> bool:
        """True where bytes wait that are an incomplete head, or follow an answered request."""
        return bool(self._unread)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _read_on(self) -> None:
        try:
            while self._unread and not self.transport.is_closing():
                if self._is_in_body:
                    self._read_body()
                elif self._is_answering():
                    self.flow.pause_reading()
                    return
                elif not self._read_head():
                    return
        except (heads.BadHead, httptools.HttpParserError) as error:
            reason = str(error.__context__ or error)
            _log.warning("request.refused", code=ErrorCode.BAD_REQUEST, detail=reason)
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._unread = b""
        if self._is_answering() and not self._is_in_body:
            # Only the parser finds the end of chunks, and it has found a bit of what follows
            # them.
            self.flow.pause_reading()
            self.cycle.keep_alive = False
        elif isinstance(error, heads.WrongHost):
            self._refuse(
                421, ErrorCode.WRONG_HOST, "The address names another host than Host does."
            )
        elif str(error) == PAST_COUNTING:
            self._refuse(413, ErrorCode.TOO_LARGE, "No body of this length is taken.")
        else:
            self._refuse(400, ErrorCode.BAD_REQUEST, "Invalid HTTP request received.")

    def _read_head(self) -> bool:
        """Passes a complete head to the parser; returns false where there is none yet."""
        end = self._unread.find(heads.END, self._searched)
        if (len(self._unread) if end < 0 else end) > HEAD_BYTES:
            self._refuse(431, ErrorCode.HEAD_TOO_LONG, "The head of the request is too long.")
            return False
        if end < 0:
            if not heads.may_go_on(self._unread, self._searched):
                raise heads.BadHead("no request in the making")
            self._searched = max(0, len(self._unread) - len(heads.END) + 1)
            return False
        end += len(heads.END)
        head, self._unread, self._searched = self._unread[:end], self._unread[end:], 0
        self._line, plain = heads.read_head(head)
        self.parser.feed_data(plain)
        return True

    def _read_body(self) -> None:
        if self._left is not None:
            if not self._left:
                raise heads.BadHead("the parser waits for more than was announced")
            piece, self._unread = self._unread[: self._left], self._unread[self._left :]
            self._left -= len(piece)
            self.parser.feed_data(piece)
            return
        # Little by little, since the parser does not report how much follows the content.
        piece, self._unread = self._unread[:HEAD_BYTES], self._unread[HEAD_BYTES:]
        self._between += len(piece)
        self.parser.feed_data(piece)
        if self._between > HEAD_BYTES:
            raise heads.BadHead("much that is not part of the body")

    def on_message_begin(self) -> None:
        """Begins a request: only where the parser gets a checked head."""
        if self._line is None:
            raise heads.BadHead("bytes behind the last chunk")
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Adds a field of the head. Trailers are dropped: the application has decided by the
        head."""
        if self._line is not None:
            super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        """Starts the application with the original request line."""
        assert self._line is not None
        line, self._line = self._line, None
        version = self.parser.get_http_version()
        self._left = heads.framed_length(self.headers, version=version)
        self._is_in_body, self._between = True, 0
        self.expect_100_continue &= version != "1.0"
        super().on_headers_complete()
        path = line.raw_path.decode("ascii")
        self.scope["method"] = line.method
        self.scope["raw_path"] = line.raw_path
        self.scope["path"] = unquote(path) if "%" in path else path
        self.scope["query_string"] = line.query

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:  # noqa: ANN401 - the types of ASGI there are not those of the framework
        if cycle.scope["http_version"] == "1.0":
            app = _ended_by_the_connection(cycle, app)
        super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        """Passes a piece of the body on."""
        self._between = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Ends the body."""
        self._is_in_body = False
        super().on_message_complete()

    def _refuse(self, status: int, code: OurCode, detail: str) -> None:
        """Ends the connection with a problem document, unless an answer is under way already."""
        if not self._is_answering() or not self.cycle.response_started:
            phrase = HTTPStatus(status).phrase
            document = problem_document(status=status, code=code, detail=detail, request_id=None)
            body = json.dumps(document).encode()
            head = (
                f"HTTP/1.1 {status} {phrase}\r\nContent-Type: application/problem+json\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write(head.encode("ascii") + body)
        self._unread = b""
        if self._is_answering():
            # Nothing of its own answer may follow this one.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


def _ended_by_the_connection(cycle: RequestResponseCycle, app: ASGIApp) -> ASGIApp:
    """Wraps the application for a client without chunked encoding: an answer of unknown length ends
    with the connection."""

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        is_open_ended = False

        async def send_plain(message: Message) -> None:
            nonlocal is_open_ended
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message["headers"]}
                if b"content-length" not in names:
                    is_open_ended, cycle.chunked_encoding = True, False
            elif is_open_ended and scope["method"] != "HEAD":
                await cycle.flow.drain()
                if not cycle.disconnected:
                    cycle.transport.write(message.get("body", b""))
                message = {**message, "body": b""}
            await send(message)

        await app(scope, receive, send_plain)

    return answering
