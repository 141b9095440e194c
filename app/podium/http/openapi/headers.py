"""The headers of answers, by the kind of the answer. Routes name those that are theirs alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from podium.http.openapi.parameters import LOCATED
from podium.http.schemas import OpenApi


def _header(description: str, kind: str = "string") -> OpenApi:
    return {"description": description, "schema": {"type": kind}}


HEADERS = {
    "Accept-Ranges": _header("`bytes`: a part of the file can be asked for with `Range`."),
    "Content-Disposition": _header("The name under which to save the file."),
    "Content-Range": _header("Which bytes of how many these are."),
    "ETag": _header("Names this answer for `If-None-Match`, or this version for `If-Match`."),
    "Link": _header('`<…>; rel="next"`: the next page. Left out on the last one.'),
    "Retry-After": _header("Seconds after which it is worth trying again.", "integer"),
    "Tus-Extension": _header("The extensions of tus that are served."),
    "Tus-Max-Size": _header("The most bytes of an upload, for who may upload.", "integer"),
    "Tus-Resumable": _header("The version of tus that is served: `1.0.0`."),
    "Tus-Version": _header("The versions of tus that are served: `1.0.0`."),
    "Upload-Complete": _header("`?1` if all of the file is here, else `?0`."),
    "Upload-Defer-Length": _header("`1` if the length is not known yet."),
    "Upload-Expires": _header("When the upload is discarded if nothing is added."),
    "Upload-Length": _header("Bytes of the whole file, where that is known.", "integer"),
    "Upload-Limit": _header("`max-size` in bytes, and `max-age` in seconds."),
    "Upload-Metadata": _header("What the client of tus has sent with the upload."),
    "Upload-Offset": _header("How many bytes have arrived: go on from there.", "integer"),
    "WWW-Authenticate": _header("The way to authenticate: `Bearer`."),
}
"""Headers that mean the same everywhere."""

PROGRESS = (
    "Upload-Offset",
    "Upload-Complete",
    "Upload-Length",
    "Upload-Defer-Length",
    "Upload-Expires",
    "Upload-Limit",
    "Upload-Metadata",
)

DISCOVERY = ("Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Limit")

SHOWS_PROGRESS = ("startUpload", "getUpload", "appendToUpload")
"""Operations whose answer reports the progress of an upload."""

OF_REFUSALS = {
    "401": ("WWW-Authenticate",),
    "416": ("Content-Range",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}
"""Headers that every refusal of a status has."""

TAGGED = ("downloadSubmission", "getSettingsFile", "launchCompetition")
"""Further operations whose answer has an `ETag`."""

VERSIONED = re.compile(r"/(Managed)?Competition'")
"""References to documents with a version, which their `ETag` names."""


def describe_headers(operation: dict[str, Any]) -> None:
    """Adds the headers of each answer of an operation that is described here and not shared."""
    for status, answer in operation["responses"].items():
        if "$ref" not in answer:
            for name in _names(operation, status, answer):
                header = {"$ref": f"#/components/headers/{name}"}
                answer.setdefault("headers", {}).setdefault(name, header)


def headers_of_refusal(status: int) -> OpenApi:
    """Lists the headers of an error response that operations share."""
    names = OF_REFUSALS.get(str(status), ())
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _names(operation: dict[str, Any], status: str, answer: OpenApi) -> Iterator[str]:
    yield from OF_REFUSALS.get(status, ())
    if "uploads" in operation["tags"]:
        yield from _names_of_upload(operation["operationId"], status)
    elif status == "409":
        yield "Retry-After"
    if status == "304":
        yield "ETag"
    if status == "202" and operation["operationId"] in LOCATED:
        yield "Retry-After"
    if status < "300":
        yield from _names_of_success(operation, status, answer)


def _names_of_upload(operation_id: str, status: str) -> Iterator[str]:
    yield "Tus-Resumable"
    if status in ("409", "413"):
        yield from ("Upload-Offset", "Upload-Complete", "Upload-Limit", "Retry-After")
    if status == "412":
        yield "Tus-Version"
    if status < "300" and operation_id in SHOWS_PROGRESS:
        yield from PROGRESS
    if operation_id == "describeUploads" and status == "204":
        yield from DISCOVERY


def _names_of_success(operation: dict[str, Any], status: str, answer: OpenApi) -> Iterator[str]:
    answers, content = operation["responses"], answer.get("content", {})
    document = str(content.get("application/json", {}).get("schema"))
    if {"304", "412"} & answers.keys() and "uploads" not in operation["tags"]:
        yield "ETag"
    if VERSIONED.search(document) or status == "206" or operation["operationId"] in TAGGED:
        yield "ETag"
    if "416" in answers:
        yield "Accept-Ranges"
    if status == "206":
        yield "Content-Range"
    if content and not content.keys() <= {"application/json", "text/event-stream", "text/plain"}:
        yield "Content-Disposition"
    if any(each["name"] == "cursor" for each in operation.get("parameters", ())):
        yield "Link"
