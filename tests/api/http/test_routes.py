"""Rules that every route keeps: a name, documented refusals, and a role that may call it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from podium.application import Application
from podium.http.middleware.allowances import MAX_JSON_BYTES
from podium.main import create_app
from tests.builders.servers.in_process import TestClient

PUBLIC = {
    "GET /healthz",
    "GET /readyz",
    "GET /api/v1/competitions",
    "GET /api/v1/competitions/{slug}",
    "GET /api/v1/competitions/{slug}/leaderboard",
    "GET /api/v1/competitions/{slug}/leaderboard.csv",
    "GET /api/v1/competitions/{slug}/charts",
    "GET /api/v1/competitions/{slug}/rules",
    "GET /api/v1/competitions/{slug}/announcements",
    "GET /api/v1/links/{code}",
    "POST /api/v1/links/{code}",
    "POST /api/v1/sign-in",
    "POST /api/v1/forgot-password",
    "GET /api/v1/mail-links/{code}",
    "POST /api/v1/mail-links/{code}",
    "GET /api/v1/sign-up",
    "POST /api/v1/sign-up",
    "POST /api/v1/sign-up/mail",
    "POST /api/v1/sign-up/requests",
    "GET /api/v1/sign-up/requests/{code}",
    "GET /api/v1/competitions/{slug}/teams/invitation",
    "GET /api/v1/competitions/{slug}/files",
    "GET /api/v1/competitions/{slug}/files/{name}",
    "GET /api/v1/competitions/{slug}/metric-file",
    "GET /api/v1/competitions/{slug}/metric-files/{version}/source",
    "GET /api/v1/competitions/{slug}/sample-submission",
    "GET /api/v1/competitions/{slug}/statistics",
    "GET /api/v1/metrics",
    "GET /api/v1/presets",
    "GET /api/v1/signing-key",
    "GET /api/v1/competitions/{slug}/commitments",
    "OPTIONS /api/v1/uploads",
}
"""Operations that need no token; every other one is for known users."""

CONTRACT = PUBLIC | {
    "GET /metrics",
    "GET /api/v1/me",
    "GET /api/v1/me/tokens",
    "POST /api/v1/me/tokens",
    "POST /api/v1/competitions/{slug}/teams",
    "POST /api/v1/competitions/{slug}/teams/join",
    "GET /api/v1/competitions/{slug}/team",
    "POST /api/v1/competitions/{slug}/submissions",
    "GET /api/v1/competitions/{slug}/submissions",
    "GET /api/v1/submissions/{}",
    "GET /api/v1/submissions/{}/events",
    "GET /api/v1/submissions/{}/file",
    "PUT /api/v1/competitions/{slug}/selection",
    "POST /api/v1/admin/users",
    "GET /api/v1/admin/users",
    "PATCH /api/v1/admin/users/{}",
    "POST /api/v1/admin/competitions",
    "PATCH /api/v1/admin/competitions/{slug}",
    "POST /api/v1/admin/competitions/{slug}/ground-truth",
    "GET /api/v1/admin/competitions/{slug}/ground-truth",
    "GET /api/v1/admin/competitions/{slug}/ground-truth/{version}",
    "PUT /api/v1/admin/competitions/{slug}/published-ids",
    "POST /api/v1/admin/competitions/{slug}/organizers",
    "DELETE /api/v1/admin/competitions/{slug}/organizers/{}",
    "POST /api/v1/admin/competitions/{slug}/teams",
    "POST /api/v1/admin/competitions/{slug}/baselines",
    "GET /api/v1/admin/competitions/{slug}/comparison",
    "GET /api/v1/admin/competitions/{slug}/export",
    "POST /api/v1/admin/invites",
    "DELETE /api/v1/me/tokens/{}",
    "PUT /api/v1/admin/competitions/{slug}/files/{name}",
    "POST /api/v1/admin/competitions/{slug}/launch",
    "GET /api/v1/admin/competitions/{slug}/submissions",
    "POST /api/v1/admin/competitions/{slug}/close",
    "POST /api/v1/admin/competitions/{slug}/freeze",
    "POST /api/v1/admin/competitions/{slug}/reopen",
    "POST /api/v1/admin/competitions/{slug}/reveal",
    "POST /api/v1/admin/competitions/{slug}/rejudgings",
    "GET /api/v1/admin/rejudgings/{}",
    "POST /api/v1/admin/rejudgings/{}/apply",
    "POST /api/v1/admin/rejudgings/{}/cancel",
    "POST /api/v1/admin/submissions/{}/cancel",
    "POST /api/v1/admin/submissions/{}/disqualify",
    "POST /api/v1/admin/submissions/{}/reinstate",
    "POST /api/v1/admin/submissions/{}/return-slot",
    "GET /api/v1/admin/audit",
}
"""Operations that clients are written against, in this version of the service."""


REPORTS = {"GET /healthz", "GET /readyz"}
"""Operations whose every answer is a report about the service, never a refusal."""


@pytest.fixture
def client(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


@pytest.fixture
def operations(client: TestClient) -> dict[str, dict[str, Any]]:
    """All operations of the description, by method and path."""
    paths = client.get("/openapi.json").json()["paths"]
    return {
        f"{method.upper()} {path}": operation
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def anonymous(name: str) -> str:
    """An operation's name with parameters that are called `..._id` left unnamed."""
    return re.sub(r"\{\w*id\}", "{}", name)


