"""Pages as clients of our own API: an operation runs in this process, as the user who reads the
page. So a page can do what the API can do for that user, and nothing else; permissions, checks,
rounding and the audit log are the API's."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar
from urllib.parse import quote, unquote, urlencode

from fastapi import Request
from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from podium.http.middleware.allowances import ALLOWANCE
from podium.http.middleware.inner_calls import ROUTES

PASSED_ON = frozenset({b"host", b"cookie", b"authorization", b"origin", b"user-agent"})
"""Headers of the page's request that the API gets too: they identify the caller and the origin."""

BODY_HEADERS = frozenset({b"content-type", b"content-length", b"content-digest"})
"""Passed on together with an unread body."""


SAME_SCOPE = (
    *("type", "asgi", "http_version", "scheme", "client", "server", "root_path", "app"),
    ROUTES,
)
"""Members of the page's scope that the API sees too."""


Document = TypeVar("Document", bound=BaseModel)

Json: TypeAlias = Mapping[str, object]
"""A JSON object as it is sent."""


class ProblemPlace(BaseModel):
    """One of the things that are wrong; `column` names the member of the request."""

    code: str
    detail: str
    column: str | None = None
    line: int | None = None
    hint: str | None = None

    @property
    def member(self) -> str:
        """The member of the body that is wrong; empty where the problem has none."""
        return (self.column or "").removeprefix("body.")


class ProblemDocument(BaseModel):
    """A problem document, with the members that pages use."""

    title: str
    status: int
    code: str
    detail: str
    errors: list[ProblemPlace] = []


class ApiProblem(Exception):
    """Raised for a refusal by the API that the page does not handle itself."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.problem.code)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of the API."""

    status: int
    headers: Headers
    body: bytes

    @property
    def is_good(self) -> bool:
        """True if the operation succeeded."""
        return self.status < 400

    @property
    def problem(self) -> ProblemDocument:
        """The problem document of a refusal."""
        return ProblemDocument.model_validate_json(self.body)

    def read(self, as_: type[Document]) -> Document:
        """Parses the document of a successful answer. Raises `ApiProblem`, which becomes an error
        page."""
        self.or_refuse()
        return as_.model_validate_json(self.body)

    def or_refuse(self) -> None:
        """Raises `ApiProblem` for a refusal, which becomes an error page."""
        if not self.is_good:
            raise ApiProblem(self)


async def ask(
    request: Request,
    method: str,
    path: str,
    *,
    params: Mapping[str, object] | None = None,
    json: Json | None = None,
    headers: Mapping[str, str] | None = None,
    receive: Receive | None = None,
) -> Answer:
    """Runs an operation of the API and returns its whole answer, whatever the status.

    `path` begins with `/api/v1`; fill people's texts in with `at`. Members of `params` that are
    None are left out. `receive` passes the page's own body on, unread.
    """
    body = b"" if json is None else json_text.dumps(json).encode()
    given = dict(headers or {})
    if json is not None:
        given["content-type"] = "application/json"
    if receive is None:
        given["content-length"] = str(len(body))
    scope = _scope(request, method, path, params, given, passes_body=receive is not None)
    incoming = _Incoming(body)
    answered = _CollectedAnswer()
    await request.scope[ROUTES](scope, receive or incoming.receive, answered.send)
    return Answer(answered.status, Headers(raw=answered.headers), bytes(answered.body))


async def document_of(
    request: Request, path: str, as_: type[Document], **params: object
) -> Document:
    """Reads and parses a document with `GET`. Raises `ApiProblem` for a refusal, which becomes an
    error page."""
    return (await ask(request, "GET", path, params=params)).read(as_)


def at(template: str, *parts: str) -> str:
    """Builds an address below `/api/v1`, with people's texts quoted in its places `{}`."""
    return "/api/v1" + template.format(*(quote(part, safe="") for part in parts))


def _scope(
    request: Request,
    method: str,
    path: str,
    params: Mapping[str, object] | None,
    headers: Mapping[str, str],
    *,
    passes_body: bool,
) -> Scope:
    kept = PASSED_ON | BODY_HEADERS if passes_body else PASSED_ON
    # The handler that reads the page's body enforces its allowance.
    same = (*SAME_SCOPE, ALLOWANCE) if passes_body else SAME_SCOPE
    own = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    kept -= {name for name, _ in own}
    passed = [pair for pair in request.scope["headers"] if pair[0] in kept]
    query = urlencode([(k, v) for k, v in (params or {}).items() if v is not None], doseq=True)
    raw_path = path.encode("ascii")
    return {
        **{name: request.scope[name] for name in same if name in request.scope},
        "method": method,
        "path": unquote(path),
        "raw_path": raw_path,
        "query_string": query.encode("ascii"),
        "headers": [*passed, *own],
        "state": {"request_id": getattr(request.state, "request_id", None)},
    }


class _Incoming:
    """A body that is whole already."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body

    async def receive(self) -> Message:
        body, self._body = self._body, None
        if body is None:
            # An inner call never disconnects; a task that listens for that is cancelled when the
            # answer is whole.
            await asyncio.Event().wait()
        return {"type": "http.request", "body": body or b"", "more_body": False}


class _CollectedAnswer:
    """Collects the head and body of an answer."""

    def __init__(self) -> None:
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.body += message.get("body", b"")
