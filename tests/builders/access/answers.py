"""Answers of operations beside what their description says of them: codes, members of
problems, headers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send

from podium.core.problems import FILES
from podium.http.openapi.refusals import ANYWHERE
from podium.http.schemas import OF_FILES
from tests.builders.access.operations import PARAMETER

PROBLEM = "application/problem+json"


EVERYWHERE = re.compile(
    "allow|cache-control|connection|content-(disposition|encoding|length|security-policy|type)"
    "|accept-ranges|cross-origin-(opener|resource)-policy|permissions-policy|referrer-policy|set-cookie|strict-transport-security|vary"
    "|x-(accel-buffering|content-type-options|frame-options|request-id)"
)
"""Headers that say nothing of an operation."""


@dataclass(frozen=True)
class Answered:
    """An answer of an application: its own headers, and the text of a problem."""

    app: FastAPI
    method: str
    path: str
    status: int
    headers: frozenset[str]
    text: str


@contextmanager
def observed(met: list[Answered]) -> Iterator[None]:
    """Adds every answer with a problem or with headers of its own to `met`: to clients, to
    pages that ask from inside, and over real connections."""
    plain = FastAPI.__call__

    async def listening(app: FastAPI, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await plain(app, scope, receive, send)
            return
        method, path, seen = scope["method"], scope["path"], _Answer()

        async def passing_on(message: Message) -> None:
            seen.take(message)
            await send(message)

        await plain(app, scope, receive, passing_on)
        if seen.is_problem or seen.headers:
            found = Answered(app, method, path, seen.status, seen.headers, seen.body.decode())
            met.append(found)

    FastAPI.__call__ = listening  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        FastAPI.__call__ = plain  # type: ignore[method-assign]


class _Answer:
    """The parts of an answer that are kept while it passes by."""

    def __init__(self) -> None:
        self.is_problem, self.status, self.body = False, 0, b""
        self.headers: frozenset[str] = frozenset()

    def take(self, message: Message) -> None:
        """Looks at a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = {name.decode().lower(): value for name, value in message["headers"]}
            self.is_problem = headers.get("content-type") == PROBLEM.encode()
            self.headers = frozenset(n for n in headers if not EVERYWHERE.fullmatch(n))
        elif self.is_problem:
            self.body += message.get("body", b"")


_described: dict[str, Any] = {}


def _description_of(app: FastAPI) -> dict[str, Any]:
    """The description, made once in a process: it is long, and the same of all applications."""
    if not _described:
        _described.update(app.openapi())
    return _described


def untold(met: list[Answered]) -> list[str]:
    """Everything that a reader of the description would not expect: a code that the operation
    does not list at this status, a header of an answer, or a member of a problem."""
    return sorted({line for answered in met for line in _untold(answered)})


def _untold(answered: Answered) -> Iterator[str]:
    description = _description_of(answered.app)
    operation = _operation_at(description, answered.method, answered.path)
    if operation is None:
        return
    where = f"{operation['operationId']} {answered.status}"
    described = operation["responses"].get(str(answered.status))
    if described is not None:
        described = _resolved(described, description)
        told = {name.lower() for name in described.get("headers", ())}
        yield from (f"{where}: header {name}" for name in answered.headers - told)
    if answered.text:
        problem = json.loads(answered.text)
        if not _is_listed(problem["code"], described or {}):
            yield f"{where} {problem['code']}"
        known = description["components"]["schemas"]["Problem"]["properties"].keys()
        yield from (f"{where} {problem['code']}: member {name}" for name in problem.keys() - known)


def _resolved(answer: dict[str, Any], description: dict[str, Any]) -> dict[str, Any]:
    name = answer.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = description["components"]["responses"][name] if name else answer
    return found


def _operation_at(description: dict[str, Any], method: str, path: str) -> dict[str, Any] | None:
    """The operation that serves a request; the path with the fewest parameters wins."""
    asked = ("get" if method == "HEAD" else method).lower()
    shapes = _shapes(tuple(description["paths"]))
    at = [description["paths"][shape] for shape, pattern in shapes if pattern.fullmatch(path)]
    return next((methods[asked] for methods in at if asked in methods), None)


@cache
def _shapes(paths: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    """Paths and their patterns; those with the fewest parameters come first."""
    found = sorted(paths, key=lambda path: len(PARAMETER.findall(path)))
    return [(path, re.compile(PARAMETER.sub("[^/]+", path))) for path in found]


def _is_listed(code: str, answer: dict[str, Any]) -> bool:
    content = answer.get("content", {}).get(PROBLEM, {})
    is_of_file = code in FILES and OF_FILES in content.get("examples", ())
    return code in ANYWHERE or is_of_file or f"`{code}`" in answer.get("description", "")
