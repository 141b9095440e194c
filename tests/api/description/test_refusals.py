"""The codes and headers of answers, as the description lists them. That it lists all which the
tests of the API meet is required of each of them: see `conftest.py`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium.http.openapi.refusals import ANYWHERE
from podium.settings import Settings
from podium.submissions.routes.events import MAX_STREAMS
from podium.submissions.service.uploads import MAX_PIECES
from tests.builders.installation import Installation

SUBMISSIONS = "/api/v1/competitions/{slug}/submissions"


def answer(description: dict[str, Any], path: str, method: str, status: int) -> dict[str, Any]:
    found: dict[str, Any] = description["paths"][path][method]["responses"][str(status)]
    shared = description["components"]["responses"]
    return shared[found["$ref"].rpartition("/")[2]] if "$ref" in found else found


@pytest.mark.parametrize(
    ("path", "method", "status", "code"),
    [
        (SUBMISSIONS, "post", 400, "bad-json"),
        (SUBMISSIONS, "post", 403, "rules-not-accepted"),
        (SUBMISSIONS, "get", 422, "bad-cursor"),
        ("/api/v1/competitions/{slug}/leaderboard", "get", 422, "bad-cursor"),
        ("/api/v1/admin/users", "post", 403, "not-allowed"),
        ("/api/v1/admin/invites", "post", 422, "unknown-team"),
        ("/api/v1/me", "get", 401, "not-authenticated"),
        (SUBMISSIONS, "post", 415, "unsupported-media-type"),
        ("/api/v1/admin/users", "post", 415, "not-json"),
    ],
)
def test_codes_that_come_with_a_kind_of_operation_are_listed(
    description: dict[str, Any], path: str, method: str, status: int, code: str
) -> None:
    assert f"`{code}`" in answer(description, path, method, status)["description"]


def _references(content: dict[str, Any]) -> list[str]:
    return [each["$ref"] for each in content.get("examples", {}).values()]


def test_every_refusal_has_an_example_of_its_status(description: dict[str, Any]) -> None:
    examples = description["components"]["examples"]
    statuses = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            for status in operation["responses"]:
                told = answer(description, path, method, int(status)).get("content", {})
                if (content := told.get("application/problem+json")) is None:
                    continue
                shown = {name.rpartition("/")[2] for name in _references(content)}
                found = [examples[name]["value"] for name in shown]
                found += [content["example"]] if "example" in content else []
                statuses[path, method, status] = {str(each["status"]) for each in found}
    assert len(statuses) > 800
    wrong = {place: found for place, found in statuses.items() if found != {place[2]}}
    assert wrong == {}


def test_a_list_of_codes_says_that_it_may_not_be_complete(description: dict[str, Any]) -> None:
    lists = [
        re.findall(r"Codes[^`]*", told["description"])
        for methods in description["paths"].values()
        for operation in methods.values()
        for told in operation["responses"].values()
        if "description" in told
    ]
    assert {words for found in lists for words in found} == {"Codes, among others: "}


def test_codes_of_any_request_stand_in_the_introduction(description: dict[str, Any]) -> None:
    text = description["info"]["description"]
    assert [code for code in ANYWHERE if f"`{code}`" not in text] == []


def test_the_limits_of_what_runs_at_a_time_are_those_of_an_installation(
    description: dict[str, Any],
) -> None:
    limits = " ".join(description["info"]["description"].partition("## Limits")[2].split())
    names = ("uploads_per_user", "downloads_per_account", "connections_per_address")
    uploads, downloads, connections = (Settings.model_fields[name].default for name in names)
    assert (
        f"an account has at most {uploads} uploads, {downloads} downloads and {MAX_STREAMS} event"
        f" streams, and a network address {connections} connections."
    ) in limits


def test_the_limits_of_uploads_are_those_of_an_installation(description: dict[str, Any]) -> None:
    limits = " ".join(description["info"]["description"].partition("## Limits")[2].split())
    told = Settings.model_fields
    assert told["unfinished_uploads"].default == 3
    assert "at most three that are unfinished" in limits
    assert told["upload_keep_seconds"].default == 24 * 3600
    assert "discarded 24 hours after its last bytes" in limits
    assert f"at most {MAX_PIECES:,} pieces" in limits


@pytest.mark.parametrize(
    ("path", "method", "status", "headers"),
    [
        ("/api/v1/uploads/{upload_id}", "get", 200, {"Upload-Offset", "Upload-Expires"}),
        ("/api/v1/uploads/{upload_id}", "patch", 409, {"Upload-Offset", "Tus-Resumable"}),
        (SUBMISSIONS, "get", 200, {"Link"}),
        (SUBMISSIONS, "post", 429, {"Retry-After"}),
        ("/api/v1/me", "get", 503, {"Retry-After"}),
        ("/api/v1/me", "get", 401, {"WWW-Authenticate"}),
        ("/api/v1/competitions/{slug}", "get", 200, {"ETag"}),
    ],
)
def test_headers_of_answers_are_described(
    description: dict[str, Any], path: str, method: str, status: int, headers: set[str]
) -> None:
    assert headers <= answer(description, path, method, status)["headers"].keys()


def test_members_that_codes_add_are_described_and_in_no_other_place(
    description: dict[str, Any],
) -> None:
    problem = description["components"]["schemas"]["Problem"]
    added = {"address", "rules", "rules_sha256", "limited_by", "max_bytes", "expected-offset"}
    assert added <= problem["properties"].keys()
    assert not added & set(problem["required"])


def test_a_wrong_parameter_is_named_as_it_is_called(installation: Installation) -> None:
    refused = installation.client.get("/api/v1/competitions?limit=0").json()
    assert refused["errors"][0]["column"] == "limit"
    assert refused["detail"].startswith("limit: ")
