"""Errors as answers: every one becomes RFC 9457 `application/problem+json`, and on pages a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.routing import Match

from podium import errors
from podium.core.database.outages import is_full, line_of
from podium.core.problems import title_of
from podium.errors.codes import ErrorCode, ForeignCode, OurCode
from podium.errors.reasons import hint_of, reason_of_body
from podium.http.html.error_pages import error_page, is_for_people
from podium.logs import get_logger
from podium.sandbox.answers import error_for

HTTP_CODES = {
    400: ErrorCode.BAD_REQUEST,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    408: ErrorCode.TOO_SLOW,
    413: ErrorCode.TOO_LARGE,
    416: ErrorCode.RANGE_NOT_SATISFIABLE,
    503: ErrorCode.UNAVAILABLE,
}
"""Codes for refusals of the framework itself, before any of our code runs."""

PLAIN = {
    404: "There is nothing at this address. See /docs for all that there are.",
    405: "This address does not take this method; Allow names those that it takes.",
}
"""Sentences for refusals of the framework that only repeat their title."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

STORED_MEMBERS = ("code", "detail", "errors", "error_count")
"""Members of a stored rejection that every problem document has."""

SHOWN = 10
"""Problems of one request that are listed; further ones are only counted."""

MAX_PLACE, MAX_REASON = 64, 200
"""Maximum characters of a problem's place and reason; together less than the 280 of a detail."""

DATABASE_RETRY_SECONDS, FULL_RETRY_SECONDS = 5, 300

ADMINISTRATION = "/api/v1/admin/"
"""The prefix of addresses whose refusals are logged: they are attempts to exceed one's rights."""

_log = get_logger("http")


class WrongDocument(RequestValidationError):
    """Raised for a body, read by its route itself, with members other than those of its `kind`."""

    def __init__(self, error: ValidationError, kind: type[BaseModel]) -> None:
        placed = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        super().__init__(placed)
        self.kind = kind


def status_of(error: errors.PodiumError) -> int:
    """Finds the HTTP status of an error by its class, whatever code it was given."""
    [status] = error.CODE.statuses
    return status


def problem_document(
    *,
    status: int,
    code: OurCode | ForeignCode,
    detail: str,
    request_id: str | None,
    problems: Sequence[errors.ProblemEntry] | None = None,
    problem_count: int | None = None,
    **facts: Any,
) -> dict[str, Any]:
    """Builds a problem document with the members of RFC 9457 and ours, in a fixed order."""
    shown = list(problems or [])
    return {
        "type": f"/problems/{code}",
        "title": title_of(code) or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
        **facts,
        "errors": shown,
        "error_count": len(shown) if problem_count is None else problem_count,
    }


