"""The refusals of operations. Routes name only their own; those of callers, parameters and bodies,
and those of any request, are defined here once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from podium.errors.codes import CODES, ErrorCode, OurCode
from podium.http import examples
from podium.http.openapi.headers import headers_of_refusal
from podium.http.schemas import OCTETS, OF_FILES, REFUSALS, OpenApi, Refusal, example_name, refused

GENERAL = {
    401: ErrorCode.NOT_AUTHENTICATED,
    403: ErrorCode.NOT_ALLOWED,
    404: ErrorCode.NOT_FOUND,
    416: ErrorCode.RANGE_NOT_SATISFIABLE,
    422: ErrorCode.INVALID,
}
"""The code of a status that a route names without more."""

ALONE = {400: ErrorCode.BAD_REQUEST, 503: ErrorCode.UNAVAILABLE}
"""The code of a status for which an operation has no other."""

OF_JSON = (ErrorCode.BAD_JSON, ErrorCode.TOO_SLOW, ErrorCode.TOO_LARGE, ErrorCode.NOT_JSON)

OF_BYTES = (
    ErrorCode.BAD_DIGEST,
    ErrorCode.UPLOAD_CUT,
    ErrorCode.UPLOAD_TOO_SLOW,
    ErrorCode.TOO_LARGE,
    ErrorCode.DIGEST_MISMATCH,
    ErrorCode.STORAGE_FULL,
)

OF_FINISHED_UPLOADS = (
    ErrorCode.BAD_JSON,
    ErrorCode.BAD_FORM,
    ErrorCode.UPLOAD_BUSY,
    ErrorCode.UPLOAD_INCOMPLETE,
    ErrorCode.UPLOAD_USED,
    ErrorCode.UPLOAD_TAKEN_OVER,
    ErrorCode.FILE_MISSING,
    ErrorCode.UNEXPECTED_FIELD,
    ErrorCode.STORED_FILE_CORRUPT,
)
"""Codes of bodies that are a file, a form with one, or JSON that names an upload."""

ANYWHERE = (
    ErrorCode.BAD_REQUEST,
    ErrorCode.FOREIGN_ORIGIN,
    ErrorCode.TOKEN_OVER_HTTP,
    ErrorCode.METHOD_NOT_ALLOWED,
    ErrorCode.URI_TOO_LONG,
    ErrorCode.CONTENT_ENCODING,
    ErrorCode.WRONG_HOST,
    ErrorCode.HEAD_TOO_LONG,
    ErrorCode.INTERNAL_ERROR,
    ErrorCode.NOT_CONFIGURED,
    ErrorCode.DATABASE_UNAVAILABLE,
    ErrorCode.STORAGE_ERROR,
    ErrorCode.STORAGE_FULL,
    ErrorCode.BUSY,
    ErrorCode.UNAVAILABLE,
)
"""Codes of any request, which no operation lists: the introduction names them."""


def complete_refusals(operation: dict[str, Any]) -> None:
    """Lists the codes of an operation by status; an answer that adds no code to its status refers
    to the shared one."""
    own = {
        int(status): [
            code if code == OF_FILES else CODES[code] for code in content.get("examples", ())
        ]
        for status, answer in operation["responses"].items()
        if (content := answer.get("content", {}).get("application/problem+json")) is not None
    }
    for status in _implied(operation):
        own.setdefault(status, [])
    shared: dict[int, list[str]] = {
        status: [GENERAL[status]] if status in GENERAL and (status != 403 or not codes) else []
        for status, codes in own.items()
    }
    for code in _brought(operation):
        [status] = code.statuses
        if code not in own.get(status, ()):
            shared.setdefault(status, []).append(code)
    answers = operation["responses"]
    for status, more in shared.items():
        codes = own.get(status, [])
        # Answers of uploads have headers that no others have.
        is_shared = not codes and "uploads" not in operation["tags"]
        if is_shared and more == _shared_codes(status):
            answers[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}
        else:
            answers[str(status)] = refused(
                status, codes, more if codes or more else [ALONE[status]]
            )
    operation["responses"] = dict(sorted(answers.items()))


def _implied(operation: Mapping[str, Any]) -> Iterator[int]:
    """Yields the statuses of hidden objects: 401 for the caller, 404 for what the address names."""
    if operation.get("security"):
        yield 401
    if any(each["in"] == "path" for each in operation.get("parameters", ())):
        yield 404


def _brought(operation: Mapping[str, Any]) -> Iterator[OurCode]:
    """Yields the codes that follow from an operation's parameters, conditions and body."""
    kinds = operation.get("requestBody", {}).get("content", {})
    if OCTETS in kinds:
        yield from OF_BYTES
        if "415" in operation["responses"]:
            yield ErrorCode.UNSUPPORTED_MEDIA_TYPE
        if "application/json" in kinds:
            yield from OF_FINISHED_UPLOADS
    elif "application/json" in kinds:
        yield from OF_JSON
    given = {each["name"] for each in operation.get("parameters", ())}
    if "cursor" in given:
        yield ErrorCode.BAD_CURSOR
    if "412" in operation["responses"] and "uploads" not in operation["tags"]:
        yield ErrorCode.PRECONDITION_FAILED


def _shared_codes(status: int) -> list[str]:
    """Lists the codes of the shared answer of a status."""
    of_json = [code for code in OF_JSON if status in code.statuses]
    return [GENERAL[status]] if status in GENERAL else list(of_json)


def _name(status: int) -> str:
    return re.sub(r"\W", "", HTTPStatus(status).phrase.title())


def shared_refusals() -> OpenApi:
    """Builds the answers that operations share, by name, each with an example."""
    return {_name(status): _shared(status, refusal) for status, refusal in REFUSALS.items()}


def _shared(status: int, refusal: Refusal) -> OpenApi:
    answer = refused(status, (), _shared_codes(status))
    example = _example_of(status, refusal.code)
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example["value"]}
    headers = headers_of_refusal(status)
    return {
        "description": answer["description"],
        **({"headers": headers} if headers else {}),
        "content": {"application/problem+json": content},
    }


def examples_named_in(written: str) -> OpenApi:
    """Builds the examples of refusals to which a description refers, by name."""
    examples = {
        example_name(code, status): _example_of(status, code)
        for code in CODES.values()
        for status in code.statuses
    }
    examples[OF_FILES] = _example_of_file()
    return {
        name: each
        for name, each in examples.items()
        if f'"#/components/examples/{name}"' in written
    }


def _example_of_file() -> OpenApi:
    example = _example(
        422, ErrorCode.INVALID, str(examples.FILE_PROBLEM["detail"]), (examples.FILE_PROBLEM,)
    )
    code = {"type": "/problems/unknown-id", "title": "Unknown id", "code": "unknown-id"}
    return {"summary": "A problem of a file", "value": example["value"] | code}


def _example_of(status: int, code: OurCode) -> OpenApi:
    """Builds the example of a refusal: the one of its status, where that has this code; else from
    the code's explanation."""
    refusal = REFUSALS.get(status)
    if refusal is not None and refusal.code == code:
        return _example(status, code, refusal.example, refusal.errors)
    return _example(status, code, code.explanation.reason)


def _example(
    status: int, code: OurCode, detail: str, errors: Sequence[Mapping[str, object]] = ()
) -> OpenApi:
    problem = {
        "type": f"/problems/{code}",
        "title": code.explanation.title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": examples.REQUEST,
        "errors": list(errors),
        "error_count": len(errors),
    }
    return {"summary": code.explanation.title, "value": problem}