def test_the_contract_is_served_whole(operations: dict[str, Any]) -> None:
    assert {anonymous(name) for name in CONTRACT} - {
        anonymous(name) for name in operations
    } == set()


def test_every_operation_has_a_name_of_its_own_and_a_summary(operations: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations.values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z][A-Za-z]+", name)] == []
    assert [name for name, operation in operations.items() if not operation.get("summary")] == []


def test_every_operation_documents_its_refusals_as_problem_documents(
    operations: dict[str, Any], client: TestClient
) -> None:
    shared = client.get("/openapi.json").json()["components"]["responses"]
    for name in operations.keys() - REPORTS:
        answers = operations[name]["responses"]
        refusals = {status: answer for status, answer in answers.items() if status[:1] in "45"}
        assert refusals, name
        for status, reference in refusals.items():
            is_shared = "$ref" in reference
            refusal = shared[reference["$ref"].rpartition("/")[2]] if is_shared else reference
            assert set(refusal["content"]) == {"application/problem+json"}, (name, status)


def test_without_a_token_only_public_operations_answer(
    operations: dict[str, Any], client: TestClient
) -> None:
    for name in operations.keys() - PUBLIC:
        method, path = name.split(" ", 1)
        answer = client.request(method, re.sub(r"\{\w+\}", "x", path), json={})
        assert answer.status_code == 401, name
        assert answer.headers["www-authenticate"].startswith("Bearer"), name
        assert answer.headers["content-type"] == "application/problem+json", name


def test_a_wrong_token_is_refused_by_every_operation_that_takes_one(
    operations: dict[str, Any], client: TestClient
) -> None:
    for name in operations.keys() - REPORTS:
        method, path = name.split(" ", 1)
        answer = client.request(
            method,
            re.sub(r"\{\w+\}", "x", path),
            headers={"Authorization": "Bearer wrong", "Content-Type": "application/json"},
            content=b"{}" if method != "GET" else None,
        )
        assert answer.status_code == 401, name


def test_every_operation_that_takes_bytes_takes_more_of_them_than_of_json(
    operations: dict[str, Any], client: TestClient
) -> None:
    raw = {
        name
        for name, operation in operations.items()
        if "application/octet-stream" in operation.get("requestBody", {}).get("content", ())
    }
    assert len(raw) >= 7
    for name in raw:
        method, path = name.split(" ", 1)
        content = b"x" * (MAX_JSON_BYTES + 1)
        answer = client.request(method, re.sub(r"\{\w+\}", "x", path), content=content)
        assert answer.status_code == 401, (name, answer.text)


def test_the_documentation_needs_no_other_machine(client: TestClient) -> None:
    page = client.get("/docs").text
    assert re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page) == []