def rejection_document(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Builds the problem document of a rejection that was stored with a file: the answer that the
    upload would have had, if it had been read while the client waited."""
    return problem_document(
        status=status_of(error_for(stored)),
        code=ForeignCode(stored["code"]),
        detail=stored["detail"],
        request_id=None,
        problems=stored.get("errors"),
        problem_count=stored.get("error_count"),
        **{name: value for name, value in stored.items() if name not in STORED_MEMBERS},
    )


def problem_response(
    request: Request,
    *,
    status: int,
    code: OurCode | ForeignCode,
    detail: str,
    headers: dict[str, str] | None = None,
    **members: Any,
) -> Response:
    """Builds the response for a problem: a page for people, JSON for programs."""
    request_id = getattr(request.state, "request_id", None)
    document = problem_document(
        status=status, code=code, detail=detail, request_id=request_id, **members
    )
    if is_for_people(request):
        return error_page(request, document, headers)
    return JSONResponse(
        document, status_code=status, headers=headers, media_type="application/problem+json"
    )


Greet: TypeAlias = Callable[[Request], Awaitable[None]]
"""Identifies the visitor of a page."""


def install_error_handlers(app: FastAPI, *, greet: Greet) -> None:
    """Registers the handlers for our errors, the framework's, the database's and all others. Error
    pages of the first two `greet` the user who is signed in."""
    refusals: dict[type[Exception], Callable[[Request, Exception], Response]] = {
        errors.PodiumError: _podium_error,
        RequestValidationError: _validation_error,
        HTTPException: _http_exception,
    }
    for kind, handler in refusals.items():
        app.add_exception_handler(kind, _greeting(greet, handler))
    for kind in (OperationalError, InterfaceError, PoolTimeout):
        app.add_exception_handler(kind, _database_unavailable)
    app.add_exception_handler(RecursionError, _too_deep)
    app.add_exception_handler(Exception, _unexpected)


def _greeting(
    greet: Greet, handler: Callable[[Request, Exception], Response]
) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        if is_for_people(request):
            await greet(request)
        return await run_in_threadpool(handler, request, error)

    return handle


def _podium_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.PodiumError)
    status = status_of(error)
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="podium"'
    retry_after = getattr(error, "retry_after", None)
    if retry_after is None and status == 503:
        retry_after = 60
    if retry_after is not None:
        headers["Retry-After"] = str(max(1, int(retry_after)))
    members: dict[str, Any] = dict(error.facts)
    if isinstance(error, errors.InvalidInput):
        members |= {"problems": error.problems, "problem_count": error.problem_count}
    if status in (403, 404) and request.scope["path"].startswith(ADMINISTRATION):
        _log.warning(
            "request.refused", code=error.code, path=request.scope["path"], method=request.method
        )
    # Work that is still running is not an error.
    if status >= 500 and error.code != ErrorCode.STILL_RUNNING:
        _log.error("request.refused", code=error.code, detail=error.detail)
    return problem_response(
        request, status=status, code=error.code, detail=error.detail, headers=headers, **members
    )


def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    is_syntax = any(item["type"] == "json_invalid" for item in found)
    if any(isinstance(item.get("input"), bytes) for item in found):
        detail = "This takes JSON. Send it with the header “Content-Type: application/json”."
        return problem_response(request, status=415, code=ErrorCode.NOT_JSON, detail=detail)
    model = error.kind if isinstance(error, WrongDocument) else _body_of(request)
    problems: list[errors.ProblemEntry] = [
        errors.problem_entry(
            item["type"].replace("_", "-"),
            _reason(item, model)[:MAX_REASON],
            # For unreadable JSON, the framework reports a position as if it were a member.
            column=_place(item["loc"][:1] if item["type"] == "json_invalid" else item["loc"]),
            hint=hint_of(item, model),
        )
        for item in found[:SHOWN]
    ]
    first = problems[0]
    return problem_response(
        request,
        status=400 if is_syntax else 422,
        code=ErrorCode.BAD_JSON if is_syntax else ErrorCode.INVALID,
        detail=f"{first['column']}: {first['detail']}",
        problems=problems,
        problem_count=len(found),
    )


def _body_of(request: Request) -> object:
    """Finds the type of the JSON that the request's route takes; None where it takes none."""
    body = getattr(request.scope.get("route"), "body_field", None)
    return None if body is None else body.field_info.annotation


def _place(location: tuple[int | str, ...]) -> str:
    """Formats a place in the body, or the name of a parameter, on one line. Names of members are
    the sender's text, and cut short."""
    named = location if location[0] == "body" else location[1:]
    text = ".".join(str(part) for part in named)
    return "".join(c if c.isprintable() else "?" for c in text)[:MAX_PLACE]


def _reason(item: dict[str, Any], model: object) -> str:
    if item["type"] == "json_invalid":
        return f"{item['msg']} at character {item['loc'][-1]}: {item['ctx']['error']}"
    return reason_of_body(item, model)


def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    code = HTTP_CODES[status]
    headers = dict(error.headers or {})
    if status == 405:
        headers["Allow"] = ", ".join(_allowed_methods(request))
    detail = str(error.detail)
    if detail == HTTPStatus(status).phrase:
        detail = PLAIN.get(status, detail)
    return problem_response(request, status=status, code=code, detail=detail, headers=headers)


def _allowed_methods(request: Request) -> list[str]:
    """Lists the methods of this address. The framework names those of one of its routes only."""
    found = [
        method
        for method in METHODS
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]
    return [*found, "HEAD"] if "GET" in found else found


def _database_unavailable(request: Request, error: Exception) -> Response:
    _log.error("database.failed", error=type(error).__name__, detail=line_of(error))
    if is_full(error):
        return problem_response(
            request,
            status=503,
            code=ErrorCode.STORAGE_FULL,
            detail="The disk of the installation is full. Nothing was changed; tell the operator,"
            " or try again later.",
            headers={"Retry-After": str(FULL_RETRY_SECONDS)},
        )
    return problem_response(
        request,
        status=503,
        code=ErrorCode.DATABASE_UNAVAILABLE,
        detail="The database does not answer. Nothing was changed; try again shortly.",
        headers={"Retry-After": str(DATABASE_RETRY_SECONDS)},
    )


def _too_deep(request: Request, error: Exception) -> Response:
    return problem_response(
        request, status=400, code=ErrorCode.BAD_JSON, detail="The JSON is nested too deeply."
    )


def _unexpected(request: Request, error: Exception) -> Response:
    _log.error("request.failed", exc_info=error)
    return problem_response(
        request,
        status=500,
        code=ErrorCode.INTERNAL_ERROR,
        detail="This is our fault. The request id helps the operator to find out why.",
    )
