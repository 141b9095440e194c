"""Parts of addresses, and headers of requests and answers, which mean the same everywhere."""

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
    """Adds descriptions to an operation's path parameters."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            parameter.setdefault("description", PARTS[parameter["name"]])


def forget_null(operation: dict[str, Any]) -> None:
    """Removes null from the types of optional parameters: no address and no header can hold it."""
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
        if len(choices) == 1:
            parameter["schema"] = choices[0] | {
                name: value for name, value in schema.items() if name != "anyOf"
            }


def describe_conditions(operation: dict[str, Any]) -> None:
    """Adds the headers of conditional requests, `If-None-Match` and `If-Match`, to an operation;
    derived from the statuses that it answers."""
    answers = operation["responses"]
    if "304" in answers:
        description = "An `ETag` of before: if nothing has changed, the answer is 304 and empty."
        _take_header(operation, "If-None-Match", description)
    # The 412 of uploads is about a version of tus.
    if "412" in answers and "uploads" not in operation["tags"]:
        description = "The `ETag` of what you read: if it was changed since, the answer is 412."
        _take_header(operation, "If-Match", description)


LOCATED = {
    "createCompetition": "Where the competition is.",
    "createTeam": "Where the team's members find it.",
    "createUser": "Where the account is.",
    "importCompetition": "Where the competition is.",
    "makeBaseline": "Where the team is, for organizers.",
    "makeTeam": "Where the team is, for organizers.",
    "readGroundTruthAgain": "Where the version is, also while it is read.",
    "startRejudging": "Where the rejudging is, and later its changes.",
    "startUpload": "Where the next bytes go, and how far it has come.",
    "uploadGroundTruth": "Where the version is, also while it is read.",
    "uploadInteractions": "Where the version is, also while it is prepared.",
    "uploadMetricFile": "Where the version is, also while it is checked.",
    "uploadRawSessions": "Where the version is, also while it is prepared.",
}
"""Descriptions of the `Location` header, by the ids of the operations that create something."""


def describe_location(operation: dict[str, Any]) -> None:
    """Adds the `Location` header to an operation that creates something."""
    description = LOCATED.get(operation["operationId"])
    for status in {"200", "201", "202"} & operation["responses"].keys() if description else ():
        header = {"description": description, "schema": {"type": "string"}}
        operation["responses"][status].setdefault("headers", {})["Location"] = header


def _take_header(operation: dict[str, Any], name: str, description: str) -> None:
    header = {"name": name, "in": "header", "required": False, "description": description}
    operation.setdefault("parameters", []).append({**header, "schema": {"type": "string"}})
