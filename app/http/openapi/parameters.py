"""Parts of addresses, which mean the same in all of them."""

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
