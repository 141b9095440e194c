"""Bodies that are not JSON objects, sent to every operation of the description that takes JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.builders.installation import Installation, problem_of

JSON = {"Content-Type": "application/json"}

UNKNOWN = {"{slug}": "unknown", "{code}": "unknown", "{name}": "unknown", "{version}": "1"}
"""Parts of addresses that lead to nothing; all others are ids."""

NOTHING = frozenset({b"null", b""})
"""Bodies that an operation takes where its body may be left out."""


def _operations(description: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """The methods and paths of operations that take JSON, and if they need it."""
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {})
            if "application/json" in body.get("content", {}):
                yield method.upper(), path, body.get("required", False)


def _address(path: str) -> str:
    nothing = "0" * 8 + "-0000" * 3 + "-" + "0" * 12
    asked = re.sub(r"\{\w+\}", lambda part: UNKNOWN.get(part[0], nothing), path)
    return asked.removeprefix("/api/v1")


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"5", b""])
def test_a_body_that_is_no_object_is_a_problem_of_the_client(
    installation: Installation, description: dict[str, Any], body: bytes
) -> None:
    operations = list(_operations(description))
    assert len(operations) > 40
    wrong = {}
    for method, path, is_needed in operations:
        answer = installation.admin.send(method, _address(path), content=body, headers=JSON)
        if answer.is_success and body in NOTHING and not is_needed:
            continue
        kind = answer.headers.get("content-type")
        if not (answer.is_client_error and kind == "application/problem+json"):
            wrong[method, path] = answer.text
    assert wrong == {}


def test_who_sends_no_object_for_a_competition_is_told_what_it_needs(
    installation: Installation,
) -> None:
    refused = installation.admin.post("/admin/competitions", json=[])
    detail = problem_of(refused, 422, "invalid")["detail"]
    assert 'for example {"slug": "…", "title": "…"}' in detail
