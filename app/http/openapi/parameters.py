"""Parts of addresses, and headers of conditional requests, which mean the same everywhere."""

from __future__ import annotations

from typing import Any

PARTS = {
    "announcement_id": "The id that identifies the announcement.",
    "code": "The secret in the address of the link or the request.",
    "link_id": "The id of the link; not the secret in its address.",
    "name": "What the file is called.",
    "rejudging_id": "The id that identifies the rejudging.",
    "request_id": "The id of the request that is answered.",
    "session_id": "The id of the browser's session, from `GET /api/v1/me/sessions`.",
    "slug": "The competition's name in addresses, such as `otto`.",
    "submission_id": "The id that identifies the submission.",
    "team_id": "The id that identifies the team.",
    "token_id": "The id of the token; not its text.",
    "upload_id": "The id of the upload, from its `Location`.",
    "user_id": "The id of the account; not its name.",
    "version": "The number of the version; or the id of an upload that is still being read.",
}


def describe_parts(operation: dict[str, Any]) -> None:
    """Says of each part of an operation's address what stands there."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            parameter.setdefault("description", PARTS[parameter["name"]])


ETAG = {
    "schema": {"type": "string"},
    "description": "Names this answer for `If-None-Match`, or this version for `If-Match`.",
}


def describe_conditions(operation: dict[str, Any]) -> None:
    """Names the headers with which an operation is asked only for what is new, or refuses to undo
    another change; told by the statuses that it answers."""
    answers = operation["responses"]
    if "304" in answers:
        told = "An `ETag` of before: if nothing has changed, the answer is 304 and empty."
        _take_header(operation, "If-None-Match", told)
        answers["200"].setdefault("headers", {})["ETag"] = ETAG
    # The 412 of uploads is about a version of tus.
    if "412" in answers and "uploads" not in operation["tags"]:
        told = "The `ETag` of what you read: if it was changed since, the answer is 412."
        _take_header(operation, "If-Match", told)
        answers["200"].setdefault("headers", {})["ETag"] = ETAG


def _take_header(operation: dict[str, Any], name: str, description: str) -> None:
    header = {"name": name, "in": "header", "required": False, "description": description}
    operation.setdefault("parameters", []).append({**header, "schema": {"type": "string"}})
